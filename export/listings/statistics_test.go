package listings_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/export/exporttest"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/export/text"

	"github.com/reviewledger/reviewledger/ledger"
)

func sampleStatistics() ledger.Statistics {
	s := ledger.Compute(ledger.Rows{
		Slots: []ledger.SlotTotals{{EntryPoint: "src", Gate: "quality", Adapter: "claude", Iteration: 1, Slots: 2, Answered: 1, Errors: 1,
			Counts: ledger.SlotCounts{Accepted: 1, BelowThreshold: 2, New: 1, Verified: 1, Reopened: 3}, InputTokens: 10, OutputTokens: 5, WithTokens: 1, CostUSD: 0.25, WithCost: 1}},
		Violations: []ledger.ViolationTotals{
			{EntryPoint: "src", Gate: "quality", Adapter: "claude", Iteration: 1, Status: ledger.StatusVerified, InFixLines: true, Violations: 1},
			{EntryPoint: "src", Gate: "quality", Adapter: "claude", Iteration: 1, Status: ledger.StatusSkipped, Reason: "style", Shared: true, Violations: 2},
		},
		Runs:      []ledger.Run{{Status: ledger.StatusPassed, Iterations: 2}, {Status: ledger.StatusFailed, Iterations: 3}},
		Saved:     ledger.Saved{Slots: 1, Tokens: 15, CostUSD: 0.25},
		Sightings: []ledger.Sighting{{File: "it's.go", Fingerprint: "ff", Run: "1"}, {File: "it's.go", Fingerprint: "ff", Run: "2"}, {File: "b.go", Run: "1"}},
	}, ledger.StatisticsFilter{Period: ledger.Period{Since: sampleTime}, Top: 10})
	s.Recurring[0].Latest, s.Recurring[0].Job, s.Recurring[0].File, s.Recurring[0].Issue, s.Recurring[0].Line = "1e2f3g4h", "review:src:quality", "it's.go", "Again", 7
	return s
}

// Sums of money are not those of binary fractions.
func TestReportRoundsMoney(t *testing.T) {
	t.Parallel()
	sum := 0.0
	for range 28 {
		sum += 0.05
	}
	s := ledger.Statistics{Saved: ledger.Saved{CostUSD: sum}, Adapters: []ledger.AdapterStatistics{{Adapter: "claude", CostUSD: sum, Costed: 28}}}
	s.Adapters[0].Confirmed.Violations = 7
	r := listings.NewStatisticsJSON(s)
	if got := []float64{r.Saved.CostUSD, *r.Adapters[0].CostUSD, *r.Adapters[0].CostPerConfirmed}; !slices.Equal(got, []float64{1.4, 1.4, 0.2}) {
		t.Errorf("costs are %v", got)
	}
}

// The title names the period and the filters, and says what the filters leave out.
func TestStatisticsTitle(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 31, 12, 0, 0, 0, time.Local)
	for want, f := range map[string]ledger.StatisticsFilter{
		"Statistics, all time\n\nRuns: 0, ":                                                {},
		"Statistics until 2026-01-31 12:00\n\nRuns: 0, ":                                   {Period: ledger.Period{Until: at}},
		"Statistics since 2026-01-31 12:00, branch main\n\nRuns: 0, ":                      {Period: ledger.Period{Since: at}, Branch: "main"},
		"Statistics, all time, adapter claude\n\nRuns (any gate and adapter): 0, of which": {Adapter: "claude"},
	} {
		var out bytes.Buffer
		if err := listings.WriteStatistics(&out, ledger.Statistics{Filter: f}, text.Style{}, 0, false); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

// The report for people.
func TestReportTable(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	s := sampleStatistics()
	s.Filter.Period.Since = time.Time{} // shown in the local zone
	if err := listings.WriteStatistics(&out, s, text.Style{}, 100, true); err != nil {
		t.Fatal(err)
	}
	exporttest.Golden(t, "statistics.txt", out.String())
}
