package pages

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html"
	"strings"
	"testing"
)

func exampleReport() Report {
	return Report{exampleOverview(), exampleReviewers(), exampleFilesPage(), exampleViolationsPage()}
}

func TestReportNeedsNothingElse(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := RenderReport(&out, frame(), exampleReport()); err != nil {
		t.Fatal(err)
	}
	policy, style := "", ""
	for _, e := range parse(t, out.String()) {
		switch e.name {
		case "script", "link", "img", "form", "input", "iframe":
			t.Errorf("the report has a <%s>", e.name)
		case "style":
			style = e.text
		}
		if e.attrs["http-equiv"] == "Content-Security-Policy" {
			policy = html.UnescapeString(e.attrs["content"])
		}
		for key, value := range e.attrs {
			if (key == "href" || key == "src") && !strings.HasPrefix(value, "#") {
				t.Errorf("<%s %s=%q> points to a server", e.name, key, value)
			}
			if key == "style" || strings.HasPrefix(key, "on") {
				t.Errorf("<%s> has %s", e.name, key)
			}
		}
	}
	sum := sha256.Sum256([]byte(style))
	if want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.HasPrefix(policy, want) {
		t.Errorf("the policy is %q, want %q…", policy, want)
	}
	for _, want := range []string{"What to do next", "From what was said to what was confirmed", "Where violations are", "Open findings", "The token is kept in localStorage"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report does not have %q", want)
		}
	}
}

func TestReportOfNoRunDoesNotSayThatNothingIsOpen(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := RenderReport(&out, frame(), Report{Overview: Overview{Scope: exampleScope(), Empty: true}}); err != nil {
		t.Fatal(err)
	}
	if page := out.String(); !strings.Contains(page, "This ledger holds no run.") || strings.Contains(page, "Nothing is open") || strings.Contains(page, "Open findings") {
		t.Errorf("the report is %s", page)
	}
}

func TestReportShowsHostileTextAsText(t *testing.T) {
	t.Parallel()
	r := Report{
		Overview: withText(exampleOverview(), hostile).(Overview), Reviewers: withText(exampleReviewers(), hostile).(Reviewers),
		Files: withText(exampleFilesPage(), hostile).(Files), Violations: withText(exampleViolationsPage(), hostile).(Violations),
	}
	var out bytes.Buffer
	if err := RenderReport(&out, frame(), r); err != nil {
		t.Fatal(err)
	}
	for _, e := range parse(t, out.String()) {
		if e.name == "script" || e.name == "img" {
			t.Errorf("a reviewer's <%s> is in the report", e.name)
		}
	}
	if strings.ContainsAny(out.String(), "\x1b\u202e\u0085") {
		t.Error("the report has characters that act on who reads it")
	}
}
