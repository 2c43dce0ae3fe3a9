package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"

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
	open, err := t.runRows(ctx, openRuns)
	if err != nil {
		return runRow{}, err
	}
	run, elsewhere := openIn(scope, repository, sole != 0, open)
	switch {
	case run != nil:
		return *run, nil
	case elsewhere != nil:
		return runRow{}, &ledger.LogDirError{Run: elsewhere.ID, Began: elsewhere.LogDir, Now: scope.LogDir}
	}
	return runRow{}, sql.ErrNoRows
}

// openIn returns the run of the scope among those that are open, or nil, and the newest run of gates that is
// open in the same worktree with another log directory. If a run is not found by the name of the worktree, it
// is found by its path: it may have started before the worktree had a name, or the repository an origin.
func openIn(scope ledger.Scope, repository int64, sole bool, open []runRow) (run, elsewhere *runRow) {
	best, identified := 0, scope.Repository.Kind != ""
	slices.SortFunc(open, func(a, b runRow) int { return cmp.Compare(b.Row, a.Row) })
	for i := range open {
		r, found := &open[i], 0
		own, unknown := r.RepositoryRow == repository, r.RepositoryRow == unknownRepository
		named := identified && r.WorktreeKnown && r.WorktreeName == scope.WorktreeName
		byPath := r.Worktree == scope.Worktree && (own || unknown || sole || r.ID == scope.Begun)
		switch {
		case r.Kind != scope.Kind:
			continue
		case r.LogDir != scope.LogDir:
			if elsewhere == nil && byPath && scope.Kind == ledger.KindGates {
				elsewhere = r
			}
		case named && own:
			found = 3
		case named && unknown && scope.Repository.Sole: // it is of this repository, too
			found = 2
		case byPath && (named || !r.WorktreeKnown || !identified):
			found = 1
		}
		if found > best {
			run, best = r, found
		}
	}
	return run, elsewhere
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
