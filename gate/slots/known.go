package slots

import (
	"cmp"
	"math"
	"slices"

	"github.com/reviewledger/reviewledger/gate/prompt"
	"github.com/reviewledger/reviewledger/ledger"
)

// maxKnown is how many known findings a prompt lists.
const maxKnown = 30

// known returns the findings that the reviewer is told of without being asked about them:
// those of the gate in the files under review, of this run and of earlier ones, the nearest
// to a changed line or a claim first, and last what is open elsewhere, such as a report that was
// taken up: it could be reported again, and only by its id that is not out of range. The prompt
// does not say whether they are open, claimed, verified or skipped.
//
// Rule: What is known is listed, without its status.
func (s *Slot) known(lines *Lines) []prompt.Known {
	var near []nearKnown
	add := func(id, issue string, place ledger.Place, open bool) {
		away, under := s.away(place)
		if !under {
			away = math.MaxInt
		}
		if under || open {
			near = append(near, nearKnown{prompt.Known{ID: id, Place: place, Issue: issue}, away})
		}
	}
	for _, v := range s.Known {
		add(v.ShortID, v.Issue, v.Place, v.Fate().Open())
	}
	for _, e := range s.Earlier {
		if place, there := lines.still(e); there {
			add(e.ShortID, e.Issue, place, false)
		}
	}
	slices.SortStableFunc(near, func(a, b nearKnown) int { return cmp.Compare(a.away, b.away) })
	var list []prompt.Known
	for _, k := range near[:min(len(near), maxKnown)] {
		list = append(list, k.Known)
	}
	return list
}

// nearKnown is a known finding, and how many lines it is away from what is under review.
type nearKnown struct {
	prompt.Known
	away int
}

// away returns how many lines a place is away from the nearest changed line, claim or
// dispute in its file; under is false if nothing in the file is under review.
func (s *Slot) away(place ledger.Place) (lines int, under bool) {
	if s.Diff != nil {
		lines, under = s.Diff.Distance(place.File, place.Start, place.End)
	}
	for _, claim := range slices.Concat(s.Claims, s.Disputed) {
		for _, at := range append([]ledger.Place{claim.Place}, claim.Also...) {
			if at.File != place.File {
				continue
			}
			if away := at.Distance(place); !under || away < lines {
				lines, under = away, true
			}
		}
	}
	return lines, under
}

// still returns where the line of a finding of an earlier run is now, if the file still has
// it.
func (l *Lines) still(e ledger.EarlierViolation) (ledger.Place, bool) {
	f := l.of(e.Place.File)
	known, ok := f.byFingerprint[e.Job]
	if !ok && f.lines != nil {
		known = ledger.FingerprintLines(e.Job, e.Place.File, f.data)
		f.byFingerprint[e.Job] = known
	}
	line, there := known[e.Fingerprint]
	if !there || e.Fingerprint == "" {
		return ledger.Place{}, false
	}
	if line == 0 {
		return ledger.Place{File: e.Place.File}, true
	}
	return ledger.Place{File: e.Place.File, Start: line, End: line + max(0, e.Place.End-e.Place.Start)}, true
}
