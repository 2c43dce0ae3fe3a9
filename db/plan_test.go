package db_test

import (
	"database/sql"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger/store/storetest"
)

// large matches a step of a plan that reads all of a large table. Aliases stand
// for tables; reading an index in order for a limited list is not a scan.
var large = regexp.MustCompile(`^SCAN (violations|v|o|events|e|reports|r|p|slots|s|gates|g|iterations|i|slot_violations|c|slot_entries|blobs|runs|u)\b`)

// parameter is a parameter of a statement.
var parameter = regexp.MustCompile(`\?([0-9]+)`)

// No question reads all of a large table, with and without statistics.
func TestNoQuestionScansALargeTable(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	size := storetest.Size{Runs: 60, Iterations: 4, Violations: 40}
	if err := storetest.Generate(t.Context(), path, size, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	handle, err := db.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer handle.Close()
	for _, statistics := range []string{"PRAGMA optimize = 0x10002", "DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4"} {
		if _, err := handle.ExecContext(t.Context(), statistics); err != nil {
			t.Fatal(err)
		}
		for name, statement := range db.Statements() {
			for _, step := range plan(t, handle, statement) {
				if large.MatchString(step) {
					t.Errorf("%s after %s: %s", name, statistics, step)
				}
			}
		}
	}
}

func plan(t *testing.T, handle *sql.DB, statement string) (steps []string) {
	t.Helper()
	n := 0
	for _, m := range parameter.FindAllStringSubmatch(statement, -1) {
		number, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		n = max(n, number)
	}
	args := make([]any, n)
	for i := range args {
		args[i] = "2026-01-01T00:00:00.000Z"
	}
	rows, err := handle.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+statement, args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, statement)
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil || len(steps) == 0 {
		t.Fatalf("no plan: %v\n%s", err, statement)
	}
	return steps
}
