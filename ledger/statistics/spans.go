package statistics

import (
	"context"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// byWeek adds up a measure by the weeks of the period, given when they begin.
func (q *Query) byWeek(ctx context.Context, m Measure, keeps func(Of) bool, add func(start time.Time, o Of, n int64)) error {
	whole, names := map[string]time.Time{}, []string{}
	for _, span := range q.weeks() {
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
			whole[weekBucket(span.Start)] = span.Start
			names = append(names, weekBucket(span.Start))
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

// weeks are those that are wanted.
func (q *Query) weeks() []ledger.Span {
	return q.Filter.Latest(q.FirstEvent, q.Now).Period.Weeks(q.FirstEvent, q.Now)
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

// Weeks implements [ledger.StatisticsSource].
func (q *Query) Weeks(ctx context.Context, out *ledger.Rows) error {
	out.Weeks = ledger.NewPeriodRows(q.FirstEvent)
	if err := q.events(ctx, &out.Weeks); err != nil {
		return err
	}
	return q.byWeek(ctx, Costs, q.Keeps, func(start time.Time, o Of, n int64) {
		switch o.label(0) {
		case SlotCostNano:
			out.Weeks.AddCostAt(start, n, 0, 0)
		case SlotWithCost:
			out.Weeks.AddCostAt(start, 0, n, 0)
		case SlotCalls:
			out.Weeks.AddCostAt(start, 0, 0, n)
		}
	})
}

// events counts violations that had events by week. What a period cuts is counted from
// the events themselves.
func (q *Query) events(ctx context.Context, out *ledger.PeriodRows) error {
	whole, names := map[string]time.Time{}, []string{}
	for _, span := range q.weeks() {
		if span.Whole {
			bucket := weekBucket(span.Start)
			whole[bucket], names = span.Start, append(names, bucket)
			continue
		}
		err := q.EventsIn(ctx, span.Within, func(status string, n int64) { out.AddEvents(span.Start, status, n) })
		if err != nil {
			return err
		}
	}
	add := func(start time.Time) func(string, int64) error {
		return q.parsed(q.Keeps, func(o Of, n int64) { out.AddEvents(start, o.label(0), n) })
	}
	if !q.ByRun() {
		if len(names) == 0 {
			return nil
		}
		return q.Sums.Cells(ctx, WeekEvents, q.buckets(names...), spanned(q.Keeps, func(bucket string, o Of, n int64) {
			out.AddEvents(whole[q.unbucket(bucket)], o.label(0), n)
		}))
	}
	runs, err := q.runs(ctx)
	for _, counts := range runs {
		for _, count := range counts {
			if err != nil {
				return err
			}
			if count.Measure != WeekEvents {
				continue
			}
			if start, ok := whole[weekBucket(time.UnixMilli(count.At))]; ok {
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
	parse := q.parsed(q.Keeps, func(o Of, n int64) { add(o.label(0), n) })
	return q.Sums.Cells(ctx, DayEvents, q.buckets(days...), func(_, key string, n int64) error { return parse(key, n) })
}
