package ledger_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

// loopOf returns a run whose iterations ran on tree1, tree2, … with HEAD at h0.
func loopOf(gates ...ledger.Gate) *ledger.State {
	s := state(gates)
	s.Run.Base = "base"
	for i := range s.Iterations {
		it := &s.Iterations[i]
		it.Mode, it.Source, it.Head = ledger.ModeRerun, ledger.SourceSession, "h0"
		it.Tree = fmt.Sprintf("tree%d", it.Number)
		if it.Number == 1 {
			it.Mode, it.Source = ledger.ModeFirst, ledger.SourceBase
		}
	}
	for g := range s.Gates {
		for n := range s.Gates[g].Slots {
			if slot := &s.Gates[g].Slots[n]; slot.Status.Answered() {
				slot.Reviewed = fmt.Sprintf("tree%d", slot.Iteration)
			}
		}
	}
	return s
}

// with returns the state after a change for one test.
func with(s *ledger.State, change func(*ledger.State)) *ledger.State {
	change(s)
	return s
}

// rerun returns the view of the next iteration, which compares with the session reference of
// iteration 1.
func rerun(s *ledger.State, change func(*ledger.View)) ledger.View {
	v := ledger.View{
		Number: s.LastIteration() + 1, Rerun: true, Source: ledger.SourceSession, From: "tree1", To: "now",
		SessionIteration: 1, Tree: "now", Head: "h0",
	}
	if change != nil {
		change(&v)
	}
	return v
}

func uncommitted(v *ledger.View) {
	v.Source, v.From, v.SessionIteration = ledger.SourceUncommitted, "h0", 0
}

func choseUncommitted(v *ledger.View) {
	v.Source, v.From, v.SessionIteration, v.Choice = ledger.SourceUncommittedOnly, "h0", 0, ledger.ChoseUncommitted
}

func choseCommit(v *ledger.View) {
	v.Source, v.From, v.To, v.SessionIteration, v.Choice = ledger.SourceCommit, "h0^", "h0", 0, ledger.ChoseCommit
}

func committed(change func(*ledger.View)) func(*ledger.View) {
	return func(v *ledger.View) {
		change(v)
		v.Head = "h1"
	}
}

// movedTo returns a copy of the state with another base; these iterations, or all, had the base "old".
func movedTo(base string, s *ledger.State, iterations ...int) *ledger.State {
	moved := *s
	moved.Run.Base = base
	moved.Iterations = slices.Clone(s.Iterations)
	for n := range moved.Iterations {
		it := &moved.Iterations[n]
		if it.Base = base; len(iterations) == 0 || slices.Contains(iterations, it.Number) {
			it.Base = "old"
		}
	}
	return &moved
}

// anew returns a copy of the state in which no answer from before the iteration counts.
func anew(s *ledger.State, iteration int) *ledger.State {
	again := *s
	again.Anew = iteration
	return &again
}

func sinceOld(v *ledger.View) { v.FromBase = "old" }

type facts = map[ledger.Part]ledger.PartFact

func part(from, to string) ledger.Part { return ledger.Part{From: from, To: to, Job: quality} }

// seen returns trees that were seen with the present base.
func seen(trees ...string) (list []ledger.Seen) {
	for _, tree := range trees {
		list = append(list, ledger.Seen{Tree: tree})
	}
	return list
}

var (
	differs = ledger.PartFact{Changed: true}
	beyond  = ledger.PartFact{Changed: true, Beyond: true}
	same    = ledger.PartFact{}
)

