package statistics_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/statistics"
)

// kept keeps the sums of runs, as stores do.
type kept struct {
	runs   []keptRun
	cells  map[statistics.Cell]int64
	failed error // of every question
}

type keptRun struct {
	id, branch string
	counts     statistics.Counts
}

func (k *kept) add(id, branch string, counts statistics.Counts) {
	if k.cells == nil {
		k.cells = map[statistics.Cell]int64{}
	}
	k.runs = append(k.runs, keptRun{id, branch, counts})
	var cells statistics.Cells
	counts.AddTo(&cells, branch, 1)
	for cell, n := range cells.All() {
		k.cells[cell] += n
	}
}

func (k *kept) Cells(_ context.Context, m statistics.Measure, buckets []string, add func(bucket, key string, n int64) error) error {
	for c, n := range k.cells {
		if c.Measure == m && (buckets == nil || slices.Contains(buckets, c.Bucket)) {
			if err := add(c.Bucket, c.Key, n); err != nil {
				return err
			}
		}
	}
	return k.failed
}

func (k *kept) Sum(ctx context.Context, m statistics.Measure, buckets []string, add func(key string, n int64) error) error {
	return k.Cells(ctx, m, buckets, func(_, key string, n int64) error { return add(key, n) })
}

func (k *kept) OnDay(_ context.Context, day, branch string, add func(statistics.Text) error) error {
	return k.each(add, func(r keptRun) bool {
		return (branch == "" || branch == r.branch) && slices.Contains(r.counts.Days(), day)
	})
}

func (k *kept) OfRuns(_ context.Context, run, branch string, add func(statistics.Text) error) error {
	return k.each(add, func(r keptRun) bool { return (run == "" || run == r.id) && (branch == "" || branch == r.branch) })
}

func (k *kept) each(add func(statistics.Text) error, wanted func(keptRun) bool) error {
	for _, r := range k.runs {
		if wanted(r) {
			if err := add(r.counts.Text()); err != nil {
				return err
			}
		}
	}
	return k.failed
}

func (k *kept) OfFiles(ctx context.Context, keys []string, add func(bucket, key string, n int64) error) error {
	return k.Cells(ctx, statistics.Files, nil, func(bucket, key string, n int64) error {
		if !slices.Contains(keys, key) {
			return nil
		}
		return add(bucket, key, n)
	})
}

func (k *kept) Largest(_ context.Context, m statistics.Measure, bucket string, add func(key string, n int64) (bool, error)) error {
	var found []statistics.Cell
	for c := range k.cells {
		if c.Measure == m && c.Bucket == bucket {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b statistics.Cell) int {
		return cmp.Or(cmp.Compare(k.cells[b], k.cells[a]), cmp.Compare(a.Key, b.Key))
	})
	for _, c := range found {
		if enough, err := add(c.Key, k.cells[c]); err != nil || enough {
			return err
		}
	}
	return k.failed
}

// noon is when the present of these tests is, on a Wednesday.
var noon = time.Date(2026, 4, 15, 12, 0, 0, 0, time.UTC)

// subject is what is counted at a time, in a run of a branch.
type subject struct {
	run, branch string
	at          time.Time
	of          statistics.Of
}

// subjects are one of each gate and reviewer at each of the times, which lie at the edges of days,
// weeks and months, in three branches, one of which has buckets of its own.
func subjects(labels ...string) (list []subject) {
	midnight := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC) // of a Monday
	times := []time.Time{
		midnight.AddDate(0, -2, 0), midnight.Add(-time.Millisecond), midnight, midnight.Add(9 * time.Hour), midnight.Add(15 * time.Hour),
		midnight.AddDate(0, 0, 3), midnight.AddDate(0, 0, 7), midnight.AddDate(0, 1, -1), midnight.AddDate(0, 1, 5), noon.Add(-time.Hour),
	}
	for n, at := range times {
		for b, branch := range []string{"main", "topic", ""} {
			job := quality
			if n%2 == 1 {
				job = statistics.Job{Kind: "review", EntryPoint: "docs", Gate: "style"}
			}
			list = append(list, subject{run: fmt.Sprint("R", n, b), branch: branch, at: at, of: statistics.Of{
				Repository: []string{"r", "other"}[n%3%2], Job: job, Adapter: []string{"claude", "codex"}[(n+b)%2], Model: []string{"opus", "fast"}[n/2%2],
				Iteration: 1 + n%2, Labels: labels,
			}})
		}
	}
	return list
}

