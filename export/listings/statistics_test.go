package listings_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/export/exporttest"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/ledgertest"
)

func sampleStatistics() ledger.Statistics {
	f := ledger.StatisticsFilter{Period: ledger.Period{Since: sampleTime}, Top: 10}
	file := f.FileOf("it's.go", "", ledger.FileCounts{Violations: 2, Open: 1})
	file.Runs, file.Weeks = 2, []int{0, 2}
	line := f.RecurrenceOf("ff", "", 2, 2, 0).Violations
	week := ledger.ByWeek.Start(sampleTime)
	return ledger.Compute(ledger.Rows{
		Now: sampleTime.Add(24 * time.Hour),
		Slots: []ledger.SlotTotals{{
			EntryPoint: "src", Gate: "quality", Adapter: "claude", Model: "m-1", Iteration: 1, Figures: map[ledger.SlotFigure]int64{
				"answered": 1, "errors": 1, "interrupted": 1, "skipped": 1, "accepted": 1, "below_threshold": 2, "verified": 1, "reopened": 3, "contradicted": 3,
				"input_tokens": 10, "output_tokens": 5, "with_tokens": 1, "cost_nano": 250_000_000, "calls": 2, "with_cost": 1, "saved_tokens": 15, "saved_nano": 250_000_000,
			},
		}},
		Violations: []ledger.ViolationTotals{
			{EntryPoint: "src", Gate: "quality", Adapter: "claude", Model: "m-1", Iteration: 1, Priority: ledger.High, Status: ledger.StatusVerified, InFixLines: true, Violations: 1},
			{EntryPoint: "src", Gate: "quality", Adapter: "claude", Model: ledger.UnknownModel, Iteration: 1, Priority: ledger.Low, Status: ledger.StatusSkipped, Reason: "style", Shared: true, Violations: 2},
		},
		Times: []ledger.TimeTotals{{Adapter: "claude", Model: "m-1", Took: 12 * time.Second, Slots: 1}},
		Runs: ledgertest.CountRuns([]ledgertest.RunTotals{
			{Status: ledger.StatusPassed, Iterations: 2, Started: sampleTime, Finished: sampleTime.Add(100 * time.Second)},
			{Status: ledger.StatusFailed, Iterations: 3, Started: sampleTime},
		}...),
		Files: []ledger.FileStatistics{file},
		Recurring: []ledger.Recurrence{{
			Fingerprint: "ff", Runs: 2, Violations: line, Open: line, Latest: "1e2f3g4h", Job: "review:src:quality", File: "it's.go", Issue: "Again", Line: 7,
		}},
		Overlaps: []ledger.OverlapTotals{{Adapter: "claude", Other: "codex", Violations: 4, Shared: 1}},
		Checks: []ledger.CheckTotals{
			{Job: "check:src:lint", EntryPoint: "src", Check: "lint", Passed: true, Took: 1500 * time.Millisecond, Executions: 3},
			{Job: "check:src:lint", EntryPoint: "src", Check: "lint", Took: 2 * time.Minute, Executions: 1},
		},
		CheckDetails: map[string]ledger.CheckStatistics{"check:src:lint": {Command: "lint .", Flaky: 1}},
		Verdicts:     []ledger.ListedVerdict{{Run: "R", Review: "0a0a0a0a", Iteration: 1, Verdict: ledger.VerdictWarn, At: sampleTime, Findings: map[ledger.Priority]int{ledger.Medium: 2}}},
		Weeks: ledger.PeriodRows{
			First: sampleTime, Events: map[time.Time]map[ledger.Status]int{week: {ledger.StatusNew: 3, ledger.StatusVerified: 1}},
			Costs: map[time.Time]map[ledger.SlotFigure]int64{week: {"cost_nano": 250_000_000, "with_cost": 1, "calls": 2}},
		},
	}, f)
}

// Times do not show rounding errors of binary fractions.
func TestReportRoundsTimes(t *testing.T) {
	t.Parallel()
	s := ledger.Statistics{TimeToPass: ledger.Durations{N: 2, P50: 999 * time.Millisecond, P90: 1140 * time.Millisecond}}
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
	s := ledger.Statistics{Saved: ledger.Saved{CostUSD: sum}, Adapters: []ledger.AdapterStatistics{{Adapter: "claude", Cost: ledger.Cost{USD: sum, Known: 28}}}}
	s.Adapters[0].Verified.Violations = 7
	r := listings.NewStatisticsJSON(s)
	if got := []float64{r.Saved.CostUSD, *r.Adapters[0].CostUSD, *r.Adapters[0].CostPerConfirmed}; !slices.Equal(got, []float64{1.4, 1.4, 0.2}) {
		t.Errorf("costs are %v", got)
	}
}

// The title names the period and the filters, and says what the filters do not apply to.
func TestStatisticsTitle(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 31, 12, 0, 0, 0, time.Local)
	for want, f := range map[string]ledger.StatisticsFilter{
		"Statistics, all time\n\nRuns: 0, ":                                                {},
		"Statistics until 2026-01-31 12:00\n\nRuns: 0, ":                                   {Period: ledger.Period{Until: at}},
		"Statistics since 2026-01-31 12:00, branch main\n\nRuns: 0, ":                      {Period: ledger.Period{Since: at}, Branch: "main"},
		"Statistics, all time, adapter claude\n\nRuns (any gate and adapter): 0, of which": {Adapter: "claude"},
	} {
		var out text.Page
		listings.WriteStatistics(&out, ledger.Statistics{Filter: f})
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
func TestReportCSV(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := listings.WriteFiguresCSV(&out, listings.NewStatisticsJSON(sampleStatistics())); err != nil {
		t.Fatal(err)
	}
	exporttest.Golden(t, "statistics.csv", out.String())
}
