package db

// Statements that every iteration needs are prepared in the background, because SQLite is slow to
// compile their triggers.

import (
	"context"
	"database/sql"
)

// recording lists, in order, the statements that every iteration needs and that are slow to prepare
// because of their triggers. Statements that only new violations need are not included.
func recording() []string {
	return []string{
		insertIteration, insertTransition, insertGate, insertSlot, countAnswers, touchRun,
		finishGate, violationsOfRun, rememberedOnLines, insertSlotBlob, insertReports, touchViolation, finishSlot,
		runningParts, countIteration,
	}
}

// PrepareRecording prepares the statements of an iteration in the background, before they are
// needed, until the context ends. The connection caches them; between two statements it is free for
// others.
func PrepareRecording(ctx context.Context, handle *sql.DB) {
	for _, query := range recording() {
		statement, err := handle.PrepareContext(ctx, query)
		if err != nil {
			return // the context has ended, or recording will report the same error
		}
		_ = statement.Close()
	}
}
