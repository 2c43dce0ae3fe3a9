// Package storetest generates large ledgers for benchmarks.
package storetest

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/reviewledger/reviewledger/db"
)

// Size is the size of a ledger. Each run has Iterations iterations of one review gate with two
// slots, and Violations violations, spread over the iterations, with three events each.
type Size struct {
	Runs, Iterations, Violations int
	// Varied is set to generate a ledger like a team's: with several repositories, a branch that
	// many runs are on, and violations with many different words.
	Varied bool
}

// Million is the size of a ledger of 1,000,000 violations, 3,000,000 events and 100,000 slots.
func Million() Size { return Size{Runs: 5000, Iterations: 10, Violations: 200} }

// Generate fills a new ledger at path. The rows are the same every time, except for the database's
// id. One run in twenty began in the 30 days before now.
func Generate(ctx context.Context, path string, size Size, now time.Time) error {
	handle, err := db.Open(ctx, path, nil)
	if err != nil {
		return err
	}
	g := &generator{ctx: ctx, handle: handle, size: size, now: now}
	err = g.generate()
	if closeErr := handle.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("generate ledger %q: %w", path, err)
	}
	return nil
}

type generator struct {
	ctx    context.Context
	handle *sql.DB
	size   Size
	now    time.Time
	tx     *sql.Tx
	stmts  map[string]*sql.Stmt

	iteration, slot, violation, report, event int64
}

// runsPerCommit keeps transactions, and with them the write-ahead log, at a moderate size.
const runsPerCommit = 100

func (g *generator) generate() error {
	// A violation and its report refer to each other: with foreign keys, each of the two would be
	// looked up among all the others.
	if _, err := g.handle.ExecContext(g.ctx, "PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -65536; PRAGMA temp_store = FILE"); err != nil {
		return err
	}
	dropped, err := g.dropDerived()
	if err != nil {
		return err
	}
	if _, err := g.handle.ExecContext(g.ctx, `INSERT INTO jobs (id, job, kind, entry_point, name)
		VALUES (1, 'review:src:quality', 'review', 'src', 'quality'), (2, 'check:src:lint', 'check', 'src', 'lint')`); err != nil {
		return err
	}
	if g.size.Varied {
		if _, err := g.handle.ExecContext(g.ctx, `INSERT INTO repositories (id, kind, key)
			VALUES (2, 'origin', 'github.com/example/api'), (3, 'origin', 'github.com/example/web'), (4, 'origin', 'github.com/example/shop')`); err != nil {
			return err
		}
	}
	for first := 0; first < g.size.Runs; first += runsPerCommit {
		if err := g.commitRuns(first, min(first+runsPerCommit, g.size.Runs)); err != nil {
			return err
		}
	}
	if _, err := g.handle.ExecContext(g.ctx, markSQL); err != nil {
		return err
	}
	for _, definition := range dropped {
		if _, err := g.handle.ExecContext(g.ctx, definition); err != nil {
			return err
		}
	}
	if _, err := g.handle.ExecContext(g.ctx, countSQL); err != nil {
		return err
	}
	_, err = g.handle.ExecContext(g.ctx, "PRAGMA analysis_limit = 400; PRAGMA optimize = 0x10002")
	return err
}

// markSQL marks violations as the dropped triggers would have done.
const markSQL = `
	UPDATE violations SET abandoned = 1 WHERE run_id IN (SELECT r.id FROM runs AS r WHERE r.status = 'abandoned');`

// countSQL adds the words, files and transitions that the dropped triggers would have added.
const countSQL = `
	INSERT INTO search_words (rowid, title, issue, fix, result)
	SELECT r.slot_id << 24 | r.position, r.title, r.issue, r.fix, v.result
	FROM reports AS r LEFT JOIN violations AS v ON v.id = r.violation_id AND v.report_id = r.id
	ORDER BY 1;
	INSERT INTO transitions (run_id, subject, status, at, actor, cause)
	SELECT r.id, 'run', r.status, r.finished_at, 'system', 'finished' FROM runs AS r;
	INSERT INTO transitions (run_id, subject, iteration_id, status, at, actor, cause)
	SELECT i.run_id, 'iteration', i.id, i.status, i.finished_at, 'system', 'finished' FROM iterations AS i;
	INSERT INTO transitions (run_id, subject, gate_id, status, at, actor, cause)
	SELECT i.run_id, 'gate', g.id, g.status, i.finished_at, 'system', 'finished'
	FROM iterations AS i CROSS JOIN gates AS g ON g.iteration_id = i.id;
	INSERT INTO transitions (run_id, subject, slot_id, status, at, actor, cause)
	SELECT i.run_id, 'slot', s.id, s.status, s.finished_at, 'system', 'finished'
	FROM iterations AS i CROSS JOIN slots AS s ON s.iteration_id = i.id;`

