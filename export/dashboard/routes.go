// Package dashboard serves the history of reviews to a browser. It only reads: the pages
// ask a ledger through [Ledger], and no route changes anything. What the pages look like is
// decided in package pages.
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

// site answers requests that the guard let through.
type site struct {
	ledger Ledger
	name   string
	now    func() time.Time
	// assets is the address of the style sheet and the script, with a hash of them, so that
	// a browser keeps them for good.
	assets  string
	expired func() func(ledger.Skip) bool // as in [Options]
}

func newSite(o Options) *site {
	s := &site{ledger: o.Ledger, name: o.Name, now: o.Now, assets: "/a/" + hashOf(pages.Static()) + "/", expired: o.Expired}
	if s.expired == nil {
		s.expired = func() func(ledger.Skip) bool { return nil }
	}
	return s
}

// hashOf is a hash of all files.
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

// view says how one kind of page is made, and in which formats.
type view struct {
	// parameters says what the address may hold, beside what every page takes.
	parameters func(*visit) parameters
	page       func(*visit) (pages.Page, error)
	json       func(*visit) (answer, error)
	csv        func(*visit) (answer, error) // nil: what json has, see [inCSV]
	// raw serves the text alone, if the address asks for that; nil if the page has no such
	// text.
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

// immutable lets a browser keep a file that never changes under its address.
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

// version answers the pages that ask whether the ledger has changed: nothing is read but
// a number.
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

// tag is the number of the ledger's state, as an entity tag.
func (s *site) tag(ctx context.Context) string {
	version, err := s.ledger.Version(ctx)
	if err != nil {
		version = "unknown" // the page says why
	}
	return `"` + version + `"`
}
