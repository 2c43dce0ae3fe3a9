package console

import (
	"fmt"
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
		{ledger.SlotEntry{ID: "four", File: "a.go", Line: 4, EndLine: 4, Issue: "is back", Priority: "low", Reopened: true, Answers: "closed\nnow", Said: "it is \x1b not"}},
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
		"  five  low       a.go:5 is back, too\n" +
		"    again\n" +
		"  six  low       a.go:6 is right\n" +
		"    disputed: it is \\x1b so…\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Each pair that may be the same is named once, under the first of the two, and duplicates under
// their original.
func TestFindingsThatBelongTogether(t *testing.T) {
	t.Parallel()
	at := func(id string, line int, related ...string) listed {
		return listed{ledger.SlotEntry{ID: id, File: "f", Line: line, EndLine: line, Issue: "x", Priority: "low", Reporter: "a@1", Related: related}}
	}
	got := findingLines([]listed{at("one", 1, "three"), at("two", 2, "three", "elsewhere"), at("three", 3, "one", "two", "four"), at("four", 4, "three")},
		map[string][]ledger.SlotEntry{"two": {at("five", 5).SlotEntry}}, 0)
	want := "  one  low       f:1 x\n" +
		"    also: three a@1 f:3\n" +
		"  two  low       f:2 x\n" +
		"    duplicate: five a@1 f:5\n" +
		"    also: three a@1 f:3\n" +
		"  three  low       f:3 x\n" +
		"    also: four a@1 f:4\n" +
		"  four  low       f:4 x\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
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
