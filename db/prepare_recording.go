package db

import (
	"context"
	"database/sql"
)

// recording are statements with which an iteration is recorded, in the order in which it
// comes to them: those that take long to prepare, for SQLite compiles their triggers with
// them, and that every iteration has. What only new violations need is not among them.
func recording() []string {
	return []string{
		insertIteration, insertTransition, insertGate, insertSlot, countAnswers, touchRun,
		finishGate, violationsOfRun, rememberedOnLines, insertSlotBlob, insertReport, touchViolation, finishSlot,
		partsAreRunning, countIteration,
	}
}

// PrepareRecording prepares the statements of an iteration before it comes to them, until the
// context ends. The connection keeps them, and is free for others between two of them.
func PrepareRecording(ctx context.Context, handle *sql.DB) {
	for _, query := range recording() {
		statement, err := handle.PrepareContext(ctx, query)
		if err != nil {
			return // the context has ended, or recording is about to say what is wrong
		}
		_ = statement.Close()
	}
}
