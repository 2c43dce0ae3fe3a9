package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/reviewledger/reviewledger/db"
)

// Removed says what [Store.RemoveContent] removed.
type Removed struct {
	// Runs is how many runs have lost their content, Texts how many texts are gone
	// with it: a text that a newer run has, too, stays.
	Runs, Texts int
	// Bytes is how much room the texts took up in the ledger.
	Bytes int64
}

// RemoveContent removes the prompts, answers, logs and excerpts of runs that ended
// before the time. What was reported, marked and decided stays, and so do the runs that
// are open. The function, which may be nil, is called after each run with the number of
// runs done and the total.
//
// Each run is a transaction of its own, so that others can go on writing. Texts that a
// killed call left behind are removed by [Store.Compact].
func (l *Store) RemoveContent(ctx context.Context, before time.Time, progress func(done, all int)) (Removed, error) {
	var removed Removed
	limit := orNil(before)
	var runs []int64
	err := l.read(ctx, "find old content", func(t *tx) (err error) {
		runs, err = t.RunsWithContent(ctx, limit)
		return err
	})
	if err != nil || len(runs) == 0 {
		return removed, err
	}
	for n, run := range runs {
		if ctx.Err() != nil {
			break // the next call goes on; what has no name goes now
		}
		gone, err := l.removeContent(ctx, run, limit)
		if err != nil {
			return removed, err
		}
		if gone {
			removed.Runs++
		}
		if progress != nil {
			progress(n+1, len(runs))
		}
	}
	sizes, err := l.removeUnnamed(ctx)
	removed.Texts = len(sizes)
	for _, size := range sizes {
		removed.Bytes += size
	}
	return removed, errors.Join(err, ctx.Err())
}

// removeUnnamed removes the texts that nothing names any more, and returns their sizes.
// It looks at all names itself: the check of foreign keys would do so for each text.
func (l *Store) removeUnnamed(ctx context.Context) (sizes []int64, err error) {
	err = db.WithoutForeignKeys(ctx, l.handle, func() error {
		return l.write(ctx, "remove old content", func(t *tx) (err error) {
			sizes, err = t.DeleteUnnamedBlobs(ctx)
			return err
		})
	})
	return sizes, err
}

// removeContent detaches the texts of one run, unless it was opened again.
func (l *Store) removeContent(ctx context.Context, run int64, before *db.Time) (gone bool, err error) {
	err = l.write(ctx, "remove old content", func(t *tx) error {
		rows, err := t.NoteContentRemoved(ctx, db.NoteContentRemovedParams{At: &t.at, ID: run, Before: before})
		if gone = rows == 1; err != nil || !gone {
			return err
		}
		t.touch(run)
		if err := t.RemoveGateExcerpts(ctx, run); err != nil {
			return err
		}
		return t.removeRows(ctx, run, textsOfRun)
	})
	return gone, err
}

// Compact gives the room that removed rows took up back to the file system. It needs
// as much room again while it works, and waits for others that write.
func (l *Store) Compact(ctx context.Context) error {
	if _, err := l.removeUnnamed(ctx); err != nil {
		return err
	}
	if err := db.Compact(ctx, l.handle); err != nil {
		return fmt.Errorf("make the ledger %q smaller: %w", l.path, db.Explain(err))
	}
	return nil
}
