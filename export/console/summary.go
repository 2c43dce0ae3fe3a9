package console

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

const (
	ruleWidth = 46
	// maxShown is how many characters of an issue or a reason are shown.
	maxShown = 200
	// itemBytes is how much what was fixed and skipped should take where the width is unknown, as it
	// is for an agent: 35 such items then make a summary of at most 5 KB. An item is not cut to less
	// than leastItem columns for it, a remark under an item to not less than leastRemark. Of each
	// line, spareBytes are for its end and for signs that take three bytes.
	itemBytes, leastItem, leastRemark, spareBytes = 4000, 68, 36, 5
)

// WriteSummary writes the summary that ends every iteration, in one write. If the run has passed,
// it lists what was fixed, skipped and withdrawn; otherwise it lists what is open, and with all the
// rest too. Lines are cut to the width; with all, what was fixed, skipped and withdrawn is listed
// with its whole words.
//
// Rule: A failure shows what was found.
func WriteSummary(w io.Writer, s ledger.Summary, style text.Style, all bool) error {
	var b strings.Builder
	rule := strings.Repeat("━", ruleWidth)
	fmt.Fprintf(&b, "%s\nRESULTS SUMMARY\n%s\n\n", rule, rule)
	open := !s.Status.Passes()
	if open {
		b.WriteString(blockers(s, style, all) + "\n")
	}
	if !open || all {
		writeContributions(&b, s, style, all, !open)
	}
	fmt.Fprintf(&b, "%s\n%s\n", rule, totals(s))
	fmt.Fprintf(&b, "Status: %s\n%s\n", style.Paint(statusColor(s.Status), StatusText(s.Status)), rule)
	b.WriteString(text.Fit(ending(s), style.Width))
	_, err := io.WriteString(w, b.String())
	return err
}

// ending returns the lines below the frame of the summary.
func ending(s ledger.Summary) string {
	var b strings.Builder
	b.WriteString(checkTotals(s))
	if s.LookedAt != nil {
		b.WriteString(lookedLines(*s.LookedAt))
	}
	if s.Took > 0 {
		fmt.Fprintf(&b, "The run took %s.\n", ledger.Plural(s.Took, "iteration"))
	}
	if left := leftText(s.Left); left != "" {
		b.WriteString(left + "\n")
	}
	if left := ledger.CountFiltered(s.Filtered); left != "" && s.Status.Passes() {
		warning := ledger.Warning(s.Filtered)
		for _, f := range warning[:min(len(warning), maxFiltered)] {
			fmt.Fprintf(&b, "Not counted: %s\n", filteredWords(f))
		}
		fmt.Fprintf(&b, "Left for later: %s: reviewledger violations --discarded --run last\n", left)
	}
	for _, slot := range s.Unseen {
		fmt.Fprintf(&b, "Not looked at by %s: %s\n", text.EscapeLine(slot.Adapter), text.FirstLine(strings.ReplaceAll(slot.Unseen, "\n", "; "), maxShown))
	}
	if len(s.Config) > 0 {
		fmt.Fprintf(&b, "This change edits the gates that review it: %s\n", text.EscapeLine(ledger.Some(s.Config)))
	}
	if len(s.Uncovered) > 0 {
		fmt.Fprintf(&b, "No gate looks at %s\n", text.EscapeLine(ledger.Some(s.Uncovered)))
	}
	if cost := SpentText(s.Spent); cost != "" {
		b.WriteString(cost + "\n")
	}
	return b.String()
}

// writeContributions lists for each iteration what became of its reports. If the run has ended, the
// list is never empty.
func writeContributions(b *strings.Builder, s ledger.Summary, style text.Style, whole, ends bool) {
	var listed []ledger.SummaryLine
	for _, iteration := range s.Iterations {
		listed = append(listed, iteration.Lines...)
	}
	items := newItems(listed, style, whole)
	for _, iteration := range s.Iterations {
		fmt.Fprintf(b, "Iteration %d:\n", iteration.Number)
		for _, line := range iteration.Lines {
			items.write(b, line)
		}
		b.WriteByte('\n')
	}
	switch {
	case !ends || len(s.Iterations) > 0:
	case len(s.Filtered) > 0:
		b.WriteString("  Nothing that counts was found.\n\n")
	default:
		b.WriteString("  Nothing was found.\n\n")
	}
}