// filters are those that a query is tried with.
func filters() map[string]ledger.StatisticsFilter {
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	hour := func(days, hours int) time.Time { return day.AddDate(0, 0, days).Add(time.Duration(hours) * time.Hour) }
	list := map[string]ledger.StatisticsFilter{}
	for name, period := range map[string]ledger.Period{
		"": {}, "whole days ": {Since: hour(0, 0), Until: hour(3, 0)}, "a month ": {Since: day.AddDate(0, 0, -1), Until: day.AddDate(0, 0, 30)},
		"since an hour ": {Since: hour(0, 9)}, "until an hour ": {Until: hour(0, 15)}, "hours of a day ": {Since: hour(0, 9), Until: hour(0, 15)},
		"hours of two days ": {Since: hour(0, 10), Until: hour(3, 1)}, "since a millisecond ": {Since: hour(0, 0).Add(-time.Millisecond), Until: hour(0, 1)},
		"nothing ": {Since: hour(1, 0), Until: hour(2, 0)},
	} {
		for more, f := range map[string]ledger.StatisticsFilter{
			"of all": {}, "of main": {Branch: "main"}, "of topic": {Branch: "topic"}, "of a run": {Run: "R31"}, "of a repository": {Repository: "r"},
			"of a gate": {Gate: "quality"}, "of an entry point": {EntryPoint: "docs"}, "of an adapter": {Adapter: "codex"}, "of a model": {Model: "opus"},
			"of a gate of main": {Gate: "style", Branch: "main"},
		} {
			f.Period = period
			list[name+more] = f
		}
	}
	return list
}

func selects(f ledger.StatisticsFilter, s subject) bool {
	return (f.Run == "" || f.Run == s.run) && (f.Branch == "" || f.Branch == s.branch) && f.Period.Holds(s.at) &&
		(f.Repository == "" || f.Repository == s.of.Repository) && (f.Gate == "" || f.Gate == s.of.Job.Gate) &&
		(f.EntryPoint == "" || f.EntryPoint == s.of.Job.EntryPoint) && (f.Adapter == "" || f.Adapter == s.of.Adapter) && (f.Model == "" || f.Model == s.of.Model)
}

func query(k *kept, f ledger.StatisticsFilter) *statistics.Query {
	first := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	return &statistics.Query{Sums: k, Filter: f, Now: noon, FirstRun: first, FirstEvent: first}
}

// summed writes how often something was counted.
func summed[V comparable](counts map[V]int64) (lines []string) {
	for v, n := range counts {
		if n != 0 {
			lines = append(lines, fmt.Sprintf("%v: %d", v, n))
		}
	}
	slices.Sort(lines)
	return lines
}

// What a query sums up is what one finds by looking at every run.
func TestQuerySelects(t *testing.T) {
	t.Parallel()
	violations, slots := &kept{}, &kept{}
	all := subjects()
	for _, s := range all {
		put := func(k *kept, m statistics.Measure, n int64, labels ...string) {
			of := s.of
			of.Labels = labels
			k.add(s.run, s.branch, statistics.Counts{{Measure: m, At: statistics.At(s.at), Key: of.Key(), N: n}})
		}
		put(violations, statistics.Violations, 2, "high", "skipped", "deferred", "shared,taken_up")
		put(slots, statistics.Slots, 1, "answered")
		put(slots, statistics.Slots, 7, "calls")
		put(slots, statistics.AnswerTimes, 3, "1200")
	}
	for name, f := range filters() {
		wantViolations, wantSlots, wantTimes := map[ledger.ViolationTotals]int64{}, map[string]int64{}, map[string]int64{}
		for _, s := range all {
			if !selects(f, s) {
				continue
			}
			wantViolations[ledger.ViolationTotals{
				EntryPoint: s.of.Job.EntryPoint, Gate: s.of.Job.Gate, Adapter: s.of.Adapter, Model: s.of.Model, Iteration: s.of.Iteration,
				Priority: "high", Status: "skipped", Reason: "deferred", Shared: true, TakenUp: true,
			}] += 2
			slot := fmt.Sprint(s.of.Job.EntryPoint, s.of.Job.Gate, s.of.Adapter, s.of.Model, s.of.Iteration)
			wantSlots[slot+" answered"]++
			wantSlots[slot+" calls"] += 7
			wantTimes[s.of.Adapter+s.of.Model+" 1.2s"] += 3
		}
		var rows ledger.Rows
		gotViolations, gotSlots, gotTimes := map[ledger.ViolationTotals]int64{}, map[string]int64{}, map[string]int64{}
		q := query(slots, f)
		err := errors.Join(query(violations, f).ViolationTotals(t.Context(), &rows), q.SlotTotals(t.Context(), &rows), q.SlotTimes(t.Context(), &rows))
		for _, v := range rows.Violations {
			n := int64(v.Violations)
			v.Violations = 0
			if _, twice := gotViolations[v]; twice {
				t.Errorf("%s: %+v is there twice", name, v)
			}
			gotViolations[v] = n
		}
		for _, s := range rows.Slots {
			for figure, n := range s.Figures {
				gotSlots[fmt.Sprint(s.EntryPoint, s.Gate, s.Adapter, s.Model, s.Iteration, " ", figure)] += n
			}
		}
		for _, s := range rows.Times {
			gotTimes[fmt.Sprint(s.Adapter, s.Model, " ", s.Took)] += int64(s.Slots)
		}
		want := slices.Concat(summed(wantViolations), summed(wantSlots), summed(wantTimes))
		if d := gocmp.Diff(want, slices.Concat(summed(gotViolations), summed(gotSlots), summed(gotTimes))); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, d)
		}
	}
}

