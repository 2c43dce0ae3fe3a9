package diff

import "slices"

// Covers reports whether d shows all that part shows, where both end at the same
// tree: every line that part adds is a changed line of d, and part does nothing but add
// and replace lines.
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
	files := map[string]*File{}
	for i := range d.Files {
		files[pathOf(&d.Files[i])] = &d.Files[i]
	}
	var list []File
	for i := range part.Files {
		if f := files[pathOf(&part.Files[i])]; f == nil || !f.covers(&part.Files[i]) {
			list = append(list, part.Files[i])
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
	for _, b := range part.Blocks {
		if b.NewCount == 0 {
			return false // d may show the lines on both sides, but not what is gone
		}
		for n := b.NewStart; n < b.newEnd(); n++ {
			if !touches(f.Blocks, n, n, Block.newLines) {
				return false
			}
		}
	}
	return true
}
