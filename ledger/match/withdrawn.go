package match

import (
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Withdrawn are the disputed violations that are withdrawn now that a slot has answered: all
// who reported them have said so in this iteration. What each slot has said is given by
// said; who has only now reported one has said nothing of its dispute.
//
// Rule: Only its reporter withdraws a finding.
// Rule: An interrupted iteration decides nothing.
func Withdrawn(e ledger.Evaluation, known []ledger.Known, numReviews int, said func(violation string, slot int) ledger.ClaimVerdict) (withdrawn []string) {
	for _, k := range known {
		if e.Words[k.ID] != ledger.DisputeWithdrawn || k.Status != ledger.StatusDisputed {
			continue
		}
		if !slices.ContainsFunc(k.MustAnswer(numReviews), func(r ledger.Reporter) bool { return said(k.ID, r.Slot) != ledger.DisputeWithdrawn }) {
			withdrawn = append(withdrawn, k.ID)
		}
	}
	return withdrawn
}
