package modeltest

import (
	"strings"
	"testing"
)

// Each mistake of the recorder is detected by the invariant about it: the model's checks can fail.
func TestModelFindsMistakes(t *testing.T) {
	t.Parallel()
	for broken, invariants := range map[modelBreak]string{
		verifiesBySilence:     "7",
		verifiesByFailure:     "7",
		verifiesInError:       "7",
		verifiesByOne:         "1",
		disputesNobody:        "6",
		forgetsReporter:       "1 6",
		forgetsDuplicates:     "1",
		filtersClaims:         "3 7",
		buriesByName:          "3",
		confirmsNeighbors:     "7",
		losesReports:          "3",
		asksNobody:            "6",
		putsSkips:             "6",
		ignoresEdits:          "2",
		forgetsTrees:          "2",
		restoresVerified:      "5",
		restoresPass:          "5",
		changesWithoutEvent:   "3",
		reopensByNobody:       "3 6",
		marksTwins:            "7",
		skipsOutstandingSlots: "4 6",
		confirmsNothing:       "4",
	} {
		t.Run(string(broken), func(t *testing.T) {
			t.Parallel()
			root, limit := Start(), int64(modelStates)
			switch broken {
			case disputesNobody, buriesByName, putsSkips, reopensByNobody:
				root, _ = follow(t, broken, modelFound)
			case confirmsNothing: // it shows where nothing can pass any more: .ci/slow goes that far
				if limit = 150_000; !*modelFull {
					t.Skip("more than 70,000 states: -model.full")
				}
			}
			x := newExplorer(root, broken, limit)
			x.explore()
			found := ""
			if _, after, ok := strings.Cut(x.wrong, "invariant "); ok {
				found = after[:1]
			}
			if found == "" || !strings.Contains(invariants, found) {
				t.Errorf("invariants %s have to find it, and %q did in %d states:\n%s", invariants, found, x.states.Load(), x.wrong)
			}
			t.Logf("%d states\n%s", x.states.Load(), x.wrong)
		})
	}
}
