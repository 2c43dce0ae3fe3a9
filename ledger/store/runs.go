package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// OpenRun returns the scope's open run, or ledger.ErrNotFound if there is none.
func (l *Store) OpenRun(ctx context.Context, scope ledger.Scope) (ledger.Run, error) {
	return answer(ctx, l, "find the open run", func(t *tx) (ledger.Run, error) {
		row, err := t.openRun(ctx, scope)
		return row.Run, err
	})
}

// FindRun returns the run with this ULID, or ledger.ErrNotFound if there is none.
func (l *Store) FindRun(ctx context.Context, id string) (ledger.Run, error) {
	return ofRun(ctx, l, "find run", id, func(t *tx, row runRow) (ledger.Run, error) { return row.Run, nil })
}

// StartRun opens a run. A run that is still open in the same scope is abandoned: its logs are gone,
// or it would have been continued. StartRun sets the run's Status and StartedAt, and its ID if that
// is empty.
func (l *Store) StartRun(ctx context.Context, run ledger.Run) (ledger.Run, error) {
	err := l.write(ctx, "start run", func(t *tx) error {
		if err := t.abandonOpen(ctx, run, ledger.CauseLogsGone); err != nil {
			return err
		}
		var err error
		run, err = t.insertRun(ctx, run)
		return err
	})
	return run, err
}

// abandonOpen closes the run that is still open in the place of the given run, if there is one.
func (t *tx) abandonOpen(ctx context.Context, run ledger.Run, cause ledger.Cause) error {
	open, err := t.openRun(ctx, scopeOf(run))
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return t.closeRun(ctx, open.Row, ledger.StatusAbandoned, cause)
}

func (t *tx) insertRun(ctx context.Context, run ledger.Run) (ledger.Run, error) {
	if run.ID == "" {
		id, err := t.newULID()
		if err != nil {
			return run, err
		}
		run.ID = id
	}
	repository, err := t.repository(ctx, run)
	if err != nil {
		return run, err
	}
	run.Status, run.StartedAt = ledger.StatusRunning, t.time()
	row, err := t.InsertRun(ctx, db.InsertRunParams{
		Ulid: run.ID, Kind: string(run.Kind), RepositoryID: repository, WorktreeName: worktreeName(run),
		ConfigHash: optional(run.ConfigHash), Worktree: run.Worktree, LogDir: run.LogDir,
		Branch: optional(run.Branch), BaseRef: run.BaseRef, Base: run.Base, Head: optional(run.Head), Subject: optional(run.Subject),
		Status: string(run.Status), StartedAt: t.at,
	})
	if err != nil {
		return run, err
	}
	return run, t.noteRun(ctx, row, run.Status, ledger.CauseStarted)
}

// CloseRun ends a run with the status: it has passed, or the command `clean` abandons it. The error
// is [ErrConflict] if the run is closed already, or if the status is a pass but by its rows the run
// has not passed: a violation may have been marked since it was assessed.
func (l *Store) CloseRun(ctx context.Context, id string, status ledger.RunStatus) error {
	cause := ledger.CauseClean
	if status.Passes() {
		cause = ledger.CausePassed
	}
	return l.endRun(ctx, id, status, cause)
}

// PassRun is like [Store.CloseRun] for a run that passes, and passes as a whole according to
// [ledger.PassedWhole].
func (l *Store) PassRun(ctx context.Context, id string, status ledger.RunStatus) error {
	return l.endRun(ctx, id, status, ledger.CausePassedWhole)
}

