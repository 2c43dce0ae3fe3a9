package statistics

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// Sums reads sums from the place where they are kept.
type Sums interface {
	// Cells calls add with the numbers of a measure in these buckets; nil means all buckets.
	Cells(ctx context.Context, m Measure, buckets []string, add func(bucket, key string, n int64) error) error
	// Sum is like Cells, but does not pass the buckets: it may add up the numbers of a key, and of
	// keys that no filter distinguishes.
	Sum(ctx context.Context, m Measure, buckets []string, add func(key string, n int64) error) error
	// OnDay calls add with the counts of each run of the branch that has counts on the day, given
	// as the name of its bucket. An empty branch means any.
	OnDay(ctx context.Context, day, branch string, add func(Text) error) error
	// OfRuns calls add with the counts of each run with this ID and on this branch. Empty means
	// any.
	OfRuns(ctx context.Context, run, branch string, add func(Text) error) error
	// OfFiles calls add with the numbers of [Files] for these keys.
	OfFiles(ctx context.Context, keys []string, add func(bucket, key string, n int64) error) error
	// Largest calls add with the numbers of a measure in a bucket, the largest first and equal ones
	// by key, until add returns that it has enough.
	Largest(ctx context.Context, m Measure, bucket string, add func(key string, n int64) (enough bool, err error)) error
}

// A Query answers, for a filter, what sums can answer. It implements a part of
// [ledger.StatisticsSource].
type Query struct {
	Sums   Sums
	Filter ledger.StatisticsFilter
	Now    time.Time
	// FirstRun and FirstEvent are the times of the first run and the first event, or zero if there
	// is none.
	FirstRun, FirstEvent time.Time
	// EventsIn counts the violations that had an event in a period, by the event's status. It is
	// used for weeks and days of which the filter's period contains only a part: a violation that
	// had an event twice in that part counts once.
	EventsIn func(ctx context.Context, p ledger.Period, add func(status string, violations int64)) error

	// chosen and days cache the counts of runs that were read one by one.
	chosen []Text
	read   bool
	days   map[string][]Text
	// always makes the query read runs one by one.
	always bool
}

// ByRun reports whether the filter selects runs that sums have no buckets for.
func (q *Query) ByRun() bool {
	f := q.Filter
	return q.always || f.Run != "" || f.Worktree != "" || f.Branch != "" && !trunk(f.Branch)
}

// Unfiltered reports whether the filter selects all violations, or all of a repository.
func (q *Query) Unfiltered() bool {
	f := q.Filter
	return f.Run == "" && f.Worktree == "" && f.Branch == "" && f.Period == (ledger.Period{}) &&
		f.Gate == "" && f.EntryPoint == "" && f.Adapter == "" && f.Model == ""
}

// runs returns the counts of the selected runs.
func (q *Query) runs(ctx context.Context) ([]Text, error) {
	if q.read {
		return q.chosen, nil
	}
	err := q.Sums.OfRuns(ctx, q.Filter.Run, q.Filter.Branch, func(t Text) error {
		q.chosen = append(q.chosen, t)
		return nil
	})
	q.read = err == nil
	return q.chosen, err
}

// onDay returns the counts of the runs of the filter's branch that have counts on the day.
func (q *Query) onDay(ctx context.Context, day string) ([]Text, error) {
	place := branchBucket(q.Filter.Branch, day)
	if counts, known := q.days[place]; known {
		return counts, nil
	}
	var list []Text
	err := q.Sums.OnDay(ctx, day, q.Filter.Branch, func(t Text) error {
		list = append(list, t)
		return nil
	})
	if q.days == nil {
		q.days = map[string][]Text{}
	}
	if err == nil {
		q.days[place] = list
	}
	return list, err
}

// buckets adds the filter's branch to the names of buckets.
func (q *Query) buckets(buckets ...string) []string {
	if q.Filter.Branch == "" {
		return buckets
	}
	of := make([]string, len(buckets))
	for i, bucket := range buckets {
		of[i] = branchBucket(q.Filter.Branch, bucket)
	}
	return of
}

