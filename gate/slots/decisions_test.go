package slots

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/answer"
	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/paths"
	"github.com/reviewledger/reviewledger/gate/prompt"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// A prompt names each review once, with its entry points. Without a commit to compare with, it does not mention commits.
func TestChangeSince(t *testing.T) {
	t.Parallel()
	review := func(name string, entry string) Job {
		return Job{Job: config.Job{Kind: config.KindReview, Name: name, Entry: entry}}
	}
	jobs := []Job{review("quality", "src"), {Job: config.Job{Kind: config.KindCheck, Name: "lint"}}, review("security", "src"), review("quality", "lib")}
	for _, test := range []struct{ base, head string }{{"", "head"}, {"base", ""}, {"head", "head"}} {
		w := &worktree.Worktree{Repo: &diff.Repo{Branch: "topic", Head: test.head}}
		if d := cmp.Diff(prompt.Change{Branch: "topic", Gates: []prompt.Gate{{Name: "quality", Covers: []string{"src", "lib"}}, {Name: "security", Covers: []string{"src"}}}}, ChangeSince(t.Context(), w, test.base, jobs)()); d != "" {
			t.Errorf("%+v (-want +got):\n%s", test, d)
		}
	}
}

// Only reviewers that read prompts can answer a dispute.
//
// Rule: Only its reporter withdraws a finding.
func TestSilent(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	a := Adapters{Reviewer: func(adapter string) (clients.Reviewer, error) {
		if adapter == "broken" {
			return nil, broken
		}
		return readsPrompts{reads: adapter != "tool"}, nil
	}}
	if silent, err := a.Silent([]string{"a", "tool", "b"}); err != nil || !slices.Equal(silent, []string{clients.BuiltinName, "tool"}) {
		t.Errorf("%q, %v", silent, err)
	}
	if _, err := a.Silent([]string{"tool", "broken"}); !errors.Is(err, broken) {
		t.Error(err)
	}
}

type readsPrompts struct {
	clients.Reviewer
	reads bool
}

func (r readsPrompts) ReadsPrompts() bool { return r.reads }

// An answer decides about what the slot was asked, and can refer to what a prompt listed.
//
// Rule: The reviewer names what it means.
func TestAsked(t *testing.T) {
	t.Parallel()
	a := &Answer{listed: map[string]bool{}}
	a.Slot.Claims, a.Slot.Disputed = []ledger.Violation{{ID: "C", ShortID: "c"}}, []ledger.Violation{{ID: "D", ShortID: "d"}}
	a.Slot.Known = []ledger.Violation{{ID: "K", ShortID: "k"}, {ID: "L", ShortID: "l"}, {ID: "S", ShortID: "s"}}
	a.Slot.Others, a.Slot.settled = []ledger.Violation{{ID: "O", ShortID: "o"}, {ID: "P", ShortID: "p"}}, map[string]bool{"S": true}
	a.Slot.Earlier = []ledger.EarlierViolation{{ID: "E", ShortID: "e"}, {ID: "F", ShortID: "f"}}
	a.list(prompt.Prompt{Claims: []string{"c"}, Disputed: []string{"d"}, Known: []string{"l", "f", "o"}})
	asked, listed := a.Asked()
	if got := slices.Sorted(maps.Keys(asked)); !slices.Equal(got, []string{"C", "D"}) {
		t.Errorf("asked %q", got)
	}
	if got := slices.Sorted(maps.Keys(listed)); !slices.Equal(got, []string{"C", "D", "L", "O", "S"}) {
		t.Errorf("listed %q", got)
	}
	if others := a.namedOthers(); !slices.Equal(others, []string{"o"}) {
		t.Errorf("of other gates %q", others)
	}
	if named := a.namedEarlier(); len(named) != 1 || named[0].ID != "F" {
		t.Errorf("named %+v", named)
	}
}

