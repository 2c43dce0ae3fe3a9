package verdict

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/reviewledger/reviewledger/ledger"
)

// What is open or only claimed to be fixed counts.
func TestCounting(t *testing.T) {
	t.Parallel()
	var v Verdict
	for _, status := range []ledger.Status{ledger.StatusNew, ledger.StatusVerified, ledger.StatusFixed, ledger.StatusSkipped, ledger.StatusReopened} {
		v.Findings = append(v.Findings, Finding{Status: status})
	}
	var got []ledger.Status
	for _, f := range v.Counting() {
		got = append(got, f.Status)
	}
	if !slices.Equal(got, []ledger.Status{ledger.StatusNew, ledger.StatusFixed, ledger.StatusReopened}) {
		t.Errorf("%q count", got)
	}
}

// findingStatuses lists the words for the first of [ledger.Statuses], in the same order. Findings of a
// verdict do not have the others.
func findingStatuses() []string {
	return []string{"open", "fixed", "wont_fix", "verified", "reopened"}
}

// All combinations of status, severity and actor, with and without system-breaking.
//
// Rule: The verdict counts what is open.
func TestJudge(t *testing.T) {
	t.Parallel()
	want := map[ledger.Priority][2]ledger.VerdictWord{ // not system-breaking, system-breaking
		ledger.Critical: {ledger.VerdictFail, ledger.VerdictAbort},
		ledger.High:     {ledger.VerdictWarn, ledger.VerdictWarn},
		ledger.Medium:   {ledger.VerdictPass, ledger.VerdictPass},
		ledger.Low:      {ledger.VerdictPass, ledger.VerdictPass},
		ledger.Info:     {ledger.VerdictPass, ledger.VerdictPass},
	}
	for _, actor := range []ledger.Actor{ledger.ActorReviewer, ledger.ActorAgent, ledger.ActorHuman, ledger.ActorSystem} {
		for _, status := range ledger.Statuses()[:len(findingStatuses())] {
			for _, priority := range ledger.Priorities() {
				for n, breaking := range []bool{false, true} {
					expected := want[priority][n]
					held := status == ledger.StatusSkipped && priority == ledger.Critical && breaking && actor != ledger.ActorHuman
					if (status == ledger.StatusVerified || status == ledger.StatusSkipped) && !held {
						expected = ledger.VerdictPass
					}
					finding := Finding{Priority: priority, Status: status, SystemBreaking: breaking, Actor: actor}
					if got := Judge([]Finding{finding}); got != expected {
						t.Errorf("%s %s by %s, system-breaking %v: got %s, want %s", status, priority, actor, breaking, got, expected)
					}
					if finding.Held() != held {
						t.Errorf("%s %s by %s, system-breaking %v: held %v", status, priority, actor, breaking, !held)
					}
				}
			}
		}
	}
}

