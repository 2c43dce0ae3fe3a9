package match

import (
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// matching decides which earlier violation each entry is about.
type matching struct {
	*entries
	*earlier
	index
	ordered []int // the entries in the order in which they are matched

	about   []int  // by entry: the index in known that it is about, or -1
	matched []bool // by known: whether an entry matched it
	// unlisted has, by entry, the ID that the entry names although the prompt did not list it.
	unlisted map[int]string
}

func newMatching(answer *entries, before *earlier, rules ledger.Rules) *matching {
	return &matching{
		entries: answer, earlier: before, index: newIndex(answer, before, rules), ordered: answer.order(),
		about: slices.Repeat([]int{-1}, len(answer.reports)), matched: make([]bool, len(before.known)),
		unlisted: map[int]string{},
	}
}

// match assigns the report to the earlier violation. A report about the whole change gets the place
// of the violation.
func (m *matching) match(report, known int, why string) {
	r, k := &m.reports[report], &m.known[known]
	if meets(k, r.Place) {
		why = ""
	}
	if r.WholeChange && r.Place.File != k.Here.File {
		why += fmt.Sprintf(" (given as %q)", r.Place.File)
		r.Place = k.Here
	}
	m.decide(report, ledger.Accepted, why)
	m.about[report], m.matched[known], r.Match = known, true, k.ID
}

// matchWords matches entries with violations that have the same words and are as close as one of the
// steps says: violations at the entry's place, and claims anywhere in its file. Each violation gets
// at most one entry and each entry at most one violation; the closest pairs are matched first. What
// was said on the entry's line before is another finding than one anywhere else.
func (m *matching) matchWords(from, to step) {
	for step := from; step <= to; step++ {
		for _, i := range m.ordered {
			if !m.undecided(i) || m.facts[i].SaidBefore && step >= whole {
				continue
			}
			if k := m.worded(i, step); k >= 0 {
				m.match(i, k, "repeats violation "+m.known[k].ShortID+" word for word")
			}
		}
	}
}

// worded returns a violation with the report's words, preferably one of the slot's own, or -1 if
// there is none.
func (m *matching) worded(report int, step step) int {
	r := &m.reports[report]
	if step < nearest {
		for _, kind := range []kind{ownClaim, own, otherClaim, other} {
			if k, _ := m.group(m.words[report], r.Place.File, kind).find(r.Place, step, m.matched); k >= 0 {
				return k
			}
		}
		return -1
	}
	file := r.Place.File
	if r.WholeChange {
		file = anyFile
	}
	k, distance := m.group(m.words[report], file, ownClaim).find(r.Place, step, m.matched)
	if o, far := m.group(m.words[report], file, otherClaim).find(r.Place, step, m.matched); o >= 0 && (k < 0 || far < distance) {
		return o
	}
	return k
}

// skipOf returns the skip that the report repeats with the same words, or -1. If there are several,
// it returns the least important one that still covers the report.
func (m *matching) skipOf(report int) int {
	r := &m.reports[report]
	for rank := r.Priority.Rank(); rank >= 0; rank-- {
		group := m.group(m.words[report], r.Place.File, skipped+kind(rank))
		for step := exact; step <= lines; step++ {
			if k, _ := group.find(r.Place, step, m.matched); k >= 0 {
				return k
			}
		}
	}
	return -1
}

// lead sets, for each matched violation, which of its reports gives the text that the violation
// shows.
func (m *matching) lead() {
	leads := map[int]int{}
	for i, r := range m.reports {
		if r.Disposition != ledger.Accepted || m.about[i] < 0 {
			continue
		}
		if first, seen := leads[m.about[i]]; !seen || r.Priority.Higher(m.reports[first].Priority) {
			leads[m.about[i]] = i
		}
	}
	for _, i := range leads {
		m.reports[i].Leads = true
	}
}
