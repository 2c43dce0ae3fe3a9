package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// OpenRun is the scope's open run. It returns ledger.ErrNotFound if there is none.
func (l *Store) OpenRun(ctx context.Context, scope ledger.Scope) (run ledger.Run, err error) {
	err = l.read(ctx, "find the open run", func(t *tx) error {
		row, err := t.OpenRun(ctx, db.OpenRunParams{Worktree: scope.Worktree, LogDir: scope.LogDir, Kind: string(scope.Kind)})
		run = runFrom(row)
		return err
	})
	return run, err
}

// FindRun is the run with this ULID. It returns ledger.ErrNotFound if there is none.
func (l *Store) FindRun(ctx context.Context, id string) (run ledger.Run, err error) {
	err = l.read(ctx, "find run", func(t *tx) error {
		row, err := t.RunByULID(ctx, id)
		run = runFrom(row)
		return err
	})
	return run, err
}

// StartRun opens a run. A run that is still open in the same scope is abandoned.
// Status and StartedAt of the argument are set here, and its ID if it is empty.
func (l *Store) StartRun(ctx context.Context, run ledger.Run) (ledger.Run, error) {
	err := l.write(ctx, "start run", func(t *tx) error {
		if err := t.abandonOpen(ctx, run); err != nil {
			return err
		}
		var err error
		run, err = t.insertRun(ctx, run)
		return err
	})
	return run, err
}

// abandonOpen closes the run that is still open where the given one is to be.
func (t *tx) abandonOpen(ctx context.Context, run ledger.Run) error {
	open, err := t.OpenRun(ctx, db.OpenRunParams{Worktree: run.Worktree, LogDir: run.LogDir, Kind: string(run.Kind)})
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return t.closeRun(ctx, open.ID, ledger.StatusAbandoned)
}

func (t *tx) insertRun(ctx context.Context, run ledger.Run) (ledger.Run, error) {
	if run.ID == "" {
		id, err := t.newULID()
		if err != nil {
			return run, err
		}
		run.ID = id
	}
	run.Status, run.StartedAt = ledger.StatusRunning, t.time()
	_, err := t.InsertRun(ctx, db.InsertRunParams{
		Ulid: run.ID, Kind: string(run.Kind), Worktree: run.Worktree, LogDir: run.LogDir,
		Branch: optional(run.Branch), BaseRef: run.BaseRef, Base: run.Base, Head: optional(run.Head),
		Status: string(run.Status), StartedAt: t.at,
	})
	return run, err
}

// CloseRun ends a run with the status. It returns ErrConflict if the run is
// closed already, or if it is to be closed as passed and by its rows it has not:
// somebody may have marked a violation since it was assessed.
func (l *Store) CloseRun(ctx context.Context, id string, status ledger.RunStatus) error {
	return l.write(ctx, "close run", func(t *tx) error {
		row, err := t.RunByULID(ctx, id)
		if err != nil {
			return err
		}
		if err := t.closeRun(ctx, row.ID, status); err != nil {
			return err
		}
		if !status.Passes() || ledger.RunKind(row.Kind) != ledger.KindGates {
			return nil
		}
		state, err := t.state(ctx, row)
		if err != nil {
			return err
		}
		if now := ledger.Assess(state).Status; !now.Passes() {
			return fmt.Errorf("run %s is %s, not %s: %w", id, now, status, ErrConflict)
		}
		return nil
	})
}

func (t *tx) closeRun(ctx context.Context, row int64, status ledger.RunStatus) error {
	if err := t.interruptRunning(ctx, row, "the process ended"); err != nil {
		return err
	}
	if err := t.count(ctx, row); err != nil {
		return err
	}
	return expectOne(t.CloseRun(ctx, db.CloseRunParams{Status: string(status), FinishedAt: &t.at, ID: row}))
}

// SetSessionRef sets the commit that reruns compare with. It is set once.
func (l *Store) SetSessionRef(ctx context.Context, id, commit string) error {
	return l.write(ctx, "set the session ref", func(t *tx) error {
		row, err := t.RunByULID(ctx, id)
		if err != nil {
			return err
		}
		return expectOne(t.SetSessionRef(ctx, db.SetSessionRefParams{SessionRef: &commit, ID: row.ID}))
	})
}

// Recover marks iterations of the run that a killed process left running as
// interrupted. The caller holds the run's lock.
func (l *Store) Recover(ctx context.Context, id string) error {
	return l.write(ctx, "recover the run", func(t *tx) error {
		row, err := t.RunByULID(ctx, id)
		if err != nil {
			return err
		}
		return t.interruptRunning(ctx, row.ID, "the process ended")
	})
}

