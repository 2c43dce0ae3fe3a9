package statistics

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// Sums is where sums are kept.
type Sums interface {
	// Cells calls add with the numbers of a measure in these buckets; nil is all of them.
	Cells(ctx context.Context, m Measure, buckets []string, add func(bucket, key string, n int64) error) error
	// Sum does the same where it does not matter in which bucket a number is: it may add up
	// those of a key, and of keys that differ in what every filter leaves.
	Sum(ctx context.Context, m Measure, buckets []string, add func(key string, n int64) error) error
	// OnDay calls add with the counts of each run that has counts on a day, as buckets name
	// it, and is of the branch; empty: of any.
	OnDay(ctx context.Context, day, branch string, add func(Counts) error) error
	// OfRuns calls add with the counts of each run of the scope.
	OfRuns(ctx context.Context, s Scope, add func(Counts) error) error
	// Numbers calls add with the numbers of a measure with these keys in these buckets.
	Numbers(ctx context.Context, m Measure, buckets, keys []string, add func(bucket, key string, n int64) error) error
	// Largest calls add with the numbers of a measure in a bucket, the largest first and
	// equal ones by key, until it says that it has enough.
	Largest(ctx context.Context, m Measure, bucket string, add func(key string, n int64) (enough bool, err error)) error
}

// Scope selects runs. Empty fields select all.
type Scope struct{ Run, Branch, Worktree string }

// Query answers the questions of a filter that sums can answer. It implements a part of
// [ledger.StatisticsSource].
type Query struct {
	Sums   Sums
	Filter ledger.StatisticsFilter
	Now    time.Time
	// FirstRun and FirstEvent are when the first run began and when the first event was;
	// zero: there is none.
	FirstRun, FirstEvent time.Time
	// EventsIn counts the violations that had an event in a period, by its status. It is
	// asked of weeks and days that a period cuts: a violation that has an event twice
	// in one counts once.
	EventsIn func(ctx context.Context, p ledger.Period, add func(status string, violations int64)) error

	// chosen and days are the counts of runs that were read one by one.
	chosen []Counts
	read   bool
	days   map[string][]Counts
	// always reads runs one by one.
	always bool
}

// ByRun reports whether the filter selects runs of which sums have no buckets.
func (q *Query) ByRun() bool {
	f := q.Filter
	return q.always || f.Run != "" || f.Worktree != "" || f.Branch != "" && !Trunk(f.Branch)
}

// Unfiltered reports whether the filter leaves all violations, but for a repository.
func (q *Query) Unfiltered() bool {
	f := q.Filter
	return f.Run == "" && f.Worktree == "" && f.Branch == "" && f.Period == (ledger.Period{}) &&
		f.Gate == "" && f.EntryPoint == "" && f.Adapter == "" && f.Model == ""
}

// runs are the counts of the selected runs.
func (q *Query) runs(ctx context.Context) ([]Counts, error) {
	if q.read {
		return q.chosen, nil
	}
	err := q.Sums.OfRuns(ctx, Scope{q.Filter.Run, q.Filter.Branch, q.Filter.Worktree}, func(c Counts) error {
		q.chosen = append(q.chosen, c)
		return nil
	})
	q.read = err == nil
	return q.chosen, err
}

// onDay are the counts of the runs that have some on a day, and are of the branch that the
// filter selects.
func (q *Query) onDay(ctx context.Context, day string) ([]Counts, error) {
	place := BranchBucket(q.Filter.Branch, day)
	if counts, known := q.days[place]; known {
		return counts, nil
	}
	var list []Counts
	err := q.Sums.OnDay(ctx, day, q.Filter.Branch, func(c Counts) error {
		list = append(list, c)
		return nil
	})
	if q.days == nil {
		q.days = map[string][]Counts{}
	}
	if err == nil {
		q.days[place] = list
	}
	return list, err
}

// buckets are the names of buckets for the branch that the filter selects.
func (q *Query) buckets(buckets ...string) []string {
	if q.Filter.Branch == "" {
		return buckets
	}
	of := make([]string, len(buckets))
	for i, bucket := range buckets {
		of[i] = BranchBucket(q.Filter.Branch, bucket)
	}
	return of
}

