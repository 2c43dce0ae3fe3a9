// Package builtin has the reviewer that needs no program and does not ask a model: it finds what
// `git diff --check` finds. It reads the diff that it is given, and the files of claims in the
// working tree. It does not start processes or write anything.
package builtin

import (
	"bytes"
	"context"
	"time"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// reviewer finds what `git diff --check` finds in the added lines: leftover conflict markers,
// trailing whitespace, a space before a tab in the indent, and new blank lines at the end of a
// file. A carriage return at the end of a line is not a whitespace error, because the file has such
// line ends.
//
// Unlike the clients it does not read its prompt. It is deterministic, works offline, and answers
// in the same form as other reviewers.
type reviewer struct{ clients.Unprompted }

// New returns the built-in reviewer.
func New() clients.Reviewer { return reviewer{} }

// ReadsPrompts implements [clients.Reviewer]. It returns true, so that the reviewer can be asked
// again like a client.
func (reviewer) ReadsPrompts() bool { return true }

// Review implements [clients.Reviewer]. It verifies claims in the present files, because the diff
// may not show their places.
func (reviewer) Review(_ context.Context, call clients.Call) (clients.Reply, error) {
	start := time.Now()
	var entries []ledger.Entry
	if call.Subject != nil {
		for _, file := range call.Subject.Files {
			entries = append(entries, checkFile(file, call.Subject.WholeFiles)...)
		}
		again, err := checkClaims(call.Dir, call.Subject.Claims)
		if err != nil {
			return clients.Reply{}, &clients.CallError{Kind: ledger.ErrorCrashed, What: "could not read the files", Message: clients.OneLine(err.Error()), Err: err}
		}
		entries = append(entries, again...)
	}
	text := clients.Found(entries, nil)
	free := 0.0
	return clients.Reply{Text: text, Usage: ledger.Usage{CostUSD: &free}, Stdout: []byte(text), Duration: time.Since(start)}, nil
}

// lineFault is a kind of fault of a line. The kinds are in the order in which they are reported.
type lineFault int

const (
	conflictMarker lineFault = iota
	trailingSpace
	spaceBeforeTab
	blankAtEnd
	lineFaults // the number of kinds
)

func (f lineFault) entry(file string, first, last int) ledger.Entry {
	e := ledger.Entry{Place: ledger.Place{File: file, Start: first, End: max(first, last)}, Priority: "low"}
	switch f {
	case conflictMarker:
		e.Priority = "critical"
		e.Issue, e.Fix = "Leftover conflict marker", "Resolve the conflict and remove the marker"
	case trailingSpace:
		e.Issue, e.Fix = "Trailing whitespace", "Remove the whitespace at the end of the line"
	case spaceBeforeTab:
		e.Issue, e.Fix = "Space before a tab in the indent", "Indent with tabs or with spaces only"
	case blankAtEnd:
		e.Issue, e.Fix = "New blank line at the end of the file", "Remove the blank lines at the end of the file"
	}
	return e
}

// faultsOf returns the faults of a line, which is given without its line feed.
func faultsOf(line []byte) (faults []lineFault) {
	line = bytes.TrimSuffix(line, []byte("\r"))
	if isConflictMarker(line) {
		faults = append(faults, conflictMarker)
	}
	trimmed := bytes.TrimRight(line, " \t\r")
	if len(trimmed) < len(line) {
		faults = append(faults, trailingSpace)
	}
	indent := trimmed[:len(trimmed)-len(bytes.TrimLeft(trimmed, " \t"))]
	if bytes.Contains(indent, []byte(" \t")) {
		faults = append(faults, spaceBeforeTab)
	}
	return faults
}

// isConflictMarker reports whether a line is one that git writes into a file with a conflict: seven
// times the same sign, then nothing or a blank.
func isConflictMarker(line []byte) bool {
	const size = 7
	if len(line) < size || len(line) > size && line[size] != ' ' && line[size] != '\t' {
		return false
	}
	return bytes.IndexByte([]byte("<=>|"), line[0]) >= 0 && bytes.Count(line[:size], line[:1]) == size
}

// run is a range of adjacent lines with the same fault.
type run struct{ first, last int }

// runs joins adjacent lines, so that a file with a thousand bad lines does not have a thousand
// violations.
type runs [lineFaults][]run

func (r *runs) add(f lineFault, line int) {
	all := r[f]
	if n := len(all); n > 0 && all[n-1].last == line-1 && f != conflictMarker {
		all[n-1].last = line
		return
	}
	r[f] = append(all, run{line, line})
}

func (r *runs) entries(file string) (entries []ledger.Entry) {
	for fault, all := range r {
		for _, one := range all {
			entries = append(entries, lineFault(fault).entry(file, one.first, one.last))
		}
	}
	return entries
}

// checkFile checks the added lines of one file, or all lines of a whole file.
func checkFile(file diff.File, whole bool) []ledger.Entry {
	var found runs
	if whole {
		found = checkText(file.Text)
	} else {
		found = checkDiff(file.Text)
	}
	return found.entries(file.Path())
}

// checkText checks a file's content.
func checkText(text []byte) (found runs) {
	lines := splitLines(text)
	if bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
		return found // git treats such a file as binary
	}
	for i, line := range lines {
		for _, fault := range faultsOf(line) {
			found.add(fault, i+1)
		}
	}
	if blanks := trailingBlanks(lines); blanks > 0 {
		for n := len(lines) - blanks + 1; n <= len(lines); n++ {
			found.add(blankAtEnd, n)
		}
	}
	return found
}

func splitLines(text []byte) [][]byte {
	if len(text) == 0 {
		return nil
	}
	return bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
}

func trailingBlanks(lines [][]byte) (n int) {
	for n < len(lines) && len(bytes.TrimSpace(lines[len(lines)-1-n])) == 0 {
		n++
	}
	return n
}
