package dashboard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/export/dashboard/pages"
	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// visit is one request for a page.
type visit struct {
	ctx     context.Context
	request *http.Request
	now     time.Time
	ledger  Questions
	memory  *memory
	// given has the parsed parameters of the URL.
	given parameters
	mutex sync.Mutex // guards broken: some queries run in parallel
	// open returns the number of open violations, for the frame of a page. They are counted in
	// parallel with its other queries. It is nil until the counting has started.
	open func() *int
	// broken is the error of a ledger that cannot be read. No further queries are made after it,
	// because each would wait for the ledger.
	broken error
	format string
	// marks is nil if the pages only read. form is set if the page answers a form whose mark was not
	// recorded.
	marks *marks
	form  *pages.MarkForm
	// version is the tag of the state of the ledger that the page shows, or of an earlier one, in
	// which case the page reloads.
	version string
}

// parameters are the URL parameters of one kind of page.
type parameters interface {
	Add(flags *pflag.FlagSet)
}

// noParameters is for pages without parameters of their own.
type noParameters struct{}

func (noParameters) Add(*pflag.FlagSet) {}

// answer writes the rows of a page in a format for programs.
type answer func(w io.Writer) error

func inJSON(value any) answer {
	return func(w io.Writer) error { return text.WriteJSON(w, value, "  ") }
}

// Formats for programs.
const (
	formatJSON = "json"
	formatCSV  = "csv"
)

// patience is the time limit for all queries of a page.
const patience = 30 * time.Second

// slow is how long a failing query may take before the ledger counts as broken.
const slow = time.Second

// serve returns the handler for one kind of page.
func (s *site) serve(kind view) http.Handler {
	if kind.parameters == nil {
		kind.parameters = func(*visit) parameters { return noParameters{} }
	}
	if kind.csv == nil {
		kind.csv = inCSV(kind.json)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), patience)
		defer cancel()
		v, done := s.visit(r.WithContext(ctx))
		defer done()
		if err := v.read(kind); err != nil {
			s.fail(w, v, err)
			return
		}
		switch v.format {
		case formatJSON:
			s.answer(w, v, "application/json; charset=utf-8", kind.json)
		case formatCSV:
			s.answer(w, v, "text/csv; charset=utf-8", kind.csv)
		default:
			s.show(w, v, kind)
		}
	})
}

// visit returns the visit of a request, with the ledger as it is now until done is called.
func (s *site) visit(r *http.Request) (v *visit, done func()) {
	ctx := r.Context()
	v = &visit{ctx: ctx, request: r, now: s.now(), version: s.tag(ctx), memory: &s.memory, marks: s.marks}
	v.ledger, done, v.broken = s.ledger.Ask(ctx)
	if v.broken != nil {
		done = func() {}
	}
	return v, done
}

