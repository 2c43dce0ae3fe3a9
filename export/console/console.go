// Package console shows a run to people: the result of each gate and what is still running while it
// goes on, and the summary at its end. It only writes to the streams that it is given; it decides
// nothing and does not touch git, the ledger or files. Text of reviewers and commands is escaped
// before it is shown.
package console

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// Console prints what an iteration does: progress and results to stdout, warnings and errors to
// stderr, and the same text without color to the console log. All foreign text is escaped.
//
// It is safe for concurrent use, and the lines of one result stay together. A failed write does not
// stop the iteration: nothing more is written to that stream, and [Console.Err] returns the error.
type Console struct {
	mu      sync.Mutex
	style   text.Style
	stdout  sink
	stderr  sink
	log     sink
	pending bytes.Buffer // what was printed before there was a console log
	quiet   bool
	verbose bool
	warned  []string
	live    *Live // nil unless stdout is a terminal
}

// sink is a stream that is not written to after its first error.
type sink struct {
	name string
	w    io.Writer
	err  error
}

func (s *sink) write(text string) {
	if s.w == nil || s.err != nil || text == "" {
		return
	}
	if _, err := io.WriteString(s.w, text); err != nil {
		s.err = fmt.Errorf("write %s: %w", s.name, err)
	}
}

// NewConsole returns a Console that prints to the two streams, both with the given style.
func NewConsole(stdout, stderr io.Writer, style text.Style) *Console {
	return &Console{
		style:  style,
		stdout: sink{name: "stdout", w: stdout},
		stderr: sink{name: "stderr", w: stderr},
		log:    sink{name: "console log"},
	}
}

// Quiet omits progress and results. The summary, warnings, errors and the next step are still
// printed, and the console log is complete.
func (c *Console) Quiet() { c.quiet = true }

// Verbose makes each summary also list what was fixed and skipped before, with its whole words, as
// the console log always does, and makes each result of a tool say how much the tool suppresses.
func (c *Console) Verbose() { c.verbose = true }

// AttachLog makes w the console log and writes what was printed so far to it: the number of the
// iteration, and thereby the log, is only known after the first lines. The caller closes w after
// the last line is printed.
func (c *Console) AttachLog(w io.Writer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log.w = w
	c.log.write(c.pending.String())
	c.pending = bytes.Buffer{}
}

// Err returns the write errors so far, or nil.
func (c *Console) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return errors.Join(c.stdout.err, c.stderr.err, c.log.err)
}

// GateStarted prints that a job has started.
func (c *Console) GateStarted(job string) {
	c.result(tag{"START", ""}, text.EscapeLine(job), "", "")
}

// CheckDone prints the result of a check, and the path of its log unless it passed.
//
// Rule: A failure shows what was found.
func (c *Console) CheckDone(job string, r ledger.CheckResult, log string) {
	c.ended(job, 0)
	what := fmt.Sprintf("%s (%.2fs)", text.EscapeLine(job), r.Duration.Seconds())
	switch r.Status {
	case ledger.GatePassed:
		c.result(tag{"PASS", text.Green}, what, r.Reason, "")
	case ledger.GateNotRun:
		c.result(tag{"SKIP", text.Yellow}, text.EscapeLine(job), r.Reason, "")
	case ledger.GateFailed:
		c.result(tag{"FAIL", text.Red}, what, r.Reason, pathLine("Log", log)+excerptLines(r.Excerpt))
	default:
		c.result(tag{"ERROR", text.Red}, what, text.OrElse(r.Reason, string(r.Status)), pathLine("Log", log))
	}
}

// SlotDone prints the result of a slot. A failed slot is shown with the path of its JSON file,
// which the agent reads and edits; so is a slot in error that has violations. Any other slot in
// error is shown with the path of its log.
//
// Rule: A failure shows what was found.
func (c *Console) SlotDone(r ledger.SlotOutcome) {
	c.ended(r.Job, r.Slot)
	label := slotLabel(r.Job, r.Adapter, r.Slot)
	what := fmt.Sprintf("%s (%.2fs)", label, r.Duration.Seconds())
	below := filteredLines(r, "        ") + noteLines(r.Notes)
	if line := r.SuppressedLine(); line != "" && c.verbose {
		below += noteLines([]string{line})
	}
	file := "Log"
	if r.InReview() {
		file = "Review"
	}
	switch r.Status {
	case ledger.SlotSkipped:
		c.result(tag{"SKIP", text.Yellow}, label, fmt.Sprintf("%s%d", slotfiles.PassedInIteration, r.PassIteration), "")
	case ledger.SlotPass:
		c.result(tag{"PASS", text.Green}, what, r.Reason, below)
	case ledger.SlotFail:
		reason := ledger.Plural(len(r.Violations), "violation")
		if len(r.Violations) == 0 { // it reported nothing, but did not confirm a claim
			reason = "no violation, but what was claimed stays unverified"
		}
		if r.Reason != "" {
			reason += ", " + r.Reason
		}
		c.result(tag{"FAIL", text.Red}, what, reason, pathLine(file, r.Path)+below)
	default:
		c.result(tag{"ERROR", text.Red}, what, text.OrElse(r.Reason, string(r.Status)), pathLine(file, r.Path)+below)
	}
}

