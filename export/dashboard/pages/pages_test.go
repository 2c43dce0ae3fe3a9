package pages

import (
	"bytes"
	"compress/gzip"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

func rendered(t *testing.T, p Page) string {
	t.Helper()
	var out bytes.Buffer
	if err := Render(&out, frame(), p); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// allPages returns the examples, the pages of an empty ledger, and pages whose queries failed.
func allPages() map[string]Page {
	all := examples()
	for name, p := range emptyExamples() {
		all["empty "+name] = p
	}
	for name, p := range examples() {
		all["failed "+name] = withProblem(p, "the database is locked")
	}
	return all
}

// withProblem returns a page on which all queries failed, or none if problem is empty.
func withProblem(p Page, problem string) Page {
	return changed(p, func(v reflect.Value) {
		if v.Kind() == reflect.Struct && strings.HasPrefix(v.Type().Name(), "Panel[") {
			v.FieldByName("Problem").SetString(problem)
		}
	})
}

// withText returns a page with this text in every string field.
func withText(p Page, text string) Page {
	return withProblem(changed(p, func(v reflect.Value) {
		if v.Kind() == reflect.String && v.Type() == reflect.TypeFor[string]() {
			v.SetString(text)
		}
	}), "")
}

// changed returns a copy of a page, with every value changed by a function. Examples are created
// for each call, so the targets of pointers are not shared.
func changed(p Page, change func(reflect.Value)) Page {
	v := reflect.New(reflect.TypeOf(p)).Elem()
	v.Set(reflect.ValueOf(p))
	walk(v, change)
	return v.Interface().(Page)
}

func walk(v reflect.Value, change func(reflect.Value)) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		return
	}
	if v.CanSet() && (v.Kind() == reflect.String || v.Kind() == reflect.Struct) {
		change(v)
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			walk(v.Field(i), change)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), change)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			walk(v.Elem(), change)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			value := reflect.New(v.Type().Elem()).Elem()
			value.Set(v.MapIndex(key))
			walk(value, change)
			v.SetMapIndex(key, value)
		}
	}
}

func TestPagesAreWellFormedAndLinkOnlyWithinTheServer(t *testing.T) {
	t.Parallel()
	for name, p := range allPages() {
		document := rendered(t, p)
		for _, e := range parse(t, document) {
			for key, value := range e.attrs {
				switch {
				case key == "style" || strings.HasPrefix(key, "on"):
					t.Errorf("%s: <%s %s> is not allowed by the page's policy", name, e.name, key)
				case (key == "href" || key == "src" || key == "action") && !strings.HasPrefix(value, "#") && (!strings.HasPrefix(value, "/") || strings.HasPrefix(value, "//")):
					t.Errorf("%s: <%s %s=%q> leaves the server", name, e.name, key, value)
				}
			}
			if e.name == "a" && (e.text == "0" || e.text == unknown) {
				t.Errorf("%s: %q is a link", name, e.text)
			}
			if e.name == "style" || e.name == "img" || e.name == "iframe" {
				t.Errorf("%s has a <%s>", name, e.name)
			}
		}
		for _, bad := range []string{" style=", "ZgotmplZ", "<no value>", "%!", "NaN", "—"} {
			if strings.Contains(document, bad) {
				t.Errorf("%s has %q", name, bad)
			}
		}
		if strings.HasPrefix(name, "failed ") && name != "failed failure" && !strings.Contains(document, "the database is locked") {
			t.Errorf("%s does not say why", name)
		}
	}
}

// hostile is text that must not reach a browser: markup, control characters, and characters that
// reverse the reading order.
const hostile = "\"'><script>alert(1)</script><img src=x onerror=alert(1)> javascript:x\x1b[31m\u202e\u2066\u0085\xff --run {{.}} ${x} `x`\n"

func TestHostileTextIsOnlyText(t *testing.T) {
	t.Parallel()
	elements := map[string]bool{}
	attributes := map[string]bool{}
	for _, p := range examples() {
		for _, e := range parse(t, rendered(t, p)) {
			elements[e.name] = true
			for key := range e.attrs {
				attributes[e.name+" "+key] = true
			}
		}
	}
	pages := map[string]Page{}
	for name, p := range examples() {
		pages[name] = withText(p, hostile)
	}
	for name, p := range examples() {
		pages["failed "+name] = withProblem(p, hostile)
	}
	delete(pages, "failed failure") // it makes no queries
	for name, p := range pages {
		document := rendered(t, p)
		for _, e := range parse(t, document) {
			if !elements[e.name] {
				t.Errorf("%s has an element <%s>", name, e.name)
			}
			for key := range e.attrs {
				if !attributes[e.name+" "+key] && e.name != "a" {
					t.Errorf("%s has an attribute <%s %s>", name, e.name, key)
				}
			}
		}
		if !utf8.ValidString(document) || strings.ContainsAny(document, "\x1b\u202e\u2066\u0085") {
			t.Errorf("%s has characters that act on who reads it", name)
		}
		if !strings.Contains(document, "&lt;script&gt;") || !strings.Contains(document, `\u202e`) || !strings.Contains(document, `\x1b`) {
			t.Errorf("%s does not show the text", name)
		}
	}
}

