package store_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func TestRuns(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	l := openLedger(t, filepath.Join(t.TempDir(), "ledger.db"))
	if _, err := l.OpenRun(ctx, scope); !errors.Is(err, ledger.ErrNotFound) {
		t.Fatalf("open run of an empty ledger: %v", err)
	}
	if _, err := l.FindRun(ctx, "01ARZ3NDEKTSV4RRFFQ69G5FAV"); !errors.Is(err, ledger.ErrNotFound) {
		t.Fatalf("a run that there is not: %v", err)
	}
	first := must(l.StartRun(ctx, newRun()))(t)
	if d := cmp.Diff(first, must(l.OpenRun(ctx, scope))(t)); d != "" {
		t.Errorf("open run (-started +found):\n%s", d)
	}
	if d := cmp.Diff(first, must(l.FindRun(ctx, first.ID))(t)); d != "" {
		t.Errorf("run by id (-started +found):\n%s", d)
	}
	for _, other := range []ledger.Scope{
		{Kind: ledger.KindCodeReview, Worktree: scope.Worktree, LogDir: scope.LogDir},
		{Kind: scope.Kind, Worktree: "/other", LogDir: scope.LogDir},
	} {
		if _, err := l.OpenRun(ctx, other); !errors.Is(err, ledger.ErrNotFound) {
			t.Errorf("open run of %+v: %v", other, err)
		}
	}
	elsewhere := (*ledger.LogDirError)(nil)
	if _, err := l.OpenRun(ctx, ledger.Scope{Kind: scope.Kind, Worktree: scope.Worktree, LogDir: "logs"}); !errors.As(err, &elsewhere) || elsewhere.Run != first.ID {
		t.Errorf("open run with another log directory: %v", err)
	}
	second := must(l.StartRun(ctx, newRun()))(t)
	if got := must(l.FindRun(ctx, first.ID))(t); got.Status != ledger.StatusAbandoned || !got.Closed() || !got.FinishedAt.After(got.StartedAt) {
		t.Errorf("the first run is %+v", got)
	}
	if got := must(l.OpenRun(ctx, scope))(t); got.ID != second.ID {
		t.Errorf("open is %s, want %s", got.ID, second.ID)
	}
	if err := l.CloseRun(ctx, second.ID, ledger.StatusAbandoned); err != nil {
		t.Fatal(err)
	}
	if err := l.CloseRun(ctx, second.ID, ledger.StatusAbandoned); !errors.Is(err, store.ErrConflict) {
		t.Errorf("closed twice: %v", err)
	}
}

// Rule: A rerun shows what changed since the session reference.
func TestSessionRefIsSetOnce(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	x.ok(x.SetSessionRef(x.Context(), x.run.ID, "commit"))
	if err := x.SetSessionRef(x.Context(), x.run.ID, "other"); !errors.Is(err, store.ErrConflict) {
		t.Errorf("set twice: %v", err)
	}
	if got := x.state().Run.SessionRef; got != "commit" {
		t.Errorf("session ref %q", got)
	}
}

func TestClosedRunRefusesIterations(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	x.ok(x.CloseRun(x.Context(), x.run.ID, ledger.StatusAbandoned))
	if _, err := x.BeginIteration(x.Context(), x.run.ID, ledger.Iteration{Number: 1, Mode: ledger.ModeFirst, Source: "base"}, nil); !errors.Is(err, store.ErrConflict) {
		t.Errorf("started in a closed run: %v", err)
	}
}

// A run that passed when it was assessed may have changed since.
func TestCloseRunAsPassedLooksAgain(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	if err := x.CloseRun(x.Context(), x.run.ID, ledger.StatusPassed); !errors.Is(err, store.ErrConflict) {
		t.Errorf("closed as passed with nothing executed: %v", err)
	}
	r := x.begin(1)
	r.says(1, entry(at("a.go", 1), "leaks", ledger.High))
	r.end()
	x.edit(1, "leaks", ledger.StatusSkipped, "by design")
	if got := ledger.Assess(x.state()).Status; got != ledger.StatusPassedWithWarnings {
		t.Fatalf("assessed as %s", got)
	}
	x.tryEdit(ledger.ActorHuman, 1, "leaks", ledger.StatusNew, "")
	if err := x.CloseRun(x.Context(), x.run.ID, ledger.StatusPassedWithWarnings); !errors.Is(err, store.ErrConflict) {
		t.Errorf("closed as passed with an open violation: %v", err)
	}
	if x.state().Run.Closed() {
		t.Error("the run is closed all the same")
	}
	x.edit(1, "leaks", ledger.StatusSkipped, "by design, really")
	x.ok(x.CloseRun(x.Context(), x.run.ID, ledger.StatusPassedWithWarnings))
	if got := x.state().Run; got.Status != ledger.StatusPassedWithWarnings || got.Skipped != 1 || got.Open != 0 || got.Iterations != 1 {
		t.Errorf("closed run: %+v", got)
	}
}

