package modeltest

import (
	"slices"
	"strings"
	"testing"
)

// Mistakes with runs that rest on others occur deeper than the search for other mistakes goes. Each
// of these ways leads to one; without the mistake, the way goes on.
//
// Rule: No slot passes what it was not shown.
// Rule: Done means passed as it is now.
func TestModelFindsMistakesWithRests(t *testing.T) {
	t.Parallel()
	iteration := func(answers ...string) []string {
		return slices.Concat([]string{"reviewledger run", "the check passes"}, answers, []string{"the gates are done", "the iteration ends"})
	}
	passes := slices.Concat(iteration("slot 1: all is fixed", "slot 2: all is fixed"), []string{"the run is closed"})
	again := slices.Concat([]string{"a.go becomes version 2"}, passes)
	for broken, way := range map[modelBreak][]string{
		restsOnAnother: slices.Concat([]string{"another run is to come, and the gate is configured anew"}, again),
		restsBlindly:   slices.Concat([]string{"another run is to come, without after_pass"}, again),
	} {
		for _, mistake := range []modelBreak{"", broken} {
			_, wrong := follow(t, mistake, slices.Concat(passes, way))
			if found := strings.HasPrefix(wrong, "invariant 2"); found != (mistake != "") {
				t.Errorf("%q, with the mistake %q: %q", broken, mistake, wrong)
			}
		}
	}
}

// The slots of a run that rests on another are shown what has changed since, and a later run may
// rest on that run. If nothing has changed, there is nothing to run. If a run rests on none, its
// slots are shown the whole change.
func TestModelRests(t *testing.T) {
	t.Parallel()
	pass := []string{"reviewledger run", "the check passes", "slot 1: all is fixed", "slot 2: all is fixed", "the gates are done", "the iteration ends", "the run is closed"}
	after := func(way ...string) World {
		w, r := Start(), Recorder{Iterations: modelIterationsAtMost, Retries: modelRetries}
		for _, said := range slices.Concat(pass, way) {
			moves := w.Moves()
			n := slices.IndexFunc(moves, func(m Move) bool { return w.Say(m) == said })
			if n < 0 || !r.Apply(&w, moves[n]) || r.Wrong != "" {
				t.Fatalf("%q in %v: %s", said, w, r.Wrong)
			}
		}
		return w
	}
	next, change, run := "another run is to come", "a.go becomes version 2", "reviewledger run"
	for name, test := range map[string]struct {
		way   []string
		shown [2]bool
		rests bool
	}{
		"a change":                   {[]string{next, change, run}, [2]bool{true, false}, true},
		"a chain":                    {slices.Concat([]string{next, change}, pass, []string{next, "b.go becomes version 2", run}), [2]bool{false, true}, true},
		"whole":                      {[]string{next, change, "reviewledger run --whole --again"}, [2]bool{true, true}, false},
		"the tree is gone":           {[]string{next + ", and git loses the tree that passed", change, run}, [2]bool{true, true}, false},
		"configured anew":            {[]string{next + ", and the gate is configured anew", run}, [2]bool{true, true}, false},
		"edited meanwhile":           {[]string{next, change, run, "the process is killed", "the gate's configuration is edited", run}, [2]bool{true, true}, true},
		"the tree is lost meanwhile": {[]string{next, change, run, "the process is killed", "git loses the tree that passed", run}, [2]bool{true, true}, true},
	} {
		w := after(test.way...)
		for n, slot := range w.slots {
			if slot.shown != test.shown || w.rests != test.rests {
				t.Errorf("%s: slot %d is shown %v, rests %v", name, n+1, slot.shown, w.rests)
			}
		}
	}
	if w := after(next); !w.passedAlready() || (&Recorder{Iterations: modelIterationsAtMost}).start(&w, false) {
		t.Error("a run began on what has passed")
	}
}
