package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// editDistance returns how many bytes must be added, removed, replaced or swapped with their
// neighbor to turn a into b. Its time grows with the product of both lengths.
func editDistance(a, b string) int {
	var before, above []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, above, row = above, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			change := above[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}

// DidYouMean returns a question that suggests the names, each with the prefix, or "" without names.
func DidYouMean(names []string, prefix string) string {
	if len(names) == 0 {
		return ""
	}
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, fmt.Sprintf("%q", prefix+name))
	}
	return " (did you mean " + strings.Join(quoted, " or ") + "?)"
}

// Closest returns at most three names that word may be a typo or the beginning of, the nearest
// first.
func Closest(word string, names []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	const longest = 100 // no name is this long, so a longer word is not a typo
	if len(word) > longest {
		return nil
	}
	var found []candidate
	for _, name := range names {
		d := editDistance(strings.ToLower(word), strings.ToLower(name))
		near := d <= max(1, len(name)/3)
		if near || len(word) > 1 && strings.HasPrefix(strings.ToLower(name), strings.ToLower(word)) {
			found = append(found, candidate{name, d})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var nearest []string
	for _, c := range found[:min(len(found), 3)] {
		nearest = append(nearest, c.name)
	}
	return nearest
}
