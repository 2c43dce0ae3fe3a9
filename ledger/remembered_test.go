package ledger_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/match"
)

// line is a line that occurs once in src.go.
var line = ledger.LineFact{Known: true, Text: "f(1, 2)", Hash: "h:1"}

func at(file string, lines ...int) ledger.Place {
	switch len(lines) {
	case 0:
		return ledger.Place{File: file}
	case 1:
		return ledger.Place{File: file, Start: lines[0], End: lines[0]}
	}
	return ledger.Place{File: file, Start: lines[0], End: lines[1]}
}

func entry(place ledger.Place, issue string, priority ledger.Priority) ledger.Entry {
	return ledger.Entry{Place: place, Issue: issue, Priority: priority}
}

// earlier returns an earlier violation of slot 1. If it is a claim, the slot is asked about it.
func earlier(id string, status ledger.Status, place ledger.Place, issue string) ledger.Known {
	v := violation(id, quality, 1, status)
	v.Issue, v.Place, v.ShortID = issue, place, strings.ToLower(id)
	return ledger.Known{Violation: v, Whereabouts: ledger.Whereabouts{Here: place}, WasClaim: v.Claim(), Asked: v.Claim(), Listed: true}
}

func printOf(file string, fact ledger.LineFact) string {
	return ledger.Fingerprint(quality, file, fact)
}

// remembered returns a remembered skip of a report with the issue "magic" and priority high.
func remembered(change func(*ledger.EarlierViolation)) ledger.EarlierViolation {
	m := ledger.EarlierViolation{
		ID: "OLD", ShortID: "old", Status: ledger.StatusSkipped, Place: at("src.go", 7), Event: 2, Fingerprint: printOf("src.go", line), Issue: "Magic number", Priority: ledger.High,
		LineHash: "h:1", Reason: "false_positive", Result: "as intended.",
		At: time.Date(2026, 3, 4, 23, 30, 0, 0, time.UTC),
	}
	if change != nil {
		change(&m)
	}
	return m
}

