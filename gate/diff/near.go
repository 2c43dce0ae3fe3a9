package diff

import (
	"bytes"
	"iter"
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
		for h, text := range f.hunkTexts() {
			if start <= 0 || f.changesNear(h, start-hunkContext, max(start, end)+hunkContext) {
				lines -= appendLines(&near, text, lines)
			}
		}
	}
	return near.String()
}

// hunkTexts yields the hunks that the file's text shows, each with its text.
func (f *File) hunkTexts() iter.Seq2[Block, []byte] {
	return func(yield func(Block, []byte) bool) {
		for at := hunkAt(f.Text); at >= 0; {
			end := len(f.Text)
			next := hunkAt(f.Text[at+1:])
			if next >= 0 {
				next += at + 1
				end = next
			}
			h, ok := parseHunkHeader(f.Text[at:end])
			if ok && !yield(h, f.Text[at:end:end]) {
				return
			}
			at = next
		}
	}
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
func (f *File) changesNear(hunk Block, from, to int) bool {
	for _, b := range f.Blocks {
		inside := b.OldStart >= hunk.OldStart && b.OldStart <= hunk.OldStart+max(hunk.OldCount, 1)
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