// A verdict may warn about findings that stay open.
func TestCloseCodeReviewWithFindings(t *testing.T) {
	t.Parallel()
	x := &loop{T: t, Store: openLedger(t, filepath.Join(t.TempDir(), "ledger.db"))}
	run := newRun()
	run.Kind = ledger.KindCodeReview
	x.run = must(x.StartRun(t.Context(), run))(t)
	r := x.begin(1)
	r.says(1, entry(at("a.go", 1), "leaks", ledger.Medium))
	x.ok(x.CloseRun(x.Context(), x.run.ID, ledger.StatusPassedWithWarnings))
}

// What a reviewer reported is recorded even if the user interrupts meanwhile.
func TestInterruptedWritesAreFinished(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(1)
	canceled, cancel := context.WithCancel(x.Context())
	cancel()
	if _, err := r.RecordAnswer(canceled, r.answer(1, entry(at("a.go", 1), "leaks", ledger.High))); err != nil {
		t.Error(err)
	}
	if err := r.Finish(canceled, ledger.StatusInterrupted, "interrupted"); err != nil {
		t.Error(err)
	}
	x.want(map[string]ledger.Status{"leaks": ledger.StatusNew})
	if got := x.state().Run.Status; got != ledger.StatusInterrupted {
		t.Errorf("the run is %s", got)
	}
}

// A killed process leaves an iteration running. The next process marks it as interrupted.
func TestRecover(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	killed := x.begin(2)
	killed.says(1)
	x.ok(x.Recover(x.Context(), x.run.ID))
	s := x.state()
	if got := s.Iteration(1); got.Status != ledger.StatusInterrupted || !got.FinishedAt.IsZero() || got.NoticedAt.IsZero() || got.Ended() != got.NoticedAt {
		t.Errorf("iteration: %+v", got)
	}
	gate := s.LatestGate(quality)
	if gate.Status != ledger.GateInterrupted || gate.Slots[0].Status != pass || gate.Slots[1].Status != ledger.SlotInterrupted {
		t.Errorf("gate: %+v", gate)
	}
	if s.Run.Status != ledger.StatusInterrupted {
		t.Errorf("run: %s", s.Run.Status)
	}
	if _, err := killed.RecordAnswer(x.Context(), killed.answer(2)); !errors.Is(err, store.ErrConflict) {
		t.Errorf("the dead process's slot was recorded: %v", err)
	}
	if err := killed.Finish(x.Context(), ledger.StatusPassed, ""); !errors.Is(err, store.ErrConflict) {
		t.Errorf("the dead process's iteration was finished: %v", err)
	}
	if err := killed.FinishReview(x.Context(), quality, ledger.GatePassed, "", 0); !errors.Is(err, store.ErrConflict) {
		t.Errorf("the dead process's gate was finished: %v", err)
	}
	if got := ledger.Assess(x.state()).Status; got != ledger.StatusError {
		t.Errorf("assessed as %s", got)
	}
	r := x.begin(2)
	if got := r.before.LatestSlot(quality, 1); got.Status != pass {
		t.Errorf("slot 1 was %s", got.Status)
	}
	r.says(2)
	if got := r.end(); got != ledger.StatusPassed {
		t.Errorf("the next iteration ended as %s", got)
	}
	x.ok(x.Recover(x.Context(), x.run.ID))
	if got := x.state().Iteration(2).Status; got != ledger.StatusPassed {
		t.Errorf("recovering again made it %s", got)
	}
}

// While an iteration runs, and after its process was killed, the rows are sound.
func TestUnfinishedIterationsAreNoProblem(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	sound := func(when string) {
		t.Helper()
		if problems := must(x.Problems(t.Context()))(t); len(problems) > 0 {
			t.Errorf("%s: %q", when, problems)
		}
	}
	r := x.begin(2)
	sound("begun")
	r.says(1, entry(at("a.go", 1), "leaks", ledger.High))
	sound("one slot has answered")
	x.ok(x.Recover(t.Context(), x.run.ID))
	sound("killed")
	if run := x.state().Run; run.Iterations != 1 || run.Open != 1 {
		t.Errorf("the killed run counts %d iterations, %d open violations", run.Iterations, run.Open)
	}
	x.begin(2)
	sound("begun again")
}