// many fills the lists of a page completely, with long texts.
func many(p Page) Page {
	const rows = 50
	repeat := func(v reflect.Value) {
		if v.Kind() != reflect.Struct {
			return
		}
		for i := range v.NumField() {
			f := v.Field(i)
			if f.Kind() != reflect.Slice || f.Len() == 0 || !f.CanSet() {
				continue
			}
			limit := rows
			switch f.Interface().(type) {
			case []figures.File, []figures.Verdict:
				limit = 200
			case []figures.Week:
				f.Set(reflect.ValueOf(exampleWeeks(600)))
				continue
			case []int, []ledger.Status, []ledger.Disposition, []ledger.Facet, []RunFacet, []ledger.Priority, []ledger.RunStatus, []string, []OpenLoop, []figures.Recurrence:
				continue
			}
			for f.Len() < limit {
				f.Set(reflect.Append(f, f.Index(f.Len()%min(f.Len(), 13))))
			}
			if iterations, are := f.Interface().([]ledger.Iteration); are {
				for i := range iterations {
					iterations[i].Number = i + 1
				}
			}
		}
	}
	return changed(p, func(v reflect.Value) {
		repeat(v)
		if v.Kind() == reflect.Struct && v.Type() == reflect.TypeFor[ledger.Violation]() {
			v.FieldByName("Issue").SetString(strings.Repeat("The reservation is never released when the payment fails. ", 100))
		}
	})
}

func TestPagesHaveASize(t *testing.T) {
	t.Parallel()
	pages := examples()
	pages["log"] = Log{Run: exampleRun(), Ref: exampleLog().Ref, Kind: "prompt", Call: 1, Calls: 1, Text: Panel[string]{Value: strings.Repeat("a line of a log\n", 1_000_000)}}
	for name, p := range pages {
		document := rendered(t, many(p))
		parse(t, document)
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		if _, err := z.Write([]byte(document)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes, %d compressed", name, len(document), packed.Len())
		if len(document) > 150_000 || packed.Len() > 30_000 {
			t.Errorf("%s has %d bytes, %d compressed", name, len(document), packed.Len())
		}
		if marks := strings.Count(document, "<rect") + strings.Count(document, "<circle") + strings.Count(document, "<line"); marks > 2000 {
			t.Errorf("%s has %d marks", name, marks)
		}
	}
}

func TestEveryChartHasItsTable(t *testing.T) {
	t.Parallel()
	for _, p := range []Page{exampleOverview(), exampleVerdicts()} {
		for _, s := range p.content(frame(), links{}).Sections {
			for _, panel := range s.Panels {
				if (panel.Plot != nil || panel.Units != nil) && (panel.Twin == nil || len(panel.Twin.Rows) == 0) {
					t.Errorf("%T: %q has no table", p, panel.Title)
				}
			}
		}
	}
}

func TestOneWeekIsASentence(t *testing.T) {
	t.Parallel()
	p := exampleOverview()
	p.Weeks.Value.Weeks = exampleWeeks(12)[5:7] // the first one has no runs
	document := rendered(t, p)
	for _, want := range []string{"One week so far.", "60 opened (7 reopened)", "12 runs, 2 passed, 7 with warnings"} {
		if !strings.Contains(document, want) {
			t.Errorf("the overview does not say %q", want)
		}
	}
	p.Weeks.Value.Weeks = nil
	p.Next.Value = NextSteps{Recorded: 1}
	document = rendered(t, p)
	for _, want := range []string{"Nothing was opened or closed.", "No run began.", "No cost is known.", "Nothing is open. 1 run recorded, no loop is waiting."} {
		if !strings.Contains(document, want) {
			t.Errorf("the overview does not say %q", want)
		}
	}
}

func TestLongPeriodsSayWhatTheyLeaveOut(t *testing.T) {
	t.Parallel()
	p := exampleOverview()
	p.Weeks.Value.Weeks = exampleWeeks(200)
	if document := rendered(t, p); !strings.Contains(document, "The latest 26 of 200 weeks.") {
		t.Error("the overview hides weeks without a word")
	}
}

func TestNavigationMarksThePage(t *testing.T) {
	t.Parallel()
	for name, p := range examples() {
		current := 0
		for _, e := range parse(t, rendered(t, p)) {
			if e.attrs["aria-current"] == "page" {
				current++
			}
		}
		if want := map[bool]int{true: 0, false: 1}[name == "failure"]; current != want {
			t.Errorf("%s: %d entries of the navigation are marked, want %d", name, current, want)
		}
	}
}

func TestListsNameTheirCommand(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"runs": "reviewledger runs --status running", "violations": "reviewledger violations --status new --status reopened --status disputed --sort priority",
		"search": "reviewledger search &#39;token storage&#39;", "discarded": "reviewledger violations --discarded --disposition out_of_diff",
		"skips": "reviewledger violations --status skipped --gate security", "log": "reviewledger log " + runID + "/2/review:api:security@1",
		"violation": "reviewledger history cp8zn707", "run": "reviewledger why 01M6EJYQVX",
	} {
		if document := rendered(t, examples()[name]); !strings.Contains(document, "<code>"+want+"</code>") {
			t.Errorf("%s does not show `%s`", name, want)
		}
	}
}

func TestStaticFilesHoldTheirLimits(t *testing.T) {
	t.Parallel()
	script, err := staticFiles.ReadFile("static/app.js")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(script, []byte("\n")); n >= 150 {
		t.Errorf("app.js has %d lines", n)
	}
	for _, bad := range []string{"innerHTML", "eval(", ".style", "http:", "https:"} {
		if bytes.Contains(script, []byte(bad)) {
			t.Errorf("app.js has %q", bad)
		}
	}
	if got := slices.Sorted(maps.Keys(examples())); len(got) != 16 {
		t.Errorf("examples: %v", got)
	}
}
