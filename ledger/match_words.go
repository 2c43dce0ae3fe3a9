package ledger

import (
	"cmp"
	"container/heap"
	"slices"
)

// matchWords matches entries with claims in their words that are elsewhere: in the
// same file, nearest first, then in the files to which lines of the claim moved. A claim
// of which nothing is left at its place, because the file was deleted or rewritten under
// another name, may be anywhere, and so may an entry without a file.
func (e *evaluator) matchWords() {
	byWording := map[int][]int{}
	for i := range e.reports {
		if e.free(i) {
			byWording[e.wording[i]] = append(byWording[e.wording[i]], i)
		}
	}
	for wording, entries := range byWording {
		claims := slices.DeleteFunc(slices.Clone(e.byWording[wording]), func(k int) bool {
			return !e.known[k].claim() || e.matched[k] >= 0
		})
		if len(claims) == 0 {
			continue
		}
		e.matchNearest(entries, claims, (*Known).ownPlaces)
		e.matchNearest(entries, claims, (*Known).otherPlaces)
		e.matchLost(entries, claims)
		e.matchAnywhere(entries, claims)
	}
}

// ownPlaces are the violation's places in its file, under the name that it has now
// and under the one that it had.
func (k *Known) ownPlaces() []Place {
	own := slices.DeleteFunc(k.places(), func(p Place) bool { return p.File != k.Here.File })
	if k.Place.File != k.Here.File {
		own = append(own, Place{k.Place.File, k.Here.Start, k.Here.End})
	}
	return own
}

// otherPlaces are the violation's places in other files.
func (k *Known) otherPlaces() []Place {
	others := slices.DeleteFunc(k.places(), func(p Place) bool { return p.File == k.Here.File })
	for _, file := range k.Files {
		others = append(others, Place{File: file})
	}
	return others
}

// matchLost matches entries with claims of which no line is left.
func (e *evaluator) matchLost(entries, claims []int) {
	lost := slices.DeleteFunc(slices.Clone(claims), func(i int) bool {
		k := &e.known[i]
		return e.matched[i] >= 0 || !k.Here.WholeFile() || k.Place.WholeFile()
	})
	slices.SortStableFunc(lost, func(a, b int) int {
		return compareBool(e.known[a].Slot != e.rules.Slot, e.known[b].Slot != e.rules.Slot)
	})
	for _, report := range entries {
		if len(lost) > 0 && e.pair(byWords, report, lost[0]) {
			lost = lost[1:]
		}
	}
}

// matchAnywhere matches entries that name no file with claims, wherever these are.
func (e *evaluator) matchAnywhere(entries, claims []int) {
	left := slices.DeleteFunc(slices.Clone(claims), func(i int) bool { return e.matched[i] >= 0 })
	slices.SortStableFunc(left, func(a, b int) int {
		return compareBool(e.known[a].Slot != e.rules.Slot, e.known[b].Slot != e.rules.Slot)
	})
	for _, report := range entries {
		if len(left) > 0 && e.reports[report].WholeChange && e.pair(byWords, report, left[0]) {
			left = left[1:]
		}
	}
}

// matchNearest matches entries with claims in the files in which they have places, the
// nearest first. The nearest pair of what is left is always a pair of neighbours in the
// order of lines, so that it is found without a look at all pairs.
func (e *evaluator) matchNearest(entries, claims []int, places func(*Known) []Place) {
	files := map[string]*neighbours{}
	for _, i := range claims {
		if e.matched[i] >= 0 {
			continue
		}
		for _, place := range places(&e.known[i]) {
			file := files[place.File]
			if file == nil {
				file = &neighbours{}
				files[place.File] = file
			}
			file.points = append(file.points, point{line: place.Start, item: i, other: e.known[i].Slot != e.rules.Slot})
		}
	}
	var order []string
	for _, i := range entries {
		place := e.reports[i].Place
		if file := files[place.File]; file != nil && e.free(i) {
			if !file.points[len(file.points)-1].report {
				order = append(order, place.File) // the file's first entry
			}
			file.points = append(file.points, point{line: place.Start, item: i, report: true})
		}
	}
	for _, file := range order {
		files[file].match(func(p point) bool {
			if p.report {
				return e.free(p.item)
			}
			return e.matched[p.item] < 0
		}, func(report, claim int) { e.pair(byWords, report, claim) })
	}
}

