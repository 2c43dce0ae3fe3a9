package match

import (
	"cmp"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Stated is a violation that is open or marked fixed, or a duplicate of one, with what decides
// whether another one with the same words is the same problem.
type Stated struct {
	// ID is its short id, and Original that of what it was joined to, or "".
	ID, Original string
	Status       ledger.Status
	// Place is its own place in the tree that was reviewed, and Words is its issue.
	Place ledger.Place
	Words string
	// Places has all its places, its own first. Named is the short id of what the reviewer of a fresh one
	// says that it is, if another gate reported that.
	Places []ledger.Place
	Named  string
	// Fresh is set if the answer that is being recorded reports it. Answers are all answers that
	// reported it.
	Fresh   bool
	Answers []int64
	// TakenOut is set if it was joined once, and somebody ended that.
	TakenOut bool
	// First is the iteration that found it. Of violations of one iteration, the order is that of
	// Priority, Gate, Slot and Position.
	First    int
	Priority ledger.Priority
	Gate     int64
	Slot     int
	Position int64
}

// compare orders violations: the first one is the original if they are joined.
func (v *Stated) compare(o *Stated) int {
	return cmp.Or(v.First-o.First, v.Priority.Rank()-o.Priority.Rank(), cmp.Compare(v.Gate, o.Gate), v.Slot-o.Slot, cmp.Compare(v.Position, o.Position), cmp.Compare(v.ID, o.ID))
}

// Join makes the violation a duplicate of the original. Both are short ids. Named is set if the reviewer
// named the original.
type Join struct {
	ID, Original string
	Named        bool
}

// Joins returns which violations are joined because a fresh one has the words and the place of another,
// or because its reviewer names an open one that is perhaps the same, or whose places meet, in the order
// in which to join them, and which of the originals are claims, which the fresh report reopens. A whole
// file is the place of only a whole file. Two entries of one answer are two problems, and stay apart; what
// is disputed, and what was taken out of a join, is left alone. related has the short ids of what is
// perhaps the same.
//
// Rule: A duplicate has the fate of what it was joined to.
func Joins(all []Stated, related [][2]string) (joins []Join, reopened []string) {
	j := joiner{of: map[string]*Stated{}, groups: map[*Stated][]*Stated{}}
	for i := range all {
		j.of[all[i].ID] = &all[i]
	}
	for i := range all {
		if original := j.original(&all[i]); original != nil {
			j.groups[original] = append(j.groups[original], &all[i])
		}
	}
	joined := map[string]bool{}
	words := meeting(all)
	for n, pair := range append(words, named(all, j.of, related)...) {
		first, second := j.original(pair[0]), j.original(pair[1])
		if first == nil || second == nil || first == second || !j.joinable(first, second) {
			continue
		}
		if second.compare(first) < 0 {
			first, second = second, first
		}
		joins = append(joins, Join{second.ID, first.ID, n >= len(words)})
		j.groups[first], second.Original = append(j.groups[first], j.groups[second]...), first.ID
		joined[first.ID] = true
	}
	for i := range all {
		if v := &all[i]; joined[v.ID] && v.Original == "" && v.Status == ledger.StatusFixed {
			reopened = append(reopened, v.ID)
		}
	}
	return joins, reopened
}

// joiner has the violations by id, and those of each problem by its original.
type joiner struct {
	of     map[string]*Stated
	groups map[*Stated][]*Stated
}

// original returns the original of the violation, or nil if that waits for nothing.
func (j *joiner) original(v *Stated) *Stated {
	for v != nil && v.Original != "" {
		v = j.of[v.Original]
	}
	return v
}

// joinable reports whether the problems of two originals can be joined.
func (j *joiner) joinable(a, b *Stated) bool {
	waits := func(v *Stated) bool {
		return (v.Status.ForAuthor() || v.Status == ledger.StatusFixed) && !v.TakenOut
	}
	if !waits(a) || !waits(b) {
		return false
	}
	for _, v := range j.groups[a] { // a group has at most one entry of each answer
		for _, o := range j.groups[b] {
			if slices.ContainsFunc(v.Answers, func(answer int64) bool { return slices.Contains(o.Answers, answer) }) {
				return false
			}
		}
	}
	return true
}

// named returns the pairs of a fresh violation and the open one that its reviewer names, if they are
// perhaps the same or their places meet: a name alone buries nothing.
func named(all []Stated, of map[string]*Stated, related [][2]string) (pairs [][2]*Stated) {
	for i := range all {
		v := &all[i]
		other := of[v.Named]
		if !v.Fresh || other == nil || !other.Status.Open() {
			continue
		}
		pair := [2]string{min(v.ID, other.ID), max(v.ID, other.ID)}
		meet := slices.ContainsFunc(v.Places, func(p ledger.Place) bool {
			return slices.ContainsFunc(other.Places, func(q ledger.Place) bool { return p.WholeFile() == q.WholeFile() && p.Meets(q) })
		})
		if meet || slices.Contains(related, pair) {
			pairs = append(pairs, [2]*Stated{v, other})
		}
	}
	return pairs
}

// maxCompared is how many of the violations that follow it in its file, with the same words, a
// violation is compared with.
const maxCompared = 20

// meeting returns the pairs of violations with the same words whose places meet, of which at least
// one is fresh: first those at exactly one place.
func meeting(all []Stated) (pairs [][2]*Stated) {
	words, sorted := map[*Stated]string{}, make([]*Stated, 0, len(all))
	for i := range all {
		words[&all[i]] = ledger.NormalWords(all[i].Words)
		sorted = append(sorted, &all[i])
	}
	slices.SortFunc(sorted, func(a, b *Stated) int {
		return cmp.Or(cmp.Compare(a.Place.File, b.Place.File), cmp.Compare(words[a], words[b]), a.Place.Start-b.Place.Start, a.Place.End-b.Place.End, a.compare(b))
	})
	var exact [][2]*Stated
	for i, a := range sorted {
		for _, b := range sorted[i+1 : min(len(sorted), i+1+maxCompared)] {
			if words[a] != words[b] || !a.Place.Meets(b.Place) || a.Place.WholeFile() != b.Place.WholeFile() {
				break // so does whatever follows
			}
			switch {
			case !a.Fresh && !b.Fresh:
			case a.Place == b.Place:
				exact = append(exact, [2]*Stated{a, b})
			default:
				pairs = append(pairs, [2]*Stated{a, b})
			}
		}
	}
	return append(exact, pairs...)
}
