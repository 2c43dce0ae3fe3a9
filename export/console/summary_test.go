package console_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/internal/testing/exporttest"
	"github.com/reviewledger/reviewledger/internal/text"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

func summaryText(t *testing.T, s ledger.Summary, style text.Style) string {
	t.Helper()
	var b strings.Builder
	if err := console.WriteSummary(&b, s, style, false); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func summaryLine(outcome ledger.Outcome, adapter, file string, line int, issue, reason string) ledger.SummaryLine {
	return ledger.SummaryLine{
		Outcome: outcome, Violation: ledger.Violation{
			ShortID: "8c31gnxt", Job: "review:src:code-quality", Adapter: adapter,
			Place: ledger.Place{File: file, Start: line, End: line}, Issue: issue, Result: reason,
		},
	}
}

func twoIterations() ledger.Summary {
	return ledger.Summary{
		Fixed: 4, ChecksFixed: 1, Skipped: 2, Status: ledger.StatusPassedWithWarnings,
		Iterations: []ledger.SummaryIteration{
			{Number: 1, Lines: []ledger.SummaryLine{
				{Outcome: ledger.OutcomeFixed, Problems: 3, Violation: ledger.Violation{Job: "check:src:lint"}},
				summaryLine(ledger.OutcomeFixed, "claude", "src/app.ts", 42, "Missing error handling", ""),
				summaryLine(ledger.OutcomeFixed, "claude", "src/utils.ts", 15, "Unused import", "not shown"),
				summaryLine(ledger.OutcomeSkipped, "claude", "src/config.ts", 8, "Consider using const",
					"Stylistic preference, existing code is acceptable"),
			}},
			{Number: 2, Lines: []ledger.SummaryLine{
				summaryLine(ledger.OutcomeFixed, "gemini", "src/app.ts", 50, "Add null check", ""),
				summaryLine(ledger.OutcomeSkipped, "gemini", "src/index.ts", 3, "Import order",
					"Project uses different import ordering convention"),
			}},
		},
	}
}

// Rule: A failure shows what was found.
func TestSummaryOfSeveralIterations(t *testing.T) {
	t.Parallel()
	exporttest.Golden(t, "summary-iterations.txt", summaryText(t, twoIterations(), text.Style{}))
}

// The summary of a run in which everything was fixed.
func TestSummaryOfAPass(t *testing.T) {
	t.Parallel()
	got := summaryText(t, ledger.Summary{Fixed: 2, ChecksFixed: 1, Status: ledger.StatusPassed, Iterations: []ledger.SummaryIteration{{
		Number: 1, Lines: []ledger.SummaryLine{
			{Outcome: ledger.OutcomeFixed, Problems: 2, Violation: ledger.Violation{Job: "check:src:lint"}},
			{Outcome: ledger.OutcomeFixed, Violation: ledger.Violation{Job: "review:src", Adapter: "claude",
				Place: ledger.Place{File: "src/app.ts", Start: 42, End: 42}, Issue: "Missing error handling"}},
		},
	}}}, text.Style{})
	want := `━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
RESULTS SUMMARY
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

Iteration 1:
  ✓ Fixed: check_src_lint - 2 violations resolved
  ✓ Fixed: review_src_claude - src/app.ts:42 Missing error handling

━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
Total: 2 fixed, 0 skipped
Status: Passed
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
Of the total: 1 check fixed
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}

// A pass lists each item on one line that ends with its ID, and the reason of a skip on another,
// both cut to the width; where that is unknown, 35 items take at most 5 KB. The console log and -v
// have the whole words.
//
// Rule: A failure shows what was found.
func TestSummaryOfManyItems(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("These words are long. ", 12) + "\nThe end"
	for name, test := range map[string]struct {
		skipped, width, widest int
		all                    bool
	}{
		"fixed":                {widest: 100},
		"a third skipped":      {skipped: 12, widest: 100},
		"all skipped":          {skipped: 35, widest: 100},
		"on a narrow terminal": {skipped: 12, width: 70, widest: 70},
		"on a wide terminal":   {skipped: 12, width: 160, widest: 160},
		"whole":                {skipped: 12, all: true, width: 70, widest: 400},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := ledger.Summary{Status: ledger.StatusPassedWithWarnings, Took: 3, Iterations: []ledger.SummaryIteration{{Number: 1}}}
			for n := range 35 {
				outcome := ledger.OutcomeFixed
				if n < test.skipped {
					outcome = ledger.OutcomeSkipped
				}
				s.Iterations[0].Lines = append(s.Iterations[0].Lines, summaryLine(outcome, "claude", "src/app.ts", 100+n, long, long))
			}
			var b strings.Builder
			if err := console.WriteSummary(&b, s, text.Style{Width: test.width}, test.all); err != nil {
				t.Fatal(err)
			}
			got := b.String()
			if test.width == 0 && len(got) > 5000 {
				t.Errorf("%d bytes", len(got))
			}
			whole := 0
			if test.all {
				whole = 35 + test.skipped
			}
			if n := strings.Count(got, "The end"); n != whole {
				t.Errorf("%d whole texts, want %d", n, whole)
			}
			items := 0
			for line := range strings.Lines(got) {
				if text.Width(strings.TrimSuffix(line, "\n")) > test.widest {
					t.Errorf("a line is too wide: %q", line)
				}
				if strings.Contains(line, "src_code-quality_claude - s") && strings.HasSuffix(line, " (8c31gnxt)\n") {
					items++
				}
			}
			if reasons := strings.Count(got, "\n    Reason: These words are"); items != 35 || reasons != test.skipped {
				t.Errorf("%d items with IDs, %d reasons:\n%s", items, reasons, got)
			}
		})
	}
}

// The console log, and -v, also show the contributions of a run that stays open.
func TestSummaryOfAFailure(t *testing.T) {
	t.Parallel()
	for name, all := range map[string]bool{"summary-failed.txt": false, "summary-all.txt": true} {
		var b strings.Builder
		if err := console.WriteSummary(&b, ledger.Summary{
			Fixed: 1, ChecksFixed: 1, Skipped: 2, Failed: 6, ChecksFailed: 2, Status: ledger.StatusFailed, Took: 2, Open: violations(),
			Iterations: []ledger.SummaryIteration{{Number: 2, Lines: []ledger.SummaryLine{
				{Outcome: ledger.OutcomeFixed, Problems: 1, Violation: ledger.Violation{Job: "check:src:lint"}},
				summaryLine(ledger.OutcomeUnverified, "my/cli", "src/app.ts", 0, "  two\nlines", ""),
				summaryLine(ledger.OutcomeSkipped, "claude", "a\x1b[2J.ts", 7, strings.Repeat("ä", 300), "\n\u202ewhy\n\nnot"),
				summaryLine(ledger.OutcomeSkipped, "claude", "b.ts", 7, "", ""),
			}}},
		}, text.Style{}, all); err != nil {
			t.Fatal(err)
		}
		exporttest.Golden(t, name, b.String())
	}
}

// A withdrawn duplicate shows the text of the dispute, not the ID that it was joined to.
func TestSummaryOfADuplicate(t *testing.T) {
	t.Parallel()
	line := summaryLine(ledger.OutcomeWithdrawn, "codex", "src/app.ts", 42, "No check", "4ej7q858")
	line.Status, line.Evidence = ledger.StatusDuplicate, "it is checked"
	line.Original = &ledger.Original{Status: ledger.StatusWithdrawn, Result: "src/app.ts:40 checks it"}
	got := summaryText(t, ledger.Summary{Status: ledger.StatusPassedWithWarnings, Iterations: []ledger.SummaryIteration{{Number: 1, Lines: []ledger.SummaryLine{line}}}}, text.Style{})
	if want := "No check (8c31gnxt)\n    Disputed: src/app.ts:40 checks it\n    Answer: it is checked\n"; !strings.Contains(got, want) {
		t.Errorf("the summary does not have %q:\n%s", want, got)
	}
}

// A pass says what it left for later. While a run is open, nothing is left yet.
//
// Rule: What is filtered is counted and kept.
func TestSummaryOfWhatIsLeft(t *testing.T) {
	t.Parallel()
	left := []ledger.Report{{Disposition: ledger.BelowThreshold}, {Disposition: ledger.BelowThreshold}, {ID: "8f3kq2zt", Disposition: ledger.OutOfDiff, Priority: ledger.Critical, Place: ledger.Place{File: "a.go", Start: 3, End: 3}, Issue: "It leaks"}}
	const want = "\nNot counted: 8f3kq2zt critical a.go:3 It leaks  (outside the changed lines)\nLeft for later: 2 below the threshold, 1 outside the changes: reviewledger violations --discarded --run last\n"
	for status, said := range map[ledger.RunStatus]bool{ledger.StatusPassed: true, ledger.StatusPassedWithWarnings: true, ledger.StatusFailed: false} {
		if got := summaryText(t, ledger.Summary{Status: status, Filtered: left}, text.Style{}); strings.Contains(got, want) != said {
			t.Errorf("%s:\n%s", status, got)
		}
	}
}

func TestSummaryWithoutContributions(t *testing.T) {
	t.Parallel()
	got := summaryText(t, ledger.Summary{Failed: 1, ChecksFailed: 1, Status: ledger.StatusRetryLimitExceeded}, text.Style{})
	exporttest.Golden(t, "summary-empty.txt", got)
	if strings.Contains(got, "\n\n\n") {
		t.Error("two empty lines in a row")
	}
}

func TestSummaryInColor(t *testing.T) {
	t.Parallel()
	got := summaryText(t, twoIterations(), text.Style{Color: true})
	if got == summaryText(t, twoIterations(), text.Style{}) {
		t.Error("the summary has no color")
	}
	plain := strings.NewReplacer("\x1b[31m", "", "\x1b[32m", "", "\x1b[33m", "", "\x1b[0m", "").Replace(got)
	exporttest.Golden(t, "summary-iterations.txt", plain)
}

func TestStatusText(t *testing.T) {
	t.Parallel()
	want := map[ledger.RunStatus]string{
		ledger.StatusRunning: "Running", ledger.StatusPassed: "Passed",
		ledger.StatusPassedWithWarnings: "Passed with warnings", ledger.StatusFailed: "Failed",
		ledger.StatusError: "Error", ledger.StatusRetryLimitExceeded: "Retry limit exceeded",
		ledger.StatusInterrupted: "Interrupted", ledger.StatusAbandoned: "Abandoned",
	}
	got := map[ledger.RunStatus]string{}
	for _, status := range ledger.RunStatuses() {
		got[status] = console.StatusText(status)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("StatusText (-want +got):\n%s", diff)
	}
}

func TestSummaryReturnsWriteError(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left")
	if err := console.WriteSummary(failing{full}, ledger.Summary{}, text.Style{}, false); !errors.Is(err, full) {
		t.Errorf("WriteSummary: %v", err)
	}
}
