package diff

import (
	"bytes"
	"slices"
)

// Covers reports whether d shows everything that part shows. Both must end at the same tree. Every
// line that part adds must be a changed line of d, and d must remove the lines that part only
// removes, at the same place.
func (d *Diff) Covers(part *Diff) bool { return len(d.uncovered(part)) == 0 }

// With returns d with the files of part that it does not cover. They replace the files of d that
// they cover. Both must end at the same tree. If each shows something of a file that the other does
// not, the file is in the result twice, compared with two trees.
func (d *Diff) With(part *Diff) *Diff {
	more := d.uncovered(part)
	if len(more) == 0 {
		return d
	}
	added := &Diff{Files: more}
	added.Files = append(added.uncovered(d), more...)
	return added
}

// Replace returns d with the files of other, and without its own files of the same names.
func (d *Diff) Replace(other *Diff) *Diff {
	instead := map[string]bool{}
	for _, f := range other.Files {
		instead[f.Path()] = true
	}
	own := &Diff{}
	for _, f := range d.Files {
		if !instead[f.Path()] {
			own.Files = append(own.Files, f)
		}
	}
	return own.Join(other)
}

// uncovered lists the files of part that d does not cover.
func (d *Diff) uncovered(part *Diff) []File {
	files := map[string][]*File{}
	for i := range d.Files {
		path := d.Files[i].Path()
		files[path] = append(files[path], &d.Files[i])
	}
	var list []File
	for i := range part.Files {
		p := &part.Files[i]
		if !slices.ContainsFunc(files[p.Path()], func(f *File) bool { return f.covers(p) }) {
			list = append(list, *p)
		}
	}
	return list
}

func (f *File) covers(part *File) bool {
	if f.isWhole() {
		return true
	}
	if part.isWhole() {
		return false
	}
	var removed, gone [][]byte // computed once, and only if something is deleted
	for k, b := range part.Blocks {
		if b.NewCount == 0 {
			if gone == nil {
				removed, gone = f.removed(), part.removed()
			}
			if !f.removes(removed, b.NewStart, gone[k]) {
				return false // f may show the lines around a deletion, but not the deleted lines
			}
			continue
		}
		for n := b.NewStart; n < b.newEnd(); n++ {
			if !touches(f.Blocks, n, n, Block.addedLines) {
				return false // next to a deletion f shows the line, but not that it has changed
			}
		}
	}
	return true
}

// removes reports whether the file, whose blocks remove the lines in removed, also removes the
// lines in gone at the place at.
func (f *File) removes(removed [][]byte, at int, gone []byte) bool {
	if len(gone) == 0 {
		return false
	}
	lines := slices.Concat([]byte("\n"), gone)
	for k, b := range f.Blocks {
		if b.NewStart <= at && at <= b.newEnd() && bytes.Contains(slices.Concat([]byte("\n"), removed[k]), lines) {
			return true
		}
	}
	return false
}

// removed returns the lines that each of the file's blocks removes.
func (f *File) removed() [][]byte {
	removed := make([][]byte, len(f.Blocks))
	inside, block := false, -1
	for line := range f.lines() {
		if line.Kind != ' ' && !inside {
			block++
		}
		if inside = line.Kind != ' '; line.Kind == '-' {
			removed[block] = append(removed[block], line.Text...)
		}
	}
	return removed
}

// Distance returns how many lines away the nearest changed line of the file is from the lines start
// to end. It is 0 for a whole file, and in a file that counts as changed as a whole. known is false
// if the diff does not have the file.
func (d *Diff) Distance(file string, start, end int) (lines int, known bool) {
	start, end = lineRange(start, end)
	for i := range d.Files {
		f := &d.Files[i]
		if !f.named(file) {
			continue
		}
		if start == 0 || f.isWhole() {
			return 0, true
		}
		for _, b := range f.Blocks {
			first, last := b.newLines()
			if away := max(0, first-end, start-last); !known || away < lines {
				lines, known = away, true
			}
		}
	}
	return lines, known
}