// unbucket removes what [Query.buckets] added to the name of a bucket.
func (q *Query) unbucket(bucket string) string {
	return bucket[len(q.buckets("")[0]):]
}

// Keeps reports whether the filter selects the subject of a count.
func (q *Query) Keeps(o Of) bool {
	f := q.Filter
	return (f.Repository == "" || o.Repository == f.Repository) && (f.Gate == "" || o.Job.Gate == f.Gate) &&
		(f.EntryPoint == "" || o.Job.EntryPoint == f.EntryPoint) && (f.Adapter == "" || o.Adapter == f.Adapter) &&
		(f.Model == "" || o.Model == f.Model)
}

// holds reports whether the filter selects the repository of a file or a line.
func (q *Query) holds(own string) bool {
	r := q.Filter.Repository
	return r == "" || own == r || r == ledger.UnknownRepository && strings.HasPrefix(own, UnknownOf(""))
}

// UnknownOf returns the key that distinguishes an unknown repository from other unknown ones.
func UnknownOf(id string) string { return ledger.UnknownRepository + " " + id }

// An adder adds a number to a subject.
type adder func(o Of, n int64)

// parsed returns a function that parses keys and calls add for those that keeps selects.
func (q *Query) parsed(keeps func(Of) bool, add adder) func(string, int64) error {
	return func(key string, n int64) error {
		if n == 0 {
			return nil
		}
		o, err := ParseKey(key)
		if err == nil && keeps(o) {
			add(o, n)
		}
		return err
	}
}

// spanned is like [Query.parsed], for numbers of several buckets. Most keys occur in many of them,
// so each is parsed only once.
func spanned(keeps func(Of) bool, add func(bucket string, o Of, n int64)) func(bucket, key string, n int64) error {
	kept := map[string]*Of{} // nil: the key is left out
	return func(bucket, key string, n int64) error {
		if n == 0 {
			return nil
		}
		of, known := kept[key]
		if !known {
			o, err := ParseKey(key)
			if err != nil {
				return err
			}
			if keeps(o) {
				of = &o
			}
			kept[key] = of
		}
		if of != nil {
			add(bucket, *of, n)
		}
		return nil
	}
}

// each adds up a measure over the period of the filter.
func (q *Query) each(ctx context.Context, m Measure, keeps func(Of) bool, add adder) error {
	if q.ByRun() {
		runs, err := q.runs(ctx)
		if err != nil {
			return err
		}
		return within(runs, m, q.Filter.Period, q.parsed(keeps, add))
	}
	buckets, edges := q.Filter.Period.TotalsOf(q.FirstRun, q.Now)
	return q.over(ctx, m, buckets, edges, q.parsed(keeps, add))
}

// over adds up buckets, and the edges of the period that are outside of them.
func (q *Query) over(ctx context.Context, m Measure, buckets []string, edges []ledger.Period, add func(string, int64) error) error {
	var err error
	if len(buckets) > 0 {
		err = q.Sums.Sum(ctx, m, q.buckets(buckets...), add)
	}
	for _, edge := range edges {
		if err != nil {
			return err
		}
		var runs []Text
		if runs, err = q.onDay(ctx, ledger.ByDay.Start(edge.Since).Format(time.DateOnly)); err == nil {
			err = within(runs, m, edge, add)
		}
	}
	return err
}

// within adds the counts of runs that are in a period.
func within(runs []Text, m Measure, p ledger.Period, add func(string, int64) error) error {
	for _, run := range runs {
		counts, err := run.Of(m)
		if err != nil {
			return err
		}
		for _, count := range counts {
			if count.At != 0 && !inPeriod(p, count.At) {
				continue
			}
			if err := add(count.Key, count.N); err != nil {
				return err
			}
		}
	}
	return nil
}

func inPeriod(p ledger.Period, at int64) bool {
	return (p.Since.IsZero() || at >= At(p.Since)) && (p.Until.IsZero() || at < At(p.Until))
}

