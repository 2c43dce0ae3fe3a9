package statistics

import (
	"context"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// byWeek adds up a measure by the weeks of the period, which are identified by their start. If cut
// is not nil, it is called for the weeks of which the period contains only a part.
func (q *Query) byWeek(ctx context.Context, m Measure, keeps func(Of) bool, cut func(ledger.Span) error, add func(start time.Time, o Of, n int64)) error {
	ofRuns, whole, names := map[time.Time]ledger.Period{}, map[string]time.Time{}, []string{}
	for _, span := range q.Filter.Latest(q.FirstEvent, q.Now).Period.Weeks(q.FirstEvent, q.Now) {
		var err error
		switch {
		case !span.Whole && cut != nil:
			err = cut(span)
		case q.ByRun():
			ofRuns[span.Start] = span.Within
		case span.Whole:
			whole[weekBucket(span.Start)] = span.Start
			names = append(names, weekBucket(span.Start))
		default:
			to := q.parsed(keeps, func(o Of, n int64) { add(span.Start, o, n) })
			err = q.over(ctx, m, span.Within.DaysWithin(), span.Within.Edges(), to)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case len(ofRuns) > 0:
		return q.runsByWeek(ctx, m, ofRuns, keeps, add)
	case len(names) == 0:
		return nil
	}
	return q.Sums.Cells(ctx, m, q.buckets(names...), spanned(keeps, func(bucket string, o Of, n int64) {
		add(whole[q.unbucket(bucket)], o, n)
	}))
}

// runsByWeek adds up a measure of the selected runs by week. Only the given parts of the weeks
// count.
func (q *Query) runsByWeek(ctx context.Context, m Measure, weeks map[time.Time]ledger.Period, keeps func(Of) bool, add func(start time.Time, o Of, n int64)) error {
	runs, err := q.runs(ctx)
	if err != nil {
		return err
	}
	for _, run := range runs {
		counts, err := run.Of(m)
		if err != nil {
			return err
		}
		for _, count := range counts {
			start := ledger.ByWeek.Start(time.UnixMilli(count.At))
			part, wanted := weeks[start]
			if !wanted || !inPeriod(part, count.At) {
				continue
			}
			if err := q.parsed(keeps, func(o Of, n int64) { add(start, o, n) })(count.Key, count.N); err != nil {
				return err
			}
		}
	}
	return nil
}

// Weeks implements [ledger.StatisticsSource].
func (q *Query) Weeks(ctx context.Context, out *ledger.Rows) error {
	out.Weeks = ledger.PeriodRows{First: q.FirstEvent}
	if err := q.events(ctx, &out.Weeks); err != nil {
		return err
	}
	return q.byWeek(ctx, Costs, q.Keeps, nil, func(start time.Time, o Of, n int64) {
		out.Weeks.AddCost(start, ledger.SlotFigure(o.label(0)), n)
	})
}

// events counts by week the violations that had events. Weeks that are only partly in the period
// are counted from the events themselves.
func (q *Query) events(ctx context.Context, out *ledger.PeriodRows) error {
	return q.byWeek(ctx, WeekEvents, q.Keeps, func(week ledger.Span) error {
		return q.EventsIn(ctx, week.Within, func(status string, n int64) { out.AddEvents(week.Start, status, n) })
	}, func(start time.Time, o Of, n int64) { out.AddEvents(start, o.label(0), n) })
}

// EventsOfDays counts the violations that had events on days, given as the names of their buckets,
// once for each day.
func (q *Query) EventsOfDays(ctx context.Context, days []string, add func(status string, violations int64)) error {
	if len(days) == 0 {
		return nil
	}
	parse := q.parsed(q.Keeps, func(o Of, n int64) { add(o.label(0), n) })
	return q.Sums.Cells(ctx, DayEvents, q.buckets(days...), func(_, key string, n int64) error { return parse(key, n) })
}
