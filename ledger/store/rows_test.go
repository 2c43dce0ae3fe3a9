package store

import (
	"context"
	"database/sql"
	"path/filepath"
	"slices"
	"testing"

	"github.com/reviewledger/reviewledger/db"
)

// The columns of each statement of queries/rows.sql are the fields of the type that it is read into.
func TestRowsHaveTheFieldsOfTheirTypes(t *testing.T) {
	t.Parallel()
	handle, err := db.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer handle.Close()
	var names []string
	for _, statement := range []interface {
		Name() string
		Check(context.Context, *sql.DB) error
	}{
		violations, violationsOfRun, slotEntries, pairedOfRun, disputed,
		runByULID, runByRow, runsWithPrefix, listRuns, openRuns, passedRuns, lastRun, runOfReview,
		iterationsOfRun, gatesOfRun, slotsOfRun, slotOfRun, callsOfSlot,
		reportsOfSlot, reportsOfViolation, filteredReports, discardedReport, discardedReports, foundReports, foundNotes,
		eventsOfViolation, eventsOfRun, wordsOfViolation, wordsOfIteration, wordsOnClaims, transitionsOfRun,
		codeReview, verdicts, findings,
		skipsOf, rememberedOnLines, skippedOnLines, leftInFiles, filteredInFiles,
	} {
		if err := statement.Check(t.Context(), handle); err != nil {
			t.Errorf("%s: %v", statement.Name(), err)
		}
		names = append(names, statement.Name())
	}
	slices.Sort(names)
	if all := db.RowNames(); !slices.Equal(names, all) {
		t.Errorf("the statements are %q, and %q are checked", all, names)
	}
}