// Checks have no reviewer, and are counted by week besides, of which the latest twelve are shown.
func TestQueryOfChecks(t *testing.T) {
	t.Parallel()
	checks := &kept{}
	all := subjects()
	for n, s := range all {
		of := statistics.Of{Repository: s.of.Repository, Job: s.of.Job, Labels: []string{[]string{"failed", "passed"}[n%2], "250"}}
		checks.add(s.run, s.branch, statistics.Counts{{Measure: statistics.Checks, At: statistics.At(s.at), Key: of.Key(), N: 1}})
	}
	for name, f := range filters() {
		wanted := f
		wanted.Adapter, wanted.Model = "", ""
		want, wantWeeks := map[ledger.CheckTotals]int64{}, map[ledger.CheckTotals]int64{}
		for n, s := range all {
			if selects(wanted, s) {
				c := ledger.CheckTotals{Job: s.of.Job.ID(), EntryPoint: s.of.Job.EntryPoint, Check: s.of.Job.Gate, Passed: n%2 == 1, Took: 250 * time.Millisecond}
				want[c]++
				if c.Start = ledger.ByWeek.Start(s.at); !c.Start.Before(f.FirstShownWeek(noon)) {
					wantWeeks[c]++
				}
			}
		}
		f.LatestWeeks = 1 // which is meant for events and costs
		var rows ledger.Rows
		err := query(checks, f).CheckTotals(t.Context(), &rows)
		got, gotWeeks := map[ledger.CheckTotals]int64{}, map[ledger.CheckTotals]int64{}
		for list, into := range map[*[]ledger.CheckTotals]map[ledger.CheckTotals]int64{&rows.Checks: got, &rows.CheckWeeks: gotWeeks} {
			for _, c := range *list {
				n := int64(c.Executions)
				c.Executions = 0
				into[c] += n
			}
		}
		if d := gocmp.Diff(slices.Concat(summed(want), summed(wantWeeks)), slices.Concat(summed(got), summed(gotWeeks))); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, d)
		}
	}
}

// Events and costs are counted by week. Events of a week that the period cuts are looked for
// themselves, because a violation that had one on two days would be counted twice.
func TestQueryOfWeeks(t *testing.T) {
	t.Parallel()
	weeks := &kept{}
	all := subjects()
	for _, s := range all {
		event, cost := s.of, s.of
		event.Iteration, event.Labels = 0, []string{"fixed"}
		cost.Iteration, cost.Labels = 0, []string{"calls"}
		weeks.add(s.run, s.branch, statistics.Counts{
			{Measure: statistics.WeekEvents, At: statistics.At(ledger.ByWeek.Start(s.at)), Key: event.Key(), N: 1},
			{Measure: statistics.Costs, At: statistics.At(s.at), Key: cost.Key(), N: 5},
		})
	}
	for name, f := range filters() {
		cut := map[time.Time]bool{}
		for _, span := range f.Period.Weeks(query(weeks, f).FirstEvent, noon) {
			cut[span.Start] = !span.Whole
		}
		want := map[string]int64{}
		for _, s := range all {
			week := ledger.ByWeek.Start(s.at)
			wide := f
			wide.Period = ledger.Period{}
			if is, shown := cut[week]; shown && !is && selects(wide, s) {
				want["fixed "+week.Format(time.DateOnly)]++
			}
			if selects(f, s) {
				want["calls "+week.Format(time.DateOnly)] += 5
			}
		}
		for week, is := range cut {
			if is {
				want["cut "+week.Format(time.DateOnly)] = 1000
			}
		}
		q, rows, got := query(weeks, f), ledger.Rows{}, map[string]int64{}
		q.EventsIn = func(_ context.Context, p ledger.Period, add func(string, int64)) error {
			if !p.Since.Before(p.Until) || p.Until.Sub(p.Since) >= 7*24*time.Hour {
				t.Errorf("%s: events are looked for in %v", name, p)
			}
			add("cut", 1000)
			return nil
		}
		err := q.Weeks(t.Context(), &rows)
		for week, events := range rows.Weeks.Events {
			for status, n := range events {
				got[string(status)+" "+week.Format(time.DateOnly)] += int64(n)
			}
		}
		for week, costs := range rows.Weeks.Costs {
			for figure, n := range costs {
				got[string(figure)+" "+ledger.ByWeek.Start(week).Format(time.DateOnly)] += n
			}
		}
		if d := gocmp.Diff(summed(want), summed(got)); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, d)
		}
	}
}

