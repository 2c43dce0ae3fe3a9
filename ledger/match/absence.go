package match

import (
	"fmt"

	"github.com/reviewledger/reviewledger/ledger"
)

// indexAbsence indexes the entries that decide about claims that the answer does not report:
// malformed entries by file, and entries that match no earlier violation by hunk and rule.
func (e *evaluator) indexAbsence() (broken map[string]int, sameRule map[[2]string]int) {
	if !e.rules.ByAbsence {
		return nil, nil
	}
	broken, sameRule = map[string]int{}, map[[2]string]int{}
	for i, r := range e.reports {
		switch r.Disposition {
		case ledger.Malformed:
			broken[r.Place.File] = r.Position
		case ledger.Accepted, ledger.OutOfDiff, ledger.BelowThreshold, ledger.OutsideVerify:
			if hunk := hunkOf(r.Place, e.facts[i].Hunk); e.about[i] < 0 && !e.facts[i].SaidBefore && hunk != "" {
				sameRule[[2]string{hunk, ledger.RuleOf(r.Issue)}] = r.Position
			}
			e.put("", r.Place, reported, i)
		}
	}
	return broken, sameRule
}

// hunkOf returns the hunk of a place. A place that is a whole file, or the whole change, is treated
// as a hunk of its own.
func hunkOf(p ledger.Place, hunk string) string {
	if p.WholeFile() {
		return "all of " + p.File
	}
	return hunk
}

// absent returns the word that follows if the answer does not report a claim, or why no word
// follows. No word follows for what another adapter reported, because this one may not look for it.
//
// Rule: Only an answer confirms.
// Rule: A tool that could not look has not passed.
func (e *evaluator) absent(k *ledger.Known, broken map[string]int, sameRule map[[2]string]int) (word reply, why string) {
	if adapter := e.rules.Adapter; adapter != "" && !k.ReportedAs(adapter) {
		return reply{}, fmt.Sprintf("%[1]s reported it, and %[2]q, which is in its place now, may not look for it: have %[1]s asked again, or mark it skipped", k.Adapter, adapter)
	}
	if k.Hidden {
		return reply{}, fmt.Sprintf("%s is not in the working tree, where it is looked for: a sparse checkout leaves it out", k.Here.File)
	}
	hunk := hunkOf(k.Place, k.Hunk)
	if position := sameRule[[2]string{hunk, ledger.RuleOf(k.Issue)}]; hunk != "" && position > 0 {
		return reply{ledger.ClaimNotFixed, fmt.Sprintf("violation %d is of the same rule in the same hunk", position)}, ""
	}
	places := placesOf(k)
	if e.rules.Verify {
		i, _ := e.group("", k.Place.File, reported).find(k.Place, exact, nil) // the finding's id is computed from this place
		for n := 0; i < 0 && n < len(places); n++ {
			i = e.at(places[n], reported)
		}
		if i >= 0 {
			return reply{ledger.ClaimNotFixed, fmt.Sprintf("violation %d is at its place", e.reports[i].Position)}, ""
		}
	}
	for _, p := range append(places, k.Place, ledger.Place{}) {
		if position, ok := broken[p.File]; ok {
			return reply{}, fmt.Sprintf("malformed violation %d may be about it", position)
		}
	}
	return reply{verdict: ledger.ClaimFixed}, ""
}
