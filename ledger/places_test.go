package ledger

import (
	"fmt"
	"slices"
	"testing"
)

// The index finds what a look at every place finds, and nothing else.
func TestPlaceIndex(t *testing.T) {
	t.Parallel()
	var list []indexedPlace
	for i, place := range []Place{
		{"f", 1, 90}, {"f", 5, 5}, {"f", 0, 0}, {"f", 7, 9}, {"f", 7, 7}, {"f", 30, 31}, {"g", 5, 5}, {"f", 60, 60}, {"f", 2, 3}, {"f", 200, 210},
	} {
		list = append(list, indexedPlace{place, i})
	}
	index := indexPlaces(list)
	for _, place := range []Place{
		{"f", 0, 0}, {"f", 5, 5}, {"f", 6, 6}, {"f", 4, 8}, {"f", 10, 10}, {"f", 29, 29}, {"f", 32, 40}, {"f", 95, 95}, {"f", 199, 199}, {"f", 211, 300}, {"g", 5, 5}, {"g", 9, 9}, {"h", 5, 5},
	} {
		for _, lines := range []int{0, 1, 3} {
			var want, got []int
			for _, p := range list {
				if p.File == place.File && gap(p.Place, place) <= lines {
					want = append(want, p.item)
				}
			}
			for p := range index.near(place, lines) {
				got = append(got, p.item)
			}
			slices.Sort(got)
			name := fmt.Sprintf("%v ± %d", place, lines)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
			for item := range list {
				if index.any(place, lines, func(i int) bool { return i == item }) != slices.Contains(want, item) {
					t.Errorf("%s: item %d is not %v", name, item, want)
				}
			}
			if lines == 0 && index.meets(place) != (len(want) > 0) {
				t.Errorf("%s meets %v", name, want)
			}
		}
	}
}

func TestGapAndOverlap(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b         Place
		gap, overlap int
	}{
		{Place{"f", 1, 4}, Place{"f", 4, 9}, 0, 1}, {Place{"f", 1, 4}, Place{"f", 5, 9}, 1, 0}, {Place{"f", 1, 4}, Place{"f", 9, 9}, 5, 0},
		{Place{"f", 2, 8}, Place{"f", 4, 5}, 0, 2}, {Place{"f", 3, 3}, Place{"f", 3, 3}, 0, 1}, {Place{"f", 0, 0}, Place{"f", 9, 9}, 0, 0}, {Place{"f", 0, 0}, Place{"f", 0, 0}, 0, 0},
	} {
		for _, pair := range [][2]Place{{test.a, test.b}, {test.b, test.a}} {
			if gap(pair[0], pair[1]) != test.gap || overlap(pair[0], pair[1]) != test.overlap {
				t.Errorf("%v: %d lines apart, %d shared", pair, gap(pair[0], pair[1]), overlap(pair[0], pair[1]))
			}
		}
	}
}
