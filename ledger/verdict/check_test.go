package verdict

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/reviewledger/reviewledger/ledger"
)

func fields(list ...any) string {
	texts := make([]string, len(list))
	for i, one := range list {
		texts[i] = fmt.Sprint(one)
	}
	return strings.Join(texts, "|")
}

func position(slot, report int) string { return fmt.Sprintf("%d.%d", slot, report) }

// Each field at its limits, and beyond them.
//
// Rule: A code review is apart from the loop.
func TestCheckFindingBounds(t *testing.T) {
	t.Parallel()
	set := map[string]func(*FindingEntry, string){
		"domain": func(f *FindingEntry, s string) { f.Domain = s }, "severity": func(f *FindingEntry, s string) { f.Severity = s },
		"file": func(f *FindingEntry, s string) { f.File = s }, "lineRange": func(f *FindingEntry, s string) { f.LineRange = s },
		"title": func(f *FindingEntry, s string) { f.Title = s }, "recommendation": func(f *FindingEntry, s string) { f.Recommendation = s },
		"status": func(f *FindingEntry, s string) { f.Status = s }, "id": func(f *FindingEntry, s string) { f.ID = s },
	}
	const id = "api-be976622-1-2"
	for _, test := range []struct{ field, good, bad string }{
		{"domain", "a", ""}, {"domain", strings.Repeat("x", 200), strings.Repeat("x", 201)}, {"domain", "ä b", "a\x7f"}, {"domain", "x", " \t"},
		{"severity", "Blocker", "blocker"}, {"severity", "Info", ""},
		{"file", "a", ""}, {"file", "..a/b", "../a"}, {"file", ".a", "."}, {"file", "a/..b", ".."}, {"file", "a b", "/a"}, {"file", "a/b", "a//b"},
		{"file", "a/b", "a/b/"}, {"file", "a/b", "./a"}, {"file", "a/b", `a\b`}, {"file", "a/b", "a/../b"}, {"file", "a/b", "a\x00b"},
		{"file", strings.Repeat("x", 4096), strings.Repeat("x", 4097)},
		{"lineRange", "", "0"}, {"lineRange", "7-7", "8-7"}, {"lineRange", "999999999", "1000000000"},
		{"title", strings.Repeat("é", 120), strings.Repeat("é", 121)}, {"title", "x", "  "},
		{"recommendation", "x", ""},
		{"status", "", "new"}, {"status", "wont_fix", "skipped"}, {"status", "verified", "Verified"},
		{"id", id, "api-be976622-1"}, {"id", id + "-2", id + "-1"}, {"id", id + "-10", id + "-02"}, {"id", id + "-2", id + "-2-2"},
		{"id", "", id + "-"}, {"id", id, "other-be976622-1-2"}, {"id", id, id + "2"}, {"id", id, id + "_2"}, {"id", id, "-2"}, {"id", id, "2"},
	} {
		f := FindingEntry{Domain: "api", Severity: "High", Confidence: 0.5, File: "src/app.txt", LineRange: "1-2", Title: "T", Recommendation: "R"}
		if set[test.field](&f, test.good); len(CheckFinding(0, f)) > 0 {
			t.Errorf("%s %.40q: %v", test.field, test.good, CheckFinding(0, f))
		}
		set[test.field](&f, test.bad)
		if problems := CheckFinding(7, f); len(problems) == 0 || problems[0].Field != test.field || problems[0].Index != 7 || len(problems[0].String()) > 500 {
			t.Errorf("%s %.40q: %v", test.field, test.bad, problems)
		}
	}
	for confidence, ok := range map[float64]bool{0.5: true, 1: true, 0.4999: false, 1.0001: false, math.Inf(1): false, -1: false} {
		f := FindingEntry{Domain: "api", Severity: "High", Confidence: confidence, File: "f", Title: "T", Recommendation: "R"}
		if got := len(CheckFinding(0, f)) == 0; got != ok {
			t.Errorf("confidence %v: %v", confidence, got)
		}
	}
}

