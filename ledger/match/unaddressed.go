package match

import (
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Unaddressed returns the ULIDs of the slot's violations that were open when the iteration began,
// are still open, and are not named in its answer. A violation that the slot itself withdraws is
// not one of them, even if it still waits for other slots.
//
// Rule: A run passes only if nothing is outstanding.
func Unaddressed(e ledger.Evaluation, known []ledger.Known, slot, numReviews int) []string {
	named := map[string]bool{}
	for _, id := range Contradicted(e, known) {
		named[id] = true
	}
	for _, r := range e.Reports {
		named[r.Match] = named[r.Match] || r.Disposition == ledger.Accepted
	}
	for id, word := range e.Words {
		named[id] = named[id] || word == ledger.DisputeWithdrawn
	}
	var list []string
	for _, k := range known {
		if k.WasOpen && k.Status.Open() && !named[k.ID] && ledger.ResponsibleSlot(k.Slot, numReviews) == slot {
			list = append(list, k.ID)
		}
	}
	return list
}

// Contradicted returns the ULIDs of the claims that the answer calls not fixed and of the disputes
// that it rejects, if they are open because of that. This includes what another slot has already
// contradicted: a slot's file lists what the slot itself said.
//
// Rule: Nothing is left out without a word.
func Contradicted(e ledger.Evaluation, known []ledger.Known) (list []string) {
	for _, k := range known {
		word := e.Words[k.ID]
		again := k.Status.Open() && (word == ledger.ClaimNotFixed || word == ledger.DisputeStands)
		if again || slices.Contains(e.Reopened, k.ID) {
			list = append(list, k.ID)
		}
	}
	return list
}