func TestChecks(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	plan := func(name, broken string) ledger.GatePlan {
		return ledger.GatePlan{Job: "check:src:" + name, Kind: ledger.KindCheck, EntryPoint: "src", Name: name, Command: "make " + name, Error: broken}
	}
	r := must(x.BeginIteration(x.Context(), x.run.ID, ledger.Iteration{Number: 1, Mode: ledger.ModeFirst, Source: "base"},
		[]ledger.GatePlan{plan("lint", ""), plan("test", ""), plan("docs", ""), plan("lost", ""), plan("broken", "no such folder")}))(t)
	x.ok(r.FinishCheck(x.Context(), "check:src:lint", ledger.CheckResult{Status: ledger.GateFailed, Reason: "exited with code 1", ExitCode: 1, Problems: 3, Duration: 1500 * time.Millisecond}, time.Time{}, []byte("log")))
	x.ok(r.FinishCheck(x.Context(), "check:src:test", ledger.CheckResult{Status: ledger.GatePassed, ExitCode: -1}, time.Time{}, nil))
	x.ok(r.NotRun(x.Context(), "check:src:docs", "lint failed"))
	if err := r.FinishCheck(x.Context(), "check:src:unknown", ledger.CheckResult{Status: ledger.GatePassed}, time.Time{}, nil); !errors.Is(err, store.ErrConflict) {
		t.Errorf("finished an unplanned check: %v", err)
	}
	x.ok(r.Finish(x.Context(), ledger.StatusFailed, "cut short"))
	want := []ledger.Gate{
		{Job: "check:src:lint", Name: "lint", Status: ledger.GateFailed, Reason: "exited with code 1", ExitCode: 1, Problems: 3, Duration: 1500 * time.Millisecond},
		{Job: "check:src:test", Name: "test", Status: ledger.GatePassed},
		{Job: "check:src:docs", Name: "docs", Status: ledger.GateNotRun, NotRun: ledger.NotRunFailFast, Reason: "lint failed"},
		{Job: "check:src:lost", Name: "lost", Status: ledger.GateInterrupted, Reason: "cut short"},
		{Job: "check:src:broken", Name: "broken", Status: ledger.GateError, Reason: "no such folder"},
	}
	for i := range want {
		want[i].Iteration, want[i].Kind, want[i].EntryPoint = 1, ledger.KindCheck, "src"
	}
	got := x.state().Gates
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(ledger.Gate{}, "StartedAt")); d != "" {
		t.Errorf("gates (-want +got):\n%s", d)
	}
	for _, gate := range got {
		if gate.StartedAt.IsZero() != (gate.Duration == 0) {
			t.Errorf("%s is %s, from %s", gate.Job, gate.Status, gate.StartedAt)
		}
	}
	ended := column(t, rows(t, x.Path()), "SELECT status FROM gates WHERE finished_at IS NULL")
	if d := cmp.Diff([]string{string(ledger.GateNotRun)}, ended); d != "" {
		t.Errorf("gates that never ended (-want +got):\n%s", d)
	}
}

// A reviewer usually takes the median of its last nine answers for a job. What was no answer does not count.
func TestUsualDurations(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	usual := func() map[ledger.Reviewer]time.Duration { return must(x.UsualDurations(t.Context()))(t) }
	if got := usual(); len(got) > 0 {
		t.Errorf("of a new ledger: %v", got)
	}
	for _, minutes := range []time.Duration{1000, 1000, 9, 8, 7, 6, 5, 0, 1, 2, 3, 4} { // the first answers are too old, and 0 is none
		r := x.begin(1)
		answer := r.answer(1, entry(at("a.go", 1), "leaks", ledger.High))
		if answer.Duration = minutes * time.Minute; minutes == 0 {
			answer.Duration = time.Second
			x.ok(r.RecordSlotError(t.Context(), answer.SlotCall, erred, "no answer"))
		} else {
			must(r.RecordAnswer(t.Context(), answer))(t)
		}
		r.end()
	}
	if d := cmp.Diff(map[ledger.Reviewer]time.Duration{{Job: quality, Adapter: "claude"}: 5 * time.Minute}, usual()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestCooldowns(t *testing.T) {
	t.Parallel()
	now := start
	l := must(store.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), store.Options{Now: func() time.Time { return now }}))(t)
	defer l.Close()
	want := func(want map[string]time.Time) {
		t.Helper()
		if d := cmp.Diff(want, must(l.Cooldowns(t.Context()))(t)); d != "" {
			t.Errorf("cool-downs (-want +got):\n%s", d)
		}
	}
	want(map[string]time.Time{})
	for adapter, d := range map[string]time.Duration{"claude": time.Hour, "codex": time.Minute} {
		if err := l.SetCooldown(t.Context(), adapter, "usage limit", d); err != nil {
			t.Fatal(err)
		}
	}
	want(map[string]time.Time{"claude": start.Add(time.Hour), "codex": start.Add(time.Minute)})
	now = start.Add(time.Minute)
	want(map[string]time.Time{"claude": start.Add(time.Hour)})
	if err := l.SetCooldown(t.Context(), "claude", "again", time.Second); err != nil {
		t.Fatal(err)
	}
	want(map[string]time.Time{"claude": start.Add(time.Minute + time.Second)})
	for _, found := range []bool{true, false} {
		if got := must(l.ResetCooldown(t.Context(), "claude"))(t); got != found {
			t.Errorf("reset: found %t, want %t", got, found)
		}
	}
	want(map[string]time.Time{})
}

