package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/migrations"
)

// filled creates a ledger of this program with a few rows.
func filled(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "ledger.db")
	handle := open(t, path)
	run(t, handle, `INSERT INTO jobs (id, job, kind, entry_point, name) VALUES (1, 'review:src:quality', 'review', 'src', 'quality');
		INSERT INTO runs (id, ulid, kind, worktree, log_dir, base_ref, base, status, started_at)
		VALUES (1, '01RUN', 'gates', '/tmp/a', 'logs', 'main', 'abc', 'failed', '2026-01-02T03:04:05.000Z');
		INSERT INTO iterations (id, run_id, number, mode, source, status, started_at, finished_at)
		VALUES (1, 1, 1, 'first', 'base', 'failed', '2026-01-02T03:04:05.000Z', '2026-01-02T03:05:00.000Z');
		INSERT INTO gates (id, iteration_id, job_id, status, num_reviews) VALUES (1, 1, 1, 'failed', 1);
		INSERT INTO slots (id, iteration_id, job_id, review_index, adapter, status, finished_at) VALUES (1, 1, 1, 1, 'claude', 'fail', '2026-01-02T03:05:00.000Z')`)
	for i := range 3 {
		run(t, handle, fmt.Sprintf(`INSERT INTO violations (id, ulid, short_id, run_id, job_id, slot, adapter, file, priority, status,
			  first_iteration, last_iteration, first_seen, last_seen, status_at)
			VALUES (%[1]d, '01VIO%[1]d', 'short%[1]d', 1, 1, 1, 'claude', 'src/a.go', 'high', 'new', 1, 1,
			  '2026-01-02T03:05:00.000Z', '2026-01-02T03:05:00.000Z', '2026-01-02T03:05:00.000Z');
			INSERT INTO reports (slot_id, position, file, line_start, line_end, issue, priority, disposition, violation_id)
			VALUES (1, %[1]d, 'src/a.go', 3, 5, 'issue', 'high', 'accepted', %[1]d);
			INSERT INTO events (violation_id, iteration_id, number, status, actor, at)
			VALUES (%[1]d, 1, 1, 'new', 'reviewer', '2026-01-02T03:05:00.000Z')`, i+1))
	}
	if err := handle.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// openLater opens a ledger as a later program would, which upgrades it.
func openLater(t *testing.T, path string) *sql.DB {
	t.Helper()
	handle, err := db.OpenLater(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = handle.Close() })
	return handle
}

