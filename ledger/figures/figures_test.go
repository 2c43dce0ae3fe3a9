package figures_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// compute counts violations and slots, in any order.
func compute(f figures.Filter, reported []figures.Reported, slots ...figures.Slots) figures.Statistics {
	s := figures.New(f)
	s.AddReported(reported)
	s.AddSlots(slots)
	s.Sort()
	return s
}

// Each figure that is counted from violations and slots, against a small ledger that was counted by hand:
// two gates, two adapters, two iterations.
func TestCountByHand(t *testing.T) {
	t.Parallel()
	slot := func(gate, adapter string, iteration int64, of figures.Slots) figures.Slots {
		of.EntryPoint, of.Gate, of.Adapter, of.Model, of.Iteration = "src", gate, adapter, "m", iteration
		return of
	}
	violation := func(gate, adapter string, iteration int64, status ledger.Status, n int64) figures.Reported {
		return figures.Reported{EntryPoint: "src", Gate: gate, Adapter: adapter, Model: "m", Iteration: iteration, Priority: "high", Status: string(status), Violations: n}
	}
	style := violation("a", "claude", 1, ledger.StatusSkipped, 1)
	style.Reason = "style"
	shared := violation("a", "claude", 1, ledger.StatusVerified, 1)
	shared.Shared = 1
	inFix := violation("b", "codex", 2, ledger.StatusReopened, 1)
	inFix.InFixLines = 1
	joined := violation("b", "codex", 1, ledger.StatusDuplicate, 1) // to what claude reported
	joined.Shared, joined.InFixLines = 1, 1
	slots := []figures.Slots{
		slot("a", "claude", 2, figures.Slots{Answered: 1, Cost: ledger.Cost{Calls: 1}, Accepted: 1, PreviouslySkipped: 1, Verified: 2, Reopened: 2, Contradicted: 1, Carried: 3}), // a dispute stands too
		slot("a", "claude", 1, figures.Slots{Answered: 1, Accepted: 4, OutOfDiff: 1, InputTokens: 100, OutputTokens: 20, WithTokens: 1, Cost: ledger.Cost{USD: 0.5, Known: 1, Calls: 1}}),
		slot("a", "codex", 1, figures.Slots{Errors: 1, Interrupted: 2, Cost: ledger.Cost{Calls: 1}, Repairs: 1}), slot("b", "codex", 2, figures.Slots{Skipped: 1, SavedTokens: 120, SavedUSD: 0.5}),
		slot("b", "codex", 1, figures.Slots{Answered: 1, Cost: ledger.Cost{Calls: 1}, Accepted: 1, BelowThreshold: 2}), slot("b", "codex", 2, figures.Slots{Answered: 1, Cost: ledger.Cost{Calls: 1}, Accepted: 1}),
	}
	reported := []figures.Reported{
		style, shared, inFix, violation("a", "claude", 1, ledger.StatusVerified, 1),
		violation("a", "claude", 1, ledger.StatusFixed, 1), violation("b", "codex", 1, ledger.StatusNew, 1), joined,
	}
	period := ledger.Period{Since: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	s := compute(figures.Filter{Period: period, Top: 2}, reported, slots...)
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

	outcomes := func(all, open, claimed, verified, skipped int, change func(*ledger.ViolationFilter)) figures.Outcomes {
		count := func(n int, statuses ...ledger.Status) ledger.Count {
			return filtered(n, func(f *ledger.ViolationFilter) { change(f); f.Statuses = statuses })
		}
		return figures.Outcomes{
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
	claude := figures.Reviewer{
		Adapter: "claude", Runs: 2, Reports: 7, Outcomes: outcomes(4, 0, 1, 2, 1, adapter("claude")),
		Discarded: map[ledger.Disposition]ledger.Count{
			ledger.OutOfDiff: discarded("claude", 1, ledger.OutOfDiff), ledger.PreviouslySkipped: discarded("claude", 1, ledger.PreviouslySkipped),
		},
		SkippedBy: byStyle(adapter("claude")), Alone: alone("claude", 3), AloneConfirmed: alone("claude", 1, ledger.StatusVerified),
		Duplicates: filtered(0, func(f *ledger.ViolationFilter) {
			f.Adapter, f.Statuses = "claude", []ledger.Status{ledger.StatusDuplicate}
		}),
		InputTokens: 100, OutputTokens: 20, WithTokens: 1, Cost: ledger.Cost{USD: 0.5, Known: 1, Calls: 2},
	}
	codex := figures.Reviewer{
		Adapter: "codex", Runs: 3, Repairs: 1, Errors: 1, Interrupted: 2, Skips: 1, Reports: 4, Outcomes: outcomes(3, 2, 0, 0, 0, adapter("codex")),
		Discarded: map[ledger.Disposition]ledger.Count{ledger.BelowThreshold: discarded("codex", 2, ledger.BelowThreshold)},
		SkippedBy: map[ledger.SkipReason]ledger.Count{}, Alone: alone("codex", 2), AloneConfirmed: alone("codex", 0, ledger.StatusVerified),
		Duplicates: filtered(1, func(f *ledger.ViolationFilter) {
			f.Adapter, f.Statuses = "codex", []ledger.Status{ledger.StatusDuplicate}
		}),
		Cost: ledger.Cost{Calls: 3},
	}
	want := figures.Statistics{
		Filter:    figures.Filter{Period: period, Top: 2},
		Outcomes:  outcomes(6, 2, 1, 2, 1, func(*ledger.ViolationFilter) {}),
		SkippedBy: byStyle(func(*ledger.ViolationFilter) {}),
		Confirmed: 2, Contradicted: 1, Cost: ledger.Cost{USD: 0.5, Known: 1, Calls: 5},
		InFixLines: filtered(1, func(f *ledger.ViolationFilter) { f.InFixLines = true }),
		Iterations: []figures.Iteration{
			{Number: 1, New: iteration(1, 5), Skipped: iteration(1, 1, ledger.StatusSkipped)},
			{Number: 2, New: iteration(2, 1), Skipped: iteration(2, 0, ledger.StatusSkipped), Carried: 3, Verified: 2, Reopened: 2},
		},
		Adapters: []figures.Reviewer{claude, codex},
		Gates: []figures.Gate{
			{EntryPoint: "src", Gate: "a", Violations: gate("a", 4), Open: gate("a", 0, ledger.OpenStatuses()...)},
			{EntryPoint: "src", Gate: "b", Violations: gate("b", 2), Open: gate("b", 2, ledger.OpenStatuses()...)},
		},
		Priorities: []figures.Priority{{Priority: ledger.High, Outcomes: outcomes(6, 2, 1, 2, 1, func(f *ledger.ViolationFilter) {
			f.Priorities = []ledger.Priority{ledger.High}
		})}},
		Saved: figures.Saved{Slots: 1, Tokens: 120, CostUSD: 0.5},
	}
	if len(s.Models) != 1 || s.Models[0].Model != "m" || s.Models[0].Violations.Violations != 7 || s.Models[0].Violations.Filter.Model != "m" {
		t.Errorf("models: %+v", s.Models)
	}
	s.Models = nil
	if diff := cmp.Diff(want, s, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	slices.Reverse(reported)
	slices.Reverse(slots)
	reversed := compute(figures.Filter{Period: period, Top: 2}, reported, slots...)
	reversed.Models = nil
	if diff := cmp.Diff(s, reversed); diff != "" {
		t.Errorf("in another order (-first +got):\n%s", diff)
	}
	if cost, ok := s.Adapters[0].CostPerConfirmed(); !ok || cost != 0.25 {
		t.Errorf("cost per confirmed: %v, %v", cost, ok)
	}
	if _, ok := s.Adapters[1].CostPerConfirmed(); ok {
		t.Error("a cost of nothing confirmed")
	}
	if p, r := s.Adapters[0].Precision(), s.Adapters[1].ErrorRate(); p != (figures.Share{Part: 2, Whole: 3}) || r != (figures.Share{Part: 1, Whole: 3}) {
		t.Errorf("precision %v, error rate %v", p, r)
	}
	skips := map[ledger.SkipReason]ledger.Count{}
	for _, reason := range append(ledger.SkipReasons(), ledger.NoReason) {
		skips[reason] = ledger.Count{Violations: 1}
	}
	answered := figures.Reviewer{SkippedBy: skips}
	answered.Verified.Violations, answered.Skipped.Violations = 3, len(skips)
	if p := answered.Precision(); p != (figures.Share{Part: 3, Whole: 6}) {
		t.Errorf("precision %v; false_positive, style and no reason count against it, and nothing else does", p)
	}
}

// A skip without a reason is counted as such, and has a filter of its own.
func TestSkipsWithoutAReason(t *testing.T) {
	t.Parallel()
	skip := func(reason string) figures.Reported {
		return figures.Reported{Adapter: "claude", Iteration: 1, Priority: "high", Status: "skipped", Reason: reason, Violations: 1}
	}
	got := compute(figures.Filter{}, []figures.Reported{skip(""), skip("style"), skip("")}).SkippedBy
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
		share     figures.Share
		low, high float64
	}{{figures.Share{Part: 0, Whole: 10}, 0, 0.2775}, {figures.Share{Part: 10, Whole: 10}, 0.7225, 1}, {figures.Share{Part: 81, Whole: 263}, 0.2553, 0.3662}} {
		low, high, ok := test.share.Interval()
		if !ok || math.Abs(low-test.low) > 1e-4 || math.Abs(high-test.high) > 1e-4 {
			t.Errorf("%v: %.4f to %.4f, not %.4f to %.4f", test.share, low, high, test.low, test.high)
		}
	}
	if _, _, ok := (figures.Share{}).Interval(); ok {
		t.Error("an interval of nothing")
	}
}

// Weeks have no gaps and begin on Monday, and partial ones are marked. What is outside of them is not
// counted.
func TestWeeksOfPeriod(t *testing.T) {
	t.Parallel()
	monday := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	now, number := monday.AddDate(0, 0, 17), int64(2930)
	if !figures.StartOf(number).Equal(monday) || !figures.WeekOf(monday.Add(150*time.Hour)).Equal(monday) || figures.WeeksBetween(monday, number+3) != 3 {
		t.Fatalf("week %d begins on %v", number, figures.StartOf(number))
	}
	s := figures.New(figures.Filter{Period: ledger.Period{Since: monday.Add(time.Hour)}})
	s.BeginWeeks(monday.Add(50*time.Hour), now)
	s.Week(number+2).AddEvents(ledger.StatusFixed, 2)
	s.Week(number+2).AddRuns(ledger.StatusPassedWithWarnings, 3)
	s.Week(number+2).AddRuns(ledger.StatusFailed, 1)
	for _, outside := range []int64{number - 1, number + 3} {
		s.Week(outside).AddEvents(ledger.StatusFixed, 9)
		s.Week(outside).AddRuns(ledger.StatusPassed, 9)
	}
	var got []string
	for _, w := range s.Weeks {
		got = append(got, fmt.Sprint(w.Start.Format(time.DateOnly), " ", w.Partial, " ", w.Claimed.Violations, " ", w.Claimed.Filter.Events.At.Since.Format("01-02 15h"), " ", w.Passed, "/", w.Runs, " ", w.RunsBy))
	}
	if diff := cmp.Diff([]string{"2026-03-02 true 0 03-02 01h 0/0 map[]", "2026-03-09 false 0 03-09 00h 0/0 map[]", "2026-03-16 true 2 03-16 00h 3/4 map[failed:1 passed_with_warnings:3]"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	none := figures.New(figures.Filter{})
	none.BeginWeeks(time.Time{}, now)
	none.Week(number).AddEvents(ledger.StatusNew, 1)
	if none.Weeks != nil {
		t.Errorf("of an empty ledger: %v", none.Weeks)
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
		a := figures.Reviewer{Reports: tt.reports, TakenUp: tt.takenUp, Discarded: map[ledger.Disposition]ledger.Count{
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
		a := figures.Reviewer{Cost: ledger.Cost{USD: test.usd, Known: test.known}}
		a.Verified.Violations = test.verified
		if got, ok := a.CostPerConfirmed(); got != test.want || ok != test.ok {
			t.Errorf("%+v: %v, %v", test, got, ok)
		}
	}
}

// The last week is the one in which the period ends, if the period has ended.
func TestFirstShownWeek(t *testing.T) {
	t.Parallel()
	monday := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for until, first := range map[time.Time]string{
		{}: "2025-12-15", monday.AddDate(0, 1, 0): "2025-12-15", monday.Add(time.Hour): "2025-12-15", monday: "2025-12-08",
	} {
		f := figures.Filter{Period: ledger.Period{Until: until}}
		if got := f.FirstShownWeek(monday.Add(50 * time.Hour)).Format(time.DateOnly); got != first {
			t.Errorf("of a period that ends at %v: %s, want %s", until, got, first)
		}
	}
}

// The newest verdicts are listed, and all are counted by week without gaps. Weeks that the period
// or the current time cuts are partial.
func TestVerdictsOfReport(t *testing.T) {
	t.Parallel()
	monday := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	verdict := func(id string, after time.Duration, word ledger.VerdictWord, blockers, lows int) figures.Verdict {
		return figures.Verdict{Run: id, At: monday.Add(after), Verdict: word, Findings: map[ledger.Priority]int{ledger.Critical: blockers, ledger.Low: lows}}
	}
	const week = 7 * 24 * time.Hour
	now := monday.Add(2*week + time.Hour)
	all := []figures.Verdict{
		verdict("new", 2*week, ledger.VerdictAbort, 1, 0), verdict("old", time.Hour, ledger.VerdictFail, 2, 1), verdict("older", 0, ledger.VerdictFail, 1, 1), verdict("oldest", 0, ledger.VerdictPass, 0, 0),
	}
	of := func(f figures.Filter, list []figures.Verdict) figures.Statistics {
		s := figures.New(f)
		s.AddVerdicts(list, now)
		return s
	}
	s := of(figures.Filter{Top: 2}, all)
	if len(s.Verdicts) != 2 || s.Verdicts[0].Run != "new" || s.Verdicts[1].Run != "old" {
		t.Errorf("the newest two: %+v", s.Verdicts)
	}
	var got []string
	for _, w := range s.VerdictWeeks {
		got = append(got, fmt.Sprint(w.Start.Format(time.DateOnly), " ", w.Partial, " ", w.By, " ", w.Findings))
	}
	want := []string{"2026-03-02 false map[FAIL:2 PASS:1] map[critical:3 low:2]", "2026-03-09 false map[] map[]", "2026-03-16 true map[ABORT:1] map[critical:1 low:0]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("weeks (-want +got):\n%s", diff)
	}
	cut := of(figures.Filter{Period: ledger.Period{Since: monday.Add(week + time.Hour)}}, all).VerdictWeeks
	if len(cut) != 2 || !cut[0].Partial || !cut[0].Start.Equal(monday.Add(week)) {
		t.Errorf("a period that begins in a week: %+v", cut)
	}
	if none := of(figures.Filter{}, nil); none.VerdictWeeks != nil || len(none.Verdicts) != 0 {
		t.Errorf("of no verdict: %+v", none)
	}
}

// Filters list exactly what files and their lines count: the file by its name, not as a pattern,
// and in one repository if there are several.
func TestFiltersOfFiles(t *testing.T) {
	t.Parallel()
	f := figures.Filter{Gate: "security"}
	for _, repository := range []string{"", "host/a"} {
		base := ledger.ViolationFilter{Gate: "security", Repository: repository, NoDuplicates: true}
		of := f.FileOf("a[1].go", repository)
		file := base
		file.File = ledger.EscapePattern("a[1].go")
		again, inFix := file, file
		again.Events.Statuses, inFix.InFixLines = []ledger.Status{ledger.StatusReopened}, true
		line := base
		line.Fingerprint = "f1"
		want := []ledger.ViolationFilter{file, again, inFix, line}
		got := []ledger.ViolationFilter{
			of.Violations.Filter, of.Reopened.Filter, of.InFixLines.Filter, f.RecurrenceOf("f1", repository, 2, 2, 0).Violations.Filter,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("in %q (-want +got):\n%s", repository, diff)
		}
	}
}

// Gates with the most violations come first.
func TestGatesOfReport(t *testing.T) {
	t.Parallel()
	of := func(entry, gate string, n int64, status ledger.Status) figures.Reported {
		return figures.Reported{EntryPoint: entry, Gate: gate, Iteration: 1, Priority: "high", Status: string(status), Violations: n}
	}
	reported := []figures.Reported{
		of("src", "b", 1, ledger.StatusNew), of("src", "a", 1, ledger.StatusSkipped), of("lib", "z", 1, ledger.StatusReopened), of("src", "most", 2, ledger.StatusFixed), of("src", "most", 1, ledger.StatusNew),
	}
	for limit, want := range map[int][]string{0: {"src most 3, 1 open", "lib z 1, 1 open", "src a 1, 0 open", "src b 1, 1 open"}, 2: {"src most 3, 1 open", "lib z 1, 1 open"}} {
		var got []string
		for _, g := range compute(figures.Filter{Top: limit}, reported).Gates {
			got = append(got, fmt.Sprintf("%s %s %d, %d open", g.EntryPoint, g.Gate, g.Violations.Violations, g.Open.Violations))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("at most %d (-want +got):\n%s", limit, diff)
		}
	}
}
