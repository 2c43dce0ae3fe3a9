package ledger_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

// Each figure of a report against a small ledger that was counted by hand:
// two gates, two adapters, two iterations, three runs.
func TestComputeByHand(t *testing.T) {
	t.Parallel()
	slot := func(gate, adapter string, iteration int, c ledger.SlotCounts) ledger.SlotTotals {
		return ledger.SlotTotals{EntryPoint: "src", Gate: gate, Adapter: adapter, Iteration: iteration, Slots: 1, Answered: 1, Counts: c}
	}
	violation := func(gate, adapter string, iteration int, status ledger.Status, n int) ledger.ViolationTotals {
		return ledger.ViolationTotals{EntryPoint: "src", Gate: gate, Adapter: adapter, Iteration: iteration, Status: status, Violations: n}
	}
	first := slot("a", "claude", 1, ledger.SlotCounts{Accepted: 4, OutOfDiff: 1, New: 4})
	first.InputTokens, first.OutputTokens, first.WithTokens, first.CostUSD, first.WithCost = 100, 20, 1, 0.5, 1
	failed := slot("a", "codex", 1, ledger.SlotCounts{})
	failed.Answered, failed.Errors = 0, 1
	skipped := slot("b", "codex", 2, ledger.SlotCounts{})
	skipped.Answered, skipped.Skipped = 0, 1
	style := violation("a", "claude", 1, ledger.StatusSkipped, 1)
	style.Reason = "style"
	shared := violation("a", "claude", 1, ledger.StatusVerified, 1)
	shared.Shared = true
	inFix := violation("b", "codex", 2, ledger.StatusReopened, 1)
	inFix.InFixLines = true
	rows := ledger.Rows{
		Slots: []ledger.SlotTotals{
			first, failed, skipped,
			slot("b", "codex", 1, ledger.SlotCounts{Accepted: 1, BelowThreshold: 2, New: 1}),
			slot("a", "claude", 2, ledger.SlotCounts{Accepted: 1, PreviouslySkipped: 1, Verified: 2, Reopened: 1, Carried: 3}),
			slot("b", "codex", 2, ledger.SlotCounts{Accepted: 1, New: 1}),
		},
		Violations: []ledger.ViolationTotals{
			style, shared, inFix, violation("a", "claude", 1, ledger.StatusVerified, 1),
			violation("a", "claude", 1, ledger.StatusFixed, 1), violation("b", "codex", 1, ledger.StatusNew, 1),
		},
		Runs:  []ledger.Run{{Status: ledger.StatusPassed, Iterations: 1}, {Status: ledger.StatusPassedWithWarnings, Iterations: 3}, {Status: ledger.StatusFailed, Iterations: 2}},
		Saved: ledger.Saved{Slots: 1, Tokens: 120, CostUSD: 0.5},
		Sightings: []ledger.Sighting{
			{File: "x", Fingerprint: "f1", Run: "1"}, {File: "x", Fingerprint: "f1", Run: "2"}, {File: "x", Fingerprint: "f1", Run: "2"},
			{File: "y", Fingerprint: "f2", Run: "1"}, {File: "y", Fingerprint: "f2", Run: "1"}, {File: "z", Run: "3"},
		},
	}
	period := ledger.Period{Since: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	s := ledger.Compute(rows, ledger.StatisticsFilter{Period: period, Top: 2})
	base := ledger.ViolationFilter{Reported: period}
	filtered := func(n int, change func(*ledger.ViolationFilter)) ledger.Count {
		f := base
		change(&f)
		return ledger.Count{Violations: n, Filter: f}
	}
	status := func(n int, statuses ...ledger.Status) ledger.Count {
		return filtered(n, func(f *ledger.ViolationFilter) { f.Statuses = statuses })
	}
	byStyle := func(change func(*ledger.ViolationFilter)) map[ledger.SkipReason]ledger.Count {
		return map[ledger.SkipReason]ledger.Count{ledger.StyleOnly: filtered(1, func(f *ledger.ViolationFilter) {
			f.Statuses, f.Reasons = []ledger.Status{ledger.StatusSkipped}, []ledger.SkipReason{ledger.StyleOnly}
			change(f)
		})}
	}
	adapter := func(name string, n int, statuses ...ledger.Status) ledger.Count {
		return filtered(n, func(f *ledger.ViolationFilter) { f.Adapter, f.Statuses = name, statuses })
	}
	want := ledger.Statistics{
		Filter: ledger.StatisticsFilter{Period: period, Top: 2},
		Runs:   3, Passed: 2, IterationsToPass: map[int]int{1: 1, 3: 1},
		Violations: ledger.Count{Violations: 6, Filter: base}, Open: status(2, ledger.StatusNew, ledger.StatusReopened),
		Claimed: status(1, ledger.StatusFixed), Verified: status(2, ledger.StatusVerified), Skipped: status(1, ledger.StatusSkipped), Abandoned: status(0, ledger.StatusLeft),
		SkippedBy: byStyle(func(*ledger.ViolationFilter) {}),
		Confirmed: 2, Contradicted: 1,
		InFixLines: filtered(1, func(f *ledger.ViolationFilter) { f.InFixLines = true }),
		Iterations: []ledger.IterationStatistics{
			{Number: 1, New: filtered(5, func(f *ledger.ViolationFilter) { f.Iteration = 1 }),
				Skipped: filtered(1, func(f *ledger.ViolationFilter) {
					f.Iteration, f.Statuses = 1, []ledger.Status{ledger.StatusSkipped}
				})},
			{Number: 2, New: filtered(1, func(f *ledger.ViolationFilter) { f.Iteration = 2 }),
				Skipped: filtered(0, func(f *ledger.ViolationFilter) {
					f.Iteration, f.Statuses = 2, []ledger.Status{ledger.StatusSkipped}
				}),
				Carried: 3, Verified: 2, Reopened: 1},
		},
		Adapters: []ledger.AdapterStatistics{
			{Adapter: "claude", Runs: 2, Reports: 7, Discarded: map[ledger.Disposition]int{ledger.OutOfDiff: 1, ledger.PreviouslySkipped: 1},
				Violations: adapter("claude", 4), Confirmed: adapter("claude", 2, ledger.StatusVerified),
				SkippedBy:   byStyle(func(f *ledger.ViolationFilter) { f.Adapter = "claude" }),
				Alone:       filtered(3, func(f *ledger.ViolationFilter) { f.Adapter, f.Alone = "claude", true }),
				InputTokens: 100, OutputTokens: 20, WithTokens: 1, CostUSD: 0.5, Costed: 1},
			{Adapter: "codex", Runs: 3, Errors: 1, Skips: 1, Reports: 4, Discarded: map[ledger.Disposition]int{ledger.BelowThreshold: 2},
				Violations: adapter("codex", 2), Confirmed: adapter("codex", 0, ledger.StatusVerified),
				SkippedBy: map[ledger.SkipReason]ledger.Count{},
				Alone:     filtered(2, func(f *ledger.ViolationFilter) { f.Adapter, f.Alone = "codex", true })},
		},
		Gates: []ledger.GateStatistics{
			{EntryPoint: "src", Gate: "a", Violations: filtered(4, func(f *ledger.ViolationFilter) { f.EntryPoint, f.Gate = "src", "a" }),
				Open: filtered(0, func(f *ledger.ViolationFilter) {
					f.EntryPoint, f.Gate, f.Statuses = "src", "a", []ledger.Status{ledger.StatusNew, ledger.StatusReopened}
				})},
			{EntryPoint: "src", Gate: "b", Violations: filtered(2, func(f *ledger.ViolationFilter) { f.EntryPoint, f.Gate = "src", "b" }),
				Open: filtered(2, func(f *ledger.ViolationFilter) {
					f.EntryPoint, f.Gate, f.Statuses = "src", "b", []ledger.Status{ledger.StatusNew, ledger.StatusReopened}
				})},
		},
		Files: []ledger.FileStatistics{
			{File: "x", Violations: filtered(3, func(f *ledger.ViolationFilter) { f.File = "x" }), Runs: 2},
			{File: "y", Violations: filtered(2, func(f *ledger.ViolationFilter) { f.File = "y" }), Runs: 1},
		},
		Recurring: []ledger.Recurrence{{Fingerprint: "f1", Violations: 3, Runs: 2, Filter: func() ledger.ViolationFilter {
			f := base
			f.Fingerprint = "f1"
			return f
		}()}},
		Saved: rows.Saved,
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if cost, ok := s.Adapters[0].CostPerConfirmed(); !ok || cost != 0.25 {
		t.Errorf("cost per confirmed: %v, %v", cost, ok)
	}
	if _, ok := s.Adapters[1].CostPerConfirmed(); ok {
		t.Error("a cost of nothing confirmed")
	}
}