// A run is selected by its parts; one that has to have two is looked at by itself.
func TestQueryOfRuns(t *testing.T) {
	t.Parallel()
	runs := &kept{}
	midnight := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for n, r := range []struct {
		branch, repository, status, iterations string
		at                                     time.Time
		parts                                  []string
	}{
		{"main", "r", "passed", "1", midnight, []string{"gate:quality", "entry:src", "job:src:quality", "adapter:claude"}},
		{"main", "r", "passed", "2", midnight.Add(time.Hour), []string{"gate:style", "entry:src", "job:src:style", "adapter:claude"}},
		{"topic", "other", "failed", "3", midnight.AddDate(0, 0, 8), []string{"gate:quality", "entry:docs", "job:docs:quality", "adapter:codex"}},
		{"topic", "r", "passed", "3", midnight.AddDate(0, 0, 9), []string{"gate:quality", "entry:docs", "job:docs:quality", "gate:style", "entry:src", "job:src:style", "adapter:codex"}},
	} {
		var counts statistics.Counts
		for _, part := range append([]string{""}, r.parts...) {
			of := statistics.Of{Repository: r.repository, Labels: []string{r.status, r.iterations, part}}
			counts = append(counts, statistics.Count{Measure: statistics.Runs, At: statistics.At(r.at), Key: of.Key(), N: 1})
			if r.status == "passed" {
				of.Labels = []string{fmt.Sprint(1000 * (n + 1)), part}
				counts = append(counts, statistics.Count{Measure: statistics.RunTimes, At: statistics.At(r.at), Key: of.Key(), N: 1})
			}
		}
		runs.add(fmt.Sprint("R", n), r.branch, counts)
	}
	only := []ledger.Section{ledger.SectionWeeks}
	for name, test := range map[string]struct {
		filter ledger.StatisticsFilter
		want   string // by the number of the runs
	}{
		"all": {ledger.StatisticsFilter{}, "0123"}, "of a repository": {ledger.StatisticsFilter{Repository: "r"}, "013"},
		"of a branch": {ledger.StatisticsFilter{Branch: "main"}, "01"}, "of a run": {ledger.StatisticsFilter{Run: "R2"}, "2"},
		"of a gate": {ledger.StatisticsFilter{Gate: "quality"}, "023"}, "of an entry point": {ledger.StatisticsFilter{EntryPoint: "src"}, "013"},
		"of a gate on an entry point": {ledger.StatisticsFilter{Gate: "style", EntryPoint: "src"}, "13"}, "of a gate on another": {ledger.StatisticsFilter{Gate: "style", EntryPoint: "docs"}, ""},
		"of an adapter": {ledger.StatisticsFilter{Adapter: "claude"}, "01"}, "of an adapter and a gate": {ledger.StatisticsFilter{Adapter: "codex", Gate: "style"}, "3"},
		"of an adapter and an entry point":       {ledger.StatisticsFilter{Adapter: "claude", EntryPoint: "src"}, "01"},
		"of both, of a branch":                   {ledger.StatisticsFilter{Adapter: "claude", Gate: "quality", Branch: "topic"}, ""},
		"of both, of a run":                      {ledger.StatisticsFilter{Adapter: "codex", Gate: "quality", Run: "R3"}, "3"},
		"of both, of a repository":               {ledger.StatisticsFilter{Adapter: "codex", Gate: "quality", Repository: "r"}, "3"},
		"of a model":                             {ledger.StatisticsFilter{Model: "opus"}, "0123"},
		"of a period":                            {ledger.StatisticsFilter{Period: ledger.Period{Since: midnight.Add(time.Minute), Until: midnight.AddDate(0, 0, 9)}}, "12"},
		"of both, of a period":                   {ledger.StatisticsFilter{Adapter: "codex", Gate: "quality", Period: ledger.Period{Until: midnight.AddDate(0, 0, 9)}}, "2"},
		"of a period that ends as a run begins":  {ledger.StatisticsFilter{Period: ledger.Period{Until: midnight.Add(time.Hour)}}, "0"},
		"of a period that begins as one does so": {ledger.StatisticsFilter{Period: ledger.Period{Since: midnight.Add(time.Hour), Until: midnight.AddDate(0, 0, 1)}}, "1"},
	} {
		for _, sections := range [][]ledger.Section{nil, only, {ledger.SectionChecks}} {
			f, rows := test.filter, ledger.Rows{}
			f.Sections = sections
			want := map[string]int64{}
			for _, n := range test.want {
				status, iterations, took := []string{"passed", "passed", "failed", "passed"}[n-'0'], []int{1, 2, 3, 3}[n-'0'], int(n-'0'+1)
				want[fmt.Sprint(status, iterations)]++
				if status == "passed" {
					want[fmt.Sprint(time.Duration(took)*time.Second)]++
				}
				if f.Wants(ledger.SectionWeeks) {
					want[status+" in the week of "+[]string{"2026-03-02", "2026-03-02", "2026-03-09", "2026-03-09"}[n-'0']]++
				}
			}
			err := query(runs, f).RunTotals(t.Context(), &rows)
			got := map[string]int64{}
			for status, by := range rows.Runs.Totals {
				for iterations, n := range by {
					got[fmt.Sprint(status, iterations)] += int64(n)
				}
			}
			for took, n := range rows.Runs.Times {
				got[fmt.Sprint(took)] += int64(n)
			}
			for day, by := range rows.Runs.Days {
				for status, n := range by {
					got[string(status)+" in the week of "+ledger.ByWeek.Start(day).Format(time.DateOnly)] += int64(n)
				}
			}
			if d := gocmp.Diff(summed(want), summed(got)); d != "" || err != nil {
				t.Errorf("%s, %q: %v (-want +got):\n%s", name, sections, err, d)
			}
		}
	}
}