// Rule: No slot passes what it was not shown.
func TestCoverageShown(t *testing.T) {
	t.Parallel()
	answeredOnce := func() *ledger.State { return loopOf(reviewed(1, quality, fail, pass)) }
	byCommit := with(loopOf(reviewed(1, quality, fail, erred), reviewed(2, quality, fail, fail)), func(s *ledger.State) {
		s.Iterations[1].Source = ledger.SourceCommit
	})
	restored := with(answeredOnce(), func(s *ledger.State) { s.Gates[0].Slots[0].Reviewed = "" })
	uncommittedAt := func(head string) *ledger.State {
		return with(loopOf(reviewed(1, quality, fail), reviewed(2, quality, fail)), func(s *ledger.State) {
			s.Iterations[1].Source, s.Iterations[1].Head = ledger.SourceUncommittedOnly, head
		})
	}
	resting := func(s *ledger.State) *ledger.State {
		s.Rests = map[string]ledger.Rest{quality: {Run: "before", Tree: "passed"}}
		return s
	}
	otherwise := func(s *ledger.State) *ledger.State {
		s.Gates[0].RestsOn, s.Gates[0].ConfigHash = "before", "other"
		return s
	}
	whole := ledger.Shown{From: seen("base"), To: "now"}
	tests := []struct {
		name  string
		state *ledger.State
		view  func(*ledger.View)
		slot  int
		facts facts
		want  ledger.Shown
	}{
		{"a first run", loopOf(), func(v *ledger.View) { v.Rerun, v.From = false, "base" }, 1, nil, whole},
		{"since the session reference", answeredOnce(), nil, 1, nil, ledger.Shown{From: seen("tree1"), To: "now"}},
		{"a slot that never answered", loopOf(reviewed(1, quality, fail, erred)), nil, 2, nil, whole},
		{"a slot that never answered, whatever is chosen", loopOf(reviewed(1, quality, fail, erred)), choseUncommitted, 2, nil, whole},
		{"the session reference is younger than the answer",
			loopOf(reviewed(1, quality, pass, fail), since(reviewed(2, quality, skipped, fail), 1)),
			func(v *ledger.View) { v.From, v.SessionIteration = "tree2", 2 }, 1, nil, ledger.Shown{From: seen("tree1", "tree2"), To: "now"}},
		{"what went back to how another slot saw it",
			loopOf(reviewed(1, quality, fail, pass), since(reviewed(2, quality, fail, skipped), 1)), nil, 2, nil,
			ledger.Shown{From: seen("tree1", "tree2"), To: "now"}},
		{"what went back to how the slot itself saw it", loopOf(reviewed(1, quality, fail), reviewed(2, quality, fail)), nil, 1, nil,
			ledger.Shown{From: seen("tree1", "tree2"), To: "now"}},
		{"what went back to how the slot itself saw it, and another one later",
			loopOf(reviewed(1, quality, fail, fail), reviewed(2, quality, pass, fail), since(reviewed(3, quality, skipped, fail), 2)), nil, 1, nil,
			ledger.Shown{From: seen("tree1", "tree2", "tree3"), To: "now"}},
		{"uncommitted, and HEAD moved", answeredOnce(), committed(uncommitted), 1, nil, ledger.Shown{From: seen("tree1"), To: "now"}},
		{"uncommitted, and a file went back to HEAD", answeredOnce(), uncommitted, 1, facts{part("tree1", "now"): beyond},
			ledger.Shown{From: seen("tree1"), To: "now"}},
		{"uncommitted shows all of it", answeredOnce(), uncommitted, 1, facts{part("tree1", "now"): differs},
			ledger.Shown{From: seen("h0", "tree1"), To: "now"}},
		{"chosen: a commit", answeredOnce(), choseCommit, 1, nil, ledger.Shown{From: seen("h0^"), To: "h0"}},
		{"chosen: a commit, by a first run", loopOf(), func(v *ledger.View) { choseCommit(v); v.Rerun = false }, 1, nil, ledger.Shown{From: seen("h0^"), To: "h0"}},
		{"chosen: a commit, after an answer to another", byCommit, choseCommit, 2, nil, ledger.Shown{From: seen("h0^"), To: "h0"}},
		{"chosen: uncommitted", answeredOnce(), choseUncommitted, 1, nil, ledger.Shown{From: seen("h0", "tree1"), To: "now"}},
		{"chosen: uncommitted after a commit", answeredOnce(), committed(choseUncommitted), 1, nil, ledger.Shown{From: seen("h0"), To: "now"}},
		{"an answer to a chosen commit does not count", byCommit, nil, 2, nil, whole},
		{"an answer before a chosen commit counts", byCommit, func(v *ledger.View) { v.From, v.SessionIteration = "tree2", 2 }, 1, nil,
			ledger.Shown{From: seen("tree1"), To: "now"}},
		{"an answer after a commit counts", with(loopOf(reviewed(1, quality, fail), reviewed(2, quality, fail)), func(s *ledger.State) { s.Iterations[1].Head = "h1" }), nil, 1, nil,
			ledger.Shown{From: seen("tree1", "tree2"), To: "now"}},
		{"an answer to what was uncommitted counts", uncommittedAt("h0"), nil, 1, nil, ledger.Shown{From: seen("tree1", "tree2"), To: "now"}},
		{"unless something was committed before", uncommittedAt("h1"), nil, 1, nil, ledger.Shown{From: seen("tree1"), To: "now"}},
		{"an answer of a first run to a chosen commit counts", with(loopOf(reviewed(1, quality, fail), reviewed(2, quality, fail)), func(s *ledger.State) { s.Iterations[0].Source = ledger.SourceCommit }), nil, 1, nil,
			ledger.Shown{From: seen("tree1", "tree2"), To: "now"}},
		{"an answer of an iteration that is not known does not count", with(answeredOnce(), func(s *ledger.State) { s.Iterations = []ledger.Iteration{{Number: 2}} }), nil, 1, nil, whole},
		{"all of it again", answeredOnce(), func(v *ledger.View) { v.Source, v.From, v.SessionIteration = ledger.SourceBase, "base", 0 }, 1, nil, ledger.Shown{From: seen("base", "tree1"), To: "now"}},
		{"restored, with a session reference", restored, nil, 1, nil, whole},
		{"restored, without one", restored, uncommitted, 1, nil, whole},
		{"restored, and the session reference is younger", restored, func(v *ledger.View) { v.From, v.SessionIteration = "tree2", 2 }, 1, nil, whole},
		{"the session reference is of the iteration of the answer", with(answeredOnce(), func(s *ledger.State) { s.Gates[0].Slots[0].Reviewed = "before" }), nil, 1, nil,
			ledger.Shown{From: seen("tree1", "before"), To: "now"}},
		{"the only answer is of a first run to a chosen commit", with(answeredOnce(), func(s *ledger.State) { s.Iterations[0].Source = ledger.SourceCommit }), nil, 1, nil,
			ledger.Shown{From: seen("tree1"), To: "now"}},
		{"the only answer is to what was uncommitted", with(loopOf(reviewed(1, quality, fail, erred), reviewed(2, quality, fail, fail)), func(s *ledger.State) {
			s.Iterations[1].Source = ledger.SourceUncommittedOnly
		}), nil, 2, nil, ledger.Shown{From: seen("tree1", "tree2"), To: "now"}},
		{"a gate that rests on a pass", resting(loopOf(reviewed(1, quality, fail, erred))), nil, 2, nil, ledger.Shown{From: seen("passed"), To: "now"}},
		{"it has answered", resting(answeredOnce()), nil, 1, nil, ledger.Shown{From: seen("tree1"), To: "now"}},
		{"it has answered, without a session reference", resting(answeredOnce()), uncommitted, 1, facts{part("tree1", "now"): differs},
			ledger.Shown{From: seen("passed", "tree1"), To: "now"}},
		{"the gate was configured otherwise when it began to rest", otherwise(resting(loopOf(reviewed(1, quality, fail, erred)))), nil, 2, nil, whole},
		{"it has answered, and was configured otherwise when it began to rest", otherwise(resting(answeredOnce())), uncommitted, 1, nil, whole},
		{"it has answered, chosen: uncommitted", resting(answeredOnce()), choseUncommitted, 1, nil, ledger.Shown{From: seen("h0", "tree1"), To: "now"}},
		{"all is asked for, after an answer", answeredOnce(), func(v *ledger.View) { v.Whole = true }, 1, nil, whole},
		{"all is asked for, of a gate that rests on a pass", resting(answeredOnce()), func(v *ledger.View) { v.Whole = true }, 1, nil, whole},
		{"the base moved after the answer", movedTo("base", answeredOnce()), sinceOld, 1, nil, ledger.Shown{From: []ledger.Seen{{Tree: "tree1", Base: "old"}}, To: "now"}},
		{"the base moved between two answers", movedTo("base", loopOf(reviewed(1, quality, fail), reviewed(2, quality, fail)), 1), sinceOld, 1, nil,
			ledger.Shown{From: []ledger.Seen{{Tree: "tree1", Base: "old"}, {Tree: "tree2"}}, To: "now"}},
		{"the base moved, and the tree did not", movedTo("base", loopOf(reviewed(1, quality, fail))), func(v *ledger.View) { sinceOld(v); v.Tree, v.To = "tree1", "tree1" }, 1, nil,
			ledger.Shown{From: []ledger.Seen{{Tree: "tree1", Base: "old"}}, To: "tree1"}},
		{"the base moved, without a session reference", movedTo("base", answeredOnce()), uncommitted, 1, nil, ledger.Shown{From: []ledger.Seen{{Tree: "tree1", Base: "old"}}, To: "now"}},
		{"the base moved since the pass that the gate rests on", with(resting(movedTo("base", loopOf(reviewed(1, quality, fail, erred)))), func(s *ledger.State) {
			s.Rests[quality] = ledger.Rest{Run: "before", Tree: "passed", Base: "old"}
		}), sinceOld, 2, nil, ledger.Shown{From: []ledger.Seen{{Tree: "passed", Base: "old"}}, To: "now"}},
		{"the history was rewritten", anew(answeredOnce(), 2), func(v *ledger.View) { v.Source, v.From, v.SessionIteration = ledger.SourceBase, "base", 0 }, 1, nil, whole},
		{"the history was rewritten, whatever is chosen", anew(answeredOnce(), 2), choseUncommitted, 1, nil, whole},
		{"the history was rewritten before its latest answer", anew(loopOf(reviewed(1, quality, fail), reviewed(2, quality, fail)), 2), nil, 1, nil,
			ledger.Shown{From: seen("tree1", "tree2"), To: "now"}},
		{"another gate's answer does not count", loopOf(reviewed(1, quality, fail, erred), reviewed(1, security, fail, pass)), nil, 2, nil, whole},
		{"an answer of this iteration does not count", loopOf(reviewed(1, quality, fail, erred), reviewed(2, quality, fail, pass)), func(v *ledger.View) { v.Number = 2 }, 2, nil, whole},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := ledger.NewCoverage(tt.state, rerun(tt.state, tt.view), tt.facts)
			got := c.Shown(ledger.Planned{Job: quality, Kind: ledger.KindReview, Fillers: make([]ledger.Filler, 2)}, tt.slot)
			got.Last, got.Other = ledger.Seen{}, ledger.Seen{} // see below
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("shown (-want +got):\n%s", d)
			}
			if len(c.Unknown()) > 0 {
				t.Errorf("unknown: %v", c.Unknown())
			}
		})
	}
}

