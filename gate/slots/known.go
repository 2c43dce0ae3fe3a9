package slots

import (
	"cmp"
	"math"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// maxKnown is how many known violations a prompt lists.
const maxKnown = 30

// known returns the violations that the prompt lists without asking about them: first those of the
// gate in the files under review, of this run and of earlier ones, the nearest to a changed line or
// a claim first. Last come open violations elsewhere, such as a report that was taken up: the
// reviewer could report them again, and only with their ids are they not out of range. The prompt
// does not say whether a violation is open, claimed, verified or skipped.
//
// Rule: What is known is listed, without its status.
func (s *Slot) known(lines *Lines) (list []ledger.Violation) {
	away := map[string]int{}
	add := func(v ledger.Violation, open bool) {
		lines, under := s.away(v.Place)
		if !under {
			lines = math.MaxInt
		}
		if under || open {
			away[v.ShortID], list = lines, append(list, v)
		}
	}
	for _, v := range s.Known {
		add(v, v.Fate().Open())
	}
	for _, e := range s.Earlier {
		if place, there := lines.still(e); there {
			add(ledger.Violation{ShortID: e.ShortID, Issue: e.Issue, Place: place}, false)
		}
	}
	slices.SortStableFunc(list, func(a, b ledger.Violation) int { return cmp.Compare(away[a.ShortID], away[b.ShortID]) })
	return list[:min(len(list), maxKnown)]
}

// away returns how many lines a place is away from the nearest changed line, claim or dispute in
// its file. under is false if nothing in the file is under review.
func (s *Slot) away(place ledger.Place) (lines int, under bool) {
	if s.Diff != nil {
		lines, under = s.Diff.Distance(place.File, place.Start, place.End)
	}
	for _, claim := range slices.Concat(s.Claims, s.Disputed) {
		for _, at := range claim.Places() {
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

// still returns the present place of a violation of an earlier run, if the file still has its line.
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