// Slots of which nothing but a later figure is left are not listed.
func TestSlotsWithoutAnEnd(t *testing.T) {
	t.Parallel()
	for figure, listed := range map[ledger.SlotFigure]bool{
		ledger.FigureAnswered: true, ledger.FigureErrors: true, ledger.FigureInterrupted: true, ledger.FigureSkipped: true, ledger.FigureCalls: false,
	} {
		k, rows := &kept{}, ledger.Rows{}
		k.add("R", "topic", statistics.Counts{{Measure: statistics.Slots, At: statistics.At(noon), Key: statistics.Of{Job: quality, Labels: []string{string(figure)}}.Key(), N: 1}})
		if err := query(k, ledger.StatisticsFilter{}).SlotTotals(t.Context(), &rows); err != nil || (len(rows.Slots) == 1) != listed {
			t.Errorf("%s: %+v, %v", figure, rows.Slots, err)
		}
	}
}

// Files and lines are listed with the most first, of the repository that is asked for.
func TestTopFilesAndLines(t *testing.T) {
	t.Parallel()
	k, unknown := &kept{}, statistics.UnknownOf("7")
	add := func(m statistics.Measure, bucket, name, repository string, n int64) {
		if k.cells == nil {
			k.cells = map[statistics.Cell]int64{}
		}
		k.cells[statistics.Cell{Measure: m, Bucket: bucket, Key: statistics.Of{Labels: []string{name, repository}}.Key()}] = n
	}
	for i, bucket := range statistics.FileBuckets() {
		add(statistics.Files, bucket, "a.go", "r", int64(20+i))
	}
	add(statistics.Files, "violations", "b.go", "other", 9)
	add(statistics.Files, "violations", "c.go", unknown, 1)
	add(statistics.Files, "violations", "gone.go", "r", 0)
	add(statistics.Files, "open", "c.go", unknown, 1)
	add(statistics.Lines, "runs", "thrice", "r", 3)
	add(statistics.Lines, "runs", "twice", "other", 2)
	add(statistics.Lines, "runs", "twice", unknown, 2)
	add(statistics.Lines, "runs", "once", "r", 1)
	a := statistics.File{Repository: "r", Name: "a.go", Reopened: 28, Runs: 29, Counts: ledger.FileCounts{
		Violations: 20, Open: 21, Abandoned: 22, Claimed: 23, Verified: 24, Skipped: 25, Withdrawn: 26, InFixLines: 27,
	}}
	b := statistics.File{Repository: "other", Name: "b.go", Counts: ledger.FileCounts{Violations: 9}}
	c := statistics.File{Repository: unknown, Name: "c.go", Counts: ledger.FileCounts{Violations: 1, Open: 1}}
	for name, test := range map[string]struct {
		repository string
		atMost     int
		files      []statistics.File
		lines      []string
	}{
		"all": {"", 0, []statistics.File{a, b, c}, []string{"thrice r", "twice other", "twice " + unknown}}, "two": {"", 2, []statistics.File{a, b}, []string{"thrice r", "twice other"}},
		"of a repository": {"r", 5, []statistics.File{a}, []string{"thrice r"}}, "one of another": {"other", 1, []statistics.File{b}, []string{"twice other"}},
		"of an unknown one": {ledger.UnknownRepository, 0, []statistics.File{c}, []string{"twice " + unknown}}, "of none": {"no", 0, nil, nil},
	} {
		q := query(k, ledger.StatisticsFilter{Repository: test.repository})
		files, err := q.TopFiles(t.Context(), test.atMost)
		if d := gocmp.Diff(test.files, files); d != "" || err != nil {
			t.Errorf("files, %s: %v (-want +got):\n%s", name, err, d)
		}
		found, err := q.TopLines(t.Context(), test.atMost)
		var lines []string
		for _, l := range found {
			lines = append(lines, l.Fingerprint+" "+l.Repository)
		}
		if d := gocmp.Diff(test.lines, lines); d != "" || err != nil {
			t.Errorf("lines, %s: %v (-want +got):\n%s", name, err, d)
		}
	}
	got := map[string]int64{}
	err := c.Each(func(bucket string, n int64) error { got[bucket] = n; return nil })
	if d := gocmp.Diff(map[string]int64{"violations": 1, "open": 1}, got); d != "" || err != nil {
		t.Errorf("numbers of a file: %v (-want +got):\n%s", err, d)
	}
	stop := errors.New("stop")
	if err := a.Each(func(string, int64) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("the error is %v", err)
	}
}

