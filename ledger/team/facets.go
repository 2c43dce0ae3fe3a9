package team

import (
	"context"
	"time"

	"github.com/reviewledger/reviewledger/db/postgres"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// Facets implements [ledger.Questions].
func (s *Store) Facets(ctx context.Context, f ledger.ViolationFilter) (facets ledger.Facets, err error) {
	f.Limit, f.After, f.Sort = 0, "", ""
	err = s.read(ctx, "count violations by what they have", func(t *tx) (err error) {
		folder, known := lists.TotalsKnow(f)
		if !known {
			facets, err = t.facetsOfRows(ctx, f)
			return err
		}
		q, err := t.statisticsQuery(ctx, ledger.StatisticsFilter{
			Period: f.Reported, EntryPoint: f.EntryPoint, Model: f.Model, Repository: f.Repository,
		}, time.Now())
		if err != nil {
			return err
		}
		totals, err := q.facetTotals(ctx, f, folder)
		if err != nil {
			return err
		}
		facets = ledger.FacetsOf(f, totals)
		return q.addFolders(ctx, &facets)
	})
	return facets, err
}

// facetTotals are the violations by what facets say of them. Of a period they are read with all
// that totals say.
func (q *statisticsQuery) facetTotals(ctx context.Context, f ledger.ViolationFilter, folder string) (totals []ledger.FacetTotals, err error) {
	if f.Reported != (ledger.Period{}) {
		var rows ledger.Rows
		err := q.ViolationTotals(ctx, &rows)
		for _, row := range rows.Violations {
			totals = append(totals, ledger.FacetTotals{ViolationTotals: row})
		}
		return totals, err
	}
	p := postgres.FacetsOfTotalsParams{
		Repositories: q.cells.Repositories, Jobs: q.cells.Jobs, Model: orNil(f.Model), Reasons: anyOf(f.Reasons), Iteration: orNil(int64(f.Iteration)),
	}
	if folder != "" {
		p.Bucket = ledger.FolderBucket(folder)
	}
	reason := ""
	if len(f.Reasons) > 0 { // the others were left out
		reason = string(f.Reasons[0])
	}
	rows, err := q.FacetsOfTotals(ctx, p)
	for _, r := range rows {
		job := q.names[r.Job]
		totals = append(totals, ledger.FacetTotals{ViolationTotals: ledger.ViolationTotals{
			EntryPoint: job.EntryPoint, Gate: job.Name, Adapter: r.Adapter, Priority: ledger.Priority(r.Priority), Status: ledger.Status(r.Status),
			Iteration: f.Iteration, Reason: reason, Shared: r.Shared, InFixLines: r.InFixLines, Recurring: r.Recurring, Violations: int(r.Violations),
		}})
	}
	return totals, err
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
	jobs, err := q.jobsNamed(ctx, f.EntryPoint, f.Gate)
	if err != nil {
		return err
	}
	rows, err := q.FoldersOfTotals(ctx, postgres.FoldersOfTotalsParams{
		Repositories: q.cells.Repositories, Jobs: jobs, Adapter: orNil(f.Adapter), Model: orNil(f.Model),
		Statuses: anyOf(f.Statuses), Priorities: anyOf(f.Priorities), Reasons: anyOf(f.Reasons),
		Iteration: orNil(int64(f.Iteration)), Alone: f.Alone, InFixLines: f.InFixLines, Recurring: f.Recurring,
	})
	folders := map[string]int{}
	for _, r := range rows {
		folders[ledger.BucketFolder(r.Bucket)] = int(r.Violations)
	}
	facets.SetFolders(folders)
	return err
}

// facetsOfRows counts the violations one by one, if they are not too many.
func (t *tx) facetsOfRows(ctx context.Context, f ledger.ViolationFilter) (ledger.Facets, error) {
	limited := f
	limited.Limit = lists.Counted + 1
	found, err := t.listed(ctx, limited)
	if err != nil {
		return ledger.Facets{}, err
	}
	if len(found) > lists.Counted {
		return lists.TooMany(f, len(found)), nil
	}
	totals := make([]ledger.FacetTotals, 0, len(found))
	for _, v := range found {
		totals = append(totals, ledger.FacetTotals{Folder: lists.FirstOf(v.Place.File), ViolationTotals: ledger.ViolationTotals{
			EntryPoint: v.EntryPoint, Gate: v.Gate, Adapter: v.Adapter, Priority: v.Priority, Status: v.Shown(),
			Shared: v.Shared, InFixLines: v.InFixLines, Recurring: v.Recurring, Violations: 1,
		}})
	}
	return lists.FacetsOf(f, totals), nil
}
