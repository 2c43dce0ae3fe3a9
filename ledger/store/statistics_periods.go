package store

import (
	"context"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// weekBucket begins the name of a bucket that is a week.
const weekBucket = "W"

// periods reads events and costs by week or day.
func (q *statisticsQuery) periods(ctx context.Context, unit ledger.PeriodUnit, out *ledger.PeriodRows) error {
	text, err := q.FirstEvent(ctx)
	if err != nil {
		return err
	}
	out.Unit, out.Events, out.Costs = unit, map[time.Time]map[ledger.Status]int{}, map[time.Time]ledger.Cost{}
	if out.First, err = timeOf(text); err != nil {
		return err
	}
	if q.runs != anyWord || q.filter.Model != "" {
		err = q.eventsOfRuns(ctx, unit, out)
	} else {
		err = q.eventsOfAll(ctx, unit, out)
	}
	if err != nil {
		return err
	}
	return q.costs(ctx, out)
}

func (p periodEvents) add(start time.Time, status string, n int64) {
	if p[start] == nil {
		p[start] = map[ledger.Status]int{}
	}
	p[start][ledger.Status(status)] += int(n)
}

// periodEvents counts violations by the start of a week or day and by the event.
type periodEvents map[time.Time]map[ledger.Status]int

// eventsOfAll reads whole weeks or days from totals, and the others from the events.
func (q *statisticsQuery) eventsOfAll(ctx context.Context, unit ledger.PeriodUnit, out *ledger.PeriodRows) error {
	spans := unit.Spans(q.filter.Period, out.First, q.now)
	if len(spans) == 0 {
		return nil
	}
	prefix := ""
	if unit == ledger.ByWeek {
		prefix = weekBucket
	}
	whole := map[time.Time]bool{}
	for _, span := range spans {
		whole[span.Start] = span.Whole
		if span.Whole {
			continue
		}
		rows, err := q.EventsInPeriod(ctx, db.EventsInPeriodParams{
			Statuses: jsonList(ledger.Statuses()), Since: since(span.Within), Until: until(span.Within),
			Repositories: q.repositories, Jobs: q.jobs, Adapter: q.filter.Adapter,
		})
		if err != nil {
			return err
		}
		for _, r := range rows {
			periodEvents(out.Events).add(span.Start, r.Status, r.Violations)
		}
	}
	rows, err := q.EventsByBucket(ctx, db.EventsByBucketParams{
		FirstBucket: prefix + spans[0].Start.Format(time.DateOnly), LastBucket: prefix + spans[len(spans)-1].Start.Format(time.DateOnly),
		Repositories: q.repositories, Jobs: q.jobs, Adapter: q.filter.Adapter,
	})
	if err != nil {
		return err
	}
	for _, r := range rows {
		start, err := time.Parse(time.DateOnly, strings.TrimPrefix(r.Bucket, weekBucket))
		if err != nil {
			return err
		}
		if whole[start] {
			periodEvents(out.Events).add(start, r.Status, r.Violations)
		}
	}
	return nil
}

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
		start, err := time.Parse(time.DateOnly, r.Start)
		if err != nil {
			return err
		}
		periodEvents(out.Events).add(start, r.Status, r.Violations)
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
		p.FirstDay, p.LastDay = wholeDays(q.filter.Period)
	}
	rows, err := q.CostByDay(ctx, p)
	if err != nil {
		return err
	}
	for _, r := range rows {
		day, err := time.Parse(time.DateOnly, r.Day)
		if err != nil {
			return err
		}
		out.Costs[day] = ledger.Cost{USD: float64(r.CostNano) / 1e9, Known: int(r.WithCost), Calls: int(r.Calls)}
	}
	return nil
}

// wholeDays are the days that lie in the period as a whole, from the first to the one
// after the last, in the words of totals.
func wholeDays(p ledger.Period) (first, last string) {
	first, last = "0", "9999-12-31"
	if day := ledger.ByDay.Start(p.Since); !p.Since.IsZero() {
		if day.Before(p.Since) {
			day = ledger.ByDay.Next(day)
		}
		first = day.Format(time.DateOnly)
	}
	if !p.Until.IsZero() {
		last = ledger.ByDay.Start(p.Until).Format(time.DateOnly)
	}
	return first, last
}
