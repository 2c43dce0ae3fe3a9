package dashboard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// oneViolation is a ledger with one violation, and marks it by the rules.
type oneViolation struct {
	Questions
	mutex sync.Mutex
	v     ledger.ListedViolation
	// marked are the marks that were recorded.
	marked []ledger.MarkRequest
	fails  error
}

const (
	violationID = "01K8ZQ4Y6T7M2N3P4Q5R6S7T8V"
	worktreeDir = "/home/ada/shop"
)

func newOneViolation() *oneViolation {
	return &oneViolation{v: ledger.ListedViolation{
		Violation: ledger.Violation{
			ID: violationID, ShortID: "8f3kq2ab", Job: "review:.:quality", Slot: 1, Adapter: "claude", First: 1, Last: 1,
			Status: ledger.StatusNew, Priority: ledger.High, Issue: "No bounds check", Place: ledger.Place{File: "a.go", Start: 7},
			StatusAt: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC),
		},
		Run: "01K8ZQ4Y6T", RunOpen: true, RunStatus: ledger.StatusFailed, Worktree: worktreeDir,
	}}
}

// change gives the violation another status, as if somebody had marked it.
func (o *oneViolation) change(to ledger.Status) {
	o.v.Status, o.v.StatusAt = to, o.v.StatusAt.Add(time.Second)
}

func (o *oneViolation) mark(_ context.Context, request ledger.MarkRequest) (string, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.fails != nil {
		return "", o.fails
	}
	if err := request.Check([]ledger.ListedViolation{o.v}); err != nil {
		return "", err
	}
	was := o.v.Status
	o.marked = append(o.marked, request)
	o.change(request.Status)
	return fmt.Sprintf("%s: %s, was %s\nwarning: <b>it</b>\n", o.v.ShortID, request.Status, was), nil
}

func (o *oneViolation) Ask(context.Context) (Questions, func(), error) { return o, func() {}, nil }
func (o *oneViolation) Version(context.Context) (string, error)        { return "1", nil }
func (o *oneViolation) Schema() int                                    { return 1 }
func (o *oneViolation) CountOpen(context.Context) (int, error)         { return 1, nil }