// Folders, reviewers, events of days and flaky checks are of all time.
func TestQueryOfAllTime(t *testing.T) {
	t.Parallel()
	k := &kept{cells: map[statistics.Cell]int64{}}
	add := func(m statistics.Measure, bucket string, of statistics.Of, n int64) {
		k.cells[statistics.Cell{Measure: m, Bucket: bucket, Key: of.Key()}] = n
	}
	reviewed := func(adapter, model, repository string, labels ...string) statistics.Of {
		return statistics.Of{Repository: repository, Job: quality, Adapter: adapter, Model: model, Labels: labels}
	}
	add(statistics.Folders, "/src", reviewed("claude", "opus", "r", "high", "new", "", ""), 2)
	add(statistics.Folders, "/src", reviewed("codex", "fast", "other", "low", "new", "", ""), 3)
	add(statistics.Folders, "/", reviewed("claude", "opus", "r", "low", "fixed", "", ""), 1)
	add(statistics.Folders, "/bare", reviewed("claude", "opus", "r"), 4) // without labels
	add(statistics.Folders, "/gone", reviewed("claude", "opus", "r", "low", "fixed", "", ""), 0)
	for n, name := range []string{"codex", "claude", "gone"} {
		add(statistics.Reviewers, "", statistics.Of{Adapter: name, Model: "m" + name, Labels: []string{"slots"}}, int64(2-n))
	}
	add(statistics.Reviewers, "", statistics.Of{Adapter: "claude", Model: "other", Labels: []string{"violations"}}, 4)
	add(statistics.DayEvents, "2026-03-02", reviewed("claude", "opus", "r", "fixed"), 5)
	add(statistics.DayEvents, "2026-03-03", reviewed("claude", "opus", "r", "fixed"), 6)
	add(statistics.DayEvents, "@main@2026-03-02", reviewed("claude", "opus", "r", "fixed"), 1)
	q := query(k, ledger.StatisticsFilter{Repository: "r"})

	in := map[string]int{}
	for _, folder := range []string{"src", "", "bare", "gone", "no"} {
		list, err := q.InFolder(t.Context(), folder)
		if err != nil {
			t.Error(err)
		}
		for _, v := range list {
			in[folder] += v.Violations
		}
	}
	if d := gocmp.Diff(map[string]int{"src": 2, "": 1, "bare": 4}, in); d != "" {
		t.Errorf("in folders (-want +got):\n%s", d)
	}
	folders, err := query(k, ledger.StatisticsFilter{}).Folders(t.Context(), func(v ledger.ViolationTotals) bool { return v.Status == "new" })
	if d := gocmp.Diff(map[string]int{"src": 5}, folders); d != "" || err != nil {
		t.Errorf("folders with open ones: %v (-want +got):\n%s", err, d)
	}
	reviewing, err := q.Reviewing(t.Context())
	if d := gocmp.Diff(statistics.Reviewing{Adapters: []string{"claude", "codex"}, Models: []string{"mclaude", "mcodex", "other"}, Violations: 4}, reviewing); d != "" || err != nil {
		t.Errorf("reviewing: %v (-want +got):\n%s", err, d)
	}
	for branch, test := range map[string]struct {
		days []string
		want int64
	}{"": {[]string{"2026-03-02"}, 5}, "main": {[]string{"2026-03-02", "2026-03-03"}, 1}, "topic": {nil, 0}} {
		var got int64
		err := query(k, ledger.StatisticsFilter{Branch: branch}).EventsOfDays(t.Context(), test.days, func(status string, n int64) {
			if got += n; status != "fixed" {
				t.Errorf("events %q", status)
			}
		})
		if got != test.want || err != nil {
			t.Errorf("events of %q: %d, %v", branch, got, err)
		}
	}
}

