package store

import (
	"context"
	"fmt"

	"github.com/reviewledger/reviewledger/db"
)

// indexBatch is how many reports are indexed in one transaction, so that a run that records
// meanwhile waits a second, and not until all are indexed.
const indexBatch = 10_000

// withWords calls do with the ledger once all its reports are in the index of words: each search
// adds the reports that came since the last one. If the ledger cannot be written, the search uses a
// temporary index of its own.
func (l *Store) withWords(ctx context.Context, do func(*Store) error) error {
	behind, err := l.behind(ctx)
	if err != nil {
		return err
	}
	if !behind {
		return do(l)
	}
	err = l.index(ctx)
	if err == nil {
		return do(l)
	}
	if ctx.Err() != nil || l.memory || db.IsBusy(err) {
		return err
	}
	handle, err := db.OpenReadOnly(ctx, l.path)
	if err != nil {
		return fmt.Errorf("open ledger %q: %w", l.path, err)
	}
	defer func() { _ = handle.Close() }()
	if err := db.IndexAside(ctx, handle); err != nil {
		return fmt.Errorf("index the words of ledger %q: %w", l.path, db.Explain(err))
	}
	aside := *l
	aside.handle = handle
	return do(&aside)
}

// behind reports whether any report is missing from the index.
func (l *Store) behind(ctx context.Context) (bool, error) {
	return answer(ctx, l, "look at the index of words", func(t *tx) (bool, error) {
		row, err := t.ReportsToIndex(ctx)
		return row.Newest > row.Done, err
	})
}

// index adds the missing reports to the index.
func (l *Store) index(ctx context.Context) error {
	writer := l
	if l.asks && !l.memory {
		handle, err := db.OpenToIndex(ctx, l.path)
		if err != nil {
			return fmt.Errorf("open ledger %q: %w", l.path, err)
		}
		defer func() { _ = handle.Close() }()
		writer = newLedger(l.path, handle, Options{})
	}
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := writer.write(ctx, "index the words of reports", func(t *tx) error {
			row, err := t.ReportsToIndex(ctx)
			upto := min(row.Newest, row.Done+indexBatch)
			more = upto < row.Newest
			if err != nil || upto <= row.Done {
				return err
			}
			if err := t.SetIndexed(ctx, upto); err != nil {
				return err
			}
			return t.IndexReports(ctx, db.IndexReportsParams{After: row.Done, Upto: upto})
		}); err != nil {
			return err
		}
	}
	return nil
}
