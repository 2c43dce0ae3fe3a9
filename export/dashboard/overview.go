package dashboard

import (
	"context"
	"io"
	"sync"

	"github.com/reviewledger/reviewledger/export/dashboard/pages"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// loopsShown is how many open loops the overview lists.
const loopsShown = 5

func overviewView() view {
	return view{
		parameters: figuresOf(""),
		page: func(v *visit) (pages.Page, error) {
			scope, err := v.given.(*figureParams).scope(v, overviewRows, true)
			if err != nil {
				return nil, err
			}
			p := pages.Overview{Scope: scope}
			var side sync.WaitGroup // each takes about as long as everything that follows
			side.Go(func() {
				p.Next = ask(v, func() (pages.NextSteps, error) { return NextSteps(v.ctx, v.ledger) })
				p.Empty = p.Next.Problem == "" && p.Next.Value.Recorded == 0
				p.Open = ask(v, func() (map[ledger.RunKind]map[ledger.Priority]int, error) { return v.ledger.OpenByPriority(v.ctx) })
			})
			side.Go(func() {
				p.Weeks = statistics(v, scope, figures.SectionWeeks, figures.SectionRuns, figures.SectionSlots)
				p.Runs, p.Slots = p.Weeks, p.Weeks // from the same rows
			})
			p.Recurring = statistics(v, scope, figures.SectionRecurring)
			p.Files = statistics(v, scope, figures.SectionFiles)
			side.Wait()
			return p, nil
		},
		json: figuresAs(0, func(_ *figureParams, s figures.Statistics) answer { return inJSON(listings.Statistics(s)) }),
		csv: figuresAs(0, func(_ *figureParams, s figures.Statistics) answer {
			return func(w io.Writer) error { return listings.WriteFiguresCSV(w, listings.Statistics(s)) }
		}),
	}
}

// NextSteps returns the loops that wait for somebody.
func NextSteps(ctx context.Context, q Questions) (pages.NextSteps, error) {
	var next pages.NextSteps
	counts, err := q.RunsByStatus(ctx)
	if err != nil {
		return next, err
	}
	for _, count := range counts {
		next.Recorded += count.Runs
	}
	if next.Stuck, err = leftover(ctx, q, counts, ledger.StatusRetryLimitExceeded); err != nil {
		return next, err
	}
	if next.Abandoned, err = leftover(ctx, q, counts, ledger.StatusAbandoned); err != nil {
		return next, err
	}
	open, err := q.OpenRuns(ctx)
	if err != nil {
		return next, err
	}
	next.More = max(0, len(open)-loopsShown)
	for _, run := range open[:len(open)-next.More] {
		loop, err := newOpenLoop(ctx, q, run)
		if err != nil {
			return next, err
		}
		next.Loops = append(next.Loops, loop)
	}
	return next, nil
}

// leftover returns the runs that ended with the status.
func leftover(ctx context.Context, q Questions, counts map[ledger.RunStatus]ledger.RunsByStatus, status ledger.RunStatus) (pages.Leftover, error) {
	left := pages.Leftover{RunsByStatus: counts[status]}
	if left.Runs == 0 {
		return left, nil
	}
	newest, err := q.Runs(ctx, ledger.RunFilter{Statuses: []ledger.RunStatus{status}, Limit: 1})
	if err == nil && len(newest) > 0 {
		left.Newest = newest[0]
	}
	return left, err
}

// newOpenLoop queries what keeps an open run from passing.
func newOpenLoop(ctx context.Context, q Questions, run ledger.Run) (pages.OpenLoop, error) {
	state, err := q.RunDetail(ctx, run.ID)
	if err != nil {
		return pages.OpenLoop{}, err
	}
	urgent, err := q.Violations(ctx, ledger.ViolationFilter{
		Run: run.ID, Statuses: ledger.OpenStatuses(), Priorities: []ledger.Priority{ledger.Critical, ledger.High},
	})
	return pages.OpenLoop{State: state, Urgent: len(urgent)}, err
}
