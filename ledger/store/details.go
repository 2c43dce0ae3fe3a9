package store

import (
	"cmp"
	"context"
	"slices"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// keptRuns is how many runs are kept in memory for a list: the next violations almost always belong
// to the same ones.
const keptRuns = 10_000

// A describer reads violations by their rows. It keeps what many of them have in common, which a
// join would look up for each. It serves a single list, because runs may change between two lists.
type describer struct {
	*tx
	jobs map[int64]db.Job
	runs map[int64]db.RunsOfDetailsRow
}

func (t *tx) describer() *describer { return &describer{tx: t} }

// details returns the violations with these rows, in the order of the list.
func (t *tx) details(ctx context.Context, ids []int64) ([]ledger.ListedViolation, error) {
	return t.describer().details(ctx, ids)
}

func (d *describer) details(ctx context.Context, ids []int64) (_ []ledger.ListedViolation, err error) {
	// SQLite reads rows fastest in their own order. order has the position of each in the list.
	order := make([]int, len(ids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(ids[a], ids[b]) })
	sorted := make([]int64, len(ids))
	for i, place := range order {
		sorted[i] = ids[place]
	}
	list := asJSON(sorted)
	if d.jobs == nil {
		if d.jobs, err = d.jobsByRow(ctx); err != nil {
			return nil, err
		}
	}
	found, at := make([]ledger.ListedViolation, len(ids)), make([]int, 0, len(ids))
	runs, reports := make([]int64, 0, len(ids)), make([]int64, 0, len(ids))
	err = d.EachViolationDetails(ctx, list, func(row *db.ViolationDetailsRow) {
		place := order[row.Place]
		found[place], at = d.listed(row), append(at, place)
		runs, reports = append(runs, row.RunID), append(reports, *row.ReportID)
	})
	if err != nil {
		return nil, err
	}
	if err := d.lookUpRuns(ctx, runs); err != nil {
		return nil, err
	}
	for i, place := range at {
		run := d.runs[runs[i]]
		found[place].Run, found[place].RunStatus, found[place].RunOpen, found[place].Worktree = run.Ulid, ledger.RunStatus(run.Status), run.Open, exchange.Known(run.Worktree)
	}
	reporters, err := d.ReportersOfViolations(ctx, list)
	for _, r := range reporters {
		v := &found[order[r.Place]]
		v.MoreSlots = append(v.MoreSlots, int(r.Slot))
	}
	if err != nil {
		return nil, err
	}
	gone, err := d.GoneWordsOf(ctx, list)
	for _, w := range gone {
		found[order[w.Place]].Gone = lists.Gone(w.Words)
	}
	if err != nil {
		return nil, err
	}
	err = d.addPlaces(ctx, reports, func(i int) *[]ledger.Place {
		if v := &found[at[i]]; v.Reported == nil {
			return &v.Also
		}
		return new([]ledger.Place) // its lines are not at the places of the report
	})
	return found, err
}

func (t *tx) jobsByRow(ctx context.Context) (map[int64]db.Job, error) {
	list, err := t.JobNames(ctx)
	jobs := make(map[int64]db.Job, len(list))
	for _, job := range list {
		jobs[job.ID] = job
	}
	return jobs, err
}

// lookUpRuns reads the runs that are not cached yet.
func (d *describer) lookUpRuns(ctx context.Context, runs []int64) error {
	if d.runs == nil || len(d.runs) > keptRuns {
		d.runs = map[int64]db.RunsOfDetailsRow{}
	}
	var missing []int64
	for _, run := range runs {
		if _, known := d.runs[run]; !known {
			d.runs[run] = db.RunsOfDetailsRow{}
			missing = append(missing, run)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	found, err := d.RunsOfDetails(ctx, asJSON(missing))
	for _, run := range found {
		d.runs[run.ID] = run
	}
	return err
}

// listed returns the violation of the row, without its run.
func (d *describer) listed(row *db.ViolationDetailsRow) ledger.ListedViolation {
	job := d.jobs[row.JobID]
	return ledger.ListedViolation{
		Violation: violationFrom(violationRow{
			Violation: db.Violation{
				Ulid: row.Ulid, ShortID: row.ShortID, Slot: row.Slot, Adapter: row.Adapter, Priority: row.Priority,
				Status: row.Status, Result: row.Result, Reason: row.Reason, DuplicateOf: row.DuplicateOf,
				FirstIteration: row.FirstIteration, LastIteration: row.LastIteration, AnsweredIteration: row.AnsweredIteration,
				SeenBefore: row.SeenBefore, Moved: row.Moved, HandedTo: row.HandedTo, Block: row.Block,
				FirstSeen: row.FirstSeen, LastSeen: row.LastSeen, StatusAt: row.StatusAt,
			},
			Job: job.Job, ReportedFile: row.ReportedFile, LineStart: row.LineStart, LineEnd: row.LineEnd, Issue: row.Issue, Fix: row.Fix, Evidence: row.Evidence, Confirmed: row.Confirmed, Related: row.Related,
		}),
		EntryPoint: job.EntryPoint, Gate: job.Name, Fingerprint: text(row.Fingerprint),
		Recurring: row.Recurring, Shared: row.Shared != 0, InFixLines: row.InFixLines != 0, StatusBy: ledger.Actor(row.Actor),
	}
}
