package db_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/migrations"
)

// released are the schemas that programs in use have written, with the hashes of
// their migrations.
var released = []string{
	1: "486b03e8b339c5035592cc69dc0a8587944be0f3d06f3e61db3fdaefb4d3963f",
	2: "baeaea6b45afea4efc1a27c1b7390a99e227c1c0ea6729c500148f93181cd555",
	3: "5027e6d5df3f52780883c44851b6f10f8ba6cfee3934d3dd4b027db45fe40bbe",
}

// A released migration never changes: the ledgers that it made are out there.
func TestReleasedMigrationsNeverChange(t *testing.T) {
	t.Parallel()
	for version, want := range released {
		if version == 0 {
			continue
		}
		whole, _, err := db.Parts(version)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256([]byte(whole)); hex.EncodeToString(sum[:]) != want {
			t.Errorf("migration %d has the hash %x, not that of the one that was released", version, sum)
		}
	}
}

// old makes a ledger as programs with that schema left it, with rows in every state.
func old(t *testing.T, version int) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "ledger.db")
	handle := raw(t, path)
	run(t, handle, "PRAGMA journal_mode = WAL")
	migrate := func(from, to int) {
		if err := db.MigrateFrom(t.Context(), handle, from, to); err != nil {
			t.Fatal(err)
		}
	}
	migrate(0, 1)
	run(t, handle, string(read(t, "testdata/rows.sql")))
	if version >= 2 {
		migrate(1, 2)
		run(t, handle, string(read(t, "testdata/reviews.sql")))
	}
	if version >= 3 {
		migrate(2, 3)
	}
	if err := handle.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// lines are the rows of a query, as text.
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

// everything is all rows of the tables of a schema, by what reads them. Later
// schemas have the same rows under the same questions.
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
		WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite_%' AND s.name <> 'goose_db_version' GROUP BY s.name`)
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
		if strings.Count(columns, ",") < 2 { // ORDER BY wants three
			columns += strings.Repeat(",''", 2)
		}
		tables[name] = columns
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return tables
}

// What a ledger says is the same before and after, from whatever schema it comes.
func TestUpgradeKeepsEveryRow(t *testing.T) {
	t.Parallel()
	for version := 1; version < len(released); version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			t.Parallel()
			path := old(t, version)
			handle := raw(t, path)
			tables := tablesOf(t, handle)
			delete(tables, "slot_violations") // totals took their place
			before := everything(t, handle, tables)
			if err := handle.Close(); err != nil {
				t.Fatal(err)
			}
			handle = open(t, path)
			tables["runs"] = strings.Replace(tables["runs"], ",fixed,", ",verified,", 1)
			// New words were added to lists.
			after := everything(t, handle, tables)
			for _, table := range []string{"dispositions"} {
				if len(before[table]) >= len(after[table]) {
					t.Errorf("no new words in %s", table)
				}
				delete(before, table)
				delete(after, table)
			}
			if d := cmp.Diff(before, after); d != "" {
				t.Errorf("rows (-before +after):\n%s", d)
			}
			if check := pragma(t, handle, "integrity_check"); check != "ok" {
				t.Errorf("integrity check: %s", check)
			}
			if orphans := lines(t, handle, "SELECT * FROM pragma_foreign_key_check"); orphans != nil {
				t.Errorf("orphans: %q", orphans)
			}
		})
	}
}

// An upgraded ledger has the schema of a new one.
func TestUpgradeLeadsToTheSameSchema(t *testing.T) {
	t.Parallel()
	const schema = `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'goose%' AND tbl_name NOT LIKE 'sqlite_stat%' ORDER BY type, name`
	want := lines(t, open(t, filepath.Join(t.TempDir(), "ledger.db")), schema)
	for version := 1; version < len(released); version++ {
		if d := cmp.Diff(want, lines(t, open(t, old(t, version)), schema)); d != "" {
			t.Errorf("from %d (-new +upgraded):\n%s", version, d)
		}
	}
}

