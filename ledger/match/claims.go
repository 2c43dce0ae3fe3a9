package match

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// said is a word on a claim, with its evidence.
type said struct {
	verdict  ledger.ClaimVerdict
	evidence string
}

// result makes the evaluation of what became of the reports and of the answer's words.
func (e *evaluator) result(answer ledger.Answer) ledger.Evaluation {
	out := ledger.Evaluation{Reports: e.reports, Words: map[string]ledger.ClaimVerdict{}, Evidence: map[string]string{}, Gone: map[string]string{}}
	for i, r := range e.reports {
		if id, unlisted := e.unlisted[i]; unlisted {
			out.Warnings = append(out.Warnings, fmt.Sprintf("violation %d names %q as same_as, which was not listed", r.Position, id))
		}
		if r.Disposition == ledger.Malformed {
			out.Warnings = append(out.Warnings, fmt.Sprintf("violation %d is left out: %s", r.Position, r.Reason))
		}
		if r.Disposition != ledger.Malformed && r.Disposition != ledger.OutOfDiff {
			e.reports[i].InFixLines = e.rules.AnsweredBefore && e.entries[i].InFixLines
		}
	}
	there, unclear := e.settle(answer, &out)
	e.gone(answer, &out)
	malformed := out.Count(ledger.Malformed)
	switch {
	case answer.Error != "":
		out.Status, out.Reason = ledger.SlotError, answer.Error
	case malformed > 0 && out.Count(ledger.Accepted) == 0 && !there:
		out.Status, out.Reason = ledger.SlotError, fmt.Sprintf("no usable violations: %d malformed", malformed)
	case out.Count(ledger.Accepted) > 0 || there || unclear:
		out.Status = ledger.SlotFail
	default:
		out.Status = ledger.SlotPass
	}
	if out.Status == ledger.SlotError { // what it confirms does not count
		for id, word := range out.Words {
			if word == ledger.ClaimFixed {
				delete(out.Words, id)
				delete(out.Evidence, id)
			}
		}
	}
	return out
}

// settle writes down the words on claims and what they reopen. It reports whether a claim
// is still there, and whether one of those that the slot was asked about stays without a
// clear word.
func (e *evaluator) settle(answer ledger.Answer, out *ledger.Evaluation) (there, unclear bool) {
	words := e.readWords(answer.Claims, out)
	reported := make([]bool, len(e.known))
	for i, k := range e.about {
		if k >= 0 && e.reports[i].Disposition == ledger.Accepted {
			reported[k] = true
		}
	}
	broken, sameRule := e.indexAbsence()
	for i := range e.known {
		k := &e.known[i]
		word := words[i]
		asked := k.Asked && k.WasClaim
		why := "the answer has no word on it"
		switch {
		case reported[i] && word.verdict != ledger.ClaimNotFixed:
			word = said{verdict: ledger.ClaimNotFixed}
		case asked && word.verdict == "" && e.rules.ByAbsence:
			word, why = e.absent(k, broken, sameRule)
		}
		if asked && word.verdict != "" {
			out.Words[k.ID] = word.verdict
		}
		if (asked || word.verdict == ledger.ClaimNotFixed) && word.evidence != "" {
			out.Evidence[k.ID] = word.evidence
		}
		switch {
		case k.Status == ledger.StatusSkipped: // since the slot was asked
		case word.verdict == ledger.ClaimNotFixed:
			if k.Status == ledger.StatusFixed || k.Status == ledger.StatusVerified {
				out.Reopened = append(out.Reopened, k.ID)
			}
			there = there || asked || k.Status == ledger.StatusFixed || k.Status == ledger.StatusVerified
		case asked && word.verdict != ledger.ClaimFixed:
			unclear = true
			if word.verdict == ledger.ClaimCannotTell {
				why = "cannot tell: " + word.evidence
			}
			if answer.Error == "" || word.verdict != "" {
				out.Warnings = append(out.Warnings, fmt.Sprintf("claim %s stays unverified: %s", k.ShortID, why))
			}
		}
	}
	return there, unclear
}

