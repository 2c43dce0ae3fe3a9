package store_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// recordedAt returns a ledger with a run that began at the time, with a check and a finding with
// this word on a line that is the same in every such ledger.
func recordedAt(t *testing.T, begun time.Time, word string) *loop {
	t.Helper()
	now := begun
	l := must(store.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), store.Options{Now: func() time.Time {
		now = now.Add(time.Second)
		return now
	}}))(t)
	t.Cleanup(func() { _ = l.Close() })
	x := &loop{T: t, Store: l}
	run := newRun()
	run.Worktree = "/work/" + word
	x.run = must(x.StartRun(t.Context(), run))(t)
	r := x.begin(1)
	answer := r.answer(1, high(1, "leaks "+word))
	answer.Facts.Entries[0].Line = ledger.LineFact{Known: true, Text: "x := open()"}
	must(r.RecordAnswer(t.Context(), answer))(t)
	r.end()
	x.number++
	const lint = "check:src:lint"
	c := must(x.BeginIteration(t.Context(), x.run.ID, ledger.Iteration{Number: x.number, Mode: ledger.ModeRerun, Source: "base"},
		[]ledger.GatePlan{{Job: lint, Kind: ledger.KindCheck, EntryPoint: "src", Name: "lint", Command: "lint " + word}}))(t)
	x.ok(c.FinishCheck(t.Context(), lint, ledger.CheckResult{Status: ledger.GatePassed}, time.Time{}, nil))
	x.ok(c.Finish(t.Context(), ledger.StatusFailed, ""))
	return x
}

// executeOften adds executions of the check to a run, each a minute before the previous ones.
func (x *loop) executeOften(run string, many int) {
	x.Helper()
	handle := must(sql.Open("sqlite", x.Path()))(x.T)
	_, err := handle.ExecContext(x.Context(), `
		WITH RECURSIVE n (n) AS (SELECT 3 UNION ALL SELECT n.n + 1 FROM n WHERE n.n < 3 + ?1)
		INSERT INTO iterations (run_id, number, mode, source, status, started_at, finished_at)
		SELECT r.id, n.n, 'rerun', 'base', 'failed', strftime('%Y-%m-%dT%H:%M:%fZ', r.started_at, '-' || n.n || ' minutes'), r.started_at
		FROM n CROSS JOIN runs AS r WHERE r.ulid = ?2;
		INSERT INTO gates (iteration_id, job_id, status, command)
		SELECT i.id, j.id, 'failed', 'lint often' FROM iterations AS i CROSS JOIN jobs AS j
		WHERE i.number > 2 AND j.kind = 'check'`, many, run)
	x.ok(errors.Join(err, handle.Close()))
}

// The latest is decided by time, because an import records older runs after newer ones.
func TestLatestIsByTimeAfterAnImport(t *testing.T) {
	t.Parallel()
	newer, older := recordedAt(t, start.Add(time.Hour), "newer"), recordedAt(t, start, "older")
	if loaded, err := load(t, newer.Store, dump(t, older.Store)); err != nil {
		t.Fatalf("%+v, %v", loaded, err)
	}
	s := must(newer.Statistics(t.Context(), figures.Filter{Top: 5}))(t)
	if len(s.Recurring) != 1 || s.Recurring[0].Issue != "leaks newer" || s.Recurring[0].Latest != newer.find("leaks newer").ShortID {
		t.Errorf("the latest on the line is %+v", s.Recurring)
	}
	for _, executions := range []int{2, 3000} {
		if executions > 2 {
			newer.executeOften(older.run.ID, executions)
			s = must(newer.Statistics(t.Context(), figures.Filter{Top: 5}))(t)
		}
		if len(s.Checks) != 1 || len(s.Checks[0].Last) != min(executions, 30) {
			t.Fatalf("checks: %+v", s.Checks)
		}
		last := s.Checks[0].Last[min(executions, 30)-2:]
		if s.Checks[0].Command != "lint newer" || last[0].Run != older.run.ID || last[1].Run != newer.run.ID {
			t.Errorf("of %d the latest execution is %q, of runs %+v", executions, s.Checks[0].Command, last)
		}
	}
	query := must(ledger.ParseSearch("leaks", nil))(t)
	var found []string
	f := ledger.ViolationFilter{Limit: 1}
	for range 3 {
		for _, hit := range must(newer.Search(t.Context(), query, f))(t) {
			found, f.After = append(found, hit.Violation.Issue), hit.Cursor
		}
	}
	if d := cmp.Diff([]string{"leaks newer", "leaks older"}, found); d != "" {
		t.Errorf("search (-want +got):\n%s", d)
	}
}
