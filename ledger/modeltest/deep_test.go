package modeltest

import (
	"slices"
	"strings"
	"testing"
)

// Mistakes with the disputes of two reporters, and with what was left out at first, lie deeper than
// the search for others goes. Each of these ways leads to one, and without the mistake it leads on.
func TestModelFindsDeepMistakes(t *testing.T) {
	t.Parallel()
	// A is found by slot 1, named by slot 2 (which has found B) in the next iteration, and disputed.
	disputed := []string{
		"reviewledger run", "the check passes", "slot 1: all is fixed; A is there", "slot 2: all is fixed; B is there", "the gates are done", "the iteration ends",
		"a.go becomes version 2",
		"reviewledger run", "the check passes", "slot 1: all is fixed", "slot 2: all is fixed; v1 by name (low)", "the gates are done", "the iteration ends",
		"the agent marks v1 as disputed", "reviewledger run", "the check passes",
	}
	// B is found by slot 1, and A in the next iteration, below the threshold.
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
			wrong := follow(t, mistake, way)
			if found := strings.HasPrefix(wrong, "invariant "); found != (mistake != "") {
				t.Errorf("with the mistake %q: %q", mistake, wrong)
			}
		}
	}
}

// follow makes the moves that are described, and returns what is wrong then.
func follow(t *testing.T, broken modelBreak, way []string) string {
	t.Helper()
	w, wrong := Start(), ""
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
	return wrong
}
