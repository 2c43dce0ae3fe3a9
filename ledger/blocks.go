package ledger

import "cmp"

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