// Rule: A human's skip is remembered.
// Rule: A skip is not reported twice.
func TestRememberedSkips(t *testing.T) {
	t.Parallel()
	same := entry(at("src.go", 7), "magic number.", ledger.High)
	onLine := func(fact ledger.LineFact) ledger.EntryFacts {
		return ledger.EntryFacts{InRange: true, Line: fact, Fingerprint: printOf("src.go", fact)}
	}
	repeated, moved := line, line
	repeated.Repeated = true
	moved.Repeated, moved.Hash = true, "other:1"
	empty := ledger.LineFact{Known: true, Hash: "h:1"}
	blank := func(m *ledger.EarlierViolation) { m.Fingerprint = printOf("src.go", empty) }
	whole := func(m *ledger.EarlierViolation) { blank(m); m.Place = at("src.go") }
	tests := []struct {
		name    string
		entries []ledger.Entry
		facts   []ledger.EntryFacts
		skips   []ledger.EarlierViolation
		known   []ledger.Known
		rules   ledger.Rules
		want    []string
		status  ledger.SlotStatus
	}{
		{"the same", []ledger.Entry{same}, []ledger.EntryFacts{onLine(line)}, []ledger.EarlierViolation{remembered(nil)}, nil, ledger.Rules{}, []string{"remembered_skip"}, ledger.SlotPass},
		{"nothing remembered", []ledger.Entry{same}, []ledger.EntryFacts{onLine(line)}, nil, nil, ledger.Rules{}, []string{"accepted"}, ledger.SlotFail},
		{"a lower priority", []ledger.Entry{entry(at("src.go", 7), "Magic number", ledger.Low)}, []ledger.EntryFacts{onLine(line)}, []ledger.EarlierViolation{remembered(nil)}, nil, ledger.Rules{}, []string{"remembered_skip"}, ledger.SlotPass},
		{"a higher priority", []ledger.Entry{entry(at("src.go", 7), "Magic number", ledger.Critical)}, []ledger.EntryFacts{onLine(line)}, []ledger.EarlierViolation{remembered(nil)}, nil, ledger.Rules{}, []string{"accepted"}, ledger.SlotFail},
		{"other words", []ledger.Entry{entry(at("src.go", 7), "Magic numbers", ledger.High)}, []ledger.EntryFacts{onLine(line)}, []ledger.EarlierViolation{remembered(nil)}, nil, ledger.Rules{}, []string{"accepted"}, ledger.SlotFail},
		{"another line", []ledger.Entry{same}, []ledger.EntryFacts{onLine(ledger.LineFact{Known: true, Text: "f(2, 3)", Hash: "h:1"})}, []ledger.EarlierViolation{remembered(nil)}, nil, ledger.Rules{}, []string{"accepted"}, ledger.SlotFail},
		{"a line that is not known", []ledger.Entry{same}, []ledger.EntryFacts{{InRange: true}}, []ledger.EarlierViolation{remembered(func(m *ledger.EarlierViolation) { m.Fingerprint = "" })}, nil, ledger.Rules{}, []string{"accepted"}, ledger.SlotFail},
		{"its text stands twice, with the same code after it", []ledger.Entry{same}, []ledger.EntryFacts{onLine(repeated)}, []ledger.EarlierViolation{remembered(nil)}, nil, ledger.Rules{}, []string{"remembered_skip"}, ledger.SlotPass},
		{"its text stands twice, with other code after it", []ledger.Entry{same}, []ledger.EntryFacts{onLine(moved)}, []ledger.EarlierViolation{remembered(nil)}, nil, ledger.Rules{}, []string{"accepted"}, ledger.SlotFail},
		{"its text stood twice, with other code after it", []ledger.Entry{same}, []ledger.EntryFacts{onLine(ledger.LineFact{Known: true, Text: "f(1, 2)", Hash: "other:1"})}, []ledger.EarlierViolation{remembered(func(m *ledger.EarlierViolation) { m.LineRepeated = true })}, nil, ledger.Rules{}, []string{"accepted"}, ledger.SlotFail},
		{"its text stands twice, and of neither is known what comes after it", []ledger.Entry{same}, []ledger.EntryFacts{onLine(ledger.LineFact{Known: true, Text: "f(1, 2)", Repeated: true})}, []ledger.EarlierViolation{remembered(func(m *ledger.EarlierViolation) { m.LineHash = "" })}, nil, ledger.Rules{}, []string{"accepted"}, ledger.SlotFail},
		{"other code after a line that is there once", []ledger.Entry{same}, []ledger.EntryFacts{onLine(ledger.LineFact{Known: true, Text: "f(1, 2)", Hash: "other:1"})}, []ledger.EarlierViolation{remembered(nil)}, nil, ledger.Rules{}, []string{"remembered_skip"}, ledger.SlotPass},
		{"an empty line", []ledger.Entry{same}, []ledger.EntryFacts{onLine(empty)}, []ledger.EarlierViolation{remembered(blank)}, nil, ledger.Rules{}, []string{"accepted"}, ledger.SlotFail},
		{"an empty line, and a skip of the file", []ledger.Entry{same}, []ledger.EntryFacts{onLine(empty)}, []ledger.EarlierViolation{remembered(whole)}, nil, ledger.Rules{}, []string{"accepted"}, ledger.SlotFail},
		{"the whole file", []ledger.Entry{entry(at("src.go"), "Magic number", ledger.High)}, []ledger.EntryFacts{onLine(ledger.LineFact{Known: true})}, []ledger.EarlierViolation{remembered(whole)}, nil, ledger.Rules{}, []string{"remembered_skip"}, ledger.SlotPass},
		{"the whole file, kept by a version that did not count lines", []ledger.Entry{entry(at("src.go"), "Magic number", ledger.High)}, []ledger.EntryFacts{onLine(ledger.LineFact{Known: true, Hash: "other:1"})}, []ledger.EarlierViolation{remembered(func(m *ledger.EarlierViolation) { whole(m); m.LineRepeated = true })}, nil, ledger.Rules{}, []string{"remembered_skip"}, ledger.SlotPass},
		{"a file that is not known", []ledger.Entry{entry(at("src.go"), "Magic number", ledger.High)}, []ledger.EntryFacts{{InRange: true}}, []ledger.EarlierViolation{remembered(func(m *ledger.EarlierViolation) { whole(m); m.Fingerprint = "" })}, nil, ledger.Rules{}, []string{"accepted"}, ledger.SlotFail},
		{"the whole change", []ledger.Entry{{Place: at("src.go"), Issue: "Magic number", Priority: ledger.High, WholeChange: true}}, []ledger.EntryFacts{onLine(ledger.LineFact{Known: true})}, []ledger.EarlierViolation{remembered(whole)}, nil, ledger.Rules{}, []string{"accepted"}, ledger.SlotFail},
		{"twice", []ledger.Entry{same, same}, []ledger.EntryFacts{onLine(line), onLine(line)}, []ledger.EarlierViolation{remembered(nil)}, nil, ledger.Rules{}, []string{"remembered_skip", "merged"}, ledger.SlotPass},
		{"two skips", []ledger.Entry{same, same}, []ledger.EntryFacts{onLine(line), onLine(line)}, []ledger.EarlierViolation{remembered(nil), remembered(func(m *ledger.EarlierViolation) { m.ID = "OTHER" })}, nil, ledger.Rules{}, []string{"remembered_skip", "merged"}, ledger.SlotPass},
		{"a violation of this run has the words", []ledger.Entry{same}, []ledger.EntryFacts{onLine(line)}, []ledger.EarlierViolation{remembered(nil)}, []ledger.Known{earlier("A", ledger.StatusNew, at("src.go", 7), "Magic number")}, ledger.Rules{Slot: 1}, []string{"accepted A"}, ledger.SlotFail},
		{"a claim of this run has the words", []ledger.Entry{same}, []ledger.EntryFacts{onLine(line)}, []ledger.EarlierViolation{remembered(nil)}, []ledger.Known{earlier("A", ledger.StatusFixed, at("src.go", 7), "Magic number")}, ledger.Rules{Slot: 1}, []string{"accepted A"}, ledger.SlotFail},
		{"a claim elsewhere has the words", []ledger.Entry{same}, []ledger.EntryFacts{onLine(line)}, []ledger.EarlierViolation{remembered(nil)}, []ledger.Known{earlier("A", ledger.StatusFixed, at("src.go", 50), "Magic number")}, ledger.Rules{Slot: 1}, []string{"accepted A"}, ledger.SlotFail},
		{"a claim elsewhere has the words, and it was met before", []ledger.Entry{same}, []ledger.EntryFacts{onLine(line)}, []ledger.EarlierViolation{remembered(func(m *ledger.EarlierViolation) { m.MetBefore = true })}, []ledger.Known{earlier("A", ledger.StatusFixed, at("src.go", 50), "Magic number")}, ledger.Rules{Slot: 1}, []string{"accepted A"}, ledger.SlotFail},
		{"beside a claim in other words", []ledger.Entry{same}, []ledger.EntryFacts{onLine(line)}, []ledger.EarlierViolation{remembered(nil)}, []ledger.Known{earlier("A", ledger.StatusFixed, at("src.go", 8), "leaks")}, ledger.Rules{Slot: 1}, []string{"remembered_skip"}, ledger.SlotPass},
		{"it names a claim", []ledger.Entry{{Place: at("src.go", 7), Issue: "Magic number", Priority: ledger.High, SameAs: "A"}}, []ledger.EntryFacts{onLine(line)}, []ledger.EarlierViolation{remembered(nil)}, []ledger.Known{earlier("A", ledger.StatusFixed, at("src.go", 50), "leaks")}, ledger.Rules{Slot: 1}, []string{"accepted A"}, ledger.SlotFail},
		{"beside another report", []ledger.Entry{same, entry(at("src.go", 9), "leaks", ledger.High)}, []ledger.EntryFacts{onLine(line), {InRange: true}}, []ledger.EarlierViolation{remembered(nil)}, nil, ledger.Rules{}, []string{"remembered_skip", "accepted"}, ledger.SlotFail},
		{"beside a malformed one", []ledger.Entry{same, ledger.Entry{Place: at("src.go", 9), Issue: "leaks", Priority: ledger.High, Missing: []string{"priority"}}}, []ledger.EntryFacts{onLine(line), {InRange: true}}, []ledger.EarlierViolation{remembered(nil)}, nil, ledger.Rules{}, []string{"remembered_skip", "malformed"}, ledger.SlotError},
		{"off the changed lines", []ledger.Entry{same}, []ledger.EntryFacts{{Line: line, Fingerprint: printOf("src.go", line)}}, []ledger.EarlierViolation{remembered(nil)}, nil, ledger.Rules{}, []string{"out_of_diff"}, ledger.SlotPass},
		{"in a verification", []ledger.Entry{same}, []ledger.EntryFacts{onLine(line)}, []ledger.EarlierViolation{remembered(nil)}, nil, ledger.Rules{Verify: true}, []string{"outside_verify"}, ledger.SlotPass},
	}
	for _, test := range tests {
		e := match.Evaluate(ledger.Answer{Entries: test.entries}, test.known, ledger.Facts{Entries: test.facts, Remembered: test.skips}, test.rules)
		var got []string
		for _, r := range e.Reports {
			got = append(got, strings.TrimSpace(string(r.Disposition)+" "+r.Match))
		}
		if d := cmp.Diff(test.want, got); d != "" || e.Status != test.status {
			t.Errorf("%s: %s (-want +got):\n%s", test.name, e.Status, d)
		}
		for _, r := range e.Reports {
			if (r.Remembered != nil) != (r.Disposition == ledger.RememberedSkip) || r.Remembered != nil && r.Reason != "repeats violation old of an earlier run, which was skipped on 2026-03-04 (false_positive: as intended)" {
				t.Errorf("%s: %+v, %q", test.name, r.Remembered, r.Reason)
			}
		}
	}
}