// A slot that rests on a pass is shown what changed since, and told the names of the other files; a
// tool looks at all of them.
//
// Rule: No slot passes what it was not shown.
func TestPassedFiles(t *testing.T) {
	t.Parallel()
	of := func(names ...string) *diff.Diff {
		d := &diff.Diff{}
		for _, name := range names {
			d.Files = append(d.Files, diff.File{Old: name, New: name, Kind: diff.Modified})
		}
		return d
	}
	a := &Answer{asker: &Asker{WholeFiles: true}, Job: Job{Job: config.Job{Entry: "src"}}}
	a.Slot.Diff = of("b")
	a.Slot.Known = []ledger.Violation{{ID: "open", Status: ledger.StatusNew}, {ID: "settled", Status: ledger.StatusVerified}, {ID: "again", Status: ledger.StatusReopened}}
	a.Slot.Claims = []ledger.Violation{{ID: "claim"}}
	subject := func() string {
		s := a.subject()
		words := []string{s.EntryPoint}
		for _, f := range s.Files {
			words = append(words, f.New)
		}
		for _, v := range slices.Concat(s.Claims, s.Known) {
			words = append(words, v.ID)
		}
		return strings.Join(words, " ")
	}
	a.asker.Worktree = &worktree.Worktree{}
	if names := a.unchanged(a.Slot.Diff.Files); len(names) != 0 || subject() != "src b claim open again" || !a.subject().WholeFiles {
		t.Errorf("without a pass: %q, %q", names, subject())
	}
	a.Slot.Whole = of("a", "b", "c")
	if names := a.unchanged(a.Slot.Diff.Files); !slices.Equal(names, []string{"a", "c"}) || subject() != "src a b c claim open again" {
		t.Errorf("after a pass: %q, %q", names, subject())
	}
}

// limited takes prompts of 9 bytes.
type limited struct{ clients.Reviewer }

func (limited) InputLimit() int { return 9 }

// A prompt has all that the slot is asked and shown. A new code review knows no earlier findings.
//
// Rule: No slot passes what it was not shown.
func TestPromptInput(t *testing.T) {
	t.Parallel()
	file := diff.File{Old: "b", New: "b", Kind: diff.Modified}
	of := func(names ...string) *diff.Diff {
		d := &diff.Diff{}
		for _, name := range names {
			file.Old, file.New = name, name
			d.Files = append(d.Files, file)
		}
		return d
	}
	for _, test := range []struct {
		codeReview, verify bool
		known              int
	}{{false, false, 1}, {true, false, 0}, {true, true, 1}} {
		a := &Answer{
			asker: &Asker{
				Worktree: &worktree.Worktree{Repo: &diff.Repo{Root: t.TempDir(), CommonDir: "/common"}, Config: &config.Config{LogDir: "logs"}, Written: func(path string) bool { return path == "skill" }},
				change:   prompt.Change{Branch: "topic"}, ended: []prompt.Check{{Name: "lint"}}, CodeReview: test.codeReview, Verify: test.verify,
			},
			Job: Job{Job: config.Job{Entry: "src", Name: "quality", Review: &config.Review{Prompt: "Look."}}},
			Slot: Slot{
				To: "tree", Reviewer: limited{}, Answered: true, Diff: of("b", "skill"), New: of("b", "skill"), Whole: of("a", "b"),
				Claims: []ledger.Violation{{ID: "C", Place: ledger.Place{File: "b"}}}, Disputed: []ledger.Violation{{ID: "D"}}, Known: []ledger.Violation{{ID: "K", Status: ledger.StatusNew}},
			},
		}
		in := a.promptInput()
		if len(in.Known) != test.known {
			t.Errorf("%+v: %d known", test, len(in.Known))
		}
		if in.CodeReview != test.codeReview || in.Verify != test.verify || !in.Answered || in.WholeFiles || in.Limit != 9 || in.Instructions != "Look." || in.EntryPoint != "src" || !slices.Equal(in.Closed, []string{"logs", "/common/reviewledger"}) || in.Tree != "tree" || in.Gate != "quality" || in.Branch != "topic" || len(in.Checks) != 1 {
			t.Errorf("%+v: %+v", test, in)
		}
		if len(in.New) != 1 || in.New[0].New != "b" || len(in.Seen) != 0 || !slices.Equal(in.Named, []string{"skill"}) || !slices.Equal(in.Unchanged, []string{"a"}) {
			t.Errorf("%+v: files %+v", test, in)
		}
		if len(in.Claims) != 1 || in.Claims[0].ID != "C" || len(in.Claims[0].Now) != 1 || len(in.Disputed) != 1 || in.Disputed[0].ID != "D" {
			t.Errorf("%+v: claims %+v, disputed %+v", test, in.Claims, in.Disputed)
		}
	}
}