// ViolationTotals implements [ledger.StatisticsSource].
func (q *Query) ViolationTotals(ctx context.Context, out *ledger.Rows) error {
	add, list := violationTotals()
	err := q.each(ctx, Violations, q.Keeps, add)
	out.Violations = list()
	return err
}

// InFolder returns the totals of all time for paths that begin with the folder.
func (q *Query) InFolder(ctx context.Context, folder string) ([]ledger.ViolationTotals, error) {
	add, list := violationTotals()
	parse := q.parsed(q.Keeps, add)
	err := q.Sums.Cells(ctx, Folders, []string{folderBucket(folder)}, func(_, key string, n int64) error { return parse(key, n) })
	return list(), err
}

// Folders returns the violations of all time that keeps selects, by the first folder of their path.
func (q *Query) Folders(ctx context.Context, keeps func(ledger.ViolationTotals) bool) (map[string]int, error) {
	folders := map[string]int{}
	err := q.Sums.Cells(ctx, Folders, nil, spanned(q.Keeps, func(bucket string, o Of, n int64) {
		if v := violationTotal(o); keeps(v) {
			folders[bucket[len(folderBucket("")):]] += int(n)
		}
	}))
	return folders, err
}

// violationTotals returns an adder that adds up violations that differ only in their repository,
// and a function that returns the totals.
func violationTotals() (add adder, list func() []ledger.ViolationTotals) {
	totals, order := map[ledger.ViolationTotals]int{}, []ledger.ViolationTotals{}
	add = func(o Of, n int64) {
		v := violationTotal(o)
		if _, known := totals[v]; !known {
			order = append(order, v)
		}
		totals[v] += int(n)
	}
	return add, func() []ledger.ViolationTotals {
		list := make([]ledger.ViolationTotals, 0, len(order))
		for _, v := range order {
			if n := totals[v]; n > 0 {
				v.Violations = n
				list = append(list, v)
			}
		}
		return list
	}
}

func violationTotal(o Of) ledger.ViolationTotals {
	v := ledger.ViolationTotals{
		EntryPoint: o.Job.EntryPoint, Gate: o.Job.Gate, Adapter: o.Adapter, Model: o.Model, Iteration: o.Iteration,
		Priority: ledger.Priority(o.label(0)), Status: ledger.Status(o.label(1)), Reason: o.label(2),
	}
	v.Shared, v.InFixLines = hasFlag(o.label(3), flagShared), hasFlag(o.label(3), flagFixLines)
	v.Recurring, v.TakenUp = hasFlag(o.label(3), flagRecurring), hasFlag(o.label(3), flagTakenUp)
	return v
}

func hasFlag(flags, flag string) bool { return slices.Contains(strings.Split(flags, ","), flag) }

// label returns a label, or "" if there is none.
func (o Of) label(i int) string {
	if i >= len(o.Labels) {
		return ""
	}
	return o.Labels[i]
}

func (o Of) number(i int) int64 {
	n, _ := strconv.ParseInt(o.label(i), 10, 64) // what is not a number counts as 0
	return n
}

func (o Of) duration(i int) time.Duration { return time.Duration(o.number(i)) * time.Millisecond }

// SlotTotals implements [ledger.StatisticsSource].
func (q *Query) SlotTotals(ctx context.Context, out *ledger.Rows) error {
	totals, order := map[string]map[ledger.SlotFigure]int64{}, []ledger.SlotTotals{}
	err := q.each(ctx, Slots, q.Keeps, func(o Of, n int64) {
		place := o
		place.Repository, place.Labels = "", nil
		key := place.Key()
		if totals[key] == nil {
			totals[key] = map[ledger.SlotFigure]int64{}
			order = append(order, ledger.SlotTotals{
				EntryPoint: o.Job.EntryPoint, Gate: o.Job.Gate, Adapter: o.Adapter, Model: o.Model, Iteration: o.Iteration, Figures: totals[key],
			})
		}
		totals[key][ledger.SlotFigure(o.label(0))] += n
	})
	for _, t := range order {
		if n := t.Figures; n[ledger.FigureAnswered]+n[ledger.FigureErrors]+n[ledger.FigureInterrupted]+n[ledger.FigureSkipped] > 0 {
			out.Slots = append(out.Slots, t)
		}
	}
	return err
}

