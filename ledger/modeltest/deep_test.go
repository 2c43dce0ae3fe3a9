package modeltest

import (
	"slices"
	"strings"
	"testing"
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
	} {
		for _, mistake := range []modelBreak{"", broken} {
			_, wrong := follow(t, mistake, way)
			if found := strings.HasPrefix(wrong, "invariant "); found != (mistake != "") {
				t.Errorf("with the mistake %q: %q", mistake, wrong)
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
