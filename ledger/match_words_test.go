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

// However many claims and entries are on few lines, each entry gets one while there are any,
// of one line the slot's own first, wherever the entry is.
func TestNearestOfFewLines(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(2))
	for round := range 2000 {
		n := &neighbours{}
		reports, claims, used := 0, 0, map[int]bool{}
		var points []point
		for i := range 2 + random.Intn(14) {
			p := point{line: random.Intn(4), item: i, report: random.Intn(2) == 0}
			p.other = !p.report && random.Intn(2) == 0
			switch {
			case random.Intn(4) == 0: // by other rules, before
				used[i] = true
			case p.report:
				reports++
			default:
				claims++
			}
			points = append(points, p)
		}
		n.points = slices.Clone(points)
		before := len(used)
		n.match(func(p point) bool { return !used[p.item] }, func(report, claim int) {
			if used[report] || used[claim] || !points[report].report || points[claim].report {
				t.Fatalf("round %d: %d is about %d, of %+v", round, report, claim, points)
			}
			for _, p := range points {
				c := points[claim]
				if !p.report && !used[p.item] && p.line == c.line && (c.other && !p.other || c.other == p.other && p.item < c.item) && p.line < points[report].line {
					t.Fatalf("round %d: %d is about %d, and not about %d, of %+v", round, report, claim, p.item, points)
				}
			}
			used[report], used[claim] = true, true
		})
		if len(used)-before != 2*min(reports, claims) {
			t.Fatalf("round %d: %d are matched of %+v", round, len(used), points)
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
