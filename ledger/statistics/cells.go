package statistics

import (
	"iter"
	"slices"
	"strings"
)

// A Cell is a number that sums keep: a measure and a key in a bucket.
type Cell struct {
	Measure     Measure
	Bucket, Key string
}

// Cells adds up numbers before they are written. The zero value has none.
type Cells struct {
	sums    map[cell]int64
	texts   []string
	numbers map[string]uint32 // of the texts
}

// cell is a [Cell] by the numbers of its texts, of which each is in many cells. A million violations
// have millions of cells: if they had texts, collecting garbage would take as long as everything
// else.
type cell struct{ measure, bucket, key uint32 }

// AddTo adds the counts of a run, multiplied by sign, to cells. branch is the run's branch, or
// empty. [Lines] are not added, because which of them recur depends on other runs.
func (c Counts) AddTo(cells *Cells, branch string, sign int64) {
	if cells.sums == nil {
		cells.sums, cells.numbers = map[cell]int64{}, map[string]uint32{}
	}
	days := map[int64]string{}
	for _, count := range c {
		buckets := count.buckets(branch, days)
		if len(buckets) == 0 {
			continue // the keys of lines are not needed
		}
		at := cell{measure: cells.number(string(count.Measure)), key: cells.number(count.Key)}
		for _, bucket := range buckets {
			at.bucket = cells.number(bucket)
			cells.sums[at] += sign * count.N
		}
	}
}

// number returns the number of a text. A new text is copied, because it may be a part of a long one.
func (c *Cells) number(text string) uint32 {
	n, known := c.numbers[text]
	if !known {
		n, text = uint32(len(c.texts)), strings.Clone(text)
		c.numbers[text], c.texts = n, append(c.texts, text)
	}
	return n
}

// All yields the cells that are not 0, in the order of the index in which they are written.
func (c *Cells) All() iter.Seq2[Cell, int64] {
	list := make([]cell, 0, len(c.sums))
	for at, n := range c.sums {
		if n != 0 {
			list = append(list, at)
		}
	}
	slices.SortFunc(list, func(a, b cell) int {
		switch {
		case a.measure != b.measure:
			return strings.Compare(c.texts[a.measure], c.texts[b.measure])
		case a.bucket != b.bucket:
			return strings.Compare(c.texts[a.bucket], c.texts[b.bucket])
		case a.key != b.key:
			return strings.Compare(c.texts[a.key], c.texts[b.key])
		}
		return 0
	})
	return func(yield func(Cell, int64) bool) {
		for _, at := range list {
			if !yield(Cell{Measure(c.texts[at.measure]), c.texts[at.bucket], c.texts[at.key]}, c.sums[at]) {
				return
			}
		}
	}
}
