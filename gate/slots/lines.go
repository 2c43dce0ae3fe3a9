package slots

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/reviewledger/reviewledger/gate/prompt"
	"github.com/reviewledger/reviewledger/ledger"
)

// contextLines is how many lines around a claim's place a prompt shows.
const contextLines = 10

// maxShownLines bounds what a prompt shows of a claim's place: the place of a claim in a rewritten
// block is the whole new block.
const maxShownLines = 100

// maxContextFile is the largest file, in bytes, whose lines are read.
const maxContextFile = 8 << 20

// Lines reads lines of files in the working tree, each file once. It never leaves the tree,
// whatever a file's name or a symbolic link says. It is not safe for concurrent use.
type Lines struct {
	root  string
	files map[string]*file
}

// file is a file of the working tree, with the facts about its lines that are known so far.
type file struct {
	data []byte
	// lines is nil if the file cannot be read.
	lines  [][]byte
	hashes []string
	// above counts for each line the lines above it with the same text, and times how often each
	// text occurs.
	above []int
	times map[string]int
	// text is the file as it is kept, so that excerpts are parts of one string. begins has the
	// offset of each of its lines, and its length.
	text   string
	begins []int
	names  map[string]ledger.NameUse
	// byFingerprint has the line of each fingerprint, by job.
	byFingerprint map[string]map[string]int
}

// NewLines returns a Lines for the working tree at root. It does not read a file yet.
func NewLines(root string) *Lines { return &Lines{root: root, files: map[string]*file{}} }

func (l *Lines) of(name string) *file {
	if known, ok := l.files[name]; ok {
		return known
	}
	f := &file{byFingerprint: map[string]map[string]int{}}
	l.files[name] = f
	data, err := readInside(l.root, name)
	if err != nil {
		return f
	}
	f.data, f.lines = data, [][]byte{}
	if len(data) > 0 {
		f.lines = bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	}
	return f
}

// has reports whether the place's file is long enough for its first line, as far as that is known:
// it returns true if the file cannot be read.
func (l *Lines) has(place ledger.Place) bool {
	lines := l.of(place.File).lines
	return lines == nil || place.Start <= len(lines)
}

// Names returns how the file uses each of its words.
func (l *Lines) Names(file string) map[string]ledger.NameUse {
	f := l.of(file)
	if f.names == nil {
		f.names = ledger.NamesIn(f.lines)
	}
	return f.names
}

func readInside(root, file string) ([]byte, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if info, err := dir.Stat(file); err != nil || !info.Mode().IsRegular() || info.Size() > maxContextFile {
		return nil, fmt.Errorf("read %q: not a regular file of at most %d bytes", file, maxContextFile)
	}
	f, err := dir.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxContextFile))
}

// around returns the present lines of the place, with some around them.
func (l *Lines) around(place ledger.Place) (now prompt.Excerpt) {
	all := l.of(place.File).lines
	if place.WholeFile() || len(all) == 0 {
		return now
	}
	from := max(1, place.Start-contextLines)
	to := min(len(all), max(place.Start, place.End)+contextLines)
	shown := min(to, from+maxShownLines-1)
	for n := from; n <= shown; n++ {
		now.Lines = append(now.Lines, prompt.Line{Number: n, Text: strings.ToValidUTF8(string(all[n-1]), "\uFFFD")})
	}
	if shown < to {
		now.Last = to
	}
	return now
}

// At returns the facts about the place's first line by which violations are distinguished.
func (l *Lines) At(place ledger.Place) ledger.LineFact {
	f := l.of(place.File)
	if place.WholeFile() {
		return ledger.LineFact{Known: true, Hash: f.hash(place)}
	}
	if place.Start > len(f.lines) {
		return ledger.LineFact{}
	}
	if f.times == nil {
		f.count()
	}
	text := string(bytes.TrimSpace(f.lines[place.Start-1]))
	return ledger.LineFact{
		Known: true, Text: text, Occurrence: f.above[place.Start-1], Repeated: f.times[text] > 1, Hash: f.hash(place),
	}
}

// count counts the lines with the same text.
func (f *file) count() {
	f.above, f.times = make([]int, len(f.lines)), map[string]int{}
	for i, line := range f.lines {
		text := string(bytes.TrimSpace(line))
		f.above[i] = f.times[text]
		f.times[text]++
	}
}

// Expired reports whether the line of a remembered skip is no longer in its file.
//
// Rule: A human's skip is remembered.
func (l *Lines) Expired(s ledger.Skip) bool {
	_, there := l.still(ledger.EarlierViolation{Job: s.Job, Place: s.Place, Fingerprint: s.Line})
	return !there
}

// Stands reports whether the line of a violation of an earlier run is still in its file.
func (l *Lines) Stands(v ledger.ListedViolation) bool {
	_, there := l.still(ledger.EarlierViolation{Job: v.Job, Place: v.Place, Fingerprint: v.Fingerprint})
	return there
}

// excerptLines is how many lines of code around the place of a report are kept, and maxExcerpt the
// largest number of lines kept.
const (
	excerptLines = 6
	maxExcerpt   = 100
)

func (l *Lines) excerpt(place ledger.Place) ledger.Excerpt {
	f := l.of(place.File)
	if place.WholeFile() || place.Start > len(f.lines) {
		return ledger.Excerpt{}
	}
	if f.begins == nil {
		f.join()
	}
	from := max(1, place.Start-excerptLines)
	to := min(len(f.lines), max(place.Start, place.End)+excerptLines, from+maxExcerpt-1)
	return ledger.Excerpt{First: from, Text: f.text[f.begins[from-1]:f.begins[to]]}
}

// join makes the text that is kept.
func (f *file) join() {
	f.begins = make([]int, 1, len(f.lines)+1)
	var b strings.Builder
	for _, line := range f.lines {
		b.WriteString(strings.ToValidUTF8(string(line), "\uFFFD"))
		b.WriteByte('\n')
		f.begins = append(f.begins, b.Len())
	}
	f.text = b.String()
}

// hash returns the hash of the place's first line, or "". For a whole file it returns that of line
// 1, which even an empty file has.
func (f *file) hash(place ledger.Place) string {
	line := max(place.Start, 1)
	if f.lines == nil || line > max(len(f.lines), 1) {
		return ""
	}
	if f.hashes == nil {
		f.hashes = ledger.LineHashes(f.data)
	}
	return f.hashes[line-1]
}