// Only what has changed since a slot's last answer is new to it, unless that is not known or the user
// chose what it is shown.
//
// Rule: No slot passes what it was not shown.
func TestCoverageLast(t *testing.T) {
	t.Parallel()
	answeredOnce := func() *ledger.State { return loopOf(reviewed(1, quality, fail, pass)) }
	twice := loopOf(reviewed(1, quality, fail, fail), reviewed(2, quality, pass, fail), since(reviewed(3, quality, skipped, fail), 2))
	restored := answeredOnce()
	restored.Gates[0].Slots[0].Reviewed = ""
	chosen := loopOf(reviewed(1, quality, fail), reviewed(2, quality, fail))
	chosen.Iterations[1].Source = ledger.SourceCommit
	for name, test := range map[string]struct {
		state       *ledger.State
		view        func(*ledger.View)
		slot        int
		last, other string
	}{
		"never":                          {loopOf(reviewed(1, quality, fail, erred)), nil, 2, "", ""},
		"once":                           {answeredOnce(), nil, 1, "tree1", ""},
		"before another slot":            {twice, nil, 1, "tree2", "tree3"},
		"after another slot":             {twice, nil, 2, "tree3", ""},
		"restored":                       {restored, nil, 1, "", ""},
		"to a chosen commit":             {chosen, nil, 1, "tree1", ""},
		"a commit is chosen":             {answeredOnce(), choseCommit, 1, "", ""},
		"uncommitted changes are chosen": {answeredOnce(), choseUncommitted, 1, "tree1", ""},
		"uncommitted changes are chosen, HEAD moved": {answeredOnce(), committed(choseUncommitted), 1, "", ""},
		"all is asked for":                           {answeredOnce(), func(v *ledger.View) { v.Whole = true }, 1, "", ""},
	} {
		shown := ledger.NewCoverage(test.state, rerun(test.state, test.view), nil).Shown(ledger.Planned{Job: quality, Kind: ledger.KindReview, Fillers: make([]ledger.Filler, 2)}, test.slot)
		if shown.Last.Tree != test.last || shown.Other.Tree != test.other {
			t.Errorf("%s: %+v", name, shown)
		}
	}
}

