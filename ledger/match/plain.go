package match

import (
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// silent returns the claims that were put to the slot and on which a plain answer has no word, by
// index in known. An answer in the form has a word on each.
func (e *earlier) silent(answer ledger.Answer, rules ledger.Rules) (claims []int) {
	if answer.Error != "" || rules.ByAbsence {
		return nil
	}
	worded := map[string]bool{}
	for _, w := range answer.Claims {
		worded[name(w.ID)] = true
	}
	for i := range e.known {
		if k := &e.known[i]; k.Asked && claim(k) && !worded[name(k.ShortID)] {
			claims = append(claims, i)
		}
	}
	return claims
}

// silentAt returns the claim without a word that is closest to the place and that no report is about
// yet, or -1. A plain answer names no claims, so one that it reports again is known by its lines.
//
// Rule: Only an answer confirms.
func (f *filters) silentAt(p ledger.Place) int {
	for _, meets := range []func(k *ledger.Known) bool{
		func(k *ledger.Known) bool { return k.Here == p },
		func(k *ledger.Known) bool { return meets(k, p) && k.Here.WholeFile() == p.WholeFile() },
		func(k *ledger.Known) bool { return meets(k, p) },
	} {
		for _, i := range f.silent {
			if !f.matched[i] && meets(&f.known[i]) {
				return i
			}
		}
	}
	return -1
}

// plain decides about the claims on which a plain answer has no word.
type plain struct {
	*evaluator
	passes   bool            // the answer as a whole confirms what it does not report
	doubtful map[string]bool // files with a filtered report that was not taken for a skip

	confirmed, open, disputes []string // short ids, for the warnings
}

// plainly returns how the claims without a word are decided. An answer confirms them if it is a pass
// without violations, or if all its violations were filtered and it has no word that refutes
// anything.
//
// Rule: Only an answer confirms.
func (e *evaluator) plainly(answer ledger.Answer) *plain {
	p := &plain{evaluator: e, passes: answer.Passed && len(e.reports) == 0, doubtful: map[string]bool{}}
	if len(e.reports) == 0 {
		return p
	}
	p.passes = !slices.ContainsFunc(slices.Concat(answer.Claims, answer.Disputes), func(w ledger.ClaimWord) bool { return !w.Verdict.Confirms() })
	for i := range e.reports {
		r := &e.reports[i]
		switch r.Disposition {
		case ledger.Accepted, ledger.Malformed:
			p.passes = false
		case ledger.PreviouslySkipped, ledger.RememberedSkip, ledger.Merged:
		default:
			for _, place := range r.Places() {
				p.doubtful[place.File] = true
			}
			p.doubtful[anyFile] = p.doubtful[anyFile] || r.WholeChange
		}
	}
	return p
}

// word returns what the answer means for a claim on which it has no word.
func (p *plain) word(k *ledger.Known) reply {
	for i := range p.reports {
		r := &p.reports[i]
		if r.Disposition == ledger.Accepted && (p.meets(k, r.Place) || slices.ContainsFunc(r.Also, func(place ledger.Place) bool { return p.meets(k, place) })) {
			return reply{ledger.ClaimNotFixed, "reported at its lines: " + r.Issue}
		}
	}
	if p.passes && !p.doubtful[k.Here.File] && !p.doubtful[k.Place.File] && !p.doubtful[anyFile] {
		p.confirmed = append(p.confirmed, k.ShortID)
		return reply{ledger.ClaimFixed, ledger.PassedWithoutWord}
	}
	p.open = append(p.open, k.ShortID)
	return reply{verdict: ledger.NoWord}
}

// meets reports whether the claim has a line in common with the place.
func (p *plain) meets(k *ledger.Known, place ledger.Place) bool {
	return meets(k, place) || slices.ContainsFunc(k.Further, place.Meets)
}

// warnings says which claims were confirmed, or are left, without a word.
func (p *plain) warnings() (lines []string) {
	if len(p.confirmed) > 0 {
		lines = append(lines, "passed without a word on "+ledger.Plural(len(p.confirmed), "claim")+": "+strings.Join(p.confirmed, ", "))
	}
	if len(p.open) > 0 {
		lines = append(lines, "no word on "+ledger.Plural(len(p.open), "claim")+", not verified: "+strings.Join(p.open, ", "))
	}
	if len(p.disputes) > 0 {
		lines = append(lines, "no word on "+ledger.Plural(len(p.disputes), "dispute")+", not settled: "+strings.Join(p.disputes, ", "))
	}
	return lines
}