// Of checks that were both, those of the filter are asked for, with the trees on which they were.
func TestFlakyChecks(t *testing.T) {
	t.Parallel()
	k := &kept{cells: map[statistics.Cell]int64{}}
	for _, c := range []struct {
		job  statistics.Job
		tree string
		n    int64
	}{{lint, "t1", 1}, {lint, "t2", 1}, {lint, "none", 0}, {statistics.Job{Kind: "check", EntryPoint: "docs", Gate: "spell"}, "t3", 1}} {
		k.cells[statistics.Cell{Measure: statistics.Flaky, Key: statistics.Of{Repository: "any", Job: c.job, Labels: []string{c.tree}}.Key()}] = c.n
	}
	failed := errors.New("it failed")
	for name, test := range map[string]struct {
		filter ledger.StatisticsFilter
		fail   error
		want   []string
	}{
		"all":                               {ledger.StatisticsFilter{}, nil, []string{"check:docs:spell t3", "check:src:lint t1,t2"}},
		"of a gate":                         {ledger.StatisticsFilter{Gate: "lint"}, nil, []string{"check:src:lint t1,t2"}},
		"of a repository and of a reviewer": {ledger.StatisticsFilter{Repository: "r", Adapter: "claude", Model: "opus", EntryPoint: "docs"}, nil, []string{"check:docs:spell t3"}},
		"it cannot be read":                 {ledger.StatisticsFilter{}, failed, []string{"check:docs:spell t3"}},
	} {
		var got []string
		err := query(k, test.filter).FlakyChecks(t.Context(), &ledger.Rows{}, func(check statistics.Job, trees []string) ([]ledger.TreeOutcome, error) {
			slices.Sort(trees)
			got = append(got, check.ID()+" "+strings.Join(trees, ","))
			return nil, test.fail
		})
		if d := gocmp.Diff(test.want, got); d != "" || !errors.Is(err, test.fail) {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, d)
		}
	}
}

