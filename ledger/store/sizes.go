package store

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// partOfTable has the part of a ledger that each table belongs to. The tables that are not listed
// are search indexes, counts, and SQLite's own.
var partOfTable = map[string]string{
	"blobs": "texts", "slot_blobs": "texts", "gate_blobs": "texts", "report_excerpts": "texts", "event_hunks": "texts",
	"violations": "findings", "reports": "findings", "events": "findings", "slot_entries": "findings", "findings": "findings",
	"forgotten_skips": "findings", "met_skips": "findings",
	"runs": "runs", "iterations": "runs", "gates": "runs", "slots": "runs", "transitions": "runs", "code_reviews": "runs", "verdicts": "runs",
}

// Sizes measures how much space the ledger takes up. It reads the whole database.
func (l *Store) Sizes(ctx context.Context) (ledger.Sizes, error) {
	return answer(ctx, l, "measure the ledger", func(t *tx) (sizes ledger.Sizes, err error) {
		tables, err := db.ReadRecord[ledger.PartSize](ctx, t.Queries, "read table sizes")
		if err != nil {
			return sizes, err
		}
		file, err := db.ReadRecord[struct{ Free, Size int64 }](ctx, t.Queries, "read free bytes")
		if err != nil {
			return sizes, err
		}
		texts, err := db.ReadRecord[ledger.TextSize](ctx, t.Queries, "read text sizes")
		if err != nil {
			return sizes, err
		}
		months, err := db.ReadRecord[ledger.MonthSize](ctx, t.Queries, "read growth")
		return ledger.Sizes{
			Bytes: file[0].Size, Free: file[0].Free, Parts: partSizes(tables),
			Texts: append([]ledger.TextSize{}, texts...), Months: append([]ledger.MonthSize{}, months...),
		}, err
	})
}

func partSizes(tables []ledger.PartSize) (sizes []ledger.PartSize) {
	parts := map[string]int64{}
	for _, table := range tables {
		parts[cmp.Or(partOfTable[table.Name], "other")] += table.Bytes
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		sizes = append(sizes, ledger.PartSize{Name: name, Bytes: parts[name]})
	}
	slices.SortStableFunc(sizes, func(a, b ledger.PartSize) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return sizes
}
