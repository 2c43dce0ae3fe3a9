package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// sound fails the test if rows of the ledger contradict each other.
func (x *loop) sound() {
	x.Helper()
	if problems := must(x.Problems(x.Context()))(x.T); len(problems) > 0 {
		x.Error(problems)
	}
}

// Each check of the rows finds what it is there for. That of the words of search is in search_words.txtar.
func TestProblems(t *testing.T) {
	t.Parallel()
	for statement, want := range map[string]string{
		"UPDATE violations SET status = 'verified'":            "is verified, but its last event is",
		"UPDATE violations SET report_id = NULL":               "does not show its latest report",
		"UPDATE runs SET open = open + 1":                      "the counts of run",
		"UPDATE violations SET abandoned = 1":                  "is abandoned does not match its run",
		"UPDATE gates SET status = 'passed'":                   "and the last transition says something else",
		"UPDATE iterations SET new = new + 1":                  "the counts of iteration 1 of run",
		"UPDATE slots SET accepted = accepted + 1":             "do not match its reports",
		"INSERT INTO met_skips SELECT id, 'V', 1 FROM reports": "and was not left out because of it",
	} {
		x := newLoop(t)
		r := x.begin(1)
		r.says(1, high(1, "leaks"))
		r.end()
		x.sound()
		if _, err := rows(t, x.Path()).Exec(statement); err != nil {
			t.Fatal(statement, err)
		}
		if found := strings.Join(must(x.Problems(t.Context()))(t), "\n"); !strings.Contains(found, want) {
			t.Errorf("%s: %q", statement, found)
		}
	}
}

// causes returns the causes of the statuses that a run has had.
func causes(s *ledger.State) (list []string) {
	for _, t := range s.Transitions {
		list = append(list, fmt.Sprintf("%s %s by %s", t.Status, t.Cause, t.By))
	}
	return list
}

// An abandoned run has who abandoned it and how, in each of the three ways.
func TestWhoAbandonedTheRun(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		abandon func(*loop) error
		cause   string
		says    string
	}{
		"clean": {
			func(x *loop) error { return x.CloseRun(x.Context(), x.run.ID, ledger.StatusAbandoned) },
			"abandoned clean by user", "somebody ran `reviewledger clean`",
		},
		"logs gone": {
			func(x *loop) error { _, err := x.StartRun(x.Context(), newRun()); return err },
			"abandoned logs_gone by system", "its logs were gone",
		},
		"newer run": {
			func(x *loop) error {
				_, err := x.RestoreRun(x.Context(), store.Restoration{Run: newRun()})
				return err
			},
			"abandoned newer_run by system", "another run began in its place",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newLoop(t)
			r := x.begin(1)
			r.says(1, high(1, "leaks"))
			r.end()
			x.ok(tt.abandon(x))
			state := x.state()
			want := []string{"running started by user", "failed finished by system", tt.cause}
			if d := cmp.Diff(want, causes(state)); d != "" {
				t.Errorf("transitions (-want +got):\n%s", d)
			}
			if why := strings.Join(ledger.ExplainRun(state).Sentences, " "); !strings.Contains(why, tt.says) {
				t.Errorf("why: %s", why)
			}
			x.sound()
		})
	}
}

