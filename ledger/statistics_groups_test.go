package ledger_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/ledgertest"
)

// Checks that fail most often come first. A duration counts as often as it was measured.
func TestChecksOfReport(t *testing.T) {
	t.Parallel()
	check := func(job string, passed bool, took time.Duration, n int) ledger.CheckTotals {
		return ledger.CheckTotals{Job: job, EntryPoint: "src", Check: job + "-check", Passed: passed, Took: took, Executions: n}
	}
	rows := ledger.Rows{
		Checks: []ledger.CheckTotals{
			check("a", true, time.Second, 3), check("b", false, time.Minute, 1), check("b", true, time.Second, 1),
			check("c", false, time.Second, 2), check("d", false, time.Second, 1), check("b", false, time.Hour, 1),
		},
		CheckDetails: map[string]ledger.CheckStatistics{"b": {Command: "make b"}},
	}
	for limit, want := range map[int][]string{
		0: {`b src b-check "make b" 2/3 {3 1m0s 1h0m0s}`, `c src c-check "" 2/2 {2 1s 1s}`, `d src d-check "" 1/1 {1 1s 1s}`, `a src a-check "" 0/3 {3 1s 1s}`},
		1: {`b src b-check "make b" 2/3 {3 1m0s 1h0m0s}`},
	} {
		var got []string
		for _, c := range ledger.Compute(rows, ledger.StatisticsFilter{Top: limit}).Checks {
			got = append(got, fmt.Sprintf("%s %s %s %q %d/%d %v", c.Job, c.EntryPoint, c.Check, c.Command, c.Failures, c.Executions, c.Took))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("at most %d (-want +got):\n%s", limit, diff)
		}
	}
}

