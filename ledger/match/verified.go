package match

import (
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Verified are the claims that are verified now that a slot has answered: every slot that
// the claim was put to in this iteration has said that it is fixed. The slots that a
// claim was put to are given by ULID, and what each has said by said.
//
// Rule: Only an answer confirms.
// Rule: An interrupted iteration decides nothing.
func Verified(e ledger.Evaluation, known []ledger.Known, putTo map[string][]int, said func(violation string, slot int) ledger.ClaimVerdict) (verified []string) {
	for _, k := range known {
		if e.Words[k.ID] != ledger.ClaimFixed || k.Status != ledger.StatusFixed || slices.Contains(e.Reopened, k.ID) {
			continue
		}
		doubted := slices.ContainsFunc(putTo[k.ID], func(slot int) bool { return said(k.ID, slot) != ledger.ClaimFixed })
		if len(putTo[k.ID]) > 0 && !doubted {
			verified = append(verified, k.ID)
		}
	}
	return verified
}
