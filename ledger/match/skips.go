package match

import (
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// matchNames matches the entries that name what they are about. Naming a skipped violation, or one
// of an earlier run or of another gate, only links the new violation to it: naming a violation never makes an entry
// count for less, unless the skip covers the entry.
//
// Rule: The reviewer names what it means.
func (f *filters) matchNames() {
	ids := map[string]int{}
	for i := range f.known {
		if k := &f.known[i]; k.Asked || k.Listed {
			ids[k.ShortID] = i
		}
	}
	for _, i := range f.ordered {
		r := &f.reports[i]
		if r.SameAs == "" {
			continue
		}
		k, known := ids[r.SameAs]
		switch {
		case known && f.known[k].Status != ledger.StatusSkipped:
			f.match(i, k, "names violation "+r.SameAs)
		case known:
			if f.matched[k] || !repeats(&f.known[k], r) {
				r.SeenBefore = r.SameAs
			} else {
				f.skip(i, k)
			}
		case f.elsewhere[r.SameAs]:
			r.SeenBefore = r.SameAs
		default:
			f.unlisted[i], r.SameAs = r.SameAs, ""
		}
	}
}

// repeats reports whether the skip covers the report: it is at the same place, and the report is
// not more important. A skip of lines does not cover the whole file, and a skip of the whole file
// does not cover lines.
//
// Rule: A skip is not reported twice.
func repeats(k *ledger.Known, r *ledger.Evaluated) bool {
	return meets(k, r.Place) && k.Here.WholeFile() == r.Place.WholeFile() && !r.Priority.Higher(k.Priority)
}

// skip filters a report that repeats a skip of this run, unless it goes beyond what was skipped.
//
// Rule: A skip is not reported twice.
func (f *filters) skip(report, known int) {
	k := &f.known[known]
	if f.beyond(report, append(placesOf(k), k.Further...), k.ShortID) {
		return
	}
	f.decide(report, ledger.PreviouslySkipped, fmt.Sprintf("repeats violation %s, which was skipped", k.ShortID))
	f.about[report], f.matched[known], f.reports[report].Match = known, true, k.ID
}

// maxBeyond is how many lines a report may reach beyond those that were skipped.
const maxBeyond = 5

// covers reports whether a place lies within the places that were skipped, or little beyond.
func covers(skipped []ledger.Place, p ledger.Place) bool {
	first, last := 0, 0
	for _, s := range skipped {
		switch {
		case s.File != p.File || s.WholeFile() != p.WholeFile():
		case p.WholeFile():
			return true
		default:
			s, p = tidy(s), tidy(p)
			if !s.Meets(ledger.Place{File: p.File, Start: max(p.Start-maxBeyond, 1), End: p.End + maxBeyond}) {
				continue
			}
			if first == 0 || s.Start < first {
				first = s.Start
			}
			last = max(last, s.End)
		}
	}
	return first > 0 && p.Start >= first-maxBeyond && p.End <= last+maxBeyond
}

// beyond reports whether a report that is taken for a skipped one is about more than that: its lines
// reach further, or it has a further place in range that no skip covers. Then it is a report of its
// own, at that place, linked to the skipped one.
//
// Rule: A skip is not reported twice.
func (f *filters) beyond(report int, skipped []ledger.Place, id string) bool {
	r := &f.reports[report]
	if !covers(skipped, r.Place) {
		r.SeenBefore = id
		return true
	}
	facts := f.alsoFacts(report)
	var places []ledger.Place
	var about []ledger.EntryFacts
	number := 0
	for n, p := range r.Also {
		inRange := facts[n].InRange || f.rules.WholeFiles || f.meetsAny([]ledger.Place{p}, claimed)
		if !inRange || covers(skipped, p) || f.skippedAlone(report, p, facts[n]) {
			continue
		}
		if number == 0 {
			number = n + 1
		}
		places, about = append(places, p), append(about, facts[n])
	}
	if number == 0 {
		return false
	}
	r.Place, r.Also, r.SeenBefore, r.Line, r.Further = tidy(places[0]), places[1:], id, about[0].Line, number
	f.facts[report] = about[0]
	f.facts[report].InRange, f.facts[report].Also = true, about[1:]
	f.moved = true
	return true
}

// skippedAlone reports whether a further place of a report was skipped on its own, in the words of
// the report.
func (f *filters) skippedAlone(report int, p ledger.Place, facts ledger.EntryFacts) bool {
	r := &f.reports[report]
	for rank := r.Priority.Rank(); rank >= 0; rank-- {
		group := f.group(f.words[report], p.File, skipped+kind(rank))
		for step := exact; step <= lines; step++ {
			if k, _ := group.find(p, step, nil); k >= 0 && covers(placesOf(&f.known[k]), p) {
				return true
			}
		}
	}
	there := ledger.Evaluated{Entry: ledger.Entry{Place: p, SameAs: r.SameAs, Issue: r.Issue, Priority: r.Priority}, Line: facts.Line}
	return slices.ContainsFunc(f.skipsAs[[2]string{facts.Fingerprint, f.words[report]}], func(n int) bool {
		return f.remembered[n].Covers(&there, facts.Fingerprint)
	})
}