// Of several findings the worst decides, in any order. Whether a finding breaks the system depends
// only on the finding itself.
func TestJudgeMany(t *testing.T) {
	t.Parallel()
	finding := func(p ledger.Priority, s ledger.Status, breaking bool, actor ledger.Actor) Finding {
		return Finding{Priority: p, Status: s, SystemBreaking: breaking, Actor: actor}
	}
	blocker := finding(ledger.Critical, ledger.StatusNew, false, ledger.ActorReviewer)
	abort := finding(ledger.Critical, ledger.StatusReopened, true, ledger.ActorReviewer)
	high := finding(ledger.High, ledger.StatusNew, false, ledger.ActorReviewer)
	lowBreaking := finding(ledger.Low, ledger.StatusNew, true, ledger.ActorReviewer)
	highBreaking := finding(ledger.High, ledger.StatusNew, true, ledger.ActorReviewer)
	skippedByHuman := finding(ledger.Critical, ledger.StatusSkipped, true, ledger.ActorHuman)
	skippedByAgent := finding(ledger.Critical, ledger.StatusSkipped, true, ledger.ActorAgent)
	skippedBlocker := finding(ledger.Critical, ledger.StatusSkipped, false, ledger.ActorAgent)
	verifiedAbort := finding(ledger.Critical, ledger.StatusVerified, true, ledger.ActorReviewer)
	claimed := finding(ledger.High, ledger.StatusFixed, false, ledger.ActorAgent)
	for name, test := range map[string]struct {
		findings []Finding
		want     ledger.VerdictWord
	}{
		"none":                                   {nil, ledger.VerdictPass},
		"a Low one that breaks, and a Blocker":   {[]Finding{lowBreaking, blocker}, ledger.VerdictFail},
		"a High one that breaks, and a Blocker":  {[]Finding{highBreaking, blocker}, ledger.VerdictFail},
		"a High one that breaks, by itself":      {[]Finding{highBreaking, lowBreaking}, ledger.VerdictWarn},
		"a Blocker that breaks, among others":    {[]Finding{high, blocker, abort, lowBreaking}, ledger.VerdictAbort},
		"skipped by a person, and a Blocker":     {[]Finding{skippedByHuman, blocker}, ledger.VerdictFail},
		"skipped by a person, and a Low one":     {[]Finding{skippedByHuman, lowBreaking}, ledger.VerdictPass},
		"skipped by an agent, and nothing else":  {[]Finding{skippedByAgent, verifiedAbort}, ledger.VerdictAbort},
		"one skipped by each":                    {[]Finding{skippedByHuman, skippedByAgent}, ledger.VerdictAbort},
		"a plain Blocker skipped, and a claim":   {[]Finding{skippedBlocker, claimed}, ledger.VerdictWarn},
		"verified, and a plain Blocker skipped":  {[]Finding{verifiedAbort, skippedBlocker}, ledger.VerdictPass},
		"a High one before and after a Blocker":  {[]Finding{high, blocker, high}, ledger.VerdictFail},
		"verified before a High one that is new": {[]Finding{verifiedAbort, high}, ledger.VerdictWarn},
	} {
		for range 2 {
			if got := Judge(test.findings); got != test.want {
				t.Errorf("%s: got %s, want %s", name, got, test.want)
			}
			slices.Reverse(test.findings)
		}
	}
}

// What a team may set from each status, for all pairs.
//
// Rule: A file settles no finding.
func TestTeamEdit(t *testing.T) {
	t.Parallel()
	for _, from := range ledger.Statuses()[:len(findingStatuses())] {
		was := FindingStatusOf(from)
		for _, is := range append(findingStatuses(), "done", "", "Fixed", "null") {
			status, ok, warning := teamEdit(from, is)
			may := was != "verified" && is != was && (is == "fixed" || is == "wont_fix")
			if ok != may || (warning != "") != (!may && is != was) {
				t.Errorf("%s to %q: ok %v, warning %q", was, is, ok, warning)
			}
			if _, known := ParseFindingStatus(is); !known && !strings.HasPrefix(warning, fmt.Sprintf("unknown status %q ", is)) {
				t.Errorf("%s to %q: %s", was, is, warning)
			}
			if ok && !ledger.MayChange(ledger.ActorAgent, from, status) {
				t.Errorf("%s to %q: the agent may not change it to %s", was, is, status)
			}
		}
	}
}

// The two vocabularies correspond to each other, word by word.
func TestVerdictWords(t *testing.T) {
	t.Parallel()
	want := map[ledger.Status]string{
		ledger.StatusNew: "open", ledger.StatusFixed: "fixed", ledger.StatusSkipped: "wont_fix", ledger.StatusVerified: "verified", ledger.StatusReopened: "reopened",
	}
	for _, s := range ledger.Statuses()[:len(findingStatuses())] {
		word := FindingStatusOf(s)
		if back, ok := ParseFindingStatus(word); word != want[s] || back != s || !ok {
			t.Errorf("%s is %s, and that is %s", s, word, back)
		}
	}
	if word := FindingStatusOf(ledger.StatusDisputed); word != "open" {
		t.Errorf("what the loop calls disputed is %s", word)
	}
	for n, p := range ledger.Priorities() {
		word := SeverityOf(p)
		if back, ok := ParseSeverity(word); word != []string{"Blocker", "High", "Medium", "Low", "Info"}[n] || back != p || !ok {
			t.Errorf("%s is %s, and that is %s", p, word, back)
		}
	}
	if _, ok := ParseSeverity("high"); ok {
		t.Error("high is a severity")
	}
}

