package store

// This file lists discarded reports.

import (
	"cmp"
	"context"
	"iter"

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
	p, err := t.discards(ctx, f, dispositions)
	return lists.Paged(func() ([]ledger.Report, bool, error) {
		if err != nil {
			return nil, false, err
		}
		return t.nextDiscards(ctx, f, &p)
	})
}

// discards returns the parameters of the first batch.
func (t *tx) discards(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) (db.DiscardedReportsParams, error) {
	at := lists.MadeIn(f)
	p := db.DiscardedReportsParams{
		Since: since(at), Until: until(at), Last: until(at), Run: f.Run, Dispositions: orAny(dispositions),
		Priorities: orAny(f.Priorities), Gate: f.Gate, EntryPoint: f.EntryPoint, Adapter: f.Adapter,
		Model: f.Model, Kind: string(f.Kind), Branch: f.Branch, Worktree: f.Worktree, AtMost: listBatch,
	}
	if f.Limit > 0 && f.Limit < listBatch && f.File == "" && f.Iteration == 0 && f.Slot == 0 {
		p.AtMost = int64(f.Limit)
	}
	after, err := lists.ReadKey(f.After, func(k discardKey) bool { return k.Slot > 0 })
	if err == nil && after != nil && after.At < p.Last {
		p.Last, p.LastSlot, p.LastPosition = after.At, after.Slot, after.Position
	}
	if err == nil {
		p.Repositories, err = t.repositoriesOf(ctx, f.Repository)
	}
	return p, err
}

// nextDiscards reads the next batch. It returns the reports that the filter keeps, and whether
// there may be more.
func (t *tx) nextDiscards(ctx context.Context, f ledger.ViolationFilter, p *db.DiscardedReportsParams) (found []ledger.Report, more bool, err error) {
	batch, err := t.DiscardedReports(ctx, *p)
	if err != nil || len(batch) == 0 {
		return nil, false, err
	}
	rows, err := t.discardRows(ctx, batch)
	if err != nil {
		return nil, false, err
	}
	var ids []int64
	for _, row := range rows {
		d := discardFrom(row)
		p.Last, p.LastSlot, p.LastPosition = db.Time(d.At).Text(), row.Report.SlotID, row.Report.Position
		d.Cursor = lists.Opaque(discardKey{At: p.Last, Slot: p.LastSlot, Position: p.LastPosition})
		if lists.KeepsDiscard(f, d) {
			found, ids = append(found, d), append(ids, row.Report.ID)
		}
	}
	return found, int64(len(batch)) == p.AtMost, t.addPlaces(ctx, ids, func(i int) *[]ledger.Place { return &found[i].Also })
}

// discardRows returns discarded reports, in the order of their rows.
func (t *tx) discardRows(ctx context.Context, ids []int64) ([]db.DiscardedReportsByIDRow, error) {
	return t.DiscardedReportsByID(ctx, db.DiscardedReportsByIDParams{Ids: asJSON(ids), Repositories: anyWord})
}

func discardFrom(row db.DiscardedReportsByIDRow) ledger.Report {
	d := reportFrom(row.Report)
	d.Run, d.Job, d.EntryPoint, d.Gate, d.At = row.Run, row.Job, row.EntryPoint, row.Name, moment(row.EndedAt)
	d.ShortID = cmp.Or(text(row.ShortID), text(row.MetShortID))
	d.Iteration, d.Slot, d.Adapter = int(row.Iteration), int(row.ReviewIndex), row.Adapter
	return d
}
