package dashboard

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/export/dashboard/pages"
	"github.com/reviewledger/reviewledger/ledger"
)

// Marks marks violations for the forms of their pages.
type Marks struct {
	// Mark records a mark and returns what it recorded, in lines.
	Mark func(context.Context, ledger.MarkRequest) (recorded string, err error)
	// Worktree is where it marks.
	Worktree string
}

// marks answers the forms of the pages, which is the only thing that writes.
type marks struct {
	Marks
	// token is in every form. A page of another site cannot read it, whatever it makes the browser send.
	token string
	// marking makes marks wait for each other: two at a time would find each other's lock.
	marking sync.Mutex

	mutex sync.Mutex
	// recorded has what the latest marks recorded, for the page that follows.
	recorded []recorded
}

// recorded is what a mark recorded. Its key is in the address of the page that says so.
type recorded struct{ key, text string }

// Limits of what is kept and read.
const (
	mostRecorded = 32
	mostOfForm   = 64 << 10
)

func newMarks(m *Marks) *marks {
	if m == nil {
		return nil
	}
	return &marks{Marks: *m, token: secret()}
}

// note keeps what was recorded, and returns its key.
func (m *marks) note(text string) (key string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	key = secret()
	m.recorded = append(m.recorded, recorded{key, text})
	m.recorded = m.recorded[max(0, len(m.recorded)-mostRecorded):]
	return key
}

// noted returns what was recorded, or "" if that is no longer known.
func (m *marks) noted(key string) string {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, r := range m.recorded {
		if equalSecrets(key, r.key) {
			return r.text
		}
	}
	return ""
}

// end waits for the mark that is being recorded, and lets no other begin.
func (m *marks) end() {
	if m != nil {
		m.marking.Lock()
	}
}

// isOwnForm reports whether a page of this server sends the request. All browsers say which page a form
// is on; what does not say it is not one of them.
func isOwnForm(r *http.Request) bool {
	site := r.Header.Values("Sec-Fetch-Site")
	return slices.Equal(r.Header.Values("Origin"), []string{"http://" + r.Host}) &&
		(len(site) == 0 || slices.Equal(site, []string{"same-origin"}))
}

// forms returns the handler for what forms send. The guard has admitted the requests.
func (s *site) forms() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /violations/{id}", s.mark)
	mux.HandleFunc("/", onlyReads)
	return mux
}

// sent is what a form says.
type sent struct {
	version string
	ledger.Mark
}

// refusal is why a request that no form of ours sends is not answered with a page.
type refusal struct {
	status int
	why    string
}

func (r *refusal) Error() string { return r.why }

// readForm reads what the form says. What a form of a page cannot send is a [refusal].
func (m *marks) readForm(w http.ResponseWriter, r *http.Request) (s sent, err error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/x-www-form-urlencoded" {
		return s, &refusal{http.StatusUnsupportedMediaType, "A mark must be sent by a form of the dashboard."}
	}
	r.Body = http.MaxBytesReader(w, r.Body, mostOfForm)
	err = r.ParseForm()
	switch values := r.PostForm; {
	case errors.As(err, new(*http.MaxBytesError)):
		return s, &refusal{http.StatusRequestEntityTooLarge, "The words are too long: say it in less than 64 kB."}
	case err != nil:
		return s, &refusal{http.StatusBadRequest, "The form cannot be read: open the page of the violation again."}
	case !equalSecrets(values.Get("form"), m.token):
		return s, &refusal{http.StatusForbidden, "The form is not of this dashboard, or of one that has ended: open the page of the violation again."}
	}
	for name, values := range r.PostForm {
		if len(values) != 1 || !utf8.ValidString(values[0]) || strings.ContainsRune(values[0], 0) {
			return s, &refusal{http.StatusBadRequest, "The form has a field that is not a text, or is given twice: open the page of the violation again."}
		}
		switch value := values[0]; name {
		case "form":
		case "version":
			s.version = value
		case "status":
			s.Status = ledger.Status(value)
		case "reason":
			s.Reason = ledger.SkipReason(value)
		case "result":
			s.Result = strings.TrimSpace(strings.ReplaceAll(value, "\r\n", "\n"))
		default:
			return s, &refusal{http.StatusBadRequest, "The form has a field that is not known: open the page of the violation again."}
		}
	}
	s.Actor = ledger.ActorHuman
	switch {
	case !slices.Contains(ledger.OwnMarks(), s.Status):
		err = &refusal{http.StatusBadRequest, "The form does not say " + ledger.OneOf(ledger.OwnMarks()) + "."}
	case s.Reason != "" && !slices.Contains(ledger.SkipReasons(), s.Reason):
		err = &refusal{http.StatusBadRequest, "The form gives a reason that is not known."}
	case s.version == "":
		err = &refusal{http.StatusBadRequest, "The form does not say what was marked: open the page of the violation again."}
	}
	return s, err
}

// mark records what a form says, and shows the page of the violation again: with what was recorded or, if
// nothing was, with the reason, the words, and the violation as it is now.
func (s *site) mark(w http.ResponseWriter, r *http.Request) {
	form, err := s.marks.readForm(w, r)
	if refused := (*refusal)(nil); errors.As(err, &refused) {
		refuse(w, refused.status, refused.why)
		return
	}
	// What has begun is finished, although the browser may be gone.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), patience)
	defer cancel()
	r = r.WithContext(ctx)
	id, err := s.idOfPath(r)
	var text string
	if err == nil {
		s.marks.marking.Lock()
		text, err = s.marks.Mark(ctx, ledger.MarkRequest{IDs: []string{id}, Version: form.version, Mark: form.Mark})
		s.marks.marking.Unlock()
	}
	if err == nil {
		query := url.Values{"recorded": {s.marks.note(text)}}
		w.Header().Set("Location", (&url.URL{Path: r.URL.Path, RawQuery: query.Encode()}).String())
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	v, done := s.visit(r)
	defer done()
	v.form = &pages.MarkForm{Refused: err.Error(), Words: form.Result, Reason: form.Reason}
	s.showAs(w, v, http.StatusConflict, (*visit).violation)
}

// idOfPath returns the whole ID of the violation that the path names: an argument of a mark may also be a
// place, but the page of a violation is about this one.
func (s *site) idOfPath(r *http.Request) (string, error) {
	v, done := s.visit(r)
	defer done()
	h, err := v.historyOfPath()
	return h.Violation.ID, err
}

// markForm returns the form for the page of a violation, or nil if the pages only read.
func (v *visit) markForm() *pages.MarkForm {
	if v.marks == nil {
		return nil
	}
	form := v.form
	if form == nil {
		form = &pages.MarkForm{}
	}
	if given, ok := v.given.(*violationAddress); ok && given.recorded != "" {
		form.Recorded = v.marks.noted(given.recorded)
	}
	form.Token, form.Worktree = v.marks.token, v.marks.Worktree
	return form
}