// Rule: A code review is apart from the loop.
func TestFindingID(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ domain, file, lines, want string }{
		{"api-patterns", "src/app.txt", "45-47", "api-patterns-be976622-45-47"},
		{"api", "src/app.txt", "42", "api-be976622-42"},
		{"api", "src/app.txt", "", "api-be976622-0"},
		{"api", "", "", "api-e3b0c442-0"},
	} {
		if got := FindingID(test.domain, test.file, test.lines); got != test.want {
			t.Errorf("%q %q %q: got %s, want %s", test.domain, test.file, test.lines, got, test.want)
		}
	}
	for text, ok := range map[string]bool{"": true, "1": true, "42-58": true, "7-7": true, "0": false, "8-7": false, "-1": false, "1-": false, "01": false, "1-2-3": false, " 1": false, "999999999": true, "1000000000": false, "9999999999": false,
		"+5": false, "5-+7": false, "5- 7": false, "5-x": false, "x-5": false, "x": false, "1_0": false, "٣": false, "-": false} {
		start, end, got := parseLineRange(text)
		if got != ok {
			t.Errorf("line range %q: %v", text, got)
		}
		if (text == "" || text == "x-5" || text == "0") && (start != 0 || end != 0) {
			t.Errorf("line range %q: %d to %d", text, start, end)
		}
		if ok && (ledger.Place{File: "a", Start: start, End: end}).Lines() != strings.Replace(text, "7-7", "7", 1) {
			t.Errorf("line range %q is written as %q", text, (ledger.Place{File: "a", Start: start, End: end}).Lines())
		}
	}
	if got := (ledger.Place{Start: 5, End: 4}).Lines(); got != "5" {
		t.Errorf("lines that end before they begin: %q", got)
	}
}

func reported(file string, start, end int, title string, p ledger.Priority, confidence float64) ledger.Evaluated {
	return ledger.Evaluated{Disposition: ledger.Accepted, Entry: ledger.Entry{
		Place: ledger.Place{File: file, Start: start, End: end}, Issue: title, Title: title, Priority: p, Confidence: &confidence,
	}}
}