// read parses the parameters of the URL.
func (v *visit) read(kind view) error {
	query, err := url.ParseQuery(v.request.URL.RawQuery)
	if err != nil {
		return filters.Errorf("the address cannot be read: %v", err)
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	v.given = kind.parameters(v)
	v.given.Add(flags)
	formats := []string{formatJSON, formatCSV}
	flags.StringVar(&v.format, "format", "", "")
	if err := filters.Parse(flags, query); err != nil {
		return err
	}
	if v.format != "" && !slices.Contains(formats, v.format) {
		return filters.Errorf("invalid %s %q: use %s", filters.Flag("format"), v.format, strings.Join(formats, " or "))
	}
	return v.known()
}

// known rejects names that do not occur in the ledger.
func (v *visit) known() error {
	given, names := v.given.(interface {
		CheckKnown(context.Context, filters.Namer, filters.Elsewhere) error
	})
	if !names || v.whyBroken() != nil {
		return nil
	}
	return given.CheckKnown(v.ctx, v.ledger, filters.Elsewhere{})
}

// ask makes a query for a part of a page. An error is shown in that part.
func ask[T any](v *visit, question func() (T, error)) pages.Panel[T] {
	value, err := try(v, question)
	if err != nil {
		return pages.Panel[T]{Problem: err.Error()}
	}
	return pages.Panel[T]{Value: value}
}

// try makes a query that the page cannot do without.
func try[T any](v *visit, question func() (T, error)) (value T, err error) {
	if broken := v.whyBroken(); broken != nil {
		return value, broken
	}
	begun := time.Now()
	value, err = question()
	if err != nil && (v.ctx.Err() != nil || time.Since(begun) > slow) {
		v.mutex.Lock()
		v.broken = err
		v.mutex.Unlock()
	}
	return value, err
}

// whyBroken returns why no further queries are made, or nil.
func (v *visit) whyBroken() error {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.broken
}

// show writes a page, or only its text if the URL asks for that.
func (s *site) show(w http.ResponseWriter, v *visit, kind view) {
	if kind.raw != nil {
		if write, err := kind.raw(v); err != nil {
			s.fail(w, v, err)
			return
		} else if write != nil {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			_ = write(w) // if the client is gone, nothing is left to do
			return
		}
	}
	s.showAs(w, v, http.StatusOK, kind.page)
}

// showAs writes a page with the status, or why there is none.
func (s *site) showAs(w http.ResponseWriter, v *visit, status int, make func(*visit) (pages.Page, error)) {
	v.countOpen()
	defer v.open() // no query may still run when the ledger is given back
	page, err := make(v)
	if err != nil {
		s.fail(w, v, err)
		return
	}
	s.render(w, v, status, page)
}

// countOpen starts to count the open violations. If that fails, the page does not show their
// number.
func (v *visit) countOpen() {
	var open *int
	var counting sync.WaitGroup
	counting.Go(func() {
		if n, err := try(v, func() (int, error) { return v.ledger.CountOpen(v.ctx) }); err == nil {
			open = &n
		}
	})
	v.open = func() *int {
		counting.Wait()
		return open
	}
}

func (s *site) render(w http.ResponseWriter, v *visit, status int, page pages.Page) {
	f := pages.Frame{Ledger: s.name, Now: v.now, Assets: s.assets, Version: v.version, Marks: s.marks != nil}
	if v.whyBroken() == nil {
		f.Schema, f.Pulled = v.ledger.Schema(), s.pulled()
		if v.open == nil {
			v.countOpen()
		}
		f.Open = v.open()
	}
	var document bytes.Buffer
	if err := pages.Render(&document, f, page); err != nil {
		http.Error(w, "The page cannot be made: "+text.Escape(err.Error()), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = document.WriteTo(w) // if the client is gone, nothing is left to do
}

// answer writes rows for a program. An error after the first bytes closes the connection, so that a
// part is not mistaken for the whole.
func (s *site) answer(w http.ResponseWriter, v *visit, contentType string, make func(*visit) (answer, error)) {
	write, err := make(v)
	if err != nil {
		s.fail(w, v, err)
		return
	}
	out := &counted{Writer: w}
	w.Header().Set("Content-Type", contentType)
	err = write(out)
	switch {
	case err == nil:
	case out.n == 0:
		s.fail(w, v, err)
	default:
		panic(http.ErrAbortHandler)
	}
}

type counted struct {
	io.Writer
	n int
}

func (c *counted) Write(data []byte) (int, error) {
	n, err := c.Writer.Write(data)
	c.n += n
	return n, err
}

// notFound is the error for a page that does not exist.
type notFound struct {
	error
	suggestions []pages.Suggestion
}

// elsewhere redirects to the page that has what was requested.
type elsewhere struct{ path string }

func (e *elsewhere) Error() string { return "see " + e.path }

// fail answers a request for which there is no page.
func (s *site) fail(w http.ResponseWriter, v *visit, err error) {
	if other := (*elsewhere)(nil); errors.As(err, &other) {
		w.Header().Set("Location", other.path)
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	failure := explain(err)
	if v.format != "" {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(failure.Status)
		_ = text.WriteJSON(w, struct {
			Error string `json:"error"`
		}{failure.Message}, "  ")
		return
	}
	s.render(w, v, failure.Status, failure)
}

// explain returns the page for an error.
func explain(err error) pages.Failure {
	f := pages.Failure{Status: http.StatusInternalServerError, Message: err.Error()}
	refused, missing := (*filters.Error)(nil), (*notFound)(nil)
	switch {
	case errors.As(err, &refused):
		f.Status, f.Message = http.StatusBadRequest, refused.Say("")
	case errors.As(err, &missing):
		f.Status, f.Suggestions = http.StatusNotFound, missing.suggestions
	case errors.Is(err, ledger.ErrAmbiguous), errors.Is(err, ledger.ErrNotFound), errors.Is(err, ledger.ErrCursor):
		f.Status = http.StatusBadRequest // in a parameter; for an ID in the path it is a notFound
	}
	return f
}

// unknown answers requests for unknown paths.
func (s *site) unknown(w http.ResponseWriter, r *http.Request) {
	err := missing(fmt.Errorf("there is no page at %q", text.EscapeLine(r.URL.Path)))
	s.serve(view{
		page: func(*visit) (pages.Page, error) { return nil, err },
		json: func(*visit) (answer, error) { return nil, err },
	}).ServeHTTP(w, r)
}

// missing turns an error about an unknown ID in the path into a notFound.
func missing(err error, suggestions ...pages.Suggestion) error {
	return &notFound{err, suggestions}
}