// Every status leaves a transition, from the start to the time when a kill is noticed.
func TestTransitions(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(2)
	r.says(1, high(1, "leaks"))
	x.ok(r.CountCall(x.Context(), quality, 2))
	x.ok(r.CountCall(x.Context(), quality, 2))
	x.ok(x.Recover(x.Context(), x.run.ID)) // slot 2 was killed
	x.edit(1, "leaks", ledger.StatusFixed, "")
	r = x.begin(2)
	r.says(1)
	r.says(2)
	r.end()
	r = x.begin(2)
	r.says(1)
	r.end()
	x.ok(x.CloseRun(x.Context(), x.run.ID, ledger.StatusPassed))
	want := []string{
		"iteration 1|running started user, interrupted killed system",
		"iteration 2|running started user, passed finished system",
		"iteration 3|running started user, passed finished system",
		"gate 1|running started system, interrupted killed system",
		"gate 2|running started system, passed finished system",
		"gate 3|running started system, passed finished system",
		"run |running started user, interrupted killed system, running started user, passed passed system",
		"slot 1@1|running started system, fail finished reviewer",
		"slot 1@2|running started system, interrupted killed system",
		"slot 2@1|running started system, pass finished reviewer",
		"slot 2@2|running started system, pass finished reviewer",
		"slot 3@1|running started system, pass finished reviewer",
		"slot 3@2|skipped_prior_pass prior_pass system",
	}
	got := column(t, rows(t, x.Path()), `SELECT subject || ' ' || coalesce(iteration || coalesce('@' || slot, ''), '') || '|' || group_concat(status || ' ' || cause || ' ' || actor, ', ')
		FROM v_transitions GROUP BY subject, iteration, job, slot ORDER BY 1`)
	slices.Sort(want)
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("transitions (-want +got):\n%s", d)
	}
	killed := x.state().Gates[0].Slots[1]
	kinds := column(t, rows(t, x.Path()), "SELECT error_kind FROM slots WHERE noticed_at IS NOT NULL")
	if killed.Calls != 2 || !killed.FinishedAt.IsZero() || killed.NoticedAt.IsZero() || !slices.Equal(kinds, []string{string(ledger.ErrorInterrupted)}) {
		t.Errorf("the killed slot: %+v, in error as %q", killed, kinds)
	}
	if latch := x.state().LatestSlot(quality, 1); !latch.Latch {
		t.Errorf("the slot that ran by the latch: %+v", latch)
	}
	x.sound()
}