func (t *tx) interruptRunning(ctx context.Context, run int64, reason string) error {
	iterations, err := t.Iterations(ctx, run)
	if err != nil {
		return err
	}
	for _, i := range iterations {
		if ledger.RunStatus(i.Status) == ledger.StatusRunning {
			if err := t.endIteration(ctx, i.ID, ledger.StatusInterrupted, reason); err != nil {
				return err
			}
			if _, err := t.SetRunStatus(ctx, db.SetRunStatusParams{Status: string(ledger.StatusInterrupted), ID: run}); err != nil {
				return err
			}
			if err := t.count(ctx, run); err != nil {
				return err
			}
		}
	}
	return nil
}

// endIteration finishes an iteration, and what of it is still running.
func (t *tx) endIteration(ctx context.Context, id int64, status ledger.RunStatus, reason string) error {
	slots := db.EndSlotsOfIterationParams{Status: string(ledger.SlotInterrupted), Reason: reason, FinishedAt: &t.at, IterationID: id}
	if err := t.EndSlotsOfIteration(ctx, slots); err != nil {
		return err
	}
	gates := db.EndGatesOfIterationParams{Status: string(ledger.GateInterrupted), Reason: reason, IterationID: id}
	if err := t.EndGatesOfIteration(ctx, gates); err != nil {
		return err
	}
	if err := t.CountIteration(ctx, id); err != nil {
		return err
	}
	return expectOne(t.FinishIteration(ctx, db.FinishIterationParams{Status: string(status), FinishedAt: &t.at, ID: id}))
}

// count brings the counts of a run and of its iterations' answers up to date.
func (t *tx) count(ctx context.Context, run int64) error {
	if err := t.CountAnswers(ctx, run); err != nil {
		return err
	}
	return t.CountRun(ctx, run)
}

// State reads all of a run that decisions need.
func (l *Store) State(ctx context.Context, id string) (*ledger.State, error) {
	var state *ledger.State
	err := l.read(ctx, "read the run", func(t *tx) (err error) {
		row, err := t.RunByULID(ctx, id)
		if err != nil {
			return err
		}
		state, err = t.state(ctx, row)
		return err
	})
	return state, err
}

func (t *tx) state(ctx context.Context, row db.Run) (*ledger.State, error) {
	state := &ledger.State{Run: runFrom(row)}
	iterations, err := t.Iterations(ctx, row.ID)
	if err != nil {
		return nil, err
	}
	for _, i := range iterations {
		state.Iterations = append(state.Iterations, iterationFrom(i))
	}
	if state.Gates, err = t.gates(ctx, row.ID); err != nil {
		return nil, err
	}
	violations, err := t.ViolationsOfRun(ctx, row.ID)
	if err != nil {
		return nil, err
	}
	for _, v := range violations {
		state.Violations = append(state.Violations, violationFrom(violationRow(v)))
	}
	return state, nil
}

func (t *tx) gates(ctx context.Context, run int64) ([]ledger.Gate, error) {
	rows, err := t.GatesOfRun(ctx, run)
	if err != nil {
		return nil, err
	}
	gates := make([]ledger.Gate, 0, len(rows))
	at := map[int64]int{}
	for _, g := range rows {
		at[g.Gate.ID] = len(gates)
		gates = append(gates, gateFrom(g))
	}
	slots, err := t.SlotsOfRun(ctx, run)
	if err != nil {
		return nil, err
	}
	for _, s := range slots {
		gate := &gates[at[s.Slot.GateID]]
		gate.Slots = append(gate.Slots, slotFrom(s))
	}
	return gates, nil
}

// Cooldowns are the adapters that reached their usage limit and are left alone,
// with the time until which they are.
func (l *Store) Cooldowns(ctx context.Context) (map[string]time.Time, error) {
	until := map[string]time.Time{}
	err := l.read(ctx, "read cool-downs", func(t *tx) error {
		rows, err := t.Cooldowns(ctx, t.at)
		for _, row := range rows {
			until[row.Adapter] = time.Time(row.Until)
		}
		return err
	})
	return until, err
}

// ResetCooldown lets an adapter be asked again at once, and reports whether it was
// left alone.
func (l *Store) ResetCooldown(ctx context.Context, adapter string) (found bool, err error) {
	err = l.write(ctx, "reset cool-down", func(t *tx) error {
		rows, err := t.ResetCooldown(ctx, adapter)
		found = rows > 0
		return err
	})
	return found, err
}

// SetCooldown leaves an adapter alone for the duration.
func (l *Store) SetCooldown(ctx context.Context, adapter, reason string, d time.Duration) error {
	return l.write(ctx, "set cool-down", func(t *tx) error {
		return t.SetCooldown(ctx, db.SetCooldownParams{
			Adapter: adapter, Until: db.Time(t.time().Add(d)), Reason: reason, SetAt: t.at,
		})
	})
}
