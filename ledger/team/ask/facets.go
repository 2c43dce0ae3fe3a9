package ask

import (
	"context"
	"time"

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
		var rows ledger.Rows
		if folder != "" {
			rows.Violations, err = q.InFolder(ctx, folder)
		} else {
			err = q.ViolationTotals(ctx, &rows)
		}
		if err != nil {
			return err
		}
		totals := make([]ledger.FacetTotals, 0, len(rows.Violations))
		for _, row := range rows.Violations {
			totals = append(totals, ledger.FacetTotals{ViolationTotals: row})
		}
		facets = ledger.FacetsOf(f, totals)
		return q.addFolders(ctx, &facets)
	})
	return facets, err
}

// addFolders adds the folders: from figures of all time, else from few violations.
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
