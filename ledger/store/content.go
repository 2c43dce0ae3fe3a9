package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/reviewledger/reviewledger/db"
)

// Removed is the result of [Store.RemoveContent].
type Removed struct {
	// Runs is how many runs lost their content, and Texts how many texts were removed. A text that
	// a newer run has too is kept.
	Runs, Texts int
	// Bytes is how much space the removed texts took up in the ledger.
	Bytes int64
}

// RemoveContent removes the prompts, answers, logs and excerpts of runs that ended before the time.
// It keeps what was reported, marked and decided, and the content of open runs. progress, which may
// be nil, is called after each run with the number of runs done and the total.
//
// Each run is a transaction of its own, so that other processes can write in between.
// [Store.Compact] removes texts that a killed call left behind.
func (l *Store) RemoveContent(ctx context.Context, before time.Time, progress func(done, all int)) (Removed, error) {
	var removed Removed
	limit := orNil(before)
	runs, err := l.runsWithContent(ctx, limit)
	if err != nil || len(runs) == 0 {
		return removed, err
	}
	for n, run := range runs {
		if ctx.Err() != nil {
			break // the next call continues; texts that nothing refers to are removed now
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

func (l *Store) runsWithContent(ctx context.Context, before *db.Time) ([]int64, error) {
	return answer(ctx, l, "find old content", func(t *tx) ([]int64, error) { return t.RunsWithContent(ctx, before) })
}

// RunsWithContent returns the number of runs whose content [Store.RemoveContent] would remove.
func (l *Store) RunsWithContent(ctx context.Context, before time.Time) (int, error) {
	runs, err := l.runsWithContent(ctx, orNil(before))
	return len(runs), err
}

// removeUnnamed removes the texts that nothing refers to any more, and returns their sizes. It
// checks all references at once; the foreign-key check would do it again for each text.
func (l *Store) removeUnnamed(ctx context.Context) (sizes []int64, err error) {
	err = db.WithoutForeignKeys(ctx, l.handle, func() error {
		return l.write(ctx, "remove old content", func(t *tx) (err error) {
			sizes, err = t.DeleteUnnamedBlobs(ctx)
			return err
		})
	})
	return sizes, err
}

// removeContent detaches the texts of one run, unless the run was reopened.
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
		return t.removeRows(ctx, run, textsOfRun())
	})
	return gone, err
}

// Compact gives the space of removed rows back to the file system. It temporarily needs as much
// space again as the ledger takes up, and waits for other writers.
func (l *Store) Compact(ctx context.Context) error {
	if _, err := l.removeUnnamed(ctx); err != nil {
		return err
	}
	if err := db.Compact(ctx, l.handle); err != nil {
		return fmt.Errorf("make the ledger %q smaller: %w", l.path, db.Explain(err))
	}
	return nil
}
