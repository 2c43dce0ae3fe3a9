package diff

import (
	"bytes"
	"slices"
	"strings"
)

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
