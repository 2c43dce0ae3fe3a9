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
// how many more there are. Lines are cut to the width. What may be the same is one block: under the
// first of it are the others, and those that were joined to one of them, and then the proposed fix.
//
// Rule: A failure shows what was found.
func findingLines[V interface{ Entry() ledger.SlotEntry }](found []V, joined map[string][]ledger.SlotEntry, width int) string {
	l := &findingList{width: cmp.Or(width, someWidth)}
	byRank := make([][]int, len(ledger.Priorities())) // indexes, so that sorting a hundred thousand findings to show a few is cheap
	for i, v := range found {
		r := rank(v.Entry())
		byRank[r] = append(byRank[r], i)
	}
	blocks, left := ledger.InBlocks(slices.Concat(byRank...), func(i int) string { return found[i].Entry().BlockOf() }), maxFindings
	for _, block := range blocks {
		var first ledger.SlotEntry
		fix := "" // of one of them
		for n, i := range block[:min(len(block), left)] {
			f := found[i].Entry()
			if n == 0 {
				first = f
				l.line("  %s  %-8s  %s", text.EscapeLine(f.ID), text.EscapeLine(f.Priority), placeAndIssue(f.Place(), f.Issue))
			} else {
				l.beside("also", f, first)
			}
			l.said(f)
			for _, duplicate := range joined[f.ID] {
				l.beside("duplicate", duplicate, first)
			}
			fix = cmp.Or(fix, strings.TrimSpace(f.Fix))
		}
		if fix != "" {
			l.line("    fix: %s", text.FirstLine(fix, maxShown))
		}
		if left -= len(block); left <= 0 {
			break
		}
	}
	if more := len(found) - maxFindings; more > 0 {
		l.line("  and %d more: reviewledger violations --open", more)
	}
	return l.String()
}

// findingList writes lines that are cut to a width.
type findingList struct {
	strings.Builder
	width int
}

func (l *findingList) line(format string, args ...any) {
	l.WriteString(text.Cut(fmt.Sprintf(format, args...), l.width) + "\n")
}

// beside writes the line of a finding under the first one of its block.
func (l *findingList) beside(label string, f, first ledger.SlotEntry) {
	reporter, place, words := f.Beside(first)
	priority := ""
	if f.Priority != first.Priority && label == "also" {
		priority = text.EscapeLine(f.Priority) + " "
	}
	l.line("    %s: %s %s%s %s", label, text.EscapeLine(f.ID), priority, text.EscapeLine(reporter), placeAndIssue(place, words))
}

// said writes what was said of a finding before.
func (l *findingList) said(f ledger.SlotEntry) {
	if f.Reopened {
		l.line("    %s", strings.TrimSuffix("again, after: "+text.FirstLine(f.Answers, maxShown), ", after: "))
	}
	if f.Status == string(ledger.StatusDisputed) && f.Result != nil {
		l.line("    disputed: %s", text.FirstLine(*f.Result, maxShown))
	}
	if f.Said != "" {
		l.line("    answer: %s", text.FirstLine(f.Said, maxShown))
	}
	if f.Gone.By != "" {
		l.line("    %s says that this is gone: mark it", text.EscapeLine(f.Gone.By))
	}
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
		fmt.Fprintf(&b, "%snot counted: %s\n", indent, filteredWords(f))
	}
	if more := r.LeftOut - len(shown); more > 0 {
		fmt.Fprintf(&b, "%snot counted: %d more: reviewledger violations --discarded --run last\n", indent, more)
	}
	return b.String()
}

func filteredWords(f ledger.FilteredEntry) string {
	return fmt.Sprintf("%s %s %s %s  (%s)", text.EscapeLine(f.ID), text.EscapeLine(string(f.Priority)), text.EscapeLine(f.Place().String()), text.FirstLine(f.Issue, maxFilteredWords), f.Why())
}

// placeAndIssue returns the place and the first line of the issue.
func placeAndIssue(place ledger.Place, issue string) string {
	return strings.TrimSpace(text.EscapeLine(place.String()) + " " + text.FirstLine(issue, maxShown))
}

func rank(e ledger.SlotEntry) int {
	priority, _ := ledger.ParsePriority(e.Priority)
	return priority.Rank()
}
