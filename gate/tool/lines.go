package tool

import (
	"slices"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// chooseChanged moves a result with several places to the one that is in the change or in a claim. A
// tool that finds two lines that do not fit together may name the unchanged one first. Of its other
// places it keeps those in the change: what covers one of them does not cover these.
//
// Rule: A skip is not reported twice.
func chooseChanged(results []ledger.Entry, in *clients.Subject) {
	lines := readReviewedLines(in)
	for i := range results {
		r := &results[i]
		if n := slices.IndexFunc(r.Also, lines.meet); n >= 0 && !lines.meet(r.Place) {
			r.Place = r.Also[n]
		}
		r.Also = slices.DeleteFunc(r.Also, func(p ledger.Place) bool { return p == r.Place || !lines.meet(p) })
		if len(r.Also) == 0 {
			r.Also = nil
		}
	}
}

// lineRange is a first and a last line, counted from 1. A range that starts at 0 is a whole file.
type lineRange struct{ start, end int }

// reviewedLines are the lines under review, by file. A file without lines is under review as a
// whole.
type reviewedLines map[string][]lineRange

func readReviewedLines(in *clients.Subject) reviewedLines {
	lines := reviewedLines{}
	for _, f := range in.Files {
		if lines[f.Path()] = append(lines[f.Path()], rangesOf(f.Text)...); in.WholeFiles {
			lines[f.Path()] = nil
		}
	}
	for _, c := range in.Claims {
		if ranges, changed := lines[c.Place.File]; !changed || len(ranges) > 0 {
			lines[c.Place.File] = append(ranges, lineRange{c.Place.Start, max(c.Place.Start, c.Place.End)})
		}
	}
	return lines
}

// rangesOf returns the lines that a file's part of a unified diff changes, including those on both
// sides of removed lines.
func rangesOf(text []byte) (ranges []lineRange) {
	for line := range diff.Lines(text) {
		switch line.Kind {
		case '+':
			ranges = append(ranges, lineRange{line.New, line.New})
		case '-':
			ranges = append(ranges, lineRange{line.New - 1, line.New})
		}
	}
	return ranges
}

func (c reviewedLines) meet(p ledger.Place) bool {
	ranges, changed := c[p.File]
	if !changed {
		return false
	}
	return len(ranges) == 0 || p.Start == 0 || slices.ContainsFunc(ranges, func(r lineRange) bool {
		return r.start == 0 || r.start <= max(p.Start, p.End) && p.Start <= r.end
	})
}