// unbucket is a bucket without its branch.
func (q *Query) unbucket(bucket string) string {
	return bucket[len(q.buckets("")[0]):]
}

// keeps reports whether the filter leaves what a count is of.
func (q *Query) keeps(o Of) bool {
	f := q.Filter
	return (f.Repository == "" || o.Repository == f.Repository) && (f.Gate == "" || o.Job.Gate == f.Gate) &&
		(f.EntryPoint == "" || o.Job.EntryPoint == f.EntryPoint) && (f.Adapter == "" || o.Adapter == f.Adapter) &&
		(f.Model == "" || o.Model == f.Model)
}

// holds reports whether the filter leaves the repository that a file or a line is of.
func (q *Query) holds(own string) bool {
	r := q.Filter.Repository
	return r == "" || own == r || r == ledger.UnknownRepository && strings.HasPrefix(own, UnknownOf(""))
}

// UnknownOf tells a repository that is not known from others that are not.
func UnknownOf(id string) string { return ledger.UnknownRepository + " " + id }

// adder adds a number of what is of.
type adder func(o Of, n int64)

// parsed parses keys and leaves out what the filter leaves out.
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

// spanned does the same with numbers of several buckets. Most keys are in many of them, and each is
// parsed once.
func spanned(keeps func(Of) bool, add func(bucket string, o Of, n int64)) func(bucket, key string, n int64) error {
	kept := map[string]*Of{} // nil: it is left out
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
	if m == Branches || m == RunBranches { // these know their branch
		if branch := q.Filter.Branch; branch != "" {
			of := keeps
			keeps = func(o Of) bool { return of(o) && o.label(0) == branch }
		}
		all := *q
		all.Filter.Branch = ""
		q = &all
	}
	buckets, edges := q.Filter.Period.TotalsOf(q.FirstRun, q.Now)
	return q.over(ctx, m, buckets, edges, q.parsed(keeps, add))
}

// over adds up buckets and what lies beside them.
func (q *Query) over(ctx context.Context, m Measure, buckets []string, edges []ledger.Period, add func(string, int64) error) error {
	var err error
	if len(buckets) > 0 {
		err = q.Sums.Sum(ctx, m, q.buckets(buckets...), add)
	}
	for _, edge := range edges {
		if err != nil {
			return err
		}
		var runs []Counts
		if runs, err = q.onDay(ctx, ledger.ByDay.Start(edge.Since).Format(time.DateOnly)); err == nil {
			err = within(runs, m, edge, add)
		}
	}
	return err
}