// readWords sorts the answer's words on claims. Of two on one claim not_fixed counts, then
// cannot_tell.
func (e *evaluator) readWords(list []ledger.ClaimWord, out *ledger.Evaluation) map[int]said {
	words, ids := map[int]said{}, map[string]int{}
	for i := range e.known {
		ids[name(e.known[i].ShortID)] = i
	}
	rank := []ledger.ClaimVerdict{"", ledger.ClaimFixed, ledger.ClaimCannotTell, ledger.ClaimNotFixed}
	for _, w := range list {
		k, known := ids[name(w.ID)]
		if !known {
			out.Warnings = append(out.Warnings, fmt.Sprintf("the answer has a word on claim %q, which does not exist", w.ID))
			continue
		}
		if !slices.Contains(rank[1:], w.Verdict) {
			w.Verdict = ledger.ClaimCannotTell
		}
		if slices.Index(rank, w.Verdict) > slices.Index(rank, words[k].verdict) {
			words[k] = said{w.Verdict, strings.TrimSpace(w.Evidence)}
		}
	}
	return words
}

// gone are what the answer says is gone of what is open, and does not report itself.
func (e *evaluator) gone(answer ledger.Answer, out *ledger.Evaluation) {
	ids, earlier := map[string]int{}, map[string]bool{}
	for i := range e.known {
		if e.known[i].Listed {
			ids[name(e.known[i].ShortID)] = i
		}
	}
	for _, v := range e.facts.Earlier {
		earlier[name(v.ShortID)] = true
	}
	for _, w := range answer.Gone {
		i, listed := ids[name(w.ID)]
		switch {
		case listed && e.known[i].Status.Open() && !e.taken[i]:
			out.Gone[e.known[i].ID] = strings.TrimSpace(w.Evidence)
		case !listed && !earlier[name(w.ID)]:
			out.Warnings = append(out.Warnings, fmt.Sprintf("the answer says that %q is gone, which was not listed", w.ID))
		}
	}
}

// indexAbsence looks at what says something of claims that are absent: malformed entries by
// their file, and by hunk and rule what was reported and is not accounted for by an earlier
// violation; each as a position.
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
			if e.about[i] < 0 && e.entries[i].Hunk != "" {
				sameRule[[2]string{e.entries[i].Hunk, ruleOf(r.Issue)}] = r.Position
			}
			e.put("", r.Place, reported, i)
		}
	}
	return broken, sameRule
}

// ruleOf is the rule of a tool's result: what stands before the colon, for counts and names
// in its message change.
func ruleOf(issue string) string {
	rule, _, _ := strings.Cut(issue, ": ")
	return rule
}

// absent is the word that the absence of a claim is, or why it is not one.
//
// Rule: Only an answer confirms.
func (e *evaluator) absent(k *ledger.Known, broken map[string]int, sameRule map[[2]string]int) (word said, why string) {
	if position := sameRule[[2]string{k.Hunk, ruleOf(k.Issue)}]; k.Hunk != "" && position > 0 {
		return said{ledger.ClaimNotFixed, fmt.Sprintf("violation %d is of the same rule in the same hunk", position)}, ""
	}
	places := append([]ledger.Place{k.Here}, k.Moved...)
	if e.rules.Verify {
		i, _ := e.shelf("", k.Place.File, reported).find(k.Place, exact, nil) // its id is made of it
		for n := 0; i < 0 && n < len(places); n++ {
			i = e.at(places[n], reported)
		}
		if i >= 0 {
			return said{ledger.ClaimNotFixed, fmt.Sprintf("violation %d is at its place", e.reports[i].Position)}, ""
		}
	}
	for _, p := range append(places, k.Place, ledger.Place{}) {
		if position, ok := broken[p.File]; ok {
			return said{}, fmt.Sprintf("malformed violation %d may be about it", position)
		}
	}
	return said{verdict: ledger.ClaimFixed}, ""
}

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
	named := map[string]bool{}
	for _, k := range known {
		if e.Words[k.ID] != ledger.ClaimFixed || k.Status != ledger.StatusFixed || slices.Contains(e.Reopened, k.ID) {
			continue
		}
		doubted := slices.ContainsFunc(putTo[k.ID], func(a Asked) bool { return said[a] != ledger.ClaimFixed })
		if problem := k.Problem(); len(putTo[k.ID]) > 0 && !doubted && !named[problem] {
			named[problem] = true
			verified = append(verified, k.ID)
		}
	}
	return verified
}