// A file is recorded with its present name. If the answer names it by an old one, its lines may be
// those of the old file, too.
//
// Rule: A report is never filtered for its name.
func TestRead(t *testing.T) {
	t.Parallel()
	a := &Answer{asker: &Asker{Worktree: &worktree.Worktree{Repo: &diff.Repo{Root: t.TempDir()}}}}
	a.Slot.Diff = &diff.Diff{Files: []diff.File{{Old: "old", New: "f", Kind: diff.Renamed}}}
	at := func(file string, line int) ledger.Place { return ledger.Place{File: file, Start: line, End: line} }
	form := answer.Form{Violations: []ledger.Entry{
		{Position: 1, Place: at("f", 3), Also: []ledger.Place{at("./old", 4)}}, {Position: 2, Place: at("old", 3)}, {Position: 3, Place: at("f:7", 0)}, {Position: 4, Place: at(clients.WholeChange, 0)},
	}}
	form.Known = []answer.Gone{{ID: "a", Gone: true, Evidence: "e"}, {ID: "b"}}
	form.Warnings, form.Remarks, form.Notes = []string{"w"}, []string{"r"}, "n"
	a.names = paths.New(paths.Names{Root: a.asker.Worktree.Repo.Root, Changed: a.Slot.Diff.Files, Tree: func() ([]string, error) { return nil, nil }})
	a.read(t.Context(), form)
	var got []string
	for n, e := range a.Given.Entries {
		line := fmt.Sprintf("%s:%d given as %s:%d", e.Place.File, e.Place.Start, a.given[n].File, a.given[n].Start)
		if e.WholeChange {
			line += ", the whole change"
		}
		for _, place := range e.Also {
			line += fmt.Sprintf(", also %s:%d", place.File, place.Start)
		}
		got = append(got, line)
	}
	want := []string{"f:3 given as f:3, also f:4", "f:3 given as old:3", "f:7 given as f:7", ".:0 given as .:0, the whole change"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if form.Violations[0].Also[0].File != "./old" {
		t.Error("the form was changed")
	}
	if !slices.Equal(a.Given.Gone, []ledger.GoneWord{{ID: "a", Evidence: "e"}}) || a.Given.Notes != "n" || !slices.Equal(a.Warnings, []string{"w"}) || !slices.Equal(a.notes, []string{"r"}) {
		t.Errorf("%+v, %q, %q", a.Given, a.Warnings, a.notes)
	}
}

// What the slot's diff does not show may have been shown by another diff of the run.
//
// Rule: In range is what a diff of this run showed.
func TestInRangeOfTheRun(t *testing.T) {
	t.Parallel()
	d := &diff.Diff{Files: []diff.File{{Old: "f", New: "f", Kind: diff.Modified, Blocks: []diff.Block{{OldStart: 3, OldCount: 1, NewStart: 3, NewCount: 1}}}}}
	unknown := errors.New("unknown")
	run := func(place ledger.Place) (bool, error) {
		if place.File == "broken" {
			return true, unknown
		}
		return place.File == "g", nil
	}
	at := func(file string, line int) ledger.Place { return ledger.Place{File: file, Start: line, End: line} }
	for name, test := range map[string]struct {
		entry ledger.Entry
		given ledger.Place
		run   func(ledger.Place) (bool, error)
		want  bool
		err   error
	}{
		"shown":                {entry: ledger.Entry{Place: at("f", 3)}, want: true},
		"shown elsewhere":      {entry: ledger.Entry{Place: at("g", 90), Also: []ledger.Place{at("f", 3)}}, want: true},
		"by the name given":    {entry: ledger.Entry{Place: at("x", 3)}, given: at("f", 3), want: true},
		"not shown":            {entry: ledger.Entry{Place: at("f", 90)}},
		"by the run":           {entry: ledger.Entry{Place: at("g", 90)}, run: run, want: true},
		"elsewhere by the run": {entry: ledger.Entry{Place: at("f", 90), Also: []ledger.Place{at("g", 1)}}, run: run, want: true},
		"not by the run":       {entry: ledger.Entry{Place: at("f", 90)}, run: run},
		"nobody knows":         {entry: ledger.Entry{Place: at("broken", 1)}, run: run, want: true, err: unknown},
		"the whole change":     {entry: ledger.Entry{WholeChange: true}, want: true},
	} {
		a := &Answer{Slot: Slot{Diff: d, InRange: test.run}}
		if got, err := a.inRange(test.entry, test.given); got != test.want || !errors.Is(err, test.err) {
			t.Errorf("%s: %t, %v", name, got, err)
		}
	}
	if got, err := (&Answer{}).inRange(ledger.Entry{Place: at("f", 90)}, at("f", 90)); !got || err != nil {
		t.Errorf("without a diff: %t, %v", got, err)
	}
}

// told keeps how slots ended, and the warnings.
type told struct {
	quiet
	planned  []ledger.Running
	done     []ledger.SlotOutcome
	checks   []ledger.CheckResult
	started  []string
	warnings []string
}

func (p *told) Planned(planned []ledger.Running)                   { p.planned = planned }
func (p *told) SlotDone(o ledger.SlotOutcome)                      { p.done = append(p.done, o) }
func (p *told) CheckDone(_ string, r ledger.CheckResult, _ string) { p.checks = append(p.checks, r) }
func (p *told) GateStarted(job string)                             { p.started = append(p.started, job) }
func (p *told) Warn(texts ...string)                               { p.warnings = append(p.warnings, texts...) }

// shownLogs returns the paths of what it is given.
type shownLogs struct {
	keptLogs
	begun   []ledger.SlotLogHeader
	written []ledger.SlotDocument
	closed  bool
}

func (l *shownLogs) StartSlotLog(h ledger.SlotLogHeader) (string, error) {
	l.begun = append(l.begun, h)
	return "slot.log", nil
}

func (l *shownLogs) WriteSlot(d ledger.SlotDocument) (string, error) {
	l.written = append(l.written, d)
	return "slot.json", nil
}

func (l *shownLogs) EndSlotLog(_ ledger.SlotLogHeader, end ledger.SlotLogEnd) (io.ReadCloser, error) {
	l.end = end
	return l, nil
}

func (l *shownLogs) Read([]byte) (int, error) { return 0, io.EOF }
func (l *shownLogs) Close() error             { l.closed = true; return nil }

// The outcome has the file to read: that of the violations, else the log.
func TestSettle(t *testing.T) {
	t.Parallel()
	found := ledger.SlotDocument{Job: "J", Violations: make([]ledger.SlotEntry, 1)}
	for name, test := range map[string]struct {
		settled    Settled
		suppressed int
		path       string
		reason     string // on the console
		ends       string // the log
		notes      []string
		written    int
	}{
		"passed":   {settled: Settled{Status: ledger.SlotPass, InFile: true}, path: "slot.log", ends: "0 violations", written: 1},
		"failed":   {settled: Settled{Status: ledger.SlotFail, InFile: true, Document: found}, path: "slot.json", ends: "1 violation", written: 1},
		"in error": {settled: Settled{Status: ledger.SlotError, Reason: "malformed"}, path: "slot.log", reason: "malformed", ends: "malformed"},
		"more": {settled: Settled{Status: ledger.SlotFail, Reason: "r", InFile: true, Document: found, LeftOut: []string{"2 filtered"}, Remarks: []string{"said"}, Warnings: []string{"w"}, Notes: []string{"n"}},
			path: "slot.json", reason: "r, 2 filtered, said", ends: "r", notes: []string{"waited", "w", "2 filtered", "n"}, written: 1},
		"suppressed": {settled: Settled{Status: ledger.SlotPass, InFile: true, Notes: []string{"n"}}, suppressed: 3, path: "slot.log", ends: "0 violations", notes: []string{"waited", "3 suppressed in the tool", "n"}, written: 1},
	} {
		logs, progress := &shownLogs{}, &told{}
		a := &Answer{asker: &Asker{Logs: logs, Rows: logs, Progress: progress}, path: "slot.log", suppressed: test.suppressed}
		if test.notes != nil {
			a.notes = []string{"waited"}
		}
		if err := a.Settle(test.settled); err != nil {
			t.Fatal(err)
		}
		o := progress.done[0]
		if o.Path != test.path || o.Reason != test.reason || o.Status != test.settled.Status || len(o.Violations) != len(test.settled.Document.Violations) || len(logs.written) != test.written {
			t.Errorf("%s: %+v, %d written", name, o, len(logs.written))
		}
		if logs.end.Reason != test.ends || !slices.Equal(logs.end.Notes, test.notes) || !logs.end.Asked {
			t.Errorf("%s: the log ends %+v", name, logs.end)
		}
	}
}

// An answer that is not used, or could not be recorded, is in the slot's log.
func TestEndsOfSlots(t *testing.T) {
	t.Parallel()
	logs, progress := &shownLogs{}, &told{}
	asker := &Asker{Logs: logs, Rows: logs, Progress: progress, Iteration: 3}
	a := &Answer{asker: asker, Status: ledger.SlotError, Reason: "limit", Slot: Slot{Adapter: "a"}}
	if err := a.Unanswered(t.Context()); err != nil || len(progress.done) != 1 {
		t.Fatalf("%v; %+v", err, progress.done)
	}
	a = &Answer{asker: asker}
	a.Call.Raw = "raw"
	if err := a.SetAside(t.Context(), "not used"); err != nil || logs.end.Status != ledger.SlotInterrupted || logs.end.Reason != "not used" || logs.end.Raw != "raw" {
		t.Errorf("%+v, %v", logs.end, err)
	}
	if err := a.Unrecorded(errors.New("full")); err != nil || logs.end.Status != ledger.SlotError || logs.end.Reason != "the answer was not recorded: full" || !logs.closed {
		t.Errorf("%+v, %v", logs.end, err)
	}
	a.Slot.Index, a.Slot.Adapter, a.Job.ID = 2, "a", "J"
	a.Warn([]string{"one", "two"})
	if !slices.Equal(progress.warnings, []string{"J (a@2): one", "J (a@2): two"}) {
		t.Errorf("%q", progress.warnings)
	}
	progress.warnings, a.path = nil, "logs/slot.log"
	many := slices.Repeat([]string{"w"}, 23)
	if a.Warn(many); len(progress.warnings) != 21 || progress.warnings[20] != "J (a@2): and 3 more warnings: see logs/slot.log" || len(many) != 23 {
		t.Errorf("%q", progress.warnings)
	}
	at := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	if err := asker.Skip(Job{ID: "J"}, Slot{SlotPlan: ledger.SlotPlan{Index: 2, Skip: true, PassIteration: 1}, Adapter: "a"}, at); err != nil {
		t.Fatal(err)
	}
	want := ledger.SlotDocument{Job: "J", Slot: 2, Adapter: "a", Iteration: 3, At: at, Status: ledger.SlotSkipped, PassIteration: 1}
	if d := cmp.Diff([]ledger.SlotDocument{want}, logs.written); d != "" || logs.end.Reason != "passed in iteration 1" || logs.end.Asked || progress.done[1].Path != "slot.json" {
		t.Errorf("skipped: %+v, %+v (-want +got):\n%s", logs.end, progress.done[2], d)
	}
}

// A gate begins only if a reviewer can be asked. What is missing is shown.
//
// Rule: Slots are filled round-robin.
func TestBegin(t *testing.T) {
	t.Parallel()
	progress := &told{}
	asker := &Asker{Progress: progress}
	if !asker.Begin(Job{ID: "A"}) || !asker.Begin(Job{ID: "B", Shortage: "few"}) || asker.Begin(Job{ID: "C", Unfillable: "nobody"}) {
		t.Error("who begins")
	}
	if !slices.Equal(progress.started, []string{"A", "B"}) || !slices.Equal(progress.warnings, []string{"few"}) || len(progress.checks) != 1 || progress.checks[0].Reason != "nobody" || progress.checks[0].Status != ledger.GateError {
		t.Errorf("%+v", progress)
	}
}

// What is planned are checks and the slots that will be asked, and a gate without reviewers as a whole.
func TestPlan(t *testing.T) {
	t.Parallel()
	var shown told
	slot := func(index int, skip bool) Slot {
		return Slot{SlotPlan: ledger.SlotPlan{Index: index, Skip: skip}, Adapter: "claude"}
	}
	(&Asker{Progress: &shown}).plan([]Job{
		{ID: "check:.:test", Job: config.Job{Check: &config.Check{}}}, {ID: "review:.:q", Slots: []Slot{slot(1, true), slot(2, false)}},
		{ID: "review:.:r", Slots: []Slot{slot(1, false)}, Unfillable: "nobody is there"},
	})
	want := []ledger.Running{{Job: "check:.:test"}, {Job: "review:.:q", Slot: 2, Adapter: "claude"}, {Job: "review:.:r"}}
	if d := cmp.Diff(want, shown.planned); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
