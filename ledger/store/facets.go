package store

import (
	"context"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// countedFacets is how many violations are counted one by one, where totals do not know
// what a filter asks for.
const countedFacets = 5000

// Facets are what a list of violations can be narrowed to.
func (l *Store) Facets(ctx context.Context, f ledger.ViolationFilter) (facets ledger.Facets, err error) {
	f.Limit, f.After, f.Sort = 0, "", ""
	err = l.read(ctx, "count violations by what they have", func(t *tx) error {
		if totalsKnow(f) {
			facets, err = t.facetsOfTotals(ctx, f, l)
			if err != nil || facets.Violations.Violations > countedFacets {
				return err
			}
		}
		counted, err := t.facetsOfRows(ctx, f)
		if err != nil {
			return err
		}
		if !totalsKnow(f) {
			facets = counted
			return nil
		}
		// Only the rows tell their folders, and what recurs.
		facets.Folders, facets.Recurring, facets.FoldersUnknown = counted.Folders, counted.Recurring, counted.FoldersUnknown
		return nil
	})
	return facets, err
}

// totalsKnow reports whether the totals tell all that the filter asks for.
func totalsKnow(f ledger.ViolationFilter) bool {
	return f.File == "" && f.Slot == 0 && f.Fingerprint == "" && !f.Recurring && len(f.Actors) == 0 &&
		len(f.Events.Statuses) == 0 && f.Changed == ledger.Period{} && len(f.Discards) == 0
}

func (t *tx) facetsOfTotals(ctx context.Context, f ledger.ViolationFilter, l *Store) (ledger.Facets, error) {
	q, err := t.statisticsQuery(ctx, ledger.StatisticsFilter{
		Period: f.Reported, Run: f.Run, Branch: f.Branch, Worktree: f.Worktree, EntryPoint: f.EntryPoint, Model: f.Model, Repository: f.Repository,
	}, l.now())
	if err != nil {
		return ledger.Facets{}, err
	}
	var rows ledger.Rows
	if err := q.violationTotals(ctx, &rows); err != nil {
		return ledger.Facets{}, err
	}
	totals := make([]ledger.FacetTotals, 0, len(rows.Violations))
	for _, row := range rows.Violations {
		totals = append(totals, ledger.FacetTotals{ViolationTotals: row})
	}
	return ledger.FacetsOf(f, totals, false), nil
}

// facetsOfRows counts the violations one by one, if they are not too many.
func (t *tx) facetsOfRows(ctx context.Context, f ledger.ViolationFilter) (ledger.Facets, error) {
	f.Limit = countedFacets + 1
	ids, err := t.listedIDs(ctx, f)
	f.Limit = 0
	if err != nil {
		return ledger.Facets{}, err
	}
	if len(ids) > countedFacets {
		return ledger.Facets{Violations: ledger.Count{Violations: len(ids), Filter: f}, Unknown: true, FoldersUnknown: true}, nil
	}
	list, err := asJSON(ids)
	if err != nil {
		return ledger.Facets{}, err
	}
	jobs, err := t.JobNames(ctx)
	if err != nil {
		return ledger.Facets{}, err
	}
	names := map[int64]db.Job{}
	for _, job := range jobs {
		names[job.ID] = job
	}
	rows, err := t.FactsOfViolations(ctx, list)
	totals := make([]ledger.FacetTotals, 0, len(rows))
	for _, r := range rows {
		total := ledger.FacetTotals{Folder: r.Folder, Recurring: r.Recurring != 0, ViolationTotals: ledger.ViolationTotals{
			EntryPoint: names[r.JobID].EntryPoint, Gate: names[r.JobID].Name, Adapter: r.Adapter, Priority: ledger.Priority(r.Priority),
			Status: ledger.Status(r.Status), Shared: r.Shared != 0, InFixLines: r.InFixLines != 0, Violations: int(r.Violations),
			Iteration: f.Iteration, // the list has no other
		}}
		if len(f.Reasons) > 0 { // nor other reasons
			total.Reason = string(f.Reasons[0])
		}
		totals = append(totals, total)
	}
	return ledger.FacetsOf(f, totals, true), err
}
