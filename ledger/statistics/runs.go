package statistics

import (
	"context"
	"slices"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

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
	if !q.Filter.Wants(ledger.SectionWeeks) {
		return nil
	}
	return q.byWeek(ctx, Runs, of(2), nil, func(start time.Time, o Of, n int64) {
		out.Runs.AddDay(start, ledger.RunStatus(o.label(0)), int(n))
	})
}

// part returns the part of the runs that the filter selects. counted is false if the filter selects
// several parts, because sums do not have the runs that are in two parts.
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

// parts returns the parts that a run must be in for the filter to select it.
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

// withAllParts returns the same query for the runs that are in all of the filter's parts, which are
// read one by one.
func (q *Query) withAllParts(ctx context.Context) (*Query, error) {
	one := *q
	parts := q.parts()
	one.Filter.Gate, one.Filter.EntryPoint, one.Filter.Adapter = "", "", ""
	one.chosen, one.read, one.days = nil, true, nil
	err := q.Sums.OfRuns(ctx, q.Filter.Run, q.Filter.Branch, func(t Text) error {
		counts, err := t.Of(Runs)
		if err != nil {
			return err
		}
		missing := slices.Clone(parts)
		for _, count := range counts {
			o, err := ParseKey(count.Key)
			if err != nil {
				return err
			}
			missing = slices.DeleteFunc(missing, func(part string) bool { return part == o.label(2) })
		}
		if len(missing) == 0 {
			one.chosen = append(one.chosen, t)
		}
		return nil
	})
	one.always = true
	return &one, err
}
