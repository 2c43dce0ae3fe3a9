package diff

import (
	"bytes"
	"iter"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/ledger"
)

const (
	// minMovedText is the length, in characters, from which the text of a line that was removed and
	// added again shows where the line went.
	minMovedText = 12
	// minShortText is the same for a text that was removed once and added once.
	minShortText = 4
	// nearLines is the largest distance between lines that still form one place.
	nearLines = 3
	// maxFollowed is the maximum number of removed lines of a span that are followed.
	maxFollowed = 500
)

// NewName returns the name in the new tree of a file of the old tree. A file that did not change,
// or that was deleted, keeps its name.
func (d *Diff) NewName(file string) string {
	if f := d.fromOld(file); f != nil && f.Kind != Deleted {
		return f.New
	}
	return file
}

// fromOld returns the diff's part for a file of the old tree; nil if there is none.
func (d *Diff) fromOld(file string) *File {
	if file == "" {
		return nil
	}
	for i := range d.Files {
		if d.Files[i].Old == file {
			return &d.Files[i]
		}
	}
	return nil
}

// Follow returns where lines of the diff's old tree are in its new one, in the order of the spans.
// It follows renames, and shifts unchanged lines. A line that the diff removes and adds again goes
// with its text: if the trimmed text has 12 characters or more and is added exactly once in its
// file, or else exactly once in the whole diff, the added line is its new place. Of the other
// lines, those of a rewritten block map line by line if its size did not change, else to all the
// lines that replaced it; deleted lines map to the lines on both sides of them. A span without
// lines in the new tree (the file was deleted, or is binary now) becomes the whole file: 0, 0. A
// shorter text that is removed once and added once only adds to the moved places, unless nothing
// else of the span is left.
func (d *Diff) Follow(spans []ledger.Place) []ledger.Whereabouts {
	byOld := make(map[string]*File, len(d.Files))
	for i := range d.Files {
		if f := &d.Files[i]; f.Old != "" && byOld[f.Old] == nil {
			byOld[f.Old] = f
		}
	}
	moves := moveFinder{removed: map[*File]map[int]string{}, added: map[string]map[*File]addedLine{}, times: map[string]int{}}
	for _, span := range spans {
		if f := byOld[span.File]; f != nil && span.File != "" {
			moves.want(f, span)
		}
	}
	moves.find(d)
	followed := make([]ledger.Whereabouts, len(spans))
	for i, span := range spans {
		span.Start, span.End = lineRange(span.Start, span.End)
		f := byOld[span.File]
		if f == nil || span.File == "" {
			followed[i].Here = span
			continue
		}
		followed[i] = moves.follow(f, span)
	}
	return followed
}

// moveFinder finds the places where removed lines were added again.
type moveFinder struct {
	// removed holds the trimmed texts of the removed lines that are looked for, by file and by line
	// number in the old tree.
	removed map[*File]map[int]string
	// added has the places where these texts were added, and times how often each was removed.
	added map[string]map[*File]addedLine
	times map[string]int
}

// addedLine counts how often a file's diff adds a text. line is the last line that it adds with it.
type addedLine struct{ count, line int }

// hasLines reports whether the diff shows the file's lines as text.
func (f *File) hasLines() bool { return !f.Binary && !f.Submodule && f.Kind != TypeChanged }

// want adds the removed lines of the span to those that are looked for.
func (m *moveFinder) want(f *File, span ledger.Place) {
	start, end := lineRange(span.Start, span.End)
	if start == 0 || !f.hasLines() {
		return
	}
	for n := range f.removedLines(start, end) {
		if m.removed[f] == nil {
			m.removed[f] = map[int]string{}
		}
		m.removed[f][n] = ""
	}
}

// removedLines yields the lines of the old tree, from start to end, that the diff removes; at most
// maxFollowed of them.
func (f *File) removedLines(start, end int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		left := maxFollowed
		for _, b := range f.blocksIn(start, end) {
			for n := max(b.OldStart, start); n < b.oldEnd() && n <= end; n++ {
				if left--; left < 0 || !yield(n) {
					return
				}
			}
		}
	}
}