// A skip covers reports with its words, or that name it, if their priority is not higher.
//
// Rule: A human's skip is remembered.
func TestRememberedCovers(t *testing.T) {
	t.Parallel()
	m := remembered(nil)
	for name, test := range map[string]struct {
		entry ledger.Entry
		want  bool
	}{
		"its words":                         {entry(at("src.go", 7), "magic number.", ledger.High), true},
		"other words":                       {entry(at("src.go", 7), "Leaks", ledger.High), false},
		"other words, and it names it":      {ledger.Entry{Place: at("src.go", 7), Issue: "Leaks", Priority: ledger.High, SameAs: "old"}, true},
		"it names it, of a higher priority": {ledger.Entry{Place: at("src.go", 7), Issue: "Leaks", Priority: ledger.Critical, SameAs: "old"}, false},
	} {
		r := ledger.Evaluated{Entry: test.entry, Line: line}
		if got := m.Covers(&r, m.Fingerprint); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// Another gate or another file has other fingerprints.
func TestFingerprints(t *testing.T) {
	t.Parallel()
	all := []string{
		ledger.Fingerprint("review:src:a", "a.go", line), ledger.Fingerprint("review:src:b", "a.go", line), ledger.Fingerprint("review:src:a", "b.go", line),
		ledger.Fingerprint("review:src:a", "a.go", ledger.LineFact{Known: true, Text: "f(1, 2)", Occurrence: 1}),
	}
	slices.Sort(all)
	if len(slices.Compact(all)) != 4 || ledger.Fingerprint("review:src:a", "a.go", ledger.LineFact{}) != "" {
		t.Error(all)
	}
	prints := ledger.FingerprintLines(quality, "src.go", []byte("a\n  f(1,  2)  \r\n\nf(1,  2)"))
	want := map[string]int{}
	for line, fact := range []ledger.LineFact{{}, {Text: "a"}, {Text: "f(1, 2)"}, {Text: "f(1,  2)", Occurrence: 1}} {
		fact.Known = true
		want[printOf("src.go", fact)] = []int{0, 1, 2, 4}[line]
	}
	if !maps.Equal(prints, want) {
		t.Errorf("%v, want %v", prints, want)
	}
}

// Rule: A human's skip is remembered.
func TestWhatIsRemembered(t *testing.T) {
	t.Parallel()
	onLine, whole := at("a.go", 1), at("a.go")
	tests := []struct {
		mark  ledger.Mark
		place ledger.Place
		want  bool
	}{
		{ledger.Mark{Status: ledger.StatusSkipped, Actor: ledger.ActorHuman}, onLine, true},
		{ledger.Mark{Status: ledger.StatusSkipped, Actor: ledger.ActorHuman, Reason: ledger.AcceptedRisk}, onLine, true},
		{ledger.Mark{Status: ledger.StatusSkipped, Actor: ledger.ActorHuman, Reason: ledger.Deferred}, onLine, false},
		{ledger.Mark{Status: ledger.StatusSkipped, Actor: ledger.ActorHuman, Reason: ledger.OutOfScope}, onLine, false},
		{ledger.Mark{Status: ledger.StatusSkipped, Actor: ledger.ActorHuman, Reason: ledger.Deferred, Memory: ledger.MemoryKeep}, onLine, true},
		{ledger.Mark{Status: ledger.StatusSkipped, Actor: ledger.ActorHuman, Memory: ledger.MemoryDrop}, onLine, false},
		{ledger.Mark{Status: ledger.StatusSkipped, Actor: ledger.ActorAgent}, onLine, false},
		{ledger.Mark{Status: ledger.StatusSkipped, Actor: ledger.ActorAgent, Memory: ledger.MemoryKeep}, onLine, true},
		{ledger.Mark{Status: ledger.StatusSkipped, Actor: ledger.ActorHuman}, whole, false},
		{ledger.Mark{Status: ledger.StatusSkipped, Actor: ledger.ActorHuman, Memory: ledger.MemoryKeep}, whole, true},
		{ledger.Mark{Status: ledger.StatusFixed, Actor: ledger.ActorHuman, Memory: ledger.MemoryKeep}, onLine, false},
		{ledger.Mark{Status: ledger.StatusNew, Actor: ledger.ActorHuman}, onLine, false},
	}
	for _, test := range tests {
		if got := test.mark.Remembers(test.place); got != test.want {
			t.Errorf("%+v at %+v: %v", test.mark, test.place, got)
		}
	}
}

// Rule: A human's skip is remembered.
func TestForgottenAnswersDoNotCount(t *testing.T) {
	t.Parallel()
	state := &ledger.State{
		Run:        ledger.Run{ID: "R", Base: "base"},
		Iterations: []ledger.Iteration{{Number: 1, Mode: ledger.ModeFirst, Tree: "t1"}, {Number: 2, Mode: ledger.ModeRerun, Tree: "t1"}},
		Gates: []ledger.Gate{
			{Iteration: 1, Job: quality, Kind: ledger.KindReview, Status: ledger.GatePassed, Slots: []ledger.Slot{
				{Iteration: 1, Job: quality, Index: 1, Status: ledger.SlotPass, Reviewed: "t1"},
				{Iteration: 1, Job: quality, Index: 2, Status: ledger.SlotPass, Reviewed: "t1", Forgotten: true},
			}},
			{Iteration: 2, Job: quality, Kind: ledger.KindReview, Status: ledger.GatePassed, Slots: []ledger.Slot{
				{Iteration: 2, Job: quality, Index: 1, Status: ledger.SlotPass, Reviewed: "t1"},
				{Iteration: 2, Job: quality, Index: 2, Status: ledger.SlotSkipped, PassIteration: 1},
			}},
		},
	}
	planned := ledger.Planned{Job: quality, Kind: ledger.KindReview, Fillers: make([]ledger.Filler, 2), Applies: true}
	view := ledger.View{Number: 3, Rerun: true, Source: ledger.SourceSession, From: "t1", To: "t1", Tree: "t1"}
	c := ledger.NewCoverage(state, view, nil)
	want := []ledger.Owed{{Job: quality, Slot: 2, Reason: ledger.SkipForgotten, Iteration: 1}}
	if d := cmp.Diff(want, c.Owed([]ledger.Planned{planned}, []ledger.Planned{planned})); d != "" {
		t.Errorf("owed (-want +got):\n%s", d)
	}
	if d := cmp.Diff(want, c.Stale([]ledger.Planned{planned})); d != "" {
		t.Errorf("stale (-want +got):\n%s", d)
	}
	if d := cmp.Diff(want, c.StaleAfter([]ledger.Planned{planned})); d != "" {
		t.Errorf("stale after (-want +got):\n%s", d)
	}
	if _, covered := c.Covered(planned); covered {
		t.Error("the gate is left alone")
	}
	if d := cmp.Diff(ledger.Shown{From: seen("base"), To: "t1"}, c.Shown(planned, 2)); d != "" {
		t.Errorf("slot 2 is not shown the whole change (-want +got):\n%s", d)
	}
	if plans := ledger.PlanSlots(state, quality, make([]ledger.Filler, 2)); !plans[0].Skip || plans[1].Skip {
		t.Errorf("%+v", plans)
	}
	skipped := state.Gates[1].Slots[1]
	state.Gates[1].Slots[1] = ledger.Slot{Iteration: 2, Job: quality, Index: 2, Status: ledger.SlotPass, Reviewed: "t1", Forgotten: true}
	if d := cmp.Diff(want, c.Stale([]ledger.Planned{planned})); d != "" {
		t.Errorf("after two answers (-want +got):\n%s", d)
	}
	state.Gates[0].Slots[1].Forgotten, state.Gates[1].Slots[1] = false, skipped
	c = ledger.NewCoverage(state, view, nil)
	if owed := c.Owed([]ledger.Planned{planned}, []ledger.Planned{planned}); len(owed) != 0 {
		t.Errorf("owed: %+v", owed)
	}
}

// Of what was said several times, the latest is listed.
//
// Rule: What is known is listed with its state.
func TestLatestOfChains(t *testing.T) {
	t.Parallel()
	of := func(id, line, words, sameAs string) ledger.EarlierViolation {
		return ledger.EarlierViolation{ShortID: id, Fingerprint: line, Issue: words, SameAs: sameAs}
	}
	found := []ledger.EarlierViolation{
		of("new", "x", "Slow", "mid"), of("again", "x", "slow.", ""), of("mid", "y", "Slowly", "old"), of("old", "z", "It is slow", ""),
		of("other", "x", "Wrong", ""), of("line", "w", "Slow", ""), of("named", "v", "Odd", ""), of("a", "", "Late", ""), of("b", "", "Late", ""),
	}
	var got []string
	for _, e := range ledger.LatestOfChains(found, []string{"named"}) {
		got = append(got, e.ShortID)
	}
	if want := []string{"new", "other", "line", "a", "b"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
