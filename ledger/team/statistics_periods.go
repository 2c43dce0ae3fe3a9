package team

import (
	"context"
	"time"

	"github.com/reviewledger/reviewledger/db/postgres"
	"github.com/reviewledger/reviewledger/ledger"
)

// Periods implements [ledger.StatisticsSource].
func (q *statisticsQuery) Periods(ctx context.Context, unit ledger.PeriodUnit, out *ledger.PeriodRows) error {
	first, err := q.FirstEvent(ctx, eventWords())
	if err != nil {
		return err
	}
	*out = ledger.NewPeriodRows(unit, first)
	q = q.latest(unit, first)
	if q.counted() {
		if err := out.ReadEvents(ctx, q.filter.Period, q.now, eventTotals{q}); err != nil {
			return err
		}
	}
	if len(q.cells.Runs) > 0 {
		if err := q.eventsOfRuns(ctx, unit, out); err != nil {
			return err
		}
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
	late.filter, late.cells.Since = filter, filter.Period.Since
	if q.counted() {
		_, edges := filter.Period.TotalsOf(filter.Period.Since, q.now)
		late.setEdges(edges)
	}
	return &late
}

// eventWords are the statuses that events give.
func eventWords() (words []string) {
	for _, status := range ledger.Statuses() {
		words = append(words, string(status))
	}
	return words
}

// eventTotals implements [ledger.EventSource].
type eventTotals struct{ *statisticsQuery }

// EventsIn implements [ledger.EventSource].
func (q eventTotals) EventsIn(ctx context.Context, p ledger.Period, add func(string, int64)) error {
	params := postgres.EventsInPeriodParams{
		Statuses: eventWords(), Since: p.Since, Until: p.Until, WideSince: p.Since, WideUntil: p.Until,
		Repositories: q.cells.Repositories, Jobs: q.cells.Jobs, Adapter: q.cells.Adapter, Model: q.cells.Model,
		Within: q.cells.Within,
	}
	days, missing, tooMuch := p.Days()
	params.Days = days
	for _, part := range missing {
		params.PartsSince, params.PartsUntil, params.Signs = append(params.PartsSince, part.Since), append(params.PartsUntil, part.Until), append(params.Signs, 1)
	}
	for _, part := range tooMuch {
		params.PartsSince, params.PartsUntil, params.Signs = append(params.PartsSince, part.Since), append(params.PartsUntil, part.Until), append(params.Signs, -1)
		if part.Since.Before(params.WideSince) {
			params.WideSince = part.Since
		}
		if part.Until.After(params.WideUntil) {
			params.WideUntil = part.Until
		}
	}
	rows, err := q.EventsInPeriod(ctx, params)
	for _, r := range rows {
		add(r.Status, r.Violations)
	}
	return err
}

// EventsByBucket implements [ledger.EventSource].
func (q eventTotals) EventsByBucket(ctx context.Context, first, last string, add func(bucket, event string, violations int64)) error {
	rows, err := q.tx.EventsByBucket(ctx, postgres.EventsByBucketParams{
		FirstBucket: first, LastBucket: last,
		Repositories: q.cells.Repositories, Jobs: q.cells.Jobs, Adapter: q.cells.Adapter, Model: q.cells.Model,
		Within: q.cells.Within,
	})
	for _, r := range rows {
		add(r.Bucket, r.Status, r.Violations)
	}
	return err
}

func (q *statisticsQuery) eventsOfRuns(ctx context.Context, unit ledger.PeriodUnit, out *ledger.PeriodRows) error {
	p := q.cells
	rows, err := q.EventsOfRuns(ctx, postgres.EventsOfRunsParams{
		Unit: string(unit), Runs: p.Runs, Since: p.Since, Until: p.Until,
		Repositories: p.Repositories, Jobs: p.Jobs, Adapter: p.Adapter, Model: p.Model,
	})
	for _, r := range rows {
		if err := out.AddEventsOf(r.Start, r.Status, r.Violations); err != nil {
			return err
		}
	}
	return err
}

// costs reads what slots cost in the weeks or days.
func (q *statisticsQuery) costs(ctx context.Context, out *ledger.PeriodRows) error {
	p := q.cells
	params := postgres.CostsByBucketParams{
		EdgesSince: p.EdgesSince, EdgesUntil: p.EdgesUntil, Runs: p.Runs, Since: p.Since, Until: p.Until,
		Repositories: p.Repositories, Jobs: p.Jobs, Adapter: p.Adapter, Model: p.Model, Within: p.Within,
	}
	if q.counted() {
		params.Weeks, params.Days = out.CostBuckets(q.filter.Period, q.now)
		for _, buckets := range [][]string{params.Weeks, params.Days} {
			for i := range buckets {
				buckets[i] = p.Within + buckets[i]
			}
		}
	}
	rows, err := q.CostsByBucket(ctx, params)
	for _, r := range rows {
		if err := out.AddCost(r.Bucket, r.CostNano, r.WithCost, r.Calls); err != nil {
			return err
		}
	}
	return err
}