// point is an entry, or a claim, at a line.
type point struct {
	line, item    int
	report, other bool // other: the claim is another slot's
}

// neighbours are the points of one file, as a list in the order of lines.
type neighbours struct {
	points       []point
	before, next []int
	pairs        []pointPair // a heap
	first        map[int]int // by line: before it no claim is free
}

// pointPair is a pair of neighbours, an entry and a claim.
type pointPair struct{ distance, left, right int }

// match pairs entries and claims, nearest first.
func (n *neighbours) match(free func(point) bool, pair func(report, claim int)) {
	slices.SortStableFunc(n.points, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.line, b.line), compareBool(a.other, b.other), cmp.Compare(a.item, b.item))
	})
	n.first = map[int]int{}
	for i := range n.points {
		n.before, n.next = append(n.before, i-1), append(n.next, i+1)
	}
	for i := range len(n.points) - 1 {
		n.push(i, i+1)
	}
	for len(n.pairs) > 0 {
		p := heap.Pop(n).(pointPair)
		if n.next[p.left] != p.right {
			continue // one of them is gone
		}
		if !n.points[p.left].report {
			p.left = n.firstOfLine(p.left, free)
		}
		left, right := n.points[p.left], n.points[p.right]
		leftFree, rightFree := free(left), free(right)
		if leftFree && rightFree {
			if left.report {
				pair(left.item, right.item)
			} else {
				pair(right.item, left.item)
			}
			leftFree, rightFree = false, false
		}
		if !leftFree {
			n.remove(p.left)
		}
		if !rightFree {
			n.remove(p.right)
		}
	}
}

// firstOfLine is the first claim that is free on the line of a claim, which is the last there
// before an entry: of one place the slot's own goes first, then the older one. If none is
// free, it is the claim itself.
func (n *neighbours) firstOfLine(last int, free func(point) bool) int {
	line := n.points[last].line
	i, seen := n.first[line]
	if !seen {
		i, _ = slices.BinarySearchFunc(n.points, line, func(p point, line int) int { return cmp.Compare(p.line, line) })
	}
	for i < last && (n.points[i].report || !free(n.points[i])) {
		i++ // what is not free will not be
	}
	n.first[line] = i
	return min(i, last)
}

// remove takes a point out of the list, and makes a pair of what was beside it.
func (n *neighbours) remove(i int) {
	left, right := n.before[i], n.next[i]
	if left >= 0 {
		n.next[left] = right
	}
	if right < len(n.points) {
		n.before[right] = left
	}
	n.before[i], n.next[i] = -2, -2
	n.push(left, right)
}

func (n *neighbours) push(left, right int) {
	if left < 0 || right >= len(n.points) || n.points[left].report == n.points[right].report {
		return
	}
	heap.Push(n, pointPair{n.points[right].line - n.points[left].line, left, right})
}

// Len, Less, Swap, Push and Pop make a heap of the pairs.
func (n *neighbours) Len() int { return len(n.pairs) }

func (n *neighbours) Less(i, j int) bool {
	a, b := n.pairs[i], n.pairs[j]
	return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.left, b.left), cmp.Compare(a.right, b.right)) < 0
}

func (n *neighbours) Swap(i, j int) { n.pairs[i], n.pairs[j] = n.pairs[j], n.pairs[i] }

func (n *neighbours) Push(x any) { n.pairs = append(n.pairs, x.(pointPair)) }

func (n *neighbours) Pop() any {
	last := n.pairs[len(n.pairs)-1]
	n.pairs = n.pairs[:len(n.pairs)-1]
	return last
}
