package diff

import (
	"bytes"
	"strings"
)

// hunkContext is how far from a place, in lines, a hunk may lie and still be near it:
// as many lines as a hunk shows around its change.
const hunkContext = 3

// Near returns the hunks of a unified diff in which lines of a place of the old tree, or
// lines next to it, changed, cut to a maximum number of lines. Start 0 means the whole file.
// It is empty where the diff shows no lines.
func (d *Diff) Near(file string, start, end, lines int) string {
	var near strings.Builder
	for i := range d.Files {
		f := &d.Files[i]
		if f.Old != file && f.New != file {
			continue
		}
		text := f.Text
		for len(text) > 0 && lines > 0 {
			at := hunkAt(text)
			if at < 0 {
				break
			}
			next := hunkAt(text[at+1:])
			hunk := text[at:]
			if next >= 0 {
				hunk = text[at : at+1+next]
			}
			text = text[at+len(hunk):]
			if start <= 0 || f.changesNear(hunk, start-hunkContext, max(start, end)+hunkContext) {
				lines -= appendLines(&near, hunk, lines)
			}
		}
	}
	return near.String()
}

// hunkAt finds where the next hunk begins, or -1.
func hunkAt(text []byte) int {
	if bytes.HasPrefix(text, []byte("@@ -")) {
		return 0
	}
	if at := bytes.Index(text, []byte("\n@@ -")); at >= 0 {
		return at + 1
	}
	return -1
}

// changesNear reports whether one of the file's changes in the hunk lies in the lines of
// the old tree.
func (f *File) changesNear(hunk []byte, from, to int) bool {
	first, count, _, ok := parseRange(bytes.TrimPrefix(hunk, []byte("@@ -")))
	if !ok {
		return false
	}
	for _, b := range f.Blocks {
		inside := b.OldStart >= first && b.OldStart <= first+max(count, 1)
		if inside && b.OldStart <= to && from <= b.OldStart+max(b.OldCount, 1)-1 {
			return true
		}
	}
	return false
}

// appendLines adds lines up to the maximum, and returns how many.
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
