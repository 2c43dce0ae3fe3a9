package diff

import (
	"bytes"
	"iter"
	"slices"
	"strings"
)

// Line is a line of a file's part of a diff.
type Line struct {
	// Kind is '+', '-', or ' ' for an unchanged line. [Rows] also yields '\\' for git's remark
	// about a missing line break at the end of a file, and 0 for a header.
	Kind byte
	// Hunk counts the hunks from 1.
	Hunk int
	// Old and New are the line's numbers in the two trees. In the tree that lacks the line, it is
	// the number of the line below.
	Old, New int
	// Text is the line without its sign, with its line break.
	Text []byte
}

// Lines yields the lines that a file's part of a diff shows.
func Lines(part []byte) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for line := range Rows(part) {
			if line.Kind != 0 && line.Kind != '\\' && !yield(line) {
				return
			}
		}
	}
}

// Rows yields all lines of a file's part of a diff. In a hunk it counts lines by the header, so
// that a line of the file is never mistaken for one of git's.
func Rows(part []byte) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		var left Block // what is left of the hunk
		hunk, inHunk := 0, false
		for text := range bytes.Lines(part) {
			row := Line{Kind: text[0], Hunk: hunk, Old: left.OldStart, New: left.NewStart, Text: text[1:]}
			switch {
			case inHunk && row.Kind == '\\':
			case left.OldCount <= 0 && left.NewCount <= 0:
				row = Line{Text: text}
				var next Block
				if next, inHunk = parseHunkHeader(text); inHunk {
					left, hunk = next, hunk+1
				}
			case row.Kind == '+':
				left.NewStart, left.NewCount = left.NewStart+1, left.NewCount-1
			case row.Kind == '-':
				left.OldStart, left.OldCount = left.OldStart+1, left.OldCount-1
			default:
				row.Kind, row.Text = ' ', bytes.TrimPrefix(text, []byte(" "))
				left = Block{left.OldStart + 1, left.OldCount - 1, left.NewStart + 1, left.NewCount - 1}
			}
			if !yield(row) {
				return
			}
		}
	}
}

// oldEnd and newEnd return the line that follows the block.
func (b Block) oldEnd() int { return b.OldStart + b.OldCount }
func (b Block) newEnd() int { return b.NewStart + b.NewCount }

// parseHunkHeader parses "@@ -10,7 +10,8 @@ anything" into a block that holds all lines of the
// hunk, including context.
func parseHunkHeader(line []byte) (Block, bool) {
	var b Block
	rest, ok := bytes.CutPrefix(line, []byte("@@ -"))
	if !ok {
		return b, false
	}
	if b.OldStart, b.OldCount, rest, ok = parseRange(rest); !ok {
		return b, false
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(" +")); !ok {
		return b, false
	}
	if b.NewStart, b.NewCount, rest, ok = parseRange(rest); !ok {
		return b, false
	}
	return b, bytes.HasPrefix(rest, []byte(" @@")) && b.OldCount+b.NewCount > 0
}

// parseRange parses "10,7", or "10" for one line. For a range without lines git gives the line
// before the change as the start; parseRange returns the one after it.
func parseRange(text []byte) (start, count int, rest []byte, ok bool) {
	if start, rest, ok = parseNumber(text); !ok {
		return 0, 0, nil, false
	}
	count = 1
	if len(rest) > 0 && rest[0] == ',' {
		if count, rest, ok = parseNumber(rest[1:]); !ok {
			return 0, 0, nil, false
		}
	}
	if count == 0 {
		start++
	}
	return start, count, rest, start > 0
}

func parseNumber(text []byte) (n int, rest []byte, ok bool) {
	digits := 0
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		if n = 10*n + int(text[digits]-'0'); n > maxLine {
			return 0, nil, false
		}
		digits++
	}
	return n, text[digits:], digits > 0
}

// hunkContext is how many lines away from a place a change may be to count as near: as many as a
// hunk shows around its change.
const hunkContext = 3

// Near returns the hunks of the diff with changes in or next to a place of the old tree, cut to a
// maximum number of lines. Start 0 means the whole file. It returns "" if the diff shows no lines.
func (d *Diff) Near(file string, start, end, lines int) string {
	var near strings.Builder
	for i := range d.Files {
		f := &d.Files[i]
		if f.Old != file && f.New != file {
			continue
		}
		for _, h := range f.Hunks {
			if start <= 0 || h.changesNear(start-hunkContext, max(start, end)+hunkContext) {
				lines -= appendLines(&near, h.Text, lines)
			}
		}
	}
	return near.String()
}

// changesNear reports whether one of the hunk's changes lies in the lines of the old tree.
func (h Hunk) changesNear(from, to int) bool {
	return slices.ContainsFunc(h.Blocks, func(b Block) bool {
		return b.OldStart <= to && from <= b.OldStart+max(b.OldCount, 1)-1
	})
}

// appendLines adds at most that many lines of the text, and returns how many it added.
func appendLines(to *strings.Builder, text []byte, most int) (n int) {
	for line := range bytes.Lines(text) {
		if n == most {
			break
		}
		to.WriteString(strings.ToValidUTF8(string(line), "\uFFFD"))
		n++
	}
	return n
}
