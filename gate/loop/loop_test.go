package loop

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/internal/testing/difftest"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// said keeps what is printed.
type said struct {
	Console
	warnings, conclusions []string
}

func (s *said) Warn(texts ...string) { s.warnings = append(s.warnings, texts...) }
func (s *said) Conclude(text string) { s.conclusions = append(s.conclusions, text) }

const quality, lint = "review:src:quality", "check:src:lint"

// newRunner returns a Runner for a repository with a check and a review of src.
func newRunner(t *testing.T) (*Runner, *said) {
	t.Helper()
	console := &said{}
	return &Runner{Console: console, Worktree: &worktree.Worktree{
		Repo: &diff.Repo{Root: t.TempDir()},
		Config: &config.Config{
			BaseBranch: "origin/main", LogDir: "gauntlet_logs", MaxRetries: 2, NewIssueThreshold: "high",
			EntryPoints: []config.EntryPoint{{Path: "src", Checks: []string{"lint"}, Reviews: []string{"quality"}}},
			Checks:      map[string]config.Check{"lint": {Gate: config.Gate{RunLocally: true}, Command: "true"}},
			Reviews:     map[string]config.Review{"quality": {Gate: config.Gate{RunLocally: true}, NumReviews: 2, CLIPreference: []string{"a"}}},
		},
	}}, console
}

// newRepository makes a git repository with src/f of ten lines. A commit changed line five, and the
// next one added a line above all others.
func newRepository(t *testing.T) (repo *diff.Repo, commits []string) {
	t.Helper()
	r := difftest.New(t)
	for _, text := range []string{"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n", "0\n1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n"} {
		r.Write("src/f", text)
		commits = append(commits, r.Commit())
	}
	return r.Open(), commits
}

// What any diff of the run showed is in range: this iteration's, and those of earlier iterations,
// at the place where the lines were then.
//
// Rule: In range is what a diff of this run showed.
func TestInRange(t *testing.T) {
	t.Parallel()
	repo, c := newRepository(t)
	const gone = "0123456789012345678901234567890123456789"
	one := []ledger.Iteration{{From: c[0], To: c[1]}}
	for name, test := range map[string]struct {
		line     int
		before   []ledger.Iteration
		commit   string
		from     string // where the run's whole diff begins
		narrowed string // where the iteration's diff begins
		want     bool
	}{
		"in this iteration's":           {line: 1, narrowed: c[1], from: c[2], want: true},
		"not in this iteration's":       {line: 6, narrowed: c[1], from: c[2]},
		"in the whole diff":             {line: 6, narrowed: c[2], from: c[0], want: true},
		"not in the whole diff":         {line: 10, narrowed: c[2], from: c[0]},
		"beside the commit":             {line: 6, narrowed: c[1], from: c[0], commit: c[2]},
		"beside the commit at first":    {line: 6, narrowed: c[1], from: c[0], before: []ledger.Iteration{{From: c[1], To: c[2], Source: ledger.SourceCommit}}},
		"the commit came later":         {line: 6, narrowed: c[1], from: c[0], before: []ledger.Iteration{{From: c[1], To: c[2], Source: ledger.SourceBase}}, commit: c[2], want: true},
		"shown before, moved since":     {line: 9, narrowed: c[2], from: c[2], before: one, want: true},
		"its number was shown before":   {line: 2, narrowed: c[2], from: c[2], before: one},
		"shown by one before that":      {line: 9, narrowed: c[2], from: c[2], before: append([]ledger.Iteration{{From: c[1], To: c[2]}}, one...), want: true},
		"restored, so unknown":          {line: 10, narrowed: c[2], from: c[2], before: []ledger.Iteration{{To: c[1]}}, want: true},
		"restored in part":              {line: 10, narrowed: c[2], from: c[2], before: []ledger.Iteration{{From: c[1]}}, want: true},
		"git no longer has the base":    {line: 10, narrowed: c[2], from: gone, want: true},
		"git no longer has what it was": {line: 10, narrowed: c[2], from: c[2], before: []ledger.Iteration{{From: gone, To: c[1]}}, want: true},
	} {
		r, _ := newRunner(t)
		r.Repo = repo
		i := &iteration{Runner: r, options: Options{Commit: test.commit}, recalled: recalled{state: &ledger.State{Run: ledger.Run{Base: test.from}, Iterations: test.before}}}
		i.snapshot.Tree, i.scope.diffs = c[2], r.Diffs()
		var err error
		if i.scope.narrowed, err = i.scope.diffs.Between(t.Context(), test.narrowed, c[2]); err != nil {
			t.Fatal(err)
		}
		if got, err := i.inRange(t.Context(), c[2], ledger.Place{File: "src/f", Start: test.line, End: test.line}); got != test.want || err != nil {
			t.Errorf("%s: %t, %v", name, got, err)
		}
	}
}

