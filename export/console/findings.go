package console

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// maxFindings is how many findings are listed at once. someWidth is the width of their lines if the
// width of the terminal is unknown.
const (
	maxFindings = 40
	someWidth   = 100
)

// findingLines lists open findings, one per line, worst first, at most [maxFindings], and then says
// how many more there are. Lines are cut to the width.
//
// Under each are the findings that were joined to it, which are given by its ID, and those further
// down that may be the same.
//
// Rule: A failure shows what was found.
func findingLines[V interface{ Entry() ledger.SlotEntry }](found []V, joined map[string][]ledger.SlotEntry, width int) string {
	width = cmp.Or(width, someWidth)
	byRank := make([][]int, len(ledger.Priorities())) // indexes, so that sorting a hundred thousand findings to show a few is cheap
	for i, v := range found {
		r := rank(v.Entry())
		byRank[r] = append(byRank[r], i)
	}
	sorted := slices.Concat(byRank...)
	shown := make([]ledger.SlotEntry, 0, maxFindings)
	for _, i := range sorted[:min(len(sorted), maxFindings)] {
		shown = append(shown, found[i].Entry())
	}
	var b strings.Builder
	line := func(format string, args ...any) {
		b.WriteString(text.Cut(fmt.Sprintf(format, args...), width) + "\n")
	}
	at := map[string]int{}
	if slices.ContainsFunc(shown, func(f ledger.SlotEntry) bool { return len(f.Related) > 0 }) {
		for n, i := range sorted {
			at[found[i].Entry().ID] = n
		}
	}
	for n, f := range shown {
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
		also := func(label string, other ledger.SlotEntry) {
			line("    %s: %s %s %s", label, text.EscapeLine(other.ID), text.EscapeLine(other.Reporter), placeAndIssue(other.Place(), ""))
		}
		for _, duplicate := range joined[f.ID] {
			also("duplicate", duplicate)
		}
		var others []int
		for _, id := range f.Related {
			if i, listed := at[id]; listed && i > n {
				others = append(others, i)
			}
		}
		slices.Sort(others)
		for _, i := range others {
			also("also", found[sorted[i]].Entry())
		}
	}
	if more := len(found) - maxFindings; more > 0 {
		line("  and %d more: reviewledger violations --open", more)
	}
	return b.String()
}

// maxFiltered is how many filtered reports of one slot are shown.
const maxFiltered = 5

// maxFilteredWords is how many characters of a filtered report are shown. The reason at the end of
// the line should stay visible.
const maxFilteredWords = 100

// filteredLines lists reports that a filter removed, one per line, and then says how many more
// there are.
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

// placeAndIssue returns the place and the first line of the issue.
func placeAndIssue(place ledger.Place, issue string) string {
	return strings.TrimSpace(text.EscapeLine(place.String()) + " " + text.FirstLine(issue, maxShown))
}

func rank(e ledger.SlotEntry) int {
	priority, _ := ledger.ParsePriority(e.Priority)
	return priority.Rank()
}
