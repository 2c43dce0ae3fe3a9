package store

import (
	"context"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// Periods implements [ledger.StatisticsSource].
func (q *statisticsQuery) Periods(ctx context.Context, unit ledger.PeriodUnit, out *ledger.PeriodRows) error {
	text, err := q.FirstEvent(ctx)
	if err != nil {
		return err
	}
	first, err := timeOf(text)
	if err != nil {
		return err
	}
	*out = ledger.NewPeriodRows(unit, first)
	q = q.latest(unit, first)
	switch {
	case q.filter.Model != "" || q.runs != anyWord && unit != ledger.ByWeek:
		err = q.eventsOfRuns(ctx, unit, out)
	case q.runs != anyWord:
		err = out.ReadEvents(ctx, q.filter.Period, q.now, eventsOfRuns{q})
	default:
		err = out.ReadEvents(ctx, q.filter.Period, q.now, eventTotals{q})
	}
	if err != nil {
		return err
	}
	return q.costs(ctx, out)
}

// latest is the query of the latest weeks alone, where only so many are wanted.
func (q *statisticsQuery) latest(unit ledger.PeriodUnit, first time.Time) *statisticsQuery {
	filter, fewer := q.filter.Latest(unit, first, q.now)
	if !fewer {
		return q
	}
	late := *q
	late.filter = filter // it begins with a whole day, so it has no edge there
	late.since = since(late.filter.Period)
	_, edges := late.filter.Period.TotalsOf(late.filter.Period.Since, q.now)
	late.edges = jsonEdges(edges)
	return &late
}

// eventTotals implements [ledger.EventSource].
type eventTotals struct{ *statisticsQuery }

// EventsIn implements [ledger.EventSource].
func (q eventTotals) EventsIn(ctx context.Context, p ledger.Period, add func(string, int64)) error {
	week, edges := p.DaysOf()
	first, last := p.WholeDays()
	cut := []string{} // days of which only a part is in the period
	for _, edge := range edges {
		day, _ := edge.Beside()
		cut = append(cut, day)
	}
	rows, err := q.EventsInPeriod(ctx, db.EventsInPeriodParams{
		Week: jsonList(week), FirstDay: first, LastDay: last, Cut: jsonList(cut), Edges: jsonEdges(edges), Period: jsonEdges([]ledger.Period{p}),
		Repositories: q.repositories, Jobs: q.jobs, Adapter: q.filter.Adapter,
	})
	for _, r := range rows {
		add(r.Status, r.Violations)
	}
	return err
}

// EventsByBucket implements [ledger.EventSource].
func (q eventTotals) EventsByBucket(ctx context.Context, first, last string, add func(bucket, event string, violations int64)) error {
	rows, err := q.tx.EventsByBucket(ctx, db.EventsByBucketParams{
		FirstBucket: first, LastBucket: last, Repositories: q.repositories, Jobs: q.jobs, Adapter: q.filter.Adapter,
	})
	for _, r := range rows {
		add(r.Bucket, r.Status, r.Violations)
	}
	return err
}

// eventsOfRuns implements [ledger.EventSource], by week, where some runs are left.
type eventsOfRuns struct{ *statisticsQuery }

// EventsIn implements [ledger.EventSource].
func (q eventsOfRuns) EventsIn(ctx context.Context, p ledger.Period, add func(string, int64)) error {
	week, _ := p.DaysOf()
	runs, err := q.RunsOfWeek(ctx, db.RunsOfWeekParams{Runs: q.runs, Week: week[0]})
	if err != nil || len(runs) == 0 {
		return err
	}
	rows, err := q.EventsOfRuns(ctx, db.EventsOfRunsParams{
		Unit: string(ledger.ByWeek), Runs: jsonList(runs), Since: since(p), Until: until(p),
		Repositories: q.repositories, Jobs: q.jobs, Adapter: q.filter.Adapter,
	})
	for _, r := range rows {
		add(r.Status, r.Violations)
	}
	return err
}

// EventsByBucket implements [ledger.EventSource].
func (q eventsOfRuns) EventsByBucket(ctx context.Context, first, last string, add func(bucket, event string, violations int64)) error {
	rows, err := q.WeeksOfRuns(ctx, db.WeeksOfRunsParams{
		Runs: q.runs, FirstWeek: first, LastWeek: last, Repositories: q.repositories, Jobs: q.jobs, Adapter: q.filter.Adapter,
	})
	for _, r := range rows {
		add(r.Bucket, r.Status, r.Violations)
	}
	return err
}

// eventsOfRuns counts the events themselves.
func (q *statisticsQuery) eventsOfRuns(ctx context.Context, unit ledger.PeriodUnit, out *ledger.PeriodRows) error {
	runs := q.runs
	if runs == anyWord {
		all, err := q.RunsOfScope(ctx, db.RunsOfScopeParams{})
		if err != nil {
			return err
		}
		if runs, err = asJSON(all); err != nil {
			return err
		}
	}
	rows, err := q.EventsOfRuns(ctx, db.EventsOfRunsParams{
		Unit: string(unit), Runs: runs, Since: q.since, Until: q.until,
		Repositories: q.repositories, Jobs: q.jobs, Adapter: q.filter.Adapter, Model: q.filter.Model,
	})
	for _, r := range rows {
		if err := out.AddEventsOf(r.Start, r.Status, r.Violations); err != nil {
			return err
		}
	}
	return err
}

// costs reads what slots cost by day.
func (q *statisticsQuery) costs(ctx context.Context, out *ledger.PeriodRows) error {
	p := db.CostByDayParams{
		Edges: q.edges, Runs: q.runs, Since: q.since, Until: q.until,
		Repositories: q.repositories, Jobs: q.jobs, Adapter: q.filter.Adapter, Model: q.filter.Model,
	}
	if q.runs == anyWord {
		p.FirstDay, p.LastDay = q.filter.Period.WholeDays()
	}
	rows, err := q.CostByDay(ctx, p)
	for _, r := range rows {
		if err := out.AddCost(r.Day, r.CostNano, r.WithCost, r.Calls); err != nil {
			return err
		}
	}
	return err
}
