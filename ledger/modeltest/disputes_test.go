package modeltest

import (
	"slices"
	"strings"
	"testing"
)

// Mistakes with the disputes of two reporters lie deeper than the search for others goes. Each
// of these ways leads to one, and without the mistake it leads on.
func TestModelFindsMistakesWithDisputes(t *testing.T) {
	t.Parallel()
	// A is found by slot 1, named by slot 2 (which has found B) in the next iteration, and disputed.
	disputed := []string{
		"reviewledger run", "the check passes", "slot 1: all is fixed; A is there", "slot 2: all is fixed; B is there", "the gates are done", "the iteration ends",
		"a.go becomes version 2",
		"reviewledger run", "the check passes", "slot 1: all is fixed", "slot 2: all is fixed; v1 by name (low)", "the gates are done", "the iteration ends",
		"the agent marks v1 as disputed", "reviewledger run", "the check passes",
	}
	for broken, way := range map[modelBreak][]string{
		withdrawsByOne:   {"slot 1: v1 is withdrawn, the others stand, all is fixed"},
		withdrawsInError: {"slot 1: v1 is withdrawn, the others stand, all is fixed", "slot 2: an error; all is withdrawn and fixed"},
	} {
		for _, mistake := range []modelBreak{"", broken} {
			wrong := follow(t, mistake, append(slices.Clone(disputed), way...))
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