// dropDerived drops the triggers, whose work the generator does itself, and the indexes, which are
// sorted faster than they are filled row by row. It returns the statements that create them again.
func (g *generator) dropDerived() (definitions []string, err error) {
	rows, err := g.handle.QueryContext(g.ctx, `SELECT type, name, sql FROM sqlite_schema
		WHERE type IN ('trigger', 'index') AND sql IS NOT NULL ORDER BY type`)
	if err != nil {
		return nil, err
	}
	var drops []string
	for rows.Next() {
		var kind, name, definition string
		if err := rows.Scan(&kind, &name, &definition); err != nil {
			return nil, err
		}
		drops, definitions = append(drops, "DROP "+kind+" "+name), append(definitions, definition)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for _, drop := range drops {
		if _, err := g.handle.ExecContext(g.ctx, drop); err != nil {
			return nil, err
		}
	}
	return definitions, nil
}

func (g *generator) commitRuns(first, last int) (err error) {
	if g.tx, err = g.handle.BeginTx(g.ctx, nil); err != nil {
		return err
	}
	defer func() { _ = g.tx.Rollback() }()
	g.stmts = map[string]*sql.Stmt{}
	for run := first; run < last; run++ {
		if err := g.run(run); err != nil {
			return err
		}
	}
	return g.tx.Commit()
}

// exec runs a statement, which is prepared once in each transaction.
func (g *generator) exec(query string, args ...any) error {
	stmt := g.stmts[query]
	if stmt == nil {
		var err error
		if stmt, err = g.tx.PrepareContext(g.ctx, query); err != nil {
			return err
		}
		g.stmts[query] = stmt
	}
	_, err := stmt.Exec(args...)
	return err
}

func (g *generator) began(run int) time.Time {
	if run%20 == 19 {
		return g.now.Add(-time.Duration(run%29+1) * 24 * time.Hour)
	}
	return g.now.Add(-time.Duration(40+run%600) * 24 * time.Hour)
}

func (g *generator) run(run int) error {
	at := g.began(run)
	id := int64(run + 1)
	status, fixed, open := "passed_with_warnings", g.size.Violations/2, 0
	if abandoned(id) {
		status, fixed, open = "abandoned", 0, fixed
	}
	repository, branch := 1, fmt.Sprintf("feature-%d", run%300)
	if g.size.Varied {
		repository = 2 + run%3
		if run%5 == 0 {
			branch = "main"
		}
	}
	if err := g.exec(`INSERT INTO runs (id, ulid, kind, repository_id, worktree, log_dir, branch, base_ref, base, head, status, started_at, finished_at, iterations, verified, skipped, open)
		VALUES (?, ?, 'gates', ?, ?, 'gauntlet_logs', ?, 'origin/main', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		id, newULID(at, 1, id), repository, fmt.Sprintf("/work/tree%d", run%50), branch, sha(id), sha(id+1),
		status, db.Time(at), db.Time(at.Add(time.Hour)), g.size.Iterations, fixed, g.size.Violations-g.size.Violations/2, open); err != nil {
		return err
	}
	perIteration := g.size.Violations / g.size.Iterations
	for n := 1; n <= g.size.Iterations; n++ {
		if err := g.writeIteration(id, n, perIteration, at.Add(time.Duration(n)*time.Minute)); err != nil {
			return err
		}
	}
	return nil
}

// abandoned reports whether the run is abandoned: what other runs have verified is reopened there.
func abandoned(run int64) bool { return run%50 == 20 }

func (g *generator) writeIteration(run int64, number, violations int, at time.Time) error {
	g.iteration++
	if err := g.exec(`INSERT INTO iterations (id, run_id, number, mode, source, from_tree, to_tree, snapshot, tree, head, status, started_at, finished_at, new, verified, claimed, skipped)
		VALUES (?, ?, ?, 'rerun', 'session', ?, ?, ?, ?, ?, 'failed', ?, ?, ?, ?, ?, ?)`,
		g.iteration, run, number, sha(run), sha(g.iteration), sha(g.iteration), sha(g.iteration+7), sha(run),
		db.Time(at), db.Time(at.Add(30*time.Second)), violations, violations/4*2, violations/2, violations-violations/2); err != nil {
		return err
	}
	if err := g.exec(`INSERT INTO gates (id, iteration_id, job_id, status, num_reviews, duration_ms) VALUES (?, ?, 1, 'failed', 2, 30000)`, g.iteration, g.iteration); err != nil {
		return err
	}
	for index := 1; index <= 2; index++ {
		g.slot++
		adapter := []string{"claude", "codex", "gemini"}[(int(run)+index)%3]
		if err := g.exec(`INSERT INTO slots (id, iteration_id, job_id, review_index, adapter, status, reviewed, model, input_tokens, output_tokens, cost_usd, calls, duration_ms, finished_at, accepted, new, verified)
			VALUES (?, ?, 1, ?, ?, 'fail', ?, 'model-1', 12000, 800, 0.02, 1, 20000, ?, ?, ?, ?)`,
			g.slot, g.iteration, index, adapter, sha(g.iteration), db.Time(at.Add(20*time.Second)), violations/2, violations/2, violations/4); err != nil {
			return err
		}
		for n := range violations / 2 {
			if err := g.writeViolation(run, number, index, n, adapter, at); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *generator) writeViolation(run int64, number, slot, n int, adapter string, at time.Time) error {
	g.violation++
	g.report++
	id := newULID(at, 2, g.violation)
	file := fmt.Sprintf("src/module%d/file%d.go", g.violation%97, g.violation%1009)
	priority := []string{"critical", "high", "medium", "low", "info"}[g.violation%5]
	final, result := "verified", "done"
	switch {
	case n%2 == 1:
		final = "skipped"
	case abandoned(run):
		final, result = "reopened", ""
	}
	if err := g.exec(`INSERT INTO violations (id, ulid, short_id, run_id, job_id, slot, adapter, report_id, file, priority, status, result,
			first_iteration, last_iteration, answered_iteration, fingerprint, first_seen, last_seen, status_at)
		VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, nullif(?, ''), ?, ?, ?, ?, ?, ?, ?)`,
		g.violation, id, fmt.Sprintf("%08x", g.violation), run, slot, adapter, g.report, file, priority, final, result,
		number, number, number, fmt.Sprintf("%032x", g.violation%700000), db.Time(at), db.Time(at), db.Time(at.Add(2*time.Minute))); err != nil {
		return err
	}
	if err := g.exec(`INSERT INTO reports (id, slot_id, position, file, line_start, line_end, issue, fix, priority, disposition, violation_id)
		VALUES (?, ?, ?, ?, ?, ?, ?, 'Handle the error', ?, 'accepted', ?)`,
		g.report, g.slot, n+1, file, n*10+1, n*10+3, g.issue(), priority, g.violation); err != nil {
		return err
	}
	claimed := "fixed"
	if final == "skipped" {
		claimed = "skipped"
	}
	for i, status := range []string{"new", claimed, final} {
		actor := []string{"reviewer", "agent", "reviewer"}[i]
		if final == "skipped" && i == 2 {
			actor = "agent"
		}
		g.event++
		if err := g.exec(`INSERT INTO events (id, violation_id, number, iteration_id, status, actor, result, at) VALUES (?, ?, ?, ?, ?, ?, 'done', ?)`,
			g.event, g.violation, i+1, g.iteration, status, actor, db.Time(at.Add(time.Duration(i)*time.Minute))); err != nil {
			return err
		}
	}
	return nil
}

// sentences are the parts that varied issues are composed of.
var sentences = []string{
	"A request without a session reaches the handler, and its pointer is nil.",
	"The lock is held while the network is asked; every other caller waits for it.",
	"The loop compares each row with each other one, which takes minutes for long lists.",
	"Two goroutines write the same map without a lock.",
	"The query is built from the text of the user and can be changed by it.",
	"A timeout is missing: a server that never answers blocks the worker for good.",
	"The comment says the opposite of what the code does.",
	"Nothing tests the branch in which the cache is stale.",
	"The file stays open when the second read fails.",
	"The token is written to the log in the clear.",
	"The migration rewrites the whole table under an exclusive lock.",
	"The retry has no limit and no pause, so it floods the network when a call fails.",
	"The temporary folder is never removed after a panic.",
}

// issue returns the text of the violation's report.
func (g *generator) issue() string {
	if !g.size.Varied {
		return fmt.Sprintf("The error of call %d is not handled, so a failure passes unnoticed", g.violation)
	}
	n := g.violation * 2654435761 // spreads the numbers
	first, second := sentences[n%13], sentences[n/13%13]
	return fmt.Sprintf("%s See handle%d. %s", first, n%40000, second)
}

// newULID returns an id that is the same every time. kind distinguishes runs and violations.
func newULID(at time.Time, kind byte, n int64) string {
	var id ulid.ULID
	_ = id.SetTime(ulid.Timestamp(at))
	_ = id.SetEntropy([]byte{kind, 0, 0, byte(n >> 48), byte(n >> 40), byte(n >> 32), byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
	return id.String()
}

func sha(n int64) string { return fmt.Sprintf("%040x", n) }
