package diff

// Covers reports whether d shows all that part shows, where both end at the same
// tree: every line that part adds is a changed line of d, and part does nothing but add
// and replace lines.
func (d *Diff) Covers(part *Diff) bool {
	files := map[string]*File{}
	for i := range d.Files {
		files[pathOf(&d.Files[i])] = &d.Files[i]
	}
	for i := range part.Files {
		if f := files[pathOf(&part.Files[i])]; f == nil || !f.covers(&part.Files[i]) {
			return false
		}
	}
	return true
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
