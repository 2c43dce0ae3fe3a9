package db

// Statements that an iteration needs are prepared in the background, because SQLite is slow to
// compile their triggers.

import (
	"context"
	"database/sql"
)

// recording lists the statements that an iteration needs whose reviewers report known violations, in
// the order in which they are first executed. Statements that only new violations need are not
// included.
func recording() []string {
	return []string{
		cooldowns, jobID, insertIteration, insertTransition, insertGate, insertSlot, countAnswers, touchRun, runByID,
		leftInFiles, filteredInFiles, finishGate, insertBlob, insertGateBlob,
		violationsOfRun, rememberedOnLines, blobID, insertSlotBlob, insertReports, insertReportExcerpts, touchViolation,
		showReports, showWording, adaptersBeside, shareViolations, addFiles, insertSlotEntries, finishSlot,
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
