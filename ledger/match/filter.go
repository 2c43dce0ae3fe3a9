package match

import (
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// filter decides on an entry that is about nothing earlier. The place of a claim counts as
// shown: the claim put it under review.
//
// Rule: In range is what a diff of this run showed.
func (e *evaluator) filter(report int) {
	r := &e.reports[report]
	if !e.rules.WholeFiles && !e.entries[report].InRange && !r.WholeChange && !e.meetsAny(r.Places(), claimed) {
		e.decide(report, ledger.OutOfDiff, "outside the changed lines")
		return
	}
	if k := e.skipOf(report); k >= 0 {
		e.skip(report, k)
		return
	}
	if e.rules.Verify {
		e.verify(report)
		return
	}
	if e.remember(report) {
		return
	}
	if e.rules.AnsweredBefore && !r.Priority.Meets(e.rules.Threshold) && !e.besideKnown(r) {
		e.decide(report, ledger.BelowThreshold, fmt.Sprintf("new on a rerun and below the threshold %s", e.rules.Threshold))
		return
	}
	e.decide(report, ledger.Accepted, "")
}

// besideKnown reports whether the report lies at the place of a violation that was claimed,
// is open or verified.
//
// Rule: A rerun leaves out what is new and below the threshold.
func (e *evaluator) besideKnown(r *ledger.Evaluated) bool { return e.meetsAny(r.Places(), live) }

// verify decides on what a verification reports in other words: at the very place of a
// claim it is that finding, for its id is made of the place; else it does not belong to the verdict.
func (e *evaluator) verify(report int) {
	claims := e.claimsAt[e.reports[report].Place]
	if len(claims) == 0 {
		e.decide(report, ledger.OutsideVerify, "not a finding of the verdict")
		return
	}
	// Of several the most severe is meant: it is what makes the verdict.
	found := slices.MinFunc(claims, func(a, b int) int { return e.known[a].Priority.Rank() - e.known[b].Priority.Rank() })
	if len(claims) > 1 { // the next report there is the next one
		e.claimsAt[e.reports[report].Place] = slices.DeleteFunc(slices.Clone(claims), func(k int) bool { return k == found })
	}
	e.match(report, found, "lies at the place of violation "+e.known[found].ShortID)
}

// remember leaves out the entry if a remembered skip of an earlier run covers it. Where a
// claim has its words, the entry may as well contradict the claim, on a line that was
// miscounted, unless the run's earlier answers had it beside the claim.
//
// Rule: A human's skip is remembered.
// Rule: A skip is not reported twice.
func (e *evaluator) remember(report int) bool {
	r, print := &e.reports[report], e.entries[report].Fingerprint
	for _, key := range [][2]string{{print, "#" + r.SameAs}, {print, e.words[report]}} {
		list := e.rememberedAs(key)
		for len(list) > 0 && e.met[list[0]] {
			list = list[1:]
		}
		e.remembered[key] = list
		for _, n := range list {
			m := &e.facts.Remembered[n]
			if e.met[n] || !m.Covers(r, print) || !m.MetBefore && e.claimWords[e.words[report]] {
				continue
			}
			e.met[n] = true
			e.decide(report, ledger.RememberedSkip,
				fmt.Sprintf("repeats violation %s of an earlier run, which was skipped %s", m.ShortID, m.Said()))
			r.Remembered = m
			return true
		}
	}
	return false
}

// rememberedAs are the remembered skips with the fingerprint that have the words, or the
// id after a "#".
func (e *evaluator) rememberedAs(key [2]string) []int {
	if e.remembered == nil {
		e.remembered = map[[2]string][]int{}
		for n, m := range e.facts.Remembered {
			for _, as := range []string{"#" + m.ShortID, ledger.NormalWords(m.Issue)} {
				e.remembered[[2]string{m.Fingerprint, as}] = append(e.remembered[[2]string{m.Fingerprint, as}], n)
			}
		}
	}
	return e.remembered[key]
}
