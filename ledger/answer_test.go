package ledger

import (
	"fmt"
	"testing"
	"time"
)

// Letter case, white space, quotes and the end of the sentence do not make words different. Other
// punctuation may be what an issue is about.
func TestSameText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"No bounds check", "no  Bounds\tcheck.", true}, {"No bounds check!", "No bounds check…", true}, {"`get` has \"no\" check", "get has no check", true},
		{"It’s ‘wrong’", "Its wrong", true}, {"«f» is “odd”", "f is odd", true}, {"a = b", "a == b", false}, {"f()", "f", false}, {"f?", "f", false},
		{"...", "...", true}, {"...", "!", false}, {"", "", true}, {"a.b", "ab", false}, {"end。", "end", true},
	} {
		if got := SameText(test.a, test.b); got != test.same {
			t.Errorf("SameText(%q, %q) = %t", test.a, test.b, got)
		}
	}
}

// Open violations that the answer does not name fail a slot that passes, and do not change any
// other status.
//
// Rule: A run passes only if nothing is outstanding.
func TestEnded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		status  SlotStatus
		carried int
		want    SlotStatus
	}{{SlotPass, 0, SlotPass}, {SlotPass, 1, SlotFail}, {SlotFail, 0, SlotFail}, {SlotError, 2, SlotError}} {
		if got := (Evaluation{Status: test.status}).Ended(test.carried); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
	for name, test := range map[string]struct {
		e    Evaluation
		want bool
	}{
		"nothing": {Evaluation{Reports: []Evaluated{{Disposition: OutOfDiff}}}, false}, "a report": {Evaluation{Reports: []Evaluated{{Disposition: Accepted}}}, true},
		"reopened": {Evaluation{Reopened: []string{"V"}}, true},
	} {
		if got := test.e.Stands(); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// All slots that reported a claim and still exist have to confirm it. A slot that is filled by an
// adapter that only lists what it finds, and that did not report the claim, is replaced.
//
// Rule: Only an answer confirms.
func TestReporters(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		slot, num int
		more      []int
		want      string
	}{
		{1, 1, nil, "[1]"}, {2, 3, []int{3, 1}, "[2 3 1]"}, {3, 2, nil, "[1]"}, {3, 2, []int{1}, "[1]"}, {2, 2, []int{3, 4}, "[2 1]"}, {1, 2, []int{2, 2}, "[1 2]"},
	} {
		if got := fmt.Sprint(Violation{Slot: test.slot, MoreSlots: test.more}.Reporters(make([]Filler, test.num))); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
	claude, codex, lint, builtin := Filler{Adapter: "claude"}, Filler{Adapter: "codex"}, Filler{"lint", true}, Filler{"builtin", true}
	byBoth := []Reporter{{1, "claude"}, {2, "codex"}}
	for name, test := range map[string]struct {
		v       Violation
		fillers []Filler
		want    string
	}{
		"its reporter":                    {Violation{Slot: 2, Adapter: "lint"}, []Filler{claude, lint}, "[2]"},
		"another one that answers":        {Violation{Slot: 1, Adapter: "claude"}, []Filler{codex, claude}, "[1]"},
		"its reporter in another slot":    {Violation{Slot: 3, Adapter: "claude"}, []Filler{codex, claude, builtin}, "[2]"},
		"a tool, now in another slot":     {Violation{Slot: 1, Adapter: "lint"}, []Filler{builtin, codex, lint}, "[3]"},
		"who answers, without a reporter": {Violation{Slot: 1, Adapter: "claude"}, []Filler{lint, builtin, codex}, "[3]"},
		"nobody answers":                  {Violation{Slot: 2, Adapter: "claude"}, []Filler{lint, builtin}, "[2]"},
		"one of two reporters is there":   {Violation{Slot: 1, Adapter: "claude", MoreSlots: []int{2}, ReportedBy: byBoth}, []Filler{claude, lint}, "[1]"},
		"both changed places with tools":  {Violation{Slot: 1, Adapter: "claude", MoreSlots: []int{2}, ReportedBy: byBoth}, []Filler{lint, builtin, codex}, "[3]"},
		"the gate is not executed":        {Violation{Slot: 2, Adapter: "claude"}, nil, "[1]"},
	} {
		if got := fmt.Sprint(test.v.Reporters(test.fillers)); got != test.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestPlaceDistance(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b Place
		want int
	}{
		{Place{"f", 1, 3}, Place{"f", 3, 9}, 0}, {Place{"f", 1, 3}, Place{"f", 5, 9}, 2}, {Place{"f", 5, 9}, Place{"f", 1, 3}, 2}, {Place{File: "f"}, Place{"f", 5, 9}, 0},
		{Place{"f", 5, 9}, Place{File: "f"}, 0}, {Place{"f", 5, 0}, Place{"f", 9, 0}, 4}, {Place{"f", 9, 0}, Place{"f", 5, 0}, 4},
	} {
		if got := test.a.Distance(test.b); got != test.want {
			t.Errorf("%v to %v: %d", test.a, test.b, got)
		}
	}
}

// Nothing is filtered if the facts are missing.
func TestEntriesWithoutFacts(t *testing.T) {
	t.Parallel()
	facts := Facts{Entries: []EntryFacts{{InRange: false}}}
	if facts.Entry(0).InRange || !facts.Entry(1).InRange || !(Facts{}).Entry(0).InRange {
		t.Errorf("entries: %+v, %+v, %+v", facts.Entry(0), facts.Entry(1), Facts{}.Entry(0))
	}
}

func TestRunningAddress(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]Running{"check:.:test": {Job: "check:.:test"}, "review:.:q@1": {Job: "review:.:q", Slot: 1}, "review:.:q@2": {Job: "review:.:q", Slot: 2}} {
		if got := r.Address(); got != want {
			t.Errorf("%+v: %s, want %s", r, got, want)
		}
	}
}

func TestCallWords(t *testing.T) {
	t.Parallel()
	in, out := int64(3), int64(4)
	for want, call := range map[string]Call{
		"call 1; fits the form": {Number: 1},
		"call 2; asked once more; 3 tokens in, 0 out; it has no status": {Number: 2, Repair: true, Usage: Usage{InputTokens: &in}, Misfit: "it has no status"},
		"call 3; 0 tokens in, 4 out; fits the form":                     {Number: 3, Usage: Usage{OutputTokens: &out}},
	} {
		if got := call.Words(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestEarlierViolationDecided(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 4, 23, 30, 0, 0, time.UTC)
	for want, v := range map[string]EarlierViolation{
		"skipped on 2026-03-04 (false_positive: as intended)": {ID: "V", Status: StatusSkipped, At: at, Reason: "false_positive", Result: "as intended."},
		"withdrawn on 2026-03-04 (about it)":                  {ID: "V", Status: StatusWithdrawn, At: at, Result: "about it"},
		"left open on 2026-03-04":                             {ID: "V", Status: StatusReopened, At: at},
		"reported below the threshold on 2026-03-04":          {Disposition: BelowThreshold, At: at},
		"reported outside the changes on 2026-03-04":          {Disposition: OutOfDiff, At: at},
	} {
		if got := v.Decided(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A place whose lines nobody followed counts as its whole file, except the place of a skip.
func TestLocate(t *testing.T) {
	t.Parallel()
	here := Whereabouts{Here: Place{"f", 9, 9}}
	facts := Facts{Whereabouts: map[string]Whereabouts{"followed": here}}
	reviewed, restored := Violation{Place: Place{"f", 5, 5}, Reviewed: "tree"}, Violation{Place: Place{"f", 5, 5}}
	for name, test := range map[string]struct {
		v, was Violation
		want   Place
	}{
		"followed":                   {Violation{ID: "followed"}, reviewed, here.Here},
		"not followed":               {Violation{ID: "V"}, reviewed, Place{File: "f"}},
		"not followed, and skipped":  {Violation{ID: "V", Status: StatusSkipped}, reviewed, Place{File: "f"}},
		"of an unknown tree":         {Violation{ID: "followed"}, restored, Place{File: "f"}},
		"of an unknown tree, a skip": {Violation{ID: "followed", Status: StatusSkipped}, restored, Place{"f", 5, 5}},
	} {
		if got := facts.Locate(test.v, test.was).Here; got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestSkipInFull(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]Violation{
		"as meant (false_positive)": {Result: "as meant", Reason: "false_positive"}, "as meant": {Result: "as meant"}, "false_positive": {Reason: "false_positive"}, "": {},
	} {
		if got := v.SkipInFull(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A malformed report cannot be taken up, because a violation needs a file and an issue.
//
// Rule: What is filtered is counted and kept.
func TestRefuseTakeUp(t *testing.T) {
	t.Parallel()
	take := Mark{Status: StatusNew}
	report := func(file, issue string, d Disposition) Report {
		return Report{Run: "R", ID: "r", Place: Place{File: file}, Issue: issue, Disposition: d, Reason: "why"}
	}
	for name, test := range map[string]struct {
		mark   Mark
		report Report
		run    Run
		want   string
	}{
		"one that can be":            {take, report("f", "Slow", BelowThreshold), Run{}, ""},
		"malformed, but it has both": {take, report("f", "Slow", Malformed), Run{}, ""},
		"without a file":             {take, report("", "Slow", Malformed), Run{}, "report r is malformed (why), so it cannot be taken up: read it with `reviewledger log r`"},
		"without words":              {take, report("f", " ", Malformed), Run{}, "report r is malformed (why), so it cannot be taken up: read it with `reviewledger log r`"},
		"to be fixed":                {Mark{Status: StatusFixed}, report("f", "Slow", OutOfDiff), Run{}, "report r was not counted (why): take it up first with `reviewledger mark r new`"},
		"one that is merged":         {take, report("f", "Slow", Merged), Run{}, "report r was not counted because it is why"},
		"of a code review":           {take, report("f", "Slow", OutOfDiff), Run{Kind: KindCodeReview}, "report r belongs to a code review, whose reports cannot be taken up: mark only its findings, as fixed, skipped (\"wont_fix\" in the file) or new (\"open\")"},
		"one of a violation":         {take, Report{ID: "r", ShortID: "8f3kq2", Disposition: Accepted, Reason: "repeats 8f3kq2"}, Run{}, "report r was not counted because it repeats 8f3kq2: mark 8f3kq2 instead"},
		"one of no violation":        {take, report("f", "Slow", RememberedSkip), Run{}, "report r was not counted because it why"},
		"of a closed run":            {take, report("f", "Slow", OutOfDiff), Run{Status: StatusPassed, FinishedAt: time.Unix(1, 0)}, "report r belongs to run R, which is closed (passed): only a report of an open run can be taken up; the reviewers of the next `reviewledger run` know of it"},
	} {
		if got := test.mark.RefuseTakeUp(test.report, test.run); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
