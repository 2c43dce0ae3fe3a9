package store

import (
	"context"
	"errors"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// moveRun changes the status of an open run, unless the run already has that status. The error is
// [ErrConflict] if the run is closed.
func (t *tx) moveRun(ctx context.Context, run int64, status ledger.RunStatus, cause ledger.Cause) error {
	row, err := t.runByRow(ctx, run)
	if err != nil {
		return err
	}
	if !row.FinishedAt.IsZero() {
		return ErrConflict
	}
	if row.Status == status {
		return nil
	}
	return t.noteRun(ctx, run, status, cause)
}

// noteRun records a status of a run.
func (t *tx) noteRun(ctx context.Context, run int64, status ledger.RunStatus, cause ledger.Cause) error {
	return t.note(ctx, db.InsertTransitionParams{RunID: run, Subject: string(ledger.SubjectRun), Status: string(status)}, cause, cause.By())
}

func (t *tx) noteIteration(ctx context.Context, run, iteration int64, status ledger.RunStatus, cause ledger.Cause) error {
	return t.note(ctx, db.InsertTransitionParams{
		RunID: run, Subject: string(ledger.SubjectIteration), IterationID: &iteration, Status: string(status),
	}, cause, cause.By())
}

func (t *tx) noteGate(ctx context.Context, run, gate int64, status ledger.GateStatus, cause ledger.Cause) error {
	by := cause.By()
	if cause == ledger.CauseStarted {
		by = ledger.ActorSystem
	}
	return t.note(ctx, db.InsertTransitionParams{
		RunID: run, Subject: string(ledger.SubjectGate), GateID: &gate, Status: string(status),
	}, cause, by)
}

func (t *tx) noteSlot(ctx context.Context, run, slot int64, status ledger.SlotStatus, cause ledger.Cause) error {
	by := cause.By()
	switch {
	case status.Answered() && cause == ledger.CauseFinished:
		by = ledger.ActorReviewer
	case cause == ledger.CauseStarted:
		by = ledger.ActorSystem
	}
	return t.note(ctx, db.InsertTransitionParams{
		RunID: run, Subject: string(ledger.SubjectSlot), SlotID: &slot, Status: string(status),
	}, cause, by)
}

// note records a transition, which also sets the status of its row.
func (t *tx) note(ctx context.Context, p db.InsertTransitionParams, cause ledger.Cause, by ledger.Actor) error {
	p.At, p.Actor, p.Cause = t.at, string(by), string(cause)
	t.touch(p.RunID)
	return t.InsertTransition(ctx, p)
}

// touch notes that the transaction changes something about the run, so that its revision and counts
// are updated when the transaction ends.
func (t *tx) touch(run int64) { t.touched[run] = true }

// settle updates the violations that the transaction reported, and the revisions and counts of the
// runs that it touched, and which of their violations are shared.
func (t *tx) settle(ctx context.Context) error {
	if err := t.showReports(ctx); err != nil {
		return err
	}
	for run := range t.touched {
		if err := t.TouchRun(ctx, run); err != nil {
			return err
		}
		if !t.answered {
			continue // counting a hundred thousand violations takes a while
		}
		if err := errors.Join(t.CountAnswers(ctx, run), t.CountViolations(ctx, run), t.ShareViolations(ctx, run)); err != nil {
			return err
		}
	}
	return nil
}
