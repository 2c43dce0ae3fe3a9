// Package dashboard serves the history of reviews to a browser. The pages query a ledger through
// [Ledger]. Nothing is written, unless [Options.Marks] says how: then one route marks the violation that
// its page shows. Package pages decides what the pages look like.
package dashboard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"time"

	"github.com/reviewledger/reviewledger/export/dashboard/pages"
	"github.com/reviewledger/reviewledger/ledger"
)

// site answers the requests that the guard has admitted.
type site struct {
	ledger Ledger
	memory memory
	name   string
	now    func() time.Time
	// assets is the path of the style sheet and the script. It contains a hash of them, so that a
	// browser can cache them for good.
	assets  string
	expired func() func(ledger.Skip) bool // as in [Options]
	pulled  func() time.Time
	marks   *marks // nil if the pages only read
}

func newSite(o Options) *site {
	s := &site{ledger: o.Ledger, name: o.Name, now: o.Now, assets: "/a/" + hashOf(pages.Static()) + "/", expired: o.Expired, pulled: o.Pulled, marks: newMarks(o.Marks)}
	if s.expired == nil {
		s.expired = func() func(ledger.Skip) bool { return nil }
	}
	if s.pulled == nil {
		s.pulled = func() time.Time { return time.Time{} }
	}
	return s
}

// hashOf returns a hash of all files.
func hashOf(files fs.FS) string {
	sum := sha256.New()
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		sum.Write([]byte(name))
		sum.Write(data)
		return err
	})
	if err != nil { // the files are embedded
		panic(err)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// view describes how one kind of page is made, and in which formats.
type view struct {
	// parameters returns the parameters that the URL may have, in addition to those of every page.
	parameters func(*visit) parameters
	page       func(*visit) (pages.Page, error)
	json       func(*visit) (answer, error)
	csv        func(*visit) (answer, error) // nil means the JSON as CSV, see [inCSV]
	// raw serves only the text, if the URL asks for that. It is nil if the page has no such text.
	raw func(*visit) (answer, error)
}

func (s *site) routes() http.Handler {
	mux := http.NewServeMux()
	for pattern, v := range map[string]view{
		"/{$}":              overviewView(),
		"/runs":             runsView(),
		"/runs/{run}":       runView(),
		"/violations":       violationsView(),
		"/violations/{id}":  violationView(),
		"/reviewers":        reviewersView(),
		"/files":            filesView(),
		"/skips":            s.skipsView(),
		"/compare":          compareView(),
		"/log/{address...}": logView(),
		"/checks":           checksView(),
		"/verdicts":         verdictsView(),
	} {
		mux.Handle(pattern, s.serve(v))
	}
	mux.Handle(s.assets, http.StripPrefix(s.assets, immutable(http.FileServerFS(pages.Static()))))
	mux.HandleFunc("/v", s.version)
	mux.HandleFunc("/", s.unknown)
	return mux
}

// immutable allows browsers to cache files for good: a changed file has another path.
func immutable(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "" { // the folder is not listed
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		next.ServeHTTP(w, r)
	})
}

// version answers pages that check whether the ledger has changed. It only reads a number.
func (s *site) version(w http.ResponseWriter, r *http.Request) {
	tag := s.tag(r.Context())
	w.Header().Set("ETag", tag)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write([]byte(tag + "\n"))
}

// tag returns the version of the ledger's state as an entity tag.
func (s *site) tag(ctx context.Context) string {
	version, err := s.ledger.Version(ctx)
	if err != nil {
		version = "unknown" // the page says why
	}
	return `"` + version + `"`
}
