package ledger

import "strings"

// sayWarned says what a tool did not look at, and what a client was not allowed to do.
//
// Rule: A tool that could not look has not passed.
func (e *Explanation) sayWarned(state *State, a Assessment) {
	for _, v := range a.Handed {
		e.Say("%s was confirmed by another gate, %s, because %s is gone.", v.ShortID, v.Job, v.HandedFrom)
	}
	for _, s := range a.Unseen {
		e.Say("%s (slot %d of %s) did not look at everything, so it passed with warnings: %s.", s.Adapter, s.Index, s.Job, oneSentence(s.Unseen))
	}
	for _, gate := range state.LatestGates() {
		for _, slot := range gate.Slots {
			if last := state.LatestAnswer(gate.Job, slot.Index); last != nil && last.Denied != "" {
				e.sayDenied(last)
			}
		}
	}
}

func (e *Explanation) sayDenied(s *Slot) {
	e.Say("%s (slot %d of %s, iteration %d) says that it was not allowed to do something, or that a tool of it failed: %s.", s.Adapter, s.Index, s.Job, s.Iteration, oneSentence(s.Denied))
}

// oneSentence joins lines.
func oneSentence(lines string) string {
	return strings.TrimRight(strings.ReplaceAll(lines, "\n", "; "), ".")
}
