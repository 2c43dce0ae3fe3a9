package store

import (
	"context"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
)

// runFrom returns the run of a query's row, or the query's error.
func (t *tx) runFrom(ctx context.Context, row db.Run, err error) (ledger.Run, error) {
	if err != nil {
		return ledger.Run{}, err
	}
	runs, err := t.runsFrom(ctx, []db.Run{row}, nil)
	if err != nil {
		return ledger.Run{}, err
	}
	return runs[0], nil
}

// withRepository returns the run of the row with its repository, but without its verdict. Each
// repository is looked up only once.
func (t *tx) withRepository(ctx context.Context, row db.Run) (ledger.Run, error) {
	run := runFrom(row)
	if row.RepositoryID == unknownRepository {
		return run, nil
	}
	if _, known := t.repositories[row.RepositoryID]; !known {
		r, err := t.RepositoryRow(ctx, row.RepositoryID)
		if err != nil {
			return run, err
		}
		t.repositories[row.RepositoryID] = ledger.Repository{Kind: ledger.RepositoryKind(r.Kind), Key: r.Key}
	}
	run.Repository = t.repositories[row.RepositoryID]
	return run, nil
}

// runsFrom returns the runs of a query's rows, or the query's error.
func (t *tx) runsFrom(ctx context.Context, rows []db.Run, err error) ([]ledger.Run, error) {
	if err != nil {
		return nil, err
	}
	runs := make([]ledger.Run, 0, len(rows))
	for _, row := range rows {
		run, err := t.withRepository(ctx, row)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, t.addVerdicts(ctx, rows, runs)
}

// runFrom returns the run without its repository and its verdict.
func runFrom(row db.Run) ledger.Run {
	return ledger.Run{
		ID: row.Ulid, Kind: ledger.RunKind(row.Kind), Worktree: exchange.Known(row.Worktree), WorktreeName: text(row.WorktreeName), LogDir: exchange.Known(row.LogDir),
		ConfigHash:       text(row.ConfigHash),
		ContentRemovedAt: moment(row.ContentRemovedAt),
		Branch:           text(row.Branch), BaseRef: row.BaseRef, Base: row.Base, Head: text(row.Head), Subject: text(row.Subject),
		SessionRef: text(row.SessionRef), Status: ledger.RunStatus(row.Status),
		StartedAt: time.Time(row.StartedAt), FinishedAt: moment(row.FinishedAt),
		Iterations: int(row.Iterations), Verified: int(row.Verified), Claimed: int(row.Claimed), Skipped: int(row.Skipped), Withdrawn: int(row.Withdrawn), Open: int(row.Open),
	}
}

// text returns the text, or "" for nil.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
