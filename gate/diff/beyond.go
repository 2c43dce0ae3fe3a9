package diff

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
)

// Beyond returns what d shows besides since, another diff that ends at the same tree: lines that since
// adds are unchanged lines in the result, and lines that since removes are not in it. What is left of a
// file without lines, such as a binary one, is in one of the two as a whole. Of a file that is in d
// more than once ([Diff.With]), only the last comparison is left.
func (d *Diff) Beyond(since *Diff) *Diff {
	last, of := map[string]int{}, map[string][]*File{}
	for i := range since.Files {
		f := &since.Files[i]
		for _, path := range f.paths() {
			of[path] = append(of[path], f)
		}
	}
	same := func(f *File) bool {
		return slices.ContainsFunc(of[f.Path()], func(s *File) bool { return bytes.Equal(s.Text, f.Text) })
	}
	for i := range d.Files {
		if f := &d.Files[i]; !same(f) {
			last[f.Path()] = i
		}
	}
	left := &Diff{}
	for i := range d.Files {
		f := &d.Files[i]
		if at, there := last[f.Path()]; !there || at != i {
			continue
		}
		if rest, some := f.beyond(of[f.Path()]); some {
			left.Files = append(left.Files, rest)
		}
	}
	return left
}

// beyond returns what the file shows besides what has changed since. some is false if that is
// nothing.
func (f *File) beyond(since []*File) (rest File, some bool) {
	if len(since) == 0 {
		return *f, true
	}
	added, removed := map[int]bool{}, removals{}
	for _, s := range since {
		switch {
		case s.Kind == TypeChanged, s.Binary, s.Submodule, f.New == "":
			return rest, false // all of it is new
		case s.Kind == Added && s.New == f.New:
			return rest, false
		case len(f.Hunks) == 0 && (len(s.Hunks) == 0 || s.Old != s.New):
			return rest, false
		}
		for line := range s.lines() {
			switch {
			case line.Kind == '+' && s.New == f.New:
				added[line.New] = true
			case line.Kind == '-':
				removed[string(line.Text)] = append(removed[string(line.Text)], line.New)
			}
		}
	}
	if len(f.Hunks) == 0 {
		return *f, true
	}
	return f.rewritten(func(hunk Hunk) (kept []Hunk) {
		var rows []Line
		whole := true
		for row := range hunk.rows() {
			switch {
			case row.Kind == '+' && added[row.New]:
				row.Kind, whole = ' ', false
			case row.Kind == '-' && removed.take(row, hunk):
				whole = false
				continue
			}
			rows = append(rows, row)
		}
		if whole {
			return []Hunk{hunk}
		}
		return hunksOf(rows)
	})
}

// removals are removed lines by text, each with the number of the line below it in the new tree.
type removals map[string][]int

// take reports whether there is such a line in the hunk, and takes it out: the one nearest to the row.
func (r removals) take(row Line, in Hunk) bool {
	nearest, away := -1, 0
	at := r[string(row.Text)]
	for i, n := range at {
		if n < in.NewStart || n > in.newEnd() {
			continue
		}
		if distance := max(n-row.New, row.New-n); nearest < 0 || distance < away {
			nearest, away = i, distance
		}
	}
	if nearest < 0 {
		return false
	}
	r[string(row.Text)] = slices.Delete(slices.Clone(at), nearest, nearest+1)
	return true
}

// Around returns the part of the diff whose hunks, given by the lines of the new tree that they show,
// near accepts. A file without hunks is asked about as a whole, by line 0.
func (d *Diff) Around(near func(file string, first, last int) bool) *Diff {
	left := &Diff{}
	for i := range d.Files {
		f := &d.Files[i]
		if len(f.Hunks) == 0 {
			if near(f.Path(), 0, 0) {
				left.Files = append(left.Files, *f)
			}
			continue
		}
		rest, some := f.rewritten(func(h Hunk) []Hunk {
			if first, last := h.newLines(); !near(f.Path(), first, last) {
				return nil
			}
			return []Hunk{h}
		})
		if some {
			left.Files = append(left.Files, rest)
		}
	}
	return left
}

// rewritten returns the file with other hunks in the place of each. some is false if none is left.
func (f *File) rewritten(instead func(Hunk) []Hunk) (rest File, some bool) {
	head := len(f.Text)
	for _, h := range f.Hunks {
		head -= len(h.Text)
	}
	rest = *f
	rest.Blocks, rest.Hunks, rest.Text = nil, nil, slices.Clip(f.Text[:head])
	for _, hunk := range f.Hunks {
		for _, h := range instead(hunk) {
			rest.Hunks, rest.Blocks, rest.Text = append(rest.Hunks, h), append(rest.Blocks, h.Blocks...), append(rest.Text, h.Text...)
		}
	}
	return rest, len(rest.Hunks) > 0
}

// rows yields the lines of the hunk, with git's remarks between them, without its header.
func (h Hunk) rows() iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for row := range Rows(h.Text) {
			if row.Kind != 0 && !yield(row) {
				return
			}
		}
	}
}

// hunksOf makes hunks of consecutive lines of the new tree and the lines that were removed between
// them, with three unchanged lines around each change. It returns none if nothing has changed.
func hunksOf(rows []Line) (hunks []Hunk) {
	shown := make([]bool, len(rows))
	for i, row := range rows {
		if row.Kind != '+' && row.Kind != '-' {
			continue
		}
		for n := max(0, i-hunkContext); n <= min(len(rows)-1, i+hunkContext); n++ {
			shown[n] = true
		}
		for n := i + 1; n < len(rows) && rows[n].Kind == '\\'; n++ {
			shown[n] = true
		}
	}
	for from := 0; from < len(rows); from++ {
		if !shown[from] {
			continue
		}
		to := from
		for to < len(rows) && shown[to] {
			to++
		}
		hunks = append(hunks, hunkOf(rows[from:to]))
		from = to
	}
	return hunks
}

// hunkOf makes a hunk of lines. Where lines that were removed since are left out, its numbers in the
// old tree are as if they had never been there.
func hunkOf(rows []Line) Hunk {
	h := Hunk{Block: Block{OldStart: rows[0].Old, NewStart: rows[0].New}}
	var body []byte
	var block *Block
	for _, row := range rows {
		body = append(append(body, row.Kind), row.Text...)
		if row.Kind == '\\' {
			continue
		}
		if row.Kind == ' ' {
			h.OldCount, h.NewCount, block = h.OldCount+1, h.NewCount+1, nil
			continue
		}
		if block == nil {
			h.Blocks = append(h.Blocks, Block{OldStart: h.oldEnd(), NewStart: h.newEnd()})
			block = &h.Blocks[len(h.Blocks)-1]
		}
		if row.Kind == '+' {
			h.NewCount++
			block.NewCount++
		} else {
			h.OldCount++
			block.OldCount++
		}
	}
	h.Text = append([]byte(h.header()), body...)
	return h
}

// header returns git's line above a hunk. A side without lines begins at the line before them.
func (h Hunk) header() string {
	side := func(start, count int) string {
		if count == 0 {
			start--
		}
		return fmt.Sprintf("%d,%d", start, count)
	}
	return fmt.Sprintf("@@ -%s +%s @@\n", side(h.OldStart, h.OldCount), side(h.NewStart, h.NewCount))
}