// blockers lists what keeps the run from passing. What was fixed and skipped before is only
// counted, unless it is listed below.
func blockers(s ledger.Summary, style text.Style, listed bool) string {
	var b strings.Builder
	joined := map[string][]ledger.SlotEntry{}
	for _, v := range s.Joined {
		joined[v.DuplicateOf] = append(joined[v.DuplicateOf], v.Entry())
	}
	b.WriteString(findingLines(s.Open, joined, style.Width) + text.Fit(unresolvedLines(s.Unresolved), style.Width))
	if listed {
		return text.OrElse(b.String(), "  Nothing is open.\n")
	}
	var claims []ledger.SummaryLine
	for _, iteration := range s.Iterations {
		for _, line := range iteration.Lines {
			if line.Outcome == ledger.OutcomeUnverified {
				claims = append(claims, line)
			}
		}
	}
	items := newItems(claims, style, false)
	for _, line := range claims {
		items.write(&b, line)
	}
	if b.Len() == 0 {
		b.WriteString("  Nothing is open.\n")
	}
	if s.Fixed+s.Skipped+s.Withdrawn > 0 {
		fmt.Fprintf(&b, "  %s before: reviewledger show\n", settledCounts(s))
	}
	return b.String()
}

// lookedLines says who looked at a change that passed, and what to do if only the built-in reviewer
// did.
func lookedLines(l ledger.LookedAt) string {
	var by []string
	for _, look := range l.By {
		name := text.EscapeLine(look.Gate)
		if look.Adapter != "" && !l.OnlyBuiltin {
			name = fmt.Sprintf("%s (%s)", text.EscapeLine(look.Adapter), name)
		}
		by = append(by, name)
	}
	names, add := ledger.Some(by), ""
	switch {
	case len(by) == 0:
		names = "nothing"
	case l.OnlyBuiltin:
		names = "nothing but " + names + " (white space, conflict markers)"
	}
	if l.Nothing() {
		add = "To have the code looked at, add checks to .gauntlet/config.yml, or a reviewer to cli.default_preference\n"
	}
	if len(l.NotBy) > 0 {
		names += "; not by: " + text.EscapeLine(ledger.Some(l.NotBy))
	}
	return "Looked at by: " + names + "\n" + add
}

// fewLeft is the number of remaining iterations up to which they are mentioned.
const fewLeft = 2

// leftText says how many iterations an open run has left, if these are few. At the retry limit it
// is empty, because the status says so.
func leftText(left *int) string {
	if left == nil || *left == 0 || *left > fewLeft {
		return ""
	}
	return "Before the retry limit: " + ledger.Plural(*left, "more iteration")
}

// SpentText says what a run has cost so far, and for how many of its calls the cost is known. It is
// empty before the first call that may cost something, and if all calls were free.
func SpentText(s ledger.Spent) string {
	if s.Known == 0 && !s.Priced || s.CostUSD == 0 && s.Known == s.Calls {
		return ""
	}
	calls := ledger.Plural(s.Calls, "call")
	if s.Known == 0 {
		return fmt.Sprintf("Cost so far: unknown (%s)", calls)
	}
	return fmt.Sprintf("Cost so far: $%.2f (known for %d of %s)", s.CostUSD, s.Known, calls)
}

func totals(s ledger.Summary) string {
	text := "Total: " + settledCounts(s)
	if s.Failed > 0 {
		text += fmt.Sprintf(", %d failed", s.Failed)
	}
	if n := len(s.Iterations); n > 1 {
		text += fmt.Sprintf(" across %d iterations", n)
	}
	return text
}

// checkTotals says how many of the totals were checks, if any was: they are not violations.
func checkTotals(s ledger.Summary) string {
	var counts []string
	if s.ChecksFixed > 0 {
		counts = append(counts, ledger.Plural(s.ChecksFixed, "check")+" fixed")
	}
	if s.ChecksFailed > 0 {
		counts = append(counts, ledger.Plural(s.ChecksFailed, "check")+" failed")
	}
	if len(counts) == 0 {
		return ""
	}
	return "Of the total: " + strings.Join(counts, ", ") + "\n"
}

// settledCounts counts what was fixed and skipped and, if there is any, what was withdrawn.
func settledCounts(s ledger.Summary) string {
	text := fmt.Sprintf("%d fixed, %d skipped", s.Fixed, s.Skipped)
	if s.Withdrawn > 0 {
		text += fmt.Sprintf(", %d withdrawn", s.Withdrawn)
	}
	return text
}

