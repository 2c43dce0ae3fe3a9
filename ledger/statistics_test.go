package ledger_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/ledgertest"
)

type figures = map[ledger.SlotFigure]int64

// Each figure of a report against a small ledger that was counted by hand:
// two gates, two adapters, two iterations, three runs.
func TestComputeByHand(t *testing.T) {
	t.Parallel()
	slot := func(gate, adapter string, iteration int, of figures) ledger.SlotTotals {
		return ledger.SlotTotals{EntryPoint: "src", Gate: gate, Adapter: adapter, Model: "m", Iteration: iteration, Figures: of}
	}
	violation := func(gate, adapter string, iteration int, status ledger.Status, n int) ledger.ViolationTotals {
		return ledger.ViolationTotals{EntryPoint: "src", Gate: gate, Adapter: adapter, Model: "m", Iteration: iteration, Priority: ledger.High, Status: status, Violations: n}
	}
	again := slot("a", "claude", 2, figures{ // a dispute stands too
		"answered": 1, "calls": 1, "accepted": 1, "previously_skipped": 1, "verified": 2, "reopened": 2, "contradicted": 1, "carried": 3,
	})
	first := slot("a", "claude", 1, figures{
		"answered": 1, "calls": 1, "accepted": 4, "out_of_diff": 1, "input_tokens": 100, "output_tokens": 20, "with_tokens": 1, "cost_nano": 500_000_000, "with_cost": 1,
	})
	failed := slot("a", "codex", 1, figures{"errors": 1, "interrupted": 2, "calls": 1, "repairs": 1})
	skipped := slot("b", "codex", 2, figures{"skipped": 1, "saved_tokens": 120, "saved_nano": 500_000_000})
	style := violation("a", "claude", 1, ledger.StatusSkipped, 1)
	style.Reason = "style"
	shared := violation("a", "claude", 1, ledger.StatusVerified, 1)
	shared.Shared = true
	inFix := violation("b", "codex", 2, ledger.StatusReopened, 1)
	inFix.InFixLines = true
	joined := violation("b", "codex", 1, ledger.StatusDuplicate, 1) // to what claude reported
	joined.Shared, joined.InFixLines = true, true
	start := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	rows := ledger.Rows{
		Slots: []ledger.SlotTotals{
			first, failed, skipped,
			slot("b", "codex", 1, figures{"answered": 1, "calls": 1, "accepted": 1, "below_threshold": 2}),
			again, slot("b", "codex", 2, figures{"answered": 1, "calls": 1, "accepted": 1}),
		},
		Violations: []ledger.ViolationTotals{
			style, shared, inFix, violation("a", "claude", 1, ledger.StatusVerified, 1),
			violation("a", "claude", 1, ledger.StatusFixed, 1), violation("b", "codex", 1, ledger.StatusNew, 1), joined,
		},
		Times: []ledger.TimeTotals{{Adapter: "claude", Model: "m", Took: time.Second, Slots: 9}, {Adapter: "claude", Model: "m", Took: time.Minute, Slots: 1}},
		Runs: ledgertest.CountRuns([]ledgertest.RunTotals{
			{Status: ledger.StatusPassed, Iterations: 1, Started: start, Finished: start.Add(time.Minute)},
			{Status: ledger.StatusPassedWithWarnings, Iterations: 3, Started: start, Finished: start.Add(time.Hour)},
			{Status: ledger.StatusFailed, Iterations: 2, Started: start},
		}...),
	}
	period := ledger.Period{Since: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	s := ledger.Compute(rows, ledger.StatisticsFilter{Period: period, Top: 2})
	base := ledger.ViolationFilter{Reported: period}
	filtered := func(n int, change func(*ledger.ViolationFilter)) ledger.Count {
		f := base
		change(&f)
		// A duplicate has none of the other statuses, and counts for its reviewer.
		f.NoDuplicates = len(f.Statuses) == 0 && f.Adapter == ""
		return ledger.Count{Violations: n, Filter: f}
	}
	byStyle := func(change func(*ledger.ViolationFilter)) map[ledger.SkipReason]ledger.Count {
		return map[ledger.SkipReason]ledger.Count{ledger.StyleOnly: filtered(1, func(f *ledger.ViolationFilter) {
			f.Statuses, f.Reasons = []ledger.Status{ledger.StatusSkipped}, []ledger.SkipReason{ledger.StyleOnly}
			change(f)
		})}
	}

	outcomes := func(all, open, claimed, verified, skipped int, change func(*ledger.ViolationFilter)) ledger.OutcomeStatistics {
		count := func(n int, statuses ...ledger.Status) ledger.Count {
			return filtered(n, func(f *ledger.ViolationFilter) { change(f); f.Statuses = statuses })
		}
		return ledger.OutcomeStatistics{
			Violations: count(all), Open: count(open, ledger.OpenStatuses()...), Abandoned: count(0, ledger.ShownAbandoned), Claimed: count(claimed, ledger.StatusFixed),
			Verified: count(verified, ledger.StatusVerified), Skipped: count(skipped, ledger.StatusSkipped),
			Withdrawn: count(0, ledger.StatusWithdrawn),
		}
	}
	adapter := func(name string) func(*ledger.ViolationFilter) {
		return func(f *ledger.ViolationFilter) { f.Adapter = name }
	}
	alone := func(name string, n int, statuses ...ledger.Status) ledger.Count {
		return filtered(n, func(f *ledger.ViolationFilter) { f.Adapter, f.Alone, f.Statuses = name, true, statuses })
	}
	discarded := func(name string, n int, d ledger.Disposition) ledger.Count {
		return filtered(n, func(f *ledger.ViolationFilter) { f.Adapter, f.Discards = name, []ledger.Disposition{d} })
	}
	iteration := func(number, n int, statuses ...ledger.Status) ledger.Count {
		return filtered(n, func(f *ledger.ViolationFilter) { f.Iteration, f.Statuses = number, statuses })
	}
	gate := func(name string, n int, statuses ...ledger.Status) ledger.Count {
		return filtered(n, func(f *ledger.ViolationFilter) { f.EntryPoint, f.Gate, f.Statuses = "src", name, statuses })
	}
	claude := ledger.AdapterStatistics{
		Adapter: "claude", Runs: 2, Reports: 7, OutcomeStatistics: outcomes(4, 0, 1, 2, 1, adapter("claude")),
		Discarded: map[ledger.Disposition]ledger.Count{
			ledger.OutOfDiff: discarded("claude", 1, ledger.OutOfDiff), ledger.PreviouslySkipped: discarded("claude", 1, ledger.PreviouslySkipped),
		},
		SkippedBy: byStyle(adapter("claude")), Alone: alone("claude", 3), AloneConfirmed: alone("claude", 1, ledger.StatusVerified),
		Duplicates: filtered(0, func(f *ledger.ViolationFilter) {
			f.Adapter, f.Statuses = "claude", []ledger.Status{ledger.StatusDuplicate}
		}),
		InputTokens: 100, OutputTokens: 20, WithTokens: 1, Cost: ledger.Cost{USD: 0.5, Known: 1, Calls: 2},
		Took: ledger.Durations{N: 10, P50: time.Second, P90: time.Second},
	}
	codex := ledger.AdapterStatistics{
		Adapter: "codex", Runs: 3, Repairs: 1, Errors: 1, Interrupted: 2, Skips: 1, Reports: 4, OutcomeStatistics: outcomes(3, 2, 0, 0, 0, adapter("codex")),
		Discarded: map[ledger.Disposition]ledger.Count{ledger.BelowThreshold: discarded("codex", 2, ledger.BelowThreshold)},
		SkippedBy: map[ledger.SkipReason]ledger.Count{}, Alone: alone("codex", 2), AloneConfirmed: alone("codex", 0, ledger.StatusVerified),
		Duplicates: filtered(1, func(f *ledger.ViolationFilter) {
			f.Adapter, f.Statuses = "codex", []ledger.Status{ledger.StatusDuplicate}
		}),
		Cost: ledger.Cost{Calls: 3},
	}
	want := ledger.Statistics{
		Filter: ledger.StatisticsFilter{Period: period, Top: 2},
		Runs:   3, Passed: 2, IterationsToPass: map[int]int{1: 1, 3: 1}, TimeToPass: ledger.Durations{N: 2, P50: time.Minute, P90: time.Hour},
		OutcomeStatistics: outcomes(6, 2, 1, 2, 1, func(*ledger.ViolationFilter) {}),
		SkippedBy:         byStyle(func(*ledger.ViolationFilter) {}),
		Confirmed:         2, Contradicted: 1, Cost: ledger.Cost{USD: 0.5, Known: 1, Calls: 5},
		InFixLines: filtered(1, func(f *ledger.ViolationFilter) { f.InFixLines = true }),
		Iterations: []ledger.IterationStatistics{
			{Number: 1, New: iteration(1, 5), Skipped: iteration(1, 1, ledger.StatusSkipped)},
			{Number: 2, New: iteration(2, 1), Skipped: iteration(2, 0, ledger.StatusSkipped), Carried: 3, Verified: 2, Reopened: 2},
		},
		Adapters: []ledger.AdapterStatistics{claude, codex},
		Gates: []ledger.GateStatistics{
			{EntryPoint: "src", Gate: "a", Violations: gate("a", 4), Open: gate("a", 0, ledger.OpenStatuses()...)},
			{EntryPoint: "src", Gate: "b", Violations: gate("b", 2), Open: gate("b", 2, ledger.OpenStatuses()...)},
		},
		Priorities: []ledger.PriorityStatistics{{Priority: ledger.High, OutcomeStatistics: outcomes(6, 2, 1, 2, 1, func(f *ledger.ViolationFilter) {
			f.Priorities = []ledger.Priority{ledger.High}
		})}},
		Saved: ledger.Saved{Slots: 1, Tokens: 120, CostUSD: 0.5},
	}
	if len(s.Models) != 1 || s.Models[0].Model != "m" || s.Models[0].Violations.Violations != 7 || s.Models[0].Violations.Filter.Model != "m" {
		t.Errorf("models: %+v", s.Models)
	}
	s.Models = nil
	if diff := cmp.Diff(want, s, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if cost, ok := s.Adapters[0].CostPerConfirmed(); !ok || cost != 0.25 {
		t.Errorf("cost per confirmed: %v, %v", cost, ok)
	}
	if _, ok := s.Adapters[1].CostPerConfirmed(); ok {
		t.Error("a cost of nothing confirmed")
	}
	if p, r := s.Adapters[0].Precision(), s.Adapters[1].ErrorRate(); p != (ledger.Share{Part: 2, Whole: 3}) || r != (ledger.Share{Part: 1, Whole: 3}) {
		t.Errorf("precision %v, error rate %v", p, r)
	}
	skips := map[ledger.SkipReason]ledger.Count{}
	for _, reason := range append(ledger.SkipReasons(), ledger.NoReason) {
		skips[reason] = ledger.Count{Violations: 1}
	}
	answered := ledger.AdapterStatistics{SkippedBy: skips}
	answered.Verified.Violations, answered.Skipped.Violations = 3, len(skips)
	if p := answered.Precision(); p != (ledger.Share{Part: 3, Whole: 6}) {
		t.Errorf("precision %v; false_positive, style and no reason count against it, and nothing else does", p)
	}
}

// A skip without a reason is counted as such, and has a filter of its own.
func TestSkipsWithoutAReason(t *testing.T) {
	t.Parallel()
	skip := func(reason string) ledger.ViolationTotals {
		return ledger.ViolationTotals{Adapter: "claude", Iteration: 1, Priority: ledger.High, Status: ledger.StatusSkipped, Reason: reason, Violations: 1}
	}
	rows := ledger.Rows{Violations: []ledger.ViolationTotals{skip(""), skip("style"), skip("")}}
	got := ledger.Compute(rows, ledger.StatisticsFilter{}).SkippedBy
	for reason, n := range map[ledger.SkipReason]int{ledger.NoReason: 2, ledger.StyleOnly: 1} {
		want := ledger.Count{Violations: n, Filter: ledger.ViolationFilter{
			Statuses: []ledger.Status{ledger.StatusSkipped}, Reasons: []ledger.SkipReason{reason},
		}}
		if diff := cmp.Diff(want, got[reason]); diff != "" || len(got) != 2 {
			t.Errorf("%s of %d (-want +got):\n%s", reason, len(got), diff)
		}
	}
}

// The interval of a share, as in Wilson's paper and tables.
func TestIntervalOfShare(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		share     ledger.Share
		low, high float64
	}{{ledger.Share{Part: 0, Whole: 10}, 0, 0.2775}, {ledger.Share{Part: 10, Whole: 10}, 0.7225, 1}, {ledger.Share{Part: 81, Whole: 263}, 0.2553, 0.3662}} {
		low, high, ok := test.share.Interval()
		if !ok || math.Abs(low-test.low) > 1e-4 || math.Abs(high-test.high) > 1e-4 {
			t.Errorf("%v: %.4f to %.4f, not %.4f to %.4f", test.share, low, high, test.low, test.high)
		}
	}
	if _, _, ok := (ledger.Share{}).Interval(); ok {
		t.Error("an interval of nothing")
	}
}

// A period is divided into whole months and days and its edges, without gaps.
func TestBucketsOfPeriod(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time {
		if text == "" {
			return time.Time{}
		}
		when, err := time.Parse("2006-01-02 15:04", text)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	for _, test := range []struct {
		since, until string
		buckets      []string
		edges        [][2]string
	}{
		{"", "", []string{""}, nil},
		{"2026-01-30 00:00", "2026-03-02 00:00", []string{"2026-01-30", "2026-01-31", "2026-02", "2026-03-01"}, nil},
		{"2026-01-30 12:00", "2026-02-02 06:00", []string{"2026-01-31", "2026-02-01"}, [][2]string{{"2026-01-30 12:00", "2026-01-31 00:00"}, {"2026-02-02 00:00", "2026-02-02 06:00"}}},
		{"2026-01-30 12:00", "2026-01-30 13:00", nil, [][2]string{{"2026-01-30 12:00", "2026-01-30 13:00"}}},
		{"2026-01-30 00:00", "2026-01-30 13:00", nil, [][2]string{{"2026-01-30 00:00", "2026-01-30 13:00"}}},
		{"", "2026-01-02 00:00", []string{"2025-12-31", "2026-01-01"}, nil},
		{"2026-03-30 00:00", "", []string{"2026-03-30", "2026-03-31", "2026-04-01"}, nil},
		{"2026-03-30 00:00", "2026-05-09 00:00", []string{"2026-03-30", "2026-03-31", "2026-04-01"}, nil},
	} {
		p := ledger.Period{Since: at(test.since), Until: at(test.until)}
		buckets, edges := p.Buckets(at("2025-12-31 05:00"), at("2026-04-01 05:00"))
		var pairs [][2]string
		for _, e := range edges {
			pairs = append(pairs, [2]string{e.Since.Format("2006-01-02 15:04"), e.Until.Format("2006-01-02 15:04")})
		}
		if diff := cmp.Diff(test.buckets, buckets) + cmp.Diff(test.edges, pairs); diff != "" {
			t.Errorf("%q to %q (-want +got):\n%s", test.since, test.until, diff)
		}
	}
}

// Weeks have no gaps and begin on Monday, and partial ones are marked.
func TestWeeksOfPeriod(t *testing.T) {
	t.Parallel()
	monday := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	now := monday.AddDate(0, 0, 17)
	rows := ledger.Rows{Now: now, Weeks: ledger.PeriodRows{
		First:  monday.Add(50 * time.Hour),
		Events: map[time.Time]map[ledger.Status]int{monday.AddDate(0, 0, 14): {ledger.StatusFixed: 2}},
	}}
	s := ledger.Compute(rows, ledger.StatisticsFilter{Period: ledger.Period{Since: monday.Add(time.Hour)}})
	var got []string
	for _, w := range s.Weeks {
		got = append(got, fmt.Sprint(w.Start.Format(time.DateOnly), " ", w.Partial, " ", w.Claimed.Violations, " ", w.Claimed.Filter.Events.At.Since.Format("01-02 15h")))
	}
	if diff := cmp.Diff([]string{"2026-03-02 true 0 03-02 01h", "2026-03-09 false 0 03-09 00h", "2026-03-16 true 2 03-16 00h"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Durations keep three digits.
func TestThreeDigits(t *testing.T) {
	t.Parallel()
	for ms, want := range map[int]int{0: 0, 999: 999, 1004: 1000, 1005: 1010, 12345: 12300, 123456: 123000, 1234567: 1230000, 12345678: 12350000} {
		if got := ledger.ThreeDigits(time.Duration(ms) * time.Millisecond).Milliseconds(); got != int64(want) {
			t.Errorf("%d ms: %d, not %d", ms, got, want)
		}
	}
}

// A check is flaky on a tree if a later execution had another outcome than the first. Each tree
// counts once, the newest first.
func TestAddFlaky(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	const pass, fail = ledger.GatePassed, ledger.GateFailed
	of := func(job, tree, branch string, hour int, status ledger.GateStatus) ledger.TreeOutcome {
		return ledger.TreeOutcome{Job: job, Tree: tree, Branch: branch, CheckExecution: ledger.CheckExecution{Run: branch, Status: status, At: at.Add(time.Duration(hour) * time.Hour)}}
	}
	rows := ledger.Rows{CheckDetails: map[string]ledger.CheckStatistics{"a": {Command: "make"}}}
	rows.AddFlaky([]ledger.TreeOutcome{
		of("a", "1", "x", 1, fail), of("a", "1", "y", 2, fail), of("a", "1", "z", 3, pass), of("a", "1", "w", 4, fail), of("a", "1", "w", 5, pass),
		of("a", "2", "x", 6, pass), of("a", "2", "x", 7, pass),
		of("a", "3", "x", 6, pass), of("a", "3", "v", 8, fail),
		of("b", "3", "x", 9, pass), of("b", "4", "x", 9, fail), of("c", "4", "x", 9, pass),
	})
	want := []ledger.FlakyCheck{
		{Job: "a", Tree: "3", Branch: "v", First: of("", "", "x", 6, pass).CheckExecution, Then: of("", "", "v", 8, fail).CheckExecution},
		{Job: "a", Tree: "1", Branch: "z", First: of("", "", "x", 1, fail).CheckExecution, Then: of("", "", "z", 3, pass).CheckExecution},
	}
	if diff := cmp.Diff(want, rows.Flaky); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]ledger.CheckStatistics{"a": {Command: "make", Flaky: 2}}, rows.CheckDetails); diff != "" {
		t.Errorf("details (-want +got):\n%s", diff)
	}
}

// Whatever the order of the rows, the sums and the lists are the same.
func TestComputeInAnyOrder(t *testing.T) {
	t.Parallel()
	slot := func(change func(*ledger.SlotTotals)) ledger.SlotTotals {
		t := ledger.SlotTotals{EntryPoint: "b", Gate: "b", Adapter: "b", Model: "b", Iteration: 2, Figures: figures{"answered": 1, "input_tokens": 7, "with_tokens": 1, "calls": 1, "with_cost": 1}}
		change(&t)
		return t
	}
	violation := func(iteration int, adapter string, p ledger.Priority) ledger.ViolationTotals {
		return ledger.ViolationTotals{EntryPoint: "b", Gate: "b", Adapter: adapter, Model: adapter, Iteration: iteration, Priority: p, Status: ledger.StatusNew, Violations: iteration}
	}
	violations := []ledger.ViolationTotals{violation(3, "a", ledger.Low), violation(1, "c", ledger.Critical), violation(2, "b", ledger.Medium)}
	for name, differ := range map[string]func(*ledger.SlotTotals, int){
		"entry point": func(t *ledger.SlotTotals, n int) { t.EntryPoint = string(rune('a' + n)) },
		"gate":        func(t *ledger.SlotTotals, n int) { t.Gate = string(rune('a' + n)) },
		"adapter":     func(t *ledger.SlotTotals, n int) { t.Adapter = string(rune('a' + n)) },
		"model":       func(t *ledger.SlotTotals, n int) { t.Model = string(rune('a' + n)) },
		"iteration":   func(t *ledger.SlotTotals, n int) { t.Iteration = 1 + n },
	} {
		var first ledger.Statistics
		for i, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			var rows ledger.Rows
			for _, n := range order {
				rows.Slots = append(rows.Slots, slot(func(t *ledger.SlotTotals) {
					differ(t, n)
					t.Figures["cost_nano"] = int64(1+n) * 100_000_000
				}))
				rows.Violations = append(rows.Violations, violations[n])
			}
			s := ledger.Compute(rows, ledger.StatisticsFilter{})
			if i == 0 {
				first = s
			} else if d := cmp.Diff(first, s); d != "" {
				t.Errorf("slots that differ in their %s, in the order %v (-first +got):\n%s", name, order, d)
			}
		}
		var sorted string
		for n := range first.Iterations {
			sorted += fmt.Sprint(first.Iterations[n].Number)
		}
		for n := range first.Adapters {
			sorted += " " + first.Adapters[n].Adapter + first.Models[n].Model
		}
		for n := range first.Priorities {
			sorted += " " + string(first.Priorities[n].Priority)
		}
		if sorted != "123 aa bb cc critical medium low" {
			t.Errorf("by %s: %s", name, sorted)
		}
		runs, tokens := 0, int64(0)
		for _, m := range first.Models {
			runs, tokens = runs+m.Runs, tokens+m.InputTokens
		}
		if runs != 3 || tokens != 21 {
			t.Errorf("by %s: the models have %d runs and %d tokens", name, runs, tokens)
		}
	}
}

// Accepted reports that are not of new violations repeat what was reported before. The number is
// never negative, not even in a period that begins between the reports.
func TestRepeats(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reports, violations, takenUp, outOfDiff, malformed, want, dropped int }{
		{9, 4, 0, 2, 1, 2, 3}, {7, 4, 0, 2, 1, 0, 3}, {3, 4, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 0, 0},
		{3, 2, 1, 2, 0, 0, 1}, // one of the discarded reports was taken up,
		{3, 2, 1, 1, 0, 1, 0}, // and reported again
		{1, 1, 1, 0, 0, 0, 0}, // in the period after the one in which it was discarded
	} {
		a := ledger.AdapterStatistics{Reports: tt.reports, TakenUp: tt.takenUp, Discarded: map[ledger.Disposition]ledger.Count{
			ledger.OutOfDiff: {Violations: tt.outOfDiff}, ledger.Malformed: {Violations: tt.malformed},
		}}
		a.Violations.Violations = tt.violations
		if a.Repeats() != tt.want || a.Dropped() != tt.dropped {
			t.Errorf("%+v: %d, %d dropped", tt, a.Repeats(), a.Dropped())
		}
	}
}

// The cost of a confirmed violation is known only if there is one, and a cost.
func TestCostPerConfirmed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		verified, known int
		usd, want       float64
		ok              bool
	}{{0, 0, 0, 0, false}, {0, 2, 6, 0, false}, {2, 0, 0, 0, false}, {2, 1, 6, 3, true}, {3, 1, 0, 0, true}} {
		a := ledger.AdapterStatistics{Cost: ledger.Cost{USD: test.usd, Known: test.known}}
		a.Verified.Violations = test.verified
		if got, ok := a.CostPerConfirmed(); got != test.want || ok != test.ok {
			t.Errorf("%+v: %v, %v", test, got, ok)
		}
	}
}
