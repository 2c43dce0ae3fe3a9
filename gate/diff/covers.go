package diff

import (
	"bytes"
	"slices"
)

// Covers reports whether d shows everything that part shows. Both must end at the same
// tree: every line that part adds is a changed line of d, and lines that part only removes
// are removed there by d, too.
func (d *Diff) Covers(part *Diff) bool { return len(d.uncovered(part)) == 0 }

// With returns d with the files of part that it does not cover, in place of those that they cover.
// Both must end at the same tree. A file of which each shows something that the other does not is
// there twice, compared with two trees.
func (d *Diff) With(part *Diff) *Diff {
	more := d.uncovered(part)
	if len(more) == 0 {
		return d
	}
	added := &Diff{Files: more}
	added.Files = append(added.uncovered(d), more...)
	return added
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
	var removed, gone [][]byte // read once, and only where something is deleted
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
				return false // beside a deletion f shows it, but not that it has changed
			}
		}
	}
	return true
}

// removes reports whether the file, whose blocks remove these lines, removes what is
// gone from the same place.
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

// removed returns for each of the file's blocks the lines that it removes.
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

// Split parts d into what has changed since, another diff that ends at the same tree, and
// what has not: hunk by hunk, so that a hunk with one new line is new with all of its
// lines. A file that the diff shows without hunks, or as a whole, is not parted.
func (d *Diff) Split(since *Diff) (fresh, seen *Diff) {
	fresh, seen = &Diff{}, &Diff{}
	changed := map[string][]*File{}
	for i := range since.Files {
		path := since.Files[i].Path()
		changed[path] = append(changed[path], &since.Files[i])
	}
	for i := range d.Files {
		f := &d.Files[i]
		its := changed[f.Path()]
		switch {
		case len(its) == 0:
			seen.Files = append(seen.Files, *f)
		case f.isWhole() || slices.ContainsFunc(its, (*File).isWhole):
			fresh.Files = append(fresh.Files, *f)
		default:
			f.split(its, fresh, seen)
		}
	}
	return fresh, seen
}

// split adds the file's hunks to what is fresh and what is seen, by what changed since.
func (f *File) split(since []*File, fresh, seen *Diff) {
	head := len(f.Text)
	for _, h := range f.Hunks {
		head -= len(h.Text)
	}
	parts := [2]File{*f, *f} // fresh, seen
	for i := range parts {
		parts[i].Blocks, parts[i].Hunks, parts[i].Text = nil, nil, slices.Clip(f.Text[:head])
	}
	for _, h := range f.Hunks {
		first, last := h.newLines()
		part := &parts[1]
		if slices.ContainsFunc(since, func(s *File) bool { return touches(s.Blocks, first, last, Block.newLines) }) {
			part = &parts[0]
		}
		part.Hunks, part.Blocks, part.Text = append(part.Hunks, h), append(part.Blocks, h.Blocks...), append(part.Text, h.Text...)
	}
	for i, to := range []*Diff{fresh, seen} {
		if len(parts[i].Hunks) > 0 {
			to.Files = append(to.Files, parts[i])
		}
	}
}

// Distance is how many lines the lines start to end of file are away from the nearest
// changed line of it; known is false where the diff does not have the file. In a file that
// counts as changed as a whole, and of a whole file, it is 0.
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
