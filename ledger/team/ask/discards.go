package ask

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/reviewledger/reviewledger/db/postgres"
	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// Discarded answers as the ledger does. Both periods of the filter apply to when the reports were
// made, and fields that only violations have are ignored.
func (s *Store) Discarded(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) ([]ledger.Report, error) {
	return lists.Collect(s.EachDiscarded(ctx, f, dispositions))
}

// EachDiscarded answers as the ledger does.
func (s *Store) EachDiscarded(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) iter.Seq2[ledger.Report, error] {
	return lists.First(reading(ctx, s, "list discarded reports", func(t *tx) iter.Seq2[ledger.Report, error] {
		return t.eachDiscarded(ctx, f, dispositions)
	}), f.Limit)
}

// discards returns the parameters of the first batch.
func (t *tx) discards(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) (p postgres.DiscardedReportsParams, err error) {
	after, err := lists.ReadKey(f.After, func(k discardKey) bool { return k.Run != "" })
	if err != nil {
		return p, err
	}
	if f.Worktree != "" {
		return p, fmt.Errorf("worktree %q: %w", f.Worktree, ledger.ErrLocal)
	}
	p = postgres.DiscardedReportsParams{
		Run: orNil(f.Run), Dispositions: anyOf(dispositions), Priorities: anyOf(f.Priorities), Adapter: orNil(f.Adapter),
		Model: orNil(f.Model), Branch: orNil(f.Branch), Iteration: orNil(int64(f.Iteration)), Slot: orNil(int64(f.Slot)),
	}
	p.Since, p.Until = moments(lists.MadeIn(f))
	if p.Jobs, err = t.jobsNamed(ctx, f.EntryPoint, f.Gate); err != nil {
		return p, err
	}
	if p.Repositories, err = t.repositoriesNamed(ctx, f.Repository); err != nil {
		return p, err
	}
	if prefix := lists.LiteralPrefix(f.File); prefix != "" {
		if folder, whole := lists.FolderOf(f.File); whole {
			prefix = folder // the pattern may also name a file
		}
		p.FirstFile, p.LastFile = &prefix, lists.PrefixEnd(prefix)
	}
	if after != nil {
		begin(&p, *after)
	}
	return p, nil
}

// eachDiscarded yields reports batch by batch. File patterns are matched here, because SQL cannot
// match them. If few reports match, the batches grow.
func (t *tx) eachDiscarded(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) iter.Seq2[ledger.Report, error] {
	p, err := t.discards(ctx, f, dispositions)
	batch := int64(listBatch)
	if f.Limit > 0 {
		batch = min(batch, int64(f.Limit))
	}
	return lists.Paged(func() (found []ledger.Report, more bool, _ error) {
		if err != nil {
			return nil, false, err
		}
		p.AtMost = new(batch)
		rows, err := t.DiscardedReports(ctx, p)
		for _, row := range rows {
			d := discardFrom(postgres.DiscardsByKeyRow(row))
			d.Cursor = lists.Opaque(keyOfDiscard(row))
			if lists.KeepsDiscard(f, d) {
				found = append(found, d)
			}
		}
		if more = int64(len(rows)) == batch; more {
			begin(&p, keyOfDiscard(rows[len(rows)-1]))
		}
		batch = min(batch*4, listBatch)
		return found, more, err
	})
}

// discardKey is what discarded reports are sorted by.
type discardKey struct {
	At        time.Time `json:"at"`
	Run       string    `json:"run"`
	Iteration int64     `json:"iteration"`
	Job       string    `json:"job"`
	Slot      int64     `json:"slot"`
	Position  int64     `json:"position"`
}

func keyOfDiscard(row postgres.DiscardedReportsRow) discardKey {
	return discardKey{moment(row.EndedAt), row.Run, row.Iteration, row.Job, row.Slot, row.Position}
}

// begin makes the list begin after the key.
func begin(p *postgres.DiscardedReportsParams, k discardKey) {
	p.BeforeAt, p.BeforeRun, p.BeforeIteration = k.At, &k.Run, k.Iteration
	p.BeforeJob, p.BeforeSlot, p.BeforePosition = k.Job, k.Slot, k.Position
}

func discardFrom(row postgres.DiscardsByKeyRow) ledger.Report {
	return ledger.Report{
		Iteration: int(row.Iteration), Slot: int(row.Slot), Adapter: row.Adapter, Position: int(row.Position),
		Place: ledger.Place{File: row.File, Start: int(row.LineStart), End: int(row.LineEnd)},
		Issue: row.Issue, Fix: row.Fix, Priority: ledger.Priority(row.Priority), Disposition: ledger.Disposition(row.Disposition),
		Reason: row.Reason, InFixLines: row.InFixLines,
		Also: placesFrom(row.Also), ID: rows.Value(row.ReportID),
		Run: row.Run, Job: row.Job, EntryPoint: row.EntryPoint, Gate: row.Gate, At: moment(row.EndedAt),
		ShortID: cmp.Or(rows.Value(row.ShortID), rows.Value(row.MetShortID)),
	}
}
