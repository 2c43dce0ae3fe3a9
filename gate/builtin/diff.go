package builtin

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// diffContext is how many unchanged lines git shows around a change. A hunk that ends with fewer
// reaches the end of the file.
const diffContext = 3

// checkDiff checks the added lines of one file's part of a unified diff.
func checkDiff(text []byte) (found runs) {
	w := diffWalk{found: &found}
	for line := range diff.Lines(text) {
		if line.Hunk != w.hunk {
			w = diffWalk{found: &found, hunk: line.Hunk}
		}
		w.line(line)
	}
	w.endOfFile()
	return found
}

// diffWalk goes through the lines of a hunk.
type diffWalk struct {
	found *runs
	hunk  int
	next  int // number of the next line of the new side
	// old and new count the blank lines at the end of the two sides of the hunk.
	old, new blanks
	// context is the number of unchanged lines at the end of the hunk so far.
	context int
}

// blanks counts the blank lines at the end of one side of a hunk.
type blanks struct {
	n          int
	firstAdded int // the first of them that was added, or 0
}

func (b *blanks) line(text []byte, number int, added bool) {
	if len(bytes.TrimSpace(text)) > 0 {
		*b = blanks{}
		return
	}
	b.n++
	if added && b.firstAdded == 0 {
		b.firstAdded = number
	}
}

func (w *diffWalk) line(line diff.Line) {
	w.context++
	w.next = line.New
	if line.Kind != '+' {
		w.old.line(line.Text, 0, false)
	}
	if line.Kind != '-' {
		w.new.line(line.Text, line.New, line.Kind == '+')
		w.next++
	}
	if line.Kind != ' ' {
		w.context = 0
	}
	if line.Kind == '+' {
		for _, fault := range faultsOf(bytes.TrimSuffix(line.Text, []byte("\n"))) {
			w.found.add(fault, line.New)
		}
	}
}

// endOfFile reports the blank lines at the end of a file that has more of them than before.
func (w *diffWalk) endOfFile() {
	if w.context >= diffContext || w.new.n <= w.old.n {
		return
	}
	first, last := w.new.firstAdded, w.next-1
	if first == 0 {
		first = w.next - w.new.n // text after them was deleted
	}
	for n := first; n <= last; n++ {
		w.found.add(blankAtEnd, n)
	}
}

// maxClaimFile is the largest file, in bytes, in which a claim is verified.
const maxClaimFile = 64 << 20

// checkClaims checks the places of claims. A file that does not exist has no faults; a file that
// cannot be read is an error.
func checkClaims(dir string, claims []ledger.Violation) (entries []ledger.Entry, err error) {
	if len(claims) == 0 {
		return nil, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("verify claims: %w", err)
	}
	defer root.Close()
	files := map[string]*runs{}
	for _, claim := range claims {
		found, known := files[claim.Place.File]
		if !known {
			text, err := readClaimed(root, claim.Place.File)
			if err != nil {
				return nil, fmt.Errorf("verify a claim in %q: %w", claim.Place.File, err)
			}
			all := checkText(text)
			found = &all
			files[claim.Place.File] = found
		}
		within := found.within(claim.Place.Start, claim.Place.End)
		entries = append(entries, within.entries(claim.Place.File)...)
	}
	return entries, nil
}

func readClaimed(root *os.Root, name string) ([]byte, error) {
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0, info.IsDir():
		return nil, nil // the file that the claim was about no longer exists
	case !info.Mode().IsRegular() || info.Size() > maxClaimFile:
		return nil, fmt.Errorf("not a regular file of at most %d MiB", maxClaimFile>>20)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxClaimFile))
}

// within returns the runs that overlap the lines start to end. 0 and 0 mean the whole file.
func (r *runs) within(start, end int) (kept runs) {
	for fault, all := range r {
		for _, one := range all {
			if start == 0 || one.first <= max(start, end) && one.last >= start {
				kept[fault] = append(kept[fault], one)
			}
		}
	}
	return kept
}
