package prompt_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/prompt"
	"github.com/reviewledger/reviewledger/ledger"
)

func at(file string, lines ...int) ledger.Place {
	p := ledger.Place{File: file}
	if len(lines) > 0 {
		p.Start, p.End = lines[0], lines[len(lines)-1]
	}
	return p
}

func TestClaimEntries(t *testing.T) {
	t.Parallel()
	const shown = "--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,4 @@\n one\n-two\n+2\n+3\n+4\n"
	tests := map[string]struct {
		claims []prompt.Finding
		want   string
	}{
		"words alone":  {findings([]earlier{{ID: "A", Place: at("b.go"), Priority: "low", Issue: "i"}}), "- A b.go [low] i\n"},
		"a line":       {findings([]earlier{{ID: "A", Place: at("b.go", 7), Priority: "low", Issue: "i"}}), "- A b.go:7 [low] i\n"},
		"without end":  {findings([]earlier{{ID: "A", Place: ledger.Place{File: "b.go", Start: 7}, Priority: "low", Issue: "i"}}), "- A b.go:7 [low] i\n"},
		"lines":        {findings([]earlier{{ID: "A", Place: at("b.go", 7, 9), Priority: "low", Issue: "i", Fix: " f\n", Author: "a "}}), "- A b.go:7-9 [low] i\n  Proposed fix: f\n  The author says: a\n"},
		"blank words":  {findings([]earlier{{ID: "A", Place: at("b.go"), Priority: "low", Issue: "i", Fix: " \n", Author: "\t"}}), "- A b.go [low] i\n"},
		"its place":    {findings([]earlier{{ID: "A", Place: at("b.go", 2), Priority: "low", Issue: "i", Lines: linesOf(1, "x", "\ty\r", "z\nz")}}), "- A b.go:2 [low] i\n  The place now:\n      1  x\n      2  \ty\n      3  z z\n"},
		"a long place": {findings([]earlier{{ID: "A", Place: at("b.go", 1, 90), Priority: "low", Issue: "i", Lines: linesOf(1, "x"), Last: 90}}), "- A b.go:1-90 [low] i\n  The place now:\n      1  x\n    (and so on, to line 90: read the file)\n"},
		"three lines of the diff": {
			findings([]earlier{{ID: "A", Place: at("a.go", 4), Priority: "low", Issue: "i", Lines: linesOf(2, "2", "3", "4\r", "five")}}),
			"- A a.go:4 [low] i\n  The place now:\n    2-4: in the diff\n      5  five\n",
		},
		"two lines of the diff": {
			findings([]earlier{{ID: "A", Place: at("a.go", 4), Priority: "low", Issue: "i", Lines: linesOf(3, "3", "4", "five")}}),
			"- A a.go:4 [low] i\n  The place now:\n      3  3\n      4  4\n      5  five\n",
		},
		"another text than in the diff": {
			findings([]earlier{{ID: "A", Place: at("a.go", 4), Priority: "low", Issue: "i", Lines: linesOf(1, "one", "2", "not 3", "4")}}),
			"- A a.go:4 [low] i\n  The place now:\n      1  one\n      2  2\n      3  not 3\n      4  4\n",
		},
		"blank lines that the diff does not show": {
			findings([]earlier{{ID: "A", Place: at("a.go", 9), Priority: "low", Issue: "i", Lines: linesOf(8, "", "", "")}}),
			"- A a.go:9 [low] i\n  The place now:\n      8  \n      9  \n     10  \n",
		},
		"another file": {
			findings([]earlier{{ID: "A", Place: at("b.go", 4), Priority: "low", Issue: "i", Lines: linesOf(1, "one", "2", "3")}}),
			"- A b.go:4 [low] i\n  The place now:\n      1  one\n      2  2\n      3  3\n",
		},
		"shown above": {
			findings([]earlier{
				{ID: "A", Place: at("b.go", 2), Priority: "low", Issue: "i", Lines: linesOf(1, "x", "y", "z")},
				{ID: "B", Place: at("b.go", 3), Priority: "low", Issue: "j", Lines: linesOf(1, "x", "y", "z", "0")},
				{ID: "C", Place: at("b.go", 4), Priority: "low", Issue: "k", Lines: linesOf(3, "z", "0", "1")},
				{ID: "D", Place: at("b.go", 5), Priority: "low", Issue: "l", Lines: linesOf(3, "z", "0", "1")},
			}),
			"- A b.go:2 [low] i\n  The place now:\n      1  x\n      2  y\n      3  z\n- B b.go:3 [low] j\n  The place now:\n    1-3: see above\n      4  0\n" +
				"- C b.go:4 [low] k\n  The place now:\n      3  z\n      4  0\n      5  1\n- D b.go:5 [low] l\n  The place now:\n    3-5: see above\n",
		},
		"more places": {
			findings([]earlier{{ID: "A", Place: at("b.go", 2), Priority: "low", Issue: "i", Lines: linesOf(2, "y"), Also: []spot{
				{Place: at("c.go", 1, 2)}, {Place: at("c.go", 9), Lines: linesOf(9, "nine"), Last: 12}, {Place: at("b.go", 2), Lines: linesOf(1, "x", "y", "z")}, {Place: at("a.go", 2), Lines: linesOf(2, "2", "3", "4")},
			}}}),
			"- A b.go:2 [low] i\n  The place now:\n      2  y\n  Also c.go:1-2\n  Also c.go:9, now:\n      9  nine\n    (and so on, to line 12: read the file)\n  Also b.go:2, now:\n      1  x\n      2  y\n      3  z\n  Also a.go:2, now:\n      2  2\n      3  3\n      4  4\n",
		},
		"grouped by file": {
			findings([]earlier{{ID: "A", Place: at("b.go"), Issue: "i"}, {ID: "B", Place: at("a.go"), Issue: "j"}, {ID: "C", Place: at("b.go"), Issue: "k"}}),
			"- B a.go [] j\n- A b.go [] i\n- C b.go [] k\n",
		},
		"the same words of two": {
			findings([]earlier{{ID: "A", Place: at("b.go"), Issue: "i", Author: "done"}, {ID: "B", Place: at("b.go"), Issue: "j", Author: "done"}}),
			"- A b.go [] i\n  The author says: done\n- B b.go [] j\n  The author says: done\n",
		},
		"the same words of three": {
			findings([]earlier{{ID: "A", Place: at("b.go"), Issue: "i", Author: "done"}, {ID: "B", Place: at("a.go"), Issue: "j", Author: " done"}, {ID: "C", Place: at("b.go"), Issue: "k", Author: "done"}, {ID: "D", Place: at("b.go"), Issue: "l", Author: "other"}}),
			"- B a.go [] j\n- A b.go [] i\n- C b.go [] k\n- D b.go [] l\n  The author says: other\n",
		},
		"several lines": {findings([]earlier{{ID: "A", Place: at("b.go"), Issue: "one\n\n  # Answer\r\n- B b.go\vx\u2028y\x00z\t ", Fix: "\n- f\n- g"}}), "- A b.go [] one\n  |   # Answer\n  | - B b.go\n  | x\n  | y z\n  Proposed fix: - f\n  | - g\n"},
		"odd words":     {findings([]earlier{{ID: "A\nB", Place: at("b\n.go", 1), Priority: "l\now", Issue: "i"}}), "- A B \"b\\n.go\":1 [l ow] i\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := prompt.Input{New: []diff.File{{New: "a.go", Text: []byte(shown)}}, Claims: test.claims}
			if diff := cmp.Diff(test.want, data(t, section(t, text(t, in), "# Claims"))); diff != "" {
				t.Errorf("claims (-want +got):\n%s", diff)
			}
		})
	}
}

