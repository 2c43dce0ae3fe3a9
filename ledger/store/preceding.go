package store

// This file reads the run that a new one may rest on, and whether its pass still stands. The
// decision is in ledger/rests.go.

import (
	"context"
	"database/sql"
	"errors"

	"github.com/reviewledger/reviewledger/ledger"
)

// PrecedingRun returns the latest ended run of the branch in this worktree and log directory, with
// the facts that decide whether a new run may rest on it. It returns nil if no run has ended there.
func (l *Store) PrecedingRun(ctx context.Context, scope ledger.Scope, branch string) (*ledger.PrecedingRun, error) {
	return answer(ctx, l, "read the latest run of the branch", func(t *tx) (*ledger.PrecedingRun, error) {
		repository, sole, err := t.repositoryOfScope(ctx, scope)
		if err != nil {
			return nil, err
		}
		row, err := t.runRow(ctx, lastRun, sql.Named("branch", branch), sql.Named("kind", string(ledger.KindGates)),
			sql.Named("worktree", scope.Worktree), sql.Named("log_dir", scope.LogDir), sql.Named("repository", repository), sql.Named("sole", sole))
		if errors.Is(err, sql.ErrNoRows) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		return t.precedingRun(ctx, row)
	})
}

// RestsStand reports whether all passes that a run rests on still count.
func (l *Store) RestsStand(ctx context.Context, run string) (bool, error) {
	return answer(ctx, l, "read what the run rests on", func(t *tx) (bool, error) {
		row, err := t.runByULID(ctx, run)
		if err != nil {
			return false, err
		}
		return t.restsStand(ctx, row.Row, map[string]bool{})
	})
}

func (t *tx) precedingRun(ctx context.Context, row runRow) (*ledger.PrecedingRun, error) {
	state, err := t.closedRun(ctx, row)
	if err != nil {
		return nil, err
	}
	if state.Transitions, err = t.transitions(ctx, row.Row); err != nil {
		return nil, err
	}
	if state.Gates, err = t.gates(ctx, row.Row); err != nil {
		return nil, err
	}
	doubts, err := t.DoubtsOfRun(ctx, row.Row)
	if err != nil {
		return nil, err
	}
	stands, err := t.bears(ctx, row.ID, map[string]bool{})
	return &ledger.PrecedingRun{
		State: state, Stands: stands,
		Skips: int(doubts.Skipped), Withdrawn: int(doubts.Withdrawn), Dropped: int(doubts.Dropped),
	}, err
}

// passStands reports whether a run passed as a whole, and neither its pass nor a pass that it rests
// on was taken back since. known caches the results by run.
//
// Rule: Done means passed as it is now.
func (t *tx) passStands(ctx context.Context, run string, known map[string]bool) (bool, error) {
	if stands, looked := known[run]; looked {
		return stands, nil
	}
	known[run] = false // a run that rests on itself does not stand
	row, err := t.runByULID(ctx, run)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	passed, err := t.runRows(ctx, passedRuns, sql.Named("base", row.Base), sql.Named("config_hash", ""), sql.Named("run", run))
	if err != nil || len(passed) == 0 {
		return false, err
	}
	state, err := t.closedRun(ctx, row)
	if err != nil || state.AnyForgotten() {
		return false, err
	}
	known[run], err = t.restsStand(ctx, row.Row, known)
	return known[run], err
}

// bears reports whether a later run may rest on the run: its pass stands, and no skip that it
// passed with was forgotten since. A forgotten skip covers nothing in later runs.
//
// Rule: A human's skip is remembered.
func (t *tx) bears(ctx context.Context, run string, known map[string]bool) (bool, error) {
	stands, err := t.passStands(ctx, run, known)
	if err != nil || !stands {
		return false, err
	}
	forgotten, err := t.SkipForgotten(ctx, run)
	return !forgotten, err
}

// restsStand reports whether all passes that the run rests on still bear it.
func (t *tx) restsStand(ctx context.Context, run int64, known map[string]bool) (bool, error) {
	gates, err := t.gates(ctx, run)
	for _, on := range (&ledger.State{Gates: gates}).RestsOn() {
		bears, err := t.bears(ctx, on, known)
		if err != nil || !bears {
			return false, err
		}
	}
	return true, err
}

// rests returns the passes that the gates of a run rest on, by job. If the ledger does not have the
// run of a pass, its tree is empty.
func (t *tx) rests(ctx context.Context, state *ledger.State) (map[string]ledger.Rest, error) {
	rests := map[string]ledger.Rest{}
	for _, id := range state.RestsOn() {
		rest := ledger.Rest{Run: id}
		row, err := t.runByULID(ctx, id)
		if err == nil {
			pass := &ledger.PrecedingRun{}
			if pass.State, err = t.closedRun(ctx, row); err == nil {
				rest.Tree, rest.Base = pass.Tree(), pass.Run.Base
			}
		}
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, err
		}
		for _, gate := range state.Gates {
			if gate.RestsOn == id && gate.Iteration >= state.Anew {
				rests[gate.Job] = rest
			}
		}
	}
	return rests, nil
}
