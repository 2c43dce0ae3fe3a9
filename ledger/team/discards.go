package team

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/reviewledger/reviewledger/db/postgres"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// Discarded implements [ledger.Questions]. Both periods of the filter are about when the
// reports were made, and what describes violations alone does not matter.
func (s *Store) Discarded(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) (found []ledger.ListedReport, err error) {
	after, err := lists.ReadKey(f.After, func(k discardKey) bool { return k.Run != "" })
	if err != nil {
		return nil, err
	}
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
		if after != nil {
			begin(&p, *after)
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
			d := discardFrom(postgres.DiscardsByKeyRow(row))
			d.Cursor = lists.Opaque(keyOfDiscard(row))
			if lists.KeepsDiscard(f, d) {
				found = append(found, d)
			}
		}
		if enough := f.Limit > 0 && len(found) >= f.Limit; enough || batch <= 0 || int64(len(rows)) < batch {
			if enough {
				found = found[:f.Limit]
			}
			return found, nil
		}
		begin(&p, keyOfDiscard(rows[len(rows)-1]))
	}
}

// discardKey is what reports that filters removed are sorted by.
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

// begin sets what the list begins after.
func begin(p *postgres.DiscardedReportsParams, k discardKey) {
	p.BeforeAt, p.BeforeRun, p.BeforeIteration = k.At, &k.Run, k.Iteration
	p.BeforeJob, p.BeforeSlot, p.BeforePosition = k.Job, k.Slot, k.Position
}

func discardFrom(row postgres.DiscardsByKeyRow) ledger.ListedReport {
	return ledger.ListedReport{
		Report: ledger.Report{
			Iteration: int(row.Iteration), Slot: int(row.Slot), Adapter: row.Adapter, Position: int(row.Position),
			Place: ledger.Place{File: row.File, Start: int(row.LineStart), End: int(row.LineEnd)},
			Issue: row.Issue, Fix: row.Fix, Priority: ledger.Priority(row.Priority), Disposition: ledger.Disposition(row.Disposition),
			Reason: row.Reason, InFixLines: row.InFixLines, LineHash: plain(row.LineHash),
			Also: placesFrom(row.Also), SameAs: plain(row.SameAs), ID: plain(row.ReportID),
		},
		Run: row.Run, Job: row.Job, EntryPoint: row.EntryPoint, Gate: row.Gate, At: moment(row.EndedAt),
		ShortID: cmp.Or(plain(row.ShortID), plain(row.MetShortID)),
	}
}
