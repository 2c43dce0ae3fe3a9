package store

// This file lists discarded reports.

import (
	"context"
	"database/sql"
	"iter"
	"slices"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// Discarded lists discarded reports, newest first. They have no status that could change, so both
// periods of the filter apply to when they were made. Fields of the filter that only violations
// have are ignored. The error is [ledger.ErrCursor] if the cursor is not one of this list.
func (l *Store) Discarded(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) ([]ledger.Report, error) {
	return lists.Collect(l.EachDiscarded(ctx, f, dispositions))
}

// EachDiscarded yields what [Store.Discarded] lists as it is read, as [Store.EachViolation] does.
func (l *Store) EachDiscarded(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) iter.Seq2[ledger.Report, error] {
	return lists.First(reading(ctx, l, "list discarded reports", func(t *tx) iter.Seq2[ledger.Report, error] {
		return t.eachDiscarded(ctx, f, dispositions)
	}), f.Limit)
}

// eachDiscarded yields the reports batch by batch. Files, iterations and slots are matched here,
// not in SQL.
func (t *tx) eachDiscarded(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) iter.Seq2[ledger.Report, error] {
	last, params, err := t.discards(ctx, f, dispositions)
	return lists.Paged(func() ([]ledger.Report, bool, error) {
		if err != nil {
			return nil, false, err
		}
		return t.nextDiscards(ctx, f, &last, params)
	})
}

// discards returns what comes before the first batch, and the parameters of all batches.
func (t *tx) discards(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) (last discardKey, params []any, err error) {
	at := lists.MadeIn(f)
	last.At = until(at)
	after, err := lists.ReadKey(f.After, func(k discardKey) bool { return k.Slot > 0 })
	if err != nil {
		return last, nil, err
	}
	if after != nil && after.At < last.At {
		last = *after
	}
	repositories, err := t.repositoriesOf(ctx, f.Repository)
	return last, append(inRuns(f, repositories),
		sql.Named("since", since(at)), sql.Named("until", until(at)), sql.Named("run", f.Run), sql.Named("dispositions", orAny(dispositions)),
		sql.Named("priorities", orAny(f.Priorities)), sql.Named("gate", f.Gate), sql.Named("entry_point", f.EntryPoint), sql.Named("adapter", f.Adapter)), err
}

// inRuns returns the conditions of a filter on slots and their runs. repositories is a JSON array.
func inRuns(f ledger.ViolationFilter, repositories string) []any {
	return []any{
		sql.Named("model", f.Model), sql.Named("repositories", repositories), sql.Named("branch", f.Branch), sql.Named("worktree", f.Worktree), sql.Named("kind", string(f.Kind)),
	}
}

// nextDiscards reads the batch after last, and sets last. It returns the reports that the filter keeps,
// and whether there may be more.
func (t *tx) nextDiscards(ctx context.Context, f ledger.ViolationFilter, last *discardKey, params []any) (found []ledger.Report, more bool, err error) {
	most := listBatch
	if f.Limit > 0 && f.Limit < most && f.File == "" && f.Iteration == 0 && f.Slot == 0 {
		most = f.Limit
	}
	read := 0
	err = discardedReports.Each(ctx, t.Queries, func(r *report) {
		read++
		*last = discardKey{At: db.Time(r.At).Text(), Slot: r.SlotRow, Position: int64(r.Position)}
		if r.Cursor = lists.Opaque(*last); lists.KeepsDiscard(f, r.Report) {
			found = append(found, r.Report)
		}
	}, append(slices.Clone(params), sql.Named("last", last.At), sql.Named("last_slot", last.Slot), sql.Named("last_position", last.Position), sql.Named("at_most", most))...)
	return found, read == most, err
}
