package ledger

import (
	"cmp"
	"slices"
)

// indexedPlace is a place and what lies there, as an index into something else.
type indexedPlace struct {
	Place
	item int
}

// placeIndex finds what lies at a place, or near it, without a look at everything
// else in the file.
type placeIndex map[string]*filePlaces

// filePlaces are the places of one file.
type filePlaces struct {
	whole []indexedPlace // of the whole file
	lines []indexedPlace // by start
	// reach is the largest end of the lines up to each.
	reach []int
}

func indexPlaces(list []indexedPlace) placeIndex {
	index := placeIndex{}
	for _, p := range list {
		file := index[p.File]
		if file == nil {
			file = &filePlaces{}
			index[p.File] = file
		}
		if p.WholeFile() {
			file.whole = append(file.whole, p)
		} else {
			file.lines = append(file.lines, p)
		}
	}
	for _, file := range index {
		slices.SortStableFunc(file.lines, func(a, b indexedPlace) int { return cmp.Compare(a.Start, b.Start) })
		reach := 0
		for _, p := range file.lines {
			reach = max(reach, p.End)
			file.reach = append(file.reach, reach)
		}
	}
	return index
}

// near yields all items at most the given number of lines from the place. An item about
// the whole file is at every place in it.
func (index placeIndex) near(place Place, lines int) func(yield func(indexedPlace) bool) {
	return func(yield func(indexedPlace) bool) {
		file := index[place.File]
		if file == nil {
			return
		}
		for _, p := range file.whole {
			if !yield(p) {
				return
			}
		}
		above := len(file.lines)
		if !place.WholeFile() {
			above, _ = slices.BinarySearchFunc(file.lines, place.End+lines+1, func(p indexedPlace, line int) int {
				return cmp.Compare(p.Start, line)
			})
		}
		for i := above - 1; i >= 0; i-- {
			if file.reach[i] < place.Start-lines {
				return
			}
			if p := file.lines[i]; gap(p.Place, place) <= lines && !yield(p) {
				return
			}
		}
	}
}

// any reports whether an item at most the given number of lines from the place satisfies
// is.
func (index placeIndex) any(place Place, lines int, is func(item int) bool) bool {
	for p := range index.near(place, lines) {
		if is(p.item) {
			return true
		}
	}
	return false
}

// meets reports whether anything lies at the place.
func (index placeIndex) meets(place Place) bool {
	return index.any(place, 0, func(int) bool { return true })
}

// gap is how many lines two places of one file are apart: 0 if they meet, 1 if they
// are neighbours.
func gap(a, b Place) int {
	if a.WholeFile() || b.WholeFile() {
		return 0
	}
	return max(0, a.Start-b.End, b.Start-a.End)
}

// overlap is how many lines two meeting places share. A whole file shares
// nothing in particular.
func overlap(a, b Place) int {
	if a.WholeFile() {
		return 0
	}
	return max(0, min(a.End, b.End)-max(a.Start, b.Start)+1)
}

func abs(n int) int { return max(n, -n) }
