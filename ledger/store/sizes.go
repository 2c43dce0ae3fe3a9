package store

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// partOfTable has the part of a ledger that each table belongs to. The tables that are not listed
// are search indexes, counts, and SQLite's own.
var partOfTable = map[string]string{
	"blobs": "texts", "slot_blobs": "texts", "gate_blobs": "texts", "report_excerpts": "texts", "event_hunks": "texts",
	"violations": "findings", "reports": "findings", "events": "findings", "slot_entries": "findings", "findings": "findings",
	"remembered_skips": "findings", "forgotten_skips": "findings", "met_skips": "findings",
	"runs": "runs", "iterations": "runs", "gates": "runs", "slots": "runs", "transitions": "runs", "code_reviews": "runs", "verdicts": "runs",
}

// Sizes measures how much space the ledger takes up. It reads the whole database.
func (l *Store) Sizes(ctx context.Context) (ledger.Sizes, error) {
	return answer(ctx, l, "measure the ledger", func(t *tx) (sizes ledger.Sizes, err error) {
		sizes.Texts, sizes.Months = []ledger.TextSize{}, []ledger.MonthSize{}
		var tables []ledger.PartSize
		var file []struct {
			Bytes int64 `json:"bytes"`
			Size  int64 `json:"size"`
		}
		var stored []struct {
			Month  string `json:"month"`
			Stored int64  `json:"stored"`
		}
		for _, part := range []struct {
			query string
			into  any
		}{
			{"read table sizes", &tables}, {"read free bytes", &file}, {"read text sizes", &sizes.Texts},
			{"read growth", &sizes.Months}, {"read content growth", &stored},
		} {
			if err := t.ReadRecord(ctx, part.query, part.into); err != nil {
				return sizes, err
			}
		}
		sizes.Free, sizes.Bytes, sizes.Parts = file[0].Bytes, file[0].Size, partSizes(tables)
		for i := range sizes.Months {
			for _, s := range stored {
				if s.Month == sizes.Months[i].Month {
					sizes.Months[i].Stored = s.Stored
				}
			}
		}
		return sizes, nil
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