// Rule: Nothing changed and nothing owed means nothing runs.
func TestCoverageCovered(t *testing.T) {
	t.Parallel()
	still := facts{part("tree1", "now"): same, part("tree2", "now"): same}
	edited := facts{part("tree1", "now"): differs, part("tree2", "now"): same}
	claim := func(s *ledger.State) {
		s.Violations = []ledger.Violation{violation("a", quality, 1, ledger.StatusFixed)}
	}
	opened := func(s *ledger.State) {
		s.Violations = []ledger.Violation{violation("a", quality, 1, ledger.StatusNew)}
	}
	verified := func(s *ledger.State) {
		s.Violations = []ledger.Violation{violation("a", quality, 1, ledger.StatusVerified)}
	}
	other := func(s *ledger.State) {
		s.Violations = []ledger.Violation{violation("a", security, 1, ledger.StatusNew)}
	}
	onPass := func(s *ledger.State) { s.Rests = map[string]ledger.Rest{quality: {Run: "P", Tree: "pass"}} }
	leftAlone := ledger.Gate{Iteration: 1, Job: quality, Kind: ledger.KindReview, Status: ledger.GateNotRun, NotRun: ledger.NotRunUnchanged, RestsOn: "P"}
	const byPass = -1
	tests := []struct {
		name  string
		state *ledger.State
		facts facts
		since int // 0 if it runs
	}{
		{"passed and unchanged", loopOf(reviewed(1, quality, pass, pass)), still, 1},
		{"passed and changed", loopOf(reviewed(1, quality, pass, pass)), edited, 0},
		{"passed later", loopOf(reviewed(1, quality, fail, pass), since(reviewed(2, quality, pass, skipped), 1)), still, 2},
		{"went back to what the session reference has, and not to what was seen last",
			loopOf(reviewed(1, quality, fail, pass), since(reviewed(2, quality, pass, skipped), 1)),
			facts{part("tree1", "now"): same, part("tree2", "now"): differs}, 0},
		{"never ran", loopOf(reviewed(1, security, pass)), still, 0},
		{"failed", loopOf(reviewed(1, quality, pass, fail)), still, 0},
		{"in error", loopOf(reviewed(1, quality, pass, erred)), still, 0},
		{"a slot without a row", loopOf(reviewed(1, quality, pass)), still, 0},
		{"a claim", with(loopOf(reviewed(1, quality, pass, pass)), claim), still, 0},
		{"a skip that was taken back", with(loopOf(reviewed(1, quality, pass, pass)), opened), still, 0},
		{"a verified violation", with(loopOf(reviewed(1, quality, pass, pass)), verified), still, 1},
		{"another gate's violation", with(loopOf(reviewed(1, quality, pass, pass)), other), still, 1},
		{"the answer of slot 2 rests on a forgotten skip", with(loopOf(reviewed(1, quality, pass, pass)), func(s *ledger.State) { s.Gates[0].Slots[1].Forgotten = true }), still, 0},
		{"the answer of slot 1 rested on a forgotten skip", with(loopOf(reviewed(1, quality, pass, pass), reviewed(2, quality, pass, pass)), func(s *ledger.State) { s.Gates[0].Slots[0].Forgotten = true }), still, 2},
		{"never ran, and rests on a pass that is changed", with(loopOf(reviewed(1, security, pass)), onPass), facts{part("pass", "now"): differs}, 0},
		{"never ran, and rests on a pass", with(loopOf(reviewed(1, security, pass)), onPass), facts{part("pass", "now"): same}, byPass},
		{"left alone since its pass", with(loopOf(reviewed(1, security, pass), leftAlone), onPass), facts{part("pass", "now"): same}, byPass},
		{"left alone since its pass, and configured otherwise then", with(loopOf(reviewed(1, security, pass), leftAlone), func(s *ledger.State) { onPass(s); s.Gates[1].ConfigHash = "other" }), nil, 0},
		{"was asked after its pass", with(loopOf(reviewed(1, quality, fail, pass)), onPass), facts{part("pass", "now"): same, part("tree1", "now"): same}, 0},
		{"the base moved, and nothing of the author's changed", movedTo("base", loopOf(reviewed(1, quality, pass, pass))),
			facts{{From: "tree1", Base: "old", To: "now", Job: quality}: same, part("tree1", "now"): differs}, 1},
		{"the base moved, and something of the author's changed", movedTo("base", loopOf(reviewed(1, quality, pass, pass))),
			facts{{From: "tree1", Base: "old", To: "now", Job: quality}: differs, part("tree1", "now"): same}, 0},
		{"the history was rewritten", anew(loopOf(reviewed(1, quality, pass, pass)), 2), still, 0},
		{"configured otherwise when it passed", with(loopOf(reviewed(1, quality, pass, pass)), func(s *ledger.State) { s.Gates[0].ConfigHash = "other" }), still, 0},
		{"slot 2 saw another tree", with(loopOf(reviewed(1, quality, pass, pass)), func(s *ledger.State) { s.Gates[0].Slots[1].Reviewed = "tree0" }),
			facts{part("tree1", "now"): same, part("tree0", "now"): differs}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			view := rerun(tt.state, func(v *ledger.View) { v.FromBase = tt.state.Iterations[0].Base })
			c := ledger.NewCoverage(tt.state, view, tt.facts)
			since, covered := c.Covered(ledger.Planned{Job: quality, Kind: ledger.KindReview, Fillers: make([]ledger.Filler, 2)})
			if covered != (tt.since != 0) || since != max(tt.since, 0) || len(c.Unknown()) > 0 {
				t.Errorf("covered: %t since %d (unknown: %v), want since %d", covered, since, c.Unknown(), tt.since)
			}
		})
	}
	passed := loopOf(checked(1, ledger.GatePassed))
	c := ledger.NewCoverage(passed, rerun(passed, nil), facts{{From: "tree1", To: "now", Job: lint}: same})
	if _, covered := c.Covered(ledger.Planned{Job: lint, Kind: ledger.KindCheck}); covered {
		t.Error("a check is left alone")
	}
}

