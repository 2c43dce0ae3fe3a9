package console

import (
	"fmt"
	"io"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// WriteProgress writes the state of the loop for people, in one write.
func WriteProgress(w io.Writer, p ledger.Progress, style text.Style) error {
	var b strings.Builder
	color := text.Red
	if p.Done() {
		color = text.Green
	}
	state := progressText(p.State)
	if p.State == ledger.ProgressPassed {
		state = StatusText(p.Run.Status)
	}
	if p.ReadyToPass() {
		state = "Ready to pass: " + ledger.CommandRun
	}
	b.WriteString(style.Paint(color, state))
	if p.Run.ID != "" && !p.ReadyToPass() {
		fmt.Fprintf(&b, " (run %s, iteration %d)", text.EscapeLine(p.Run.ID), p.Iteration)
	}
	b.WriteByte('\n')
	if p.LookedAt != nil {
		b.WriteString(lookedLines(*p.LookedAt))
	}
	if len(p.Files) > 0 {
		b.WriteString("Changed: " + text.EscapeLine(ledger.Some(p.Files)) + "\n")
	}
	if why := p.ReasonSentence(); why != "" {
		b.WriteString(text.EscapeLine(why) + "\n")
	}
	violations := func(title string, found []ledger.ListedViolation) {
		if len(found) == 0 {
			return
		}
		joined := map[string][]ledger.SlotEntry{}
		for _, v := range found {
			for _, duplicate := range v.Duplicates {
				joined[v.ShortID] = append(joined[v.ShortID], duplicate.Entry())
			}
		}
		fmt.Fprintf(&b, "%s:\n%s", title, findingLines(found, joined, style.Width))
	}
	violations(ledger.CountOpen(p.Open), p.Open)
	violations(ledger.Plural(len(p.Unverified), "claim")+" to verify", p.Unverified)
	unresolved := func(title string, list []ledger.Unresolved) {
		if len(list) > 0 {
			b.WriteString(title + ":\n" + unresolvedLines(list))
		}
	}
	unresolved(ledger.Plural(len(p.Failing), "failing check"), p.Failing)
	unresolved("In error", p.Errors)
	if left := ledger.CountFiltered(p.Filtered); left != "" {
		b.WriteString("Not counted: " + left + ": reviewledger violations --discarded --run last\n")
	}
	if left := leftText(p.Left); left != "" {
		b.WriteString(left + "\n")
	}
	shown := text.Fit(b.String(), style.Width)
	if step := p.Step(); step != "" {
		shown += nextLine(step)
	}
	_, err := io.WriteString(w, shown)
	return err
}

// WriteNext writes the line with the command to run next.
func WriteNext(w io.Writer, command string) error {
	_, err := io.WriteString(w, nextLine(command))
	return err
}

// nextLine returns the last line of a command's output, which says what to do next.
func nextLine(step string) string { return "Next: " + text.EscapeLine(step) + "\n" }

// unresolvedLines returns a line for each failed check and each slot in error, with the path of its
// log below it.
func unresolvedLines(list []ledger.Unresolved) string {
	var b strings.Builder
	for _, u := range list {
		name := text.EscapeLine(u.Job)
		if u.Slot > 0 {
			name = slotLabel(u.Job, u.Adapter, u.Slot)
		}
		fmt.Fprintf(&b, "  %s - %s\n", name, text.FirstLine(u.Reason, maxShown))
		if u.Log != "" { // a summary has named the log before
			b.WriteString(pathLine("Log", u.Log) + excerptLines(u.Excerpt))
		}
	}
	return b.String()
}

func progressText(s ledger.ProgressState) string {
	switch s {
	case ledger.ProgressRunning:
		return "A run is in progress"
	case ledger.ProgressOtherBranch:
		return "Another branch"
	case ledger.ProgressUnreviewed:
		return "Unreviewed changes"
	case ledger.ProgressNoGate:
		return "No gate applies"
	}
	return spoken(string(s))
}
