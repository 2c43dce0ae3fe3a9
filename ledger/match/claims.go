package match

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// reply is the answer to a claim or a dispute, with its evidence.
type reply struct {
	verdict  ledger.ClaimVerdict
	evidence string
}

// evaluator decides what the answer's words, and the absence of reports, mean for claims.
type evaluator struct {
	*matching
	rules ledger.Rules
}

// evaluation combines the dispositions of the reports with the words of the answer.
func (e *evaluator) evaluation(answer ledger.Answer) ledger.Evaluation {
	out := ledger.Evaluation{Reports: e.reports, Words: map[string]ledger.ClaimVerdict{}, Confirmed: map[string]ledger.Confirmation{},
		Evidence: map[string]string{}, Gone: map[string]string{}}
	for i, r := range e.reports {
		if id, unlisted := e.unlisted[i]; unlisted {
			out.Warnings = append(out.Warnings, fmt.Sprintf("violation %d names %q as same_as, which was not listed", r.Position, id))
		}
		if r.Disposition == ledger.Malformed {
			out.Warnings = append(out.Warnings, fmt.Sprintf("violation %d is left out: %s", r.Position, r.Reason))
		}
		if r.Disposition != ledger.Malformed && r.Disposition != ledger.OutOfDiff {
			e.reports[i].InFixLines = e.rules.AnsweredBefore && e.facts[i].InFixLines
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
	if out.Status == ledger.SlotError { // what an answer in error confirms does not count
		for id, word := range out.Words {
			if word.Confirms() {
				delete(out.Words, id)
				delete(out.Evidence, id)
				delete(out.Confirmed, id)
			}
		}
	}
	return out
}

// settle records the words on claims and disputes, and what they reopen. there is set if one of the
// problems is still in the code, and unclear if the slot gave no clear answer about a problem that
// it was asked about.
func (e *evaluator) settle(answer ledger.Answer, out *ledger.Evaluation) (there, unclear bool) {
	words, onDisputes := e.readWords(answer.Claims, out), e.readWords(answer.Disputes, out)
	reported := make([]bool, len(e.known))
	for i, k := range e.about {
		if k >= 0 && e.reports[i].Disposition == ledger.Accepted {
			reported[k] = true
		}
	}
	broken, sameRule := e.indexAbsence()
	silent, plain := e.silent(answer, e.rules), e.plainly(answer)
	for i := range e.known {
		k := &e.known[i]
		if k.Asked && k.WasDisputed {
			stands, silent := e.answered(k, onDisputes[i], reported[i], out)
			there, unclear = there || stands, unclear || silent
			if silent && answer.Error == "" {
				plain.disputes = append(plain.disputes, k.ShortID)
			}
			continue
		}
		word := words[i]
		asked := k.Asked && k.WasClaim
		why, how := "", ledger.ConfirmedByWord
		switch {
		case reported[i] && word.verdict != ledger.ClaimNotFixed:
			word = reply{verdict: ledger.ClaimNotFixed}
		case asked && word.verdict == "" && e.rules.ByAbsence:
			word, why = e.absent(k, broken, sameRule)
			how = ledger.ConfirmedByAbsence
		case slices.Contains(silent, i):
			word, how = plain.word(k), ledger.ConfirmedByPass
		}
		if asked && word.verdict != "" {
			out.Words[k.ID] = word.verdict
			if word.verdict == ledger.ClaimFixed {
				out.Confirmed[k.ID] = how
			}
		}
		if (asked || word.verdict == ledger.ClaimNotFixed) && word.evidence != "" {
			out.Evidence[k.ID] = word.evidence
		}
		switch {
		case k.Status == ledger.StatusSkipped: // it was skipped after the slot was asked
		case word.verdict == ledger.ClaimNotFixed:
			disputed := k.WasDisputed && k.Status == ledger.StatusDisputed
			if closed(k) || disputed { // reporting what is disputed says that it stands
				out.Reopened = append(out.Reopened, k.ID)
			}
			there = there || asked || disputed || closed(k)
		case asked && word.verdict != ledger.ClaimFixed:
			unclear = true
			if word.verdict == ledger.ClaimCannotTell {
				why = "cannot tell: " + word.evidence
			}
			if why != "" && (answer.Error == "" || word.verdict != "") {
				out.Warnings = append(out.Warnings, fmt.Sprintf("claim %s stays unverified: %s", k.ShortID, why))
			}
		}
	}
	out.Warnings = append(out.Warnings, plain.warnings()...)
	return there, unclear
}

// answered records the slot's word on a dispute that it was asked about. If the answer reports the
// finding, the finding stands, whatever the word. stands is set if the finding stands, and silent
// if the answer has no word on it. A finding that was marked otherwise after the slot was asked is
// left as it is.
//
// Rule: Only its reporter withdraws a finding.
func (e *evaluator) answered(k *ledger.Known, word reply, reported bool, out *ledger.Evaluation) (stands, silent bool) {
	if reported && word.verdict != ledger.DisputeStands {
		word = reply{verdict: ledger.DisputeStands}
	}
	if word.verdict != "" {
		out.Words[k.ID] = word.verdict
	}
	if word.evidence != "" {
		out.Evidence[k.ID] = word.evidence
	}
	disputed := k.Status == ledger.StatusDisputed
	if word.verdict == ledger.DisputeStands {
		if disputed || reported && closed(k) {
			out.Reopened = append(out.Reopened, k.ID)
			return true, false
		}
		return k.Status.Open(), false // another slot has already rejected the dispute
	}
	return false, disputed && word.verdict != ledger.DisputeWithdrawn
}

// readWords returns the answer's words on claims or disputes, by index in known. If there are two
// words on one claim, not_fixed wins, then cannot_tell; on one dispute, stands wins.
func (e *evaluator) readWords(list []ledger.ClaimWord, out *ledger.Evaluation) map[int]reply {
	words, ids := map[int]reply{}, map[string]int{}
	for i := range e.known {
		ids[name(e.known[i].ShortID)] = i
	}
	rank := []ledger.ClaimVerdict{"", ledger.DisputeWithdrawn, ledger.DisputeStands, ledger.ClaimFixed, ledger.ClaimCannotTell, ledger.ClaimNotFixed}
	for _, w := range list {
		k, known := ids[name(w.ID)]
		if !known {
			out.Warnings = append(out.Warnings, fmt.Sprintf("the answer has a word on %q, which does not exist", w.ID))
			continue
		}
		if !slices.Contains(rank[1:], w.Verdict) {
			w.Verdict = ledger.ClaimCannotTell
		}
		if slices.Index(rank, w.Verdict) > slices.Index(rank, words[k].verdict) {
			words[k] = reply{w.Verdict, strings.TrimSpace(w.Evidence)}
		}
	}
	return words
}

// gone records the open violations that the answer calls gone and does not report itself.
func (e *evaluator) gone(answer ledger.Answer, out *ledger.Evaluation) {
	ids := map[string]int{}
	for i := range e.known {
		if e.known[i].Listed {
			ids[name(e.known[i].ShortID)] = i
		}
	}
	for _, w := range answer.Gone {
		i, listed := ids[name(w.ID)]
		_, before := e.elsewhere[name(w.ID)]
		switch {
		case listed && e.known[i].Status.Open() && !e.matched[i]:
			out.Gone[e.known[i].ID] = strings.TrimSpace(w.Evidence)
		case !listed && !before:
			out.Warnings = append(out.Warnings, fmt.Sprintf("the answer says that %q is gone, which was not listed", w.ID))
		}
	}
}