// A restored verdict: its own fields, the ids of its findings, and what is required.
//
// Rule: A file settles no finding.
func TestCheckVerdict(t *testing.T) {
	t.Parallel()
	finding := func(file, id string) FindingEntry {
		return FindingEntry{ID: id, Domain: "api", Severity: "High", Confidence: 0.5, File: file, Title: "T", Recommendation: "R", Status: "open"}
	}
	good := func() Document {
		return Document{ReviewID: "0123abcd", Scope: "file", Mode: "quick", Verdict: "WARN", Findings: []FindingEntry{
			finding("f", FindingID("api", "f", "")), finding("f", FindingID("api", "f", "")+"-2"), finding("g", FindingID("api", "g", "")),
		}}
	}
	if problems := CheckDocument(good()); len(problems) > 0 {
		t.Errorf("a good verdict: %v", problems)
	}
	for name, test := range map[string]struct {
		change func(*Document)
		want   []string
	}{
		"review id, short":     {func(d *Document) { d.ReviewID = "0123abc" }, []string{"reviewId: "}},
		"review id, long":      {func(d *Document) { d.ReviewID = "0123abcde" }, []string{"reviewId: "}},
		"review id, capitals":  {func(d *Document) { d.ReviewID = "0123ABCD" }, []string{"reviewId: "}},
		"review id, a path":    {func(d *Document) { d.ReviewID = "../../ab" }, []string{"reviewId: "}},
		"scope":                {func(d *Document) { d.Scope = "Changeset" }, []string{"scope: "}},
		"mode":                 {func(d *Document) { d.Mode = "" }, []string{"mode: "}},
		"verdict":              {func(d *Document) { d.Verdict = "pass" }, []string{"verdict: "}},
		"the same id twice":    {func(d *Document) { d.Findings[1].ID = d.Findings[0].ID }, []string{"findings[1].id: "}},
		"no id":                {func(d *Document) { d.Findings[2].ID = "" }, []string{"findings[2]: id, status"}},
		"no ids":               {func(d *Document) { d.Findings[0].ID, d.Findings[2].ID = "", "" }, []string{"findings[0]: id, status", "findings[2]: id, status"}},
		"no status":            {func(d *Document) { d.Findings[1].Status = "" }, []string{"findings[1]: id, status"}},
		"no confidence":        {func(d *Document) { d.Findings[1].Confidence = math.NaN() }, []string{"findings[1].confidence: ", "findings[1]: id, status"}},
		"an id of another one": {func(d *Document) { d.Findings[2].ID = FindingID("api", "h", "") }, []string{"findings[2].id: "}},
		"a path that leaves":   {func(d *Document) { d.Findings[0] = finding("../f", FindingID("api", "../f", "")) }, []string{"findings[0].file: "}},
	} {
		d := good()
		test.change(&d)
		problems := CheckDocument(d)
		ok := len(problems) == len(test.want)
		for i := range problems {
			ok = ok && strings.HasPrefix(problems[i], test.want[i])
		}
		if !ok {
			t.Errorf("%s: %q, want %q", name, problems, test.want)
		}
	}
}

// Findings that were handed in are accepted as they are, with what is known about their lines.
func TestAsGiven(t *testing.T) {
	t.Parallel()
	entries := ReportedEntries(FindingEntry{Severity: "Blocker", Confidence: 0.7, SystemBreaking: true, Title: "t"}, ledger.Violation{})
	entries = append(entries, entries[0])
	facts := ledger.Facts{Entries: []ledger.EntryFacts{{Line: ledger.LineFact{Text: "one"}}, {Line: ledger.LineFact{Text: "two"}}}}
	e := AsGiven(entries, facts)
	var got []string
	for _, r := range e.Reports {
		got = append(got, fields(r.Priority, *r.Confidence, r.SystemBreaking, r.Disposition, r.Line.Text))
	}
	if diff := cmp.Diff([]string{"critical|0.7|true|accepted|one", "critical|0.7|true|accepted|two"}, got); diff != "" || e.Status != ledger.SlotFail {
		t.Errorf("%s (-want +got):\n%s", e.Status, diff)
	}
}

