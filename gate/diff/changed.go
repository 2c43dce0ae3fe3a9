package diff

// Changed says which lines of one file count as changed, as [Diff.Contains] has it,
// for those who choose between several files.
type Changed struct {
	// Old and New are the file's paths, as in [File].
	Old, New string
	// Whole reports that all lines count as changed.
	Whole bool
	// Folder reports that it is the folder of a submodule.
	Folder bool
	// Blocks are the changed lines otherwise.
	Blocks []ChangedLines
}

// ChangedLines are the first and the last line that stand for a block in each of the
// two trees. None is 0.
type ChangedLines struct {
	OldStart, OldEnd int
	NewStart, NewEnd int
}

// Changed lists what counts as changed, file by file.
func (d *Diff) Changed() []Changed {
	list := make([]Changed, 0, len(d.Files))
	for i := range d.Files {
		f := &d.Files[i]
		c := Changed{Old: f.Old, New: f.New, Whole: f.isWhole(), Folder: f.Submodule}
		if !c.Whole {
			c.Blocks = make([]ChangedLines, 0, len(f.Blocks))
			for _, b := range f.Blocks {
				var lines ChangedLines
				lines.OldStart, lines.OldEnd = b.oldLines()
				lines.NewStart, lines.NewEnd = b.newLines()
				c.Blocks = append(c.Blocks, lines)
			}
		}
		list = append(list, c)
	}
	return list
}
