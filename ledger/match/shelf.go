package match

import (
	"cmp"
	"slices"
	"sort"

	"github.com/reviewledger/reviewledger/ledger"
)

// kind is a kind of earlier violation.
type kind int

const (
	ownClaim kind = iota
	otherClaim
	own
	other
	// These two are found by place alone: claimed has all claims, and live has those that the answer
	// does not call fixed, and what is open.
	claimed
	live
	reported               // what the answer reported, in a verification
	skipped                // one kind for each priority: skipped plus its rank
	verified = skipped + 8 // likewise, found by place alone
)

// anyFile stands for any file in a [shelfKey].
const anyFile = "\x00"

// shelfKey identifies the violations of one kind with the same words in one file.
type shelfKey struct {
	words, file string
	kind        kind
}

// shelves is the index of earlier violations and, in a verification, of reports.
type shelves map[shelfKey]*shelf

// shelve indexes the earlier violations: by words only those whose words an entry has, and in any
// file only if an entry is about the whole change.
func shelve(said *entries, before *earlier, rules ledger.Rules) shelves {
	worded, anywhere := make(map[string]bool, len(said.words)), false
	for i, r := range said.reports {
		worded[said.words[i]] = true
		anywhere = anywhere || r.WholeChange
	}
	s := shelves{}
	for i := range before.known {
		k, words := &before.known[i], before.knownWords[i]
		s.putByPlace(i, k)
		if worded[words] {
			s.putByWords(i, k, words, anywhere, rules.Slot)
		}
	}
	return s
}

// putByPlace indexes a violation by its places alone, the further ones included.
func (s shelves) putByPlace(known int, k *ledger.Known) {
	for _, p := range slices.Concat(placesOf(k), k.Further) {
		if k.WasClaim || k.WasDisputed {
			s.put("", p, claimed, known)
		}
	}
}

// putByWords indexes a violation by its words.
func (s shelves) putByWords(known int, k *ledger.Known, words string, anywhere bool, slot int) {
	places := placesOf(k)
	kind := own
	if k.Slot != slot && !slices.Contains(k.MoreSlots, slot) {
		kind = other
	}
	switch {
	case k.Status == ledger.StatusSkipped:
		kind = skipped + kindOf(k.Priority)
	case k.WasClaim:
		kind -= own - ownClaim
		if anywhere {
			places = append(places, ledger.Place{File: anyFile, Start: k.Here.Start, End: k.Here.End})
		}
		if k.Place.File != k.Here.File { // the file was renamed
			places = append(places, ledger.Place{File: k.Place.File, Start: k.Here.Start, End: k.Here.End})
		}
	}
	for _, p := range places {
		s.put(words, p, kind, known)
	}
}

// placesOf returns where the lines of the violation's own place are now.
func placesOf(k *ledger.Known) []ledger.Place { return append([]ledger.Place{k.Here}, k.Moved...) }

func kindOf(p ledger.Priority) kind { return kind(p.Rank()) }

func (s shelves) shelf(words, file string, kind kind) *shelf {
	return s[shelfKey{words, file, kind}]
}

func (s shelves) put(words string, p ledger.Place, kind kind, item int) {
	key := shelfKey{words, p.File, kind}
	if s[key] == nil {
		s[key] = &shelf{}
	}
	s[key].spots = append(s[key].spots, spot{p.Start, p.End, item})
}

// at returns a violation of a kind that is indexed by place alone and that meets the place, or -1.
func (s shelves) at(p ledger.Place, kind kind) int {
	p = tidy(p)
	for step := exact; step <= whole; step++ {
		if item, _ := s.shelf("", p.File, kind).find(p, step, nil); item >= 0 {
			return item
		}
	}
	return -1
}

// meetsAny reports whether a violation of the kind meets one of the places.
func (s shelves) meetsAny(places []ledger.Place, kind kind) bool { return s.meeting(places, kind) >= 0 }

// meeting returns a violation of the kind that meets one of the places, or -1.
func (s shelves) meeting(places []ledger.Place, kind kind) int {
	for _, p := range places {
		if item := s.at(p, kind); item >= 0 {
			return item
		}
	}
	return -1
}

// step is how close a violation must be to a place.
type step int