// SlotTimes implements [ledger.StatisticsSource].
func (q *Query) SlotTimes(ctx context.Context, out *ledger.Rows) error {
	return q.each(ctx, AnswerTimes, q.Keeps, func(o Of, n int64) {
		out.Times = append(out.Times, ledger.TimeTotals{Adapter: o.Adapter, Model: o.Model, Took: o.duration(0), Slots: int(n)})
	})
}

// CheckTotals counts the executions of checks in the period and, for the latest weeks, by week.
func (q *Query) CheckTotals(ctx context.Context, out *ledger.Rows) error {
	check := func(o Of, n int64) ledger.CheckTotals {
		return ledger.CheckTotals{
			Job: o.Job.ID(), EntryPoint: o.Job.EntryPoint, Check: o.Job.Gate, Passed: o.label(0) == CheckPassed, Took: o.duration(1), Executions: int(n),
		}
	}
	keeps := q.keepsGate()
	if err := q.each(ctx, Checks, keeps, func(o Of, n int64) { out.Checks = append(out.Checks, check(o, n)) }); err != nil {
		return err
	}
	weeks := *q
	if first := q.Filter.FirstShownWeek(q.Now); weeks.Filter.Period.Since.Before(first) {
		weeks.Filter.Period.Since = first
	}
	weeks.Filter.LatestWeeks, weeks.FirstEvent = 0, weeks.Filter.Period.Since
	return weeks.byWeek(ctx, Checks, keeps, nil, func(start time.Time, o Of, n int64) {
		c := check(o, n)
		c.Start = start
		out.CheckWeeks = append(out.CheckWeeks, c)
	})
}

// keepsGate is like [Query.Keeps], for subjects that have neither an adapter nor a model.
func (q *Query) keepsGate() func(Of) bool {
	gates := *q
	gates.Filter.Adapter, gates.Filter.Model = "", ""
	return gates.Keeps
}

// FlakyChecks adds the trees on which a check both passed and failed in the period. outcomes
// returns the executions of a check on trees that are flaky according to the sums.
func (q *Query) FlakyChecks(ctx context.Context, out *ledger.Rows, outcomes func(check Job, trees []string) ([]ledger.TreeOutcome, error)) error {
	flaky, keeps := map[Job][]string{}, q.keepsGate()
	err := q.Sums.Cells(ctx, Flaky, []string{""}, func(_, key string, n int64) error {
		o, err := ParseKey(key)
		if o.Repository = q.Filter.Repository; err == nil && n > 0 && keeps(o) {
			flaky[o.Job] = append(flaky[o.Job], o.label(0))
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, check := range slices.SortedFunc(maps.Keys(flaky), func(a, b Job) int { return cmp.Compare(a.ID(), b.ID()) }) {
		found, err := outcomes(check, flaky[check])
		if err != nil {
			return err
		}
		out.AddFlaky(found)
	}
	return nil
}

// Reviewing has the reviewers that took part in runs.
type Reviewing struct {
	Adapters, Models []string // sorted
	Violations       int      // that they reported
}

// Reviewing returns the reviewers of all time, and how many violations they reported.
func (q *Query) Reviewing(ctx context.Context) (r Reviewing, err error) {
	err = q.Sums.Cells(ctx, Reviewers, []string{""}, func(_, key string, n int64) error {
		o, err := ParseKey(key)
		if err != nil || n == 0 {
			return err
		}
		r.Adapters, r.Models = append(r.Adapters, o.Adapter), append(r.Models, o.Model)
		if o.label(0) == reviewerViolations {
			r.Violations += int(n)
		}
		return nil
	})
	slices.Sort(r.Adapters)
	slices.Sort(r.Models)
	r.Adapters, r.Models = slices.Compact(r.Adapters), slices.Compact(r.Models)
	return r, err
}
