package ledger

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Over all combinations of status, severity and who set it, with and without
// system-breaking.
//
// Rule: The verdict counts what is open.
func TestJudge(t *testing.T) {
	t.Parallel()
	want := map[Priority][2]VerdictWord{ // not system-breaking, system-breaking
		Critical: {VerdictFail, VerdictAbort},
		High:     {VerdictWarn, VerdictWarn},
		Medium:   {VerdictPass, VerdictPass},
		Low:      {VerdictPass, VerdictPass},
		Info:     {VerdictPass, VerdictPass},
	}
	for _, actor := range []Actor{ActorReviewer, ActorAgent, ActorHuman, ActorSystem} {
		for _, status := range Statuses() {
			for _, priority := range Priorities() {
				for n, breaking := range []bool{false, true} {
					expected := want[priority][n]
					held := status == StatusSkipped && priority == Critical && breaking && actor != ActorHuman
					if (status == StatusVerified || status == StatusSkipped) && !held {
						expected = VerdictPass
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

// Of many findings the worst decides, in whatever order they stand; and what breaks the
// system is a matter of each finding by itself.
func TestJudgeMany(t *testing.T) {
	t.Parallel()
	finding := func(p Priority, s Status, breaking bool, actor Actor) Finding {
		return Finding{Priority: p, Status: s, SystemBreaking: breaking, Actor: actor}
	}
	blocker := finding(Critical, StatusNew, false, ActorReviewer)
	abort := finding(Critical, StatusReopened, true, ActorReviewer)
	high := finding(High, StatusNew, false, ActorReviewer)
	lowBreaking := finding(Low, StatusNew, true, ActorReviewer)
	highBreaking := finding(High, StatusNew, true, ActorReviewer)
	skippedByHuman := finding(Critical, StatusSkipped, true, ActorHuman)
	skippedByAgent := finding(Critical, StatusSkipped, true, ActorAgent)
	skippedBlocker := finding(Critical, StatusSkipped, false, ActorAgent)
	verifiedAbort := finding(Critical, StatusVerified, true, ActorReviewer)
	claimed := finding(High, StatusFixed, false, ActorAgent)
	for name, test := range map[string]struct {
		findings []Finding
		want     VerdictWord
	}{
		"none":                                   {nil, VerdictPass},
		"a Low one that breaks, and a Blocker":   {[]Finding{lowBreaking, blocker}, VerdictFail},
		"a High one that breaks, and a Blocker":  {[]Finding{highBreaking, blocker}, VerdictFail},
		"a High one that breaks, by itself":      {[]Finding{highBreaking, lowBreaking}, VerdictWarn},
		"a Blocker that breaks, among others":    {[]Finding{high, blocker, abort, lowBreaking}, VerdictAbort},
		"skipped by a person, and a Blocker":     {[]Finding{skippedByHuman, blocker}, VerdictFail},
		"skipped by a person, and a Low one":     {[]Finding{skippedByHuman, lowBreaking}, VerdictPass},
		"skipped by an agent, and nothing else":  {[]Finding{skippedByAgent, verifiedAbort}, VerdictAbort},
		"one skipped by each":                    {[]Finding{skippedByHuman, skippedByAgent}, VerdictAbort},
		"a plain Blocker skipped, and a claim":   {[]Finding{skippedBlocker, claimed}, VerdictWarn},
		"verified, and a plain Blocker skipped":  {[]Finding{verifiedAbort, skippedBlocker}, VerdictPass},
		"a High one before and after a Blocker":  {[]Finding{high, blocker, high}, VerdictFail},
		"verified before a High one that is new": {[]Finding{verifiedAbort, high}, VerdictWarn},
	} {
		for range 2 {
			if got := Judge(test.findings); got != test.want {
				t.Errorf("%s: got %s, want %s", name, got, test.want)
			}
			slices.Reverse(test.findings)
		}
	}
}

// What a team may make of each status, over all pairs.
//
// Rule: A file settles no finding.
func TestTeamEdit(t *testing.T) {
	t.Parallel()
	for _, was := range FindingStatuses() {
		for _, is := range append(FindingStatuses(), "done", "", "Fixed", "null") {
			status, ok, warning := TeamEdit(was, string(is))
			may := was != FindingVerified && is != was && (is == FindingFixed || is == FindingWontFix)
			if ok != may || (warning != "") != (!may && is != was) {
				t.Errorf("%s to %q: ok %v, warning %q", was, is, ok, warning)
			}
			if _, known := ParseFindingStatus(string(is)); !known && !strings.HasPrefix(warning, fmt.Sprintf("unknown status %q ", is)) {
				t.Errorf("%s to %q: %s", was, is, warning)
			}
			if from, _ := ParseFindingStatus(string(was)); ok && !MayChange(ActorAgent, from, status) {
				t.Errorf("%s to %q: the agent may not change it to %s", was, is, status)
			}
		}
	}
}

// The two vocabularies stand for each other, word by word.
func TestVerdictWords(t *testing.T) {
	t.Parallel()
	want := map[Status]FindingStatus{
		StatusNew: "open", StatusFixed: "fixed", StatusSkipped: "wont_fix", StatusVerified: "verified", StatusReopened: "reopened",
	}
	for _, s := range Statuses() {
		word := FindingStatusOf(s)
		if back, ok := ParseFindingStatus(string(word)); word != want[s] || back != s || !ok {
			t.Errorf("%s is %s, and that is %s", s, word, back)
		}
	}
	for n, p := range Priorities() {
		word := SeverityOf(p)
		if back, ok := ParseSeverity(string(word)); string(word) != []string{"Blocker", "High", "Medium", "Low", "Info"}[n] || back != p || !ok {
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
		start, end, got := ParseLineRange(text)
		if got != ok {
			t.Errorf("line range %q: %v", text, got)
		}
		if (text == "" || text == "x-5" || text == "0") && (start != 0 || end != 0) {
			t.Errorf("line range %q: %d to %d", text, start, end)
		}
		if ok && LineRange(Place{File: "a", Start: start, End: end}) != strings.Replace(text, "7-7", "7", 1) {
			t.Errorf("line range %q is written as %q", text, LineRange(Place{File: "a", Start: start, End: end}))
		}
	}
	if got := LineRange(Place{Start: 5, End: 4}); got != "5" {
		t.Errorf("lines that end before they begin: %q", got)
	}
}

func reported(file string, start, end int, title string, p Priority, confidence float64) Evaluated {
	return Evaluated{Disposition: Accepted, Entry: Entry{
		Place: Place{File: file, Start: start, End: end}, Issue: title, Title: title, Priority: p, Confidence: &confidence,
	}}
}

// Rule: A code review is apart from the loop.
func TestMergeReports(t *testing.T) {
	t.Parallel()
	breaking := reported("f", 1, 1, "A", Critical, 0.6)
	breaking.SystemBreaking = true
	filtered := reported("f", 1, 1, "filtered", Critical, 1)
	filtered.Disposition = OutOfDiff
	slots := []DomainReports{
		{"d", []Evaluated{reported("f", 1, 1, "Z", High, 0.9), reported("f", 1, 1, "A", Low, 0.2), reported("f", 1, 2, "range", Low, 1), filtered}},
		{"d", []Evaluated{breaking}},
		{"e", []Evaluated{reported("f", 1, 1, "A", Low, 3)}},
	}
	type finding struct {
		ID, Title  string
		Priority   Priority
		Confidence float64
		Breaking   bool
	}
	var got []finding
	for _, m := range MergeReports(slots) {
		got = append(got, finding{m.ID, m.Title, m.Priority, m.Confidence, m.SystemBreaking})
	}
	// The second by title gets a number, but not 2: that is the id of lines 1-2.
	want := []finding{
		{"d-252f10c8-1-3", "Z", High, 0.9, false},
		{"d-252f10c8-1-2", "range", Low, 1, false},
		{"d-252f10c8-1", "A", Critical, 0.6, true},
		{"e-252f10c8-1", "A", Low, 1, false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if r := slots[0].Reports[1]; r.Disposition != Merged || r.Match != "d-252f10c8-1" {
		t.Errorf("the other slot's report is %s %q", r.Disposition, r.Match)
	}
	if r := slots[0].Reports[3]; r.Disposition != OutOfDiff {
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
		if got := confidenceOf(&given); got != want {
			t.Errorf("confidence %v: got %v", given, got)
		}
	}
}

// A verdict is never in the future, and later than the one before as far as the clock
// lets it be.
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
		got := NextVerdictTime(test.now, test.before)
		if !got.Equal(test.want) || got.After(test.now) || got.Location() != time.UTC {
			t.Errorf("at %v after %v: %v, want %v", test.now, test.before, got, test.want)
		}
	}
	for at, want := range map[time.Time]string{
		at: "2026-02-16T14:30:00Z", at.Add(120 * time.Millisecond): "2026-02-16T14:30:00.12Z", at.Add(7 * time.Millisecond): "2026-02-16T14:30:00.007Z",
	} {
		if got := (Verdict{At: at}).Document().Timestamp; got != want {
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

// Counts by severity hold every finding, whatever its status; counts by status the others.
func TestCountFindings(t *testing.T) {
	t.Parallel()
	v := Verdict{Findings: []Finding{
		{Priority: Low, Status: StatusNew}, {Priority: Critical, Status: StatusVerified}, {Priority: Low, Status: StatusNew}, {Priority: High, Status: StatusFixed},
		{Priority: Medium, Status: StatusSkipped}, {Priority: Info, Status: StatusNew}, {Priority: Low, Status: StatusFixed},
	}}
	for range 3 {
		v.Findings = append(v.Findings, Finding{Priority: High, Status: StatusVerified})
	}
	for range 5 {
		v.Findings = append(v.Findings, Finding{Priority: Medium, Status: StatusVerified}, Finding{Priority: Info, Status: StatusVerified})
	}
	v.Findings = append(v.Findings, Finding{Priority: Info, Status: StatusVerified})
	if got, want := v.Summary(), (VerdictSummary{Blocker: 1, High: 4, Medium: 6, Low: 3, Info: 7}); got != want {
		t.Errorf("%+v", got)
	}
	for status, want := range map[Status]int{StatusNew: 3, StatusFixed: 2, StatusVerified: 15, StatusSkipped: 1, StatusReopened: 0} {
		if got := v.Count(status); got != want {
			t.Errorf("%d are %s", got, status)
		}
	}
}

// The run of a review has the status of its verdict.
func TestRunStatusOfVerdict(t *testing.T) {
	t.Parallel()
	for word, want := range map[VerdictWord]RunStatus{
		VerdictPass: StatusPassed, VerdictWarn: StatusPassedWithWarnings, VerdictFail: StatusFailed, VerdictAbort: StatusFailed, "": StatusFailed,
	} {
		if got := word.RunStatus(); got != want {
			t.Errorf("%s: %s", word, got)
		}
	}
}

// The file lists the most severe first, then by file, line and id.
func TestSortFindings(t *testing.T) {
	t.Parallel()
	findings := []Finding{
		{ID: "i", Priority: Low, File: "a", LineRange: "1"}, {ID: "h", Priority: High, File: "b", LineRange: "1"}, {ID: "g", Priority: High, File: "a", LineRange: "100"},
		{ID: "f", Priority: High, File: "a", LineRange: "20-30"}, {ID: "e", Priority: High, File: "a", LineRange: "20"}, {ID: "d", Priority: High, File: "a", LineRange: "3"},
		{ID: "c", Priority: High, File: "a"}, {ID: "b", Priority: Critical, File: "b"}, {ID: "a", Priority: Critical, File: "a"},
	}
	SortFindings(findings)
	got := ""
	for _, f := range findings {
		got += f.ID
	}
	if got != "abcdefghi" {
		t.Errorf("sorted: %s", got)
	}
	// The lines are numbers, and go before the ids.
	findings = []Finding{{ID: "1", File: "a", LineRange: "20-30"}, {ID: "2", File: "a", LineRange: "3"}, {ID: "3", File: "a"}, {ID: "0", File: "b", LineRange: "1"}}
	SortFindings(findings)
	if got := findings[0].ID + findings[1].ID + findings[2].ID + findings[3].ID; got != "3210" {
		t.Errorf("sorted by lines: %s", got)
	}
}

// A confirmed violation costs nothing that is known unless there is one, and a cost.
func TestCostPerConfirmed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		verified, known int
		usd, want       float64
		ok              bool
	}{{0, 0, 0, 0, false}, {0, 2, 6, 0, false}, {2, 0, 0, 0, false}, {2, 1, 6, 3, true}, {3, 1, 0, 0, true}} {
		a := AdapterStatistics{Cost: Cost{USD: test.usd, Known: test.known}}
		a.Verified.Violations = test.verified
		if got, ok := a.CostPerConfirmed(); got != test.want || ok != test.ok {
			t.Errorf("%+v: %v, %v", test, got, ok)
		}
	}
}

// A character that is cut off counts as one, however many bytes of it are there.
func TestDecodeRune(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		r    rune
		size int
	}{
		"a": {'a', 1}, "é!": {'é', 2}, "\U0001F600": {0x1F600, 4}, "\uFFFD": {0xFFFD, 3}, "\xff": {0xFFFD, 1}, "\x80\x80": {0xFFFD, 1}, "\xe2\x82": {0xFFFD, 2}, "\xe2\x82A": {0xFFFD, 2},
		"\xe2A": {0xFFFD, 1}, "\xf0\x9f\x98": {0xFFFD, 3}, "\xf0\x9f\x98A": {0xFFFD, 3}, "\xf0\x9fA": {0xFFFD, 2}, "\xed\xa0\x80": {0xFFFD, 1},
	} {
		if r, size := decodeRune([]byte(text)); r != want.r || size != want.size {
			t.Errorf("%q: %U of %d bytes", text, r, size)
		}
	}
}
