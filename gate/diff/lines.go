package diff

import (
	"fmt"
	"sort"
	"strings"
)

// Contains reports whether a report on the lines start to end of file lies in the diff. It does if
// one of the lines is an added one. A block of deletions without additions counts as the lines on
// both sides of it. All lines count if the file is new, if the diff has no lines of it (binary,
// -diff, mode, pure rename, deleted), or if it is a submodule or a path in one.
//
// A start of 0 means the whole file, and an end of 0 the line start alone. Of a renamed file the
// old path is accepted as well, with the line numbers of either tree: a finding must not be lost
// because of a name.
func (d *Diff) Contains(file string, start, end int) bool {
	start, end = lineRange(start, end)
	for i := range d.Files {
		f := &d.Files[i]
		if f.named(file) && f.contains(file, start, end) {
			return true
		}
	}
	return false
}

// Shows reports whether the diff shows one of the lines start to end of file. Unlike in
// [Diff.Contains], unchanged lines around a change count, too.
func (d *Diff) Shows(file string, start, end int) bool {
	start, end = lineRange(start, end)
	for i := range d.Files {
		f := &d.Files[i]
		if f.named(file) && (f.contains(file, start, end) || touches(f.Hunks, start, end, Hunk.newLines) ||
			file != f.New && touches(f.Hunks, start, end, Hunk.oldLines)) {
			return true
		}
	}
	return false
}

// HunkAt returns an identifier of the hunk that shows the first of the lines start to end of file;
// "" if there is none.
func (d *Diff) HunkAt(file string, start, end int) string {
	start, end = lineRange(start, end)
	for i := range d.Files {
		f := &d.Files[i]
		if start == 0 || f.New != file {
			continue
		}
		if at := firstMeeting(f.Hunks, start, end, Hunk.newLines); at >= 0 {
			return fmt.Sprintf("%d.%d", i, at)
		}
	}
	return ""
}

// named reports whether file is the file's path in one of the trees, or lies in it.
func (f *File) named(file string) bool {
	return file != "" && (file == f.New || file == f.Old || f.holds(file))
}

func (f *File) contains(file string, start, end int) bool {
	return start == 0 || f.isWhole() || touches(f.Blocks, start, end, Block.newLines) ||
		file != f.New && touches(f.Blocks, start, end, Block.oldLines)
}

// holds reports whether file lies in the submodule f.
func (f *File) holds(file string) bool {
	return f.Submodule && (f.New != "" && strings.HasPrefix(file, f.New+"/") ||
		f.Old != "" && strings.HasPrefix(file, f.Old+"/"))
}

// isWhole reports whether all lines of the file count as changed.
func (f *File) isWhole() bool {
	return len(f.Blocks) == 0 || f.Binary || f.Submodule ||
		f.Kind == Added || f.Kind == Deleted || f.Kind == TypeChanged
}

// touches reports whether one of the blocks, or hunks, overlaps the lines start to end, on the side
// that lines returns.
func touches[B any](blocks []B, start, end int, lines func(B) (first, last int)) bool {
	return firstMeeting(blocks, start, end, lines) >= 0
}

// firstMeeting returns the index of the first of the blocks that overlaps the lines, or -1.
func firstMeeting[B any](blocks []B, start, end int, lines func(B) (first, last int)) int {
	i := sort.Search(len(blocks), func(i int) bool {
		_, last := lines(blocks[i])
		return last >= start
	})
	if i == len(blocks) {
		return -1
	}
	if first, _ := lines(blocks[i]); first > end {
		return -1
	}
	return i
}

// newLines returns the lines of the new tree that the block counts as.
func (b Block) newLines() (first, last int) {
	if b.NewCount == 0 {
		return max(1, b.NewStart-1), b.NewStart
	}
	return b.NewStart, b.newEnd() - 1
}

// addedLines returns the lines of the new tree that the block adds: none if it only deletes.
func (b Block) addedLines() (first, last int) { return b.NewStart, b.newEnd() - 1 }

// oldLines returns the lines of the old tree that the block counts as.
func (b Block) oldLines() (first, last int) {
	if b.OldCount == 0 {
		return max(1, b.OldStart-1), b.OldStart
	}
	return b.OldStart, b.oldEnd() - 1
}

// blocksIn returns the blocks that overlap the lines start to end of the old tree, or insert lines
// between them.
func (f *File) blocksIn(start, end int) []Block {
	blocks := f.Blocks[f.blockAt(start):]
	return blocks[:sort.Search(len(blocks), func(i int) bool { return blocks[i].OldStart > end })]
}

// blockAt returns the index of the first block that ends at line n of the old tree or after it.
func (f *File) blockAt(n int) int {
	return sort.Search(len(f.Blocks), func(i int) bool { return f.Blocks[i].oldEnd() > n })
}

// carryLine returns the first and the last line that line n has become. Both grow with n, so that
// the ends of a range show where the whole range went.
func (f *File) carryLine(n int) (first, last int) {
	i := f.blockAt(n)
	if i < len(f.Blocks) && f.Blocks[i].OldStart <= n {
		b := f.Blocks[i]
		if b.OldCount == b.NewCount {
			n += b.NewStart - b.OldStart
			return n, n
		}
		return b.newLines()
	}
	if i > 0 {
		n += f.Blocks[i-1].newEnd() - f.Blocks[i-1].oldEnd()
	}
	return n, n
}

// lineRange puts the ends of a range in order. A range without a usable start is the whole file: 0,
// 0.
func lineRange(start, end int) (int, int) {
	switch {
	case start <= 0:
		return 0, 0
	case end <= 0:
		return start, start
	}
	return min(start, end), max(start, end)
}
