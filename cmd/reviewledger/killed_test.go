//go:build unix

package main

import (
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// killRounds is the number of moments of an iteration at which it is killed. .ci/slow uses more.
var killRounds = flag.Int("kill.rounds", 6, "how many instants of an iteration are tried for a kill")

// killSpan is the latest moment of a kill after the start of the iteration.
const killSpan = 54 * time.Millisecond

// TestKilledIterations kills the program at many moments of failing iterations. After each kill the
// ledger is intact, all review files parse, nothing that was reported is lost, and the next
// invocation ends as it would have without the kill.
//
// Rule: An interrupted iteration decides nothing.
func TestKilledIterations(t *testing.T) {
	t.Parallel()
	w := newKillable(t)
	w.report(0)
	w.invoke(1)
	for round := range *killRounds {
		w.mark(round)
		w.report(round + 1)
		w.kill(round)
		w.check()
		w.invoke(1)
		w.check()
		if running := w.query("SELECT count(*) FROM iterations WHERE status = 'running'"); running[0] != "0" {
			t.Fatalf("round %d: %s iterations are still running", round, running[0])
		}
	}
	if killed := w.query("SELECT count(*) FROM iterations WHERE status = 'interrupted'"); killed[0] == "0" {
		t.Error("no kill hit a running iteration")
	}
	w.finish()
}

// TestKilledPass kills the program at many moments of a passing iteration, including while it
// closes the run and archives the logs.
//
// Rule: The log directory decides between first run and rerun.
func TestKilledPass(t *testing.T) {
	t.Parallel()
	w := newKillable(t)
	prepare := func(round int) {
		w.report(round)
		w.invoke(1)
		w.mark(round)
		w.answer(`{"status": "pass", "violations": []}`)
		w.change(round, "fixed")
	}
	killed := 0
	for round := range *killRounds {
		prepare(round)
		if w.kill(round) {
			killed++
		}
		w.check()
		w.invoke(0)
		if logs, _ := filepath.Glob(filepath.Join(w.dir, "gauntlet_logs", "*.log")); len(logs) > 0 {
			t.Fatalf("round %d: left after a pass: %v", round, logs)
		}
		if odd := w.query("SELECT status FROM runs WHERE status <> 'passed' OR finished_at IS NULL"); len(odd) > 0 {
			t.Fatalf("round %d: runs ended %v", round, odd)
		}
	}
	if killed == 0 {
		t.Error("no kill hit")
	}
	if odd := w.query("SELECT status FROM violations WHERE status <> 'verified'"); len(odd) > 0 {
		t.Errorf("violations are %v", odd)
	}
	if rebuilt := w.query("SELECT number FROM iterations WHERE mode = 'rebuilt'"); len(rebuilt) > 0 {
		t.Errorf("iterations %v were restored from the files of a run that is known", rebuilt)
	}
}

// killable is a repository with a check and a reviewer with two slots. It remembers everything that
// was ever reported.
type killable struct {
	*scratchRepository
	seen   map[string]bool
	events int
}

const killableLines = 400

func newKillable(t *testing.T) *killable {
	t.Helper()
	w := &killable{seen: map[string]bool{}, scratchRepository: newScratchRepository(t, map[string]string{
		".gauntlet/config.yml":         "base_branch: main\nmax_retries: 1000\ncli:\n  default_preference: [claude, codex]\nentry_points:\n  - {path: src, checks: [ok], reviews: [quality]}\n",
		".gauntlet/checks/ok.yml":      "command: \"true\"\n",
		".gauntlet/reviews/quality.md": "---\nnum_reviews: 2\n---\nReview.\n",
		".gitignore":                   "gauntlet_logs\n",
		"src/file.txt":                 strings.Repeat("line\n", killableLines),
	})}
	w.write("fake/codex.answer", `{"status": "pass", "violations": []}`)
	return w
}

// answer sets what the first slot's reviewer says from now on.
func (w *killable) answer(text string) { w.write("fake/claude.answer", text) }

// change makes the line of this round differ from the base.
func (w *killable) change(round int, text string) {
	path := filepath.Join(w.dir, "src", "file.txt")
	data, err := os.ReadFile(path)
	if err != nil {
		w.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	lines[lineOf(round)-1] = fmt.Sprintf("%s %d", text, round)
	w.write("repo/src/file.txt", strings.Join(lines, "\n"))
}

func lineOf(round int) int { return 10 * (1 + round%(killableLines/10-1)) }

// report changes a line and makes the reviewer report it.
func (w *killable) report(round int) {
	w.change(round, "changed")
	w.answer(fmt.Sprintf(`{"status": "fail", "violations": [{"file": "src/file.txt", "line": %d, "issue": "Issue %d", "priority": "high"}]}`, lineOf(round), round))
}

// mark marks the first violation of the newest review file as fixed.
func (w *killable) mark(round int) {
	w.Helper()
	newest, at := "", 0
	for _, name := range w.reviewFiles() {
		var number int
		if _, err := fmt.Sscanf(filepath.Base(name), "review_src_quality_claude@1.%d.json", &number); err == nil && number > at {
			newest, at = name, number
		}
	}
	document := w.parse(newest)
	violations := document["violations"].([]any)
	if len(violations) == 0 {
		w.Fatalf("round %d: %s lists nothing", round, newest)
	}
	violations[0].(map[string]any)["status"] = "fixed"
	data, err := json.Marshal(document)
	if err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(newest, data, 0o644); err != nil {
		w.Fatal(err)
	}
}

func (w *killable) reviewFiles() []string {
	names, err := filepath.Glob(filepath.Join(w.dir, "gauntlet_logs", "*.json"))
	if err != nil {
		w.Fatal(err)
	}
	return names
}

func (w *killable) parse(name string) (document map[string]any) {
	w.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		w.Fatal(err)
	}
	if err := json.Unmarshal(data, &document); err != nil {
		w.Fatalf("%s: %v", name, err)
	}
	return document
}

// invoke runs an iteration to its end.
func (w *killable) invoke(code int) {
	w.Helper()
	if got, out := w.execute("run"); got != code {
		w.Fatalf("exit code %d instead of %d\n%s", got, code, out)
	}
}

// kill starts an iteration and kills it at a different moment each time, unless it has ended:
// during its start in every third round, otherwise between its start and its end.
func (w *killable) kill(round int) (killed bool) {
	w.Helper()
	begun := filepath.Join(w.dir, "gauntlet_logs", fmt.Sprintf("console.%s.log",
		w.query(`SELECT coalesce(max(i.number), 0) + 1 FROM runs r JOIN iterations i ON i.run_id = r.id WHERE r.finished_at IS NULL`)[0]))
	cmd := w.command(w.program, "run")
	if err := cmd.Start(); err != nil {
		w.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if round%3 != 0 {
		waitFor(begun, ended)
	}
	killer := time.AfterFunc(killSpan*time.Duration(round)/time.Duration(*killRounds), func() { _ = cmd.Process.Kill() })
	defer killer.Stop()
	err := <-ended
	return err != nil && cmd.ProcessState.ExitCode() == -1
}

// waitFor waits until the file exists or the process has ended.
func waitFor(file string, ended chan error) {
	tick := time.NewTicker(100 * time.Microsecond)
	defer tick.Stop()
	for {
		if _, err := os.Stat(file); err == nil {
			return
		}
		select {
		case err := <-ended:
			ended <- err
			return
		case <-tick.C:
		}
	}
}

// check compares the ledger and the files with everything that was ever reported.
func (w *killable) check() {
	w.Helper()
	if result := w.query("PRAGMA integrity_check"); !slices.Equal(result, []string{"ok"}) {
		w.Fatalf("integrity_check: %q", result)
	}
	if broken := w.query("PRAGMA foreign_key_check"); len(broken) > 0 {
		w.Fatalf("foreign_key_check: %q", broken)
	}
	now := w.query("SELECT short_id FROM violations")
	for id := range w.seen {
		if !slices.Contains(now, id) {
			w.Fatalf("violation %s is lost", id)
		}
	}
	for _, id := range now {
		w.seen[id] = true
	}
	for _, name := range w.reviewFiles() {
		for _, violation := range w.parse(name)["violations"].([]any) {
			if id := violation.(map[string]any)["id"].(string); !w.seen[id] {
				w.Fatalf("%s lists %s, which the ledger does not know", name, id)
			}
		}
	}
	events := len(w.query("SELECT id FROM events"))
	if events < w.events {
		w.Fatalf("%d events instead of %d", events, w.events)
	}
	w.events = events
}

// finish lets the run pass. Everything that was reported must be fixed for that.
func (w *killable) finish() {
	w.Helper()
	w.answer(`{"status": "pass", "violations": []}`)
	for round := 0; ; round++ {
		open := len(w.query("SELECT id FROM violations WHERE status IN ('new', 'reopened')"))
		w.change(round, "finished")
		if open == 0 {
			w.invoke(0)
			break
		}
		w.mark(round)
		code := 1
		if open == 1 {
			code = 0
		}
		w.invoke(code)
		if code == 0 {
			break
		}
	}
	if odd := w.query("SELECT short_id || ' ' || status FROM violations WHERE status <> 'verified'"); len(odd) > 0 {
		w.Errorf("passed with %v", odd)
	}
	if got := w.query("SELECT status FROM runs"); !slices.Equal(got, []string{"passed"}) {
		w.Errorf("runs are %v, want one that passed", got)
	}
}

// query returns the first column of a query as text.
func (w *killable) query(query string) (values []string) {
	w.Helper()
	path := filepath.Join(w.dir, ".git", "reviewledger", "ledger.db")
	handle, err := sql.Open("sqlite", "file:"+path+"?mode=rw&_pragma=busy_timeout(10000)")
	if err != nil {
		w.Fatal(err)
	}
	defer handle.Close()
	rows, err := handle.QueryContext(w.Context(), query)
	if err != nil {
		w.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var value string
		if err := rows.Scan(&value); err != nil {
			w.Fatal(err)
		}
		values = append(values, value)
	}
	if err := rows.Err(); err != nil {
		w.Fatal(err)
	}
	return values
}
