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

// anyFile stands for any file in an [indexKey].
const anyFile = "\x00"

// indexKey identifies the violations of one kind with the same words in one file.
type indexKey struct {
	words, file string
	kind        kind
}

// index finds earlier violations and, in a verification, reports.
type index map[indexKey]*group

// newIndex indexes the earlier violations: by words only those whose words an entry has, and in any
// file only if an entry is about the whole change.
func newIndex(answer *entries, before *earlier, rules ledger.Rules) index {
	worded, anywhere := make(map[string]bool, len(answer.words)), false
	for i, r := range answer.reports {
		worded[answer.words[i]] = true
		anywhere = anywhere || r.WholeChange
	}
	x := index{}
	for i := range before.known {
		k, words := &before.known[i], before.knownWords[i]
		x.putByPlace(i, k)
		if worded[words] {
			x.putByWords(i, k, words, anywhere, rules.Slot)
		}
	}
	return x
}

// putByPlace indexes a violation by its places alone, the further ones included.
func (x index) putByPlace(known int, k *ledger.Known) {
	for _, p := range slices.Concat(placesOf(k), k.Further) {
		if k.WasClaim || k.WasDisputed {
			x.put("", p, claimed, known)
		}
	}
}

// putByWords indexes a violation by its words.
func (x index) putByWords(known int, k *ledger.Known, words string, anywhere bool, slot int) {
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
		x.put(words, p, kind, known)
	}
}

// placesOf returns where the lines of the violation's own place are now.
func placesOf(k *ledger.Known) []ledger.Place { return append([]ledger.Place{k.Here}, k.Moved...) }

func kindOf(p ledger.Priority) kind { return kind(p.Rank()) }

func (x index) group(words, file string, kind kind) *group {
	return x[indexKey{words, file, kind}]
}

func (x index) put(words string, p ledger.Place, kind kind, item int) {
	key := indexKey{words, p.File, kind}
	if x[key] == nil {
		x[key] = &group{}
	}
	x[key].spots = append(x[key].spots, spot{p.Start, p.End, item})
}

// at returns a violation of a kind that is indexed by place alone and that meets the place, or -1.
func (x index) at(p ledger.Place, kind kind) int {
	p = tidy(p)
	for step := exact; step <= whole; step++ {
		if item, _ := x.group("", p.File, kind).find(p, step, nil); item >= 0 {
			return item
		}
	}
	return -1
}

// meetsAny reports whether a violation of the kind meets one of the places.
func (x index) meetsAny(places []ledger.Place, kind kind) bool { return x.meeting(places, kind) >= 0 }

// meeting returns a violation of the kind that meets one of the places, or -1.
func (x index) meeting(places []ledger.Place, kind kind) int {
	for _, p := range places {
		if item := x.at(p, kind); item >= 0 {
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

// group has the items of one key.
type group struct {
	spots  []spot
	sorted bool // by start
	// free has the spots whose items were not matched when it was last made.
	free []spot
}

// find returns a free item that is as close to the place as the step says, and how many lines away
// it begins; or -1 if there is none. Of those with a line in common, the one that begins last before the
// place comes first.
func (g *group) find(p ledger.Place, step step, matched []bool) (item, distance int) {
	if g == nil {
		return -1, 0
	}
	if !g.sorted {
		slices.SortStableFunc(g.spots, func(a, b spot) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
		g.sorted, g.free = true, g.spots
	}
	spots, passed := g.spots, 0
	if matched != nil {
		spots = g.free
	}
	is := func(s spot) bool {
		if matched != nil && matched[s.item] {
			passed++
			return false
		}
		return s.near(p, step)
	}
	from := func(start int) int {
		return sort.Search(len(spots), func(i int) bool { return spots[i].start >= start })
	}
	at, behind := from(p.Start), from(p.Start+1)
	found := -1
	switch {
	case step == exact:
		found = first(spots, at, behind, is)
	case p.WholeFile() && step >= whole:
		found = first(spots, 0, len(spots), is)
	case step == whole:
		found = first(spots, 0, from(1), is)
	case step == lines && !p.WholeFile():
		if found = last(spots, from(1), behind, is); found < 0 {
			found = first(spots, behind, from(p.End+1), is)
		}
	case step == nearest:
		found = last(spots, 0, behind, is)
		if right := first(spots, behind, len(spots), is); found < 0 || right >= 0 && spots[right].start-p.Start < p.Start-spots[found].start {
			found = right
		}
	}
	if found < 0 {
		item = -1
	} else {
		item, distance = spots[found].item, max(spots[found].start-p.Start, p.Start-spots[found].start)
	}
	if passed > 100 { // else 20,000 entries with the same words in one file took 27 s
		g.free = slices.DeleteFunc(slices.Clone(g.free), func(s spot) bool { return matched[s.item] })
	}
	return item, distance
}

// first returns the first index from one to before another of a spot that is wanted, or -1.
func first(spots []spot, from, to int, wanted func(spot) bool) int {
	if i := slices.IndexFunc(spots[from:to], wanted); i >= 0 {
		return from + i
	}
	return -1
}

// last returns the last of them.
func last(spots []spot, from, to int, wanted func(spot) bool) int {
	for i := to - 1; i >= from; i-- {
		if wanted(spots[i]) {
			return i
		}
	}
	return -1
}

// near reports whether the item, which begins where the step looks, is as close to the place as it says.
func (s spot) near(p ledger.Place, step step) bool {
	switch step {
	case exact:
		return s.start == p.Start && s.end == p.End
	case lines:
		return s.start <= p.End && s.end >= p.Start
	}
	return true
}
