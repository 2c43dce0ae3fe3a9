package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// Facets are what a list of violations can be narrowed to.
func (l *Store) Facets(ctx context.Context, f ledger.ViolationFilter) (facets ledger.Facets, err error) {
	f.Limit, f.After, f.Sort = 0, "", ""
	folder, known := lists.TotalsKnow(f)
	if !known {
		err = l.readListed(ctx, "count violations by what they have", f, func(t *tx) (err error) {
			facets, err = t.facetsOfRows(ctx, f)
			return err
		})
		return facets, err
	}
	err = l.ofSums(ctx, func(kept *sql.DB) error {
		return l.readListed(ctx, "count violations by what they have", f, func(t *tx) (err error) {
			facets, err = t.facetsOfSums(ctx, kept, f, folder, l.now())
			return err
		})
	})
	return facets, err
}

// facetsOfSums are the facets of a filter whose totals the sums have; a folder is the only one
// that it keeps.
func (t *tx) facetsOfSums(ctx context.Context, kept *sql.DB, f ledger.ViolationFilter, folder string, now time.Time) (facets ledger.Facets, err error) {
	q, err := t.statisticsQuery(ctx, kept, ledger.StatisticsFilter{
		Period: f.Reported, EntryPoint: f.EntryPoint, Model: f.Model, Repository: f.Repository,
	}, now)
	if err != nil {
		return facets, err
	}
	var rows ledger.Rows
	if folder != "" {
		rows.Violations, err = q.InFolder(ctx, folder)
	} else {
		err = q.ViolationTotals(ctx, &rows)
	}
	if err != nil {
		return facets, err
	}
	totals := make([]ledger.FacetTotals, 0, len(rows.Violations))
	for _, row := range rows.Violations {
		totals = append(totals, ledger.FacetTotals{ViolationTotals: row})
	}
	facets = ledger.FacetsOf(f, totals)
	return facets, q.addFolders(ctx, &facets)
}

// OpenByPriority implements [ledger.Questions].
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

// addFolders adds the folders: from totals of all time, else from few violations.
func (q *statisticsQuery) addFolders(ctx context.Context, facets *ledger.Facets) error {
	f := facets.Violations.Filter
	if f.Reported != (ledger.Period{}) {
		if facets.Violations.Violations > lists.Counted {
			return nil
		}
		counted, err := q.facetsOfRows(ctx, f)
		facets.Folders, facets.Others.Folders, facets.FoldersUnknown = counted.Folders, counted.Others.Folders, counted.FoldersUnknown
		return err
	}
	folders, err := q.Folders(ctx, func(v ledger.ViolationTotals) bool { return f.KeepsTotals(ledger.FacetTotals{ViolationTotals: v}) })
	facets.SetFolders(folders)
	return err
}

// facetsOfRows counts the violations one by one, if they are not too many.
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
	rows, err := t.TotalsOfList(ctx, list)
	totals := make([]ledger.FacetTotals, 0, len(rows))
	for _, r := range rows {
		totals = append(totals, ledger.FacetTotals{Folder: r.Folder, ViolationTotals: ledger.ViolationTotals{
			EntryPoint: names[r.JobID].EntryPoint, Gate: names[r.JobID].Name, Adapter: r.Adapter, Priority: ledger.Priority(r.Priority),
			Status: ledger.Status(r.Shown), Shared: r.Shared != 0, InFixLines: r.InFixLines != 0, Recurring: r.Recurring,
			Violations: int(r.Violations),
		}})
	}
	return lists.FacetsOf(f, totals), err
}