// find reads the texts of the wanted lines, and finds the places where the diff adds them.
func (m *moveFinder) find(d *Diff) {
	for f, lines := range m.removed {
		for line := range f.lines() {
			if _, wanted := lines[line.Old]; wanted && line.Kind == '-' {
				if text := bytes.TrimSpace(line.Text); identifies(text, minShortText) {
					lines[line.Old] = string(text)
					m.added[string(text)] = map[*File]addedLine{}
				}
			}
		}
	}
	if len(m.added) == 0 {
		return
	}
	for i := range d.Files {
		f := &d.Files[i]
		for line := range f.lines() {
			if line.Kind == ' ' {
				continue
			}
			text := bytes.TrimSpace(line.Text)
			switch at := m.added[string(text)]; {
			case at == nil:
			case line.Kind == '+':
				at[f] = addedLine{at[f].count + 1, line.New}
			default:
				m.times[string(text)]++
			}
		}
	}
}

// identifies reports whether a line can be recognized by its text: it is long enough, and more
// than punctuation.
func identifies(text []byte, atLeast int) bool {
	return utf8.RuneCount(text) >= atLeast && bytes.ContainsFunc(text, unicode.IsLetter)
}

// lines yields the lines that the diff shows of the file, if it shows it as text.
func (f *File) lines() iter.Seq[Line] {
	if !f.hasLines() {
		return Lines(nil)
	}
	return Lines(f.Text)
}

// movedLine is the place where a removed line's text was added.
type movedLine struct {
	file *File
	line int
}

// moved returns the line that a removed line with a long text became.
func (m *moveFinder) moved(f *File, n int) (movedLine, bool) {
	text := m.removed[f][n]
	if utf8.RuneCountInString(text) < minMovedText {
		return movedLine{}, false
	}
	at := m.added[text]
	if own := at[f]; own.count > 0 {
		return movedLine{f, own.line}, own.count == 1
	}
	return onlyLine(at)
}

// movedShort returns the line that a removed line with a short text became: the whole diff removes
// the text once and adds it once.
func (m *moveFinder) movedShort(f *File, n int) (movedLine, bool) {
	text := m.removed[f][n]
	if utf8.RuneCountInString(text) >= minMovedText || m.times[text] != 1 {
		return movedLine{}, false
	}
	return onlyLine(m.added[text])
}

// onlyLine returns the line with the text, if there is exactly one.
func onlyLine(at map[*File]addedLine) (movedLine, bool) {
	if len(at) != 1 {
		return movedLine{}, false
	}
	for file, a := range at {
		return movedLine{file, a.line}, a.count == 1
	}
	return movedLine{}, false
}

// follow returns where the lines of a span of the file's old side are now.
func (m *moveFinder) follow(f *File, span ledger.Place) ledger.Whereabouts {
	start, end := span.Start, span.End // 0 for a whole file, whose lines are not followed
	var clusters []cluster
	if f.hasLines() {
		clusters = m.clusters(f, start, end, m.moved)
	}
	followed := ledger.Whereabouts{Here: f.stayed(start, end, clusters)}
	if len(clusters) > 0 {
		followed.Here, followed.Moved = joinClusters(followed.Here, clusters)
	}
	if f.hasLines() {
		addShort(&followed, m.clusters(f, start, end, m.movedShort))
	}
	followed.Gone = len(clusters)+len(followed.Moved) == 0 && (f.Kind == Deleted && followed.Here.Start == 0 || f.deletes(start, end))
	return followed
}

// deletes reports whether the lines of the old tree were all removed, and none came in their place.
func (f *File) deletes(start, end int) bool {
	if start == 0 || !f.hasLines() || f.Kind == Deleted {
		return false
	}
	at := start
	for _, b := range f.blocksIn(start, end) {
		if b.OldStart > at || b.NewCount > 0 {
			return false
		}
		at = b.oldEnd()
	}
	return at > end
}