// itemLines writes what was fixed, skipped, withdrawn or only claimed.
type itemLines struct {
	style text.Style
	// width is that of an item, and under that of the remarks under it, or 0 if the whole words are
	// shown.
	width, under int
}

func newItems(listed []ledger.SummaryLine, style text.Style, whole bool) itemLines {
	if whole {
		return itemLines{style: style}
	}
	if style.Width > 0 || len(listed) == 0 {
		return itemLines{style: style, width: style.Width, under: style.Width}
	}
	below := 0
	for _, line := range listed {
		below += len(remarks(line))
	}
	width := min(someWidth, max(leastItem, itemBytes/(len(listed)+below)-spareBytes))
	left := itemBytes - len(listed)*(width+spareBytes)
	return itemLines{style: style, width: width, under: min(width, max(leastRemark, left/max(1, below)-spareBytes))}
}

// write writes an item on one line, which ends with its ID, and its remarks on lines below.
func (l itemLines) write(b *strings.Builder, line ledger.SummaryLine) {
	const indent = "  "
	sign, color, outcome := outcomeText(line.Outcome)
	words, id := fmt.Sprintf(" %s: %s - %s", outcome, summaryLabel(line), l.contribution(line)), ""
	if line.ShortID != "" {
		id = " (" + text.EscapeLine(line.ShortID) + ")"
	}
	if l.width > 0 {
		words = text.Cut(words, max(1, l.width-text.Width(indent+sign+id)))
	}
	fmt.Fprintf(b, "%s%s%s%s\n", indent, l.style.Paint(color, sign), words, id)
	for _, r := range remarks(line) {
		if words := l.words(r.words); words != "" {
			b.WriteString(text.Cut(fmt.Sprintf("    %s: %s", r.label, words), l.under) + "\n")
		}
	}
}

// words returns foreign words on one line, which is cut to the width later.
func (l itemLines) words(words string) string {
	if l.width > 0 {
		return text.FirstLine(words, maxShown)
	}
	return text.EscapeLine(words)
}

// remark is what is shown under an item.
type remark struct{ label, words string }

func remarks(line ledger.SummaryLine) []remark {
	switch line.Outcome {
	case ledger.OutcomeFixed:
		if line.HandedFrom != "" {
			return []remark{{"Confirmed by another gate", line.Job}}
		}
	case ledger.OutcomeSkipped:
		return []remark{{"Reason", line.WhySkipped()}}
	case ledger.OutcomeWithdrawn:
		return []remark{{"Disputed", line.Author()}, {"Answer", line.Evidence}}
	}
	return nil
}

func outcomeText(outcome ledger.Outcome) (sign, color, word string) {
	switch outcome {
	case ledger.OutcomeFixed:
		return "✓", text.Green, "Fixed"
	case ledger.OutcomeSkipped:
		return "⊘", text.Yellow, "Skipped"
	case ledger.OutcomeWithdrawn:
		return "↩", text.Yellow, "Withdrawn"
	default:
		return "?", text.Yellow, "Unverified"
	}
}

func summaryLabel(line ledger.SummaryLine) string {
	if line.Adapter == "" {
		return ledger.Sanitize(line.Job)
	}
	return ledger.Sanitize(cmp.Or(line.HandedFrom, line.Job)) + "_" + ledger.Sanitize(line.Adapter)
}

func (l itemLines) contribution(line ledger.SummaryLine) string {
	if line.Problems > 0 {
		return ledger.Plural(line.Problems, "violation") + " resolved"
	}
	place := line.ReportedAt()                    // where the report is that the mark answers
	if line.Outcome == ledger.OutcomeUnverified { // still to be verified: where it is now
		place = line.Place
	}
	return strings.TrimSpace(text.EscapeLine(place.String()) + " " + l.words(line.Issue))
}

// StatusText returns the status of a run in the words of the summary.
func StatusText(status ledger.RunStatus) string { return spoken(string(status)) }

// spoken formats a word of the ledger for people, as in "Passed with warnings".
func spoken(word string) string {
	if word == "" {
		return ""
	}
	word = text.EscapeLine(strings.ReplaceAll(word, "_", " "))
	return strings.ToUpper(word[:1]) + word[1:]
}

func statusColor(status ledger.RunStatus) string {
	switch status {
	case ledger.StatusPassed:
		return text.Green
	case ledger.StatusPassedWithWarnings:
		return text.Yellow
	}
	return text.Red
}
