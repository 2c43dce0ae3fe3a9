package ledger_test

import (
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

func precedingRun() *ledger.PrecedingRun {
	return &ledger.PrecedingRun{Stands: true, State: &ledger.State{
		Run:         ledger.Run{ID: "P", Base: "base", Status: ledger.StatusPassed},
		Transitions: []ledger.Transition{{Cause: ledger.CauseStarted}, {Cause: ledger.CausePassedWhole}},
		Iterations:  []ledger.Iteration{{Number: 1, Tree: "t1"}, {Number: 2, Tree: "t2"}},
		Gates:       []ledger.Gate{{Iteration: 1, Job: "review:.:q", ConfigHash: "old"}, {Iteration: 2, Job: "review:.:q", ConfigHash: "h"}, {Iteration: 1, Job: "review:.:bare"}},
	}}
}

// A gate rests on a pass only if there is no reason against it. The first reason that applies is
// returned.
//
// Rule: No slot passes what it was not shown.
func TestRefuseGate(t *testing.T) {
	t.Parallel()
	for want, change := range map[ledger.RestReason]func(f *ledger.RestFacts){
		ledger.RestGranted:  func(*ledger.RestFacts) {},
		ledger.RestWhole:    func(f *ledger.RestFacts) { f.Whole, f.Branch = true, "" },
		ledger.RestAgain:    func(f *ledger.RestFacts) { f.Whole, f.Again = true, true },
		ledger.RestDetached: func(f *ledger.RestFacts) { f.Branch, f.Preceding = "", nil },
		ledger.RestNoRun:    func(f *ledger.RestFacts) { f.Preceding = nil },
		ledger.RestRestored: func(f *ledger.RestFacts) { f.Preceding.Iterations[0].Mode = ledger.ModeRebuilt },
		ledger.RestNotPassed: func(f *ledger.RestFacts) {
			f.Preceding.Run.Status, f.Preceding.Transitions = ledger.StatusAbandoned, nil
		},
		ledger.RestInPart:    func(f *ledger.RestFacts) { f.Preceding.Transitions[1].Cause = ledger.CausePassed },
		ledger.RestBaseMoved: func(f *ledger.RestFacts) { f.Base, f.Preceding.Stands = "another", false },
		ledger.RestTakenBack: func(f *ledger.RestFacts) { f.Preceding.Stands, f.Preceding.Skips = false, 1 },
		ledger.RestSkips:     func(f *ledger.RestFacts) { f.Preceding.Skips, f.Preceding.Withdrawn = 1, 1 },
		ledger.RestWithdrawn: func(f *ledger.RestFacts) { f.Preceding.Withdrawn, f.Preceding.Dropped = 1, 1 },
		ledger.RestDropped:   func(f *ledger.RestFacts) { f.Preceding.Dropped, f.TreeGone = 1, true },
		ledger.RestTreeGone:  func(f *ledger.RestFacts) { f.TreeGone = true },
	} {
		f := ledger.RestFacts{Branch: "feature", Base: "base", Preceding: precedingRun()}
		change(&f)
		if got := f.RefuseGate("review:.:q", "h"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	f := ledger.RestFacts{Branch: "feature", Base: "base", Preceding: precedingRun()}
	for job, hash := range map[string]string{"review:.:q": "old", "review:.:other": "h", "review:.:bare": ""} {
		if got := f.RefuseGate(job, hash); got != ledger.RestConfig {
			t.Errorf("%s with %q: %q", job, hash, got)
		}
	}
	f.Preceding.Iterations[1].Tree = "" // the tree changed while the gates ran
	if got := f.Refuse(); got != ledger.RestTreeGone {
		t.Errorf("without a tree: %q", got)
	}
	f.Preceding.Iterations = nil
	if got := f.Refuse(); got != ledger.RestTreeGone {
		t.Errorf("without an iteration: %q", got)
	}
}

// A gate that was not run because of the pass that it rests on does not keep a run from passing; a
// gate that never ran does.
//
// Rule: Done means passed as it is now.
func TestLeftToPass(t *testing.T) {
	t.Parallel()
	gate := ledger.Gate{Iteration: 1, Job: "review:.:q", Kind: ledger.KindReview, Status: ledger.GateNotRun, NotRun: ledger.NotRunUnchanged}
	state := &ledger.State{Iterations: []ledger.Iteration{{Number: 1, Tree: "t"}}, Gates: []ledger.Gate{gate}}
	if got := ledger.Assess(state).Status; got != ledger.StatusError {
		t.Errorf("resting on nothing: %s", got)
	}
	state.Gates[0].RestsOn = "P"
	if got := ledger.Assess(state).Status; got != ledger.StatusPassed {
		t.Errorf("resting on a pass: %s", got)
	}
	other := gate
	other.Job, other.RestsOn = "review:.:r", "P"
	state.Gates = append(state.Gates, other, ledger.Gate{Iteration: 1, Job: "check:.:c"})
	if got := state.RestsOn(); len(got) != 1 || got[0] != "P" {
		t.Errorf("it rests on %v", got)
	}
}

// A gate rests on the pass only while it is configured as it was and git has the tree that passed.
//
// Rule: No slot passes what it was not shown.
func TestRestOf(t *testing.T) {
	t.Parallel()
	at := func(hashes ...string) (gates []ledger.Gate) {
		for n, hash := range hashes {
			gates = append(gates, ledger.Gate{Iteration: n + 1, Job: "review:.:q", ConfigHash: hash})
		}
		return append(gates, ledger.Gate{Iteration: 1, Job: "review:.:r", ConfigHash: "another"})
	}
	for name, test := range map[string]struct {
		tree  string
		gates []ledger.Gate
		rests bool
	}{
		"not executed yet":      {"passed", at(), true},
		"executed":              {"passed", at("now", "now"), true},
		"configured otherwise":  {"passed", at("other"), false},
		"edited and put back":   {"passed", at("now", "other", "now"), false},
		"git has lost the tree": {"", at(), false},
	} {
		state := &ledger.State{Gates: test.gates, Rests: map[string]ledger.Rest{"review:.:q": {Run: "P", Tree: test.tree}}}
		if got := state.RestOf(ledger.Planned{Job: "review:.:q", ConfigHash: "now"}); (got.Run == "P") != test.rests {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