// lines returns the rows of a query as text.
func lines(t *testing.T, handle *sql.DB, query string) (list []string) {
	t.Helper()
	rows, err := handle.QueryContext(context.Background(), query)
	if err != nil {
		t.Fatalf("%v\n%s", err, query)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(sql.NullString)
		}
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		var line strings.Builder
		for _, value := range values {
			text := value.(*sql.NullString)
			fmt.Fprintf(&line, "%q,%t|", text.String, text.Valid)
		}
		list = append(list, line.String())
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// everything returns all rows of the given columns, by table. Later schemas return the same rows
// for these queries.
func everything(t *testing.T, handle *sql.DB, tables map[string]string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for table, columns := range tables {
		order := strings.Split(columns, ",")[0]
		all[table] = lines(t, handle, fmt.Sprintf("SELECT %s FROM %s ORDER BY %s, 2, 3", columns, table, order))
	}
	return all
}

// tablesOf lists the tables of a database with their columns.
func tablesOf(t *testing.T, handle *sql.DB) map[string]string {
	t.Helper()
	rows, err := handle.QueryContext(t.Context(), `SELECT s.name, group_concat(c.name, ',')
		FROM sqlite_schema AS s JOIN pragma_table_info(s.name) AS c
		WHERE s.type = 'table' AND s.sql NOT LIKE 'CREATE VIRTUAL%' AND s.name NOT LIKE 'sqlite_%' AND s.name <> 'goose_db_version' GROUP BY s.name`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	tables := map[string]string{}
	for rows.Next() {
		var name, columns string
		if err := rows.Scan(&name, &columns); err != nil {
			t.Fatal(err)
		}
		if strings.Count(columns, ",") < 2 { // ORDER BY needs three
			columns += strings.Repeat(",''", 2)
		}
		tables[name] = columns
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return tables
}

// An upgrade changes nothing that a ledger says.
func TestUpgradeKeepsEveryRow(t *testing.T) {
	t.Parallel()
	path := filled(t)
	handle := raw(t, path)
	tables := tablesOf(t, handle)
	before := everything(t, handle, tables)
	if err := handle.Close(); err != nil {
		t.Fatal(err)
	}
	handle = openLater(t, path)
	after := everything(t, handle, tables)
	if len(after["skip_reasons"]) != len(before["skip_reasons"])+1 {
		t.Errorf("reasons for a skip: %q", after["skip_reasons"])
	}
	delete(before, "skip_reasons")
	delete(after, "skip_reasons")
	if d := cmp.Diff(before, after); d != "" {
		t.Errorf("rows (-before +after):\n%s", d)
	}
	for query, want := range map[string]string{
		"SELECT DISTINCT owner, weight FROM violations":           `"claude's; ",true|"1",true|`,
		"SELECT group_concat(version_id) FROM goose_db_version":   `"0,1,2",true|`,
		"SELECT integrity_check FROM pragma_integrity_check":      `"ok",true|`,
		"SELECT count(*) FROM pragma_foreign_key_check":           `"0",true|`,
		"SELECT user_version FROM pragma_user_version":            `"2",true|`,
		"SELECT count(*) FROM violations WHERE owner IS NOT NULL": `"3",true|`,
	} {
		if got := lines(t, handle, query); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %s, not %s", query, got, want)
		}
	}
}

// An upgraded ledger has the schema that SQLite itself creates from the migrations.
func TestUpgradeLeadsToTheSameSchema(t *testing.T) {
	t.Parallel()
	const schema = `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'goose%' AND name NOT LIKE 'sqlite%' ORDER BY type, name`
	handle := raw(t, filepath.Join(t.TempDir(), "ledger.db"))
	texts, _, err := db.Parts()
	if err != nil {
		t.Fatal(err)
	}
	run(t, handle, texts...)
	want, got := lines(t, handle, schema), lines(t, openLater(t, filled(t)), schema)
	for _, list := range [][]string{want, got} {
		for i := range list { // an upgrade removes comments
			list[i] = strings.Join(strings.Fields(comment.ReplaceAllString(list[i], " ")), " ")
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-SQLite's +upgraded):\n%s", d)
	}
}

// comment matches a comment or line break in a quoted statement.
var comment = regexp.MustCompile(`--.*?\\n|\\n`)

var errStopped = errors.New("stopped")

// An interrupted upgrade leaves the old ledger, wherever it was interrupted. A concurrent reader
// sees the old one all the time, and the next upgrade succeeds.
func TestUpgradeIsAllOrNothing(t *testing.T) {
	t.Parallel()
	path := filled(t)
	handle := raw(t, path)
	tables := tablesOf(t, handle)
	before := everything(t, handle, tables)
	if err := handle.Close(); err != nil {
		t.Fatal(err)
	}
	steps := 1
	for stop := 0; stop < steps; stop++ {
		ctx, cancel := context.WithCancelCause(t.Context())
		_, err := db.OpenLater(ctx, path, func(p db.Progress) {
			steps = p.Steps
			if p.From != migrations.Latest || p.To != migrations.Latest+1 {
				t.Errorf("the upgrade says %+v", p)
			}
			if _, err := db.OpenReadOnlyLater(t.Context(), path); !errors.Is(err, db.ErrOlder) {
				t.Errorf("a reader beside step %d: %v", p.Done, err)
			}
			if p.Done == stop {
				cancel(errStopped)
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("stopped at %d: %v", stop, err)
		}
		handle := raw(t, path)
		if d := cmp.Diff(before, everything(t, handle, tables)); d != "" {
			t.Fatalf("stopped at %d (-before +after):\n%s", stop, d)
		}
		if err := handle.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if steps < 10 {
		t.Errorf("only %d steps", steps)
	}
	last := db.Progress{}
	if _, err := db.OpenLater(t.Context(), path, func(p db.Progress) { last = p }); err != nil || last.Done != steps {
		t.Errorf("at last: %+v, %v", last, err)
	}
}

// Statements are split where they end, and lose only comments and extra white space.
func TestStatementsAreWhole(t *testing.T) {
	t.Parallel()
	texts, parts, err := db.Parts()
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		var code []string
		for line := range strings.Lines(text) {
			line, _, _ = strings.Cut(line, " -- ")
			if bare := strings.TrimSpace(line); bare == "" || strings.HasPrefix(bare, "--") {
				continue
			}
			code = append(code, strings.Fields(line)...)
			for n, quoted := range strings.Split(line, "'") {
				if n%2 == 1 && (n == strings.Count(line, "'") || strings.Contains(quoted, "  ")) {
					t.Errorf("migration %d: a text loses some of its characters:\n%s", i+1, line)
				}
			}
		}
		if d := cmp.Diff(code, strings.Fields(strings.Join(parts[i], ""))); d != "" {
			t.Errorf("migration %d: its statements are not its text:\n%s", i+1, d)
		}
		for _, part := range parts[i] {
			// The first migration is one block: it makes an empty ledger, whose progress nobody watches.
			if !strings.HasSuffix(strings.TrimSpace(part), ";") || i > 0 && slices.Contains(strings.Fields(part)[1:], "CREATE") {
				t.Errorf("migration %d: not one statement:\n%s", i+1, part)
			}
		}
	}
}

// A full disk has an error of its own that says what to do.
func TestNoRoomLeft(t *testing.T) {
	t.Parallel()
	handle := open(t, filepath.Join(t.TempDir(), "ledger.db"))
	run(t, handle, "PRAGMA max_page_count = 1")
	_, err := handle.Exec("INSERT INTO meta (key, value) VALUES ('large', printf('%0100000d', 1))")
	if err == nil || !db.IsFull(err) {
		t.Fatalf("error %v", err)
	}
	explained := db.Explain(err)
	if !errors.Is(explained, db.ErrFull) || !errors.Is(explained, err) || db.Explain(explained) != explained {
		t.Errorf("explained as %v", explained)
	}
	if other := errors.New("another"); db.Explain(other) != other || db.Explain(nil) != nil {
		t.Error("something else is explained")
	}
}

// An empty file is not a ledger yet.
func TestReadersOfALedgerInTheMaking(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	write(t, path, nil)
	if _, err := db.OpenReadOnly(t.Context(), path); !errors.Is(err, db.ErrMissing) {
		t.Errorf("an empty file: %v", err)
	}
	begun := raw(t, path)
	run(t, begun, "CREATE TABLE none (id INTEGER PRIMARY KEY)", "DROP TABLE none")
	if err := begun.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := db.OpenReadOnly(t.Context(), path); !errors.Is(err, db.ErrMissing) {
		t.Errorf("a database without tables: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	open(t, path)
	if handle, err := db.OpenReadOnly(t.Context(), path); err != nil {
		t.Error(err)
	} else if err := handle.Close(); err != nil {
		t.Error(err)
	}
}
