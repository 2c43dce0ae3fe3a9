package modeltest

import (
	"slices"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// Mistakes with disputes of two reporters, and with filtered reports that are taken up, occur
// deeper than the search for other mistakes goes. Each of these ways leads to one; without the
// mistake, the way goes on.
func TestModelFindsDeepMistakes(t *testing.T) {
	t.Parallel()
	// Slot 1 reports A, slot 2 (which has reported B) names it in the next iteration, and it is
	// disputed.
	disputed := []string{
		"reviewledger run", "the check passes", "slot 1: all is fixed; A is there", "slot 2: all is fixed; B is there", "the gates are done", "the iteration ends",
		"a.go becomes version 2",
		"reviewledger run", "the check passes", "slot 1: all is fixed", "slot 2: all is fixed; v1 by name (low)", "the gates are done", "the iteration ends",
		"the agent marks v1 as disputed", "reviewledger run", "the check passes",
	}
	// Slot 1 reports B and, in the next iteration, A below the threshold.
	left := []string{
		"reviewledger run", "the check passes", "slot 1: all is fixed; B is there", "slot 2: all is fixed", "the gates are done", "the iteration ends",
		"b.go becomes version 2",
		"reviewledger run", "the check passes", "slot 1: all is fixed; A is there (low)", "the gates are done", "the iteration ends",
		"the agent takes up what was left out",
	}
	for broken, way := range map[modelBreak][]string{
		withdrawsByOne:   append(slices.Clone(disputed), "slot 1: v1 is withdrawn, the others stand, all is fixed"),
		withdrawsInError: append(slices.Clone(disputed), "slot 1: v1 is withdrawn, the others stand, all is fixed", "slot 2: an error; all is withdrawn and fixed"),
		takesUpSettled:   left,
		restoresLeft:     append(slices.Clone(left), "the ledger is deleted and read back from the files"),
		handsOnNothing:   append(slices.Clone(modelFound), "a.go becomes version 2", "the agent marks v1 as fixed", "the gate is renamed", "reviewledger run"),
		passesReconfigured: append(slices.Clone(modelFound), "a.go becomes version 2", "the gate's configuration is edited", "the human marks v1 as skipped", "the human marks v2 as skipped",
			"reviewledger run", "the check passes", "slot 1: all is fixed", "slot 2: all is fixed", "the gates are done", "the iteration ends", "the run is closed"),
	} {
		for _, mistake := range []modelBreak{"", broken} {
			_, wrong := follow(t, mistake, way)
			if found := strings.HasPrefix(wrong, "invariant "); found != (mistake != "") {
				t.Errorf("with the mistake %q: %q", mistake, wrong)
			}
		}
	}
}

// A mark of a block is about what the latest iteration that ended has shown of it.
//
// Rule: A mark is not a fix.
func TestModelMarksBlocks(t *testing.T) {
	t.Parallel()
	found := append(slices.Clone(modelFound), "a.go becomes version 2", "the agent marks v1 as fixed", "reviewledger run", "the check passes", "slot 1: plain: B is there in other words")
	ends := []string{"slot 2: all is fixed", "the gates are done", "the iteration ends"}
	for name, test := range map[string]struct {
		way  []string
		want [modelViolations]ledger.Status
	}{
		"shown":                {slices.Concat(found, ends), [...]ledger.Status{ledger.StatusFixed, ledger.StatusFixed, ledger.StatusFixed}},
		"found, and not shown": {append(found, "the process is killed"), [...]ledger.Status{ledger.StatusFixed, ledger.StatusFixed, ledger.StatusNew}},
	} {
		w, wrong := follow(t, "", append(test.way, "the agent marks the block of v2 as fixed"))
		var got [modelViolations]ledger.Status
		for i := range got {
			got[i] = w.violations[i].status
		}
		if wrong != "" || got != test.want {
			t.Errorf("%s: %q %s", name, got, wrong)
		}
	}
}

// A loop goes on with its branch and with one that goes on from what it reviewed, and waits while another
// one is checked out: it neither begins an iteration nor takes marks.
//
// Rule: Every worktree has its own loop.
func TestModelFollowsBranches(t *testing.T) {
	t.Parallel()
	at := func(branch string) string { return "the branch " + branch + " is checked out" }
	iteration := []string{"reviewledger run", "the check passes", "slot 1: all is fixed", "slot 2: all is fixed", "the gates are done", "the iteration ends"}
	for name, test := range map[string]struct {
		way    []string
		goesOn bool
	}{
		"its branch":                        {nil, true},
		"another one":                       {[]string{at("other")}, false},
		"another one, and back":             {[]string{at("other"), at("feature")}, true},
		"one that goes on":                  {[]string{at("copy")}, true},
		"back from one that goes on":        {slices.Concat([]string{at("copy")}, iteration, []string{at("feature")}), false},
		"a rebase":                          {[]string{"main changes a.go, and the branch is rebased"}, true},
		"another one, after a rebase":       {[]string{"main changes a.go, and the branch is rebased", at("other")}, false},
		"another one from one that goes on": {slices.Concat([]string{at("copy")}, iteration, []string{at("other")}), false},
	} {
		w, wrong := follow(t, "", slices.Concat(modelFound, []string{"a.go becomes version 2"}, test.way))
		if wrong != "" {
			t.Fatalf("%s: %s", name, wrong)
		}
		for _, m := range w.Moves() {
			after, r := w, Recorder{Iterations: modelIterationsAtMost, Retries: modelRetries}
			switch said := w.Say(m); said {
			case "reviewledger run", "the agent marks v1 as fixed":
				if ok := r.Apply(&after, m); ok != test.goesOn || r.Wrong != "" {
					t.Errorf("%s: %s: %t %s", name, said, ok, r.Wrong)
				}
				r = Recorder{Iterations: modelIterationsAtMost, Retries: modelRetries, broken: followsBranches}
				if after = w; m.Kind == MoveStart && r.Apply(&after, m) && strings.HasPrefix(r.Wrong, "invariant 11") == test.goesOn {
					t.Errorf("%s: with the mistake: %q", name, r.Wrong)
				}
			}
		}
	}
}

// follow makes the moves that are described. It returns the state and what is wrong with it.
func follow(t *testing.T, broken modelBreak, way []string) (w World, wrong string) {
	t.Helper()
	w = Start()
	for _, said := range way {
		moves := w.Moves()
		n := slices.IndexFunc(moves, func(m Move) bool { return w.Say(m) == said })
		if n < 0 {
			t.Fatalf("%q is not possible in: %v", said, w)
		}
		r := Recorder{Iterations: modelIterationsAtMost, Retries: modelRetries, broken: broken}
		if !r.Apply(&w, moves[n]) && r.Wrong == "" {
			t.Fatalf("nothing comes of %q in: %v", said, w)
		}
		wrong = r.Wrong
	}
	return w, wrong
}
