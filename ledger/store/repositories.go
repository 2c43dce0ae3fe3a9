package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// unknownRepository is the row that stands for the repository of runs that did not record one.
const unknownRepository = 1

// openRun returns the run that is open in the scope. If there is none, but a run of gates is open
// in the same worktree with another log directory, the error is a [ledger.LogDirError].
//
// Rule: Every worktree has its own loop.
func (t *tx) openRun(ctx context.Context, scope ledger.Scope) (runRow, error) {
	repository, sole, err := t.repositoryOfScope(ctx, scope)
	if err != nil {
		return runRow{}, err
	}
	if scope.Repository.Kind != "" {
		among := []int64{repository}
		if scope.Repository.Sole { // runs of a repository that was not known are of this one
			among = append(among, unknownRepository)
		}
		for _, id := range among {
			row, err := t.runRow(ctx, openRun,
				sql.Named("repository", id), sql.Named("worktree_name", scope.WorktreeName), sql.Named("log_dir", scope.LogDir), sql.Named("kind", string(scope.Kind)))
			if !errors.Is(err, sql.ErrNoRows) {
				return row, err
			}
		}
	}
	// The run may have been started before the worktree was identified by its name, or before the
	// repository had an origin.
	row, err := t.runRow(ctx, openRunByPath,
		sql.Named("worktree", scope.Worktree), sql.Named("log_dir", scope.LogDir), sql.Named("kind", string(scope.Kind)), sql.Named("worktree_name", scope.WorktreeName),
		sql.Named("anywhere", scope.Repository.Kind == ""), sql.Named("repository", repository), sql.Named("sole", sole), sql.Named("begun", scope.Begun))
	if !errors.Is(err, sql.ErrNoRows) || scope.Kind != ledger.KindGates {
		return row, err
	}
	elsewhere, other := t.OpenRunElsewhere(ctx, db.OpenRunElsewhereParams{
		Worktree: scope.Worktree, LogDir: scope.LogDir, RepositoryID: repository, Sole: sole, Begun: scope.Begun,
	})
	switch {
	case other == nil:
		return row, &ledger.LogDirError{Run: elsewhere.Ulid, Began: elsewhere.LogDir, Now: scope.LogDir}
	case !errors.Is(other, sql.ErrNoRows):
		return row, other
	}
	return row, err
}

// repositoryOfScope returns the row of the scope's repository, or 0 if there is none, and 1 if all
// runs at the scope's path are of this repository, however it was identified when they began.
func (t *tx) repositoryOfScope(ctx context.Context, scope ledger.Scope) (repository, sole int64, err error) {
	r := scope.Repository
	repository, err = t.knownRepository(ctx, r)
	return repository, boolean(r.Sole || r.Kind == "" || r.Kind == ledger.RepositoryUnknown), err
}

// knownRepository returns the repository's row, or 0 if there is none.
func (t *tx) knownRepository(ctx context.Context, r ledger.Repository) (int64, error) {
	id, err := t.RepositoryID(ctx, db.RepositoryIDParams{Kind: string(r.Kind), Key: r.Key})
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

// repository returns the row of the run's repository, and creates it if there is none. Runs at the
// same place whose repository was unknown get this one too.
func (t *tx) repository(ctx context.Context, run ledger.Run) (int64, error) {
	r := run.Repository
	if r.Kind == "" || r.Kind == ledger.RepositoryUnknown {
		return unknownRepository, nil
	}
	if err := t.EnsureRepository(ctx, db.EnsureRepositoryParams{Kind: string(r.Kind), Key: r.Key}); err != nil {
		return 0, err
	}
	id, err := t.knownRepository(ctx, r)
	if err != nil {
		return 0, err
	}
	return id, t.adopt(ctx, db.AdoptRunsParams{
		RepositoryID: id, FormerID: unknownRepository, Worktree: run.Worktree, Sole: boolean(r.Sole),
	})
}

func (t *tx) adopt(ctx context.Context, p db.AdoptRunsParams) error {
	_, err := t.AdoptRuns(ctx, p)
	return err
}

// scopeOf returns the scope of a run.
func scopeOf(run ledger.Run) ledger.Scope {
	return ledger.Scope{
		Kind: run.Kind, Worktree: run.Worktree, LogDir: run.LogDir, Repository: run.Repository, WorktreeName: run.WorktreeName,
	}
}

// worktreeName returns the worktree's name for the row of the run; nil if the repository is not
// known.
func worktreeName(run ledger.Run) *string {
	if run.Repository.Kind == "" {
		return nil
	}
	return &run.WorktreeName
}
