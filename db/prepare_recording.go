package db

// Statements that an iteration needs are prepared in the background, because SQLite is slow to
// compile their triggers: a rerun takes 73 ms instead of 80 (BenchmarkRerun).

import (
	"context"
	"database/sql"

	"github.com/reviewledger/reviewledger/queries"
)

// recording lists the statements that an iteration needs whose reviewers report known violations, in
// the order in which they are first executed. Statements that only new violations need are not
// included.
func recording() []string {
	return []string{
		cooldowns, jobID, insertIteration, insertTransition, insertGate, insertSlot, countAnswers, touchRun, queries.Rows()["RunByRow"],
		queries.Rows()["LeftInFiles"], queries.Rows()["FilteredInFiles"], finishGate, insertBlob, insertGateBlob,
		queries.Rows()["ViolationsOfRun"], queries.Rows()["RememberedOnLines"], blobID, insertSlotBlob, insertReport, insertReportExcerpt, touchViolation,
		indexReports, showReports, showWording, insertSlotEntry, finishSlot, shareViolations,
		runningParts, countIteration,
	}
}

// PrepareRecording prepares the statements of an iteration in the background, before they are
// needed, until the context ends. The connection caches them; between two statements it is free for
// others.
func PrepareRecording(ctx context.Context, handle *sql.DB) {
	for _, query := range recording() {
		if !prepare(ctx, handle, query) {
			return
		}
	}
}

// prepare reports whether it prepared the statement. If not, the context has ended, or recording
// will report the same error.
func prepare(ctx context.Context, handle *sql.DB, query string) bool {
	statement, err := handle.PrepareContext(ctx, query)
	if err == nil {
		err = statement.Close()
	}
	return err == nil
}
