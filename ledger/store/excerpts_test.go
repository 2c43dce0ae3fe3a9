package store

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// Excerpts that are close together share a text, and each is read from it unchanged.
func TestRegionsOf(t *testing.T) {
	t.Parallel()
	file := func(lines int) (text []string) {
		for n := range lines {
			text = append(text, fmt.Sprintf("line %d\n", n+1))
		}
		return text
	}(2000)
	placed := func(name string, position, first, last int) placedExcerpt {
		return placedExcerpt{Excerpt: ledger.Excerpt{First: first, Text: strings.Join(file[first-1:last], "")}, file: name, position: position}
	}
	for name, test := range map[string]struct {
		excerpts []placedExcerpt
		regions  int
	}{
		"none":              {nil, 0},
		"apart":             {[]placedExcerpt{placed("a", 1, 1, 10), placed("a", 2, 12, 20)}, 2},
		"next to":           {[]placedExcerpt{placed("a", 1, 11, 20), placed("a", 2, 1, 10)}, 1},
		"overlapping":       {[]placedExcerpt{placed("a", 1, 5, 20), placed("a", 2, 1, 10)}, 1},
		"the same":          {[]placedExcerpt{placed("a", 1, 5, 20), placed("a", 2, 5, 20)}, 1},
		"inside":            {[]placedExcerpt{placed("a", 1, 8, 9), placed("a", 2, 5, 20)}, 1},
		"in another file":   {[]placedExcerpt{placed("a", 1, 1, 10), placed("b", 2, 5, 12)}, 2},
		"more than a share": {[]placedExcerpt{placed("a", 1, 1, 399), placed("a", 2, 300, 420)}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			regions := regionsOf(slices.Clone(test.excerpts))
			if len(regions) != test.regions {
				t.Errorf("%d regions, want %d", len(regions), test.regions)
			}
			read := map[int]string{}
			for _, r := range regions {
				for _, x := range r.excerpts {
					lines := int64(x.lines)
					read[x.position] = someLines(r.text.String(), int64(x.First-r.first), &lines)
				}
			}
			for _, x := range test.excerpts {
				if read[x.position] != x.Text {
					t.Errorf("excerpt %d reads %q, want %q", x.position, read[x.position], x.Text)
				}
			}
		})
	}
}

// A dump may give an excerpt more lines than its text has, or a start after the text's end.
func TestSomeLinesEndWithTheText(t *testing.T) {
	t.Parallel()
	most := int64(math.MaxInt64)
	for skip, want := range map[int64]string{0: "a\nb\n", 1: "b\n", most: ""} {
		if got := someLines("a\nb\n", skip, &most); got != want {
			t.Errorf("after %d lines: %q, want %q", skip, got, want)
		}
	}
}
