package slots

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/gate/prompt"
	"github.com/reviewledger/reviewledger/ledger"
)

// contextLines is how many lines around a claim's place a prompt shows.
const contextLines = 10

// maxShownLines bounds what a prompt shows of a claim's place: where a block was
// rewritten, the place of each claim in it is all of the new block.
const maxShownLines = 100

// maxContextFile is the largest file, in bytes, whose lines are looked at.
const maxContextFile = 8 << 20

// Lines reads lines of files in the working tree, each file once. It never
// leaves the tree, whatever a file's name or a symbolic link says.
type Lines struct {
	root string

	mu       sync.Mutex
	files    map[string][][]byte
	repeated map[string]repeatedLines
	hashes   map[string][]string
	names    map[string]map[string]ledger.NameUse
	texts    map[string]fileText
	// byFingerprint holds the line of each fingerprint, by job and file. It is not safe for
	// concurrent use.
	byFingerprint map[[2]string]map[string]int
}

// NewLines makes a reader of the working tree at root. It does not read a file yet.
func NewLines(root string) *Lines {
	return &Lines{
		root: root, files: map[string][][]byte{}, repeated: map[string]repeatedLines{}, hashes: map[string][]string{}, texts: map[string]fileText{}, names: map[string]map[string]ledger.NameUse{},
		byFingerprint: map[[2]string]map[string]int{},
	}
}

// of returns the file's lines, or nil if it cannot be read.
func (l *Lines) of(file string) [][]byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	if known, ok := l.files[file]; ok {
		return known
	}
	var split [][]byte
	if data, err := readInside(l.root, file); err == nil {
		l.hashes[file] = ledger.LineHashes(data)
		split = [][]byte{}
		if len(data) > 0 {
			split = bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
		}
	}
	l.files[file] = split
	return split
}

// has reports whether the place's file is long enough for its first line. It also does if
// the file cannot be read, because then nobody can tell.
func (l *Lines) has(place ledger.Place) bool {
	lines := l.of(place.File)
	return lines == nil || place.Start <= len(lines)
}

// Names tells how the file uses each of its words.
func (l *Lines) Names(file string) map[string]ledger.NameUse {
	all := l.of(file)
	l.mu.Lock()
	defer l.mu.Unlock()
	known, ok := l.names[file]
	if !ok {
		known = ledger.NamesIn(all)
		l.names[file] = known
	}
	return known
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

// around returns the place's lines as they are now, with some around them. For a very long
// place only the first lines are returned, and last is where it ends, else 0.
func (l *Lines) around(place ledger.Place) (around []prompt.Line, last int) {
	all := l.of(place.File)
	if place.WholeFile() || len(all) == 0 {
		return nil, 0
	}
	from := max(1, place.Start-contextLines)
	to := min(len(all), max(place.Start, place.End)+contextLines)
	shown := min(to, from+maxShownLines-1)
	for n := from; n <= shown; n++ {
		around = append(around, prompt.Line{Number: n, Text: strings.ToValidUTF8(string(all[n-1]), "\uFFFD")})
	}
	if shown < to {
		last = to
	}
	return around, last
}

// At returns the facts about the place's first line by which violations are told apart.
func (l *Lines) At(place ledger.Place) ledger.LineFact {
	if place.WholeFile() {
		return ledger.LineFact{Known: true, Hash: l.hash(place)}
	}
	all := l.of(place.File)
	if place.Start > len(all) {
		return ledger.LineFact{}
	}
	text := string(bytes.TrimSpace(all[place.Start-1]))
	repeated := l.repeatedIn(place.File)
	return ledger.LineFact{
		Known: true, Text: text, Occurrence: repeated.above[place.Start-1], Repeated: repeated.times[text] > 1,
		Hash: l.hash(place),
	}
}

// repeatedLines are how many lines above each line of a file have the same text, and how
// often each text is there.
type repeatedLines struct {
	above []int
	times map[string]int
}

func (l *Lines) repeatedIn(file string) repeatedLines {
	all := l.of(file)
	l.mu.Lock()
	defer l.mu.Unlock()
	if known, ok := l.repeated[file]; ok {
		return known
	}
	r := repeatedLines{above: make([]int, len(all)), times: map[string]int{}}
	for i, line := range all {
		text := string(bytes.TrimSpace(line))
		r.above[i] = r.times[text]
		r.times[text]++
	}
	l.repeated[file] = r
	return r
}

// Expired reports whether the line of a remembered skip is no longer in its file.
//
// Rule: A human's skip is remembered.
func (l *Lines) Expired(s ledger.Skip) bool {
	_, there := l.still(ledger.EarlierViolation{Job: s.Job, Place: s.Place, Fingerprint: s.Line})
	return !there
}

// excerptLines is how many lines of code are kept around the place of a report, and
// maxExcerpt how many at most.
const (
	excerptLines = 6
	maxExcerpt   = 100
)

func (l *Lines) excerpt(place ledger.Place) ledger.Excerpt {
	all := l.of(place.File)
	if place.WholeFile() || place.Start > len(all) {
		return ledger.Excerpt{}
	}
	from := max(1, place.Start-excerptLines)
	to := min(len(all), max(place.Start, place.End)+excerptLines, from+maxExcerpt-1)
	text := l.textOf(place.File)
	return ledger.Excerpt{First: from, Text: text.all[text.begins[from-1]:text.begins[to]]}
}

// fileText is a file as it is kept: excerpts are parts of one string. begins are where its
// lines begin, and where the last one ends.
type fileText struct {
	all    string
	begins []int
}

func (l *Lines) textOf(file string) fileText {
	all := l.of(file)
	l.mu.Lock()
	defer l.mu.Unlock()
	if known, ok := l.texts[file]; ok {
		return known
	}
	t := fileText{begins: make([]int, 1, len(all)+1)}
	var b strings.Builder
	for _, line := range all {
		b.WriteString(strings.ToValidUTF8(string(line), "\uFFFD"))
		b.WriteByte('\n')
		t.begins = append(t.begins, b.Len())
	}
	t.all = b.String()
	l.texts[file] = t
	return t
}

// hash is the hash of the place's first line, or "". Of the whole file it is that of line
// 1, which an empty file has, too.
func (l *Lines) hash(place ledger.Place) string {
	line := max(place.Start, 1)
	if all := l.of(place.File); all == nil || line > max(len(all), 1) {
		return ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.hashes[place.File][line-1]
}
