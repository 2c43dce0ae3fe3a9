package store

import (
	"context"
	"errors"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
)

// RemovedRuns is the result of [Store.RemoveRuns].
type RemovedRuns struct {
	// Runs is how many runs were removed, and Violations how many violations were removed with
	// them.
	Runs, Violations int
	// These fields count the runs that were kept: Remembering because one of their skips is
	// remembered, Latest because nothing newer happened in their place, Contradicting because they
	// failed on a tree that an older run, which is kept, had passed on, and Rested because a run
	// that is kept rests on their pass.
	Remembering, Latest, Contradicting, Rested int
	// Skips are the skipped violations of the removed runs.
	Skips []ledger.ListedViolation
}

// RemoveRuns removes runs that ended before the time, with everything that was recorded about them.
// It keeps open runs and runs that later decisions depend on: see [RemovedRuns]. progress, which
// may be nil, is called after each run with the number of runs done and the total.
//
// Each run is a transaction of its own, so that other processes can write in between.
// [Store.Compact] frees the space and the texts of the removed runs.
func (l *Store) RemoveRuns(ctx context.Context, before time.Time, progress func(done, all int)) (removed RemovedRuns, err error) {
	limit := orNil(before)
	runs, rested, err := l.oldRuns(ctx, limit)
	if err != nil || len(runs) == 0 {
		return removed, err
	}
	// The rows of a run refer only to each other and to rows that stay. Looking up the references
	// to each row would take as long as reading the whole ledger.
	err = db.WithoutForeignKeys(ctx, l.handle, func() error {
		for n, run := range runs {
			if err := ctx.Err(); err != nil {
				return err // the next call continues
			}
			skips, err := l.skipsOfRun(ctx, run.Ulid)
			if err != nil && !errors.Is(err, ledger.ErrNotFound) { // another process removed it
				return err
			}
			gone := removed.Runs
			if err := l.removeRun(ctx, run.ID, limit, rested[run.ID], &removed); err != nil {
				return err
			}
			if removed.Runs > gone {
				removed.Skips = append(removed.Skips, skips...)
			}
			if progress != nil {
				progress(n+1, len(runs))
			}
		}
		return nil
	})
	return removed, err
}

// oldRuns returns the runs that ended before the time, and those that kept runs rest on.
func (l *Store) oldRuns(ctx context.Context, before *db.Time) (runs []db.RunsEndedBeforeRow, rested map[int64]bool, err error) {
	err = l.read(ctx, "find old runs", func(t *tx) (err error) {
		if runs, err = t.RunsEndedBefore(ctx, db.RunsEndedBeforeParams{Before: before}); err != nil {
			return err
		}
		rests, err := t.RestsOfRuns(ctx)
		rested = restedOn(runs, rests)
		return err
	})
	return runs, rested, err
}

// RemovableRuns returns what [Store.RemoveRuns] would remove and keep.
func (l *Store) RemovableRuns(ctx context.Context, before time.Time) (removable RemovedRuns, err error) {
	runs, rested, err := l.oldRuns(ctx, orNil(before))
	for n := 0; n < len(runs) && err == nil; n++ {
		if removable.count(runs[n], rested[runs[n].ID]) {
			var skips []ledger.ListedViolation
			skips, err = l.skipsOfRun(ctx, runs[n].Ulid)
			removable.Skips = append(removable.Skips, skips...)
		}
	}
	return removable, err
}

func (l *Store) skipsOfRun(ctx context.Context, run string) ([]ledger.ListedViolation, error) {
	return l.Violations(ctx, ledger.ViolationFilter{Run: run, Statuses: []ledger.Status{ledger.StatusSkipped}})
}

// restedOn returns the runs that kept runs rest on, directly or through others.
//
// Rule: A database that cannot be used is left as it is.
func restedOn(old []db.RunsEndedBeforeRow, rests []db.RestsOfRunsRow) map[int64]bool {
	goes := map[int64]bool{}
	for _, run := range old {
		goes[run.ID] = run.Remembers+run.Latest+run.Contradicts == 0
	}
	rested := map[int64]bool{}
	for found := true; found; {
		found = false
		for _, r := range rests {
			if stays := !goes[r.ID] || rested[r.ID]; stays && !rested[r.RestsOn] {
				rested[r.RestsOn], found = true, true
			}
		}
	}
	return rested
}

// removeRun removes one run, unless there is a reason to keep it by now.
func (l *Store) removeRun(ctx context.Context, id int64, before *db.Time, rested bool, removed *RemovedRuns) error {
	return l.write(ctx, "remove old runs", func(t *tx) error {
		rows, err := t.RunsEndedBefore(ctx, db.RunsEndedBeforeParams{Before: before, ID: id})
		if err != nil || len(rows) == 0 {
			return err // it was reopened, or another process removed it
		}
		if removed.count(rows[0], rested) {
			return t.deleteRun(ctx, id)
		}
		return nil
	})
}

// count counts a run as removed or as kept, and reports whether it goes.
func (r *RemovedRuns) count(run db.RunsEndedBeforeRow, rested bool) bool {
	switch {
	case run.Remembers == 1:
		r.Remembering++
	case run.Latest == 1:
		r.Latest++
	case run.Contradicts == 1:
		r.Contradicting++
	case rested:
		r.Rested++
	default:
		r.Runs++
		r.Violations += int(run.Violations)
		return true
	}
	return false
}

// textsOfRun lists the tables that refer to the long texts of a run.
func textsOfRun() (tables []*exchange.Table) {
	for _, t := range exchange.OfRun() {
		if t.Texts() {
			tables = append(tables, t)
		}
	}
	return tables
}

// deleteRun deletes a run and its rows. The run goes first, because its rows cannot be deleted
// while it exists.
func (t *tx) deleteRun(ctx context.Context, id int64) error {
	if err := t.ExecRecord(ctx, "remove words", id); err != nil {
		return err
	}
	if err := expectOne(t.DeleteRun(ctx, id)); err != nil {
		return err
	}
	return t.removeRows(ctx, id, exchange.OfRun())
}