// An upgrade records what is known of the history of older rows, and that nothing more
// is known.
func TestUpgradeReconstructsHistory(t *testing.T) {
	t.Parallel()
	handle := open(t, old(t, 3))
	for question, query := range map[string]string{
		"a status that is not the last transition's": `
			SELECT 'run', r.id FROM runs AS r WHERE r.status IS NOT
				(SELECT t.status FROM transitions AS t WHERE t.run_id = r.id AND t.subject = 'run' ORDER BY t.id DESC LIMIT 1)
			UNION ALL SELECT 'iteration', i.id FROM iterations AS i WHERE i.status IS NOT
				(SELECT t.status FROM transitions AS t WHERE t.iteration_id = i.id ORDER BY t.id DESC LIMIT 1)
			UNION ALL SELECT 'gate', g.id FROM gates AS g WHERE g.status IS NOT
				(SELECT t.status FROM transitions AS t WHERE t.gate_id = g.id ORDER BY t.id DESC LIMIT 1)
			UNION ALL SELECT 'slot', s.id FROM slots AS s WHERE s.status IS NOT
				(SELECT t.status FROM transitions AS t WHERE t.slot_id = s.id ORDER BY t.id DESC LIMIT 1)`,
		"a transition that pretends to have been seen": `SELECT id FROM transitions WHERE cause <> 'reconstructed'`,
		"an end at another time than its row's": `
			SELECT 'slot', s.id FROM slots AS s JOIN transitions AS t ON t.slot_id = s.id AND t.status <> 'running' WHERE t.at <> s.finished_at
			UNION ALL SELECT 'iteration', i.id FROM iterations AS i JOIN transitions AS t ON t.iteration_id = i.id AND t.status <> 'running'
			WHERE t.at <> i.finished_at
			UNION ALL SELECT 'run', r.id FROM runs AS r JOIN transitions AS t ON t.run_id = r.id AND t.subject = 'run' AND t.status <> 'running'
			WHERE t.at <> r.finished_at`,
		"a gap between numbers of events": `SELECT violation_id FROM events GROUP BY violation_id HAVING min(number) <> 1 OR max(number) <> count(*)`,
		"events out of order":             `SELECT a.id FROM events AS a JOIN events AS b ON b.violation_id = a.violation_id AND b.id > a.id AND b.number < a.number`,
		"a latch that is still a sentence": `SELECT id FROM slots WHERE latch <> (instr(reason, 'safety latch') > 0)
			UNION ALL SELECT 'no slot' WHERE NOT EXISTS (SELECT 1 FROM slots WHERE latch = 1)`,
		"a gate that did not run for no reason": `SELECT id FROM gates WHERE (status = 'not_run') <> (not_run_reason IS NOT NULL)`,
		"a run of another repository":           `SELECT id FROM runs WHERE repository_id <> 1`,
		"a claim that is not counted":           `SELECT r.id FROM runs AS r WHERE r.claimed <> (SELECT count(*) FROM violations AS v WHERE v.run_id = r.id AND v.status = 'fixed')`,
	} {
		if found := lines(t, handle, query); found != nil {
			t.Errorf("%s: %q", question, found)
		}
	}
	if n := lines(t, handle, "SELECT count(*) FROM transitions WHERE subject = 'run'"); n[0] != `"17",true|` {
		t.Errorf("transitions of runs: %s", n)
	}
}

var errStopped = errors.New("stopped")

// An upgrade that ends early leaves the old ledger, wherever it was. A reader beside
// it sees the old one all the time, and the next upgrade succeeds.
func TestUpgradeIsAllOrNothing(t *testing.T) {
	t.Parallel()
	path := old(t, 3)
	handle := raw(t, path)
	tables := tablesOf(t, handle)
	before := everything(t, handle, tables)
	if err := handle.Close(); err != nil {
		t.Fatal(err)
	}
	steps := 1
	for stop := 0; stop < steps; stop += 7 {
		ctx, cancel := context.WithCancelCause(t.Context())
		_, err := db.Open(ctx, path, func(p db.Progress) {
			steps = p.Steps
			if p.From != 3 || p.To != migrations.Latest {
				t.Errorf("the upgrade says %+v", p)
			}
			if _, err := db.OpenReadOnly(t.Context(), path); !errors.Is(err, db.ErrOlder) {
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
	if steps < 50 {
		t.Errorf("only %d steps", steps)
	}
	last := db.Progress{}
	if _, err := db.Open(t.Context(), path, func(p db.Progress) { last = p }); err != nil || last.Done != steps {
		t.Errorf("at last: %+v, %v", last, err)
	}
}

// Statements are cut where they end.
func TestStatementsAreWhole(t *testing.T) {
	t.Parallel()
	for version := 1; version <= migrations.Latest; version++ {
		whole, parts, err := db.Parts(version)
		if err != nil {
			t.Fatal(err)
		}
		var code []string
		for line := range strings.Lines(whole) {
			if bare := strings.TrimSpace(line); bare != "" && !strings.HasPrefix(bare, "--") {
				code = append(code, line)
			}
		}
		if strings.Join(code, "") != strings.Join(parts, "") {
			t.Errorf("migration %d: its statements are not its text", version)
		}
		for _, part := range parts {
			if !strings.HasSuffix(strings.TrimSpace(part), ";") || slices.Contains(strings.Fields(part)[1:], "CREATE") {
				t.Errorf("migration %d: not one statement:\n%s", version, part)
			}
		}
	}
}

// Disk full has a name, and says what to do.
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

// An empty file is not a ledger yet, and a killed process may leave half a one
// beside.
func TestReadersOfALedgerInTheMaking(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	write(t, path+".new", []byte("half"))
	write(t, path, nil)
	if _, err := db.OpenReadOnly(t.Context(), path); !errors.Is(err, db.ErrMissing) {
		t.Errorf("an empty file: %v", err)
	}
	begun := raw(t, path)
	run(t, begun, "CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY)", "DROP TABLE goose_db_version")
	if err := begun.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := db.OpenReadOnly(t.Context(), path); !errors.Is(err, db.ErrMissing) {
		t.Errorf("a ledger whose creation was cut short: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	open(t, path)
	if _, err := os.Stat(path + ".new"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what a killed process left is still there: %v", err)
	}
	if handle, err := db.OpenReadOnly(t.Context(), path); err != nil {
		t.Error(err)
	} else if err := handle.Close(); err != nil {
		t.Error(err)
	}
}

// A process that is killed right after a new ledger got its name leaves it the other one.
func TestSweepRemovesTheOtherName(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	open(t, path)
	if err := os.Link(path, path+".new"); err != nil {
		t.Fatal(err)
	}
	if err := db.Sweep(path); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + ".new"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the other name is still there: %v", err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	if err := db.Sweep(path); err != nil {
		t.Errorf("nothing to remove: %v", err)
	}
}
