package ledger_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

// Who looked is whoever answered or ran last, not what is configured.
//
// Rule: A run passes only over code that its gates have seen.
func TestLooked(t *testing.T) {
	t.Parallel()
	review := func(iteration int, name string, slots ...ledger.Slot) ledger.Gate {
		g := ledger.Gate{Iteration: iteration, Job: "review:src:" + name, Name: name, Kind: ledger.KindReview, Status: ledger.GatePassed}
		for n, slot := range slots {
			slot.Job, slot.Index, slot.Iteration = g.Job, n+1, iteration
			g.Slots = append(g.Slots, slot)
		}
		return g
	}
	by := func(adapter string) ledger.Slot { return ledger.Slot{Adapter: adapter, Status: ledger.SlotPass} }
	check := func(name string, status ledger.GateStatus) ledger.Gate {
		return ledger.Gate{Iteration: 1, Job: "check:src:" + name, Name: name, Kind: ledger.KindCheck, Status: status}
	}
	resting := review(1, "rests")
	resting.NotRun, resting.RestsOn = ledger.NotRunUnchanged, "R"
	prior := ledger.Slot{Adapter: "codex", Status: ledger.SlotSkipped, PassIteration: 1}
	planned := func(names ...string) (list []ledger.Planned) {
		for _, name := range names {
			list = append(list, ledger.Planned{Job: "review:src:" + name, Name: name})
		}
		return list
	}
	for name, test := range map[string]struct {
		gates   []ledger.Gate
		touched []ledger.Planned
		want    ledger.LookedAt
	}{
		"nothing at all": {nil, planned("q"), ledger.LookedAt{NotBy: []string{"q"}}},
		"checks come first, each once": {
			[]ledger.Gate{review(1, "q", by("claude"), by("codex")), check("lint", ledger.GatePassed), check("lint", ledger.GatePassed)}, planned("q", "lint", "docs", "docs"),
			ledger.LookedAt{By: []ledger.Look{{Gate: "lint"}, {Gate: "q", Adapter: "claude"}, {Gate: "q", Adapter: "codex"}}, NotBy: []string{"docs"}},
		},
		"only the built-in one":        {[]ledger.Gate{review(1, "diff-check", by("builtin"))}, nil, ledger.LookedAt{By: []ledger.Look{{Gate: "diff-check", Adapter: "builtin"}}, OnlyBuiltin: true}},
		"the built-in one and another": {[]ledger.Gate{review(1, "q", by("builtin"), by("claude"))}, planned("q"), ledger.LookedAt{By: []ledger.Look{{Gate: "q", Adapter: "claude"}}}},
		"a check that failed":          {[]ledger.Gate{check("lint", ledger.GateFailed)}, planned("lint"), ledger.LookedAt{NotBy: []string{"lint"}}},
		"a slot that passed before": {
			[]ledger.Gate{review(1, "q", by("claude"), by("gemini")), review(2, "q", by("claude"), prior)}, nil,
			ledger.LookedAt{By: []ledger.Look{{Gate: "q", Adapter: "claude"}, {Gate: "q", Adapter: "gemini"}}},
		},
		"a slot that never answered": {[]ledger.Gate{review(1, "q", ledger.Slot{Adapter: "claude", Status: ledger.SlotError})}, planned("q"), ledger.LookedAt{NotBy: []string{"q"}}},
		"an earlier pass":            {[]ledger.Gate{resting}, planned("rests"), ledger.LookedAt{By: []ledger.Look{{Gate: "rests"}}}},
	} {
		s := &ledger.State{Gates: test.gates}
		got := s.Looked(test.touched, func(adapter string) bool { return adapter == "builtin" })
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if nothing := len(test.want.By) == 0 || test.want.OnlyBuiltin; got.Nothing() != nothing {
			t.Errorf("%s: nobody looked at the code itself: %t", name, got.Nothing())
		}
	}
	for status, want := range map[ledger.RunStatus]bool{ledger.StatusPassed: true, ledger.StatusPassedWithWarnings: true, ledger.StatusFailed: false, ledger.StatusRunning: false} {
		for _, kind := range []ledger.RunKind{ledger.KindGates, ledger.KindCodeReview} {
			s := &ledger.State{Run: ledger.Run{Kind: kind, Status: status}, Gates: []ledger.Gate{check("lint", ledger.GatePassed)}}
			if got := s.Passed(); (got != nil) != (want && kind == ledger.KindGates) {
				t.Errorf("who looked at a run of %s that is %s: %+v", kind, status, got)
			}
		}
	}
}
