package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Paired is a violation with those that are perhaps the same.
type Paired struct {
	ID       string // short id
	Status   Status
	Priority Priority
	Related  []string
}

// Blocks returns, for each violation of a run that is perhaps the same as another one, the first of
// its block: of all violations that are connected with it by such pairs, the most important one that
// is not a duplicate. The list is in the order in which the violations were found.
//
// Rule: A duplicate has the fate of what it was joined to.
func Blocks(found []Paired) map[string]string {
	at := make(map[string]int, len(found))
	for i, p := range found {
		at[p.ID] = i
	}
	root := make([]int, len(found))
	for i := range root {
		root[i] = i
	}
	of := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for i, p := range found {
		for _, other := range p.Related {
			if j, known := at[other]; known {
				root[of(j)] = of(i)
			}
		}
	}
	first, sizes := map[int]int{}, map[int]int{}
	for i, p := range found {
		block := of(i)
		sizes[block]++
		if f, known := first[block]; !known || p.leads(found[f]) {
			first[block] = i
		}
	}
	blocks := make(map[string]string, len(found))
	for i, p := range found {
		if block := of(i); sizes[block] > 1 {
			blocks[p.ID] = found[first[block]].ID
		}
	}
	return blocks
}

// leads reports whether the violation, which was found later, is the first of a block all the same.
func (p Paired) leads(o Paired) bool {
	joined := func(p Paired) int {
		if p.Status == StatusDuplicate {
			return 1
		}
		return 0
	}
	return cmp.Or(joined(p)-joined(o), p.Priority.Rank()-o.Priority.Rank()) < 0
}

// InBlocks divides a list into blocks, which are in the order of their first entries. of returns the
// group of an entry.
func InBlocks[V any](list []V, of func(V) string) (blocks [][]V) {
	at := map[string]int{}
	for _, v := range list {
		group := of(v)
		n, known := at[group]
		if !known {
			n = len(blocks)
			at[group], blocks = n, append(blocks, nil)
		}
		blocks[n] = append(blocks[n], v)
	}
	return blocks
}

// Together returns a list in which what is one block stands together, under its first, and for each
// violation the one that it stands under, or nil. A block is where the list has the first of it.
func Together(list []ListedViolation) (sorted []ListedViolation, under []*ListedViolation) {
	for _, block := range InBlocks(list, ListedViolation.Group) {
		if first := slices.IndexFunc(block, func(v ListedViolation) bool { return v.ShortID == v.Group() }); first > 0 {
			block = slices.Insert(slices.Delete(slices.Clone(block), first, first+1), 0, block[first])
		}
		for i := range block {
			sorted = append(sorted, block[i])
			if i == 0 {
				under = append(under, nil)
			} else {
				under = append(under, &block[0])
			}
		}
	}
	return sorted, under
}

// BlockOf returns the short id of the first of the entry's block.
func (e SlotEntry) BlockOf() string { return cmp.Or(e.Group, e.ID) }

// Beside returns what distinguishes the entry from the first one of its block: its gate, or else the
// slot that reported it, its place, and its words if they are other words.
func (e SlotEntry) Beside(first SlotEntry) (reporter string, place Place, words string) {
	reporter = e.Reporter
	if gate := e.Job[strings.LastIndexByte(e.Job, ':')+1:]; e.Job != first.Job {
		reporter = fmt.Sprintf("%s (%s)", gate, e.Reporter)
	}
	if !SameText(e.Issue, first.Issue) {
		words = e.Issue
	}
	return reporter, e.Place(), words
}

// CountOpen says how many violations are open, and how many problems they are if several of them are
// one block.
func CountOpen(open []ListedViolation) string {
	if blocks := len(InBlocks(open, ListedViolation.Group)); blocks < len(open) {
		return fmt.Sprintf("%s (%s)", Plural(blocks, "open problem"), Plural(len(open), "violation"))
	}
	return Plural(len(open), "open violation")
}
