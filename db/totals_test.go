package db_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/db"
)

// changes makes changes of a ledger in any order that its constraints let pass: rows may
// come before those that they describe, clocks go back, and a violation may have a slot or
// an iteration that is not there.
type changes struct {
	t      *testing.T
	handle *sql.DB
	random *rand.Rand
	made   map[string]int64 // how many rows of each table
	names  int
	last   string
}

var jobs = []string{"review:a:x", "review:b:x", "check:a:lint", "check:b:test"}

func newChanges(t *testing.T, seed uint64) *changes {
	t.Helper()
	handle, err := db.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = handle.Close() })
	if err := db.New(handle).ViewTotals(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := &changes{t: t, handle: handle, random: rand.New(rand.NewPCG(seed, 1)), made: map[string]int64{}}
	c.exec("INSERT INTO repositories (id, kind, key) VALUES (2, 'origin', 'github.com/a/b'), (3, 'origin', 'github.com/a/c')")
	for i, job := range jobs {
		parts := strings.Split(job, ":")
		c.exec("INSERT INTO jobs (id, job, kind, entry_point, name) VALUES (?, ?, ?, ?, ?)", i+1, job, parts[0], parts[1], parts[2])
	}
	return c
}

// exec runs a statement; a constraint may refuse it.
func (c *changes) exec(statement string, args ...any) (done bool) {
	c.t.Helper()
	c.last = fmt.Sprintf("%s %v", statement, args)
	_, err := c.handle.ExecContext(c.t.Context(), statement, args...)
	if err != nil && !strings.Contains(err.Error(), "constraint failed") && !strings.Contains(err.Error(), "(1811)") {
		c.t.Fatalf("%s: %v", c.last, err)
	}
	return err == nil
}

// add inserts a row under the next id of its table.
func (c *changes) add(table, columns string, args ...any) {
	c.t.Helper()
	id := c.made[table] + 1
	marks := strings.Repeat(", ?", len(args))
	if c.exec("INSERT INTO "+table+" (id, "+columns+") VALUES (?"+marks+")", append([]any{id}, args...)...) {
		c.made[table] = id
	}
}

// row is one of the rows of a table.
func (c *changes) row(table string) int64 { return c.random.Int64N(c.made[table]+1) + 1 }

func (c *changes) name() string {
	c.names++
	return fmt.Sprintf("%026d", c.names)
}

// of is one of the values, of which nil may be one.
func (c *changes) of(values ...any) any { return values[c.random.IntN(len(values))] }

// time is within three weeks that lie in two months, in any order.
func (c *changes) time() string {
	return db.Time(time.Date(2026, 1, 22, 0, 0, 0, 0, time.UTC).Add(time.Duration(c.random.IntN(21*24)) * time.Hour)).Text()
}

func (c *changes) make() {
	model, at := c.of(nil, "m1", "m2"), c.time()
	switch c.random.IntN(16) {
	case 0:
		c.add("runs", "ulid, kind, repository_id, worktree, log_dir, base_ref, base, status, started_at",
			c.name(), "gates", c.of(1, 2, 3), "/w"+c.name(), "logs", "main", "0", "running", at)
	case 1, 2:
		c.add("iterations", "run_id, number, mode, source, to_tree, snapshot, tree, status, started_at",
			c.row("runs"), c.of(1, 2, 3), "rerun", "session", "t", "s", c.of(nil, "t1", "t2", "t3"), "running", at)
	case 3:
		c.add("gates", "iteration_id, job_id, status, duration_ms", c.row("iterations"), c.of(1, 2, 3, 4), c.of("running", "passed", "failed", "error"), c.of(0, 1234, 56789))
	case 4:
		c.add("slots", "gate_id, review_index, adapter, status, model, accepted, output_tokens, cost_usd, finished_at, duration_ms",
			c.row("gates"), c.of(1, 2), c.of("a", "b"), c.of("running", "pass", "fail", "error"), model, c.of(0, 3), c.of(nil, 100), c.of(nil, 0.25), c.of(nil, at), 1234)
	case 5, 6, 7:
		c.add("violations", "ulid, short_id, run_id, job_id, slot, adapter, file, priority, status, first_iteration, last_iteration, fingerprint, fingerprint_version, first_seen, last_seen, status_at",
			c.name(), fmt.Sprintf("%08d", c.names), c.row("runs"), c.of(1, 2), c.of(1, 2, 3), c.of("a", "b"), c.of("top.go", "src/a.go", "src/b/c.go"), c.of("high", "low"), "new",
			c.of(1, 2, 3, 4), 4, c.of(nil, "f1", "f2", "f3", "f4"), c.of(nil, 1), at, at, at)
	case 8, 9, 10:
		violation := c.row("violations")
		c.exec(`INSERT INTO events (violation_id, number, iteration_id, status, actor, at)
			SELECT ?1, (SELECT coalesce(max(e.number), 0) + 1 FROM events AS e WHERE e.violation_id = ?1), ?2, ?3, ?4, ?5`,
			violation, c.row("iterations"), c.of("new", "fixed", "skipped", "verified", "reopened"), c.of("agent", "reviewer", "human", "system"), at)
	case 11:
		c.exec("UPDATE violations SET file = ?, priority = ?, in_fix_lines = ? WHERE id = ?", c.of("top.go", "src/a.go", "lib/d.go"), c.of("high", "low"), c.of(0, 1), c.row("violations"))
	case 12:
		status, ended := c.of("abandoned", "failed", "passed", "passed_with_warnings"), any(at)
		if status == "failed" {
			ended = c.of(nil, at)
		}
		c.exec("UPDATE runs SET status = ?, finished_at = ?, iterations = ?, kind = ? WHERE id = ?",
			status, ended, c.of(1, 2), c.of("gates", "gates", "code_review"), c.row("runs"))
	case 13:
		c.exec("UPDATE slots SET model = ?, status = ?, adapter = ?, accepted = ?, output_tokens = ?, finished_at = ?, noticed_at = ? WHERE id = ?",
			model, c.of("pass", "fail", "interrupted"), c.of("a", "b"), c.of(1, 2), c.of(nil, 7), c.of(nil, at), c.of(nil, nil, at), c.row("slots"))
	case 14:
		c.exec("UPDATE gates SET status = ?, duration_ms = ? WHERE id = ?", c.of("running", "passed", "failed", "interrupted"), c.of(0, 1234), c.row("gates"))
	case 15:
		c.exec("UPDATE iterations SET tree = NULL WHERE id = ?", c.row("iterations"))
	}
}

// Totals are what they would be if they were made anew, whatever comes in which order.
func TestTotalsFollowAllChanges(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			c := newChanges(t, seed)
			for n := range 700 {
				c.make()
				if n%10 != 0 && n < 690 {
					continue
				}
				wrong, err := db.New(c.handle).WrongTotals(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if len(wrong) > 0 {
					t.Fatalf("after %d changes, the last of which was %s: %q are wrong", n, c.last, wrong)
				}
			}
			for _, table := range []string{"runs", "iterations", "gates", "slots", "violations"} {
				if c.made[table] < 8 {
					t.Errorf("only %d rows of %s were made", c.made[table], table)
				}
			}
		})
	}
}
