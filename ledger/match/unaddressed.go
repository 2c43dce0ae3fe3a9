package match

import (
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Unaddressed are the slot's violations, by ULID, that were open when the iteration began,
// still are, and that its answer does not name. What the slot itself withdraws waits for others
// at most.
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

// Contradicted are the violations, by ULID, of which the answer says that they are not fixed, or
// that a dispute does not change them, and that are open because of it. Another slot may have said
// so before: a slot's file lists what the slot itself said.
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