func (o *oneViolation) History(_ context.Context, id string) (h ledger.History, err error) {
	if id != o.v.ShortID && id != o.v.ID {
		return h, ledger.ErrNotFound
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return ledger.History{Violation: o.v}, nil
}

func (o *oneViolation) RunDetail(context.Context, string) (*ledger.State, error) {
	return &ledger.State{Run: ledger.Run{ID: o.v.Run, Kind: ledger.KindGates, Status: ledger.StatusFailed, Worktree: worktreeDir}}, nil
}

func (o *oneViolation) Violations(context.Context, ledger.ViolationFilter) ([]ledger.ListedViolation, error) {
	return nil, nil
}

// marking is a dashboard with forms.
type marking struct {
	t      *testing.T
	server *Server
	ledger *oneViolation
}

func newMarking(t *testing.T, marks bool) *marking {
	t.Helper()
	m := &marking{t: t, ledger: newOneViolation()}
	o := Options{Addr: "127.0.0.1:0", Ledger: m.ledger, Now: time.Now}
	if marks {
		o.Marks = &Marks{Mark: m.ledger.mark, Worktree: worktreeDir}
	}
	server, err := Listen(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	m.server = server
	return m
}

const pageOfViolation = "/violations/8f3kq2ab"

// request returns a request as a page of the dashboard makes it.
func (m *marking) request(method, path string, form url.Values) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
	r.Host = "127.0.0.1:" + m.server.guard.port
	r.AddCookie(&http.Cookie{Name: m.server.guard.cookieName(), Value: m.server.guard.session})
	if method == http.MethodPost {
		r.Header.Set("Origin", "http://"+r.Host)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("Sec-Fetch-Mode", "navigate")
		r.Header.Set("Sec-Fetch-Dest", "document")
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return r
}

func (m *marking) respond(r *http.Request) (*http.Response, string) {
	m.t.Helper()
	response := respond(m.server.server.Handler, r)
	body, err := io.ReadAll(response.Body)
	if err != nil {
		m.t.Fatal(err)
	}
	return response, string(body)
}

var hiddenFields = regexp.MustCompile(`<input type="hidden" name="(\w+)" value="([^"]*)">`)

// open returns the form of the page, with a mark that it can send.
func (m *marking) open() url.Values {
	m.t.Helper()
	_, page := m.respond(m.request(http.MethodGet, pageOfViolation, nil))
	form := url.Values{"status": {"skipped"}, "result": {"meant so"}, "reason": {""}}
	for _, field := range hiddenFields.FindAllStringSubmatch(page, -1) {
		form.Set(field[1], field[2])
	}
	if form.Get("form") == "" || form.Get("version") == "" {
		m.t.Fatalf("the page has no form:\n%s", page)
	}
	return form
}

// Nothing but a form of a page of this server, from this server, in the browser that has the token, marks.
func TestWhatDoesNotMark(t *testing.T) {
	t.Parallel()
	header := func(name string, values ...string) func(*http.Request, url.Values) {
		return func(r *http.Request, _ url.Values) {
			r.Header.Del(name)
			for _, value := range values {
				r.Header.Add(name, value)
			}
		}
	}
	field := func(name string, values ...string) func(*http.Request, url.Values) {
		return func(_ *http.Request, form url.Values) { form[name] = values }
	}
	for name, test := range map[string]struct {
		change func(*http.Request, url.Values)
		want   int
	}{
		"another site":                 {header("Origin", "https://evil.example"), 403},
		"another port":                 {header("Origin", "http://127.0.0.1:1"), 403},
		"another name of this machine": {header("Origin", "http://localhost:1"), 403},
		"another scheme":               {func(r *http.Request, _ url.Values) { r.Header.Set("Origin", "https://"+r.Host) }, 403},
		"a name that begins with ours": {func(r *http.Request, _ url.Values) { r.Header.Set("Origin", "http://"+r.Host+".evil.example") }, 403},
		"a page in a sandbox":          {header("Origin", "null"), 403},
		"no origin":                    {header("Origin"), 403},
		"two origins":                  {func(r *http.Request, _ url.Values) { r.Header.Add("Origin", "https://evil.example") }, 403},
		"sent from another site":       {header("Sec-Fetch-Site", "cross-site"), 403},
		"sent from another port":       {header("Sec-Fetch-Site", "same-site"), 403},
		"sent from the address bar":    {header("Sec-Fetch-Site", "none"), 403},
		"sent from somewhere new":      {header("Sec-Fetch-Site", "unheard-of"), 403},
		"another name (rebinding)": {func(r *http.Request, _ url.Values) {
			r.Host = "evil.example:" + r.URL.Port()
			r.Header.Set("Origin", "http://"+r.Host)
		}, 403},
		"another port of ours": {func(r *http.Request, _ url.Values) {
			r.Host = "127.0.0.1:1"
			r.Header.Set("Origin", "http://"+r.Host)
		}, 403},
		"no cookie":               {header("Cookie"), 403},
		"the cookie of another":   {header("Cookie", "reviewledger-1=x"), 403},
		"no form token":           {field("form"), 403},
		"an empty form token":     {field("form", ""), 403},
		"a wrong form token":      {field("form", secret()), 403},
		"two form tokens":         {func(_ *http.Request, form url.Values) { form.Add("form", "x") }, 400},
		"JSON":                    {header("Content-Type", "application/json"), 415},
		"plain text":              {header("Content-Type", "text/plain"), 415}, // which other sites can send without asking
		"a form with files":       {header("Content-Type", "multipart/form-data; boundary=x"), 415},
		"no type":                 {header("Content-Type"), 415},
		"a huge body":             {field("result", strings.Repeat("x", mostOfForm)), 413},
		"no status":               {field("status"), 400},
		"an unknown status":       {field("status", "verified"), 400},
		"a join":                  {field("status", "duplicate"), 400},
		"an unknown reason":       {field("reason", "because"), 400},
		"an unknown field":        {field("as", "reviewer"), 400},
		"a status twice":          {field("status", "skipped", "fixed"), 400},
		"no version":              {field("version"), 400},
		"an empty version":        {field("version", ""), 400},
		"words that are no text":  {field("result", "\xff"), 400},
		"words with a NUL":        {field("result", "a\x00b"), 400},
		"the version of a guess":  {field("version", "new 1 2026-03-01T09:00:01Z"), 409},
		"blanks instead of words": {field("result", " \r\n"), 409},
		"another violation":       {func(r *http.Request, _ url.Values) { r.URL.Path = "/violations/zzzz9999" }, 404},
		"the place of one":        {func(r *http.Request, _ url.Values) { r.URL.Path = "/violations/a.go:7" }, 404},
		"the list":                {func(r *http.Request, _ url.Values) { r.URL.Path = "/violations" }, 405},
		"another method":          {func(r *http.Request, _ url.Values) { r.Method = http.MethodPut }, 405},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMarking(t, true)
			form := m.open()
			r := m.request(http.MethodPost, pageOfViolation, nil)
			r.URL.Host = r.Host
			test.change(r, form)
			r.Body = io.NopCloser(strings.NewReader(form.Encode()))
			response, body := m.respond(r)
			if response.StatusCode != test.want {
				t.Errorf("%d, not %d:\n%.300s", response.StatusCode, test.want, body)
			}
			if len(m.ledger.marked) > 0 || response.Header.Get("Location") != "" {
				t.Errorf("it marks: %v", m.ledger.marked)
			}
		})
	}
}

