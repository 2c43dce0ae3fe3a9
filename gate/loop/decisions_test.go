package loop

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// The tests in this file are about decisions that an iteration makes from what it has found out,
// without git, processes or the ledger.

// files returns a diff of n files in src.
func files(n int) *diff.Diff {
	d := &diff.Diff{}
	for i := range n {
		name := "src/" + string(rune('a'+i))
		d.Files = append(d.Files, diff.File{Old: name, New: name, Kind: diff.Modified})
	}
	return d
}

// What an iteration compares is described by where that begins, except that if every slot that is
// asked is shown the whole change, the whole change is described.
func TestChanges(t *testing.T) {
	t.Parallel()
	asked := func(list ...slots.Slot) []slots.Job { return []slots.Job{{}, {Slots: list}} }
	never, everything := asked(slots.Slot{}), asked(slots.Slot{Everything: true})
	for name, test := range map[string]struct {
		source     ledger.Source
		options    Options
		jobs       []slots.Job
		shownSince *diff.Diff
		want       string
	}{
		"since the base":                       {ledger.SourceBase, Options{}, never, nil, "2 changed files since main"},
		"since the pass":                       {ledger.SourceBase, Options{}, never, files(1), "1 changed file since the run that passed 2 hours ago (2 changed files since main)"},
		"since the reference":                  {ledger.SourceSession, Options{}, never, files(1), "2 changed files since the reviewed snapshot"},
		"since the reference, and all to each": {ledger.SourceSession, Options{}, everything, nil, "3 changed files since main"},
		"since the reference, only a check":    {ledger.SourceSession, Options{}, []slots.Job{{}}, nil, "2 changed files since the reviewed snapshot"},
		"uncommitted":                          {ledger.SourceUncommitted, Options{}, asked(slots.Slot{Answered: true}), nil, "2 changed files uncommitted"},
		"uncommitted by choice":                {ledger.SourceUncommitted, Options{Uncommitted: true}, everything, nil, "2 changed files uncommitted"},
		"uncommitted, only":                    {ledger.SourceUncommittedOnly, Options{Uncommitted: true}, everything, nil, "2 changed files uncommitted"},
		"all to each":                          {ledger.SourceUncommitted, Options{}, everything, nil, "3 changed files since main"},
		"only a check":                         {ledger.SourceUncommitted, Options{}, []slots.Job{{}}, nil, "3 changed files since main"},
		"all to each that is asked": {ledger.SourceUncommitted, Options{}, asked(slots.Slot{SlotPlan: ledger.SlotPlan{Skip: true}, Answered: true}, slots.Slot{Answered: true, Everything: true}), nil,
			"3 changed files since main"},
		"all since the pass, again": {ledger.SourceUncommitted, Options{}, never, files(1), "1 changed file since the run that passed 2 hours ago (3 changed files since main)"},
		"since the pass to all": {ledger.SourceUncommitted, Options{}, asked(slots.Slot{Answered: true}), files(1),
			"1 changed file since the run that passed 2 hours ago (3 changed files since main)"},
		"nothing to do": {ledger.SourceUncommitted, Options{}, nil, nil, "2 changed files uncommitted"},
		"all to some":   {ledger.SourceUncommitted, Options{}, asked(slots.Slot{Answered: true}, slots.Slot{Everything: true}), nil, "2 changed files uncommitted"},
		"a commit":      {ledger.SourceCommit, Options{Commit: "v1"}, everything, nil, "2 changed files in commit v1"},
	} {
		r, _ := newRunner(t)
		now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
		r.Now = func() time.Time { return now }
		i := &iteration{Runner: r, options: test.options, plannedJobs: plannedJobs{jobs: test.jobs}, recalled: recalled{number: 2}}
		i.state = &ledger.State{Run: ledger.Run{ID: "R", BaseRef: "main"}}
		if test.shownSince != nil {
			i.since = &sincePass{test.shownSince, now.Add(-2 * time.Hour)}
		}
		i.scope = scope{source: test.source, from: "head", narrowed: files(2), whole: files(3).Listing()}
		if got := i.headline(); got != "Run R, iteration 2: "+test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// reader is a reviewer that reads prompts.
type reader struct {
	clients.Reviewer
	byAbsence bool
}

func (r reader) ByAbsence() bool { return r.byAbsence }

// adapters returns adapters that can all be asked.
func adapters() slots.Adapters {
	return slots.Adapters{
		Reviewer: func(adapter string) (clients.Reviewer, error) { return reader{byAbsence: adapter == "tool"}, nil },
		Missing:  func(string) (program, why string) { return "", "" },
	}
}

// A job is listed with the reason why it runs or not, and a review with who would be asked and why.
func TestDetectReview(t *testing.T) {
	t.Parallel()
	r, console := newRunner(t)
	r.Config.Adapters = map[string]config.Adapter{"tool": {Options: clients.Options{Output: "sarif"}}}
	review, _ := r.Config.JobByID(quality)
	for name, test := range map[string]struct {
		job    slots.Job
		rests  bool
		since  *diff.Diff
		whole  bool
		why    string
		slots  []string
		calls  int
		warned []string
	}{
		"a check": {job: slots.Job{ID: lint}, rests: true, since: files(1), why: "before"},
		"slots": {
			job: slots.Job{Job: review, ID: quality, Slots: []slots.Slot{
				{SlotPlan: ledger.SlotPlan{Index: 1, Skip: true, PassIteration: 3}, Adapter: "a"}, {SlotPlan: ledger.SlotPlan{Index: 2, Latch: true}, Adapter: "b", Claims: make([]ledger.Violation, 2)},
				{SlotPlan: ledger.SlotPlan{Index: 3}, Adapter: "a", Claims: make([]ledger.Violation, 2)}, {SlotPlan: ledger.SlotPlan{Index: 4}, Adapter: "tool"},
			}},
			why: "before", calls: 2, slots: []string{"@1 a: skipped, passed in iteration 3", "@2 b: runs although every slot has passed", "@3 a: 2 claims to verify", "@4 tool"},
		},
		"nobody":              {job: slots.Job{Job: review, ID: quality, Unfillable: "nobody", Shortage: "few", Slots: make([]slots.Slot, 1)}, why: "nobody"},
		"too few":             {job: slots.Job{Job: review, ID: quality, Shortage: "few"}, why: "before", warned: []string{"few"}},
		"rests":               {job: slots.Job{Job: review, ID: quality}, rests: true, since: files(2), why: "2 changed files in src since the run that passed"},
		"rests on nothing":    {job: slots.Job{Job: review, ID: quality}, since: files(2), why: "before"},
		"rests, but not this": {job: slots.Job{Job: review, ID: quality}, rests: true, since: files(2), whole: true, why: "before"},
		"nobody rests":        {job: slots.Job{Job: review, ID: quality}, rests: true, why: "before"},
	} {
		console.warnings = nil
		i := &iteration{Runner: r, options: Options{Whole: test.whole}, recalled: recalled{state: &ledger.State{}}}
		if test.since != nil {
			i.since = &sincePass{diff: test.since}
		}
		if test.rests {
			i.state.Rests = map[string]ledger.Rest{lint: {Run: "R", Tree: "T"}, quality: {Run: "R", Tree: "T"}}
		}
		d, detected := Detection{}, DetectedJob{Why: "before"}
		i.detectReview(test.job, &d, &detected)
		if detected.Why != test.why || !slices.Equal(detected.Slots, test.slots) || d.Calls != test.calls || !slices.Equal(console.warnings, test.warned) {
			t.Errorf("%s: %+v, %d calls, warned %q", name, detected, d.Calls, console.warnings)
		}
	}
}

// A review is not executed if nothing in its part has changed since a pass, or since an iteration;
// a check is. The jobs are listed in their order.
//
// Rule: Checks always run again.
// Rule: Nothing changed and nothing owed means nothing runs.
func TestDetectJobs(t *testing.T) {
	t.Parallel()
	repo, c := newRepository(t)
	base, tree := c[0], c[2]
	passed := ledger.Gate{Job: quality, Kind: ledger.KindReview, Iteration: 1, Status: ledger.GatePassed, Slots: []ledger.Slot{
		{Job: quality, Index: 1, Iteration: 1, Status: ledger.SlotPass, Reviewed: tree}, {Job: quality, Index: 2, Iteration: 1, Status: ledger.SlotPass, Reviewed: tree},
	}}
	const touched, executed = "1 changed file in src", "executed earlier in this run"
	slotsOf := []string{"@1 a", "@2 tool"}
	for name, test := range map[string]struct {
		rests   string
		gates   []ledger.Gate
		options Options
		changed []string
		check   string // why it runs
		// reconfigured is set if the gate was configured otherwise when it passed.
		reconfigured bool
		want         DetectedJob
	}{
		"first":                        {changed: []string{"src/f"}, check: touched, want: DetectedJob{Runs: true, Why: touched, Slots: slotsOf}},
		"rests":                        {rests: tree, changed: []string{"src/f"}, check: touched, want: DetectedJob{Why: "nothing in its part changed since run R passed"}},
		"rests, and something changed": {rests: base, changed: []string{"src/f"}, check: touched, want: DetectedJob{Runs: true, Why: touched, Slots: slotsOf}},
		"rests, and is forced":         {rests: tree, changed: []string{"src/f"}, check: touched, options: Options{Force: true}, want: DetectedJob{Runs: true, Why: touched, Slots: slotsOf}},
		"rests, and all is wanted":     {rests: tree, changed: []string{"src/f"}, check: touched, options: Options{Whole: true}, want: DetectedJob{Runs: true, Why: touched, Slots: slotsOf}},
		"passed":                       {gates: []ledger.Gate{passed}, check: executed, want: DetectedJob{Why: "nothing in its part changed since iteration 1"}},
		"passed, other configuration": {gates: []ledger.Gate{passed}, check: executed, reconfigured: true,
			want: DetectedJob{Runs: true, Why: executed, Slots: []string{"@1 a: runs although every slot has passed", "@2 tool: skipped, passed in iteration 1"}}},
		"passed, and is forced": {gates: []ledger.Gate{passed}, check: executed, options: Options{Force: true}, want: DetectedJob{Runs: true, Why: executed, Slots: slotsOf}},
	} {
		r, _ := newRunner(t)
		r.Repo, r.Adapters = repo, adapters()
		job, _ := r.Config.JobByID(quality)
		job.Review.CLIPreference = []string{"a", "tool"}
		checked, _ := r.Config.JobByID(lint)
		i := &iteration{Runner: r, recalled: recalled{number: 2, rerun: test.gates != nil, state: &ledger.State{
			Run: ledger.Run{Base: base}, Gates: test.gates, Iterations: []ledger.Iteration{{Number: 1, Tree: tree}}[:len(test.gates)],
		}}, options: test.options}
		if test.rests != "" {
			i.state.Rests = map[string]ledger.Rest{quality: {Run: "R", Tree: test.rests}}
		}
		i.snapshot.Tree, i.scope = tree, scope{source: ledger.SourceBase, from: base, to: tree, whole: files(1).Listing(), diffs: r.Diffs()}
		if i.rerun {
			if !test.reconfigured {
				i.state.Gates[0].ConfigHash = r.gateHash(job)
			}
			i.scope.source, i.scope.from, i.scope.sessionIteration = ledger.SourceSession, tree, 1
		}
		i.scope.narrowed, _ = i.scope.diffs.Between(t.Context(), i.scope.from, tree)
		i.scope.touched, _ = r.Config.Jobs(test.changed)
		var d Detection
		if err := i.detectJobs(t.Context(), []config.Job{job, checked}, &d); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		test.want.ID = quality
		want := []DetectedJob{test.want, {ID: lint, Runs: true, Why: test.check}}
		if d := cmp.Diff(want, d.Jobs); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// An iteration is executed if something has changed, is owed, or is requested anyway. Else nothing
// is executed, and the outcome says what is outstanding, with the next command.
//
// Rule: Nothing changed and nothing owed means nothing runs.
func TestPlan(t *testing.T) {
	t.Parallel()
	repo, c := newRepository(t)
	gate := func(status ledger.GateStatus) []ledger.Gate {
		return []ledger.Gate{{Job: lint, Kind: ledger.KindCheck, Iteration: 1, Status: status}}
	}
	const none, no = "No changes detected", "No gate applies to these changes"
	const noCheck = "There is no check to run, and run R has passed on exactly this code. To review it again: `reviewledger run --again`"
	for name, test := range map[string]struct {
		options  Options
		gates    []ledger.Gate // of a rerun
		open     []ledger.Violation
		narrowed *diff.Diff
		touched  []string
		noCheck  bool // is configured
		passed   *Outcome
		execute  bool
		want     Outcome
		says     []string
	}{
		"no check": {narrowed: files(1), touched: []string{"src/f"}, noCheck: true,
			want: Outcome{NothingToDo: true, Reason: "No check applies to these changes", Next: "reviewledger detect"}, says: []string{"No check applies to these changes"}},
		"passed, and no check to force": {narrowed: files(1), options: Options{Force: true}, touched: []string{"src/f"}, noCheck: true, passed: &Outcome{Run: "R", Status: ledger.StatusPassed, NothingToDo: true},
			want: Outcome{Run: "R", Status: ledger.StatusPassed, NothingToDo: true, Reason: noCheck}, says: []string{noCheck}},
		"passed, and a check to force": {narrowed: files(1), options: Options{Force: true}, touched: []string{"src/f"}, passed: &Outcome{Run: "R"}, execute: true},
		"a change":                     {narrowed: files(1), touched: []string{"src/f"}, execute: true},
		"no change":                    {narrowed: files(0), want: Outcome{NothingToDo: true, Reason: none, Next: "reviewledger detect"}, says: []string{none}},
		"no gate":                      {narrowed: files(1), want: Outcome{NothingToDo: true, Reason: no, Next: "reviewledger detect"}, says: []string{no}},
		"forced":                       {narrowed: files(0), options: Options{Force: true}, touched: []string{"src/f"}, execute: true},
		"the whole":                    {narrowed: files(0), options: Options{Whole: true}, touched: []string{"src/f"}, execute: true},
		"owed":                         {gates: gate(ledger.GateError), narrowed: files(0), execute: true},
		"failed, and is the same":      {gates: gate(ledger.GateFailed), narrowed: files(0), want: Outcome{NothingToDo: true, Reason: none, Next: ledger.CommandForce}, says: []string{none, "1 failing check still outstanding"}},
		"failed, and changed":          {gates: gate(ledger.GateFailed), narrowed: files(1), execute: true},
		"open": {gates: gate(ledger.GateFailed), open: []ledger.Violation{{Job: quality, Status: ledger.StatusNew}}, narrowed: files(0),
			want: Outcome{NothingToDo: true, Reason: none, Next: "reviewledger violations --open --run R"}, says: []string{none, "1 violation still outstanding", "1 failing check still outstanding"}},
		"claimed": {gates: gate(ledger.GatePassed), open: []ledger.Violation{{Job: quality, Status: ledger.StatusFixed}}, narrowed: files(0),
			want: Outcome{NothingToDo: true, Reason: none, Next: ledger.CommandForce}, says: []string{none, "1 violation still outstanding"}},
		"claimed, and its gate is gone": {gates: []ledger.Gate{{Job: "review:src:gone", Kind: ledger.KindReview, Iteration: 1, Status: ledger.GateFailed}}, open: []ledger.Violation{{Job: "review:src:gone", Status: ledger.StatusFixed}}, narrowed: files(1),
			want: Outcome{Status: ledger.StatusFailed, Reason: no, OnlyGone: true}, says: []string{no, "1 violation still outstanding"}},
		"in error, and its gate is gone": {gates: []ledger.Gate{{Job: "review:src:gone", Kind: ledger.KindReview, Iteration: 1, Status: ledger.GateError}}, narrowed: files(1),
			want: Outcome{Status: ledger.StatusError, Reason: no, OnlyGone: true, Next: ledger.CommandClean}, says: []string{no, "1 gate in error still outstanding"}},
		"failed, and its gate is gone": {gates: []ledger.Gate{{Job: "check:src:gone", Kind: ledger.KindCheck, Iteration: 1, Status: ledger.GateFailed}}, narrowed: files(1),
			want: Outcome{Status: ledger.StatusFailed, Reason: no, OnlyGone: true}, says: []string{no, "1 failing check still outstanding"}},
	} {
		r, console := newRunner(t)
		r.Repo = repo
		if test.noCheck {
			r.Config.EntryPoints[0].Checks = nil
		}
		test.options.Command = CommandCheck
		i := &iteration{Runner: r, recalled: recalled{number: 2, rerun: test.gates != nil, state: &ledger.State{
			Run: ledger.Run{ID: "R", Base: c[0]}, Gates: test.gates, Violations: test.open, Iterations: []ledger.Iteration{{Number: 1, Tree: c[2]}}[:len(test.gates)],
		}}, options: test.options, passed: test.passed}
		i.snapshot.Tree, i.scope = c[2], scope{source: ledger.SourceBase, from: c[0], to: c[2], whole: test.narrowed.Listing(), narrowed: test.narrowed, diffs: r.Diffs()}
		i.scope.touched, _ = r.Config.Jobs(test.touched)
		got, execute, err := i.plan(t.Context())
		if d := cmp.Diff(test.want, got); d != "" || execute != test.execute || err != nil {
			t.Errorf("%s: %t, %v (-want +got):\n%s", name, execute, err, d)
		}
		if !slices.Equal(console.conclusions, test.says) {
			t.Errorf("%s: %q", name, console.conclusions)
		}
	}
}

// If some gates do not rest on the pass, the reason is given, except in a first run.
//
// Rule: No slot passes what it was not shown.
func TestRestJobs(t *testing.T) {
	t.Parallel()
	const all = "reviewing everything since main: "
	for name, test := range map[string]struct {
		facts    ledger.RestFacts
		hash     string // of the gate at that time; "" means the present one
		rests    bool
		explains string
	}{
		"rests":        {facts: ledger.RestFacts{Branch: "b", Base: "base"}, rests: true},
		"other gate":   {facts: ledger.RestFacts{Branch: "b", Base: "base"}, hash: "x", explains: all + quality + " did not run in the latest run, or is configured differently now"},
		"base moved":   {facts: ledger.RestFacts{Branch: "b", Base: "other"}, explains: all + "the latest run compared with another commit"},
		"all is asked": {facts: ledger.RestFacts{Whole: true}, explains: all + "--whole was given"},
		"first run":    {facts: ledger.RestFacts{Branch: "new"}},
	} {
		r, _ := newRunner(t)
		job, _ := r.Config.JobByID(quality)
		i := &iteration{Runner: r, recalled: recalled{state: &ledger.State{Run: ledger.Run{BaseRef: "main"}}}}
		if name != "first run" {
			hash := r.gateHash(job)
			if test.hash != "" {
				hash = test.hash
			}
			test.facts.Preceding = &ledger.PrecedingRun{Stands: true, State: &ledger.State{
				Run: ledger.Run{ID: "R", Base: "base", Status: ledger.StatusPassed}, Iterations: []ledger.Iteration{{Number: 1, Tree: "tree"}},
				Gates: []ledger.Gate{{Job: quality, Iteration: 1, ConfigHash: hash}}, Transitions: []ledger.Transition{{Cause: ledger.CausePassedWhole}},
			}}
		}
		i.restJobs([]config.Job{job}, test.facts)
		rest, is := i.state.Rests[quality]
		if is != test.rests || is && rest != (ledger.Rest{Run: "R", Tree: "tree", Base: "base"}) || i.everything != test.explains {
			t.Errorf("%s: %+v, %q", name, rest, i.everything)
		}
	}
}

// Disputes that wait for an absent reviewer are named if their gate is executed now.
//
// Rule: Only its reporter withdraws a finding.
func TestWarnWaiting(t *testing.T) {
	t.Parallel()
	r, console := newRunner(t)
	disputed := func(id, job string, adapter string) ledger.Violation {
		v := ledger.Violation{ID: id, ShortID: id, Job: job, Status: ledger.StatusDisputed}
		v.ReportedBy = []ledger.Reporter{{Slot: 1, Adapter: adapter}}
		return v
	}
	i := &iteration{Runner: r, recalled: recalled{state: &ledger.State{Violations: []ledger.Violation{disputed("there", quality, "a"), disputed("absent", quality, "z"), disputed("later", "review:src:other", "z")}}}}
	i.warnWaiting([]ledger.Planned{{Job: quality, Kind: ledger.KindReview, Fillers: []ledger.Filler{{Adapter: "a"}}}})
	if len(console.warnings) != 1 || !strings.HasPrefix(console.warnings[0], "violation absent is disputed, and waits for ") {
		t.Errorf("%q", console.warnings)
	}
}

// A tool does not report the same twice: only violations of others are compared with its own.
func TestOfOneTool(t *testing.T) {
	t.Parallel()
	r, _ := newRunner(t)
	r.Config.Adapters = map[string]config.Adapter{"tool": {Options: clients.Options{Output: "sarif"}}}
	near := r.near(1, nil, nil)
	for adapter, want := range map[string]string{"tool": "q tool", "builtin": "q builtin", "a": ""} {
		if got := near.Tool("q", adapter); got != want {
			t.Errorf("%s: %q", adapter, got)
		}
	}
	if hunk := near.Hunk(ledger.Place{File: "a.go", Start: 1, End: 1}); hunk != "" {
		t.Errorf("without the change: %q", hunk)
	}
}

// A check has nothing to do only if its entry point's own folder no longer exists.
//
// Rule: A snapshot holds the whole working tree.
func TestFolderDeleted(t *testing.T) {
	t.Parallel()
	r, _ := newRunner(t)
	r.Repo, _ = newRepository(t)
	i := &iteration{Runner: r}
	own, _ := r.Config.JobByID(lint)
	elsewhere, at := own, *own.Check
	at.WorkingDirectory, elsewhere.Check = "deploy", &at
	if i.folderDeleted(slots.Job{Job: own}) {
		t.Error("it is there")
	}
	if err := os.RemoveAll(filepath.Join(r.Repo.Root, "src")); err != nil {
		t.Fatal(err)
	}
	if !i.folderDeleted(slots.Job{Job: own}) || i.folderDeleted(slots.Job{Job: elsewhere}) {
		t.Error("it is gone")
	}
}

// The ledger keeps the end of a log.
func TestLogTail(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	for _, size := range []int{0, 3, maxKeptLog, maxKeptLog + 5} {
		text := strings.Repeat("a", size-min(size, 1)) + strings.Repeat("z", min(size, 1))
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if tail, err := logTail(path); err != nil || string(tail) != text[max(0, size-maxKeptLog):] {
			t.Errorf("of %d bytes: %d, %v", size, len(tail), err)
		}
	}
}

// reference is a log directory with only a session reference.
type reference struct {
	Files
	commit string
	err    error
}

func (r reference) ReadSessionRef() (commit string, ok bool, err error) {
	return r.commit, r.commit != "", r.err
}

// A rerun compares with the session reference that the ledger wrote, else with HEAD, unless the
// user chose something else.
//
// Rule: A rerun shows what changed since the session reference.
// Rule: A file does not prove a pass.
func TestRerunScope(t *testing.T) {
	t.Parallel()
	repo, c := newRepository(t)
	const invalid = "the session reference \"other\" in gauntlet_logs is invalid; uncommitted changes are reviewed instead"
	uncommitted := scope{source: ledger.SourceUncommitted, from: c[2], to: "now"}
	for name, test := range map[string]struct {
		options Options
		files   reference
		want    scope
		warns   []string
	}{
		"a commit":                  {Options{Commit: "HEAD~1"}, reference{commit: "session"}, scope{source: ledger.SourceCommit, from: c[0], to: c[1]}, nil},
		"uncommitted":               {Options{Uncommitted: true}, reference{commit: "session"}, scope{source: ledger.SourceUncommittedOnly, from: c[2], to: "now"}, nil},
		"no reference":              {Options{}, reference{}, uncommitted, nil},
		"the reference":             {Options{}, reference{commit: "session"}, scope{source: ledger.SourceSession, from: "session", to: "now"}, nil},
		"of a commit":               {Options{}, reference{commit: c[1]}, scope{source: ledger.SourceSession, from: c[1], to: "now", sessionIteration: 2}, nil},
		"of a tree":                 {Options{}, reference{commit: repo.CommitID("tree", c[0])}, scope{source: ledger.SourceSession, from: "tree", to: "now", sessionIteration: 1}, nil},
		"of somebody else":          {Options{}, reference{commit: "other"}, uncommitted, []string{invalid}},
		"something is in its place": {Options{}, reference{err: os.ErrInvalid}, uncommitted, []string{"invalid argument; uncommitted changes are reviewed instead"}},
	} {
		r, console := newRunner(t)
		r.Repo, r.Files = repo, test.files
		i := &iteration{Runner: r, options: test.options, recalled: recalled{state: &ledger.State{
			Run: ledger.Run{SessionRef: test.files.commit}, Iterations: []ledger.Iteration{{Number: 1, To: "tree", Head: c[0]}, {Number: 2, To: c[1]}},
		}}}
		if name == "of somebody else" {
			i.state.Run.SessionRef = "session"
		}
		i.snapshot.Tree = "now"
		if err := i.rerunScope(t.Context()); err != nil || !reflect.DeepEqual(i.scope, test.want) || !slices.Equal(console.warnings, test.warns) {
			t.Errorf("%s: %+v, %q, %v", name, i.scope, console.warnings, err)
		}
	}
}

// The base of a run is what the user chose, else where the branch left the base branch; without a
// commit it is the empty tree. A restored run keeps its own base, if git has it.
//
// Rule: The base moves forward with the branch.
func TestFirstBase(t *testing.T) {
	t.Parallel()
	repo, c := newRepository(t)
	r, console := newRunner(t)
	r.Repo, r.Config.BaseBranch = repo, "main~1"
	for name, test := range map[string]struct {
		options Options
		named   *ledger.RunFile // of a restored run
		want    string
		warned  bool
	}{
		"base branch":    {options: Options{}, want: c[1] + " main~1"},
		"another branch": {options: Options{BaseBranch: "main~2"}, want: c[0] + " main~2"},
		"uncommitted":    {options: Options{Uncommitted: true, BaseBranch: "main~2"}, want: c[2] + " HEAD"},
		"a commit":       {options: Options{Commit: "main~1", BaseBranch: "main~2"}, want: c[0] + " main~1"},
		"restored":       {named: &ledger.RunFile{Base: c[0], BaseRef: "old"}, want: c[0] + " old"},
		"not said":       {named: &ledger.RunFile{BaseRef: "old"}, want: c[1] + " main~1"},
		"it is gone":     {named: &ledger.RunFile{Base: "0123456789012345678901234567890123456789", BaseRef: "old"}, want: c[1] + " main~1", warned: true},
	} {
		console.warnings = nil
		base, ref, err := r.firstBase(t.Context(), test.options)
		if test.named != nil {
			base, ref, err = r.rebuiltBase(t.Context(), test.named)
		}
		if err != nil || base+" "+ref != test.want || (len(console.warnings) > 0) != test.warned {
			t.Errorf("%s: %s %s, %q, %v", name, base, ref, console.warnings, err)
		}
	}
	empty := *repo
	empty.Head, r.Repo = "", &empty
	if base, ref, err := r.firstBase(t.Context(), Options{}); base != repo.EmptyTree() || ref != "main~1" || err != nil {
		t.Errorf("without a commit: %s %s, %v", base, ref, err)
	}
}

// A tree that git no longer has is unknown: everything that the run changed is shown again.
//
// Rule: No slot passes what it was not shown.
func TestForgetLostTrees(t *testing.T) {
	t.Parallel()
	repo, c := newRepository(t)
	const gone = "0123456789012345678901234567890123456789"
	r, console := newRunner(t)
	r.Repo = repo
	i := &iteration{Runner: r, parts: map[ledger.Part]ledger.PartFact{{}: {}}, recalled: recalled{state: &ledger.State{
		Run:   ledger.Run{Base: c[0]},
		Gates: []ledger.Gate{{Job: quality, Slots: []ledger.Slot{{Reviewed: c[1]}, {Reviewed: gone}, {}}}, {Job: quality, Slots: []ledger.Slot{{Reviewed: gone}}}},
		Rests: map[string]ledger.Rest{"a": {Run: "R", Tree: c[1]}, "b": {Run: "R", Tree: gone}},
	}}}
	i.snapshot.Tree, i.scope = c[2], scope{source: ledger.SourceSession, from: gone, to: c[2], sessionIteration: 1, diffs: r.Diffs()}
	if err := i.forgetLostTrees(t.Context()); err != nil {
		t.Fatal(err)
	}
	var trees []string
	for _, gate := range i.state.Gates {
		for _, slot := range gate.Slots {
			trees = append(trees, slot.Reviewed)
		}
	}
	if !slices.Equal(trees, []string{c[1], "", "", ""}) || i.state.Rests["a"].Tree != c[1] || i.state.Rests["b"] != (ledger.Rest{Run: "R"}) {
		t.Errorf("%q, %+v", trees, i.state.Rests)
	}
	if i.scope.source != ledger.SourceBase || i.scope.from != c[0] || i.scope.sessionIteration != 0 || i.scope.narrowed.Empty() || i.parts != nil {
		t.Errorf("%+v", i.scope)
	}
	want := []string{"git no longer has the reviewed tree " + gone + ": all changes of the run are reviewed again", "git no longer has the tree " + gone + ", on which run R passed"}
	if !slices.Equal(console.warnings, want) {
		t.Errorf("%q", console.warnings)
	}
}

// The path of a file is where the file is now: a run that has ended has archived it.
func TestPresent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "previous"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"here", "previous/there", "previous/here", "here.log", "gone.log"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"here": "logs/here", "there": "logs/previous/there", "nowhere": ""} {
		if got := present(filepath.Join(dir, name), "logs/"+name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	r, _ := newRunner(t)
	r.Files = folder{dir: dir}
	slots := []ledger.Slot{{Adapter: "here", Index: 1}, {Adapter: "gone", Index: 1}, {Adapter: "nowhere", Index: 1}}
	if got := r.gateResult(ledger.Gate{Kind: ledger.KindReview, Slots: slots}); got.Log != "" || !slices.Equal(got.Paths, []string{"logs/here", "logs/gone.log", ""}) {
		t.Errorf("a review: %+v", got)
	}
	if got := r.gateResult(ledger.Gate{Kind: ledger.KindCheck, Job: "there"}); got.Log != "logs/previous/there" || len(got.Paths) != 0 {
		t.Errorf("a check: %+v", got)
	}
}

// folder has a slot's file named after its adapter, and a check's log named after its job.
type folder struct {
	Files
	dir string
}

func (f folder) at(name string) (absolute, shown string) {
	return filepath.Join(f.dir, name), "logs/" + name
}

func (f folder) SlotJSON(_, adapter string, _, _ int) (absolute, shown string) { return f.at(adapter) }
func (f folder) SlotLog(_, adapter string, _, _ int) (absolute, shown string) {
	return f.at(adapter + ".log")
}
func (f folder) CheckLog(job string, _ int) (absolute, shown string) { return f.at(job) }

// What changed since a slot's last answer is the fix that is looked at again. If git no longer has
// what the slot was shown then, all that it is shown counts as that.
//
// Rule: A rerun filters what is new and below the threshold.
func TestPlanSlot(t *testing.T) {
	t.Parallel()
	repo, c := newRepository(t)
	for name, test := range map[string]struct {
		slots   []ledger.Slot
		force   bool
		diff    int // files that are shown
		since   int // files that changed since the last answer; -1 if there was none
		changed bool
	}{
		"never asked":              {nil, false, 1, -1, true},
		"in error":                 {[]ledger.Slot{{Index: 1, Status: ledger.SlotError}}, false, 1, -1, true},
		"answered":                 {[]ledger.Slot{{Index: 1, Status: ledger.SlotFail, Reviewed: c[1]}}, false, 1, 1, true},
		"answered, tree unknown":   {[]ledger.Slot{{Index: 1, Status: ledger.SlotFail}}, false, 1, 1, true},
		"all seen":                 {[]ledger.Slot{{Index: 1, Status: ledger.SlotFail, Reviewed: c[2]}}, false, 0, 0, false},
		"all seen, asked to force": {[]ledger.Slot{{Index: 1, Status: ledger.SlotFail, Reviewed: c[2]}}, true, 1, 0, false},
	} {
		r, _ := newRunner(t)
		r.Repo = repo
		i := &iteration{Runner: r, recalled: recalled{number: 2, rerun: true, state: &ledger.State{
			Run: ledger.Run{ID: "R", Base: c[0]}, Iterations: []ledger.Iteration{{Number: 1, From: c[0], To: c[1], Tree: c[1], Source: ledger.SourceBase}},
			Gates: []ledger.Gate{{Job: quality, Kind: ledger.KindReview, Name: "quality", EntryPoint: "src", Iteration: 1, Slots: test.slots}},
		}}, options: Options{Force: test.force}}
		i.snapshot.Tree, i.scope = c[2], scope{source: ledger.SourceSession, from: c[1], to: c[2], sessionIteration: 1, diffs: r.Diffs()}
		jobs, err := r.Config.Jobs([]string{"src/f"})
		if err != nil {
			t.Fatal(err)
		}
		job := slots.Job{Job: jobs[slices.IndexFunc(jobs, func(j config.Job) bool { return j.ID() == quality })], ID: quality}
		slot := &slots.Slot{SlotPlan: ledger.SlotPlan{Index: 1}}
		if err := i.planSlot(t.Context(), job, slot, nil); err != nil {
			t.Fatal(err)
		}
		since := -1
		if slot.Since != nil {
			since = len(slot.Since.Files)
		}
		if everything := test.since < 0; len(slot.Diff.Files) != test.diff || since != test.since || slot.Answered != (test.since >= 0) || slot.Everything != everything && !test.force {
			t.Errorf("%s: shown %q, everything %t, since %d files, answered %t", name, slot.Diff.Paths(), slot.Everything, since, slot.Answered)
		}
	}
}

// A review that is shown everything again because its configuration has changed is named.
//
// Rule: No slot passes what it was not shown.
func TestSayReconfigured(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		hash  string // when the slot answered; "" means the present one
		slot  slots.Slot
		whole bool
		names bool
	}{
		"edited":                 {hash: "x", slot: slots.Slot{Everything: true}, names: true},
		"as it was":              {slot: slots.Slot{Everything: true}},
		"shown what changed":     {hash: "x"},
		"skipped":                {hash: "x", slot: slots.Slot{Everything: true, SlotPlan: ledger.SlotPlan{Skip: true}}},
		"everything is asked of": {hash: "x", slot: slots.Slot{Everything: true}, whole: true},
	} {
		r, _ := newRunner(t)
		job, _ := r.Config.JobByID(quality)
		if test.hash == "" {
			test.hash = r.gateHash(job)
		}
		before := []ledger.Slot{{Job: quality, Index: 1, Iteration: 1, Status: ledger.SlotPass, Reviewed: "tree"}}
		i := &iteration{Runner: r, options: Options{Whole: test.whole}, recalled: recalled{state: &ledger.State{
			Run: ledger.Run{BaseRef: "main"}, Gates: []ledger.Gate{{Job: quality, Iteration: 1, ConfigHash: test.hash, Slots: before}},
		}}}
		test.slot.Index = 1
		i.sayReconfigured([]slots.Job{{Job: job, ID: quality, Slots: []slots.Slot{test.slot}}})
		if names := i.everything == "reviewing everything since main: the configuration of "+quality+" has changed"; names != test.names || !names && i.everything != "" {
			t.Errorf("%s: %q", name, i.everything)
		}
	}
}

// A pass does not count for gates that changed during the loop, and the user is told which.
//
// Rule: Done means passed as it is now.
func TestSayConfigMoved(t *testing.T) {
	t.Parallel()
	repo, c := newRepository(t)
	r, console := newRunner(t)
	r.Repo = repo
	const restored = "This run was restored from its files, which prove nothing, and not every gate has answered again: to review the whole change, `reviewledger run`"
	const moved = "The configuration changed during this loop: to review the whole change by it, `reviewledger run`"
	for name, test := range map[string]struct {
		hash       string
		iterations []ledger.Iteration
		want       []string
	}{
		"the same":                       {r.ConfigHash(), []ledger.Iteration{{Tree: c[0]}}, nil},
		"none has begun":                 {"other", nil, nil},
		"restored":                       {r.ConfigHash(), []ledger.Iteration{{Number: 1, Mode: ledger.ModeRebuilt}, {Number: 2, Tree: c[0]}}, []string{restored}},
		"answered again":                 {r.ConfigHash(), []ledger.Iteration{{Mode: ledger.ModeRebuilt}, {Number: 1, Tree: c[0]}}, nil},
		"another":                        {"other", []ledger.Iteration{{Tree: c[0]}}, []string{moved}},
		"from a lost tree":               {"other", []ledger.Iteration{{Tree: "0123456789012345678901234567890123456789"}}, []string{moved}},
		"from no tree":                   {"other", []ledger.Iteration{{}}, []string{moved}},
		"a gate that git does not track": {"another", []ledger.Iteration{{}}, []string{strings.Replace(moved, "loop", "loop (c)", 1)}},
	} {
		console.conclusions = nil
		i := &iteration{Runner: r}
		i.snapshot.Tree, i.scope.diffs = c[2], r.Diffs()
		state := &ledger.State{
			Run: ledger.Run{ConfigHash: test.hash}, Iterations: test.iterations,
			Gates: []ledger.Gate{{Iteration: 1, Job: "check:src:c", Name: "c", Kind: ledger.KindCheck, Status: ledger.GatePassed}},
		}
		if test.hash == "another" {
			state.Gates[0].ConfigHash = "another"
		}
		if err := i.sayConfigMoved(t.Context(), state); err != nil || !slices.Equal(console.conclusions, test.want) {
			t.Errorf("%s: %q, %v", name, console.conclusions, err)
		}
	}
}

// Files of a loop name a run, which the ledger may know or not. If the ledger cannot tell, that is
// an error and not an unknown run.
//
// Rule: A file does not prove a pass.
func TestRunKnown(t *testing.T) {
	t.Parallel()
	l, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, _ := newRunner(t)
	r.Ledger = l
	run, err := l.StartRun(t.Context(), ledger.Run{Kind: ledger.KindGates, Worktree: "/r", LogDir: "logs"})
	if err != nil {
		t.Fatal(err)
	}
	known := func(id string) string {
		standing, err := r.runKnown(t.Context(), id)
		return fmt.Sprintf("%s %t", standing, err != nil)
	}
	if got := known(run.ID); got != string(ledger.RunOpen)+" false" {
		t.Errorf("open: %s", got)
	}
	if got := known("01ARZ3NDEKTSV4RRFFQ69G5FAV"); got != string(ledger.RunUnknown)+" false" {
		t.Errorf("unknown: %s", got)
	}
	if err := l.CloseRun(t.Context(), run.ID, ledger.StatusAbandoned); err != nil {
		t.Fatal(err)
	}
	if got := known(run.ID); got != string(ledger.RunClosed)+" false" {
		t.Errorf("closed: %s", got)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if got := known(run.ID); got != " true" {
		t.Errorf("without a ledger: %s", got)
	}
}

// logs is a log directory with the files of a loop.
type logs struct {
	Files
	ledger.LoopFiles
}

func (l logs) ReadLoop() (ledger.LoopFiles, error) { return l.LoopFiles, nil }

// What cannot be marked because the ledger is lost is marked in the files, or after the run that
// restores it.
//
// Rule: Deleting the database loses history, never the loop.
func TestCheckKnown(t *testing.T) {
	t.Parallel()
	l, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	run, err := l.StartRun(t.Context(), ledger.Run{Kind: ledger.KindGates, Worktree: "/r", LogDir: "logs"})
	if err == nil {
		err = l.CloseRun(t.Context(), run.ID, ledger.StatusAbandoned)
	}
	if err != nil {
		t.Fatal(err)
	}
	of := func(id string) logs {
		return logs{LoopFiles: ledger.LoopFiles{HasLogs: true, Run: &ledger.RunFile{Run: id}}}
	}
	const lost = `the ledger does not have the loop in "gauntlet_logs": the next ` + "`reviewledger run`" + ` restores it from its files; mark after that, or in these files`
	for name, test := range map[string]struct {
		ledger *store.Store
		files  Files
		want   string
	}{
		"no ledger":               {nil, of(run.ID), lost},
		"no ledger, no logs":      {nil, logs{}, ""},
		"another ledger":          {l, of("01ARZ3NDEKTSV4RRFFQ69G5FAV"), lost},
		"of a run that has ended": {l, of(run.ID), ""},
		"no logs":                 {l, logs{}, ""},
	} {
		r, _ := newRunner(t)
		r.Ledger, r.Files = test.ledger, test.files
		got := ""
		if err := r.CheckKnown(t.Context()); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %s", name, got)
		}
		if test.ledger == nil {
			continue
		}
		if _, err := r.Open(t.Context()); (err != nil) != (test.want == lost) {
			t.Errorf("%s: open findings: %v", name, err)
		}
		if _, err := r.Mark(t.Context(), ledger.MarkRequest{IDs: []string{"abcd2345"}}); (err.Error() == lost) != (test.want == lost) {
			t.Errorf("%s: a mark: %v", name, err)
		}
	}
}

// The file of a run says whether some of its gates rest on a pass.
func TestRunFile(t *testing.T) {
	t.Parallel()
	for n := range 3 {
		i := &iteration{recalled: recalled{number: 2, state: &ledger.State{Run: ledger.Run{ID: "R", BaseRef: "main", Base: "base"}, Rests: map[string]ledger.Rest{}}}}
		for job := range n {
			i.state.Rests[fmt.Sprint(job)] = ledger.Rest{}
		}
		if got, want := runFile(i.state, ledger.Iteration{Number: i.number}), (ledger.RunFile{Run: "R", Iteration: 2, BaseRef: "main", Base: "base", Rests: n > 0, Failed: []int{}}); !reflect.DeepEqual(got, want) {
			t.Errorf("%d: %+v", n, got)
		}
	}
}

// Whether a gate is left for the change is asked only if the open run has lost all of its gates.
//
// Rule: Done means passed as it is now.
func TestCompareWithBase(t *testing.T) {
	t.Parallel()
	repo, c := newRepository(t)
	open := &ledger.State{Gates: []ledger.Gate{{Job: quality}, {Job: "review:lib:quality"}}}
	for name, test := range map[string]struct {
		folder   string // of the configured gates
		owner    ledger.LoopOwner
		gone     []string
		gateless bool
		ungated  []string
	}{
		"none is gone":                  {"lib", ledger.OwnLoop, nil, false, nil},
		"one is left":                   {"lib", ledger.OwnLoop, []string{quality}, false, nil},
		"all are gone":                  {"lib", ledger.OwnLoop, []string{quality, "review:lib:quality"}, true, nil},
		"all are gone, another applies": {"src", ledger.OwnLoop, []string{quality, "review:lib:quality"}, false, nil},
		"no run":                        {"src", "", nil, false, nil},
		"no run, and no gate":           {"lib", "", nil, false, []string{"src/f"}},
	} {
		r, _ := newRunner(t)
		r.Repo, r.Config.EntryPoints[0].Path = repo, test.folder
		now, err := r.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		facts := &ledger.ProgressFacts{Owner: test.owner, Gone: test.gone}
		facts.Open = open
		if err := r.compareWithBase(t.Context(), diff.Ancestor{Commit: c[0], Tree: "of the base"}, now, facts); err != nil {
			t.Fatal(err)
		}
		if facts.Gateless != test.gateless || !slices.Equal(facts.Ungated, test.ungated) || !facts.Differs {
			t.Errorf("%s: gateless %t, ungated %q, differs %t", name, facts.Gateless, facts.Ungated, facts.Differs)
		}
	}
}

// An iteration without a gate to run passes over what its gates have seen, if it is the first of
// its run, or if it is of all gates and the run passes by its rows.
//
// Rule: No slot passes what it was not shown.
func TestPlanOfCovered(t *testing.T) {
	t.Parallel()
	repo, c := newRepository(t)
	for name, test := range map[string]struct {
		rerun   bool
		command Command
		status  ledger.GateStatus // of the gate in the iteration before
		execute bool
	}{
		"first, all gates": {false, CommandRun, "", true}, "first, reviews": {false, CommandReview, "", true},
		"rerun, all gates": {true, CommandRun, ledger.GatePassed, true}, "rerun, reviews": {true, CommandReview, ledger.GatePassed, false},
	} {
		r, _ := newRunner(t)
		r.Repo, r.Config.EntryPoints[0].Checks = repo, nil
		r.Adapters = slots.Adapters{Reviewer: func(string) (clients.Reviewer, error) { return nil, nil }, Missing: func(string) (program, why string) { return "", "" }}
		i := &iteration{Runner: r, recalled: recalled{number: 1, rerun: test.rerun, state: &ledger.State{
			Run: ledger.Run{ID: "R", Base: c[0]}, Rests: map[string]ledger.Rest{quality: {Run: "E", Tree: c[2]}},
		}}, options: Options{Command: test.command}}
		if test.rerun {
			i.number, i.state.Rests = 2, nil
			i.state.Iterations = []ledger.Iteration{{Number: 1, From: c[0], To: c[2], Tree: c[2], Source: ledger.SourceBase}}
			slot := func(n int) ledger.Slot {
				return ledger.Slot{Index: n, Adapter: "a", Status: ledger.SlotPass, Reviewed: c[2]}
			}
			job, _ := r.Config.JobByID(quality)
			i.state.Gates = []ledger.Gate{{Job: quality, Kind: ledger.KindReview, Name: "quality", EntryPoint: "src", Iteration: 1, Status: test.status, ConfigHash: r.gateHash(job), Slots: []ledger.Slot{slot(1), slot(2)}}}
		}
		i.snapshot.Tree, i.scope = c[2], scope{source: ledger.SourceBase, from: c[0], to: c[2], whole: files(1).Listing(), narrowed: files(1), diffs: r.Diffs()}
		if test.rerun {
			i.scope.source, i.scope.from, i.scope.sessionIteration = ledger.SourceSession, c[1], 1
		}
		i.scope.touched, _ = r.Config.Jobs([]string{"src/f"})
		_, execute, err := i.plan(t.Context())
		if err != nil || execute != test.execute || len(i.coveredJobs) != 1 || len(i.jobs) != 0 {
			t.Errorf("%s: %t, %v, %d covered, %d jobs", name, execute, err, len(i.coveredJobs), len(i.jobs))
		}
	}
}

// written keeps the files of slots that are written.
type written struct {
	Files
	documents []ledger.SlotDocument
}

func (w *written) WriteSlot(d ledger.SlotDocument) (string, error) {
	w.documents = append(w.documents, d)
	return "", nil
}

// After a restoration each file that lists violations has their IDs. A file that lists none stays as
// it is.
//
// Rule: Deleting the database loses history, never the loop.
func TestExportRestored(t *testing.T) {
	t.Parallel()
	l, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	restoration := store.Restoration{Run: ledger.Run{Kind: ledger.KindGates, Worktree: "/r", LogDir: "logs"}}
	for slot, lines := range [][]int{{1}, {}, {2, 3}} {
		d := ledger.SlotDocument{Job: quality, Slot: slot + 1, Adapter: "a", Iteration: 1, Status: ledger.SlotPass}
		for _, line := range lines {
			d.Status, d.Violations = ledger.SlotFail, append(d.Violations, ledger.SlotEntry{File: "src/f", Line: line, Issue: fmt.Sprint("issue ", line), Status: "new"})
		}
		restoration.Slots = append(restoration.Slots, store.SlotRecord{EntryPoint: "src", Gate: "quality", NumReviews: 3, Document: d})
	}
	run, err := l.RestoreRun(t.Context(), restoration)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := newRunner(t)
	files := &written{}
	r.Ledger, r.Files = l, files
	if err := r.exportRestored(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range files.documents {
		line := fmt.Sprintf("@%d", d.Slot)
		for _, v := range d.Violations {
			line += fmt.Sprintf(" %d %t", v.Line, v.ID != "")
		}
		got = append(got, line)
	}
	if d := cmp.Diff([]string{"@1 1 true", "@3 2 true 3 true"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
