package match

import (
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Asked is a slot to which a claim or a dispute was put.
type Asked struct {
	Violation string // ULID; slots may have different violations of one problem
	Slot      int
}

// Confirmed returns the ULIDs of the claims that are verified and of the disputes that are
// withdrawn, now that a slot has answered: those that every slot that they were put to in this
// iteration has confirmed. putTo has these slots by ULID. If several violations are of one problem,
// only one is returned.
//
// Rule: Only an answer confirms.
// Rule: Only its reporter withdraws a finding.
// Rule: An interrupted iteration decides nothing.
func Confirmed(e ledger.Evaluation, known []ledger.Known, putTo map[string][]Asked, said map[Asked]ledger.ClaimVerdict) (verified, withdrawn []string) {
	settled := map[string]bool{} // problems that were returned, or are open again
	for _, k := range known {
		settled[k.Problem()] = settled[k.Problem()] || slices.Contains(e.Reopened, k.ID)
	}
	for _, k := range known {
		word, problem := e.Words[k.ID], k.Problem()
		doubted := slices.ContainsFunc(putTo[k.ID], func(a Asked) bool { return said[a] != word })
		if len(putTo[k.ID]) == 0 || doubted || settled[problem] {
			continue
		}
		switch {
		case word == ledger.ClaimFixed && k.Status == ledger.StatusFixed:
			verified = append(verified, k.ID)
		case word == ledger.DisputeWithdrawn && k.Status == ledger.StatusDisputed:
			withdrawn = append(withdrawn, k.ID)
		default:
			continue
		}
		settled[problem] = true
	}
	return verified, withdrawn
}
