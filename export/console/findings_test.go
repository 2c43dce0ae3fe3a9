package console

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// listed is a finding as in its file.
type listed struct{ ledger.SlotEntry }

// Entry returns the finding.
func (l listed) Entry() ledger.SlotEntry { return l.SlotEntry }

func TestFindingLines(t *testing.T) {
	t.Parallel()
	got := findingLines([]listed{
		{ledger.SlotEntry{ID: "one", File: "a.go", Issue: "is whole", Priority: "low"}},
		{ledger.SlotEntry{ID: "two", File: "a.go", Line: 3, EndLine: 3, Issue: "has a line", Priority: "low"}},
		{ledger.SlotEntry{ID: "three", File: "b.go", Line: 10, EndLine: 14, Issue: "has a range and many words\nand more", Priority: "high", Gone: ledger.Gone{By: "c\x1b@2", Evidence: "it was removed: see a.go"}}},
		{ledger.SlotEntry{ID: "four", File: "a.go", Line: 4, EndLine: 4, Issue: "is back", Priority: "low", Reopened: true, Answers: "closed\nnow", Said: "it is \x1b not", Fix: "close \x1b it\nat once"}},
		{ledger.SlotEntry{ID: "five", File: "a.go", Line: 5, EndLine: 5, Issue: "is back, too", Priority: "low", Reopened: true}},
		{ledger.SlotEntry{ID: "six", File: "a.go", Line: 6, EndLine: 6, Issue: "is right", Priority: "low", Status: "disputed", Result: new("it is \x1b so\nand so")}},
	}, nil, 44)
	want := "  three  high      b.go:10-14 has a range a…\n" +
		"    c\\x1b@2 says that this is gone: mark it\n" +
		"  one  low       a.go is whole\n" +
		"  two  low       a.go:3 has a line\n" +
		"  four  low       a.go:4 is back\n" +
		"    again, after: closed…\n" +
		"    answer: it is \\x1b not\n" +
		"    fix: close \\x1b it…\n" +
		"  five  low       a.go:5 is back, too\n" +
		"    again\n" +
		"  six  low       a.go:6 is right\n" +
		"    disputed: it is \\x1b so…\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What is one block stands under the first of it, each once, with what distinguishes it; duplicates
// stand under their original.
func TestFindingsThatBelongTogether(t *testing.T) {
	t.Parallel()
	at := func(id, group, issue string, line int) listed {
		return listed{ledger.SlotEntry{ID: id, File: "f", Line: line, EndLine: line, Issue: issue, Priority: "low", Job: "review:.:q", Reporter: id[:1] + "@1", Group: group}}
	}
	elsewhere, worse := at("three", "two", "x", 3), at("two", "two", "x", 2)
	elsewhere.Job, worse.Priority = "review:.:p", "high"
	elsewhere.Reopened, elsewhere.Said = true, "line 3 is as it was"
	joined := at("five", "two", "`X`.", 5)
	found := []listed{at("one", "", "x", 1), elsewhere, worse, at("four", "two", "other\nwords", 4), at("six", "", "y", 6)}
	got := findingLines(found, map[string][]ledger.SlotEntry{"two": {joined.SlotEntry}}, 0)
	want := "  two  high      f:2 x\n" +
		"    duplicate: five f@1 f:5\n" +
		"    also: three low p (t@1) f:3\n" +
		"    again\n" +
		"    answer: line 3 is as it was\n" +
		"    also: four low f@1 f:4 other…\n" +
		"  one  low       f:1 x\n" +
		"  six  low       f:6 y\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	many := slices.Repeat(found[2:3], 30)
	if got := findingLines(append(many, slices.Repeat(found[:1], 30)...), nil, 0); strings.Count(got, "\n") != 41 || !strings.HasSuffix(got, "  and 20 more: reviewledger violations --open\n") {
		t.Errorf("of sixty in two blocks\n%s", got)
	}
}

// At most five of the filtered reports of an answer are shown, in the given order, worst first, and
// then how many more there are.
//
// Rule: What is filtered is counted and kept.
func TestFilteredLines(t *testing.T) {
	t.Parallel()
	out := ledger.SlotOutcome{LeftOut: 8}
	for n := range 7 {
		out.Filtered = append(out.Filtered, ledger.FilteredEntry{
			ID: fmt.Sprintf("id%d", n), File: "a\x1b.go", Line: 10 * n, EndLine: 10*n + 2, Issue: "Equals ignores it\nand more", Priority: ledger.High, Reason: ledger.OutOfDiff,
		})
	}
	lines := strings.SplitAfter(filteredLines(out, "  "), "\n")
	if len(lines) != 7 || lines[1] != "  not counted: id1 high a\\x1b.go:10-12 Equals ignores it…  (outside the changed lines)\n" ||
		lines[5] != "  not counted: 3 more: reviewledger violations --discarded --run last\n" {
		t.Errorf("%q", lines)
	}
}
