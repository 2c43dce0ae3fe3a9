package match

import (
	"fmt"

	"github.com/reviewledger/reviewledger/ledger"
)

// match makes the report one of the earlier violation, and gives one about the whole change
// a place that exists.
func (e *evaluator) match(report, known int, why string) {
	r, k := &e.reports[report], &e.known[known]
	if meets(k, r.Place) {
		why = ""
	}
	if r.WholeChange && r.Place.File != k.Here.File {
		why += fmt.Sprintf(" (given as %q)", r.Place.File)
		r.Place = k.Here
	}
	e.decide(report, ledger.Accepted, why)
	e.about[report], e.taken[known], r.Match = known, true, k.ID
}

// matchNames matches the entries that name what they are about. A name of something that
// was skipped, or of an earlier run, does no more than to link what is new with it: an entry
// is never less for its name, unless the skip covers it.
//
// Rule: The reviewer names what it means.
func (e *evaluator) matchNames() {
	ids, earlier := map[string]int{}, map[string]string{}
	for i := range e.known {
		if k := &e.known[i]; k.Asked || k.Listed {
			ids[name(k.ShortID)] = i
		}
	}
	for _, v := range e.facts.Earlier {
		earlier[name(v.ShortID)] = v.ShortID
	}
	for _, i := range e.ordered {
		r := &e.reports[i]
		if r.SameAs == "" {
			continue
		}
		k, known := ids[r.SameAs]
		before, listed := earlier[r.SameAs]
		switch {
		case known && e.known[k].Status != ledger.StatusSkipped:
			r.SameAs = e.known[k].ShortID
			e.match(i, k, "names violation "+r.SameAs)
		case known:
			r.SameAs = e.known[k].ShortID
			if !e.taken[k] && repeats(&e.known[k], r) {
				e.skip(i, k)
			} else {
				r.SeenBefore = r.SameAs
			}
		case listed:
			r.SameAs, r.SeenBefore = before, before
		default:
			e.unlisted[i], r.SameAs = r.SameAs, ""
		}
	}
}

// repeats reports whether the report says of the place of a skip no more than was skipped. A
// skip of lines says nothing about the whole file, and one of the file nothing about its
// lines.
//
// Rule: A skip is not reported twice.
func repeats(k *ledger.Known, r *ledger.Evaluated) bool {
	return meets(k, r.Place) && k.Here.WholeFile() == r.Place.WholeFile() && !r.Priority.Higher(k.Priority)
}

// skip leaves out the report, because it repeats what was skipped in this run.
//
// Rule: A skip is not reported twice.
func (e *evaluator) skip(report, known int) {
	k := &e.known[known]
	e.decide(report, ledger.PreviouslySkipped, fmt.Sprintf("repeats violation %s, which was skipped", k.ShortID))
	e.about[report], e.taken[known], e.reports[report].Match = known, true, k.ID
}

// matchWords matches entries with violations that have their words: at the place where these
// are now, and with claims anywhere in their file, the nearest first. Each violation gets
// one entry, each entry one violation, and the closest pairs go first.
func (e *evaluator) matchWords() {
	for step := exact; step <= nearest; step++ {
		for _, i := range e.ordered {
			if !e.undecided(i) {
				continue
			}
			if k := e.worded(i, step); k >= 0 {
				e.match(i, k, "repeats violation "+e.known[k].ShortID+" word for word")
			}
		}
	}
}

// worded finds a violation with the report's words, the slot's own first; -1 if there is
// none.
func (e *evaluator) worded(report int, step step) int {
	r := &e.reports[report]
	if step < nearest {
		for _, kind := range []kind{ownClaim, own, otherClaim, other} {
			if k, _ := e.shelf(e.words[report], r.Place.File, kind).find(r.Place, step, e.taken); k >= 0 {
				return k
			}
		}
		return -1
	}
	file := r.Place.File
	if r.WholeChange {
		file = anyFile
	}
	k, distance := e.shelf(e.words[report], file, ownClaim).find(r.Place, step, e.taken)
	if o, far := e.shelf(e.words[report], file, otherClaim).find(r.Place, step, e.taken); o >= 0 && (k < 0 || far < distance) {
		return o
	}
	return k
}

// skipOf finds the skip in the report's words that it repeats; -1 if there is none. The least
// important that will do is taken.
func (e *evaluator) skipOf(report int) int {
	r := &e.reports[report]
	for rank := r.Priority.Rank(); rank >= 0; rank-- {
		shelf := e.shelf(e.words[report], r.Place.File, skipped+kind(rank))
		for step := exact; step <= lines; step++ {
			if k, _ := shelf.find(r.Place, step, e.taken); k >= 0 {
				return k
			}
		}
	}
	return -1
}