// A part without a fact counts as changed, and is asked for once.
//
// Rule: A snapshot holds the whole working tree.
func TestCoverageUnknown(t *testing.T) {
	t.Parallel()
	s := loopOf(reviewed(1, quality, pass, pass))
	c := ledger.NewCoverage(s, rerun(s, nil), nil)
	p := ledger.Planned{Job: quality, Kind: ledger.KindReview, Fillers: make([]ledger.Filler, 2)}
	for range 2 {
		if _, covered := c.Covered(p); covered {
			t.Error("covered without a fact")
		}
	}
	if d := cmp.Diff([]ledger.Part{part("tree1", "now")}, c.Unknown()); d != "" {
		t.Errorf("unknown (-want +got):\n%s", d)
	}
	if _, covered := ledger.NewCoverage(s, rerun(s, func(v *ledger.View) { v.Tree, v.To = "tree1", "tree1" }), nil).Covered(p); !covered {
		t.Error("a tree differs from itself")
	}
	if got := ledger.NewCoverage(s, rerun(s, uncommitted), nil).Shown(p, 1).From; !slices.Equal(got, seen("tree1")) {
		t.Errorf("of uncommitted changes it is shown what changed since %q, as a commit may hide some", got)
	}
}

// Rule: A run passes only over code that its gates have seen.
func TestCoverageStale(t *testing.T) {
	t.Parallel()
	onTree2 := func(v *ledger.View) { v.Tree = "tree2" }
	applies := []ledger.Planned{{Job: quality, Kind: ledger.KindReview, Fillers: make([]ledger.Filler, 1), Applies: true}, {Job: lint, Kind: ledger.KindCheck, Applies: true}}
	elsewhere := []ledger.Planned{{Job: quality, Kind: ledger.KindReview, Fillers: make([]ledger.Filler, 1)}, {Job: lint, Kind: ledger.KindCheck}}
	lintOnly := loopOf(reviewed(1, quality, pass), checked(2, ledger.GatePassed))
	both := loopOf(reviewed(1, quality, fail), reviewed(2, quality, fail), checked(2, ledger.GatePassed))
	byCommit := with(loopOf(reviewed(1, quality, fail), reviewed(2, quality, pass)), func(s *ledger.State) { s.Iterations[1].Source = ledger.SourceCommit })
	restored := with(loopOf(reviewed(1, quality, fail), checked(2, ledger.GatePassed)), func(s *ledger.State) { s.Iterations[0].Tree = "" })
	tests := []struct {
		name       string
		state      *ledger.State
		view       func(*ledger.View)
		configured []ledger.Planned
		facts      facts
		want       []ledger.Owed
	}{
		{"all ran on this tree", both, onTree2, applies, nil, nil},
		{"the tree changed", both, nil, applies, nil, []ledger.Owed{{Reason: ledger.TreeChanged, Iteration: 2}}},
		{"nothing ran", loopOf(), nil, applies, nil, []ledger.Owed{{Reason: ledger.TreeChanged}}},
		{"a part changed before the latest iteration", lintOnly, onTree2, applies, facts{part("tree1", "tree2"): differs},
			[]ledger.Owed{{Job: quality, Reason: ledger.PartChanged, Iteration: 1}}},
		{"another part changed", lintOnly, onTree2, applies, facts{part("tree1", "tree2"): same}, nil},
		{"a gate that does not run here", lintOnly, onTree2, elsewhere, nil, nil},
		{"a gate that is no longer configured", lintOnly, onTree2, applies[1:], nil, nil},
		{"a chosen commit", byCommit, onTree2, applies, nil, []ledger.Owed{{Job: quality, Reason: ledger.NotShown, Iteration: 2}}},
		{"a chosen commit, of a gate that does not run here", byCommit, onTree2, elsewhere, nil, []ledger.Owed{{Job: quality, Reason: ledger.NotShown, Iteration: 2}}},
		{"a chosen commit, of a gate that is no longer configured", byCommit, onTree2, applies[1:], nil, nil},
		{"a chosen commit alone", with(loopOf(reviewed(1, quality, erred), reviewed(2, quality, pass)), func(s *ledger.State) { s.Iterations[1].Source = ledger.SourceCommit }), onTree2, applies, nil,
			[]ledger.Owed{{Job: quality, Reason: ledger.NotShown, Iteration: 2}}},
		{"a check of an iteration that is not known", with(loopOf(checked(1, ledger.GatePassed), checked(2, ledger.GatePassed)), func(s *ledger.State) {
			s.Iterations, s.Gates = s.Iterations[1:], s.Gates[:1]
		}), onTree2, applies, nil, []ledger.Owed{{Job: lint, Reason: ledger.TreeUnknown, Iteration: 1}}},
		{"the base moved, and the tree did not", movedTo("base", both), onTree2, applies, nil, []ledger.Owed{{Reason: ledger.BaseChanged, Iteration: 2}}},
		{"the base moved after a check", movedTo("base", loopOf(reviewed(1, quality, fail), checked(1, ledger.GatePassed), reviewed(2, quality, fail)), 1), onTree2, applies, nil,
			[]ledger.Owed{{Job: lint, Reason: ledger.BaseChanged, Iteration: 1}}},
		{"the history was rewritten after a review", anew(lintOnly, 2), onTree2, applies, nil, []ledger.Owed{{Job: quality, Reason: ledger.BaseChanged, Iteration: 1}}},
		{"restored", restored, onTree2, applies, nil, []ledger.Owed{{Job: quality, Reason: ledger.TreeUnknown, Iteration: 1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := ledger.NewCoverage(tt.state, rerun(tt.state, tt.view), tt.facts)
			if d := cmp.Diff(tt.want, c.Stale(tt.configured)); d != "" {
				t.Errorf("stale (-want +got):\n%s", d)
			}
		})
	}
}

// Rule: A run passes only over code that its gates have seen.
// Rule: No slot passes what it was not shown.
func TestCoverageStaleAfter(t *testing.T) {
	t.Parallel()
	restricted := func(v *ledger.View) { v.Number, v.Tree, v.Restricted = 2, "tree2", true }
	chosen := func(choose func(*ledger.View)) func(*ledger.View) {
		return func(v *ledger.View) {
			choose(v)
			v.Number, v.Tree = 2, "tree2"
		}
	}
	notShown := []ledger.Owed{{Job: quality, Reason: ledger.NotShown, Iteration: 2}}
	behind := []ledger.Owed{{Job: quality, Reason: ledger.PartChanged, Iteration: 1}}
	lintOnly := loopOf(reviewed(1, quality, pass), checked(2, ledger.GatePassed))
	again := func(source ledger.Source, reviewedTree string) *ledger.State {
		return with(loopOf(reviewed(1, quality, fail), reviewed(2, quality, pass)), func(s *ledger.State) {
			s.Iterations[1].Source = source
			s.Gates[1].Slots[0].Reviewed = reviewedTree
		})
	}
	late := with(loopOf(reviewed(1, quality, erred), reviewed(2, quality, pass)), func(s *ledger.State) { s.Iterations[1].Source = ledger.SourceCommit })
	twice := with(loopOf(reviewed(1, quality, erred), reviewed(2, quality, fail), reviewed(3, quality, pass)), func(s *ledger.State) {
		s.Iterations[1].Source, s.Iterations[2].Source = ledger.SourceCommit, ledger.SourceCommit
		s.Gates[2].Slots[0].Reviewed = "tree2"
	})
	tests := []struct {
		name  string
		state *ledger.State
		view  func(*ledger.View)
		facts facts
		want  []ledger.Owed
	}{
		{"everything ran", lintOnly, func(v *ledger.View) { v.Number, v.Tree = 2, "tree2" }, nil, nil},
		{"only checks ran, and the review's part changed", lintOnly, restricted, facts{part("tree1", "tree2"): differs}, behind},
		{"only checks ran, and the review's part did not change", lintOnly, restricted, facts{part("tree1", "tree2"): same}, nil},
		{"a commit that is all that changed", again(ledger.SourceCommit, "h0"), chosen(choseCommit),
			facts{part("h0", "tree2"): same, part("tree1", "tree2"): differs}, nil},
		{"a commit, and something is not committed", again(ledger.SourceCommit, "h0"), chosen(choseCommit),
			facts{part("h0", "tree2"): differs, part("tree1", "tree2"): differs}, notShown},
		{"a commit, and there was one before", again(ledger.SourceCommit, "h0"), chosen(choseCommit),
			facts{part("h0", "tree2"): same, part("tree1", "tree2"): beyond}, notShown},
		{"uncommitted, and nothing was committed", again(ledger.SourceUncommittedOnly, "tree2"), chosen(choseUncommitted), nil, nil},
		{"uncommitted, and something was committed", again(ledger.SourceUncommittedOnly, "tree2"), chosen(committed(choseUncommitted)),
			facts{part("tree1", "tree2"): beyond}, notShown},
		{"uncommitted, and what was committed is undone", again(ledger.SourceUncommittedOnly, "tree2"), chosen(committed(choseUncommitted)),
			facts{part("tree1", "tree2"): differs}, nil},
		{"a commit, after an answer to a commit alone", twice, func(v *ledger.View) { choseCommit(v); v.Number, v.Tree = 3, "tree2" }, facts{part("tree2", "tree2"): same, part("base", "tree2"): beyond}, []ledger.Owed{{Job: quality, Reason: ledger.NotShown, Iteration: 3}}},
		{"a commit, and the slot did not answer", with(loopOf(reviewed(1, quality, fail), reviewed(2, quality, erred)), func(s *ledger.State) { s.Iterations[1].Source = ledger.SourceCommit }), chosen(choseCommit), nil, nil},
		{"a commit, after an answer that was restored", with(again(ledger.SourceCommit, "h0"), func(s *ledger.State) { s.Gates[0].Slots[0].Reviewed = "" }), chosen(choseCommit),
			facts{part("h0", "tree2"): same, part("base", "tree2"): beyond}, notShown},
		{"a slot that had never answered was shown all", late, chosen(choseCommit), nil, nil},
		{"a first run of a commit", again(ledger.SourceCommit, "h0"), func(v *ledger.View) { choseCommit(v); v.Number, v.Tree, v.Rerun = 2, "tree2", false },
			facts{part("h0", "tree2"): differs, part("tree1", "tree2"): differs}, nil},
		{"only some ran, and none was kept from a change", again(ledger.SourceSession, "h0"), restricted,
			facts{part("h0", "tree2"): differs, part("tree1", "tree2"): differs}, nil},
	}
	configured := []ledger.Planned{{Job: quality, Kind: ledger.KindReview, Fillers: make([]ledger.Filler, 1), Applies: true}, {Job: lint, Kind: ledger.KindCheck, Applies: true}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := ledger.NewCoverage(tt.state, rerun(tt.state, tt.view), tt.facts)
			if d := cmp.Diff(tt.want, c.StaleAfter(configured)); d != "" {
				t.Errorf("stale (-want +got):\n%s", d)
			}
			if len(c.Unknown()) > 0 {
				t.Errorf("unknown: %v", c.Unknown())
			}
			for n := range configured {
				configured := append([]ledger.Planned{}, configured...)
				configured[n].Applies = false
				for _, stale := range c.StaleAfter(configured) {
					if stale.Job == configured[n].Job {
						t.Errorf("%s does not run here, and is stale", stale.Job)
					}
				}
			}
		})
	}
}

