package match

import (
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Asked is a slot that a claim was put to.
type Asked struct {
	Violation string // ULID; of one problem it may be another one for each slot
	Slot      int
}

// Verified are the claims that are verified now that a slot has answered: every slot that
// the claim was put to in this iteration has said that it is fixed. Whom a claim was put to is
// given by ULID. Of claims that are one problem, one is named.
//
// Rule: Only an answer confirms.
// Rule: An interrupted iteration decides nothing.
func Verified(e ledger.Evaluation, known []ledger.Known, putTo map[string][]Asked, said map[Asked]ledger.ClaimVerdict) (verified []string) {
	settled := map[string]bool{} // problems that were named, or are open again
	for _, k := range known {
		settled[k.Problem()] = settled[k.Problem()] || slices.Contains(e.Reopened, k.ID)
	}
	for _, k := range known {
		if e.Words[k.ID] != ledger.ClaimFixed || k.Status != ledger.StatusFixed {
			continue
		}
		doubted := slices.ContainsFunc(putTo[k.ID], func(a Asked) bool { return said[a] != ledger.ClaimFixed })
		if problem := k.Problem(); len(putTo[k.ID]) > 0 && !doubted && !settled[problem] {
			settled[problem] = true
			verified = append(verified, k.ID)
		}
	}
	return verified
}
