package diff

import (
	"bytes"
	"slices"
)

// Covers reports whether d shows all that part shows, where both end at the same
// tree: every line that part adds is a changed line of d, and lines that part only
// removes are removed there by d, too.
func (d *Diff) Covers(part *Diff) bool { return len(d.uncovered(part)) == 0 }

// With returns d followed by the files of part that it does not cover, where both
// end at the same tree. Such a file may be there twice, compared with two trees.
func (d *Diff) With(part *Diff) *Diff {
	more := d.uncovered(part)
	if len(more) == 0 {
		return d
	}
	return &Diff{Files: slices.Concat(d.Files, more)}
}

// uncovered lists the files of part that d does not cover.
func (d *Diff) uncovered(part *Diff) []File {
	files := map[string][]*File{}
	for i := range d.Files {
		path := pathOf(&d.Files[i])
		files[path] = append(files[path], &d.Files[i])
	}
	var list []File
	for i := range part.Files {
		p := &part.Files[i]
		if !slices.ContainsFunc(files[pathOf(p)], func(f *File) bool { return f.covers(p) }) {
			list = append(list, *p)
		}
	}
	return list
}

// pathOf is the file's path in the new tree, or in the old one if it was deleted.
func pathOf(f *File) string {
	if f.New != "" {
		return f.New
	}
	return f.Old
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
				return false // f may show the lines on both sides, but not what is gone
			}
			continue
		}
		for n := b.NewStart; n < b.newEnd(); n++ {
			if !touches(f.Blocks, n, n, Block.newLines) {
				return false
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

// removed returns for each of the file's blocks the lines that it removes, as the
// diff shows them.
func (f *File) removed() [][]byte {
	removed := make([][]byte, len(f.Blocks))
	hunk, inside, block := false, false, -1
	for line := range bytes.Lines(f.Text) {
		switch {
		case bytes.HasPrefix(line, []byte("@@ ")):
			hunk, inside = true, false
		case !hunk || line[0] == '\\':
		case line[0] != '-' && line[0] != '+':
			inside = false
		default:
			if !inside {
				inside, block = true, block+1
			}
			if line[0] == '-' {
				removed[block] = append(removed[block], line...)
			}
		}
	}
	return removed
}

// Beyond returns what d shows and shown does not, where both end at the same tree: hunk
// by hunk, so that a hunk that is partly new is there with all of its lines.
func (d *Diff) Beyond(shown *Diff) *Diff {
	files := map[string][]*File{}
	for i := range shown.Files {
		path := pathOf(&shown.Files[i])
		files[path] = append(files[path], &shown.Files[i])
	}
	beyond := &Diff{}
	for i := range d.Files {
		f := &d.Files[i]
		there := files[pathOf(f)]
		switch {
		case len(there) == 0:
			beyond.Files = append(beyond.Files, *f)
		case len(f.Hunks) == 0 || f.isWhole():
			if !slices.ContainsFunc(there, func(s *File) bool { return s.covers(f) }) {
				beyond.Files = append(beyond.Files, *f)
			}
		default:
			if left := f.without(there); len(left.Hunks) > 0 {
				beyond.Files = append(beyond.Files, left)
			}
		}
	}
	return beyond
}

// without is the file's part of the diff less the hunks that one of the others shows.
func (f *File) without(others []*File) File {
	left := *f
	head := max(0, hunkAt(f.Text))
	left.Blocks, left.Hunks = nil, nil
	left.Text = slices.Clip(f.Text[:head])
	blocks, text := f.Blocks, f.Text[head:]
	for _, h := range f.Hunks {
		n := 0
		for n < len(blocks) && blocks[n].NewStart <= h.newEnd() && blocks[n].OldStart <= h.oldEnd() {
			n++
		}
		part := *f
		part.Hunks, part.Blocks, part.Text = []Block{h}, blocks[:n], text
		if next := hunkAt(text[1:]); next >= 0 {
			part.Text = text[:1+next]
		}
		blocks, text = blocks[n:], text[len(part.Text):]
		if !slices.ContainsFunc(others, func(s *File) bool { return s.covers(&part) }) {
			left.Hunks, left.Blocks = append(left.Hunks, h), append(left.Blocks, part.Blocks...)
			left.Text = append(left.Text, part.Text...)
		}
	}
	return left
}