// addShort adds the places of lines with short texts. They become the span's place only if nothing
// else of the span is left.
func addShort(f *ledger.Whereabouts, clusters []cluster) {
	for _, c := range clusters {
		switch {
		case f.Here.Start == 0:
			f.Here = c.Place
		case c.File != f.Here.File || c.Start < f.Here.Start || c.End > f.Here.End:
			f.Moved = append(f.Moved, c.Place)
		}
	}
}

// cluster is a place to which neighboring lines of a span moved together.
type cluster struct {
	ledger.Place
	lines []int // their line numbers in the old tree
}

// continues reports whether the old tree's line n, which became to, belongs to the cluster: its
// distance to the cluster's last line is about the same as before.
func (c *cluster) continues(to movedLine, n int) bool {
	grown := (to.line - c.End) - (n - c.lines[len(c.lines)-1])
	return c.File == to.file.New && to.line > c.End && max(grown, -grown) <= nearLines
}

// clusters returns the places to which lines of the range moved with their text.
func (m *moveFinder) clusters(f *File, start, end int, moved func(*File, int) (movedLine, bool)) []cluster {
	var list []cluster
	for n := range f.removedLines(start, end) {
		to, ok := moved(f, n)
		if !ok {
			continue
		}
		if len(list) > 0 {
			last := &list[len(list)-1]
			if last.continues(to, n) {
				last.End, last.lines = to.line, append(last.lines, n)
				continue
			}
		}
		list = append(list, cluster{ledger.Place{File: to.file.New, Start: to.line, End: to.line}, []int{n}})
	}
	return list
}

// stayed returns where the lines of the range that did not move are, by the range's unchanged lines
// and by the blocks in which no line of the range moved. Its start is 0 if there are none.
func (f *File) stayed(start, end int, moved []cluster) ledger.Place {
	name := f.New
	if f.Kind == Deleted {
		name = f.Old
	}
	here := ledger.Place{File: name}
	if start == 0 || f.Kind == Deleted || !f.hasLines() {
		return here
	}
	extend := func(first, last int) {
		if here.Start == 0 {
			here.Start = first
		}
		here.Start, here.End = min(here.Start, first), max(here.End, last)
	}
	at := start
	for _, b := range f.blocksIn(start, end) {
		if at < b.OldStart { // unchanged lines above the block
			extend(f.carryRange(at, b.OldStart-1))
		}
		if !b.holdsAny(moved) {
			extend(f.carryRange(max(at, b.OldStart), min(end, b.oldEnd()-1)))
		}
		at = b.oldEnd()
	}
	if at <= end {
		extend(f.carryRange(at, end))
	}
	return here
}

func (b Block) holdsAny(moved []cluster) bool {
	return slices.ContainsFunc(moved, func(c cluster) bool {
		return slices.ContainsFunc(c.lines, func(n int) bool { return b.OldStart <= n && n < b.oldEnd() })
	})
}

func (f *File) carryRange(start, end int) (first, last int) {
	first, _ = f.carryLine(start)
	_, last = f.carryLine(end)
	return first, last
}

// joinClusters joins to one place the lines that stayed, or else the largest cluster, and every
// cluster that is next to it. It returns the other clusters as moved.
func joinClusters(stayed ledger.Place, clusters []cluster) (here ledger.Place, moved []ledger.Place) {
	if here = stayed; here.Start == 0 {
		largest := slices.MaxFunc(clusters, func(a, b cluster) int { return len(a.lines) - len(b.lines) })
		here = largest.Place
	}
	for _, c := range clusters {
		if c.File == here.File && c.Start <= here.End+nearLines && here.Start <= c.End+nearLines {
			here.Start, here.End = min(here.Start, c.Start), max(here.End, c.End)
		} else {
			moved = append(moved, c.Place)
		}
	}
	return here, moved
}
