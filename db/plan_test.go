package db_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/internal/testing/storetest"
)

// large matches a step of a plan that reads a whole table that grows with what was reported. Aliases stand for tables. Reading
// an index in order for a limited list is not a scan.
var large = regexp.MustCompile(`^SCAN (violations|v|o|events|e|reports|r|p|slot_entries|blobs)\b`)

// parameter matches a parameter of a statement.
var parameter = regexp.MustCompile(`\?([0-9]+)`)

// orderedLists has, by order, the conditions with which the rows of a list come in the order of an
// index, so that a limit ends the search.
var orderedLists = map[string][]string{
	"newest":          {"after newest"},
	"oldest":          {"after oldest"},
	"newest of a run": {"run_id is", "after newest"}, "newest of a status and priority": {"shown is", "priority is", "reasons", "after newest"}, "newest of a priority": {"priority is", "after newest"},
	"newest with conditions": {"model", "job_id among", "repositories", "adapter is", "in_fix_lines", "shared is"},
	"newest of the open":     {"open", "shown among", "priority is", "worktree", "after newest"},
	"file":                   {"after file"}, // rows of the same file are sorted
}

// A list with an index for its order does not sort instead.
func TestOrdersComeFromAnIndex(t *testing.T) {
	t.Parallel()
	handle := generated(t)
	for _, statistics := range withAndWithoutStatistics {
		if _, err := handle.ExecContext(t.Context(), statistics); err != nil {
			t.Fatal(err)
		}
		statements := map[string]string{}
		for name, parts := range orderedLists {
			l := db.List{}
			l.By, _, _ = strings.Cut(name, " ")
			for _, part := range parts {
				l.Keep(part)
			}
			statements[name] = named.ReplaceAllString(db.ListStatement(l), "'1'")
		}
		for name, statement := range statements {
			for _, step := range plan(t, handle, statement) {
				sorts := strings.HasPrefix(step.text, "USE TEMP B-TREE") && !strings.Contains(step.text, "LAST")
				if sorts || step.text == "SCAN v" {
					t.Errorf("%s after %s: %s", name, statistics, step.text)
				}
			}
		}
	}
}

// named matches a parameter that has a name.
var named = regexp.MustCompile(`@\w+`)

// No query reads a whole large table, with or without statistics.
func TestNoQuestionScansALargeTable(t *testing.T) {
	t.Parallel()
	handle := generated(t)
	for _, statistics := range withAndWithoutStatistics {
		if _, err := handle.ExecContext(t.Context(), statistics); err != nil {
			t.Fatal(err)
		}
		for name, statement := range db.Statements() {
			for _, step := range plan(t, handle, statement) {
				// The list of discarded reports ends at its limit, and a list that is passed as a
				// parameter is short.
				if large.MatchString(step.text) && step.text != "SCAN r" && !strings.Contains(step.text, "VIRTUAL TABLE") {
					t.Errorf("%s after %s: %s", name, statistics, step.text)
				}
			}
		}
	}
}

// withAndWithoutStatistics sets what the planner of SQLite knows about the tables. Nothing analyzes a
// ledger, so it knows nothing, unless somebody else does.
var withAndWithoutStatistics = []string{"PRAGMA optimize = 0x10002", "DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4; ANALYZE sqlite_schema"}

// generated returns a ledger with some rows in each table.
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
	for _, name := range named.FindAllString(statement, -1) {
		args = append(args, sql.Named(name[1:], "2026-01-01T00:00:00.000Z"))
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

// written are statements that fire triggers.
var written = []string{
	"INSERT INTO events (violation_id, number, iteration_id, status, actor, at) VALUES (1, 4, 1, 'new', 'agent', 't')",
	"UPDATE violations SET report_id = 2, result = 'r' WHERE id = 1",
	"UPDATE runs SET status = 'abandoned' WHERE id = 1",
	"INSERT INTO transitions (run_id, subject, slot_id, status, at, actor, cause) VALUES (1, 'slot', 1, 'pass', 't', 'system', 'finished')",
}

// The triggers of a write look up rows: none of their programs reads through a large table or one
// of its indexes.
func TestNoTriggerScansALargeTable(t *testing.T) {
	t.Parallel()
	handle := generated(t)
	large := map[int64]string{}
	// Without transitions: SQLite would only read through them if the parent of a row was missing.
	rows, err := handle.QueryContext(t.Context(), `SELECT rootpage, name FROM sqlite_schema WHERE rootpage > 0 AND tbl_name IN
		('violations', 'events', 'reports', 'slots', 'gates', 'iterations', 'runs')`)
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var root int64
		var name string
		if err := rows.Scan(&root, &name); err != nil {
			t.Fatal(err)
		}
		large[root] = name
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		t.Fatal(err)
	}
	for _, statistics := range withAndWithoutStatistics {
		if _, err := handle.ExecContext(t.Context(), statistics); err != nil {
			t.Fatal(err)
		}
		for _, statement := range append(written, "SELECT * FROM violations") {
			scans, programs := scansOf(t, handle, statement, large)
			if statement == "SELECT * FROM violations" {
				if len(scans) != 1 {
					t.Errorf("a scan is not seen as one: %q", scans)
				}
				continue
			}
			if len(scans) > 0 || programs < 2 {
				t.Errorf("after %s: %s: its %d programs scan %q", statistics, statement, programs, scans)
			}
		}
	}
}

// scansOf returns those of the given tables and indexes, by root page, that the programs of a
// statement and its triggers read through from one end.
func scansOf(t *testing.T, handle *sql.DB, statement string, roots map[int64]string) (scans []string, programs int) {
	t.Helper()
	rows, err := handle.QueryContext(t.Context(), "EXPLAIN "+statement)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	defer rows.Close()
	var opened map[int64]string
	for rows.Next() {
		var address, p1, p2, p3, p5 int64
		var operation string
		var p4, comment sql.NullString
		if err := rows.Scan(&address, &operation, &p1, &p2, &p3, &p4, &p5, &comment); err != nil {
			t.Fatal(err)
		}
		if address == 0 { // each program is listed separately
			opened = map[int64]string{}
			programs++
		}
		switch operation {
		case "OpenRead", "OpenWrite", "ReopenIdx":
			opened[p1] = roots[p2]
		case "OpenEphemeral", "OpenPseudo", "OpenAutoindex", "SorterOpen", "VOpen":
			delete(opened, p1)
		case "Rewind", "Last":
			if name := opened[p1]; name != "" {
				scans = append(scans, name)
			}
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return scans, programs
}
