package store

import (
	"context"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// Facets returns the facets of a list of violations.
func (l *Store) Facets(ctx context.Context, f ledger.ViolationFilter) (ledger.Facets, error) {
	f.Limit, f.After, f.Sort = 0, "", ""
	return answer(ctx, l, "count violations by gate, priority and so on", func(t *tx) (facets ledger.Facets, err error) {
		ids, err := lists.Collect(t.eachID(ctx, lists.BeforeFacets(f)))
		if err != nil {
			return facets, err
		}
		rows, err := t.TotalsOfList(ctx, asJSON(ids))
		totals := make([]ledger.FacetTotals, len(rows))
		for i, r := range rows {
			totals[i] = ledger.FacetTotals{
				EntryPoint: r.EntryPoint, Gate: r.Gate, Adapter: r.Adapter, Iteration: int(r.FirstIteration), Priority: ledger.Priority(r.Priority),
				Status: ledger.Status(r.Shown), Reason: r.Reason, Shared: r.Shared != 0, InFixLines: r.InFixLines != 0, Recurring: r.Recurring,
				Folder: r.Folder, Violations: int(r.Violations),
			}
		}
		return lists.FacetsOf(f, totals), err
	})
}

// OpenByPriority returns how many violations of each priority are open now, in runs of each kind.
func (l *Store) OpenByPriority(ctx context.Context) (map[ledger.RunKind]map[ledger.Priority]int, error) {
	return answer(ctx, l, "count open violations by priority", func(t *tx) (map[ledger.RunKind]map[ledger.Priority]int, error) {
		rows, err := t.OpenByPriority(ctx, asJSON(ledger.OpenStatuses()))
		open := map[ledger.RunKind]map[ledger.Priority]int{ledger.KindGates: {}, ledger.KindCodeReview: {}}
		for _, r := range rows {
			open[ledger.RunKind(r.Kind)][ledger.Priority(r.Priority)] = int(r.Violations)
		}
		return open, err
	})
}