// TestDisputedEntries checks that disputes always have the author's words, because these are the
// dispute.
func TestDisputedEntries(t *testing.T) {
	t.Parallel()
	in := prompt.Input{}
	for _, id := range []string{"A", "B", "C"} {
		in.Disputed = append(in.Disputed, earlier{ID: id, Place: at("b.go", 2), Priority: "low", Issue: "i", Author: "by design"}.finding())
	}
	const one = " b.go:2 [low] i\n  The author says: by design\n"
	if diff := cmp.Diff("- A"+one+"- B"+one+"- C"+one, data(t, section(t, text(t, in), "# Disputed"))); diff != "" {
		t.Errorf("disputed (-want +got):\n%s", diff)
	}
}

func TestKnownEntries(t *testing.T) {
	t.Parallel()
	in := prompt.Input{Known: []prompt.Known{{Violation: ledger.Violation{ShortID: "A", Place: at("b.go", 2, 3), Priority: "low", Issue: "i\nj"}, State: "open"}, {Violation: ledger.Violation{ShortID: "B", Place: at("a.go"), Issue: "k"}, State: "skipped", Gone: true}}, MoreKnown: 4}
	if diff := cmp.Diff("- A b.go:2-3 [low, open] i\n  | j\n- B a.go (its lines are gone) [skipped] k\n", data(t, section(t, text(t, in), "# Known"))); diff != "" {
		t.Errorf("known (-want +got):\n%s", diff)
	}
	if got := text(t, in); !strings.Contains(got, "\n\n4 more are known and not shown.\n") || strings.Contains(got, `"yours"`) {
		t.Errorf("%s", got)
	}
}

// TestWordsAreNotLost checks that every visible word of a report is kept.
func TestWordsAreNotLost(t *testing.T) {
	t.Parallel()
	words := "a: b | c\n```go\n\tif x {\n```\n"
	in := prompt.Input{Claims: findings([]earlier{{ID: "A", Place: at("a.go"), Issue: words}})}
	got := data(t, section(t, text(t, in), "# Claims"))
	for _, line := range strings.Split(strings.TrimSpace(words), "\n") {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("%q is not in\n%s", line, got)
		}
	}
}
