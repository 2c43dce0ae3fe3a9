package ledger

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"
)

// nearestByHand pairs the nearest entry and claim, then the nearest of what is left, with
// a look at all of them.
func nearestByHand(points []point, paired map[point]bool) (pairs []string) {
	for {
		best, left, right := -1, point{}, point{}
		for i, a := range points {
			for _, b := range points[i+1:] {
				if a.report != b.report && !paired[a] && !paired[b] && (best < 0 || b.line-a.line < best) {
					best, left, right = b.line-a.line, a, b
				}
			}
		}
		if best < 0 {
			return pairs
		}
		paired[left], paired[right] = true, true
		if !left.report {
			left, right = right, left
		}
		pairs = append(pairs, fmt.Sprintf("%d %d", left.item, right.item))
	}
}

// The list of neighbours gives the pairs that a look at all of them gives.
func TestNearestPairs(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(1))
	for round := range 500 {
		n := &neighbours{}
		taken := map[point]bool{} // by other rules, before
		lines := random.Perm(60)
		for i := range 1 + random.Intn(12) {
			p := point{line: lines[i] * lines[i], item: i, report: random.Intn(2) == 0}
			n.points = append(n.points, p)
			if random.Intn(6) == 0 {
				taken[p] = true
			}
		}
		sorted := slices.SortedFunc(slices.Values(n.points), func(a, b point) int { return a.line - b.line })
		byHand := map[point]bool{}
		for p := range taken {
			byHand[p] = true
		}
		want := nearestByHand(sorted, byHand)
		var got []string
		at := map[int]point{}
		for _, p := range n.points {
			at[p.item] = p
		}
		n.match(func(p point) bool { return !taken[p] }, func(report, claim int) {
			taken[at[report]], taken[at[claim]] = true, true
			got = append(got, fmt.Sprintf("%d %d", report, claim))
		})
		slices.Sort(want) // of equally near ones the order is free
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("round %d, of %+v: %q, want %q", round, sorted, got, want)
		}
	}
}

// Of one place, the claim of the slot itself is nearer, then the older one.
func TestNearestOfOneLine(t *testing.T) {
	t.Parallel()
	n := &neighbours{points: []point{{line: 5, item: 0, other: true}, {line: 5, item: 2}, {line: 5, item: 1}, {line: 4, item: 7, report: true}}}
	free := map[int]bool{0: true, 1: true, 2: true, 7: true}
	n.match(func(p point) bool { return free[p.item] }, func(report, claim int) {
		free[report], free[claim] = false, false
		if report != 7 || claim != 1 {
			t.Errorf("%d is about %d", report, claim)
		}
	})
}
