package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/reviewledger/reviewledger/ledger"
)

// Position returns what the query selects, read in one transaction.
func (l *Store) Position(ctx context.Context, query ledger.PositionQuery) (ledger.Position, error) {
	return answer(ctx, l, "read how the loop stands", func(t *tx) (ledger.Position, error) { return t.position(ctx, query) })
}

func (t *tx) position(ctx context.Context, query ledger.PositionQuery) (p ledger.Position, err error) {
	if err := t.openPosition(ctx, query.Scope, &p); err != nil {
		return p, err
	}
	if query.Named != "" {
		if p.Named, err = t.standing(ctx, query.Named); err != nil {
			return p, err
		}
	}
	repository, sole, err := t.repositoryOfScope(ctx, query.Scope)
	if err != nil {
		return p, err
	}
	last, err := t.runRow(ctx, lastRun, sql.Named("branch", nil), sql.Named("kind", string(query.Kind)),
		sql.Named("worktree", query.Worktree), sql.Named("log_dir", query.LogDir), sql.Named("repository", repository), sql.Named("sole", sole))
	if err == nil {
		p.Last, err = t.closedRun(ctx, last)
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return p, err
	}
	p.Passes, err = t.passes(ctx, query.Base, query.ConfigHash)
	return p, err
}

// passes returns the runs that passed as a whole with this base and configuration, and still count.
func (t *tx) passes(ctx context.Context, base, configHash string) (runs []*ledger.State, err error) {
	passed, err := t.runRows(ctx, passedRuns, sql.Named("base", base), sql.Named("config_hash", configHash), sql.Named("run", ""))
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, row := range passed {
		stands, err := t.restsStand(ctx, row.Row, known)
		if err != nil {
			return nil, err
		}
		if !stands {
			continue
		}
		run, err := t.closedRun(ctx, row)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// PassesOn returns the runs of any worktree that passed as a whole on exactly this tree, whatever they
// compared it with. Their configuration is in the tree.
//
// Rule: Done means passed as it is now.
func (l *Store) PassesOn(ctx context.Context, tree string) ([]ledger.Run, error) {
	return answer(ctx, l, "find a pass", func(t *tx) (runs []ledger.Run, err error) {
		comparisons, err := t.ComparisonsOfTree(ctx, tree)
		for _, c := range comparisons {
			passes, err := t.passes(ctx, c.Base, c.ConfigHash)
			if err != nil {
				return nil, err
			}
			if run := (ledger.Position{Passes: passes}).PassedAs(tree); run != nil {
				runs = append(runs, run.Run)
			}
		}
		return runs, err
	})
}

// openPosition reads the open run, its violations, and what was written about them.
func (t *tx) openPosition(ctx context.Context, scope ledger.Scope, p *ledger.Position) error {
	row, err := t.openRun(ctx, scope)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if p.Open, err = t.state(ctx, row); err != nil {
		return err
	}
	if p.Listed, err = t.listed(ctx, ledger.ViolationFilter{Run: row.ID, Sort: ledger.SortPriority}); err != nil {
		return err
	}
	p.Exported = map[ledger.SlotRef]ledger.Exported{}
	for _, listed := range p.Open.LatestDocuments() {
		ref := listed.Ref()
		slot, err := t.slotRow(ctx, row.Row, ref)
		if err != nil {
			return err
		}
		if p.Exported[ref], _, err = t.exported(ctx, row.Row, slot, ref, latest); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) standing(ctx context.Context, run string) (ledger.Standing, error) {
	row, err := t.runByULID(ctx, run)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return ledger.RunUnknown, nil
	case err != nil:
		return "", err
	case !row.FinishedAt.IsZero():
		return ledger.RunClosed, nil
	}
	return ledger.RunOpen, nil
}

// closedRun returns the run with its iterations, and also with its gates if a skip that it met was
// forgotten.
func (t *tx) closedRun(ctx context.Context, row runRow) (*ledger.State, error) {
	state, err := t.begunState(ctx, row)
	if err != nil {
		return nil, err
	}
	ended, err := t.SlotsOfEndedSkips(ctx, row.Row)
	if len(ended) > 0 {
		state.Gates, err = t.gates(ctx, row.Row)
	}
	return state, err
}