// A form marks as a person, and the page that follows says what was recorded.
func TestFormsMark(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*http.Request){
		"a browser":            func(*http.Request) {},
		"one that says little": func(r *http.Request) { r.Header.Del("Sec-Fetch-Site") },
		"a type with a character set": func(r *http.Request) {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8")
		},
		"another name of this machine": func(r *http.Request) {
			r.Host = strings.Replace(r.Host, "127.0.0.1", "localhost", 1)
			r.Header.Set("Origin", "http://"+r.Host)
		},
	} {
		m := newMarking(t, true)
		form := m.open()
		form.Set("result", " meant <b>so</b>,\r\nand documented\r\n")
		form.Set("reason", "accepted_risk")
		r := m.request(http.MethodPost, pageOfViolation, form)
		change(r)
		response, body := m.respond(r)
		to, err := url.Parse(response.Header.Get("Location"))
		if err != nil || response.StatusCode != http.StatusSeeOther || to.Path != pageOfViolation || to.Host != "" {
			t.Fatalf("%s: %d to %q, %v\n%s", name, response.StatusCode, to, err, body)
		}
		want := ledger.MarkRequest{
			IDs: []string{violationID}, Version: form.Get("version"),
			Mark: ledger.Mark{Status: ledger.StatusSkipped, Result: "meant <b>so</b>,\nand documented", Reason: ledger.AcceptedRisk, Actor: ledger.ActorHuman},
		}
		if got := fmt.Sprintf("%+v", m.ledger.marked); got != fmt.Sprintf("%+v", []ledger.MarkRequest{want}) {
			t.Errorf("%s: %s", name, got)
		}
		_, page := m.respond(m.request(http.MethodGet, to.String(), nil))
		for _, says := range []string{"<h2>Marked</h2>", "8f3kq2ab: skipped, was new", "warning: &lt;b&gt;it&lt;/b&gt;", `value="new">Open it again`} {
			if !strings.Contains(page, says) {
				t.Errorf("%s: the page does not say %q", name, says)
			}
		}
		// Nobody else can make a page say so.
		if _, page := m.respond(m.request(http.MethodGet, pageOfViolation+"?recorded="+secret(), nil)); strings.Contains(page, "<h2>Marked</h2>") {
			t.Errorf("%s: a page without a mark says that there was one", name)
		}
	}
}

// A form that is sent again, one of another tab, and one of a page that is no longer true record nothing. The
// page shows what is true now, and keeps the words, as words.
func TestFormsOfStalePages(t *testing.T) {
	t.Parallel()
	const words = "</textarea><script>alert(1)</script>\u202e"
	for name, test := range map[string]struct {
		meanwhile func(m *marking, first url.Values)
		says      []string
	}{
		"sent twice":         {func(m *marking, first url.Values) { m.respond(m.request(http.MethodPost, pageOfViolation, first)) }, []string{"is skipped now", `>Open it again<`}},
		"two tabs":           {func(m *marking, _ url.Values) { m.respond(m.request(http.MethodPost, pageOfViolation, m.open())) }, []string{"is skipped now", `>Open it again<`}},
		"verified meanwhile": {func(m *marking, _ url.Values) { m.ledger.change(ledger.StatusVerified) }, []string{"is verified now", "<b>Your words</b>"}},
		"reported again":     {func(m *marking, _ url.Values) { m.ledger.v.Last = 2 }, []string{"is new now", `>Skip it<`, `<option value="style" selected>`}},
		"a run is going": {func(m *marking, _ url.Values) { m.ledger.fails = errors.New("a run is <in> progress") },
			[]string{"<p>a run is &lt;in&gt; progress</p>", `>Skip it<`, `<option value="style" selected>`}},
	} {
		m := newMarking(t, true)
		form := m.open()
		form.Set("result", words)
		form.Set("reason", "style")
		test.meanwhile(m, form)
		before := len(m.ledger.marked)
		response, page := m.respond(m.request(http.MethodPost, pageOfViolation, form))
		if response.StatusCode != http.StatusConflict || len(m.ledger.marked) != before {
			t.Errorf("%s: %d, and marks %d times", name, response.StatusCode, len(m.ledger.marked)-before)
		}
		for _, says := range append(test.says, "<h2>Not marked</h2>", "<title>Not marked: No bounds check", `&lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt;\u202e`) {
			if !strings.Contains(page, says) {
				t.Errorf("%s: the page does not say %q:\n%s", name, says, page)
			}
		}
		if strings.Contains(page, "<script>alert") {
			t.Errorf("%s: words become markup", name)
		}
		if fields := hiddenFields.FindAllStringSubmatch(page, -1); len(fields) > 0 && fields[1][2] != m.ledger.v.Version() {
			t.Errorf("%s: the form is about %q", name, fields)
		}
	}
}