// repeating returns the same bytes twice before it returns others.
type repeating struct{ draws int }

func (r *repeating) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r.draws / 2)
	}
	r.draws++
	return len(p), nil
}

func TestShortIDsAreUnique(t *testing.T) {
	t.Parallel()
	x := &loop{T: t, Store: must(store.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), store.Options{Now: ticking(), Entropy: &repeating{}}))(t)}
	defer x.Close()
	x.run = must(x.StartRun(t.Context(), newRun()))(t)
	r := x.begin(1)
	r.says(1, entry(at("a.go", 1), "one", ledger.High), entry(at("a.go", 2), "two", ledger.High), entry(at("a.go", 3), "three", ledger.High))
	seen := map[string]bool{}
	for _, v := range x.state().Violations {
		if len(v.ShortID) != 8 || v.ShortID != strings.ToLower(v.ID[len(v.ID)-8:]) || seen[v.ShortID] {
			t.Errorf("violation %s has the short id %q", v.ID, v.ShortID)
		}
		seen[v.ShortID] = true
	}
	if len(seen) != 3 {
		t.Errorf("%d short ids for three violations", len(seen))
	}
}

func TestBlobsAreKeptOnce(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	long := strings.Repeat("the same prompt, for both slots\n\x00\xff", 5000)
	r := x.begin(2)
	for slot := 1; slot <= 2; slot++ {
		a := r.answer(slot)
		a.Prompts, a.Raw, a.Stderr = [][]byte{[]byte(long), []byte("part two")}, long, []byte("noise")
		must(r.RecordAnswer(x.Context(), a))(t)
	}
	for slot := 1; slot <= 2; slot++ {
		e := must(x.Exported(x.Context(), x.run.ID, ledger.SlotRef{Job: quality, Slot: slot, Iteration: 1}))(t)
		if e.Document.RawOutput != long {
			t.Errorf("slot %d: %d bytes read back, want %d", slot, len(e.Document.RawOutput), len(long))
		}
	}
	handle := rows(t, x.Path())
	if d := cmp.Diff([]string{"3"}, column(t, handle, "SELECT count(*) FROM blobs")); d != "" {
		t.Errorf("blobs (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"8"}, column(t, handle, "SELECT count(*) FROM slot_blobs")); d != "" {
		t.Errorf("slot blobs (-want +got):\n%s", d)
	}
	if size := column(t, handle, "SELECT max(length(data)) FROM blobs"); len(size[0]) > 4 {
		t.Errorf("the largest blob has %s bytes", size[0])
	}
	if _, err := handle.Exec("UPDATE blobs SET data = substr(data, 1, 20) WHERE size > 100"); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Exported(x.Context(), x.run.ID, ledger.SlotRef{Job: quality, Slot: 1, Iteration: 1}); err == nil {
		t.Error("a damaged blob was read without an error")
	}
}

// The database itself refuses whatever would rewrite history.
//
// Rule: History is only added to.
func TestTriggers(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(1)
	r.says(1, entry(at("a.go", 1), "leaks", ledger.High))
	handle := rows(t, x.Path())
	const event = "INSERT INTO events (number, violation_id, iteration_id, status, actor, at) VALUES (2, "
	for name, statement := range map[string]string{
		"event changed":          "UPDATE events SET status = 'skipped'",
		"event removed":          "DELETE FROM events",
		"report changed":         "UPDATE reports SET disposition = 'out_of_diff'",
		"report removed":         "DELETE FROM reports",
		"violation removed":      "DELETE FROM violations",
		"slot removed":           "DELETE FROM slots",
		"run removed":            "DELETE FROM runs",
		"agent verifies":         event + "1, 1, 'verified', 'agent', '2026-01-02T03:04:05.000Z')",
		"reviewer verifies open": event + "1, 1, 'verified', 'reviewer', '2026-01-02T03:04:05.000Z')",
		"reviewer skips":         event + "1, 1, 'skipped', 'reviewer', '2026-01-02T03:04:05.000Z')",
		"new again":              event + "1, 1, 'new', 'agent', '2026-01-02T03:04:05.000Z')",
		"nobody":                 event + "1, 1, 'fixed', 'nobody', '2026-01-02T03:04:05.000Z')",
		"unknown status":         event + "1, 1, 'done', 'agent', '2026-01-02T03:04:05.000Z')",
		"no such violation":      "INSERT INTO events (number, violation_id, iteration_id, status, actor, at) VALUES (1, 99, 1, 'new', 'reviewer', '2026-01-02T03:04:05.000Z')",
		"a gap":                  "INSERT INTO events (number, violation_id, iteration_id, status, actor, at) VALUES (3, 1, 1, 'fixed', 'agent', '2026-01-02T03:04:05.000Z')",
		"a remembered fix":       "INSERT INTO events (number, violation_id, iteration_id, status, actor, at, fingerprint) VALUES (2, 1, 1, 'fixed', 'agent', '2026-01-02T03:04:05.000Z', 'print')",
		"time without millis":    event + "1, 1, 'fixed', 'agent', '2026-01-02T03:04:05Z')",
		"time with an offset":    event + "1, 1, 'fixed', 'agent', '2026-01-02T03:04:05.000+01:00')",
		"time of no day":         event + "1, 1, 'fixed', 'agent', '2026-02-30T03:04:05.000Z')",
		"time as SQLite's now":   event + "1, 1, 'fixed', 'agent', '2026-01-02 03:04:05')",
		"time as a number":       event + "1, 1, 'fixed', 'agent', 1767323045)",
		"accepted of nothing":    "INSERT INTO reports (slot_id, position, file, line_start, line_end, issue, priority, disposition) VALUES (1, 9, 'a', 1, 1, 'x', 'high', 'accepted')",
		"lines backwards":        "INSERT INTO reports (slot_id, position, file, line_start, line_end, issue, priority, disposition) VALUES (1, 9, 'a', 2, 1, 'x', 'high', 'malformed')",
		"two open runs":          "INSERT INTO runs (ulid, kind, worktree, log_dir, base_ref, base, status, started_at) SELECT 'other', kind, worktree, log_dir, base_ref, base, status, started_at FROM runs",
		"passed and open":        "UPDATE runs SET status = 'passed'",
		"finished and running":   "UPDATE iterations SET finished_at = '2026-01-02T03:04:05.000Z'",
		"abandoned iteration":    "UPDATE iterations SET status = 'abandoned', finished_at = '2026-01-02T03:04:05.000Z'",
		"skipped since never":    "UPDATE slots SET status = 'skipped_prior_pass'",
		"text for a number":      "UPDATE slots SET calls = 'many'",
	} {
		if _, err := handle.Exec(statement); err == nil || db.Code(err) == 0 {
			t.Errorf("%s: %v", name, err)
		} else if db.Code(err)&0xff != 19 { // SQLITE_CONSTRAINT
			t.Errorf("%s is refused as %v", name, err)
		}
	}
	x.want(map[string]ledger.Status{"leaks": ledger.StatusNew})
	if d := cmp.Diff([]string{"1 new reviewer"}, column(t, handle, "SELECT violation_id || ' ' || status || ' ' || actor FROM events")); d != "" {
		t.Errorf("events (-want +got):\n%s", d)
	}
}

func TestOpenSaysWhichLedger(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "notes.db")
	content := bytes.Repeat([]byte("no ledger\n"), 200)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := store.Open(t.Context(), path, store.Options{})
	if !errors.Is(err, db.ErrForeign) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, content) {
		t.Errorf("the file was changed (%v)", err)
	}
}

// Times are UTC milliseconds, whatever the clock's zone.
func TestTimes(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("far", 13*3600)
	clock := func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 987_654_321, zone) }
	l := must(store.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), store.Options{Now: clock}))(t)
	defer l.Close()
	run := must(l.StartRun(t.Context(), newRun()))(t)
	if d := cmp.Diff([]string{"2025-12-31T11:00:00.987Z"}, column(t, rows(t, l.Path()), "SELECT started_at FROM runs")); d != "" {
		t.Errorf("time (-want +got):\n%s", d)
	}
	if got := must(l.FindRun(t.Context(), run.ID))(t); !got.StartedAt.Equal(clock().Truncate(time.Millisecond)) {
		t.Errorf("read back as %s", got.StartedAt)
	}
}