// Rule: A code review is apart from the loop.
func TestMergeReports(t *testing.T) {
	t.Parallel()
	breaking := reported("f", 1, 1, "A", ledger.Critical, 0.6)
	breaking.SystemBreaking = true
	filtered := reported("f", 1, 1, "filtered", ledger.Critical, 1)
	filtered.Disposition = ledger.OutOfDiff
	slots := []DomainReports{
		{"d", []ledger.Evaluated{reported("f", 1, 1, "Z", ledger.High, 0.9), reported("f", 1, 1, "A", ledger.Low, 0.2), reported("f", 1, 2, "range", ledger.Low, 1), filtered}},
		{"d", []ledger.Evaluated{breaking}},
		{"e", []ledger.Evaluated{reported("f", 1, 1, "A", ledger.Low, 3)}},
	}
	type finding struct {
		ID, Title  string
		Priority   ledger.Priority
		Confidence float64
		Breaking   bool
	}
	var got []finding
	for _, m := range MergeReports(slots) {
		got = append(got, finding{m.ID, m.Title, m.Priority, m.Confidence, m.SystemBreaking})
	}
	// The second by title gets a number, but not 2: that is the id of lines 1-2.
	want := []finding{
		{"d-252f10c8-1", "A", ledger.Critical, 0.6, true},
		{"d-252f10c8-1-3", "Z", ledger.High, 0.9, false},
		{"d-252f10c8-1-2", "range", ledger.Low, 1, false},
		{"e-252f10c8-1", "A", ledger.Low, 1, false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if r := slots[0].Reports[1]; r.Disposition != ledger.Merged || r.Match != "d-252f10c8-1" {
		t.Errorf("the other slot's report is %s %q", r.Disposition, r.Match)
	}
	if r := slots[0].Reports[3]; r.Disposition != ledger.OutOfDiff {
		t.Errorf("the filtered report is %s", r.Disposition)
	}
}

func TestTitleAndRecommendation(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ title, issue, want string }{
		{"Given\n title", "x", "Given title"},
		{"", "Leaks 1.5 MB. Always.", "Leaks 1.5 MB"},
		{"", "Is it safe? No.", "Is it safe?"},
		{"", "no end", "no end"},
		{"", "a.go leaks", "a.go leaks"},
		{"", "It leaks.", "It leaks"},
		{"", "It leaks!", "It leaks!"},
		{"", ".env is committed. Remove it.", ".env is committed"},
		{"", strings.Repeat("é", 130), strings.Repeat("é", 120)},
	} {
		if got := titleOf(test.title, test.issue); got != test.want {
			t.Errorf("%q, %q: got %q", test.title, test.issue, got)
		}
	}
	if got := recommendationOf(" ", "issue"); got != "issue" {
		t.Errorf("without a fix: %q", got)
	}
	for given, want := range map[float64]float64{0.2: 0.5, 0.5: 0.5, 0.77: 0.77, 1: 1, 9: 1} {
		if got := confidenceOf(given); got != want {
			t.Errorf("confidence %v: got %v", given, got)
		}
	}
}

// A verdict is never in the future, and it is later than the previous one if the clock allows.
func TestNextVerdictTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 2, 16, 14, 30, 0, 0, time.UTC)
	for _, test := range []struct{ now, before, want time.Time }{
		{at.Add(900 * time.Millisecond), time.Time{}, at},
		{at.Add(900*time.Millisecond + 7), at, at.Add(900 * time.Millisecond)},
		{at.Add(901 * time.Millisecond), at.Add(900 * time.Millisecond), at.Add(901 * time.Millisecond)},
		{at, at, at},
		{at.Add(-time.Hour), at, at.Add(-time.Hour)},
		{at.Add(time.Hour), at, at.Add(time.Hour)},
		{at.Add(1500 * time.Millisecond), at.Add(900 * time.Millisecond), at.Add(time.Second)},
		{at.Add(time.Hour).In(time.FixedZone("", 3600)), time.Time{}, at.Add(time.Hour)},
	} {
		got := NextTime(test.now, test.before)
		if !got.Equal(test.want) || got.After(test.now) || got.Location() != time.UTC {
			t.Errorf("at %v after %v: %v, want %v", test.now, test.before, got, test.want)
		}
	}
	for at, want := range map[time.Time]string{
		at: "2026-02-16T14:30:00Z", at.Add(120 * time.Millisecond): "2026-02-16T14:30:00.12Z", at.Add(7 * time.Millisecond): "2026-02-16T14:30:00.007Z",
	} {
		if got := (Verdict{Computed: Computed{At: at}}).Document().Timestamp; got != want {
			t.Errorf("%v is written %s, want %s", at, got, want)
		}
	}
}

func TestCheckFinding(t *testing.T) {
	t.Parallel()
	good := FindingEntry{Domain: "api", Severity: "High", Confidence: 0.5, File: "src/a.go", LineRange: "1-2", Title: "T", Recommendation: "R"}
	if problems := CheckFinding(0, good); len(problems) > 0 {
		t.Errorf("a good finding: %v", problems)
	}
	for field, change := range map[string]func(*FindingEntry){
		"domain":         func(f *FindingEntry) { f.Domain = "a\nb" },
		"severity":       func(f *FindingEntry) { f.Severity = "critical" },
		"confidence":     func(f *FindingEntry) { f.Confidence = math.NaN() },
		"file":           func(f *FindingEntry) { f.File = "src/../../x" },
		"lineRange":      func(f *FindingEntry) { f.LineRange = "9-3" },
		"title":          func(f *FindingEntry) { f.Title = strings.Repeat("x", 121) },
		"recommendation": func(f *FindingEntry) { f.Recommendation = " " },
		"status":         func(f *FindingEntry) { f.Status = "new" },
		"id":             func(f *FindingEntry) { f.ID = "api-1-2" },
	} {
		bad := good
		change(&bad)
		if problems := CheckFinding(3, bad); len(problems) != 1 || problems[0].Field != field || problems[0].Index != 3 {
			t.Errorf("%s: %v", field, problems)
		}
	}
	good.ID = FindingID(good.Domain, good.File, good.LineRange)
	for id, ok := range map[string]bool{good.ID: true, good.ID + "-2": true, good.ID + "-1": false, good.ID + "x": false} {
		good.ID = id
		if problems := CheckFinding(0, good); (len(problems) == 0) != ok {
			t.Errorf("id %q: %v", id, problems)
		}
	}
}