// A file is restored as one answer for each domain, numbered from 1. Only a Blocker of an ABORT
// breaks the system.
func TestRestore(t *testing.T) {
	t.Parallel()
	for word, breaks := range map[ledger.VerdictWord]bool{ledger.VerdictAbort: true, ledger.VerdictFail: false} {
		slots := Document{Verdict: string(word), Findings: []FindingEntry{
			{ID: "1", Domain: "b", Severity: "Blocker", Status: "fixed"}, {ID: "2", Domain: "a", Severity: "High", Status: "open"}, {ID: "3", Domain: "b", Severity: "Low", Status: "wont_fix"},
		}}.Reports("why")
		var got []string
		for _, slot := range slots {
			for _, r := range slot.Reports {
				got = append(got, fields(slot.Domain, r.Position, r.Match, r.Priority, r.Disposition, r.Reason, r.SystemBreaking))
			}
		}
		want := []string{fields("b|1|1|critical|accepted|why", breaks), "b|2|3|low|accepted|why|false", "a|1|2|high|accepted|why|false"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", word, diff)
		}
	}
}

// A path is one of a review document only if the review itself could have created it.
func TestIsReviewDocument(t *testing.T) {
	t.Parallel()
	const id = "0123abcd"
	for path, want := range map[string]bool{
		"docs/code-reviews/2026-02-16-changeset-0123abcd.md": true, "docs/code-reviews/2026-02-16-team-0123abcd.md": true,
		"docs/code-reviews/2026-02-16-changeset-0123abce.md": false, "docs/code-reviews/2026-02-16-other-0123abcd.md": false,
		"docs/code-reviews/26-02-16-file-0123abcd.md": false, "docs/code-reviews/../2026-02-16-file-0123abcd.md": false,
		"/docs/code-reviews/2026-02-16-file-0123abcd.md": false, "docs/code-reviews/2026-02-16-file-0123abcd.md\n": false,
		"docs/code-reviews/2026-02-16-file-0123abcd.mdx": false, "docs/code-reviews/2026-02-16-file-0123abcd-verify-1.md": false, "": false,
		"x/docs/code-reviews/2026-02-16-file-0123abcd.md": false,
	} {
		if got := IsReviewDocument(path, id); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
	const document = "docs/code-reviews/2026-02-16-file-0123abcd.md"
	if got := VerificationDocumentPath(document, 12); got != "docs/code-reviews/2026-02-16-file-0123abcd-verify-12.md" {
		t.Errorf("of the 12th verification: %q", got)
	}
}

// What a skill may hand in for a verification.
//
// Rule: The verdict counts what is open.
func TestReported(t *testing.T) {
	t.Parallel()
	finding := func(domain, status string) FindingEntry {
		return FindingEntry{Domain: domain, Status: status, Severity: "High", File: "f", LineRange: "3-4", Title: "T", Recommendation: "R"}
	}
	for _, test := range []struct {
		domains  []string
		findings []FindingEntry
		want     string // the beginning of the problem
	}{
		{nil, nil, ""},
		{[]string{"a"}, nil, ""},
		{nil, []FindingEntry{finding("a", ""), finding("b", "open"), finding("c", "reopened")}, ""},
		{[]string{"b", "a"}, []FindingEntry{finding("a", ""), finding("b", "")}, ""},
		{[]string{"b"}, []FindingEntry{finding("b", ""), finding("a", "")}, "findings[1].domain: "},
		{nil, []FindingEntry{finding("a", "open"), finding("a", "fixed")}, "findings[1].status: "},
		{nil, []FindingEntry{finding("a", "verified")}, "findings[0].status: "},
		{nil, []FindingEntry{finding("a", "wont_fix")}, "findings[0].status: "},
	} {
		if got := CheckReported(test.findings, test.domains); (got == "") != (test.want == "") || !strings.HasPrefix(got, test.want) {
			t.Errorf("%v of %v: %q, want %q", test.findings, test.domains, got, test.want)
		}
	}
	here, elsewhere := ledger.Place{File: "f", Start: 3, End: 4}, ledger.Place{File: "f", Start: 5, End: 6}
	for name, test := range map[string]struct {
		claim ledger.Violation
		want  []string // the claims that the entries name
	}{
		"no claim":             {ledger.Violation{}, []string{""}},
		"a claim at its place": {ledger.Violation{ID: "V", ShortID: "v", Place: here}, []string{"v"}},
		"a claim that moved":   {ledger.Violation{ID: "V", ShortID: "v", Place: elsewhere}, []string{"v", ""}},
	} {
		var got []string
		for _, entry := range ReportedEntries(finding("a", ""), test.claim) {
			got = append(got, entry.SameAs)
			if entry.Place != here || entry.Issue != "T" || entry.Fix != "R" || entry.Priority != ledger.High {
				t.Errorf("%s: %+v", name, entry)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The explanation of a verdict names only what counts.
func TestExplainReview(t *testing.T) {
	t.Parallel()
	v := Verdict{CodeReview: CodeReview{ReviewID: "0123abcd", Scope: ledger.ScopeFile, Target: "f"}, Computed: Computed{Iteration: 2, Mode: Verify, Word: ledger.VerdictAbort}, Earlier: []Computed{{Iteration: 1, Mode: Full, Word: ledger.VerdictFail}}, Findings: []Finding{
		{ID: "held", ShortID: "s1", Priority: ledger.Critical, SystemBreaking: true, Status: ledger.StatusSkipped, Actor: ledger.ActorAgent, Place: ledger.Place{File: "f", Start: 1, End: 2}, Title: "Held."},
		{ID: "open", Priority: ledger.Critical, SystemBreaking: true, Status: ledger.StatusReopened, Place: ledger.Place{File: "f"}, Title: "Open"},
		{ID: "claim", Priority: ledger.High, Status: ledger.StatusFixed, Place: ledger.Place{File: "f", Start: 3, End: 3}, Title: "Claimed"},
		{ID: "low", Priority: ledger.Low, Status: ledger.StatusNew, Place: ledger.Place{File: "f"}, Title: "Low"},
		{ID: "done", Priority: ledger.High, Status: ledger.StatusVerified, Place: ledger.Place{File: "f"}, Title: "Done"},
	}}
	e := Explain(&ledger.State{Run: ledger.Run{ID: "R"}}, v)
	want := []string{
		"This is the code review 0123abcd of file f; its verdict is ABORT: a Blocker that breaks the system counts, so a person has to decide how to continue.",
		"Blocker held counts (it breaks the system, and only an agent set it to wont_fix): f:1-2, Held. A person settles it: `reviewledger mark s1 skipped --as human --result '...'`.",
		"Blocker open counts (reopened, and it breaks the system): f, Open.",
		"High claim counts (nobody has confirmed its fix): f:3, Claimed.",
		"It has 2 verdicts; the latest counts.",
	}
	if diff := cmp.Diff(want, e.Sentences); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(e.Rows) != 2 || e.Rows[1].Text != "iteration 2 (verify): ABORT with 2 Blocker, 2 High, 0 Medium, 1 Low, 0 Info" {
		t.Errorf("rows %+v", e.Rows)
	}
	v.Findings, v.Earlier = v.Findings[3:], nil
	v.Word = ledger.VerdictWarn
	last := Explain(&ledger.State{}, v).Sentences
	if len(last) != 2 || !strings.Contains(last[1], "would give PASS") {
		t.Errorf("after statuses were set: %q", last)
	}
	for word, want := range map[ledger.VerdictWord]string{
		ledger.VerdictPass: "PASS: no Blocker and no High finding counts.", ledger.VerdictWarn: "WARN: no Blocker counts, but at least one High finding does.",
		ledger.VerdictFail: "FAIL: at least one Blocker counts.",
	} {
		v.Word = word
		if got := Explain(&ledger.State{}, v).Sentences[0]; !strings.HasSuffix(got, "its verdict is "+want) {
			t.Errorf("%s: %s", word, got)
		}
	}
}

// Rule: A file settles no finding.
func TestCompareVerdictFields(t *testing.T) {
	t.Parallel()
	last := Verdict{
		CodeReview: CodeReview{ReviewID: "0123abcd", Scope: ledger.ScopeFile, Target: "f"}, Computed: Computed{At: time.Date(2026, 2, 16, 14, 30, 0, 0, time.UTC), Mode: Full},
		Findings: []Finding{{ID: "d-1", Domain: "d", Priority: ledger.Low, Confidence: 0.5, Place: ledger.Place{File: "f", Start: 1, End: 1}, Title: "T", Recommendation: "R",
			Status: ledger.StatusNew, Exported: ledger.StatusNew}},
	}
	if edits, warnings := Compare(last, last.Document()); len(edits)+len(warnings) > 0 {
		t.Errorf("as it was written: %v, %q", edits, warnings)
	}
	for field, change := range map[string]func(d *Document){
		"reviewId":       func(d *Document) { d.ReviewID += "x" },
		"timestamp":      func(d *Document) { d.Timestamp = "2026-02-16T14:30:01Z" },
		"scope":          func(d *Document) { d.Scope = "team" },
		"target":         func(d *Document) { d.Target = "g" },
		"mode":           func(d *Document) { d.Mode = "quick" },
		"verdict":        func(d *Document) { d.Verdict += "x" },
		"summary":        func(d *Document) { d.Summary.Low++ },
		"reportPath":     func(d *Document) { d.ReviewDocument += "x" },
		"domain":         func(d *Document) { d.Findings[0].Domain = "e" },
		"severity":       func(d *Document) { d.Findings[0].Severity = "High" },
		"confidence":     func(d *Document) { d.Findings[0].Confidence = 0.6 },
		"file":           func(d *Document) { d.Findings[0].File = "g" },
		"lineRange":      func(d *Document) { d.Findings[0].LineRange = "2" },
		"title":          func(d *Document) { d.Findings[0].Title = "U" },
		"recommendation": func(d *Document) { d.Findings[0].Recommendation = "S" },
	} {
		read := last.Document()
		change(&read)
		edits, warnings := Compare(last, read)
		if len(edits) > 0 || len(warnings) != 1 || !strings.Contains(warnings[0], strconv.Quote(field)) {
			t.Errorf("%s was changed: %v, %q", field, edits, warnings)
		}
	}
}

// Statuses are edits of their own findings. What was added, copied or deleted has no effect.
//
// Rule: A file settles no finding.
func TestCompareVerdictFindings(t *testing.T) {
	t.Parallel()
	last := Verdict{Findings: []Finding{
		{ID: "d-1", Status: ledger.StatusNew, Exported: ledger.StatusNew, Violation: "V1", ShortID: "v1", Last: 2}, {ID: "d-2", Status: ledger.StatusFixed, Exported: ledger.StatusFixed, Violation: "V2", ShortID: "v2", Last: 1},
		{ID: "d-3", Status: ledger.StatusVerified, Exported: ledger.StatusVerified}, {ID: "d-4", Status: ledger.StatusNew, Exported: ledger.StatusNew},
	}}
	read := last.Document()
	f := read.Findings
	for i, status := range []string{"wont_fix", "wont_fix", "fixed"} {
		f[i].Status = status
	}
	again, added := f[0], f[0]
	again.Status, added.ID = "fixed", "d-9"
	read.Findings = []FindingEntry{added, f[2], f[0], again, f[1]}
	edits, warnings := Compare(last, read)
	if diff := cmp.Diff([]ledger.Edit{{Violation: "V1", ShortID: "v1", Iteration: 2, Status: ledger.StatusSkipped}, {Violation: "V2", ShortID: "v2", Iteration: 1, Status: ledger.StatusSkipped}}, edits); diff != "" {
		t.Errorf("edits (-want +got):\n%s", diff)
	}
	want := []string{
		`findings[0] was added ("d-9"); this has no effect: findings come from a review`,
		`finding "d-3": is verified and cannot become fixed`,
		`findings[3] was added ("d-1"); this has no effect: findings come from a review`,
		`finding "d-4" was deleted; it was restored and stays open`,
	}
	if diff := cmp.Diff(want, warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// A text from elsewhere is shown completely if it has at most 80 characters.
func TestCut(t *testing.T) {
	t.Parallel()
	whole := strings.Repeat("é", 80)
	for text, want := range map[string]string{"": "", "a": "a", whole: whole, whole + "x": whole + "…"} {
		if got := cut(text); got != want {
			t.Errorf("%q is cut to %q", text, got)
		}
	}
}
