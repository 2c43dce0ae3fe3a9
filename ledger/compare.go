package ledger

import (
	"cmp"
	"slices"
)

// Comparison is what two runs have in common and what not. Each list has the worst first.
type Comparison struct {
	OnlyA, OnlyB []ListedViolation
	Both         []Pair
}

// Pair is a violation that two runs have in common, in the state of each.
type Pair struct{ A, B ListedViolation }

// CompareViolations matches the violations that both lists have: those with the same fingerprint,
// or else those in the same file with the same words, ignoring letter case, white space and the
// punctuation at the end. Each violation is in at most one pair. If several could be paired, those
// with the nearest lines are.
func CompareViolations(a, b []ListedViolation) Comparison {
	var c Comparison
	partner := make([]int, len(a)) // index in b, or -1
	for i := range partner {
		partner[i] = -1
	}
	used := make([]bool, len(b))
	for _, key := range []func(ListedViolation) string{fingerprintKey, wordsKey} {
		alike := map[string][]int{}
		for i, v := range b {
			if k := key(v); k != "" && !used[i] {
				alike[k] = append(alike[k], i)
			}
		}
		for i, v := range a {
			if partner[i] < 0 {
				if n := nearest(v, b, alike[key(v)], used); n >= 0 {
					partner[i], used[n] = n, true
				}
			}
		}
	}
	for i, v := range a {
		if partner[i] < 0 {
			c.OnlyA = append(c.OnlyA, v)
		} else {
			c.Both = append(c.Both, Pair{v, b[partner[i]]})
		}
	}
	for i, v := range b {
		if !used[i] {
			c.OnlyB = append(c.OnlyB, v)
		}
	}
	slices.SortStableFunc(c.OnlyA, worstFirst)
	slices.SortStableFunc(c.OnlyB, worstFirst)
	slices.SortStableFunc(c.Both, func(p, q Pair) int { return worstFirst(p.A, q.A) })
	return c
}

func fingerprintKey(v ListedViolation) string { return v.Fingerprint }

// wordsKey returns a key that is equal for violations with the same words in the same file.
func wordsKey(v ListedViolation) string {
	return v.Place.File + "\x00" + NormalWords(v.Issue)
}

// nearest returns the unused candidate whose line is nearest, or -1.
func nearest(v ListedViolation, list []ListedViolation, candidates []int, used []bool) int {
	best := -1
	for _, i := range candidates {
		if !used[i] && (best < 0 || distance(v, list[i]) < distance(v, list[best])) {
			best = i
		}
	}
	return best
}

func distance(a, b ListedViolation) int {
	return max(a.Place.Start-b.Place.Start, b.Place.Start-a.Place.Start)
}

// worstFirst orders violations by priority, then by place.
func worstFirst(a, b ListedViolation) int {
	return cmp.Or(cmp.Compare(a.Priority.Rank(), b.Priority.Rank()), cmp.Compare(a.Place.File, b.Place.File), cmp.Compare(a.Place.Start, b.Place.Start))
}