// Counts by severity include every finding, whatever its status. Counts by status are independent
// of severity.
func TestCountFindings(t *testing.T) {
	t.Parallel()
	v := Verdict{Findings: []Finding{
		{Priority: ledger.Low, Status: ledger.StatusNew}, {Priority: ledger.Critical, Status: ledger.StatusVerified}, {Priority: ledger.Low, Status: ledger.StatusNew}, {Priority: ledger.High, Status: ledger.StatusFixed},
		{Priority: ledger.Medium, Status: ledger.StatusSkipped}, {Priority: ledger.Info, Status: ledger.StatusNew}, {Priority: ledger.Low, Status: ledger.StatusFixed},
	}}
	for range 3 {
		v.Findings = append(v.Findings, Finding{Priority: ledger.High, Status: ledger.StatusVerified})
	}
	for range 5 {
		v.Findings = append(v.Findings, Finding{Priority: ledger.Medium, Status: ledger.StatusVerified}, Finding{Priority: ledger.Info, Status: ledger.StatusVerified})
	}
	v.Findings = append(v.Findings, Finding{Priority: ledger.Info, Status: ledger.StatusVerified})
	if got, want := v.Summary(), (Summary{Blocker: 1, High: 4, Medium: 6, Low: 3, Info: 7}); got != want {
		t.Errorf("%+v", got)
	}
	for status, want := range map[ledger.Status]int{ledger.StatusNew: 3, ledger.StatusFixed: 2, ledger.StatusVerified: 15, ledger.StatusSkipped: 1, ledger.StatusReopened: 0} {
		if got := v.Count(status); got != want {
			t.Errorf("%d are %s", got, status)
		}
	}
}

// The run of a review has the status of its verdict.
func TestRunStatusOfVerdict(t *testing.T) {
	t.Parallel()
	for word, want := range map[ledger.VerdictWord]ledger.RunStatus{
		ledger.VerdictPass: ledger.StatusPassed, ledger.VerdictWarn: ledger.StatusPassedWithWarnings, ledger.VerdictFail: ledger.StatusFailed, ledger.VerdictAbort: ledger.StatusFailed, "": ledger.StatusFailed,
	} {
		if got := word.RunStatus(); got != want {
			t.Errorf("%s: %s", word, got)
		}
	}
}

// The file lists the most severe findings first, then sorts by file, line and id.
func TestSortFindings(t *testing.T) {
	t.Parallel()
	findings := []Finding{
		{ID: "i", Priority: ledger.Low, Place: ledger.Place{File: "a", Start: 1, End: 1}}, {ID: "h", Priority: ledger.High, Place: ledger.Place{File: "b", Start: 1, End: 1}}, {ID: "g", Priority: ledger.High, Place: ledger.Place{File: "a", Start: 100, End: 100}},
		{ID: "f", Priority: ledger.High, Place: ledger.Place{File: "a", Start: 20, End: 30}}, {ID: "e", Priority: ledger.High, Place: ledger.Place{File: "a", Start: 20, End: 20}}, {ID: "d", Priority: ledger.High, Place: ledger.Place{File: "a", Start: 3, End: 3}},
		{ID: "c", Priority: ledger.High, Place: ledger.Place{File: "a"}}, {ID: "b", Priority: ledger.Critical, Place: ledger.Place{File: "b"}}, {ID: "a", Priority: ledger.Critical, Place: ledger.Place{File: "a"}},
	}
	sortFindings(findings)
	got := ""
	for _, f := range findings {
		got += f.ID
	}
	if got != "abcdefghi" {
		t.Errorf("sorted: %s", got)
	}
	// Lines sort as numbers, and before ids.
	findings = []Finding{{ID: "1", Place: ledger.Place{File: "a", Start: 20, End: 30}}, {ID: "2", Place: ledger.Place{File: "a", Start: 3, End: 3}}, {ID: "3", Place: ledger.Place{File: "a"}}, {ID: "0", Place: ledger.Place{File: "b", Start: 1, End: 1}}}
	sortFindings(findings)
	if got := findings[0].ID + findings[1].ID + findings[2].ID + findings[3].ID; got != "3210" {
		t.Errorf("sorted by lines: %s", got)
	}
}