const (
	exact   step = iota // at the same lines
	lines               // with a line in common
	whole               // one of the two is the whole file
	nearest             // anywhere in the same file
)

// spot is the place of an item, which is the index of a violation. Line 0 is the whole file.
type spot struct{ start, end, item int }

// A shelf finds free items at or near a place without looking at all items.
type shelf struct {
	spots []spot // by start
	// ends is a heap of the largest ends: ends[n] is the larger of ends[2n] and ends[2n+1]. Its
	// second half has the ends of the spots; -1 means that the spot is not free.
	ends []int
}

// find returns a free item that is as close to the place as the step says, and how many lines away
// it begins; or -1 if there is none.
func (s *shelf) find(p ledger.Place, step step, matched []bool) (item, distance int) {
	if s == nil {
		return -1, 0
	}
	s.build()
	after := s.search(p.Start, 1<<62)
	found := -1
	switch {
	case step == exact:
		found = s.same(p.Start, p.End, matched)
	case step == lines && p.WholeFile():
	case step == lines:
		if found = s.last(after, p.Start, matched); found < 0 {
			if found = s.free(after, matched); found >= 0 && s.spots[found].start > p.End {
				found = -1
			}
		}
	case step == whole && !p.WholeFile():
		found = s.same(0, 0, matched)
	case p.WholeFile():
		found = s.free(0, matched)
	default:
		found = s.last(after, 0, matched)
		if right := s.free(after, matched); found < 0 || right >= 0 && s.spots[right].start-p.Start < p.Start-s.spots[found].start {
			found = right
		}
	}
	if found < 0 {
		return -1, 0
	}
	return s.spots[found].item, max(s.spots[found].start-p.Start, p.Start-s.spots[found].start)
}

func (s *shelf) build() {
	if s.ends != nil {
		return
	}
	slices.SortStableFunc(s.spots, func(a, b spot) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	half := 1
	for half < len(s.spots) {
		half *= 2
	}
	s.ends = slices.Repeat([]int{-1}, 2*half)
	for i, spot := range s.spots {
		s.ends[half+i] = spot.end
	}
	for n := half - 1; n > 0; n-- {
		s.ends[n] = max(s.ends[2*n], s.ends[2*n+1])
	}
}

// search returns the index of the first spot that does not come before a spot with these lines.
func (s *shelf) search(start, end int) int {
	return sort.Search(len(s.spots), func(i int) bool {
		return s.spots[i].start > start || s.spots[i].start == start && s.spots[i].end >= end
	})
}

// same returns the first free spot with exactly these lines.
func (s *shelf) same(start, end int, matched []bool) int {
	if i := s.free(s.search(start, end), matched); i >= 0 && s.spots[i].start == start && s.spots[i].end == end {
		return i
	}
	return -1
}

// free returns the first free spot from the index on. last returns the last free spot before the
// index that reaches the line.
func (s *shelf) free(from int, matched []bool) int {
	return s.pick(from, len(s.spots), 0, false, matched)
}

func (s *shelf) last(before, line int, matched []bool) int {
	return s.pick(0, before, line, true, matched)
}

func (s *shelf) pick(from, to, line int, last bool, matched []bool) int {
	for {
		i := s.look(1, 0, len(s.ends)/2, from, to, line, last)
		if i < 0 || matched == nil || !matched[s.spots[i].item] {
			return i
		}
		n := i + len(s.ends)/2
		for s.ends[n] = -1; n > 1; n /= 2 {
			s.ends[n/2] = max(s.ends[n], s.ends[n^1])
		}
	}
}

// look returns the first or last index between from and to whose end reaches the line. It looks
// below the node of the heap that covers the indexes between low and high.
func (s *shelf) look(node, low, high, from, to, line int, last bool) int {
	if to <= low || high <= from || s.ends[node] < line {
		return -1
	}
	if high-low == 1 {
		return low
	}
	middle := (low + high) / 2
	if !last {
		if i := s.look(2*node, low, middle, from, to, line, last); i >= 0 {
			return i
		}
		return s.look(2*node+1, middle, high, from, to, line, last)
	}
	if i := s.look(2*node+1, middle, high, from, to, line, last); i >= 0 {
		return i
	}
	return s.look(2*node, low, middle, from, to, line, last)
}