// within adds the counts of runs that lie in a period.
func within(runs []Counts, m Measure, p ledger.Period, add func(string, int64) error) error {
	for _, counts := range runs {
		for _, count := range counts {
			if count.Measure != m || count.At != 0 && !inPeriod(p, count.At) {
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

// bySpan adds up a measure by the weeks or days of the period, given when they begin.
func (q *Query) bySpan(ctx context.Context, m Measure, unit ledger.PeriodUnit, keeps func(Of) bool, add func(start time.Time, o Of, n int64)) error {
	filter, _ := q.Filter.Latest(unit, q.FirstEvent, q.Now)
	whole, names := map[string]time.Time{}, []string{}
	for _, span := range unit.Spans(filter.Period, q.FirstEvent, q.Now) {
		to := q.parsed(keeps, func(o Of, n int64) { add(span.Start, o, n) })
		switch {
		case q.ByRun():
			runs, err := q.runs(ctx)
			if err == nil {
				err = within(runs, m, span.Within, to)
			}
			if err != nil {
				return err
			}
		case span.Whole:
			whole[bucketOf(unit, span.Start)] = span.Start
			names = append(names, bucketOf(unit, span.Start))
		default:
			if err := q.over(ctx, m, wholeDays(span.Within), span.Within.Edges(), to); err != nil {
				return err
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	return q.Sums.Cells(ctx, m, q.buckets(names...), spanned(keeps, func(bucket string, o Of, n int64) {
		add(whole[q.unbucket(bucket)], o, n)
	}))
}

// wholeDays are the buckets of days that lie in a period with two ends as a whole.
func wholeDays(p ledger.Period) (days []string) {
	first, last := p.WholeDays()
	for day := ledger.ByDay.Start(p.Since); day.Before(p.Until); day = ledger.ByDay.Next(day) {
		if bucket := day.Format(time.DateOnly); first <= bucket && bucket < last {
			days = append(days, bucket)
		}
	}
	return days
}

func bucketOf(unit ledger.PeriodUnit, start time.Time) string {
	if unit == ledger.ByWeek {
		return WeekBucket(start)
	}
	return start.Format(time.DateOnly)
}

// ViolationTotals implements [ledger.StatisticsSource].
func (q *Query) ViolationTotals(ctx context.Context, out *ledger.Rows) error {
	add, list := violationTotals()
	err := q.each(ctx, Violations, q.keeps, add)
	out.Violations = list()
	return err
}

// InFolder are the violations of all time below the first folder of their path.
func (q *Query) InFolder(ctx context.Context, folder string) ([]ledger.ViolationTotals, error) {
	add, list := violationTotals()
	parse := q.parsed(q.keeps, add)
	err := q.Sums.Cells(ctx, Folders, []string{FolderBucket(folder)}, func(_, key string, n int64) error { return parse(key, n) })
	return list(), err
}

// Folders are the violations of all time that keeps leaves, by the first folder of their
// path.
func (q *Query) Folders(ctx context.Context, keeps func(ledger.ViolationTotals) bool) (map[string]int, error) {
	folders := map[string]int{}
	err := q.Sums.Cells(ctx, Folders, nil, spanned(q.keeps, func(bucket string, o Of, n int64) {
		if v := violationTotal(o); keeps(v) {
			folders[bucket[len(FolderBucket("")):]] += int(n)
		}
	}))
	return folders, err
}

// violationTotals adds up violations that differ in the repository only.
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
	v.Shared, v.InFixLines, v.Recurring = hasFlag(o.label(3), flagShared), hasFlag(o.label(3), flagFixLines), hasFlag(o.label(3), flagRecurring)
	return v
}

func hasFlag(flags, flag string) bool { return slices.Contains(strings.Split(flags, ","), flag) }

// label is a label, or empty.
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
	totals, order := map[string]*ledger.SlotTotals{}, []string{}
	err := q.each(ctx, Slots, q.keeps, func(o Of, n int64) {
		figure := o.label(0)
		place := o
		place.Repository, place.Labels = "", nil
		key := place.Key()
		t := totals[key]
		if t == nil {
			t = &ledger.SlotTotals{EntryPoint: o.Job.EntryPoint, Gate: o.Job.Gate, Adapter: o.Adapter, Model: o.Model, Iteration: o.Iteration}
			totals[key], order = t, append(order, key)
		}
		addFigure(t, figure, n)
	})
	for _, key := range order {
		if t := totals[key]; t.Answered+t.Errors+t.Interrupted+t.Skipped > 0 {
			out.Slots = append(out.Slots, *t)
		}
	}
	return err
}

func addFigure(t *ledger.SlotTotals, figure string, n int64) {
	for name, number := range map[string]*int{
		SlotAnswered: &t.Answered, SlotErrors: &t.Errors, SlotInterrupted: &t.Interrupted, SlotSkipped: &t.Skipped,
		SlotAccepted: &t.Counts.Accepted, SlotOutOfDiff: &t.Counts.OutOfDiff, SlotBelowThreshold: &t.Counts.BelowThreshold,
		SlotPreviouslySkipped: &t.Counts.PreviouslySkipped, SlotRememberedSkip: &t.Counts.RememberedSkip,
		SlotMalformed: &t.Counts.Malformed, SlotMerged: &t.Counts.Merged, SlotOutsideVerify: &t.Counts.OutsideVerify,
		SlotReopened: &t.Counts.Reopened, SlotVerified: &t.Counts.Verified, SlotCarried: &t.Counts.Carried,
		SlotWithTokens: &t.WithTokens, SlotWithCost: &t.WithCost,
	} {
		if name == figure {
			*number += int(n)
			return
		}
	}
	for name, number := range map[string]*int64{
		SlotInputTokens: &t.InputTokens, SlotCachedTokens: &t.CachedTokens, SlotOutputTokens: &t.OutputTokens,
		SlotCostNano: &t.CostNano, SlotSavedTokens: &t.SavedTokens, SlotSavedNano: &t.SavedNano,
	} {
		if name == figure {
			*number += n
			return
		}
	}
}

// Repairs implements [ledger.StatisticsSource].
func (q *Query) Repairs(ctx context.Context, out *ledger.Rows) error {
	type reviewer struct{ adapter, model string }
	calls, order := map[reviewer]int{}, []reviewer{}
	err := q.each(ctx, Slots, q.keeps, func(o Of, n int64) {
		if o.label(0) != SlotRepairs {
			return
		}
		r := reviewer{o.Adapter, o.Model}
		if _, known := calls[r]; !known {
			order = append(order, r)
		}
		calls[r] += int(n)
	})
	for _, r := range order {
		out.Repairs = append(out.Repairs, ledger.RepairTotals{Adapter: r.adapter, Model: r.model, Calls: calls[r]})
	}
	return err
}

// SlotTimes implements [ledger.StatisticsSource].
func (q *Query) SlotTimes(ctx context.Context, out *ledger.Rows) error {
	return q.each(ctx, AnswerTimes, q.keeps, func(o Of, n int64) {
		out.Times = append(out.Times, ledger.TimeTotals{Adapter: o.Adapter, Model: o.Model, Took: o.duration(0), Slots: int(n)})
	})
}

// CheckTotals are the executions of checks in the period, and of the latest weeks by week.
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
	return weeks.bySpan(ctx, Checks, ledger.ByWeek, keeps, func(start time.Time, o Of, n int64) {
		c := check(o, n)
		c.Start = start
		out.CheckWeeks = append(out.CheckWeeks, c)
	})
}

// keepsGate is keeps for what has neither adapter nor model.
func (q *Query) keepsGate() func(Of) bool {
	gates := *q
	gates.Filter.Adapter, gates.Filter.Model = "", ""
	return gates.keeps
}

// FlakyTrees are the trees on which a check both passed and failed.
func (q *Query) FlakyTrees(ctx context.Context) (flaky map[Job][]string, err error) {
	flaky = map[Job][]string{}
	keeps := q.keepsGate()
	err = q.Sums.Cells(ctx, Flaky, []string{""}, func(_, key string, n int64) error {
		o, err := ParseKey(key)
		if o.Repository = q.Filter.Repository; err == nil && n > 0 && keeps(o) {
			flaky[o.Job] = append(flaky[o.Job], o.label(0))
		}
		return err
	})
	return flaky, err
}

// RunTotals implements [ledger.StatisticsSource].
func (q *Query) RunTotals(ctx context.Context, out *ledger.Rows) error {
	part, counted := q.part()
	if !counted {
		one, err := q.withAllParts(ctx)
		if err != nil {
			return err
		}
		return one.RunTotals(ctx, out)
	}
	of := func(label int) func(Of) bool {
		return func(o Of) bool {
			return (q.Filter.Repository == "" || o.Repository == q.Filter.Repository) && o.label(label) == part
		}
	}
	err := q.each(ctx, Runs, of(2), func(o Of, n int64) {
		out.Runs.AddTotals(ledger.RunStatus(o.label(0)), int(o.number(1)), int(n))
	})
	if err != nil {
		return err
	}
	err = q.each(ctx, RunTimes, of(1), func(o Of, n int64) { out.Runs.AddTimes(o.duration(0), int(n)) })
	if err != nil {
		return err
	}
	if unit := q.runUnit(); unit != "" {
		err = q.bySpan(ctx, Runs, unit, of(2), func(start time.Time, o Of, n int64) {
			out.Runs.AddDay(start, ledger.RunStatus(o.label(0)), int(n))
		})
		if err != nil {
			return err
		}
	}
	if !q.Filter.Wants(ledger.SectionBranches) {
		return nil
	}
	return q.each(ctx, RunBranches, of(2), func(o Of, n int64) {
		out.Runs.AddBranch(o.label(0), ledger.RunStatus(o.label(1)), int(n))
	})
}

// runUnit is the stretch of time by which runs are wanted; empty: by none. Weeks can be made
// of days.
func (q *Query) runUnit() ledger.PeriodUnit {
	switch {
	case q.Filter.Wants(ledger.SectionDays):
		return ledger.ByDay
	case q.Filter.Wants(ledger.SectionWeeks):
		return ledger.ByWeek
	}
	return ""
}

// part is the part of runs that the filter leaves. Sums do not know which runs have two.
func (q *Query) part() (part string, counted bool) {
	parts := q.parts()
	switch len(parts) {
	case 0:
		return "", true
	case 1:
		return parts[0], true
	}
	return "", false
}

// parts are those that a run must have for the filter to leave it.
func (q *Query) parts() (parts []string) {
	f := q.Filter
	switch {
	case f.Gate != "" && f.EntryPoint != "":
		parts = append(parts, jobPart(f.EntryPoint, f.Gate))
	case f.Gate != "":
		parts = append(parts, gatePart+f.Gate)
	case f.EntryPoint != "":
		parts = append(parts, entryPart+f.EntryPoint)
	}
	if f.Adapter != "" {
		parts = append(parts, adapterPart+f.Adapter)
	}
	return parts
}

// withAllParts is the same question of the runs that have all parts, which are read one by
// one.
func (q *Query) withAllParts(ctx context.Context) (*Query, error) {
	one := *q
	parts := q.parts()
	one.Filter.Gate, one.Filter.EntryPoint, one.Filter.Adapter = "", "", ""
	one.chosen, one.read, one.days = nil, true, nil
	err := q.Sums.OfRuns(ctx, Scope{q.Filter.Run, q.Filter.Branch, q.Filter.Worktree}, func(c Counts) error {
		missing := slices.Clone(parts)
		for _, count := range c {
			if count.Measure != Runs {
				continue
			}
			o, err := ParseKey(count.Key)
			if err != nil {
				return err
			}
			missing = slices.DeleteFunc(missing, func(part string) bool { return part == o.label(2) })
		}
		if len(missing) == 0 {
			one.chosen = append(one.chosen, c)
		}
		return nil
	})
	one.always = true
	return &one, err
}

// Branches implements [ledger.StatisticsSource].
func (q *Query) Branches(ctx context.Context, out *ledger.Rows) error {
	return q.each(ctx, Branches, q.keeps, func(o Of, n int64) {
		out.Branches = append(out.Branches, ledger.BranchTotals{Branch: o.label(0), Status: ledger.Status(o.label(1)), Violations: int(n)})
	})
}

// Periods implements [ledger.StatisticsSource].
func (q *Query) Periods(ctx context.Context, unit ledger.PeriodUnit, out *ledger.PeriodRows) error {
	*out = ledger.NewPeriodRows(unit, q.FirstEvent)
	if err := q.events(ctx, unit, out); err != nil {
		return err
	}
	return q.bySpan(ctx, Costs, unit, q.keeps, func(start time.Time, o Of, n int64) {
		switch o.label(0) {
		case SlotCostNano:
			out.AddCostAt(start, n, 0, 0)
		case SlotWithCost:
			out.AddCostAt(start, 0, n, 0)
		case SlotCalls:
			out.AddCostAt(start, 0, 0, n)
		}
	})
}

// events counts violations that had events by week or day. What a period cuts is counted from
// the events themselves.
func (q *Query) events(ctx context.Context, unit ledger.PeriodUnit, out *ledger.PeriodRows) error {
	measure := DayEvents
	if unit == ledger.ByWeek {
		measure = WeekEvents
	}
	filter, _ := q.Filter.Latest(unit, q.FirstEvent, q.Now)
	whole, names := map[string]time.Time{}, []string{}
	for _, span := range unit.Spans(filter.Period, q.FirstEvent, q.Now) {
		if span.Whole {
			bucket := bucketOf(unit, span.Start)
			whole[bucket], names = span.Start, append(names, bucket)
			continue
		}
		err := q.EventsIn(ctx, span.Within, func(status string, n int64) { out.AddEvents(span.Start, status, n) })
		if err != nil {
			return err
		}
	}
	add := func(start time.Time) func(string, int64) error {
		return q.parsed(q.keeps, func(o Of, n int64) { out.AddEvents(start, o.label(0), n) })
	}
	if !q.ByRun() {
		if len(names) == 0 {
			return nil
		}
		return q.Sums.Cells(ctx, measure, q.buckets(names...), spanned(q.keeps, func(bucket string, o Of, n int64) {
			out.AddEvents(whole[q.unbucket(bucket)], o.label(0), n)
		}))
	}
	runs, err := q.runs(ctx)
	for _, counts := range runs {
		for _, count := range counts {
			if err != nil {
				return err
			}
			if count.Measure != measure {
				continue
			}
			if start, ok := whole[bucketOf(unit, time.UnixMilli(count.At).UTC())]; ok {
				err = add(start)(count.Key, count.N)
			}
		}
	}
	return err
}

// EventsOfDays counts the violations that had events on days, which buckets name, once for each
// day.
func (q *Query) EventsOfDays(ctx context.Context, days []string, add func(status string, violations int64)) error {
	if len(days) == 0 {
		return nil
	}
	parse := q.parsed(q.keeps, func(o Of, n int64) { add(o.label(0), n) })
	return q.Sums.Cells(ctx, DayEvents, q.buckets(days...), func(_, key string, n int64) error { return parse(key, n) })
}

// File is a file with the numbers of its violations.
type File struct {
	Repository, Name string
	Counts           ledger.FileCounts
	Reopened, Runs   int64
}

func (f *File) set(bucket string, n int64) {
	c := &f.Counts
	numbers := map[string]*int64{
		FileViolations: &c.Violations, FileOpen: &c.Open, FileAbandoned: &c.Abandoned, FileClaimed: &c.Claimed,
		FileVerified: &c.Verified, FileSkipped: &c.Skipped, FileInFixLines: &c.InFixLines, FileReopened: &f.Reopened, FileRuns: &f.Runs,
	}
	if number, known := numbers[bucket]; known {
		*number = n
	}
}

var fileOutcomes = []string{FileViolations, FileOpen, FileAbandoned, FileClaimed, FileVerified, FileSkipped, FileInFixLines, FileReopened, FileRuns}

// TopFiles are the files with most violations of all time; 0 is all of them.
func (q *Query) TopFiles(ctx context.Context, atMost int) (files []File, err error) {
	var keys []string
	err = q.Sums.Largest(ctx, Files, FileViolations, func(key string, n int64) (bool, error) {
		o, err := ParseKey(key)
		if err == nil && n > 0 && q.holds(o.label(1)) {
			keys = append(keys, key)
			files = append(files, File{Name: o.label(0), Repository: o.label(1)})
		}
		return atMost > 0 && len(files) >= atMost, err
	})
	if err != nil || len(files) == 0 {
		return nil, err
	}
	of := make(map[string]*File, len(files))
	for i, key := range keys {
		of[key] = &files[i]
	}
	return files, q.Sums.Numbers(ctx, Files, fileOutcomes, keys, func(bucket, key string, n int64) error {
		of[key].set(bucket, n)
		return nil
	})
}

// Line is a fingerprint that violations of several runs have.
type Line struct {
	Repository, Fingerprint string
	Runs                    int64
}

// TopLines are the lines of most runs of all time; 0 is all of them.
func (q *Query) TopLines(ctx context.Context, atMost int) (lines []Line, err error) {
	err = q.Sums.Largest(ctx, Lines, LineRuns, func(key string, n int64) (bool, error) {
		o, err := ParseKey(key)
		if err == nil && n > 1 && q.holds(o.label(1)) {
			lines = append(lines, Line{Repository: o.label(1), Fingerprint: o.label(0), Runs: n})
		}
		return atMost > 0 && len(lines) >= atMost, err
	})
	return lines, err
}

// Reviewing are the reviewers that runs had.
type Reviewing struct {
	Adapters, Models []string // in order
	Violations       int      // that they reported
}

// Reviewing are the reviewers of all time, and how many violations they reported.
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