// A run for which nothing is executed does not pass if something changed after the snapshot.
//
// Rule: A run passes only over code that its gates have seen.
func TestPassUnchanged(t *testing.T) {
	t.Parallel()
	r, console := newRunner(t)
	r.Repo, _ = newRepository(t)
	i := &iteration{Runner: r}
	var err error
	if i.snapshot, err = i.Snapshot(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.Repo.Root, "src", "f"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	o, err := i.passUnchanged(t.Context(), ledger.Assessment{Status: ledger.StatusPassed})
	const want = "Changed while the gates ran, and not reviewed: src/f. Run again"
	if err != nil || o.Status != ledger.StatusFailed || o.Reason != want || !slices.Equal(console.conclusions, []string{want}) {
		t.Errorf("%+v, %v, %q", o, err, console.conclusions)
	}
}

// A slot's file proves no more than it says: if it lists violations, the slot has failed, and if it
// does not say how the slot ended, the slot is in error.
//
// Rule: Deleting the database loses history, never the loop.
func TestRestoredSlot(t *testing.T) {
	t.Parallel()
	const none = ""
	one := []ledger.SlotEntry{{File: "src/a.go", Line: 1, Issue: "one"}}
	for name, test := range map[string]struct {
		is         ledger.SlotStatus
		since      int
		entries    []ledger.SlotEntry
		err        error
		legacy     bool
		want       ledger.SlotStatus
		wantSince  int
		violations int
		warns      string
	}{
		"passed":                        {is: ledger.SlotPass, want: ledger.SlotPass},
		"passed since some time":        {is: ledger.SlotPass, since: 3, want: ledger.SlotPass},
		"passed and lists":              {is: ledger.SlotPass, entries: one, want: ledger.SlotFail, violations: 1},
		"failed":                        {is: ledger.SlotFail, entries: one, want: ledger.SlotFail, violations: 1},
		"failed and lists nothing":      {is: ledger.SlotFail, want: ledger.SlotError},
		"skipped":                       {is: ledger.SlotSkipped, since: 2, want: ledger.SlotSkipped, wantSince: 2},
		"skipped since never":           {is: ledger.SlotSkipped, want: ledger.SlotError},
		"skipped and lists":             {is: ledger.SlotSkipped, since: 2, entries: one, want: ledger.SlotFail, violations: 1},
		"in error":                      {is: ledger.SlotError, since: 2, want: ledger.SlotError},
		"in error and lists":            {is: ledger.SlotError, entries: one, want: ledger.SlotError, violations: 1},
		"says nothing":                  {is: none, want: ledger.SlotError},
		"says something else":           {is: "fine", want: ledger.SlotError},
		"cannot be read":                {is: ledger.SlotPass, err: errors.New("no JSON"), want: ledger.SlotError, warns: "gauntlet_logs/f cannot be read: no JSON"},
		"cannot be read, and says more": {is: ledger.SlotSkipped, since: 2, entries: one, err: errors.New("no JSON"), want: ledger.SlotError, warns: "gauntlet_logs/f cannot be read: no JSON"},
		"Markdown":                      {is: ledger.SlotPass, legacy: true, want: ledger.SlotPass, warns: "gauntlet_logs/f was read instead of a JSON file; reading Markdown logs is deprecated"},
	} {
		r, console := newRunner(t)
		record := r.restoredSlot(ledger.SlotFile{
			FileID: ledger.Sanitize(quality), Adapter: "a", Slot: 2, Iteration: 4, Path: "gauntlet_logs/f", Err: test.err, Legacy: test.legacy,
			Document: ledger.SlotDocument{Job: "review:src:other", Slot: 9, Iteration: 9, Status: test.is, PassIteration: test.since, Violations: test.entries},
		})
		d := record.Document
		if d.Status != test.want || d.PassIteration != test.wantSince || len(d.Violations) != test.violations {
			t.Errorf("%s: %s since %d with %d", name, d.Status, d.PassIteration, len(d.Violations))
		}
		if d.Job != quality || d.Slot != 2 || d.Iteration != 4 || d.Adapter != "a" || record.EntryPoint != "src" || record.Gate != "quality" || record.NumReviews != 2 {
			t.Errorf("%s: %+v", name, record)
		}
		if strings.Join(console.warnings, "\n") != test.warns {
			t.Errorf("%s: warned %q", name, console.warnings)
		}
	}
}

// A job that is no longer configured keeps the id in its files' names. A check's file does not
// belong to a review.
func TestJobOfFile(t *testing.T) {
	t.Parallel()
	r, _ := newRunner(t)
	r.Config.EntryPoints = append(r.Config.EntryPoints, config.EntryPoint{Path: "packages/*", Reviews: []string{"quality"}})
	if err := os.MkdirAll(filepath.Join(r.Repo.Root, "packages", "api"), 0o755); err != nil {
		t.Fatal(err)
	}
	const inPackage, gone = "review:packages/api:quality", "review:packages/gone:quality"
	for _, test := range []struct {
		file       string
		kind       config.Kind
		id, entry  string
		name       string
		numReviews int
	}{
		{ledger.Sanitize(quality), config.KindReview, quality, "src", "quality", 2}, {ledger.Sanitize(lint), config.KindCheck, lint, "src", "lint", 0},
		{ledger.Sanitize(quality), config.KindCheck, ledger.Sanitize(quality), "", ledger.Sanitize(quality), 0},
		{ledger.Sanitize(inPackage), config.KindReview, inPackage, "packages/api", "quality", 2}, {ledger.Sanitize(gone), config.KindReview, ledger.Sanitize(gone), "", ledger.Sanitize(gone), 0},
		{"review_old", config.KindReview, "review_old", "", "review_old", 0},
	} {
		id, entry, name, numReviews := r.jobOfFile(test.file, test.kind)
		if id != test.id || entry != test.entry || name != test.name || numReviews != test.numReviews {
			t.Errorf("%s of a %s: %q, %q, %q, %d", test.file, test.kind, id, entry, name, numReviews)
		}
	}
}

// A check's log proves that the check passed, failed or was in error; without a result it did not
// finish.
func TestRestoredCheck(t *testing.T) {
	t.Parallel()
	r, _ := newRunner(t)
	for status, want := range map[ledger.GateStatus]ledger.Gate{
		ledger.GatePassed: {Status: ledger.GatePassed}, ledger.GateFailed: {Status: ledger.GateFailed, Problems: 1}, ledger.GateError: {Status: ledger.GateError},
		"": {Status: ledger.GateInterrupted},
	} {
		want.Iteration, want.Job, want.Kind, want.EntryPoint, want.Name, want.Reason = 3, lint, ledger.KindCheck, "src", "lint", "restored from its log"
		if d := cmp.Diff(want, r.restoredCheck(ledger.CheckLog{FileID: ledger.Sanitize(lint), Iteration: 3, Status: status})); d != "" {
			t.Errorf("%q (-want +got):\n%s", status, d)
		}
	}
}

// What an iteration compares, and whether all gates take part.
func TestView(t *testing.T) {
	t.Parallel()
	r, _ := newRunner(t)
	r.Repo.Head = "head"
	for name, test := range map[string]struct {
		options    Options
		restricted bool
		choice     ledger.Choice
		emptied    bool // the logs were deleted
		whole      bool
	}{
		"run":                       {Options{Command: CommandRun}, false, "", false, false},
		"everything":                {Options{Command: CommandRun, Whole: true}, false, "", false, true},
		"check":                     {Options{Command: CommandCheck}, true, "", false, false},
		"one gate":                  {Options{Command: CommandRun, Gates: []string{"lint"}}, true, "", false, false},
		"a commit":                  {Options{Command: CommandRun, Commit: "c"}, false, ledger.ChoseCommit, false, false},
		"uncommitted":               {Options{Command: CommandReview, Uncommitted: true}, true, ledger.ChoseUncommitted, false, false},
		"without logs":              {Options{Command: CommandRun}, false, "", true, true},
		"without logs, a commit":    {Options{Command: CommandRun, Commit: "c"}, false, ledger.ChoseCommit, true, false},
		"without logs, uncommitted": {Options{Command: CommandReview, Uncommitted: true}, true, ledger.ChoseUncommitted, true, false},
	} {
		i := &iteration{Runner: r, options: test.options, recalled: recalled{number: 3, rerun: true, emptied: test.emptied}}
		i.snapshot.Tree = "tree"
		i.scope = scope{source: ledger.SourceSession, from: "from", to: "to", sessionIteration: 2}
		want := ledger.View{
			Number: 3, Rerun: true, Source: ledger.SourceSession, From: "from", To: "to", SessionIteration: 2, Tree: "tree", Head: "head",
			Restricted: test.restricted, Choice: test.choice, Whole: test.whole,
		}
		if d := cmp.Diff(want, i.view()); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// What runs depends on the command, the names and the environment, among the jobs that the change
// touches, those that the run has executed before, and those that answer for what another one left.
func TestFindJobs(t *testing.T) {
	t.Parallel()
	touched := []string{"src/a.go"}
	before := []ledger.Gate{{Job: lint}, {Job: "check:src:gone"}, {Job: quality}}
	for name, test := range map[string]struct {
		options Options
		whole   []string
		gates   []ledger.Gate
		ci      bool
		want    []string
		left    []ledger.Violation
	}{
		"touched":                              {Options{Command: CommandRun}, touched, nil, false, []string{lint, quality}, nil},
		"executed before":                      {Options{Command: CommandRun}, nil, before, false, []string{lint, quality}, nil},
		"both":                                 {Options{Command: CommandRun}, touched, before, false, []string{lint, quality}, nil},
		"checks":                               {Options{Command: CommandCheck}, touched, before, false, []string{lint}, nil},
		"reviews":                              {Options{Command: CommandReview}, touched, before, false, []string{quality}, nil},
		"by name":                              {Options{Command: CommandRun, Gates: []string{"quality"}}, touched, before, false, []string{quality}, nil},
		"not in CI":                            {Options{Command: CommandRun}, touched, before, true, nil, nil},
		"nothing is asked":                     {Options{Command: CommandRun}, nil, nil, false, nil, nil},
		"no gate that runs":                    {Options{Command: CommandCheck, Gates: []string{"quality"}}, touched, before, false, nil, nil},
		"what it was handed":                   {Options{Command: CommandRun}, nil, before[:2], false, []string{lint, quality}, []ledger.Violation{{Job: quality, HandedFrom: "review:src:gone", Status: ledger.StatusFixed}}},
		"what it was handed, which is skipped": {Options{Command: CommandRun}, nil, before[:2], false, []string{lint}, []ledger.Violation{{Job: quality, HandedFrom: "review:src:gone", Status: ledger.StatusSkipped}}},
	} {
		r, _ := newRunner(t)
		r.CI = test.ci
		i := &iteration{Runner: r, options: test.options, recalled: recalled{state: &ledger.State{Gates: test.gates, Violations: test.left}}}
		i.scope.touched, _ = r.Config.Jobs(test.whole)
		var got []string
		for _, job := range i.findJobs() {
			got = append(got, job.ID())
		}
		if slices.Sort(got); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Rule: Flags restrict what runs, never what is outstanding.
func TestValidate(t *testing.T) {
	t.Parallel()
	r, _ := newRunner(t)
	for name, test := range map[string]struct {
		options Options
		says    string
	}{
		"run":                 {Options{Command: CommandRun}, ""},
		"gates":               {Options{Command: CommandRun, Gates: []string{"lint", "quality"}}, ""},
		"commit":              {Options{Command: CommandRun, Commit: "c"}, ""},
		"uncommitted":         {Options{Command: CommandRun, Uncommitted: true}, ""},
		"whole and a commit":  {Options{Command: CommandRun, Whole: true, Commit: "c"}, "--whole cannot be used together with --commit or --uncommitted"},
		"whole, uncommitted":  {Options{Command: CommandRun, Whole: true, Uncommitted: true}, "--whole cannot be used together with --commit or --uncommitted"},
		"both":                {Options{Command: CommandRun, Commit: "c", Uncommitted: true}, "--commit and --uncommitted cannot be used together"},
		"a typo":              {Options{Command: CommandRun, Gates: []string{"lint", "qualty"}}, `no gate named "qualty" is configured (did you mean "quality"?); ` + "`reviewledger list` shows the gates"},
		"not what is checked": {Options{Command: CommandCheck, Gates: []string{"quality"}}, `no check gate named "quality" is configured; ` + "`reviewledger list` shows the gates"},
	} {
		if err := r.validate(test.options); (err == nil) != (test.says == "") || err != nil && err.Error() != test.says {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A gate that is no longer configured is named once, whatever it left behind.
func TestExplain(t *testing.T) {
	t.Parallel()
	r, console := newRunner(t)
	i := &iteration{Runner: r}
	known := &ledger.State{Gates: []ledger.Gate{{Job: lint}, {Job: "check:src:gone"}, {Job: quality}, {Job: "review:src:lost"}}}
	if d := cmp.Diff([]string{"check:src:gone", "review:src:lost"}, r.gone(known)); d != "" {
		t.Errorf("gone (-want +got):\n%s", d)
	}
	gate := func(job string, n int) ledger.Gate { return ledger.Gate{Job: job, Iteration: n} }
	i.explain(ledger.Assessment{
		Failing: []ledger.Gate{gate(lint, 1), gate("check:src:gone", 2)}, Erred: []ledger.Gate{gate("review:src:lost", 1), gate("check:src:gone", 3)},
		Open:   []*ledger.Violation{{Job: quality}, {Job: "review:src:old"}, {Job: "review:src:lost"}},
		Claims: []*ledger.Violation{{Job: "review:src:old"}, {Job: "review:src:older"}},
	}, []ledger.Violation{
		{ShortID: "b", DuplicateOf: "a", Job: "review:src:oldest", Original: &ledger.Original{Status: ledger.StatusFixed}},
		{ShortID: "c", DuplicateOf: "a", Job: "review:src:oldest", Original: &ledger.Original{Status: ledger.StatusReopened}},
		{ShortID: "d", DuplicateOf: "a", Job: quality, Original: &ledger.Original{Status: ledger.StatusFixed}},
	}, []string{"check:src:gone", "review:src:lost", "review:src:old", "review:src:older", "review:src:oldest"})
	var got []string
	for _, w := range console.warnings {
		job, rest, _ := strings.Cut(w, " ")
		got = append(got, job+" "+strings.Fields(rest)[0])
	}
	if d := cmp.Diff([]string{"check:src:gone did", "review:src:lost did", "review:src:old is", "review:src:older is", "claim a"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	r.CI = true
	if why, _ := r.whyGone(lint); !strings.Contains(why, "in CI") {
		t.Errorf("in CI, of a gate that is configured: %q", why)
	}
}

// Stale gates are named. That they run again is said only if another iteration is left.
func TestExplainStale(t *testing.T) {
	t.Parallel()
	stale := []ledger.Owed{{Job: lint, Reason: ledger.PartChanged, Iteration: 1}, {Job: quality, Reason: ledger.NotShown, Iteration: 1}}
	for failed, want := range map[int][]string{
		1: {lint + " last ran in iteration 1, before the latest changes: `reviewledger run` runs it again", quality + " has not seen all changes: `reviewledger run` shows it the rest"},
		2: {lint + " last ran in iteration 1, before the latest changes", quality + " has not seen all changes"},
	} {
		r, console := newRunner(t)
		state := &ledger.State{}
		for n := range failed {
			state.Iterations = append(state.Iterations, ledger.Iteration{Number: n + 1, Status: ledger.StatusFailed})
		}
		(&iteration{Runner: r}).explainStale(state, stale)
		if d := cmp.Diff(want, console.conclusions); d != "" {
			t.Errorf("after %d that failed (-want +got):\n%s", failed, d)
		}
	}
}

// Rule: A run passes only if nothing is outstanding.
func TestWarnUnaddressed(t *testing.T) {
	t.Parallel()
	r, console := newRunner(t)
	i := &iteration{Runner: r, recalled: recalled{state: &ledger.State{
		Gates: []ledger.Gate{{Job: quality}, {Job: "review:src:safe"}, {Job: "review:src:security"}},
		Violations: []ledger.Violation{
			{ShortID: "a", Job: "review:src:security", Status: ledger.StatusReopened}, {ShortID: "b", Job: quality, Status: ledger.StatusNew}, {Job: quality, Status: ledger.StatusFixed},
			{ShortID: "c", Job: "review:src:security", Status: ledger.StatusNew}, {Job: "review:src:safe", Status: ledger.StatusSkipped}, {Job: quality, Status: ledger.StatusDisputed},
		},
	}}}
	i.warnUnaddressed()
	want := []string{quality + ": 1 violation unaddressed: b", "review:src:security: 2 violations unaddressed: a, c"}
	for n, w := range console.warnings {
		console.warnings[n] = strings.Replace(w, ": set the status to \"fixed\" or \"skipped\" in its review file, or with `reviewledger mark`", "", 1)
	}
	if d := cmp.Diff(want, console.warnings); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Rule: What is filtered is counted and kept.
// Rule: A human's skip is remembered.
func TestNotesOfAnAnswer(t *testing.T) {
	t.Parallel()
	r, _ := newRunner(t)
	i := &iteration{Runner: r}
	var e ledger.Evaluation
	for _, d := range []ledger.Disposition{ledger.Accepted, ledger.OutOfDiff, ledger.Malformed, ledger.OutOfDiff, ledger.RememberedSkip, ledger.BelowThreshold, ledger.PreviouslySkipped} {
		e.Reports = append(e.Reports, ledger.Evaluated{Disposition: d})
	}
	want := []string{"2 outside the changed lines filtered", "1 below the threshold (high) filtered", "1 previously skipped filtered", "1 skipped in an earlier run filtered", "1 malformed filtered"}
	if d := cmp.Diff(want, i.filtered(e)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	e.Status = ledger.SlotError
	if d := cmp.Diff(want[:4], i.filtered(e)); d != "" {
		t.Errorf("in error (-want +got):\n%s", d)
	}
	result := store.SlotResult{Evaluation: e}
	result.Reports[4].Remembered = &ledger.EarlierViolation{}
	if lines := notes(result, nil); len(lines) != 1 || !strings.HasPrefix(lines[0], "Skipped before: ") {
		t.Errorf("notes %q", lines)
	}
}

// A finding of an earlier run that a reviewer names is shown once, with the decision made then.
func TestNotesOfEarlierRuns(t *testing.T) {
	t.Parallel()
	report := func(issue, before string, d ledger.Disposition) ledger.Evaluated {
		return ledger.Evaluated{Entry: ledger.Entry{Issue: issue, Place: ledger.Place{File: "a.go", Start: 3, End: 3}}, SeenBefore: before, Disposition: d}
	}
	result := store.SlotResult{
		Evaluation: ledger.Evaluation{Reports: []ledger.Evaluated{
			report("leaks", "aaaaaaaa", ledger.Accepted),
			report("leaks a bit", "aaaaaaaa", ledger.BelowThreshold),
			report("skipped with its line", "bbbbbbbb", ledger.Accepted),
			report("skipped in this run", "cccccccc", ledger.Accepted),
			report("new", "", ledger.Accepted),
			report("on another line", "eeeeeeee", ledger.Accepted),
		}},
	}
	then := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	result.Reports[2].ShortID, result.Reports[2].SkippedBefore = "dddddddd", &ledger.EarlierViolation{ShortID: "bbbbbbbb", At: then}
	result.Reports[0].ShortID = "99999999" // there is no skip to repeat
	result.Reports[5].ShortID = "ffffffff"
	earlier := []ledger.EarlierViolation{{ID: "A", ShortID: "aaaaaaaa", At: then}, {ID: "B", ShortID: "bbbbbbbb", Status: ledger.StatusSkipped, At: then}, {ID: "E", ShortID: "eeeeeeee", Status: ledger.StatusSkipped, At: then}}
	want := []string{
		"Seen before: a.go:3 leaks - aaaaaaaa, left open on 2026-11-20",
		"Seen before: a.go:3 on another line - eeeeeeee, skipped on 2026-11-20",
		"To skip it again: reviewledger mark ffffffff skipped --like eeeeeeee",
		"dddddddd was skipped before as bbbbbbbb, on 2026-11-20; to skip it again: reviewledger mark dddddddd skipped --like bbbbbbbb",
	}
	if d := cmp.Diff(want, notes(result, earlier)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// The plan of a gate is recorded with who is asked, and what each is shown.
func TestGatePlan(t *testing.T) {
	t.Parallel()
	r, _ := newRunner(t)
	check, _ := r.Config.JobByID(lint)
	review, _ := r.Config.JobByID(quality)
	for name, test := range map[string]struct {
		job  slots.Job
		want ledger.GatePlan
	}{
		"check": {slots.Job{Job: check, ID: lint}, ledger.GatePlan{Job: lint, Kind: ledger.KindCheck, EntryPoint: "src", Name: "lint", Command: "true"}},
		"review": {
			slots.Job{Job: review, ID: quality, Slots: []slots.Slot{{SlotPlan: ledger.SlotPlan{Index: 1, Skip: true}, Adapter: "a", To: "t"}, {SlotPlan: ledger.SlotPlan{Index: 2}, Adapter: "b", To: "t"}}},
			ledger.GatePlan{
				Job: quality, Kind: ledger.KindReview, EntryPoint: "src", Name: "quality", NumReviews: 2,
				Slots: []ledger.PlannedSlot{{SlotPlan: ledger.SlotPlan{Index: 1, Skip: true}, Adapter: "a"}, {SlotPlan: ledger.SlotPlan{Index: 2}, Adapter: "b", Reviewed: "t"}},
			},
		},
		"nobody": {
			slots.Job{Job: review, ID: quality, Unfillable: "nobody", Slots: []slots.Slot{{SlotPlan: ledger.SlotPlan{Index: 1}, Adapter: "a"}}},
			ledger.GatePlan{Job: quality, Kind: ledger.KindReview, EntryPoint: "src", Name: "quality", Error: "nobody", NumReviews: 2},
		},
	} {
		if d := cmp.Diff(test.want, test.job.Plan()); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// The end of an invocation names its run and the next step.
func TestConcluded(t *testing.T) {
	t.Parallel()
	r, _ := newRunner(t)
	state := &ledger.State{Run: ledger.Run{ID: "R"}}
	two := &diff.Diff{Files: make([]diff.File, 2)}
	for name, test := range map[string]struct {
		i    iteration
		o    Outcome
		want Outcome
	}{
		"nothing recorded":  {iteration{recalled: recalled{state: state}}, Outcome{NothingToDo: true, Next: "x"}, Outcome{NothingToDo: true, Next: "x"}},
		"no state":          {iteration{recalled: recalled{rerun: true}}, Outcome{}, Outcome{}},
		"a rerun, nothing":  {iteration{recalled: recalled{state: state, rerun: true, number: 3}}, Outcome{NothingToDo: true}, Outcome{NothingToDo: true, Run: "R"}},
		"first, failed":     {iteration{recalled: recalled{state: state, number: 1}, begun: begun{recorder: &store.Recorder{}}}, Outcome{Status: ledger.StatusFailed}, Outcome{Status: ledger.StatusFailed, Run: "R", Iteration: 1, Next: ledger.CommandRun}},
		"passed":            {iteration{recalled: recalled{state: state, number: 2, rerun: true}, begun: begun{recorder: &store.Recorder{}}}, Outcome{Status: ledger.StatusPassed}, Outcome{Status: ledger.StatusPassed, Run: "R", Iteration: 2}},
		"at its limit":      {iteration{recalled: recalled{state: state, rerun: true}}, Outcome{Status: ledger.StatusRetryLimitExceeded}, Outcome{Status: ledger.StatusRetryLimitExceeded, Run: "R", Next: ledger.CommandRun}},
		"has a better idea": {iteration{recalled: recalled{state: state, rerun: true}}, Outcome{Status: ledger.StatusFailed, Next: "x"}, Outcome{Status: ledger.StatusFailed, Run: "R", Next: "x"}},
	} {
		test.i.Runner = r
		if name == "passed" {
			test.i.scope.narrowed, test.want.Changed = two, 2
		}
		if d := cmp.Diff(test.want, test.i.concluded(test.o)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestExitCode(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		o    Outcome
		want int
	}{
		{Outcome{Status: ledger.StatusPassed}, 0}, {Outcome{Status: ledger.StatusPassedWithWarnings}, 0}, {Outcome{NothingToDo: true}, 0},
		{Outcome{Status: ledger.StatusFailed}, 1}, {Outcome{Status: ledger.StatusRetryLimitExceeded}, 1}, {Outcome{}, 1},
		{Outcome{Status: ledger.StatusError}, 2}, {Outcome{Status: ledger.StatusInterrupted}, 130},
	} {
		if got := test.o.ExitCode(); got != test.want {
			t.Errorf("%+v: %d", test.o, got)
		}
	}
}

// What is left to do is counted by kind.
func TestOutstanding(t *testing.T) {
	t.Parallel()
	a := ledger.Assessment{Open: []*ledger.Violation{{}}, Claims: []*ledger.Violation{{}}, Failing: make([]ledger.Gate, 1), Erred: make([]ledger.Gate, 2)}
	want := []string{"2 violations still outstanding", "1 failing check still outstanding", "2 gates in error still outstanding"}
	if d := cmp.Diff(want, outstanding(a)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if lines := outstanding(ledger.Assessment{}); len(lines) != 0 {
		t.Errorf("nothing: %q", lines)
	}
}

// An iteration compares the working tree once with each commit and tree that it needs: the trees
// whose changes reviewers are shown, those that slots answered about last, and the base if a slot
// has not answered.
func TestBases(t *testing.T) {
	t.Parallel()
	r, _ := newRunner(t)
	slot := func(n int, status ledger.SlotStatus, reviewed string) ledger.Slot {
		return ledger.Slot{Job: quality, Index: n, Status: status, Reviewed: reviewed}
	}
	from := func(spans []worktree.Span) (trees []string) {
		for _, span := range spans {
			trees = append(trees, span.From)
		}
		return trees
	}
	i := &iteration{Runner: r, recalled: recalled{state: &ledger.State{
		Run: ledger.Run{Base: "base"}, Iterations: []ledger.Iteration{{Number: 1, Tree: "t1"}, {Number: 2, Tree: "t2"}},
		Gates: []ledger.Gate{
			{Job: quality, Iteration: 1, Slots: []ledger.Slot{slot(1, ledger.SlotFail, "t1"), slot(2, ledger.SlotPass, "t1"), slot(3, ledger.SlotError, "t1")}},
			{Job: quality, Iteration: 2, Slots: []ledger.Slot{slot(1, ledger.SlotFail, "t2"), slot(2, ledger.SlotSkipped, "")}},
		},
	}}}
	for _, test := range []struct {
		from, to string
		want     []string
	}{
		{"session", "now", []string{"session", "t2", "t1", "base"}},
		{"t1", "now", []string{"t1", "t2", "base"}},
		{"now", "now", []string{"now", "t2", "t1", "base"}}, // nothing has changed since
		{"base", "now", []string{"base", "t2", "t1"}},
		{"t1", "commit", nil},
	} {
		i.snapshot.Tree, i.scope.from, i.scope.to = "now", test.from, test.to
		if d := cmp.Diff(test.want, from(i.bases())); d != "" {
			t.Errorf("from %s to %s (-want +got):\n%s", test.from, test.to, d)
		}
	}
	i.state.Gates[0].Slots = i.state.Gates[0].Slots[:2]
	i.scope.from, i.scope.to = "session", "now"
	if d := cmp.Diff([]string{"session", "t2", "t1"}, from(i.bases())); d != "" {
		t.Errorf("all have answered (-want +got):\n%s", d)
	}
}

// After trees are lost, everything that the run changed is reviewed, unless the user chose what to
// review.
func TestWholeScope(t *testing.T) {
	t.Parallel()
	r, _ := newRunner(t)
	chosen := scope{source: ledger.SourceCommit, from: "f", to: "t", sessionIteration: 4}
	for _, options := range []Options{{}, {Commit: "c"}, {Uncommitted: true}} {
		i := &iteration{Runner: r, options: options, scope: chosen, recalled: recalled{state: &ledger.State{Run: ledger.Run{Base: "base"}}}}
		i.snapshot.Tree = "now"
		i.wholeScope()
		want := chosen
		if options.Commit == "" && !options.Uncommitted {
			want = scope{source: ledger.SourceBase, from: "base", to: "now"}
		}
		if !reflect.DeepEqual(i.scope, want) {
			t.Errorf("%+v: %+v", options, i.scope)
		}
	}
}

// Without an iteration only a rerun passes, and only if it passes by its rows.
func TestCloses(t *testing.T) {
	t.Parallel()
	state := func(status ledger.GateStatus) *ledger.State {
		return &ledger.State{
			Iterations: []ledger.Iteration{{Number: 1, Tree: "tree", Source: ledger.SourceBase}},
			Gates:      []ledger.Gate{{Job: "check:src:gone", Kind: ledger.KindCheck, Iteration: 1, Status: status}},
		}
	}
	for _, test := range []struct {
		rerun  bool
		status ledger.GateStatus
		want   ledger.RunStatus
	}{
		{true, ledger.GatePassed, ledger.StatusPassed}, {true, ledger.GateFailed, ""}, {false, ledger.GatePassed, ""}, {false, ledger.GateFailed, ""},
	} {
		r, _ := newRunner(t)
		i := &iteration{Runner: r, recalled: recalled{rerun: test.rerun, state: state(test.status)}}
		i.snapshot.Tree = "tree"
		if got, err := i.closes(t.Context()); got != test.want || err != nil {
			t.Errorf("%+v: %q, %v", test, got, err)
		}
	}
	for _, known := range []bool{true, false} { // what changed since the check passed
		r, _ := newRunner(t)
		i := &iteration{Runner: r, recalled: recalled{rerun: true, state: state(ledger.GatePassed)}}
		i.state.Gates[0].Job, i.snapshot.Tree, i.scope.diffs, i.scope.narrowed = lint, "now", r.Diffs(), files(1)
		i.state.Iterations = append(i.state.Iterations, ledger.Iteration{Number: 2, Tree: "now"})
		if known {
			i.parts = map[ledger.Part]ledger.PartFact{{Job: lint, From: "tree", To: "now"}: {Changed: true}}
		}
		if got, err := i.closes(t.Context()); got != "" || (err == nil) != known {
			t.Errorf("known %t: %q, %v", known, got, err)
		}
	}
}

// These are the sentences of detect and run for each reason why something runs again.
func TestSentence(t *testing.T) {
	t.Parallel()
	for reason, want := range map[ledger.Reason]string{
		ledger.TreeChanged:     "The working tree has changed since iteration 3",
		ledger.PartChanged:     "J@2 will run again: it last ran in iteration 3, before the latest changes",
		ledger.NotShown:        "J@2 will run again: it has not seen all changes",
		ledger.BaseChanged:     "J@2 will run again: it last ran in iteration 3, before the base moved",
		ledger.TreeUnknown:     "J@2 will run again: it last ran in iteration 3, on code that was not recorded",
		ledger.SkipForgotten:   "J@2 will run again: it filtered a report in iteration 3 because of a forgotten skip",
		ledger.NeverRan:        "J@2 will run: it has not run yet",
		ledger.NeverAnswered:   "J@2 will run: it has not answered yet",
		ledger.WasInError:      "J@2 will run again: it ended in error in iteration 3",
		ledger.Interrupted:     "J@2 will run again: it was interrupted in iteration 3",
		ledger.NotFinished:     "J@2 will run again: it did not finish in iteration 3",
		ledger.CouldNotStart:   "J@2 will run again: its program could not be started in iteration 3",
		ledger.ClaimRestated:   "J@2 will run again: it could not tell whether a claim is fixed, which was marked again",
		ledger.ClaimUnanswered: "J@2 will run again: its last answer had no word on a claim",
		ledger.ClaimOnOther:    "J@2 will run again: it has a claim to answer, and the code has changed since its answer in iteration 3",
		ledger.DisputeOpen:     "J@2 will run again: it has a dispute to answer",
		ledger.FailedBefore:    "J@2 will run again: it failed in iteration 3 and the code has changed since",
	} {
		if got := Sentence(ledger.Owed{Job: "J", Slot: 2, Reason: reason, Iteration: 3}); got != want {
			t.Errorf("%s: %q", reason, got)
		}
	}
	if got := Sentence(ledger.Owed{Job: "J", Reason: ledger.NeverRan}); got != "J will run: it has not run yet" {
		t.Errorf("a check: %q", got)
	}
	for reason, want := range map[ledger.Reason]string{
		ledger.TreeChanged: "The working tree has changed since iteration 3, so skipping alone does not pass the run",
		ledger.BaseChanged: "J last ran in iteration 3, before the base moved, so skipping alone does not pass the run",
		ledger.NotShown:    "J has not seen all changes, so skipping alone does not pass the run",
	} {
		if got := notBySkips(ledger.Owed{Job: "J", Reason: reason, Iteration: 3}); got != want {
			t.Errorf("not by skips, %s: %q", reason, got)
		}
	}
}

// Files of ended loops, and other files, do not restore anything.
func TestWhatTellsOfALoop(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		".run": true, ".session_ref": true, "a.json": true, "a.log": true, "review_src_quality_claude@1.2.json": true,
		"previous/a.json": false, "previous/.run": false, "a.md": false, "json": false, ".gitignore": false, "README": false, "a.json.bak": false,
	} {
		if got := isLoopFile(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}

func TestStep(t *testing.T) {
	t.Parallel()
	open := ledger.Summary{Open: []*ledger.Violation{{}}}
	disputed := ledger.Summary{Open: []*ledger.Violation{{Status: ledger.StatusDisputed}}}
	unverified := ledger.Summary{Iterations: []ledger.SummaryIteration{{Lines: []ledger.SummaryLine{{Outcome: ledger.OutcomeUnverified}}}}}
	unresolved := ledger.Summary{Unresolved: make([]ledger.Unresolved, 1)}
	for _, test := range []struct {
		status  ledger.RunStatus
		summary ledger.Summary
		want    string
	}{
		{ledger.StatusFailed, open, "fix or skip what is listed, mark it, then: reviewledger run"},
		{ledger.StatusError, open, "fix or skip what is listed, mark it, then: reviewledger run"},
		{ledger.StatusFailed, disputed, "fix or skip what is listed, mark it, then: reviewledger run"}, // its reporter is absent
		{ledger.StatusError, disputed, "resolve what is in error, then: reviewledger run"},
		{ledger.StatusFailed, unverified, "explain more about what is unverified, or skip it, then: reviewledger run"},
		{ledger.StatusError, unverified, "resolve what is in error, then: reviewledger run"},
		{ledger.StatusFailed, unresolved, "fix what failed, then: reviewledger run"},
		{ledger.StatusFailed, ledger.Summary{}, "reviewledger run"},
		{ledger.StatusRetryLimitExceeded, open, "the step at the limit"},
	} {
		if got := (Outcome{Status: test.status, OnlyGone: true, Summary: test.summary, Next: ledger.CommandRun}).step(); test.status == ledger.StatusFailed && got != ledger.StepGone {
			t.Errorf("with gates that are gone, %+v: %q", test.summary, got)
		}
		if got := (Outcome{Status: test.status, Summary: test.summary, Next: ledger.CommandRun, AtLimit: "the step at the limit"}).step(); got != test.want {
			t.Errorf("%s with %+v: %q, want %q", test.status, test.summary, got, test.want)
		}
	}
	if got := (Outcome{Status: ledger.StatusFailed, Summary: unverified, Next: ledger.CommandRun, Unasked: true}).step(); got != ledger.CommandRun {
		t.Errorf("claims were not put to anybody: %q", got)
	}
	if got := (Outcome{NothingToDo: true, Next: ledger.CommandRun, LackStep: ledger.StepOpen}).step(); got != ledger.StepOpen {
		t.Errorf("strict, nothing ran, and something is open: %q", got)
	}
	if got := (Outcome{Unexplained: true, Next: ledger.CommandRun}).step(); got != ledger.StepExplain {
		t.Errorf("nothing ran, and nobody could tell: %q", got)
	}
}

// The command that restores a review file can be pasted, whatever its folder is called.
func TestBrokenFile(t *testing.T) {
	t.Parallel()
	for slot, want := range map[string]string{
		"R/1/review:src:q@1":    "reviewledger export slot R/1/review:src:q@1 --marked -o logs/f.json",
		"R/1/review:a $(b):q@1": "reviewledger export slot 'R/1/review:a $(b):q@1' --marked -o logs/f.json",
	} {
		err := &BrokenFileError{Path: "logs/f.json", Slot: slot, Err: errors.New("not JSON")}
		if got := err.Error(); got != `read the marks in "logs/f.json": not JSON: correct the file, or write it as it was before it was edited: `+want {
			t.Error(got)
		}
	}
}

// Of the changed files, those of gates give the names of the gates, without duplicates, and
// config.yml itself.
func TestGatesIn(t *testing.T) {
	t.Parallel()
	for want, changed := range map[string][]string{
		"config.yml":      {".gauntlet/config.yml"},
		"":                {".gauntlet/notes.md", "src/config.yml", ".gauntlet/reviews/deep/q.md"},
		"test quality":    {".gauntlet/checks/test.yml", ".gauntlet/reviews/quality.md", ".gauntlet/reviews/quality.yml"},
		"config.yml test": {".gauntlet/config.yml", "src/a.go", ".gauntlet/checks/test.yml"},
	} {
		if got := strings.Join(gatesIn(changed), " "); got != want {
			t.Errorf("%q: %q, want %q", changed, got, want)
		}
	}
}
