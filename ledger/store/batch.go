package store

import (
	"context"

	"github.com/reviewledger/reviewledger/db"
)

// batches are rows by what they have in common, so that one statement writes it for
// all of them. A verdict has ten thousand findings with two or three statuses.
type batches[K comparable] struct {
	keys []K // in the order in which they came
	rows map[K][]int64
}

func (b *batches[K]) add(key K, row int64) {
	if b.rows == nil {
		b.rows = map[K][]int64{}
	}
	if _, known := b.rows[key]; !known {
		b.keys = append(b.keys, key)
	}
	b.rows[key] = append(b.rows[key], row)
}

// each calls do for every batch, until one fails.
func (b *batches[K]) each(do func(key K, rows []int64) error) error {
	for _, key := range b.keys {
		if err := do(key, b.rows[key]); err != nil {
			return err
		}
	}
	return nil
}

// insertEvents adds the same event to many violations.
func (t *tx) insertEvents(ctx context.Context, violations []int64, e db.InsertEventsParams) (err error) {
	if len(violations) == 0 {
		return nil
	}
	if e.Violations, err = asJSON(violations); err != nil {
		return err
	}
	return t.InsertEvents(ctx, e)
}
