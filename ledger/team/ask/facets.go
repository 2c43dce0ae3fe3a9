package ask

import (
	"context"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// Facets answers as the ledger does.
func (s *Store) Facets(ctx context.Context, f ledger.ViolationFilter) (ledger.Facets, error) {
	f.Limit, f.After, f.Sort = 0, "", ""
	return answer(ctx, s, "count violations by gate, priority and so on", func(t *tx) (ledger.Facets, error) {
		folder, known := lists.TotalsKnow(f)
		if !known {
			return t.facetsOfRows(ctx, f)
		}
		q, err := t.statisticsQuery(ctx, ledger.StatisticsFilter{
			Period: f.Reported, EntryPoint: f.EntryPoint, Model: f.Model, Repository: f.Repository,
		}, time.Now())
		if err != nil {
			return ledger.Facets{}, err
		}
		return lists.FacetsOfTotals(ctx, f, folder, q, q.facetsOfRows)
	})
}

// facetsOfRows counts the violations one by one, unless there are too many.
func (t *tx) facetsOfRows(ctx context.Context, f ledger.ViolationFilter) (ledger.Facets, error) {
	limited := f
	limited.Limit = lists.Counted + 1
	q, known, err := t.selecting(ctx, limited)
	var found []ledger.ListedViolation
	if err == nil && known {
		q.params.Sort, q.params.Brief = "", true // the order does not matter
		found, err = q.rows(ctx, q.params)
	}
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
