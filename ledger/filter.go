package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// filterPlace sorts out what is malformed or lies off the changed lines. The
// place of a claim counts as changed: the claim put it under review.
func (e *evaluator) filterPlace(r *Evaluated, fact EntryFacts) {
	switch {
	case len(r.Missing) > 0:
		r.Disposition, r.Reason = Malformed, "missing "+strings.Join(r.Missing, ", ")
	case !e.rules.WholeFiles && !fact.InDiff && !e.claimed.meets(r.Place):
		r.Disposition, r.Reason = OutOfDiff, "outside the changed lines"
	default:
		r.InFixLines = e.rules.AnsweredBefore && fact.InFixLines
	}
}

// suppress gives each skip the report that repeats it: one at its place, in its words,
// and no more important. One skip covers one report. A report that is more important
// is a new one, which bypasses the threshold.
//
// Where a violation that is not skipped has these words at the place, the report is
// about that one, or new.
func (e *evaluator) suppress() {
	var repeats []int
	for i := range e.reports {
		if e.reports[i].Disposition == Accepted && e.reports[i].Match == "" && !e.saidAtPlace(i) {
			repeats = append(repeats, i)
		}
	}
	slices.SortStableFunc(repeats, func(a, b int) int {
		return cmp.Compare(e.reports[a].Priority.Rank(), e.reports[b].Priority.Rank())
	})
	for _, i := range repeats {
		r := &e.reports[i]
		k, ok := e.skipOf(i)
		switch {
		case !ok && !e.rules.Verify:
			e.remember(i)
		case !ok:
		case r.Priority.Higher(e.known[k].Priority):
			e.bypasses[i] = !e.rules.Verify
		default:
			e.matched[k], e.about[i] = i, k
			r.Disposition, r.Match = PreviouslySkipped, e.known[k].ID
			r.Reason = fmt.Sprintf("repeats violation %s, which was skipped", e.known[k].ShortID)
		}
	}
}

// saidAtPlace reports whether an earlier violation at the entry's place that is not
// skipped has the entry's words.
func (e *evaluator) saidAtPlace(index int) bool {
	return e.worded(index).any(e.reports[index].Place, 0, func(k int) bool {
		return e.known[k].Status != StatusSkipped
	})
}

// skipOf finds the skipped violation at the entry's place that has the same wording
// and suppresses no other report; of several, the most important. A skip of lines says
// nothing about the whole file, and one of the file nothing about its lines: the
// same words may stand elsewhere in it.
func (e *evaluator) skipOf(index int) (skip int, ok bool) {
	place := e.reports[index].Place
	e.worded(index).any(place, 0, func(i int) bool {
		k := &e.known[i]
		if k.Status == StatusSkipped && e.matched[i] < 0 && k.Here.WholeFile() == place.WholeFile() &&
			(!ok || k.Priority.Higher(e.known[skip].Priority) || k.Priority == e.known[skip].Priority && i < skip) {
			skip, ok = i, true
		}
		return false
	})
	return skip, ok
}

// settle decides on an entry after the matching.
func (e *evaluator) settle(index int) {
	r := &e.reports[index]
	if r.Match != "" && r.Disposition == Accepted {
		e.settleMatched(index)
	}
	if r.Disposition != Accepted || r.Match != "" || e.bypasses[index] {
		return
	}
	if e.rules.Verify {
		r.Disposition, r.Reason = OutsideVerify, "not a finding of the verdict"
		return
	}
	if e.belowThreshold(r) && !e.besideMatched(index) {
		r.Disposition = BelowThreshold
		r.Reason = fmt.Sprintf("new on a rerun and below the threshold %s", e.rules.Threshold)
	}
}

// belowThreshold reports whether the report would be left out if it were new.
func (e *evaluator) belowThreshold(r *Evaluated) bool {
	return e.rules.AnsweredBefore && !r.Priority.Meets(e.rules.Threshold)
}

// besideMatched reports whether the unmatched entry lies at the place of an earlier
// violation. Then that one is matched with another report of the same answer, or is
// still open in other words; either way the place is known for a problem, and the
// threshold does not apply.
func (e *evaluator) besideMatched(index int) bool {
	return e.placed.any(e.reports[index].Place, 0, func(i int) bool {
		k := &e.known[i]
		return k.Status != StatusSkipped && (e.says(index, i) || !e.saidFixed(i))
	})
}

// settleMatched gives the reason of a match that the place alone does not explain, and
// a place that exists: a report off the changed lines, or under an old file name, has
// its claim's, which is the better one to look at next.
func (e *evaluator) settleMatched(index int) {
	r, k := &e.reports[index], &e.known[e.about[index]]
	if k.meets(r.Place) {
		return
	}
	switch e.matchedBy[index] {
	case byClaim:
		r.Reason = "names the claim"
	case byWords:
		r.Reason = "repeats a violation that was marked fixed"
	case byRareWord, byNearness:
		r.Reason = "lies next to what was claimed to be fixed"
	}
	if r.WholeChange {
		r.Reason += fmt.Sprintf(" (given as %q)", r.Place.File)
		r.Place = k.Here
		return
	}
	uncovered := !e.rules.WholeFiles && !e.facts.entry(index).InDiff
	renamed := r.Place.File == k.Place.File && r.Place.File != k.Here.File
	if uncovered && r.Place.File == k.Here.File || renamed {
		r.Reason += fmt.Sprintf(" (given as line %d)", r.Place.Start)
		r.Place = k.Here
	}
}