// Line prints one line of progress and keeps its indentation.
func (c *Console) Line(words string) {
	line := text.OnOneLine(words) + "\n"
	c.progress(text.Fit(line, c.style.Width), line)
}

// Conclude prints a line that says how the command ended, instead of a summary or in addition to
// one.
func (c *Console) Conclude(words string) {
	line := text.OnOneLine(words) + "\n"
	c.print(&c.stdout, text.Fit(line, c.style.Width), line)
}

// Next prints the next step, if step is not empty.
func (c *Console) Next(step string) {
	if step != "" {
		c.print(&c.stdout, nextLine(step), nextLine(step))
	}
}

// Spent prints what a run has cost so far.
func (c *Console) Spent(s ledger.Spent) {
	if words := SpentText(s); words != "" {
		c.Conclude(words)
	}
}

// Warn prints warnings to stderr.
func (c *Console) Warn(warnings ...string) {
	for _, words := range warnings {
		c.complain("warning:", text.Yellow, words)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.warned = append(c.warned, warnings...)
}

// Warnings returns the warnings printed so far.
func (c *Console) Warnings() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.warned)
}

// Error prints an error to stderr.
func (c *Console) Error(words string) { c.complain("error:", text.Red, words) }

// Summary prints the summary of the iteration. The log gets the verbose form.
func (c *Console) Summary(s ledger.Summary) {
	var shown, plain strings.Builder
	// A Builder never fails.
	_ = WriteSummary(&shown, c.brief(s), c.style, c.verbose)
	_ = WriteSummary(&plain, s, text.Style{}, true)
	c.print(&c.stdout, shown.String(), plain.String())
}

func (c *Console) complain(word, color, words string) {
	rest := " " + text.EscapeLine(words) + "\n"
	c.print(&c.stderr, c.style.Paint(color, word)+rest, word+rest)
}

// tag is the bracketed word at the beginning of a line, as in "[FAIL]".
type tag struct{ word, color string }

// result prints a line "[FAIL]  what - reason" with more below it, broken between words at the width.
func (c *Console) result(t tag, what, reason, more string) {
	word := "[" + t.word + "]"
	rest := strings.Repeat(" ", max(0, len("[START] ")-len(word))) + what
	if reason = text.EscapeLine(reason); reason != "" {
		rest += " - " + reason
	}
	rest += "\n" + more
	shown := strings.TrimPrefix(text.Fit(word+rest, c.style.Width), word)
	c.progress(c.style.Paint(t.color, word)+shown, word+rest)
}

// brief returns the summary as a quiet console shows it: without proposed fixes.
func (c *Console) brief(s ledger.Summary) ledger.Summary {
	if c.quiet {
		s.Open = slices.Clone(s.Open)
		for i, v := range s.Open {
			without := *v
			without.Fix = ""
			s.Open[i] = &without
		}
	}
	return s
}

// progress prints a text that a quiet console shows only in its log.
func (c *Console) progress(shown, plain string) {
	if c.quiet {
		shown = ""
	}
	c.print(&c.stdout, shown, plain)
}

// print writes shown to one of the streams, and plain to the log.
func (c *Console) print(to *sink, shown, plain string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.around(to, shown)
	if c.log.w == nil {
		c.pending.WriteString(plain)
		return
	}
	c.log.write(plain)
}

func slotLabel(job, adapter string, slot int) string {
	return fmt.Sprintf("%s (%s@%d)", text.EscapeLine(job), text.EscapeLine(adapter), slot)
}

func noteLines(notes []string) string {
	var b strings.Builder
	for _, note := range notes {
		fmt.Fprintf(&b, "        %s\n", text.EscapeLine(note))
	}
	return b.String()
}

// excerptLines formats an excerpt of a log for the lines below the path of the log.
func excerptLines(excerpt string) string {
	var b strings.Builder
	for line := range strings.Lines(excerpt) {
		b.WriteString("          " + text.OnOneLine(strings.TrimRight(line, "\n")) + "\n")
	}
	return b.String()
}

func pathLine(word, path string) string {
	if path == "" {
		return ""
	}
	return fmt.Sprintf("        %s: %s\n", word, text.EscapeLine(path))
}
