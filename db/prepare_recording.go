package db

// Statements that every iteration needs are prepared in the background, because SQLite compiles
// their triggers slowly.

import (
	"context"
	"database/sql"
)

// recording lists, in order, the statements that every iteration needs and that are slow to
// prepare, because SQLite compiles their triggers with them. Those that only new violations need
// are not included.
func recording() []string {
	return []string{
		insertIteration, insertTransition, insertGate, insertSlot, countAnswers, touchRun,
		finishGate, violationsOfRun, rememberedOnLines, insertSlotBlob, insertReports, touchViolation, finishSlot,
		runningParts, countIteration,
	}
}

// PrepareRecording prepares the statements of an iteration in the background, before they are
// needed, until the context ends. The connection caches them, and is free between two of them.
func PrepareRecording(ctx context.Context, handle *sql.DB) {
	for _, query := range recording() {
		statement, err := handle.PrepareContext(ctx, query)
		if err != nil {
			return // the context has ended, or recording is about to say what is wrong
		}
		_ = statement.Close()
	}
}