// Marks wait for each other, and of many forms of the same page one is recorded.
func TestOneOfManyFormsMarks(t *testing.T) {
	t.Parallel()
	m := newMarking(t, true)
	form := m.open()
	var sending sync.WaitGroup
	statuses := make([]int, 8)
	for i := range statuses {
		r := m.request(http.MethodPost, pageOfViolation, form)
		sending.Go(func() { statuses[i] = respond(m.server.server.Handler, r).StatusCode })
	}
	sending.Wait()
	if n := bytes.Count(fmt.Append(nil, statuses), []byte("303")); n != 1 || len(m.ledger.marked) != 1 {
		t.Errorf("%v, and %d marks", statuses, len(m.ledger.marked))
	}
}

// A mark that has begun is recorded, although the browser is gone.
func TestMarkWithoutItsBrowser(t *testing.T) {
	t.Parallel()
	m := newMarking(t, true)
	form := m.open()
	ctx, cancel := context.WithCancel(t.Context())
	m.server.marks.Mark = func(ctx context.Context, request ledger.MarkRequest) (string, error) {
		cancel()
		return "", ctx.Err()
	}
	response, body := m.respond(m.request(http.MethodPost, pageOfViolation, form).WithContext(ctx))
	if response.StatusCode != http.StatusSeeOther {
		t.Errorf("%d\n%s", response.StatusCode, body)
	}
}

// Without marks, no route takes anything but GET and HEAD, and no page has a form that sends more. With
// them, that is so of all but the page of a violation.
func TestNoRouteWrites(t *testing.T) {
	t.Parallel()
	routes := []string{"/", "/runs", "/runs/01K8ZQ4Y6T", "/violations", "/reviewers", "/files", "/skips", "/compare", "/log/x", "/checks", "/verdicts", "/v", "/a/x/app.js", "/marks", "/nothing"}
	for _, marks := range []bool{false, true} {
		m := newMarking(t, marks)
		paths := routes
		if !marks {
			paths = append(paths, pageOfViolation)
		}
		for _, path := range paths {
			for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, "MARK"} {
				r := m.request(http.MethodPost, path, url.Values{"status": {"skipped"}})
				r.Method = method
				if response, _ := m.respond(r); response.StatusCode != http.StatusMethodNotAllowed || response.Header.Get("Allow") != "GET, HEAD" {
					t.Errorf("with marks %t: %s %s: %d, Allow %q", marks, method, path, response.StatusCode, response.Header.Get("Allow"))
				}
			}
		}
		response, page := m.respond(m.request(http.MethodGet, pageOfViolation, nil))
		if strings.Contains(page, `method="post"`) != marks || strings.Contains(page, "reviewledger mark 8f3kq2ab skipped") == marks {
			t.Errorf("with marks %t, the page is\n%s", marks, page)
		}
		// Without a referrer a browser does not say where a form is from.
		if got, want := response.Header.Get("Referrer-Policy"), map[bool]string{false: "no-referrer", true: "same-origin"}[marks]; got != want {
			t.Errorf("with marks %t, the policy is %q", marks, got)
		}
		if status, _ := m.respond(m.request(http.MethodGet, pageOfViolation+"?recorded=x", nil)); (status.StatusCode == http.StatusOK) != marks {
			t.Errorf("with marks %t, the parameter of a mark is answered with %d", marks, status.StatusCode)
		}
	}
}