func (l *Store) endRun(ctx context.Context, id string, status ledger.RunStatus, cause ledger.Cause) error {
	return l.writeRun(ctx, "close run", id, func(t *tx, row runRow) error {
		if err := t.closeRun(ctx, row.Row, status, cause); err != nil {
			return err
		}
		if !status.Passes() || row.Kind != ledger.KindGates {
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

func (t *tx) closeRun(ctx context.Context, row int64, status ledger.RunStatus, cause ledger.Cause) error {
	if err := t.interruptRunning(ctx, row); err != nil {
		return err
	}
	if err := expectOne(t.CloseRun(ctx, db.CloseRunParams{FinishedAt: &t.at, ID: row})); err != nil {
		return err
	}
	return t.noteRun(ctx, row, status, cause)
}

// SetSessionRef sets the commit that reruns compare with. It can be set only once.
func (l *Store) SetSessionRef(ctx context.Context, id, commit string) error {
	return l.writeRun(ctx, "set the session ref", id, func(t *tx, row runRow) error {
		return expectOne(t.SetSessionRef(ctx, db.SetSessionRefParams{SessionRef: &commit, ID: row.Row}))
	})
}

// ExtendRun records that a person allows the open run so many more iterations that fail.
//
// Rule: After the retry limit nothing runs.
func (l *Store) ExtendRun(ctx context.Context, id string, iterations int) error {
	return l.writeRun(ctx, "allow more iterations", id, func(t *tx, row runRow) error {
		if !row.FinishedAt.IsZero() {
			return ErrConflict
		}
		return t.extendRun(ctx, row.Row, iterations)
	})
}

func (t *tx) extendRun(ctx context.Context, run int64, iterations int) error {
	return t.note(ctx, db.InsertTransitionParams{
		RunID: run, Subject: string(ledger.SubjectRun), Status: string(ledger.StatusFailed), Iterations: number(iterations),
	}, ledger.CauseExtended, ledger.CauseExtended.By())
}

// HandOn records which jobs answer for violations from now on, by ULID.
func (l *Store) HandOn(ctx context.Context, run string, to map[string]string) error {
	ids := map[string][]string{}
	for id, job := range to {
		ids[job] = append(ids[job], id)
	}
	return l.writeRun(ctx, "hand violations on to other gates", run, func(t *tx, row runRow) error {
		t.touch(row.Row)
		for job, ulids := range ids {
			if err := t.HandOn(ctx, db.HandOnParams{Job: job, RunID: row.Row, Ulids: asJSON(ulids)}); err != nil {
				return err
			}
		}
		return nil
	})
}

// Recover marks iterations of the run that a killed process left running as interrupted. The caller
// must hold the run's lock.
func (l *Store) Recover(ctx context.Context, id string) error {
	return l.write(ctx, "recover the run", func(t *tx) error {
		row, err := t.runByULID(ctx, id)
		if err != nil {
			return err
		}
		return t.interruptRunning(ctx, row.Row)
	})
}

// interruptRunning ends what a killed process left running. When it really ended is unknown; the
// recorded time is when this was noticed.
//
// Rule: An interrupted iteration decides nothing.
func (t *tx) interruptRunning(ctx context.Context, run int64) error {
	iterations, err := iterationsOfRun.All(ctx, t.Queries, sql.Named("run", run))
	if err != nil {
		return err
	}
	for _, i := range iterations {
		if i.Status != ledger.StatusRunning {
			continue
		}
		if err := t.endIteration(ctx, run, i.Row, ledger.StatusInterrupted, ledger.CauseKilled, "the process ended"); err != nil {
			return err
		}
		if err := t.moveRun(ctx, run, ledger.StatusInterrupted, ledger.CauseKilled); err != nil {
			return err
		}
	}
	return nil
}

// endIteration ends an iteration. Its gates and slots that are still running count as interrupted, whatever
// ended the iteration.
func (t *tx) endIteration(ctx context.Context, run, id int64, status ledger.RunStatus, cause ledger.Cause, reason string) error {
	running, err := t.RunningParts(ctx, id)
	if err == nil && len(running) == 0 {
		err = ErrConflict
	}
	if err != nil {
		return err
	}
	if len(running) > 1 {
		err := errors.Join(
			t.GiveReasonToGates(ctx, db.GiveReasonToGatesParams{Reason: reason, IterationID: id}),
			t.GiveReasonToSlots(ctx, db.GiveReasonToSlotsParams{Reason: reason, IterationID: id}),
		)
		if err != nil {
			return err
		}
	}
	interrupted := cause
	if cause == ledger.CauseFinished || cause == ledger.CauseVerdict {
		interrupted = ledger.CauseInterrupted
	}
	for _, part := range running {
		switch {
		case part.Slot != 0:
			err = t.noteSlot(ctx, run, part.Slot, ledger.SlotInterrupted, interrupted)
		case part.Gate != 0:
			err = t.noteGate(ctx, run, part.Gate, ledger.GateInterrupted, interrupted)
		default:
			err = errors.Join(t.CountIteration(ctx, id), t.noteIteration(ctx, run, id, status, cause))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// State returns everything about a run that decisions need.
func (l *Store) State(ctx context.Context, id string) (*ledger.State, error) {
	return ofRun(ctx, l, "read the run", id, func(t *tx, row runRow) (*ledger.State, error) { return t.state(ctx, row) })
}

func (t *tx) state(ctx context.Context, row runRow) (*ledger.State, error) {
	state, err := t.detail(ctx, row)
	if err != nil {
		return nil, err
	}
	if state.Rests, err = t.rests(ctx, state); err != nil {
		return nil, err
	}
	made := 0 // the capacity for a hundred thousand at once
	for _, gate := range state.Gates {
		for _, slot := range gate.Slots {
			made += slot.Counts.New
		}
	}
	state.Violations = slices.Grow(state.Violations, made)
	err = violationsOfRun.Each(ctx, t.Queries, func(v *violation) { state.Violations = append(state.Violations, v.Violation) }, sql.Named("run", row.Row))
	state.LookUpOriginals()
	return state, err
}

func (t *tx) transitions(ctx context.Context, run int64) ([]ledger.Transition, error) {
	return transitionsOfRun.All(ctx, t.Queries, sql.Named("run", run))
}

func (t *tx) gates(ctx context.Context, run int64) ([]ledger.Gate, error) {
	gates, err := gatesOfRun.All(ctx, t.Queries, sql.Named("run", run))
	if err != nil {
		return nil, err
	}
	type place struct {
		iteration int
		job       string
	}
	at := map[place]*ledger.Gate{}
	for i := range gates {
		at[place{gates[i].Iteration, gates[i].Job}] = &gates[i]
	}
	slots, err := slotsOfRun.All(ctx, t.Queries, sql.Named("run", run))
	if err != nil {
		return nil, err
	}
	var ended []int64
	// usually none has met a skip, and this statement need not be prepared
	if slices.ContainsFunc(slots, func(s slot) bool { return s.Counts.RememberedSkip > 0 }) {
		ended, err = t.SlotsOfEndedSkips(ctx, run)
	}
	for _, s := range slots {
		s.Forgotten = slices.Contains(ended, s.Row)
		gate := at[place{s.Iteration, s.Job}]
		gate.Slots = append(gate.Slots, s.Slot)
	}
	return gates, err
}

// Cooldowns returns the adapters that reached their usage limit and are not called, and until when.
func (l *Store) Cooldowns(ctx context.Context) (map[string]time.Time, error) {
	return answer(ctx, l, "read cool-downs", func(t *tx) (map[string]time.Time, error) {
		rows, err := t.Cooldowns(ctx, t.at)
		return cooldownsFrom(rows), err
	})
}

func cooldownsFrom(rows []db.Cooldown) map[string]time.Time {
	until := map[string]time.Time{}
	for _, row := range rows {
		until[row.Adapter] = time.Time(row.Until)
	}
	return until
}

// UsualDurations returns how long reviewers usually take: the median of the last answers of each.
func (l *Store) UsualDurations(ctx context.Context) (map[ledger.Reviewer]time.Duration, error) {
	return answer(ctx, l, "read how long reviewers take", func(t *tx) (map[ledger.Reviewer]time.Duration, error) {
		rows, err := t.UsualDurations(ctx)
		took := map[ledger.Reviewer]time.Duration{}
		for _, row := range rows {
			took[ledger.Reviewer{Job: row.Job, Adapter: row.Adapter}] = time.Duration(row.Ms) * time.Millisecond
		}
		return took, err
	})
}

// ResetCooldown ends an adapter's cooldown. It reports whether the adapter was in one.
func (l *Store) ResetCooldown(ctx context.Context, adapter string) (found bool, err error) {
	err = l.write(ctx, "reset cool-down", func(t *tx) error {
		rows, err := t.ResetCooldown(ctx, adapter)
		found = rows > 0
		return err
	})
	return found, err
}

// SetCooldown starts a cooldown of this length for an adapter.
func (l *Store) SetCooldown(ctx context.Context, adapter, reason string, d time.Duration) error {
	return l.write(ctx, "set cool-down", func(t *tx) error {
		return t.SetCooldown(ctx, db.SetCooldownParams{
			Adapter: adapter, Until: db.Time(t.time().Add(d)), Reason: reason, SetAt: t.at,
		})
	})
}
