package store

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// partOfTable is the part of a ledger that a table belongs to. Tables that are not here
// are indexes for searching, counts, and what SQLite keeps for itself.
var partOfTable = map[string]string{
	"blobs": "texts", "slot_blobs": "texts", "gate_blobs": "texts", "report_excerpts": "texts", "event_hunks": "texts",
	"violations": "findings", "reports": "findings", "events": "findings", "slot_entries": "findings", "findings": "findings",
	"remembered_skips": "findings", "forgotten_skips": "findings", "met_skips": "findings",
	"runs": "runs", "iterations": "runs", "gates": "runs", "slots": "runs", "transitions": "runs", "code_reviews": "runs", "verdicts": "runs",
}

// Sizes says how much room the ledger takes up. It reads all of the database.
func (l *Store) Sizes(ctx context.Context) (sizes ledger.Sizes, err error) {
	err = l.read(ctx, "measure the ledger", func(t *tx) error {
		if err := t.partSizes(ctx, &sizes); err != nil {
			return err
		}
		var texts []struct {
			Kind   string `json:"kind"`
			Texts  int    `json:"texts"`
			Bytes  int64  `json:"bytes"`
			Stored int64  `json:"stored"`
		}
		if err := t.ReadRecord(ctx, "read text sizes", &texts); err != nil {
			return err
		}
		for _, text := range texts {
			sizes.Texts = append(sizes.Texts, ledger.TextSize(text))
		}
		return t.growth(ctx, &sizes)
	})
	return sizes, err
}

func (t *tx) partSizes(ctx context.Context, sizes *ledger.Sizes) error {
	var tables []struct {
		Name  string `json:"name"`
		Bytes int64  `json:"bytes"`
	}
	var file []struct {
		Bytes int64 `json:"bytes"`
		Size  int64 `json:"size"`
	}
	if err := t.ReadRecord(ctx, "read table sizes", &tables); err != nil {
		return err
	}
	if err := t.ReadRecord(ctx, "read free bytes", &file); err != nil {
		return err
	}
	sizes.Free, sizes.Bytes = file[0].Bytes, file[0].Size
	parts := map[string]int64{}
	for _, table := range tables {
		parts[cmp.Or(partOfTable[table.Name], "other")] += table.Bytes
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		sizes.Parts = append(sizes.Parts, ledger.PartSize{Name: name, Bytes: parts[name]})
	}
	slices.SortStableFunc(sizes.Parts, func(a, b ledger.PartSize) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return nil
}

func (t *tx) growth(ctx context.Context, sizes *ledger.Sizes) error {
	var months []struct {
		Month      string `json:"month"`
		Runs       int    `json:"runs"`
		Iterations int    `json:"iterations"`
		Violations int    `json:"violations"`
	}
	var texts []struct {
		Month  string `json:"month"`
		Stored int64  `json:"stored"`
	}
	if err := t.ReadRecord(ctx, "read growth", &months); err != nil {
		return err
	}
	if err := t.ReadRecord(ctx, "read content growth", &texts); err != nil {
		return err
	}
	for _, m := range months {
		month := ledger.MonthSize{Month: m.Month, Runs: m.Runs, Iterations: m.Iterations, Violations: m.Violations}
		for _, text := range texts {
			if text.Month == m.Month {
				month.Stored = text.Stored
			}
		}
		sizes.Months = append(sizes.Months, month)
	}
	return nil
}