// Each check has its last twelve weeks, with what was measured in each of them.
func TestWeeksOfCheck(t *testing.T) {
	t.Parallel()
	monday := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	in := func(week int, job string, passed bool, took time.Duration, n int) ledger.CheckTotals {
		return ledger.CheckTotals{Start: monday.AddDate(0, 0, 7*week), Job: job, Passed: passed, Took: took, Executions: n}
	}
	rows := ledger.Rows{
		Now:    monday.Add(50 * time.Hour),
		Checks: []ledger.CheckTotals{{Job: "a", Executions: 8}, {Job: "b", Executions: 1}},
		CheckWeeks: []ledger.CheckTotals{
			in(0, "a", true, time.Second, 2), in(0, "a", false, time.Minute, 1), in(0, "b", false, time.Hour, 1),
			in(-11, "a", false, time.Second, 1), in(-12, "a", true, time.Second, 4),
		},
	}
	got := map[string][]string{}
	for _, c := range ledger.Compute(rows, ledger.StatisticsFilter{}).Checks {
		if len(c.Weeks) != ledger.ShownWeeks {
			t.Errorf("%s has %d weeks", c.Job, len(c.Weeks))
		}
		for _, w := range c.Weeks {
			if w.Executions > 0 {
				got[c.Job] = append(got[c.Job], fmt.Sprintf("%s: %d/%d %v", w.Start.Format(time.DateOnly), w.Failures, w.Executions, w.Took))
			}
		}
	}
	want := map[string][]string{
		"a": {"2025-12-15: 1/1 {1 1s 1s}", "2026-03-02: 1/3 {3 1s 1m0s}"},
		"b": {"2026-03-02: 1/1 {1 1h0m0s 1h0m0s}"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The last week is the one in which the period ends, if the period has ended.
func TestFirstShownWeek(t *testing.T) {
	t.Parallel()
	monday := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for until, first := range map[time.Time]string{
		{}: "2025-12-15", monday.AddDate(0, 1, 0): "2025-12-15", monday.Add(time.Hour): "2025-12-15", monday: "2025-12-08",
	} {
		f := ledger.StatisticsFilter{Period: ledger.Period{Until: until}}
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
	verdict := func(id string, after time.Duration, word ledger.VerdictWord, blockers, lows int) ledger.ListedVerdict {
		return ledger.ListedVerdict{Run: id, At: monday.Add(after), Verdict: word, Findings: map[ledger.Priority]int{ledger.Critical: blockers, ledger.Low: lows}}
	}
	const week = 7 * 24 * time.Hour
	rows := ledger.Rows{Now: monday.Add(2*week + time.Hour), Verdicts: []ledger.ListedVerdict{
		verdict("new", 2*week, ledger.VerdictAbort, 1, 0), verdict("old", time.Hour, ledger.VerdictFail, 2, 1), verdict("older", 0, ledger.VerdictFail, 1, 1), verdict("oldest", 0, ledger.VerdictPass, 0, 0),
	}}
	s := ledger.Compute(rows, ledger.StatisticsFilter{Top: 2})
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
	cut := ledger.Compute(rows, ledger.StatisticsFilter{Period: ledger.Period{Since: monday.Add(week + time.Hour)}}).VerdictWeeks
	if len(cut) != 2 || !cut[0].Partial || !cut[0].Start.Equal(monday.Add(week)) {
		t.Errorf("a period that begins in a week: %+v", cut)
	}
	if none := ledger.Compute(ledger.Rows{Now: rows.Now}, ledger.StatisticsFilter{}); none.VerdictWeeks != nil || len(none.Verdicts) != 0 {
		t.Errorf("of no verdict: %+v", none)
	}
}

// Costs of days and runs are added up by the unit that contains them.
func TestPeriodsOfReport(t *testing.T) {
	t.Parallel()
	monday := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	day := func(n int) time.Time { return monday.AddDate(0, 0, n) }
	rows := ledger.Rows{
		Now: day(8), Weeks: ledger.PeriodRows{First: day(1), Costs: map[time.Time]figures{
			day(1): {"cost_nano": 1e9, "with_cost": 2, "calls": 3}, day(2): {"cost_nano": 4e9, "with_cost": 5, "calls": 6},
			day(-1): {"cost_nano": 100e9, "with_cost": 100, "calls": 100}, day(7): {"cost_nano": 5e8, "with_cost": 1, "calls": 1},
		}},
		Runs: ledgertest.CountRuns([]ledgertest.RunTotals{
			{Status: ledger.StatusPassed, Started: day(1).Add(time.Hour)}, {Status: ledger.StatusFailed, Started: day(2)}, {Status: ledger.StatusPassedWithWarnings, Started: day(8)},
			{Status: ledger.StatusPassed, Started: day(-20)},
		}...),
	}
	texts := func(list []ledger.PeriodStatistics) (texts []string) {
		for _, p := range list {
			texts = append(texts, fmt.Sprint(p.Start.Format(time.DateOnly), " ", p.Partial, " ", p.Passed, "/", p.Runs, " ", p.RunsBy, " ", p.Cost))
		}
		return texts
	}
	s := ledger.Compute(rows, ledger.StatisticsFilter{})
	want := []string{"2026-03-02 false 1/2 map[failed:1 passed:1] {5 7 9}", "2026-03-09 true 1/1 map[passed_with_warnings:1] {0.5 1 1}"}
	if diff := cmp.Diff(want, texts(s.Weeks)); diff != "" {
		t.Errorf("weeks (-want +got):\n%s", diff)
	}
	f := ledger.StatisticsFilter{Period: ledger.Period{Since: day(1).Add(time.Hour), Until: day(3).Add(time.Hour)}}
	want = []string{"2026-03-02 true 1/2 map[failed:1 passed:1] {5 7 9}"}
	if diff := cmp.Diff(want, texts(ledger.Compute(rows, f).Weeks)); diff != "" {
		t.Errorf("weeks of a period (-want +got):\n%s", diff)
	}
	if of := ledger.Compute(ledger.Rows{Now: day(8)}, ledger.StatisticsFilter{}); of.Weeks != nil {
		t.Errorf("not asked for: %v", of.Weeks)
	}
}

// Pairs of reviewers are listed by name.
func TestOverlapsOfReport(t *testing.T) {
	t.Parallel()
	got := ledger.Compute(ledger.Rows{Overlaps: []ledger.OverlapTotals{{"b", "a", 4, 1}, {"a", "c", 3, 3}, {"a", "b", 2, 0}}}, ledger.StatisticsFilter{}).Overlaps
	want := []ledger.Overlap{{"a", "b", ledger.Share{Part: 0, Whole: 2}}, {"a", "c", ledger.Share{Part: 3, Whole: 3}}, {"b", "a", ledger.Share{Part: 1, Whole: 4}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Filters list exactly what files and their lines count: the file by its name, not as a pattern,
// and in one repository if there are several.
func TestFiltersOfFiles(t *testing.T) {
	t.Parallel()
	f := ledger.StatisticsFilter{Gate: "security"}
	for _, repository := range []string{"", "host/a"} {
		base := ledger.ViolationFilter{Gate: "security", Repository: repository, NoDuplicates: true}
		of := f.FileOf("a[1].go", repository, ledger.FileCounts{})
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
	of := func(entry, gate string, n int, status ledger.Status) ledger.ViolationTotals {
		return ledger.ViolationTotals{EntryPoint: entry, Gate: gate, Iteration: 1, Priority: ledger.High, Status: status, Violations: n}
	}
	rows := ledger.Rows{Violations: []ledger.ViolationTotals{
		of("src", "b", 1, ledger.StatusNew), of("src", "a", 1, ledger.StatusSkipped), of("lib", "z", 1, ledger.StatusReopened), of("src", "most", 2, ledger.StatusFixed), of("src", "most", 1, ledger.StatusNew),
	}}
	for limit, want := range map[int][]string{0: {"src most 3, 1 open", "lib z 1, 1 open", "src a 1, 0 open", "src b 1, 1 open"}, 2: {"src most 3, 1 open", "lib z 1, 1 open"}} {
		var got []string
		for _, g := range ledger.Compute(rows, ledger.StatisticsFilter{Top: limit}).Gates {
			got = append(got, fmt.Sprintf("%s %s %d, %d open", g.EntryPoint, g.Gate, g.Violations.Violations, g.Open.Violations))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("at most %d (-want +got):\n%s", limit, diff)
		}
	}
}

// wholeSource returns rows that already exist.
type wholeSource struct{ rows ledger.Rows }

func (s wholeSource) ViolationTotals(_ context.Context, r *ledger.Rows) error {
	r.Violations = s.rows.Violations
	return nil
}
func (s wholeSource) SlotTotals(_ context.Context, r *ledger.Rows) error {
	r.Slots = slices.Clone(s.rows.Slots)
	return nil
}
func (s wholeSource) SlotTimes(_ context.Context, r *ledger.Rows) error {
	r.Times = s.rows.Times
	return nil
}
func (s wholeSource) Overlap(_ context.Context, r *ledger.Rows) error {
	r.Overlaps = s.rows.Overlaps
	return nil
}
func (s wholeSource) RunTotals(_ context.Context, r *ledger.Rows) error {
	r.Runs = s.rows.Runs
	return nil
}
func (s wholeSource) Weeks(_ context.Context, r *ledger.Rows) error {
	r.Weeks = ledger.PeriodRows{First: s.rows.Now.AddDate(0, 0, -20)}
	return nil
}
func (s wholeSource) Files(_ context.Context, r *ledger.Rows) error {
	r.Files = s.rows.Files
	return nil
}
func (s wholeSource) RecurringLines(_ context.Context, r *ledger.Rows) error {
	r.Recurring = s.rows.Recurring
	return nil
}
func (s wholeSource) Checks(_ context.Context, r *ledger.Rows) error {
	r.Checks = s.rows.Checks
	return nil
}
func (s wholeSource) ListedVerdicts(_ context.Context, r *ledger.Rows) error {
	r.Verdicts = s.rows.Verdicts
	return nil
}

// A section is the same alone as with the others.
func TestASectionAlone(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	source := wholeSource{ledger.Rows{
		Now:        now,
		Violations: []ledger.ViolationTotals{{EntryPoint: "src", Gate: "a", Adapter: "claude", Model: "m", Iteration: 1, Priority: ledger.High, Status: ledger.StatusNew, Violations: 2}},
		Slots:      []ledger.SlotTotals{{EntryPoint: "src", Gate: "a", Adapter: "claude", Model: "m", Iteration: 1, Figures: figures{"answered": 3, "accepted": 2, "verified": 1, "repairs": 2}}},
		Times:      []ledger.TimeTotals{{Adapter: "claude", Model: "m", Took: time.Second, Slots: 3}},
		Overlaps:   []ledger.OverlapTotals{{Adapter: "claude", Other: "codex", Violations: 2, Shared: 1}},
		Runs:       ledgertest.CountRuns(ledgertest.RunTotals{Branch: "main", Status: ledger.StatusPassed, Iterations: 2, Started: now.AddDate(0, 0, -9), Finished: now.AddDate(0, 0, -9).Add(time.Hour)}),
		Files:      []ledger.FileStatistics{{File: "f"}}, Recurring: []ledger.Recurrence{{Fingerprint: "x", Runs: 2}},
		Checks:   []ledger.CheckTotals{{Job: "check:src:a", EntryPoint: "src", Check: "a", Passed: true, Took: time.Second, Executions: 4}},
		Verdicts: []ledger.ListedVerdict{{Run: "r", Verdict: ledger.VerdictFail, At: now.AddDate(0, 0, -1)}},
	}}
	of := func(sections ...ledger.Section) ledger.Statistics {
		f := ledger.StatisticsFilter{Sections: sections}
		s, err := f.Of(t.Context(), source, now)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	all := of(ledger.Sections()...)
	for section, part := range map[ledger.Section]func(ledger.Statistics) any{
		ledger.SectionTotals: func(s ledger.Statistics) any {
			return []any{s.OutcomeStatistics, s.Confirmed, s.Cost, s.Iterations, s.Gates, s.Priorities}
		},
		ledger.SectionSlots:     func(s ledger.Statistics) any { return []any{s.Confirmed, s.Contradicted, s.Saved, s.Cost} },
		ledger.SectionReviewers: func(s ledger.Statistics) any { return []any{s.Adapters, s.Models, s.Overlaps} },
		ledger.SectionRuns:      func(s ledger.Statistics) any { return []any{s.Runs, s.Passed, s.IterationsToPass, s.TimeToPass} },
		ledger.SectionWeeks:     func(s ledger.Statistics) any { return s.Weeks },
		ledger.SectionFiles:     func(s ledger.Statistics) any { return s.Files },
		ledger.SectionRecurring: func(s ledger.Statistics) any { return s.Recurring },
		ledger.SectionChecks:    func(s ledger.Statistics) any { return s.Checks },
		ledger.SectionVerdicts:  func(s ledger.Statistics) any { return s.Verdicts },
	} {
		if diff := cmp.Diff(part(all), part(of(section))); diff != "" {
			t.Errorf("%s (-among all +alone):\n%s", section, diff)
		}
		if cmp.Equal(part(all), part(ledger.Compute(ledger.Rows{Now: now}, ledger.StatisticsFilter{}))) {
			t.Errorf("%s is empty", section)
		}
	}
}

// The shorter part of a day is counted event by event, whether it is inside the period or outside.
func TestDaysOfAPeriod(t *testing.T) {
	t.Parallel()
	at := func(day, hour int) time.Time { return time.Date(2026, 11, day, hour, 0, 0, 0, time.UTC) }
	for name, c := range map[string]struct {
		period           ledger.Period
		days             []string
		missing, tooMuch []ledger.Period
	}{
		"whole days":         {ledger.Period{Since: at(17, 0), Until: at(19, 0)}, []string{"2026-11-17", "2026-11-18"}, nil, nil},
		"less than half":     {ledger.Period{Since: at(17, 15), Until: at(19, 6)}, []string{"2026-11-18"}, []ledger.Period{{Since: at(17, 15), Until: at(18, 0)}, {Since: at(19, 0), Until: at(19, 6)}}, nil},
		"more than half":     {ledger.Period{Since: at(17, 5), Until: at(19, 20)}, []string{"2026-11-18", "2026-11-17", "2026-11-19"}, nil, []ledger.Period{{Since: at(17, 0), Until: at(17, 5)}, {Since: at(19, 20), Until: at(20, 0)}}},
		"half":               {ledger.Period{Since: at(17, 12), Until: at(18, 0)}, nil, []ledger.Period{{Since: at(17, 12), Until: at(18, 0)}}, nil},
		"the middle":         {ledger.Period{Since: at(17, 3), Until: at(17, 20)}, []string{"2026-11-17"}, nil, []ledger.Period{{Since: at(17, 0), Until: at(17, 3)}, {Since: at(17, 20), Until: at(18, 0)}}},
		"some of the middle": {ledger.Period{Since: at(17, 8), Until: at(17, 13)}, nil, []ledger.Period{{Since: at(17, 8), Until: at(17, 13)}}, nil},
	} {
		days, missing, tooMuch := c.period.Days()
		if !slices.Equal(days, c.days) || !slices.Equal(missing, c.missing) || !slices.Equal(tooMuch, c.tooMuch) {
			t.Errorf("%s: %v, missing %v, too much %v", name, days, missing, tooMuch)
		}
	}
}