// Rule: Nothing changed and nothing owed means nothing runs.
func TestCoverageOwed(t *testing.T) {
	t.Parallel()
	review := ledger.Planned{Job: quality, Kind: ledger.KindReview, Fillers: make([]ledger.Filler, 2), Applies: true}
	check := ledger.Planned{Job: lint, Kind: ledger.KindCheck, Applies: true}
	broken := ledger.Gate{Iteration: 2, Job: quality, Kind: ledger.KindReview, Status: ledger.GateError}
	unfinished := reviewed(1, quality, pass, fail)
	unfinished.Status = ledger.GateInterrupted
	slot := func(index int, reason ledger.Reason, iteration int) ledger.Owed {
		return ledger.Owed{Job: quality, Slot: index, Reason: reason, Iteration: iteration}
	}
	gate := func(job string, reason ledger.Reason, iteration int) []ledger.Owed {
		return []ledger.Owed{{Job: job, Reason: reason, Iteration: iteration}}
	}
	open := ledger.Violation{Job: quality, Slot: 1, Status: ledger.StatusNew}
	tests := []struct {
		name    string
		gates   []ledger.Gate
		planned ledger.Planned
		tree    string
		want    []ledger.Owed
	}{
		{"all answered", []ledger.Gate{reviewed(1, quality, pass, fail)}, review, "tree1", nil},
		{"skipped is answered", []ledger.Gate{reviewed(1, quality, pass, fail), since(reviewed(2, quality, skipped, fail), 1)}, review, "tree2", nil},
		{"never answered", []ledger.Gate{reviewed(1, quality, pass)}, review, "tree1", []ledger.Owed{slot(2, ledger.NeverAnswered, 0)}},
		{"erred", []ledger.Gate{reviewed(1, quality, erred, fail)}, review, "tree1", []ledger.Owed{slot(1, ledger.WasInError, 1)}},
		{"interrupted", []ledger.Gate{reviewed(1, quality, ledger.SlotRunning, ledger.SlotInterrupted)}, review, "tree1",
			[]ledger.Owed{slot(1, ledger.Interrupted, 1), slot(2, ledger.Interrupted, 1)}},
		{"a gate with no healthy adapter, after answers", []ledger.Gate{reviewed(1, quality, fail, fail), broken}, review, "tree2", gate(quality, ledger.NotFinished, 2)},
		{"a gate that was killed after its last answer", []ledger.Gate{unfinished}, review, "tree1", gate(quality, ledger.NotFinished, 1)},
		{"a check that never ran", []ledger.Gate{reviewed(1, quality, pass, fail)}, check, "tree1", gate(lint, ledger.NeverRan, 0)},
		{"a passed check", []ledger.Gate{checked(1, ledger.GatePassed)}, check, "tree2", nil},
		{"a failed check on the same tree", []ledger.Gate{checked(1, ledger.GateFailed)}, check, "tree1", nil},
		{"a failed check on another tree", []ledger.Gate{checked(1, ledger.GateFailed)}, check, "tree2", gate(lint, ledger.FailedBefore, 1)},
		{"a check whose program was not found", []ledger.Gate{exited(127)}, check, "tree1", gate(lint, ledger.CouldNotStart, 1)},
		{"a check whose program could not be executed", []ledger.Gate{exited(126)}, check, "tree1", gate(lint, ledger.CouldNotStart, 1)},
		{"a check that failed by itself", []ledger.Gate{exited(125)}, check, "tree1", nil},
		{"the latest failure counts", []ledger.Gate{checked(1, ledger.GateFailed), checked(2, ledger.GateFailed)}, check, "tree1", gate(lint, ledger.FailedBefore, 2)},
		{"a check in error", []ledger.Gate{checked(1, ledger.GateError)}, check, "tree1", gate(lint, ledger.WasInError, 1)},
		{"an interrupted check", []ledger.Gate{checked(1, ledger.GateInterrupted)}, check, "tree1", gate(lint, ledger.NotFinished, 1)},
		{"a check that was not run", []ledger.Gate{checked(1, ledger.GateNotRun)}, check, "tree1", gate(lint, ledger.NotFinished, 1)},
		{"a check that is still running", []ledger.Gate{checked(1, ledger.GateRunning)}, check, "tree1", gate(lint, ledger.NotFinished, 1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := with(loopOf(tt.gates...), func(s *ledger.State) { s.Violations = []ledger.Violation{open} })
			v := rerun(s, func(v *ledger.View) { v.Tree = tt.tree })
			if d := cmp.Diff(tt.want, ledger.NewCoverage(s, v, nil).Owed([]ledger.Planned{tt.planned}, nil)); d != "" {
				t.Errorf("owed (-want +got):\n%s", d)
			}
			v.Rerun = false
			if owed := ledger.NewCoverage(s, v, nil).Owed([]ledger.Planned{tt.planned}, nil); owed != nil {
				t.Errorf("a first run owes %v", owed)
			}
		})
	}

	unknown := with(loopOf(checked(1, ledger.GateFailed)), func(s *ledger.State) { s.Iterations = []ledger.Iteration{{Number: 2, Tree: "tree1"}} })
	if d := cmp.Diff(gate(lint, ledger.FailedBefore, 1), ledger.NewCoverage(unknown, rerun(unknown, func(v *ledger.View) { v.Tree = "tree1" }), nil).Owed([]ledger.Planned{check}, nil)); d != "" {
		t.Errorf("a failed check of an iteration that is not known owes (-want +got):\n%s", d)
	}

	forgotten := with(loopOf(reviewed(1, quality, pass, pass)), func(s *ledger.State) {
		s.Violations, s.Gates[0].Slots[1].Forgotten = []ledger.Violation{open}, true
	})
	if d := cmp.Diff([]ledger.Owed{slot(2, ledger.SkipForgotten, 1)}, ledger.NewCoverage(forgotten, rerun(forgotten, nil), nil).Owed([]ledger.Planned{review}, nil)); d != "" {
		t.Errorf("an answer that rests on a forgotten skip owes (-want +got):\n%s", d)
	}

	if owed := ledger.NewCoverage(forgotten, rerun(forgotten, nil), nil).Owed([]ledger.Planned{{Job: security, Kind: ledger.KindReview}}, nil); owed != nil {
		t.Errorf("a gate that never ran, of which no slot is known, owes %v", owed)
	}

	passes := loopOf(checked(1, ledger.GatePassed))
	stale := gate("", ledger.TreeChanged, 1)
	if d := cmp.Diff(stale, ledger.NewCoverage(passes, rerun(passes, nil), nil).Owed([]ledger.Planned{check}, []ledger.Planned{check})); d != "" {
		t.Errorf("a run that passes by its rows owes (-want +got):\n%s", d)
	}
	if owed := ledger.NewCoverage(passes, rerun(passes, choseUncommitted), nil).Owed([]ledger.Planned{check}, []ledger.Planned{check}); owed != nil {
		t.Errorf("a chosen diff owes %v", owed)
	}
}

