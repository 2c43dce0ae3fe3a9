package team

import (
	"cmp"
	"context"
	"fmt"

	"github.com/reviewledger/reviewledger/db/postgres"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// Discarded implements [ledger.Questions]. Both periods of the filter are about when the
// reports were made, and what describes violations alone does not matter.
func (s *Store) Discarded(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) (found []ledger.ListedReport, err error) {
	err = s.read(ctx, "list discarded reports", func(t *tx) error {
		if f.Worktree != "" {
			return fmt.Errorf("worktree %q: %w", f.Worktree, ledger.ErrLocal)
		}
		p := postgres.DiscardedReportsParams{
			Run: orNil(f.Run), Dispositions: anyOf(dispositions), Priorities: anyOf(f.Priorities), Adapter: orNil(f.Adapter),
			Model: orNil(f.Model), Branch: orNil(f.Branch), Iteration: orNil(int64(f.Iteration)), Slot: orNil(int64(f.Slot)),
		}
		p.Since, p.Until = moments(lists.MadeIn(f))
		if p.Jobs, err = t.jobsNamed(ctx, f.EntryPoint, f.Gate); err != nil {
			return err
		}
		if p.Repositories, err = t.repositoriesNamed(ctx, f.Repository); err != nil {
			return err
		}
		if prefix := lists.LiteralPrefix(f.File); prefix != "" {
			if folder, whole := lists.FolderOf(f.File); whole {
				prefix = folder // it may be a file
			}
			p.FirstFile, p.LastFile = &prefix, lists.PrefixEnd(prefix)
		}
		found, err = t.discarded(ctx, f, p)
		return err
	})
	return found, err
}

// discarded reads reports until there are enough of which the files match, for SQL knows no
// patterns.
func (t *tx) discarded(ctx context.Context, f ledger.ViolationFilter, p postgres.DiscardedReportsParams) (found []ledger.ListedReport, err error) {
	for batch := int64(f.Limit); ; batch *= 4 {
		p.AtMost = orNil(batch)
		rows, err := t.DiscardedReports(ctx, p)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if d := discardFrom(postgres.DiscardsByKeyRow(row)); lists.KeepsDiscard(f, d) {
				found = append(found, d)
			}
		}
		if enough := f.Limit > 0 && len(found) >= f.Limit; enough || batch <= 0 || int64(len(rows)) < batch {
			if enough {
				found = found[:f.Limit]
			}
			return found, nil
		}
		last := rows[len(rows)-1]
		p.BeforeAt, p.BeforeRun, p.BeforeIteration = moment(last.EndedAt), &last.Run, last.Iteration
		p.BeforeJob, p.BeforeSlot, p.BeforePosition = last.Job, last.Slot, last.Position
	}
}

func discardFrom(row postgres.DiscardsByKeyRow) ledger.ListedReport {
	return ledger.ListedReport{
		Report: ledger.Report{
			Iteration: int(row.Iteration), Slot: int(row.Slot), Adapter: row.Adapter, Position: int(row.Position),
			Place: ledger.Place{File: row.File, Start: int(row.LineStart), End: int(row.LineEnd)},
			Issue: row.Issue, Fix: row.Fix, Priority: ledger.Priority(row.Priority), Disposition: ledger.Disposition(row.Disposition),
			Reason: row.Reason, InFixLines: row.InFixLines, LineHash: plain(row.LineHash),
		},
		Run: row.Run, Job: row.Job, EntryPoint: row.EntryPoint, Gate: row.Gate, At: moment(row.EndedAt),
		ShortID: cmp.Or(plain(row.ShortID), plain(row.MetShortID)),
	}
}
