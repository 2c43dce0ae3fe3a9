package listings_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/testing/exporttest"
	"github.com/reviewledger/reviewledger/internal/text"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

func sampleStatistics() figures.Statistics {
	f := figures.Filter{Period: ledger.Period{Since: sampleTime}, Top: 10}
	file := f.FileOf("it's.go", "")
	file.Violations.Violations, file.Open.Violations, file.Runs, file.Weeks = 2, 1, 2, []int{0, 2}
	line := f.RecurrenceOf("ff", "", 2, 2, 0).Violations
	s := figures.New(f)
	s.AddReported([]figures.Reported{
		{EntryPoint: "src", Gate: "quality", Adapter: "claude", Model: "m-1", Iteration: 1, Priority: "high", Status: "verified", InFixLines: 1, Violations: 1},
		{EntryPoint: "src", Gate: "quality", Adapter: "claude", Model: ledger.UnknownModel, Iteration: 1, Priority: "low", Status: "skipped", Reason: "style", Shared: 1, Violations: 2},
	})
	s.AddSlots([]figures.Slots{{
		EntryPoint: "src", Gate: "quality", Adapter: "claude", Model: "m-1", Iteration: 1,
		Answered: 1, Errors: 1, Interrupted: 1, Skipped: 1, Accepted: 1, BelowThreshold: 2, Verified: 1, Reopened: 3, Contradicted: 3,
		InputTokens: 10, OutputTokens: 5, WithTokens: 1, Cost: ledger.Cost{USD: 0.25, Calls: 2, Known: 1}, SavedTokens: 15, SavedUSD: 0.25,
	}})
	s.Sort()
	s.Adapters[0].Took = figures.Durations{N: 1, P50: 12 * time.Second, P90: 12 * time.Second}
	s.Models[0].Took = s.Adapters[0].Took
	s.Runs, s.Passed, s.IterationsToPass = 2, 1, map[int]int{2: 1}
	s.TimeToPass = figures.Durations{N: 1, P50: 100 * time.Second, P90: 100 * time.Second}
	s.Files = []figures.File{file}
	s.Recurring = []figures.Recurrence{{
		Fingerprint: "ff", Runs: 2, Violations: line, Open: line, Latest: "1e2f3g4h", Job: "review:src:quality", File: "it's.go", Issue: "Again", Line: 7,
	}}
	s.Overlaps = []figures.Overlap{{Adapter: "claude", Other: "codex", Shared: figures.Share{Part: 1, Whole: 4}}}
	now := sampleTime.Add(24 * time.Hour)
	s.Checks = []figures.Check{{
		Job: "check:src:lint", EntryPoint: "src", Check: "lint", Command: "lint .", Executions: 4, Failures: 1, Flaky: 1,
		Took: figures.Durations{N: 4, P50: 1500 * time.Millisecond, P90: 2 * time.Minute}, Weeks: figures.CheckWeeks(f.FirstShownWeek(now)),
	}}
	s.AddVerdicts([]figures.Verdict{{Run: "R", Review: "0a0a0a0a", Iteration: 1, Verdict: ledger.VerdictWarn, At: sampleTime, Findings: map[ledger.Priority]int{ledger.Medium: 2}}}, now)
	s.BeginWeeks(sampleTime, now)
	week := &s.Weeks[0]
	week.AddEvents(ledger.StatusNew, 3)
	week.AddEvents(ledger.StatusVerified, 1)
	week.AddRuns(ledger.StatusPassed, 1)
	week.AddRuns(ledger.StatusFailed, 1)
	week.Cost = ledger.Cost{USD: 0.25, Known: 1, Calls: 2}
	return s
}

// Times do not show rounding errors of binary fractions.
func TestReportRoundsTimes(t *testing.T) {
	t.Parallel()
	s := figures.Statistics{TimeToPass: figures.Durations{N: 2, P50: 999 * time.Millisecond, P90: 1140 * time.Millisecond}}
	var out text.Page
	listings.WriteStatistics(&out, s)
	if want := "Time until a run passes: 999ms (median), 1.14s (90 % of the runs)\n"; !strings.Contains(out.String(), want) {
		t.Errorf("no %q in\n%s", want, out.String())
	}
}

// Sums of money do not show rounding errors of binary fractions.
func TestReportRoundsMoney(t *testing.T) {
	t.Parallel()
	sum := 0.0
	for range 28 {
		sum += 0.05
	}
	s := figures.Statistics{Saved: figures.Saved{CostUSD: sum}, Adapters: []figures.Reviewer{{Adapter: "claude", Cost: ledger.Cost{USD: sum, Known: 28}}}}
	s.Adapters[0].Verified.Violations = 7
	data, err := json.Marshal(listings.Statistics(s))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"tokens":0,"cost_usd":1.4}`, `"cost_usd":1.4,"cost_known"`, `"cost_usd_per_confirmed":0.2,`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %s in %s", want, data)
		}
	}
}

// The title names the period and the filters, and says what the filters do not apply to.
func TestStatisticsTitle(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 31, 12, 0, 0, 0, time.Local)
	for want, f := range map[string]figures.Filter{
		"Statistics, all time\n\nRuns: 0, ":                                                {},
		"Statistics until 2026-01-31 12:00 UTC\n\nRuns: 0, ":                               {Period: ledger.Period{Until: at}},
		"Statistics since 2026-01-31 12:00 UTC, branch main\n\nRuns: 0, ":                  {Period: ledger.Period{Since: at}, Branch: "main"},
		"Statistics, all time, adapter claude\n\nRuns (any gate and adapter): 0, of which": {Adapter: "claude"},
	} {
		var out text.Page
		listings.WriteStatistics(&out, figures.Statistics{Filter: f})
		if !strings.HasPrefix(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// The report for people.
func TestReportTable(t *testing.T) {
	t.Parallel()
	out := text.Page{Style: text.Style{Width: 100}}
	s := sampleStatistics()
	s.Filter.Period.Since = time.Time{} // it is shown in the local zone
	listings.WriteStatistics(&out, s)
	exporttest.Golden(t, "statistics.txt", out.String())
}

// The figures for spreadsheets.
// No line is wider than the terminal, and what a reviewer is called stays whole.
func TestReportIn80Columns(t *testing.T) {
	t.Parallel()
	s := sampleStatistics()
	s.Adapters[0].Adapter, s.Adapters[0].InputTokens, s.Adapters[0].OutputTokens = "github-copilot", 123_456_789, 1
	s.Weeks[0].Withdrawn.Violations = 1
	page := text.Page{Style: text.Style{Width: 80}}
	listings.WriteStatistics(&page, s)
	for line := range strings.Lines(page.String()) {
		if got := text.Width(strings.TrimSuffix(line, "\n")); got > 80 {
			t.Errorf("%d columns: %q", got, line)
		}
	}
	if got := strings.Count(page.String(), "\ngithub-copilot  "); got < 2 {
		t.Errorf("the adapter is there %d times in\n%s", got, page.String())
	}
}

func TestReportCSV(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := listings.WriteFiguresCSV(&out, listings.Statistics(sampleStatistics())); err != nil {
		t.Fatal(err)
	}
	exporttest.Golden(t, "statistics.csv", out.String())
}
