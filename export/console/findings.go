package console

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// maxFindings is how many findings are listed at once, and someWidth how wide their lines
// are if the width of the terminal is unknown.
const (
	maxFindings = 40
	someWidth   = 100
)

// findingLines lists what is open, a line each, worst first, at most [maxFindings], and then
// how many more there are. Lines are cut at the width. It sorts what it is given.
//
// Rule: A failure shows what was found.
func findingLines(found []ledger.SlotEntry, width int) string {
	width = cmp.Or(width, someWidth)
	slices.SortStableFunc(found, func(a, b ledger.SlotEntry) int { return cmp.Compare(rank(a), rank(b)) })
	var b strings.Builder
	line := func(format string, args ...any) {
		b.WriteString(text.Cut(fmt.Sprintf(format, args...), width) + "\n")
	}
	at := make(map[string]int, len(found))
	for i, f := range found {
		at[f.ID] = i
	}
	named := map[string]bool{} // findings that are perhaps the same are listed once, under the first
	for _, f := range found[:min(len(found), maxFindings)] {
		line("  %s  %-8s  %s", text.EscapeLine(f.ID), text.EscapeLine(string(f.Priority)), placeAndIssue(f.Place(), f.Issue))
		if f.Reopened {
			line("    %s", strings.TrimSuffix("again, after: "+text.FirstLine(f.Answers, maxShown), ", after: "))
		}
		if f.Status == string(ledger.StatusDisputed) && f.Result != nil {
			line("    disputed: %s", text.FirstLine(*f.Result, maxShown))
		}
		if f.Said != "" {
			line("    answer: %s", text.FirstLine(f.Said, maxShown))
		}
		if f.Gone.By != "" {
			line("    %s says that this is gone: mark it", text.EscapeLine(f.Gone.By))
		}
		named[f.ID] = true
		var others []int
		for _, id := range f.Related {
			if i, listed := at[id]; listed && !named[id] {
				named[id], others = true, append(others, i)
			}
		}
		slices.Sort(others)
		for _, i := range others {
			other := found[i]
			line("    also: %s %s %s", text.EscapeLine(other.ID), text.EscapeLine(other.Reporter), placeAndIssue(other.Place(), ""))
		}
	}
	if more := len(found) - maxFindings; more > 0 {
		line("  and %d more: reviewledger violations --open", more)
	}
	return b.String()
}

// maxFiltered is how many reports of one slot are shown that were not counted.
const maxFiltered = 5

// maxFilteredWords is how many characters of such a report are shown, so that the reason
// stays visible.
const maxFilteredWords = 100

// filteredLines list reports that a filter left out, a line each, and then how many more there are.
//
// Rule: What is filtered is counted and kept.
func filteredLines(r ledger.SlotOutcome, indent string) string {
	var b strings.Builder
	shown := r.Filtered[:min(len(r.Filtered), maxFiltered)]
	for _, f := range shown {
		fmt.Fprintf(&b, "%snot counted: %s %s %s %s  (%s)\n", indent, text.EscapeLine(f.ID), text.EscapeLine(string(f.Priority)),
			text.EscapeLine(f.Place().String()), text.FirstLine(f.Issue, maxFilteredWords), f.Why())
	}
	if more := r.LeftOut - len(shown); more > 0 {
		fmt.Fprintf(&b, "%snot counted: %d more: reviewledger violations --discarded --run last\n", indent, more)
	}
	return b.String()
}

// placeAndIssue is the place and the first line of the issue.
func placeAndIssue(place ledger.Place, issue string) string {
	return strings.TrimSpace(text.EscapeLine(place.String()) + " " + text.FirstLine(issue, maxShown))
}

func rank(e ledger.SlotEntry) int {
	priority, _ := ledger.ParsePriority(e.Priority)
	return priority.Rank()
}
