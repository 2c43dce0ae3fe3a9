package export

import (
	"fmt"
	"io"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// Style says how text is shown.
type Style struct {
	// Color is for terminals, and never with NO_COLOR.
	Color bool
}

// Colours of a terminal.
const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	reset  = "\x1b[0m"
)

// paint colours a text of this tool; never foreign text.
func (s Style) paint(color, text string) string {
	if !s.Color || color == "" {
		return text
	}
	return color + text + reset
}

const (
	ruleWidth = 46
	// maxShown is how many characters of an issue or a reason are shown.
	maxShown = 200
)

// WriteSummary writes what is printed at the end of every iteration, in one
// write. Of an issue or a reason the first line is shown, up to 200 characters.
//
// Requirement: Results Summary with Status.
func WriteSummary(w io.Writer, s ledger.Summary, style Style) error {
	var b strings.Builder
	rule := strings.Repeat("━", ruleWidth)
	fmt.Fprintf(&b, "%s\nRESULTS SUMMARY\n%s\n\n", rule, rule)
	contributed := 0
	for _, iteration := range s.Iterations {
		if len(iteration.Lines) == 0 {
			continue
		}
		contributed++
		fmt.Fprintf(&b, "Iteration %d:\n", iteration.Number)
		for _, line := range iteration.Lines {
			writeSummaryLine(&b, line, style)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s\n%s\n", rule, totals(s, contributed))
	fmt.Fprintf(&b, "Status: %s\n%s\n", style.paint(statusColor(s.Status), StatusText(s.Status)), rule)
	_, err := io.WriteString(w, b.String())
	return err
}

func totals(s ledger.Summary, contributed int) string {
	text := fmt.Sprintf("Total: %d fixed, %d skipped", s.Fixed, s.Skipped)
	if s.Failed > 0 {
		text += fmt.Sprintf(", %d failed", s.Failed)
	}
	if contributed > 1 {
		text += fmt.Sprintf(" across %d iterations", contributed)
	}
	return text
}

func writeSummaryLine(b *strings.Builder, line ledger.SummaryLine, style Style) {
	fmt.Fprintf(b, "  %s: %s - %s\n", outcomeText(line.Outcome, style), summaryLabel(line), contribution(line))
	if line.Outcome != ledger.OutcomeSkipped {
		return
	}
	if reason := firstLine(line.Reason, maxShown); reason != "" {
		fmt.Fprintf(b, "    Reason: %s\n", reason)
	}
}

func outcomeText(outcome ledger.Outcome, style Style) string {
	switch outcome {
	case ledger.OutcomeFixed:
		return style.paint(green, "✓") + " Fixed"
	case ledger.OutcomeSkipped:
		return style.paint(yellow, "⊘") + " Skipped"
	default:
		return style.paint(yellow, "?") + " Unverified"
	}
}

func summaryLabel(line ledger.SummaryLine) string {
	if line.Adapter == "" {
		return ledger.Sanitize(line.Job)
	}
	return ledger.Sanitize(line.Job) + "_" + ledger.Sanitize(line.Adapter)
}

func contribution(line ledger.SummaryLine) string {
	if line.Problems > 0 {
		return plural(line.Problems, "violation") + " resolved"
	}
	place := EscapeLine(line.Place.File)
	if !line.Place.WholeFile() {
		place += fmt.Sprintf(":%d", line.Place.Start)
	}
	return strings.TrimSpace(place + " " + firstLine(line.Issue, maxShown))
}

// StatusText is the state of a run in the words of the summary.
func StatusText(status ledger.RunStatus) string {
	switch status {
	case ledger.StatusPassed:
		return "Passed"
	case ledger.StatusPassedWithWarnings:
		return "Passed with warnings"
	case ledger.StatusFailed:
		return "Failed"
	case ledger.StatusError:
		return "Error"
	case ledger.StatusRetryLimitExceeded:
		return "Retry limit exceeded"
	case ledger.StatusInterrupted:
		return "Interrupted"
	case ledger.StatusAbandoned:
		return "Abandoned"
	case ledger.StatusRunning:
		return "Running"
	}
	return EscapeLine(string(status))
}

func statusColor(status ledger.RunStatus) string {
	switch status {
	case ledger.StatusPassed:
		return green
	case ledger.StatusPassedWithWarnings:
		return yellow
	}
	return red
}