// Transitions are only ever added, and a status without a transition is reported as a problem.
func TestTransitionsAreKept(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(1)
	r.says(1)
	r.end()
	handle := rows(t, x.Path())
	for statement, refusal := range map[string]string{
		"DELETE FROM transitions":                  "only removed with their run",
		"UPDATE transitions SET status = 'passed'": "only ever added",
	} {
		if _, err := handle.Exec(statement); err == nil || !strings.Contains(err.Error(), refusal) {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if _, err := handle.Exec("UPDATE gates SET status = 'failed'; UPDATE runs SET status = 'error'"); err != nil {
		t.Fatal(err)
	}
	problems := must(x.Problems(t.Context()))(t)
	if len(problems) != 2 || !strings.Contains(problems[0]+problems[1], quality+" in iteration 1 is failed") {
		t.Errorf("problems: %q", problems)
	}
}

// The revision changes whenever something is recorded about a run.
func TestRevision(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	handle := rows(t, x.Path())
	revision := func() (n int) {
		t.Helper()
		if err := handle.QueryRow("SELECT revision FROM runs").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	last := revision()
	grown := func(after string) {
		t.Helper()
		if now := revision(); now != last+1 {
			t.Errorf("after %s the revision is %d, and was %d", after, now, last)
		}
		last = revision()
	}
	r := x.begin(1)
	grown("a begin")
	r.says(1, high(1, "leaks"))
	grown("an answer")
	x.ok(r.FinishReview(x.Context(), quality, ledger.GateFailed, "", 0))
	grown("a gate's end")
	x.ok(r.Finish(x.Context(), ledger.StatusFailed, ""))
	grown("an iteration's end")
	x.ok(x.SetSessionRef(x.Context(), x.run.ID, "commit"))
	grown("a session ref")
	x.edit(1, "leaks", ledger.StatusFixed, "")
	if revision() <= last {
		t.Error("an edit leaves no revision")
	}
}

// The number of claims after an iteration does not change, whatever happens later.
func TestAnswersStayWhatTheyWere(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(1)
	r.says(1, high(1, "leaks"), high(2, "races"))
	r.end()
	x.edit(1, "leaks", ledger.StatusFixed, "")
	x.edit(1, "races", ledger.StatusSkipped, "")
	counts := func() []string {
		return column(t, rows(t, x.Path()), "SELECT claimed || ' ' || skipped FROM iterations ORDER BY number")
	}
	if d := cmp.Diff([]string{"1 1"}, counts()); d != "" {
		t.Errorf("before the next (-want +got):\n%s", d)
	}
	r = x.begin(1)
	x.ok(r.RecordSlotError(x.Context(), ledger.SlotCall{Job: quality, Slot: 1, Adapter: "claude", ErrorKind: ledger.ErrorRateLimit}, ledger.SlotError, "try again"))
	r.end()
	if kinds := column(t, rows(t, x.Path()), "SELECT error_kind FROM slots WHERE error_kind IS NOT NULL"); !slices.Equal(kinds, []string{string(ledger.ErrorRateLimit)}) {
		t.Errorf("the kinds of the errors are %q", kinds)
	}
	// The claim of iteration 1 is taken back after iteration 2.
	must(x.RecordEdits(t.Context(), x.run.ID, ledger.ActorAgent, []ledger.Edit{{
		Violation: x.find("leaks").ID, Status: ledger.StatusSkipped, Job: quality, Slot: 1, Iteration: 1,
	}}, nil))(t)
	if d := cmp.Diff([]string{"1 1", "0 0"}, counts()); d != "" {
		t.Errorf("after it (-want +got):\n%s", d)
	}
	x.sound()
}

// A slot that was interrupted has that kind of error even if its gate ended.
func TestInterruptedSlotsAreOfThatKind(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(2)
	r.says(1)
	x.ok(r.RecordSlotError(x.Context(), ledger.SlotCall{Job: quality, Slot: 2, Adapter: "claude", ErrorKind: ledger.ErrorCrashed}, ledger.SlotInterrupted, "interrupted"))
	r.end()
	kinds := column(t, rows(t, x.Path()), "SELECT coalesce(error_kind, '') FROM slots ORDER BY review_index")
	if d := cmp.Diff([]string{"", string(ledger.ErrorInterrupted)}, kinds); d != "" {
		t.Errorf("the kinds of the errors (-want +got):\n%s", d)
	}
}

// A gate that is not run has a row, and its previous execution counts.
func TestGateLeftAlone(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	first := x.begin(1)
	first.says(1)
	first.end()
	r := must(x.BeginIteration(t.Context(), x.run.ID, ledger.Iteration{Number: 2, Mode: ledger.ModeRerun, Source: "session"}, []ledger.GatePlan{{
		Job: quality, Kind: ledger.KindReview, EntryPoint: "src", Name: "code-quality", NumReviews: 1,
		NotRun: ledger.NotRunUnchanged, NotRunText: "nothing in src has changed",
	}}))(t)
	x.ok(r.Finish(t.Context(), ledger.StatusFailed, ""))
	state := x.state()
	left := state.Gates[1]
	if left.Status != ledger.GateNotRun || left.NotRun != ledger.NotRunUnchanged || left.Reason == "" || !left.StartedAt.IsZero() {
		t.Errorf("left alone: %+v", left)
	}
	if latest := state.LatestGate(quality); latest.Iteration != 1 {
		t.Errorf("the latest execution is %+v", latest)
	}
	x.sound()
}

// Two repositories in one ledger have worktrees and log directories with the same names, and a loop
// each. A repository that moves keeps its loop.
func TestRepositories(t *testing.T) {
	t.Parallel()
	x := newLoop(t) // before the repository was known
	r := x.begin(1)
	r.says(1, high(1, "leaks"))
	r.end()
	in := func(key, path string) ledger.Run {
		run := newRun()
		run.Repository, run.Worktree = ledger.Repository{Kind: ledger.RepositoryOrigin, Key: key}, path
		return run
	}
	open := func(run ledger.Run) string {
		t.Helper()
		found, err := x.OpenRun(t.Context(), ledger.Scope{
			Kind: run.Kind, Worktree: run.Worktree, LogDir: run.LogDir, Repository: run.Repository, WorktreeName: run.WorktreeName,
		})
		if errors.Is(err, ledger.ErrNotFound) {
			return ""
		}
		x.ok(err)
		return found.ID
	}
	if got := open(in("one", scope.Worktree)); got != x.run.ID {
		t.Errorf("the older run of the same path is not found: %q", got)
	}
	one := must(x.StartRun(t.Context(), in("one", scope.Worktree)))(t)
	two := must(x.StartRun(t.Context(), in("two", "/work/other")))(t)
	linked := in("one", "/work/linked")
	linked.WorktreeName = "linked"
	third := must(x.StartRun(t.Context(), linked))(t)
	for id, run := range map[string]ledger.Run{one.ID: in("one", "/moved/there"), two.ID: in("two", "/work/tree"), third.ID: linked, "": in("three", "/work/third")} {
		if got := open(run); got != id {
			t.Errorf("in %+v run %q is open, want %q", run.Repository, got, id)
		}
	}
	// The older run belongs to the repository that was later found in its place.
	if old := x.state().Run; old.Repository.Key != "one" || old.Status != ledger.StatusAbandoned {
		t.Errorf("the older run: %+v", old)
	}
	x.sound()
}

// Repositories that were at one path one after the other, or are in containers that share a ledger,
// have a loop each, and nothing to do with the earlier one's. If the origin of the repository that
// is there changes, the checkout knows which run it has begun.
//
// Rule: Every worktree has its own loop.
func TestRepositoriesAtOnePath(t *testing.T) {
	t.Parallel()
	l := emptyLedger(t)
	start := func(key string) ledger.Run {
		run := newRun()
		run.Repository, run.Branch = ledger.Repository{Kind: ledger.RepositoryOrigin, Key: key}, "feature"
		return must(l.StartRun(t.Context(), run))(t)
	}
	ended := start("one")
	if err := l.CloseRun(t.Context(), ended.ID, ledger.StatusAbandoned); err != nil {
		t.Fatal(err)
	}
	one, two := start("one"), start("two")
	for _, test := range []struct {
		key, begun, logDir string
		sole               bool
		open, last, other  string // other: the run of another log directory that is open
	}{
		{key: "one", open: one.ID, last: ended.ID},
		{key: "two", open: two.ID},
		{key: "three"},
		{key: "three", begun: one.ID, open: one.ID},
		{key: "three", sole: true, open: two.ID, last: ended.ID},
		{key: "one", logDir: "logs", other: one.ID},
		{key: "three", logDir: "logs"},
		{key: "three", logDir: "logs", begun: one.ID, other: one.ID},
	} {
		at := scope
		at.Repository, at.Begun, at.LogDir = ledger.Repository{Kind: ledger.RepositoryOrigin, Key: test.key, Sole: test.sole}, test.begun, scope.LogDir
		if test.logDir != "" {
			at.LogDir = test.logDir
		}
		found, err := l.OpenRun(t.Context(), at)
		elsewhere := &ledger.LogDirError{}
		if errors.As(err, &elsewhere) != (test.other != "") || elsewhere.Run != test.other || found.ID != test.open {
			t.Errorf("%+v: run %q is open, %v", test, found.ID, err)
		}
		if test.other != "" {
			continue
		}
		last, preceding := "", ""
		if p := must(l.Position(t.Context(), ledger.PositionQuery{Scope: at}))(t); p.Last != nil {
			last = p.Last.Run.ID
		}
		if p := must(l.PrecedingRun(t.Context(), at, "feature"))(t); p != nil {
			preceding = p.Run.ID
		}
		if last != test.last || preceding != test.last {
			t.Errorf("%+v: the last run is %q, the one before %q", test, last, preceding)
		}
	}
	sound(t, l)
}

// A run that began before the repository had an origin is found under its worktree's name, wherever
// the worktree is now, if no other repository uses the ledger.
func TestRunOfARepositoryThatWasUnknown(t *testing.T) {
	t.Parallel()
	l := emptyLedger(t)
	run := newRun()
	run.Repository, run.Worktree = ledger.Repository{Kind: ledger.RepositoryUnknown}, "/before"
	before := must(l.StartRun(t.Context(), run))(t)
	for _, sole := range []bool{false, true} {
		run.Repository, run.Worktree = ledger.Repository{Kind: ledger.RepositoryOrigin, Key: "one", Sole: sole}, "/after"
		found, err := l.OpenRun(t.Context(), ledger.Scope{
			Kind: run.Kind, Worktree: run.Worktree, LogDir: run.LogDir, Repository: run.Repository, WorktreeName: run.WorktreeName,
		})
		if sole != (found.ID == before.ID) || sole != (err == nil) {
			t.Errorf("in the only repository %t: %q, %v", sole, found.ID, err)
		}
	}
	must(l.StartRun(t.Context(), run))(t)
	if got := must(l.FindRun(t.Context(), before.ID))(t); got.Status != ledger.StatusAbandoned {
		t.Errorf("the earlier run: %+v", got)
	}
	sound(t, l)
}

// The changes around each of several claims are kept with that claim, even if those of another
// claim are unknown.
func TestHunksOfSeveralClaims(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(1)
	r.says(1, high(1, "leaks"), high(40, "races"), high(80, "hangs"))
	r.end()
	want := map[string]string{}
	for _, issue := range []string{"leaks", "races", "hangs"} {
		x.edit(1, issue, ledger.StatusFixed, "")
		want[x.find(issue).ID] = "@@ -1 +1 @@\n-" + issue + "\n"
	}
	r = x.begin(1)
	a := r.answer(1)
	a.Content.Hunks = map[string]string{x.find("races").ID: "", "unknown": "nothing"}
	delete(want, x.find("races").ID)
	for id, hunks := range want {
		a.Content.Hunks[id] = hunks
	}
	must(r.RecordAnswer(t.Context(), a))(t)
	for id, hunks := range want {
		events := must(x.History(t.Context(), id))(t).Events
		if last := events[len(events)-1]; last.Hunks != hunks {
			t.Errorf("with the last event of %s: %q", id, last.Hunks)
		}
	}
	if events := must(x.History(t.Context(), x.find("races").ID))(t).Events; events[len(events)-1].Hunks != "" {
		t.Errorf("of what nothing is known: %+v", events)
	}
}

// What a person needs to see is there when git no longer has the trees.
func TestContentIsKept(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(1)
	a := r.answer(1, high(1, "leaks"), high(9, "races"))
	a.Content.Excerpts = map[int]ledger.Excerpt{a.Answer.Entries[0].Position: {First: 3, Text: "one\ntwo\n"}}
	a.Facts.Entries = append([]ledger.EntryFacts{}, a.Facts.Entries...)
	a.Facts.Entries[0].Line.Hash = "abc:1"
	must(r.RecordAnswer(t.Context(), a))(t)
	r.end()
	x.edit(1, "leaks", ledger.StatusFixed, "")
	id := x.state().Violations[0].ID
	r = x.begin(1)
	a = r.answer(1)
	a.Content.Hunks = map[string]string{id: "@@ -1 +1 @@\n-one\n+two\n", "unknown": "nothing"}
	must(r.RecordAnswer(t.Context(), a))(t)
	history := must(x.History(t.Context(), id))(t)
	hashes := column(t, rows(t, x.Path()), "SELECT line_hash FROM reports WHERE line_hash IS NOT NULL")
	if report := history.Reports[0]; report.Excerpt != (ledger.Excerpt{First: 3, Text: "one\ntwo\n"}) || !slices.Equal(hashes, []string{"abc:1"}) {
		t.Errorf("the report: %+v, lines %q", report, hashes)
	}
	var hunks []string
	for i, e := range history.Events {
		hunks = append(hunks, e.Hunks)
		if e.Number != i+1 {
			t.Errorf("event %d has the number %d", i+1, e.Number)
		}
	}
	if d := cmp.Diff([]string{"", "", "@@ -1 +1 @@\n-one\n+two\n"}, hunks); d != "" {
		t.Errorf("hunks (-want +got):\n%s", d)
	}
	// All of it can be removed, and no reference to it remains.
	handle := rows(t, filepath.Clean(x.Path()))
	for _, table := range []string{"report_excerpts", "event_hunks", "slot_blobs", "gate_blobs", "blobs"} {
		if _, err := handle.Exec("DELETE FROM " + table); err != nil {
			t.Errorf("%s: %v", table, err)
		}
	}
	if got := must(x.History(t.Context(), id))(t); got.Reports[0].Excerpt.First != 0 {
		t.Errorf("after it was removed: %+v", got.Reports[0])
	}
	x.sound()
}
