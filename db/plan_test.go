package db_test

import (
	"database/sql"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger/store/storetest"
)

// large matches a step of a plan that reads all of a large table. Aliases stand
// for tables; reading an index in order for a limited list is not a scan.
var large = regexp.MustCompile(`^SCAN (violations|v|o|events|e|reports|r|p|slots|s|gates|g|iterations|i|slot_entries|blobs|runs|u)\b`)

// parameter is a parameter of a statement.
var parameter = regexp.MustCompile(`\?([0-9]+)`)

// ordered are steps of questions whose rows come in the order of an index, so that a
// limit ends the search. Aliases stand for the indexes of FilteredViolations, whose
// lists are joined as "candidate".
var ordered = map[string][]string{
	"runs":                     {"SEARCH runs "},
	"violations":               {"SEARCH a ", "SEARCH o ", "SEARCH s ", "SEARCH q ", "SEARCH x ", "SEARCH z ", "SCAN candidate"},
	"violations --sort oldest": {"SEARCH v ", "SEARCH w "},
	"violations --sort file":   {"SEARCH v ", "SEARCH w "},
}

// No question that has an index for its order sorts instead. Sorting
// rows of the same time is fine.
func TestOrdersComeFromAnIndex(t *testing.T) {
	t.Parallel()
	handle := generated(t)
	for _, statistics := range withAndWithoutStatistics {
		if _, err := handle.ExecContext(t.Context(), statistics); err != nil {
			t.Fatal(err)
		}
		for name, wanted := range ordered {
			steps := plan(t, handle, db.Statements()[name])
			for _, want := range wanted {
				at := slices.IndexFunc(steps, func(step planStep) bool { return strings.HasPrefix(step.text, want) })
				if at < 0 {
					t.Errorf("%s after %s: there is no step %q", name, statistics, want)
					continue
				}
				for _, step := range steps {
					if step.parent == steps[at].parent && strings.HasPrefix(step.text, "USE TEMP B-TREE") && !strings.Contains(step.text, "LAST") {
						t.Errorf("%s after %s: beside %q: %s", name, statistics, steps[at].text, step.text)
					}
				}
			}
		}
	}
}

// No question reads all of a large table, with and without statistics.
func TestNoQuestionScansALargeTable(t *testing.T) {
	t.Parallel()
	handle := generated(t)
	for _, statistics := range withAndWithoutStatistics {
		if _, err := handle.ExecContext(t.Context(), statistics); err != nil {
			t.Fatal(err)
		}
		for name, statement := range db.Statements() {
			for _, step := range plan(t, handle, statement) {
				// The list of discarded reports ends at its limit, and a list that is handed in is short.
				if large.MatchString(step.text) && step.text != "SCAN r USING INDEX reports_discarded" && !strings.Contains(step.text, "VIRTUAL TABLE") {
					t.Errorf("%s after %s: %s", name, statistics, step.text)
				}
			}
		}
	}
}

// withAndWithoutStatistics are what SQLite knows of the tables when it plans.
var withAndWithoutStatistics = []string{"PRAGMA optimize = 0x10002", "DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4"}

// generated is a ledger with some rows in each table.
func generated(t *testing.T) *sql.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger.db")
	size := storetest.Size{Runs: 60, Iterations: 4, Violations: 40}
	if err := storetest.Generate(t.Context(), path, size, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	handle, err := db.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = handle.Close() })
	return handle
}

// planStep is a step of a plan. Steps with the same parent belong to one SELECT.
type planStep struct {
	parent int
	text   string
}

func plan(t *testing.T, handle *sql.DB, statement string) (steps []planStep) {
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
		var id, unused int
		var step planStep
		if err := rows.Scan(&id, &step.parent, &unused, &step.text); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil || len(steps) == 0 {
		t.Fatalf("no plan: %v\n%s", err, statement)
	}
	return steps
}
