package slotfiles

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// SlotLog is the log of one slot. It grows while the slot runs: each method appends a part.
//
//	Starting review: review:src:code-quality @1
//	Entry point: src
//	Base: origin/main
//	Adapter: claude
//	Running @1: safety latch (all slots previously passed)
//
//	--- Review Output (claude) ---
//	<the reviewer's answer>
//
//	--- Parsed Result (claude) ---
//	Status: FAIL
//	1. src/app.ts:42 - Missing error handling
//	   Fix: Wrap in try-catch
//
//	3 below the threshold (high) filtered
//	Result: fail - 1 violation
//
// [ParseSlotLog] reads it back. A line of an answer or a note that looks like one of the lines that
// the parser relies on is escaped with a backslash, which is removed when the log is read. Each
// violation is on one line, and control characters are escaped everywhere.
//
// After a failed write the methods do nothing, and [SlotLog.Close] returns the error. A SlotLog is
// not safe for concurrent use.
type SlotLog struct {
	file io.Closer
	w    *bufio.Writer
	err  error
}

// NewSlotLog returns a log that writes to w. [SlotLog.Close] closes w.
func NewSlotLog(w io.WriteCloser) *SlotLog { return &SlotLog{file: w, w: bufio.NewWriter(w)} }

// Start writes what is reviewed and by whom, and what was decided about the slot before its
// reviewer was asked.
func (l *SlotLog) Start(h ledger.SlotLogHeader) {
	l.printf("Starting review: %s @%d\nEntry point: %s\nBase: %s\nAdapter: %s\n",
		text.EscapeLine(h.Job), h.Slot, text.EscapeLine(h.EntryPoint), text.EscapeLine(h.Base), text.EscapeLine(h.Adapter))
	if line := h.Plan.Log(); line != "" {
		l.printf("%s\n", line)
	}
	for _, note := range h.Notes {
		l.Note(note)
	}
}

// PassedInIteration precedes the number of the iteration in which a skipped slot passed.
const PassedInIteration = "previously passed in iteration "

// Note writes one line of free text: a warning, an error or a decision.
func (l *SlotLog) Note(line string) {
	l.printf("%s\n", shield(text.EscapeLine(line)))
}

// Output writes a reviewer's answer. If a slot takes several calls, there are several answers,
// followed by one parsed result.
func (l *SlotLog) Output(adapter, raw string) {
	l.write("\n", sectionHeader(reviewOutput, adapter), "\n")
	lines := strings.TrimRight(strings.ReplaceAll(raw, "\r\n", "\n"), "\n")
	for line := range strings.SplitSeq(lines, "\n") { // line by line, because an answer may be too large to copy as a whole
		l.write(shield(text.Escape(line)), "\n")
	}
	l.flush()
}

// Parsed writes how the answer was understood: the document's status and violations. Status PASS
// with violations is read back as FAIL.
func (l *SlotLog) Parsed(doc ledger.SlotDocument) {
	l.write("\n", sectionHeader(parsedResult, doc.Adapter), "\nStatus: ", statusWord(doc.Status), "\n")
	for i, v := range doc.Violations {
		l.write(strconv.Itoa(i+1), ". ", text.EscapeLine(v.File), ":", text.OrElse(v.Place().Lines(), "?"), " - ", text.EscapeLine(v.Issue), "\n")
		if fix := text.EscapeLine(v.Fix); fix != "" {
			l.write("   Fix: ", fix, "\n")
		}
	}
	// For the parser, the empty line ends the last violation.
	l.printf("\n")
}

// Result writes the last line: the status of the slot, and the reason.
func (l *SlotLog) Result(status ledger.SlotStatus, reason string) {
	l.printf("Result: %s - %s\n", text.EscapeLine(string(status)), text.EscapeLine(reason))
}

// Close closes the log and returns the first write error.
func (l *SlotLog) Close() error {
	if err := errors.Join(l.err, l.file.Close()); err != nil {
		return fmt.Errorf("write slot log: %w", err)
	}
	return nil
}

// printf writes and flushes, so that readers see the text at once.
func (l *SlotLog) printf(format string, args ...any) {
	l.write(fmt.Sprintf(format, args...))
	l.flush()
}

func (l *SlotLog) write(parts ...string) {
	for _, part := range parts {
		if l.err == nil {
			_, l.err = l.w.WriteString(part)
		}
	}
}

func (l *SlotLog) flush() {
	if l.err == nil {
		l.err = l.w.Flush()
	}
}

// Titles of the sections of a slot's log.
const (
	reviewOutput = "Review Output"
	parsedResult = "Parsed Result"
)

func sectionHeader(title, adapter string) string {
	return fmt.Sprintf("--- %s (%s) ---", title, text.EscapeLine(adapter))
}

// statusWord returns a slot's status as its log shows it. A status without an answer is shown as an
// error.
func statusWord(status ledger.SlotStatus) string {
	switch status {
	case ledger.SlotPass, ledger.SlotFail:
		return strings.ToUpper(string(status))
	case ledger.SlotSkipped:
		return string(status)
	default:
		return "ERROR"
	}
}

// shield escapes a line with a backslash if [ParseSlotLog] would take it for one of the lines that
// it relies on, or would remove a backslash or timestamp from it.
func shield(line string) string {
	bare := strings.TrimLeft(line, `\`)
	if stripTimestamp(bare) != bare || isLandmark(bare) {
		return `\` + line
	}
	return line
}

// unshield removes the backslash that shield added.
func unshield(line string) string {
	if bare, ok := strings.CutPrefix(line, `\`); ok && shield(bare) == line {
		return bare
	}
	return line
}
