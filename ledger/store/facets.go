package store

import (
	"context"
	"database/sql"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// Facets returns the facets of a list of violations.
func (l *Store) Facets(ctx context.Context, f ledger.ViolationFilter) (facets ledger.Facets, err error) {
	f.Limit, f.After, f.Sort = 0, "", ""
	folder, known := lists.TotalsKnow(f)
	if !known {
		err = l.readListed(ctx, "count violations by gate, priority and so on", f, func(t *tx) (err error) {
			facets, err = t.facetsOfRows(ctx, f)
			return err
		})
		return facets, err
	}
	err = l.ofSums(ctx, func(kept *sql.DB) error {
		return l.readListed(ctx, "count violations by gate, priority and so on", f, func(t *tx) error {
			q, err := t.statisticsQuery(ctx, kept, ledger.StatisticsFilter{
				Period: f.Reported, EntryPoint: f.EntryPoint, Model: f.Model, Repository: f.Repository,
			}, l.now())
			if err != nil {
				return err
			}
			facets, err = lists.FacetsOfTotals(ctx, f, folder, q, q.facetsOfRows)
			return err
		})
	})
	return facets, err
}

// OpenByPriority returns how many violations of each priority are open now.
func (l *Store) OpenByPriority(ctx context.Context) (map[ledger.Priority]int, error) {
	facets, err := l.Facets(ctx, ledger.ViolationFilter{Statuses: ledger.OpenStatuses()})
	open := map[ledger.Priority]int{}
	for _, facet := range facets.Priorities {
		if facet.Violations > 0 {
			open[ledger.Priority(facet.Value)] = facet.Violations
		}
	}
	return open, err
}

// facetsOfRows counts the violations row by row, unless there are too many.
func (t *tx) facetsOfRows(ctx context.Context, f ledger.ViolationFilter) (ledger.Facets, error) {
	f.Limit = lists.Counted + 1
	ids, err := lists.Collect(t.eachID(ctx, f))
	f.Limit = 0
	if err != nil {
		return ledger.Facets{}, err
	}
	if len(ids) > lists.Counted {
		return lists.TooMany(f, len(ids)), nil
	}
	list := asJSON(ids)
	jobs, err := t.jobsByRow(ctx)
	if err != nil {
		return ledger.Facets{}, err
	}
	rows, err := t.TotalsOfList(ctx, list)
	totals := make([]ledger.FacetTotals, 0, len(rows))
	for _, r := range rows {
		totals = append(totals, ledger.FacetTotals{Folder: r.Folder, ViolationTotals: ledger.ViolationTotals{
			EntryPoint: jobs[r.JobID].EntryPoint, Gate: jobs[r.JobID].Name, Adapter: r.Adapter, Priority: ledger.Priority(r.Priority),
			Status: ledger.Status(r.Shown), Shared: r.Shared != 0, InFixLines: r.InFixLines != 0, Recurring: r.Recurring,
			Violations: int(r.Violations),
		}})
	}
	return lists.FacetsOf(f, totals), err
}