// A reviewer that could not tell whether a claim is fixed is asked again once the author explains
// more.
//
// Rule: Only an answer confirms.
func TestRestatedClaimIsOwed(t *testing.T) {
	t.Parallel()
	then := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	doubted := ledger.Violation{
		Job: quality, Slot: 2, Status: ledger.StatusFixed, Answered: 1, Result: "the caller checks",
		Doubted: then, DoubtedWords: "checked", StatusAt: then.Add(time.Second),
	}
	planned := ledger.Planned{Job: quality, Kind: ledger.KindReview, Fillers: make([]ledger.Filler, 2)}
	for name, test := range map[string]struct {
		change func(*ledger.Violation)
		owed   bool
	}{
		"said in other words": {func(*ledger.Violation) {}, true},
		"said before":         {func(v *ledger.Violation) { v.StatusAt = then }, false},
		"the same words":      {func(v *ledger.Violation) { v.Result = "Checked." }, false},
		"never doubted":       {func(v *ledger.Violation) { v.Doubted = time.Time{} }, false},
		"open again":          {func(v *ledger.Violation) { v.Status = ledger.StatusReopened }, false},
		"of another gate":     {func(v *ledger.Violation) { v.Job = security }, false},
	} {
		v := doubted
		test.change(&v)
		s := with(loopOf(reviewed(1, quality, pass, fail)), func(s *ledger.State) { s.Violations = []ledger.Violation{v} })
		var want []ledger.Owed
		if test.owed {
			want = []ledger.Owed{{Job: quality, Slot: 2, Reason: ledger.ClaimRestated, Iteration: 1}}
		}
		if d := cmp.Diff(want, ledger.NewCoverage(s, rerun(s, nil), nil).Owed([]ledger.Planned{planned}, nil)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// A claim on which the latest answer has no word is put to its slot again.
//
// Rule: Only an answer confirms.
func TestUnansweredClaimIsOwed(t *testing.T) {
	t.Parallel()
	planned := ledger.Planned{Job: quality, Kind: ledger.KindReview, Fillers: make([]ledger.Filler, 2)}
	for name, test := range map[string]struct {
		v    ledger.Violation
		owed bool
	}{
		"a claim":            {ledger.Violation{Job: quality, Slot: 2, Status: ledger.StatusFixed, Unanswered: true}, true},
		"an answered claim":  {ledger.Violation{Job: quality, Slot: 2, Status: ledger.StatusFixed}, false},
		"skipped since":      {ledger.Violation{Job: quality, Slot: 2, Status: ledger.StatusSkipped, Unanswered: true}, false},
		"a claim of another": {ledger.Violation{Job: security, Slot: 2, Status: ledger.StatusFixed, Unanswered: true}, false},
	} {
		s := with(loopOf(reviewed(1, quality, pass, fail)), func(s *ledger.State) {
			s.Violations = []ledger.Violation{test.v, test.v, {Job: quality, Slot: 1, Status: ledger.StatusNew}}
		})
		var want []ledger.Owed
		if test.owed {
			want = []ledger.Owed{{Job: quality, Slot: 2, Reason: ledger.ClaimUnanswered}}
		}
		if d := cmp.Diff(want, ledger.NewCoverage(s, rerun(s, nil), nil).Owed([]ledger.Planned{planned}, nil)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// A claim is put to its slot, even if the tree is again the one that the iteration compares with: a
// fix may be to go back to it.
//
// Rule: Nothing changed and nothing owed means nothing runs.
func TestClaimOnAnotherTreeIsOwed(t *testing.T) {
	t.Parallel()
	planned := ledger.Planned{Job: quality, Kind: ledger.KindReview, Fillers: make([]ledger.Filler, 2)}
	for name, test := range map[string]struct {
		status        ledger.Status
		tree          string // of the iteration in which the slot answered
		changed, owed bool
	}{
		"on the same tree":         {ledger.StatusFixed, "now", false, false},
		"on another tree":          {ledger.StatusFixed, "tree1", false, true},
		"compared anyway":          {ledger.StatusFixed, "tree1", true, false},
		"open, on another tree":    {ledger.StatusNew, "tree1", false, false},
		"skipped, on another tree": {ledger.StatusSkipped, "tree1", false, false},
	} {
		s := with(loopOf(reviewed(1, quality, pass, fail)), func(s *ledger.State) {
			s.Violations = []ledger.Violation{{Job: quality, Slot: 2, Status: test.status, Result: "gone"}, {Job: quality, Slot: 1, Status: ledger.StatusNew}}
			s.Iterations[0].Tree = test.tree
		})
		var want []ledger.Owed
		if test.owed {
			want = []ledger.Owed{{Job: quality, Slot: 2, Reason: ledger.ClaimOnOther, Iteration: 1}}
		}
		view := rerun(s, func(v *ledger.View) { v.Unchanged = !test.changed })
		if d := cmp.Diff(want, ledger.NewCoverage(s, view, nil).Owed([]ledger.Planned{planned}, nil)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// exited returns a check that failed in iteration 1 with the exit code.
func exited(code int) ledger.Gate {
	gate := checked(1, ledger.GateFailed)
	gate.ExitCode = code
	return gate
}
