package match

import "github.com/reviewledger/reviewledger/ledger"

// Unaddressed are the slot's violations, by ULID, that were open when the iteration began,
// still are, and that its answer does not name.
//
// Rule: A run passes only if nothing is outstanding.
func Unaddressed(e ledger.Evaluation, known []ledger.Known, slot, numReviews int) []string {
	named := map[string]bool{}
	for _, id := range e.Reopened {
		named[id] = true
	}
	for _, r := range e.Reports {
		named[r.Match] = named[r.Match] || r.Disposition == ledger.Accepted
	}
	var list []string
	for _, k := range known {
		if k.WasOpen && k.Status.Open() && !named[k.ID] && ledger.ResponsibleSlot(k.Slot, numReviews) == slot {
			list = append(list, k.ID)
		}
	}
	return list
}