// What cannot be read is an error of every question, not a number that is too small.
func TestQueryFails(t *testing.T) {
	t.Parallel()
	failed := errors.New("it failed")
	questions := map[string]func(*statistics.Query, *ledger.Rows) error{
		"violations": func(q *statistics.Query, r *ledger.Rows) error { return q.ViolationTotals(context.Background(), r) },
		"slots":      func(q *statistics.Query, r *ledger.Rows) error { return q.SlotTotals(context.Background(), r) },
		"times":      func(q *statistics.Query, r *ledger.Rows) error { return q.SlotTimes(context.Background(), r) },
		"checks":     func(q *statistics.Query, r *ledger.Rows) error { return q.CheckTotals(context.Background(), r) },
		"runs":       func(q *statistics.Query, r *ledger.Rows) error { return q.RunTotals(context.Background(), r) },
		"weeks":      func(q *statistics.Query, r *ledger.Rows) error { return q.Weeks(context.Background(), r) },
		"folder": func(q *statistics.Query, _ *ledger.Rows) error {
			_, err := q.InFolder(context.Background(), "src")
			return err
		},
		"folders": func(q *statistics.Query, _ *ledger.Rows) error {
			_, err := q.Folders(context.Background(), func(ledger.ViolationTotals) bool { return true })
			return err
		},
		"files": func(q *statistics.Query, _ *ledger.Rows) error {
			_, err := q.TopFiles(context.Background(), 0)
			return err
		},
		"lines": func(q *statistics.Query, _ *ledger.Rows) error {
			_, err := q.TopLines(context.Background(), 0)
			return err
		},
		"reviewing": func(q *statistics.Query, _ *ledger.Rows) error {
			_, err := q.Reviewing(context.Background())
			return err
		},
		"flaky": func(q *statistics.Query, r *ledger.Rows) error {
			return q.FlakyChecks(context.Background(), r, func(statistics.Job, []string) ([]ledger.TreeOutcome, error) { return nil, nil })
		},
		"days": func(q *statistics.Query, _ *ledger.Rows) error {
			return q.EventsOfDays(context.Background(), []string{"2026-03-02"}, func(string, int64) {})
		},
	}
	of := statistics.Of{Job: quality, Labels: []string{"x"}}
	damaged := &kept{}
	for _, m := range statistics.Measures() {
		damaged.add("R", "topic", statistics.Counts{{Measure: m, At: statistics.At(noon), Bucket: "violations", Key: "no key", N: 3}})
		for _, bucket := range []string{"", "/src", "runs", "2026-03-02", "W2026-04-06", "@main@", "@main@W2026-04-06", "@main@2026-03-02"} {
			damaged.cells[statistics.Cell{Measure: m, Bucket: bucket, Key: "no key"}] = 3
		}
	}
	half := ledger.Period{Since: noon.Add(-time.Hour)}
	for _, name := range slices.Sorted(maps.Keys(questions)) {
		for what, f := range map[string]ledger.StatisticsFilter{"all": {}, "by run": {Branch: "topic"}, "of main": {Branch: "main"}, "part of a day": {Period: half}, "in two parts": {Gate: "quality", Adapter: "claude"}} {
			good := func(ctx context.Context, _ ledger.Period, _ func(string, int64)) error { return nil }
			k := &kept{failed: failed}
			k.add("R", "topic", statistics.Counts{{Measure: statistics.Slots, At: statistics.At(noon), Key: of.Key(), N: 1}})
			q := query(k, f)
			q.EventsIn = good
			if err := questions[name](q, &ledger.Rows{}); !errors.Is(err, failed) {
				t.Errorf("%s, %s: the error is %v", name, what, err)
			}
			if what != "all" {
				continue
			}
			q = query(damaged, f)
			q.EventsIn = good
			if err := questions[name](q, &ledger.Rows{}); err == nil {
				t.Errorf("%s, %s: damaged sums are no error", name, what)
			}
		}
	}
	q := query(&kept{}, ledger.StatisticsFilter{Period: half})
	q.EventsIn = func(context.Context, ledger.Period, func(string, int64)) error { return failed }
	if err := q.Weeks(t.Context(), &ledger.Rows{}); !errors.Is(err, failed) {
		t.Errorf("events that cannot be read: %v", err)
	}
}

// What a filter selects decides how it is answered.
func TestKindsOfQueries(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		filter            ledger.StatisticsFilter
		byRun, unfiltered bool
	}{
		"all": {ledger.StatisticsFilter{}, false, true}, "of a repository": {ledger.StatisticsFilter{Repository: "r"}, false, true},
		"of a run": {ledger.StatisticsFilter{Run: "R"}, true, false}, "of a worktree": {ledger.StatisticsFilter{Worktree: "/w"}, true, false},
		"of a branch": {ledger.StatisticsFilter{Branch: "topic"}, true, false}, "of main": {ledger.StatisticsFilter{Branch: "main"}, false, false},
		"of a period": {ledger.StatisticsFilter{Period: ledger.Period{Until: noon}}, false, false}, "of a gate": {ledger.StatisticsFilter{Gate: "q"}, false, false},
		"of an entry point": {ledger.StatisticsFilter{EntryPoint: "src"}, false, false}, "of an adapter": {ledger.StatisticsFilter{Adapter: "claude"}, false, false},
		"of a model": {ledger.StatisticsFilter{Model: "opus"}, false, false},
	} {
		q := statistics.Query{Filter: test.filter}
		if q.ByRun() != test.byRun || q.Unfiltered() != test.unfiltered {
			t.Errorf("%s: by run %t, unfiltered %t", name, q.ByRun(), q.Unfiltered())
		}
	}
}
