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

func iterationFrom(row db.Iteration) ledger.Iteration {
	return ledger.Iteration{
		Number: int(row.Number), Mode: ledger.Mode(row.Mode), Source: ledger.Source(row.Source),
		From: text(row.FromTree), To: text(row.ToTree), Snapshot: text(row.Snapshot), Tree: text(row.Tree),
		Head: text(row.Head), Branch: text(row.Branch), Base: text(row.Base), Anew: row.Anew == 1, ConfigHash: text(row.ConfigHash), Status: ledger.RunStatus(row.Status),
		StartedAt: time.Time(row.StartedAt), FinishedAt: moment(row.FinishedAt), NoticedAt: moment(row.NoticedAt),
	}
}

func gateFrom(row db.GatesOfRunRow) ledger.Gate {
	return ledger.Gate{
		Iteration: int(row.Iteration), Job: row.Job, Kind: ledger.GateKind(row.Kind),
		EntryPoint: row.EntryPoint, Name: row.Name,
		Status: ledger.GateStatus(row.Gate.Status), Reason: row.Gate.Reason,
		NotRun: ledger.NotRunReason(text(row.Gate.NotRunReason)), Problems: int(row.Gate.Problems), Excerpt: text(row.Gate.Excerpt), ExitCode: integer(row.Gate.ExitCode),
		ConfigHash: text(row.Gate.ConfigHash), RestsOn: text(row.Gate.RestsOn),
		Duration: time.Duration(row.Gate.DurationMs) * time.Millisecond, StartedAt: moment(row.Gate.StartedAt),
	}
}

func slotFrom(row db.SlotsOfRunRow) ledger.Slot {
	s := row.Slot
	return ledger.Slot{
		Iteration: int(row.Iteration), Job: row.Job, Index: int(s.ReviewIndex), Adapter: s.Adapter,
		Status: ledger.SlotStatus(s.Status), PassIteration: integer(s.PassIteration), Reason: s.Reason,
		Reviewed: text(s.Reviewed),
		Usage: ledger.Usage{
			Model: text(s.Model), InputTokens: s.InputTokens, CachedTokens: s.CachedTokens,
			OutputTokens: s.OutputTokens, CostUSD: s.CostUSD,
		},
		Calls: int(s.Calls), Duration: time.Duration(s.DurationMs) * time.Millisecond,
		StartedAt: moment(s.StartedAt), FinishedAt: moment(s.FinishedAt), NoticedAt: moment(s.NoticedAt),
		Latch: s.Latch == 1, Repairs: int(s.Repairs), Unseen: text(s.Unseen), Denied: text(s.Denied),
		Counts: countsFrom(s),
	}
}

func countsFrom(s db.Slot) ledger.SlotCounts {
	return ledger.SlotCounts{
		Accepted: int(s.Accepted), OutOfDiff: int(s.OutOfDiff), BelowThreshold: int(s.BelowThreshold),
		PreviouslySkipped: int(s.PreviouslySkipped), RememberedSkip: int(s.RememberedSkip), Malformed: int(s.Malformed), Merged: int(s.Merged),
		OutsideVerify: int(s.OutsideVerify), New: int(s.New), Reopened: int(s.Reopened),
		Verified: int(s.Verified), Carried: int(s.Carried), Elsewhere: int(s.Elsewhere),
	}
}

// text returns the text, or "" for nil.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
