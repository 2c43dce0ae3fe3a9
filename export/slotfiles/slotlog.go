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

// SlotLog is the log of one slot. It grows while the slot runs, each method
// adding what it is called for:
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
// [ParseSlotLog] reads it back. So that nothing in an answer or a note can pass for one
// of the lines that it relies on, a line that looks like one of them is escaped with a
// backslash, which is removed when the log is read. Violations stay on one line each, and
// control characters are escaped everywhere.
//
// A failed write makes the methods do nothing from then on; [SlotLog.Close]
// returns it. A SlotLog is not for concurrent use.
type SlotLog struct {
	file io.Closer
	w    *bufio.Writer
	err  error
}

// NewSlotLog writes a slot's log to w, which Close closes.
func NewSlotLog(w io.WriteCloser) *SlotLog { return &SlotLog{file: w, w: bufio.NewWriter(w)} }

// Start writes what is to be reviewed, by whom, and what was decided about the slot before
// it was asked.
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

// passedInIteration is followed by the iteration in which a skipped slot passed.
const PassedInIteration = "previously passed in iteration "

// Note writes one line of free text: a warning, an error, a decision.
func (l *SlotLog) Note(line string) {
	l.printf("%s\n", shield(text.EscapeLine(line)))
}

// Output writes what a reviewer answered. A slot of several calls has several
// of them, followed by one parsed result.
func (l *SlotLog) Output(adapter, raw string) {
	l.write("\n", sectionHeader(reviewOutput, adapter), "\n")
	lines := strings.TrimRight(strings.ReplaceAll(raw, "\r\n", "\n"), "\n")
	for line := range strings.SplitSeq(lines, "\n") { // an answer as a whole may be large, and need not be there twice
		l.write(shield(text.Escape(line)), "\n")
	}
	l.flush()
}

// Parsed writes what the answer was understood to say: the document's status
// and its violations. Status PASS with violations is read back as FAIL.
func (l *SlotLog) Parsed(doc ledger.SlotDocument) {
	l.write("\n", sectionHeader(parsedResult, doc.Adapter), "\nStatus: ", statusWord(doc.Status), "\n")
	for i, v := range doc.Violations {
		l.write(strconv.Itoa(i+1), ". ", text.EscapeLine(v.File), ":", text.OrElse(v.Place().Lines(), "?"), " - ", text.EscapeLine(v.Issue), "\n")
		if fix := text.EscapeLine(v.Fix); fix != "" {
			l.write("   Fix: ", fix, "\n")
		}
	}
	// The empty line ends the last violation for the reader.
	l.printf("\n")
}

// Result writes the last line: how the slot ended, and why.
func (l *SlotLog) Result(status ledger.SlotStatus, reason string) {
	l.printf("Result: %s - %s\n", text.EscapeLine(string(status)), text.EscapeLine(reason))
}

// Close closes the log and returns the first error of writing it.
func (l *SlotLog) Close() error {
	if err := errors.Join(l.err, l.file.Close()); err != nil {
		return fmt.Errorf("write slot log: %w", err)
	}
	return nil
}

// printf writes what others see at once.
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

// The titles of the sections of a slot's log.
const (
	reviewOutput = "Review Output"
	parsedResult = "Parsed Result"
)

func sectionHeader(title, adapter string) string {
	return fmt.Sprintf("--- %s (%s) ---", title, text.EscapeLine(adapter))
}

// statusWord is a slot's status as its log shows it. What has no answer is an
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

// shield puts a backslash before a line that [ParseSlotLog] would read as one of its own,
// or from which it would remove a backslash or a timestamp.
func shield(line string) string {
	bare := strings.TrimLeft(line, `\`)
	if stripTimestamp(bare) != bare || isLandmark(bare) {
		return `\` + line
	}
	return line
}

// unshield takes off the backslash that shield has put there.
func unshield(line string) string {
	if bare, ok := strings.CutPrefix(line, `\`); ok && shield(bare) == line {
		return bare
	}
	return line
}
