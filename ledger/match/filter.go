package match

import (
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// filters decides on entries that match no earlier violation, with the rules and the remembered
// skips.
type filters struct {
	*matching
	rules      ledger.Rules
	claimWords map[string]bool // the words of the claims' issues
	claimsAt   map[ledger.Place][]int
	remembered []ledger.EarlierViolation
	// skipsAs has the indexes of remembered skips by fingerprint and the other fields that must be equal. met
	// has the skips that have already covered a report.
	skipsAs map[[2]string][]int
	met     map[int]bool
	// moved is set if a report was moved to one of its further places.
	moved  bool
	silent []int // the claims on which a plain answer has no word, by index in known
}

func newFilters(m *matching, answer ledger.Answer, skips []ledger.EarlierViolation, rules ledger.Rules) *filters {
	f := &filters{
		matching: m, rules: rules, silent: m.silent(answer, rules), claimWords: map[string]bool{}, claimsAt: map[ledger.Place][]int{},
		remembered: skips, skipsAs: map[[2]string][]int{}, met: map[int]bool{},
	}
	for i := range m.known {
		if k := &m.known[i]; claim(k) {
			f.claimWords[m.knownWords[i]] = true
			f.claimsAt[k.Place] = append(f.claimsAt[k.Place], i)
		}
	}
	f.putLive(answer)
	for n, skip := range skips {
		for _, as := range []string{"#" + skip.ShortID, ledger.NormalWords(skip.Issue)} {
			f.skipsAs[[2]string{skip.Fingerprint, as}] = append(f.skipsAs[[2]string{skip.Fingerprint, as}], n)
		}
	}
	return f
}

// skips filters the entries that repeat a skip of this run at its place. They come before the claims
// elsewhere in the file, of which a linter may report many in the same words: a fix of one of them
// is not contradicted by another one that was skipped.
//
// Rule: A skip is not reported twice.
func (f *filters) skips() {
	for _, i := range f.ordered {
		if !f.undecided(i) || !f.inRange(i) {
			continue
		}
		if k := f.skipOf(i); k >= 0 {
			f.skip(i, k)
		}
	}
}

// apply decides on every entry that is still undecided.
func (f *filters) apply() {
	for _, i := range f.ordered {
		if f.undecided(i) {
			f.filter(i)
		}
	}
}

// inRange reports whether an entry is about what the reviewer was shown. The place of a claim
// counts as shown, because the claim put it under review.
//
// Rule: In range is what a diff of this run showed.
func (f *filters) inRange(report int) bool {
	r := &f.reports[report]
	return f.rules.WholeFiles || f.facts[report].InRange || r.WholeChange || f.meetsAny(r.Places(), claimed)
}

// filter decides on an entry that matches no earlier violation.
func (f *filters) filter(report int) {
	r := &f.reports[report]
	if !f.inRange(report) {
		f.decide(report, ledger.OutOfDiff, "outside the changed lines")
		return
	}
	if f.rules.Verify {
		f.verify(report)
		return
	}
	if f.remember(report) {
		return
	}
	if k := f.silentAt(r.Place); k >= 0 {
		f.match(report, k, "lies at the place of violation "+f.known[k].ShortID)
		if earlier := f.known[k].Priority; earlier.Higher(r.Priority) {
			r.Priority = earlier // the lines alone do not say that it is less important now
		}
		return
	}
	why := ""
	if f.rules.AnsweredBefore && !r.Priority.Meets(f.rules.Threshold) {
		if why = f.besideKnown(report); why == "" {
			f.decide(report, ledger.BelowThreshold, fmt.Sprintf("new on a rerun and below the threshold %s", f.rules.Threshold))
			return
		}
	}
	f.decide(report, ledger.Accepted, why)
}

// putLive indexes by place what lets a report below the threshold count: claims that were put to
// the slot and that the answer does not call fixed, what is open, and, by its priority, what is
// verified.
func (f *filters) putLive(answer ledger.Answer) {
	if !f.rules.AnsweredBefore {
		return
	}
	words := map[string]ledger.ClaimVerdict{}
	for _, w := range slices.Concat(answer.Claims, answer.Disputes) {
		words[name(w.ID)] = w.Verdict
	}
	for i := range f.known {
		k, kind := &f.known[i], live
		word := words[name(k.ShortID)]
		settled := k.Asked && answer.Error == "" && (word.Confirms() || word == "" && f.rules.ByAbsence && k.WasClaim)
		switch {
		case (k.Status.Open() || k.Asked && claim(k)) && !settled:
		case k.Status == ledger.StatusVerified && !k.WasClaim:
			kind = verified + kindOf(k.Priority)
		default:
			continue
		}
		for _, p := range slices.Concat(placesOf(k), k.Further) {
			f.put("", p, kind, i)
		}
	}
}

// besideKnown returns why a report below the threshold counts: it is at the place of a claim that
// the answer does not call fixed, of what is open, or of something verified that is not more
// important and whose lines have changed since. It returns "" if it does not count. A small remark
// in the lines of a fix that the reviewer itself confirms is left for later, so that the loop ends.
//
// Rule: A rerun filters what is new and below the threshold.
func (f *filters) besideKnown(report int) string {
	r := &f.reports[report]
	if k := f.meeting(r.Places(), live); k >= 0 {
		if f.known[k].Status.Open() {
			return fmt.Sprintf("lies at the place of violation %s, which is open", f.known[k].ShortID)
		}
		return fmt.Sprintf("lies at the place of violation %s, which is not confirmed as fixed", f.known[k].ShortID)
	}
	for rank := r.Priority.Rank(); f.facts[report].InFixLines && rank <= ledger.Info.Rank(); rank++ {
		if k := f.meeting(r.Places(), verified+kind(rank)); k >= 0 {
			return fmt.Sprintf("lies at the place of violation %s, whose lines have changed since it was verified", f.known[k].ShortID)
		}
	}
	return ""
}

// verify decides on a report of a verification whose words match no claim. At the exact place of a
// claim it is that finding, because the ids of findings are computed from places. Anywhere else it
// does not belong to the verdict.
func (f *filters) verify(report int) {
	claims := f.claimsAt[f.reports[report].Place]
	if k := f.silentAt(f.reports[report].Place); len(claims) == 0 && k >= 0 {
		claims = []int{k}
	}
	if len(claims) == 0 {
		f.decide(report, ledger.OutsideVerify, "not a finding of the verdict")
		return
	}
	// If there are several claims, it is the most severe, which decides the verdict.
	found := slices.MinFunc(claims, func(a, b int) int { return f.known[a].Priority.Rank() - f.known[b].Priority.Rank() })
	if len(claims) > 1 { // the next report there is about the next claim
		f.claimsAt[f.reports[report].Place] = slices.DeleteFunc(slices.Clone(claims), func(k int) bool { return k == found })
	}
	f.match(report, found, "lies at the place of violation "+f.known[found].ShortID)
}

// remember filters the entry if a remembered skip of an earlier run covers it. If a claim has the
// same words, the entry may instead contradict the claim, with a miscounted line, so it is not
// filtered then, unless the skip has already met a report in this run.
//
// Rule: A human's skip is remembered.
// Rule: A skip is not reported twice.
func (f *filters) remember(report int) bool {
	r, fingerprint := &f.reports[report], f.facts[report].Fingerprint
	for _, key := range [][2]string{{fingerprint, "#" + r.SameAs}, {fingerprint, f.words[report]}} {
		list := f.skipsAs[key]
		for len(list) > 0 && f.met[list[0]] {
			list = list[1:]
		}
		f.skipsAs[key] = list
		for _, n := range list {
			m := &f.remembered[n]
			if f.met[n] || !m.Covers(r, fingerprint) || !m.MetBefore && f.claimWords[f.words[report]] {
				continue
			}
			at := ledger.Place{File: r.Place.File, Start: r.Place.Start, End: r.Place.Start + max(0, m.Place.End-m.Place.Start)}
			if r.Place.WholeFile() {
				at.End = 0
			}
			if f.beyond(report, []ledger.Place{at}, m.ShortID) {
				return false
			}
			f.met[n] = true
			f.decide(report, ledger.RememberedSkip,
				fmt.Sprintf("repeats violation %s of an earlier run, which was %s", m.ShortID, m.Decided()))
			r.Remembered = m
			return true
		}
	}
	return false
}
