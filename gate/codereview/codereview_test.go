package codereview

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/internal/testing/difftest"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// A range in either form is reviewed from the merge base.
func TestFindRange(t *testing.T) {
	t.Parallel()
	for target, want := range map[string][2]string{
		"": {"origin/main", "HEAD"}, "a..b": {"a", "b"}, "a...b": {"a", "b"}, "a..": {"a", "HEAD"}, "a...": {"a", "HEAD"},
		"..b": {}, "a": {}, "..": {}, "...b": {},
	} {
		s := reviewScope{target: target}
		err := s.findRange("origin/main")
		if (err != nil) != (want == [2]string{}) || s.revisions != want {
			t.Errorf("%q: %q, %v", target, s.revisions, err)
		}
	}
}

// A path must be in the repository, and of the type that its scope needs.
func TestFindPath(t *testing.T) {
	t.Parallel()
	root, outside := t.TempDir(), t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "src", "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{filepath.Join(root, "src", "a.go"), filepath.Join(root, "..a"), filepath.Join(outside, "b.go")} {
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(root, "out")); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		scope  ledger.VerdictScope
		target string
		want   string
		says   string
	}{
		{ledger.ScopeFile, "src/a.go", "src/a.go", ""}, {ledger.ScopeFile, "./src//deep/../a.go", "src/a.go", ""},
		{ledger.ScopeFile, filepath.Join(root, "src", "a.go"), "src/a.go", ""}, {ledger.ScopeFile, "..a", "..a", ""},
		{ledger.ScopePackage, "src/", "src", ""}, {ledger.ScopePackage, ".", ".", ""}, {ledger.ScopePackage, root, ".", ""},
		{ledger.ScopePackage, "src/a.go", "", "is not a folder"}, {ledger.ScopeFile, "src", "", "is not a file"},
		{ledger.ScopeFile, "gone", "", "does not exist"}, {ledger.ScopeFile, "out/b.go", "", "does not exist in the repository, or leads out of it"},
		{ledger.ScopePackage, "..", "", "is outside"}, {ledger.ScopeFile, "../b.go", "", "is outside"}, {ledger.ScopeFile, filepath.Join(outside, "b.go"), "", "is outside"},
	} {
		s := reviewScope{scope: test.scope, target: test.target}
		err := s.findPath(root)
		if (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s %q: %v", test.scope, test.target, err)
		}
		if err == nil && (s.target != test.want || !slices.Equal(s.paths, []string{test.want})) {
			t.Errorf("%s %q: %q, %q", test.scope, test.target, s.target, s.paths)
		}
	}
}

func TestCovers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		paths, file string
		want        bool
	}{
		{".", "src/a.go", true}, {"src", "src/a.go", true}, {"src", "src", true}, {"src", "srcs/a.go", false}, {"src/a.go", "src/a.go", true}, {"app/[id].tsx", "app/[id].tsx", true},
		{"src/a.go", "src/a.go.txt", false}, {"lib src", "src/a.go", true}, {"**/*.go", "src/a.go", true}, {"*.go", "src/a.go", false}, {"", "src/a.go", false},
	} {
		s := reviewScope{paths: strings.Fields(test.paths)}
		if got := s.covers(test.file); got != test.want {
			t.Errorf("%q covers %q: %t", test.paths, test.file, got)
		}
	}
}

// Only a changeset is shown as a diff.
func TestWholeFiles(t *testing.T) {
	t.Parallel()
	for _, scope := range ledger.VerdictScopes() {
		if got := (reviewScope{scope: scope}).wholeFiles(); got != (scope != ledger.ScopeChangeset) {
			t.Errorf("%s: %t", scope, got)
		}
	}
}

// A file with another review id belongs to the ledger's verdict if most findings are the same.
func TestSameFindings(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		ledger, file, target string
		want                 bool
	}{
		{"a b c", "a b c", "t", true}, {"a b c", "a b", "t", true}, {"a b c", "a b x", "t", true}, {"a b c", "a", "t", false}, {"a b", "a x", "t", false},
		{"a", "a x", "t", false}, {"a b c", "a b x y", "t", false}, {"a b c", "a b c", "other", false}, {"", "", "t", false}, {"a", "", "t", false},
	} {
		v, d := verdict.Verdict{CodeReview: verdict.CodeReview{Target: "t"}}, verdict.Document{Target: test.target}
		for _, id := range strings.Fields(test.ledger) {
			v.Findings = append(v.Findings, verdict.Finding{ID: id})
		}
		for _, id := range strings.Fields(test.file) {
			d.Findings = append(d.Findings, verdict.FindingEntry{ID: id})
		}
		if got := sameFindings(v, d); got != test.want {
			t.Errorf("%q and %q of %s: %t", test.ledger, test.file, test.target, got)
		}
	}
}

func TestRestoredTime(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for timestamp, want := range map[string]time.Time{
		"2026-03-02T11:59:59Z": now.Add(-time.Second), "2026-03-02T12:00:00Z": now, "2026-03-02T13:30:00+02:00": now.Add(-30 * time.Minute), "1970-01-01T00:00:00Z": time.Unix(0, 0),
		"2026-03-02T12:00:01Z": now, "9999-12-31T23:59:59Z": now, "1969-12-31T23:59:59Z": now, "0001-01-01T00:00:00Z": now, "": now, "yesterday": now,
	} {
		if got := restoredTime(timestamp, now); !got.Equal(want) {
			t.Errorf("%q: %s", timestamp, got)
		}
	}
}

// A verdict that the ledger does not know is archived unchanged, if it has a review id.
func TestUnknownVerdict(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		d        verdict.Document
		archived bool
		err      bool
	}{
		"full":  {verdict.Document{ReviewID: "0123abcd", Mode: "full"}, true, false},
		"quick": {verdict.Document{ReviewID: "../../x", Mode: "quick"}, false, false},
		"no id": {verdict.Document{ReviewID: "../../x", Mode: "full"}, false, true},
	} {
		archive, err := unknownVerdict(test.d, []byte("bytes"))
		if (err != nil) != test.err || (archive != nil) != test.archived {
			t.Errorf("%s: %+v, %v", name, archive, err)
		}
		if test.archived && (archive[0].ReviewID != "0123abcd" || string(archive[0].Data) != "bytes" || archive[0].Lost) {
			t.Errorf("%s: %+v", name, archive)
		}
	}
}

// Full reviews and verifications are archived as their file was found, else according to the rows;
// quick reviews are not archived.
//
// Rule: A code review is apart from the loop.
func TestArchiveOf(t *testing.T) {
	t.Parallel()
	for mode, archived := range map[verdict.Mode]bool{verdict.Full: true, verdict.Verify: true, verdict.Quick: false} {
		v := verdict.Verdict{CodeReview: verdict.CodeReview{ReviewID: "a", Target: "t"}, Computed: verdict.Computed{Mode: mode}}
		got := archiveOf(v, []byte("bytes"), true)
		if (got != nil) != archived {
			t.Fatalf("%s: %+v", mode, got)
		}
		if archived && (len(got) != 1 || got[0].ReviewID != "a" || string(got[0].Data) != "bytes" || got[0].Document.Target != "t" || !got[0].Lost) {
			t.Errorf("%s: %+v", mode, got)
		}
	}
}

func TestConsequence(t *testing.T) {
	t.Parallel()
	for want, file := range map[string][]byte{"no verdict was written": nil, verdict.Path + " is unchanged": {}} {
		c := &codeReview{previous: previous{file: file}}
		if got := c.consequence(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A handed-in finding is outside the verdict only if all of its entries are. Reviewers' entries are
// counted one by one.
func TestOutside(t *testing.T) {
	t.Parallel()
	evaluated := func(issue string, d ledger.Disposition) ledger.Evaluated {
		return ledger.Evaluated{Entry: ledger.Entry{Issue: issue}, Disposition: d}
	}
	results := make([]store.SlotResult, 2)
	results[0].Reports = []ledger.Evaluated{evaluated("a", ledger.Accepted), evaluated("a", ledger.OutsideVerify), evaluated("b", ledger.OutsideVerify), evaluated("b", ledger.OutsideVerify), evaluated("c", ledger.OutsideVerify)}
	results[1].Reports = []ledger.Evaluated{evaluated("c", ledger.Merged), evaluated("d", ledger.OutsideVerify)}
	c := &codeReview{}
	if n := c.outside(results); n != 5 {
		t.Errorf("reviewers reported %d outside", n)
	}
	c.options.HandedIn = true
	if n := c.outside(results); n != 2 {
		t.Errorf("%d findings were handed in outside", n)
	}
}

// Rule: A code review is apart from the loop.
func TestHandedDomains(t *testing.T) {
	t.Parallel()
	of := func(domain, status string) verdict.FindingEntry {
		return verdict.FindingEntry{Domain: domain, Status: status}
	}
	for name, test := range map[string]struct {
		findings []verdict.FindingEntry
		domains  []string
		want     []string
		err      bool
	}{
		"of the findings":  {[]verdict.FindingEntry{of("b", ""), of("a", "open"), of("b", "reopened")}, nil, []string{"b", "a"}, false},
		"named":            {[]verdict.FindingEntry{of("b", "")}, []string{"a", "b"}, []string{"a", "b"}, false},
		"none":             {nil, []string{"a"}, []string{"a"}, false},
		"nothing":          {nil, nil, nil, false},
		"not among them":   {[]verdict.FindingEntry{of("a", ""), of("b", "")}, []string{"a"}, nil, true},
		"says it is fixed": {[]verdict.FindingEntry{of("a", ""), of("a", "fixed")}, nil, nil, true},
	} {
		c := &codeReview{options: Options{Findings: test.findings, Domains: test.domains}}
		got, err := c.handedDomains()
		if (err != nil) != test.err || !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// Everything that is not in the verdict is counted, by reason.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	var e ledger.Evaluation
	for _, d := range []ledger.Disposition{ledger.Accepted, ledger.Merged, ledger.Malformed, ledger.OutOfDiff, ledger.Merged, ledger.OutsideVerify, ledger.PreviouslySkipped} {
		e.Reports = append(e.Reports, ledger.Evaluated{Disposition: d})
	}
	want := []string{"1 outside what is reviewed, left out", "1 malformed, left out", "2 reported more than once", "1 at a finding that is wont_fix", "1 not in the verdict, left out"}
	if d := cmp.Diff(want, leftOut(e)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestViolationOf(t *testing.T) {
	t.Parallel()
	v := verdict.Verdict{Findings: []verdict.Finding{{ID: "a-1", Violation: "V1"}, {ID: "a-2", Violation: "V2"}}}
	for id, want := range map[string]string{"a-2": "V2", "a-1": "V1", "a": "", "": ""} {
		if got := violationOf(v, id); got != want {
			t.Errorf("%q: %q", id, got)
		}
	}
}

// A finding is verified by its own gate, else by gates of its domain: those that cover its files,
// or else any. Checks, and gates that do not run here, cannot verify it.
func TestGatesForFindings(t *testing.T) {
	t.Parallel()
	review := func(name string, local bool) config.Review {
		return config.Review{Gate: config.Gate{RunLocally: local}, NumReviews: 1}
	}
	conf := &config.Config{
		EntryPoints: []config.EntryPoint{
			{Path: "api", Checks: []string{"data"}, Reviews: []string{"data", "left"}}, {Path: "web", Checks: []string{"only"}, Reviews: []string{"data"}}, {Path: "lib", Reviews: []string{"data"}},
		},
		Checks:  map[string]config.Check{"data": {Gate: config.Gate{RunLocally: true}}, "only": {Gate: config.Gate{RunLocally: true}}},
		Reviews: map[string]config.Review{"data": review("data", true), "left": review("left", false)},
	}
	gate := func(job, name string) ledger.Gate {
		return ledger.Gate{Iteration: 1, Job: job, Kind: ledger.KindReview, Name: name}
	}
	c := &codeReview{
		Runner: &Runner{Worktree: &worktree.Worktree{Config: conf}},
		state: &ledger.State{Gates: []ledger.Gate{
			gate("review:api:data", "data"), gate("review:old:data", "data"), gate("review:api:left", "left"), gate("review:old:only", "only"), gate("review:old:none", "none"),
		}},
	}
	for _, test := range []struct {
		job  string
		file string
		want []string
	}{
		{"review:api:data", "web/a", []string{"review:api:data"}},
		{"review:old:data", "web/a", []string{"review:web:data"}},
		{"review:old:data", "elsewhere/a", []string{"review:api:data", "review:web:data", "review:lib:data"}},
		{"review:api:left", "api/a", nil},
		{"review:old:only", "web/a", nil},
		{"review:old:none", "api/a", nil},
		{"review:never:ran", "api/a", nil},
	} {
		var got []string
		for _, job := range c.gatesFor(test.job, []string{test.file}) {
			got = append(got, job.ID())
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s, %s: %q, want %q", test.job, test.file, got, test.want)
		}
	}
}

// Every scope except a range needs a target, which must be known.
func TestFindTarget(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	r := &Runner{Worktree: &worktree.Worktree{Repo: &diff.Repo{Root: root}, Config: &config.Config{BaseBranch: "main", Teams: map[string][]string{"core": {"src", "lib"}}}}}
	for name, test := range map[string]struct {
		scope  ledger.VerdictScope
		target string
		want   string // the target, the ends of the range and the paths
		says   string
	}{
		"nothing":           {"", "", "main..HEAD main HEAD", ""},
		"a range":           {ledger.ScopeChangeset, "a..b", "a..b a b", ""},
		"a folder":          {ledger.ScopePackage, "src", "src   src", ""},
		"a team":            {ledger.ScopeTeam, "core", "core   src lib", ""},
		"another team":      {ledger.ScopeTeam, "src", "", `no team is called "src": .gauntlet/config.yml lists the teams and their paths under teams:`},
		"without a folder":  {ledger.ScopePackage, "", "", "--scope package needs --target: a folder"},
		"without a file":    {ledger.ScopeFile, "", "", "--scope file needs --target: a file"},
		"without a team":    {ledger.ScopeTeam, "", "", "--scope team needs --target: a name under teams: in .gauntlet/config.yml"},
		"a folder's target": {ledger.ScopeChangeset, "src", "", `the target "src" is not a range of revisions such as "main..HEAD"`},
	} {
		s, err := r.findTarget(Options{Scope: test.scope, Target: test.target})
		if got := strings.Join(append([]string{s.target, s.revisions[0], s.revisions[1]}, s.paths...), " "); err == nil && got != test.want {
			t.Errorf("%s: %q", name, got)
		}
		if (err == nil) != (test.says == "") || err != nil && err.Error() != test.says {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHeadline(t *testing.T) {
	t.Parallel()
	two := &diff.Diff{Files: make([]diff.File, 2)}
	for want, c := range map[string]*codeReview{
		"Code review 0123abcd (full) of changeset a..b: 2 changed files":     {scope: reviewScope{scope: ledger.ScopeChangeset, target: "a..b", diff: two}},
		"Code review 0123abcd (full) of package src: 2 files":                {scope: reviewScope{scope: ledger.ScopePackage, target: "src", diff: two}},
		"Code review 0123abcd (full) of changeset a..b: 1 finding handed in": {scope: reviewScope{scope: ledger.ScopeChangeset, target: "a..b", diff: two}, options: Options{HandedIn: true, Findings: make([]verdict.FindingEntry, 1)}},
		"Code review 0123abcd (full) of package src: 0 findings handed in":   {scope: reviewScope{scope: ledger.ScopePackage, target: "src", diff: two}, options: Options{HandedIn: true}},
	} {
		c.info.ReviewID, c.options.Mode = "0123abcd", verdict.Full
		if got := c.headlineOfReview(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A review in which a reviewer gave no answer has no verdict.
func TestErrored(t *testing.T) {
	t.Parallel()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for name, test := range map[string]struct {
		ctx   context.Context
		erred int
		says  string
	}{
		"none": {t.Context(), 0, ""}, "interrupted": {stopped, 2, "context canceled"},
		"one": {t.Context(), 1, "1 reviewer is in error, so no verdict was written; see the logs in .code-review"},
		"two": {t.Context(), 2, "2 reviewers are in error, so no verdict was written; see the logs in .code-review"},
	} {
		err := (&codeReview{erred: test.erred}).errored(test.ctx)
		if (err == nil) != (test.says == "") || err != nil && err.Error() != test.says {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Handed-in findings are recorded under their domains.
func TestPlanFindings(t *testing.T) {
	t.Parallel()
	c := &codeReview{to: "tree", options: Options{Findings: []verdict.FindingEntry{{Domain: "b"}, {Domain: "a"}, {Domain: "b"}}}}
	c.planFindings()
	want := []ledger.GatePlan{{Job: "review:.:b", Name: "b"}, {Job: "review:.:a", Name: "a"}}
	for i := range want {
		want[i].Kind, want[i].EntryPoint, want[i].NumReviews = ledger.KindReview, ".", 1
		want[i].Slots = []ledger.PlannedSlot{{SlotPlan: ledger.SlotPlan{Index: 1}, Adapter: store.FindingsAdapter, Reviewed: "tree"}}
	}
	if d := cmp.Diff(want, c.gatePlans()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// heard keeps the warnings.
type heard struct {
	Console
	warnings []string
}

func (h *heard) Warn(texts ...string) { h.warnings = append(h.warnings, texts...) }

// Handed-in findings of a verification apply to the jobs of the review that have findings of their
// domain. A domain without such a job is named in a warning.
//
// Rule: The verdict counts what is open.
func TestPlanHandedIn(t *testing.T) {
	t.Parallel()
	console := &heard{}
	w := &worktree.Worktree{Repo: &diff.Repo{Head: "head"}, Config: &config.Config{}}
	c := &codeReview{Runner: &Runner{Worktree: w, Console: console}, diffs: w.Diffs(), to: "head", options: Options{HandedIn: true, Domains: []string{"data", "words"}}}
	c.state = &ledger.State{
		Gates: []ledger.Gate{
			{Job: "review:api:data", Name: "data", EntryPoint: "api"}, {Job: "review:web:data", Name: "data", EntryPoint: "web"}, {Job: "review:lib:data", Name: "data", EntryPoint: "lib"}, {Job: "review:api:words", Name: "words"},
		},
		Violations: []ledger.Violation{{ID: "V1", Slot: 1, Job: "review:api:data", Status: ledger.StatusFixed}, {ID: "V2", Slot: 1, Job: "review:lib:data", Status: ledger.StatusNew}},
	}
	if err := c.planHandedIn(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, job := range c.jobs {
		got = append(got, fmt.Sprintf("%s %s %s %d %d", job.ID, job.Entry, job.Name, job.Review.NumReviews, len(job.Slots[0].Claims)))
	}
	if d := cmp.Diff([]string{"review:api:data api data 1 1", "review:lib:data lib data 1 0", "review:.:words . words 1 0"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{`the verdict does not have a finding of the domain "words"`}, console.warnings); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// An answer to a verification has its own rules: nothing new is added to the verdict.
func TestSlotAnswer(t *testing.T) {
	t.Parallel()
	c := &codeReview{options: Options{HandedIn: true, Mode: verdict.Verify}, state: &ledger.State{}}
	a := &slots.Answer{Job: slots.Job{Job: config.Job{Name: "data"}}, Slot: slots.Slot{SlotPlan: ledger.SlotPlan{Index: 2}, Adapter: "a", Claims: []ledger.Violation{{ID: "V1"}}}}
	a.Slot.Reviewer = silent{}
	want := ledger.Rules{Slot: 2, WholeFiles: true, Verify: true, ByAbsence: true}
	got := c.slotAnswer(a)
	if got.Rules != want || !got.Asked["V1"] || !got.Listed["V1"] || got.Domain != "data" {
		t.Errorf("handed in: %+v", got)
	}
	c.options.HandedIn, want.ByAbsence, want.Adapter = false, false, "a"
	if got := c.slotAnswer(a); got.Rules != want {
		t.Errorf("of a reviewer: %+v", got.Rules)
	}
	c.options.Mode, want.WholeFiles, want.Verify = verdict.Full, false, false
	if got := c.slotAnswer(a); got.Rules != want {
		t.Errorf("of a review: %+v", got.Rules)
	}
}

// silent is a reviewer that must say what is fixed.
type silent struct{ clients.Reviewer }

func (silent) ByAbsence() bool { return false }

// begunLogs can only begin a log.
type begunLogs struct{ slots.Logs }

func (begunLogs) StartSlotLog(ledger.SlotLogHeader) (string, error) { return "", nil }

// Each job gets the findings of its domain, and what they say about its claims.
//
// Rule: A code review is apart from the loop.
func TestTakeHandedIn(t *testing.T) {
	t.Parallel()
	w := &worktree.Worktree{Repo: &diff.Repo{Root: t.TempDir()}, Config: &config.Config{}}
	job := func(id, domain string, claims ...ledger.Violation) slots.Job {
		return slots.Job{ID: id, Job: config.Job{Name: domain}, Slots: []slots.Slot{{Claims: claims}}}
	}
	c := &codeReview{asker: &slots.Asker{Worktree: w, Logs: begunLogs{}}, previous: previous{Verdict: verdict.Verdict{Findings: []verdict.Finding{{ID: "a-1", Violation: "V1"}, {ID: "b-1", Violation: "V2"}}}}}
	c.jobs = []slots.Job{job("review:x:a", "a", ledger.Violation{ID: "V1", ShortID: "v1"}), job("review:y:a", "a"), job("review:x:b", "b", ledger.Violation{ID: "V2", ShortID: "v2"})}
	c.options.Findings = []verdict.FindingEntry{{ID: "b-1", Domain: "b", Title: "one"}, {ID: "a-1", Domain: "a", Title: "two"}, {Domain: "a", Title: "three"}, {Domain: "c", Title: "four"}}
	c.options.Mode = verdict.Verify
	c.asked = map[string]*asked{}
	for _, job := range c.jobs {
		c.asked[job.ID] = &asked{answers: make([]*slots.Answer, 1)}
	}
	if err := c.takeHandedIn(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range c.given() {
		line := a.Job.ID
		for _, e := range a.Given.Entries {
			line += fmt.Sprintf(" %d=%s", e.Position, e.SameAs)
		}
		got = append(got, line)
	}
	if d := cmp.Diff([]string{"review:x:a 1=v1 2=", "review:y:a 1= 2=", "review:x:b 1=v2"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func worktreeOf(repo difftest.Repository) *worktree.Worktree {
	return &worktree.Worktree{Repo: repo.Open(), Config: &config.Config{LogDir: "logs"}}
}

// If the end of a range has other files when the reviewers have answered, they have not reviewed
// it. Another commit of the same files does not count as a change.
//
// Rule: A run passes only over code that its gates have seen.
func TestSameRange(t *testing.T) {
	t.Parallel()
	repo, commits := difftest.New(t), map[string]string{}
	for _, one := range []struct{ branch, text string }{{"here", "1\n"}, {"same", "1\n"}, {"other", "2\n"}} {
		repo.Write("f", one.text)
		commits[one.branch] = repo.Commit()
		repo.Git("branch", one.branch)
	}
	c := &codeReview{Runner: &Runner{Worktree: worktreeOf(repo)}}
	c.scope.to = commits["here"]
	for end, says := range map[string]string{
		"": "", "here": "", "same": "",
		"other": fmt.Sprintf(`"other" is the commit %.12s now, which was not reviewed: it was %.12s when the reviewers were asked; no verdict was written. Run again`, commits["other"], commits["here"]),
		"gone":  `revision "gone" does not name a commit in this repository; fetch it or give another`,
	} {
		c.scope.revisions[1] = end
		if err := c.sameRange(t.Context()); (err == nil) != (says == "") || err != nil && err.Error() != says {
			t.Errorf("%q: %v", end, err)
		}
	}
}

// Files that are not committed are named, if there are any: they are not part of a changeset.
//
// Rule: Nothing is left out without a word.
func TestWarnUncommitted(t *testing.T) {
	t.Parallel()
	repo := difftest.New(t)
	repo.Write("f", "1\n")
	repo.Commit()
	for text, want := range map[string][]string{"1\n": nil, "2\n": {"1 file is not committed, so not part of the changeset: f"}} {
		repo.Write("f", text)
		console, w := &heard{}, worktreeOf(repo)
		c := &codeReview{Runner: &Runner{Worktree: w, Console: console}, diffs: w.Diffs()}
		if err := errors.Join(c.takeSnapshot(t.Context()), c.warnUncommitted(t.Context())); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(console.warnings, want) {
			t.Errorf("%q: %q", text, console.warnings)
		}
		c.snapshot.Tree = strings.Repeat("1", 40)
		if err := c.warnUncommitted(t.Context()); err == nil {
			t.Error("of a tree that git does not have: no error")
		}
	}
}

// A verdict that the ledger does not know is restored from its file if the ledger has none of the
// worktree, and if it is newer than the ledger's and nothing counts there any more. Else the
// ledger's stays.
//
// Rule: A file settles no finding.
func TestAdoptVerdict(t *testing.T) {
	t.Parallel()
	repo := difftest.New(t)
	repo.Write("f", "1\n")
	repo.Commit()
	w := worktreeOf(repo)
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	of := func(id, timestamp, path, status string) verdict.Document {
		return verdict.Document{ReviewID: id, Timestamp: timestamp, Scope: "changeset", Target: "main..HEAD", Mode: "full", Verdict: "FAIL", ReviewDocument: path, Findings: []verdict.FindingEntry{
			{ID: "data-252f10c8-0", Domain: "data", Severity: "Blocker", Confidence: 1, File: "f", Title: "t", Recommendation: "r", Status: status},
		}}
	}
	const hour11, hour12, document = "2026-03-02T11:00:00Z", "2026-03-02T12:00:00Z", "docs/code-reviews/2026-03-02-changeset-0123abcd.md"
	if !verdict.IsReviewDocument(document, "0123abcd") {
		t.Fatalf("%q is not the path of a review document", document)
	}
	restored := "the verdict 0123abcd was not in the ledger and was restored from .code-review/review-latest.json"
	for name, test := range map[string]struct {
		before, d verdict.Document // before is in the ledger, if it has an id
		want      string           // review, status of its finding, its document
		warnings  []string
	}{
		"into an empty ledger": {d: of("0123abcd", hour11, document, "fixed"), want: "0123abcd fixed " + document, warnings: []string{restored}},
		"without a document":   {d: of("0123abcd", hour11, "", "wont_fix"), want: "0123abcd skipped ", warnings: []string{restored}},
		"without a time":       {d: of("0123abcd", "", document, "open"), want: "0123abcd new " + document, warnings: []string{restored}},
		"a verified finding":   {d: of("0123abcd", hour11, document, "verified"), want: "0123abcd fixed " + document, warnings: []string{restored}},
		"an impossible path": {d: of("0123abcd", hour11, "../other.md", "open"), want: "0123abcd new ", warnings: []string{
			`.code-review/review-latest.json: "reportPath" is "../other.md", which is not a valid path of a review document, so none is written`, restored,
		}},
		"newer, and all is settled": {of("deadbeef", hour11, "", "wont_fix"), of("0123abcd", hour12, document, "open"), "0123abcd new " + document, []string{restored}},
		"newer, but a finding counts": {of("deadbeef", hour11, "", "open"), of("0123abcd", hour12, document, "wont_fix"), "deadbeef new ", []string{
			`.code-review/review-latest.json belongs to review "0123abcd", which is not in the ledger, and in review deadbeef 1 finding is not settled; it was restored from the ledger (another tool hands its findings in with ` + "`reviewledger code-review --findings FILE`)",
		}},
		"not newer": {of("deadbeef", hour12, "", "wont_fix"), of("0123abcd", hour12, document, "open"), "deadbeef skipped ", []string{
			`.code-review/review-latest.json belongs to review "0123abcd", which is not in the ledger and not newer than review deadbeef; it was restored from the ledger`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), store.Options{Now: func() time.Time { return now }})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			r := &Runner{Worktree: w, Ledger: l, Now: func() time.Time { return now }, Console: &heard{}}
			if test.before.ReviewID != "" {
				if _, err := r.restoreVerdict(t.Context(), test.before); err != nil {
					t.Fatal(err)
				}
			}
			console := &heard{}
			r.Console = console
			latest, err := r.review(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			v, err := r.adoptVerdict(t.Context(), test.d, latest)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprintf("%s %s %s", v.ReviewID, v.Findings[0].Status, v.ReviewDocument); got != test.want || v.Run == "" {
				t.Errorf("%q, want %q; %+v", got, test.want, v)
			}
			if d := cmp.Diff(test.warnings, console.warnings); d != "" {
				t.Errorf("warnings (-want +got):\n%s", d)
			}
		})
	}
}

// begun opens a ledger in which a code review of the jobs has begun.
func begun(t *testing.T, jobs ...slots.Job) (*store.Store, *codeReview) {
	t.Helper()
	l, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := l.StartReview(t.Context(), ledger.Run{Kind: ledger.KindCodeReview, Worktree: "/r", LogDir: verdict.Dir}, verdict.CodeReview{ReviewID: "0123abcd", Scope: ledger.ScopeFile, Target: "f"})
	if err != nil {
		t.Fatal(err)
	}
	c := &codeReview{state: &ledger.State{Run: run}, jobs: jobs}
	if c.recorder, err = l.BeginIteration(t.Context(), run.ID, ledger.Iteration{Number: 1, Mode: ledger.ModeFirst, Source: ledger.SourceFiles}, c.gatePlans()); err != nil {
		t.Fatal(err)
	}
	return l, c
}

// Each gate ends as its slots did. One that nobody could review has ended before, and one that was not
// begun ends with the iteration.
func TestFinishGates(t *testing.T) {
	t.Parallel()
	var jobs []slots.Job
	answered := map[string]*asked{}
	job := func(id, unfillable string, statuses ...ledger.SlotStatus) {
		j := slots.Job{ID: id, Unfillable: unfillable, Job: config.Job{Kind: config.KindReview, Entry: "src", Name: id, Review: &config.Review{NumReviews: 2}}}
		a := &asked{answers: make([]*slots.Answer, 2), took: 2 * time.Second}
		for n, status := range statuses {
			j.Slots = append(j.Slots, slots.Slot{SlotPlan: ledger.SlotPlan{Index: n + 1}, Adapter: "a"})
			a.answers[n] = &slots.Answer{Status: status}
		}
		jobs, answered[id] = append(jobs, j), a
	}
	job("pass", "", ledger.SlotPass, ledger.SlotPass)
	job("nobody", "no reviewer")
	job("fail", "", ledger.SlotPass, ledger.SlotFail)
	job("silent", "", ledger.SlotPass, ledger.SlotError)
	job("stopped", "", ledger.SlotInterrupted, ledger.SlotPass)
	job("none", "")
	l, c := begun(t, jobs...)
	defer l.Close()
	c.asked = answered
	if err := c.finishGates(t.Context()); err != nil {
		t.Fatal(err)
	}
	state, err := l.State(t.Context(), c.state.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, gate := range state.Gates {
		got = append(got, fmt.Sprintf("%s %s %s (%s)", gate.Job, gate.Status, gate.Duration, gate.Reason))
	}
	want := []string{
		"pass passed 2s (2 passed, 0 failed, 0 in error, 0 skipped)", "nobody error 0s (no reviewer)", "fail failed 2s (1 passed, 1 failed, 0 in error, 0 skipped)",
		"silent error 2s (1 passed, 0 failed, 1 in error, 0 skipped)", "stopped interrupted 2s (1 passed, 0 failed, 1 in error, 0 skipped)", "none running 0s ()",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// unwritable can begin no log.
type unwritable struct{ slots.Logs }

func (unwritable) StartSlotLog(ledger.SlotLogHeader) (string, error) { return "", os.ErrPermission }

func (h *heard) Planned([]ledger.Running) {}

func (h *heard) GateStarted(job string) { h.warnings = append(h.warnings, "started "+job) }

func (h *heard) CheckDone(job string, result ledger.CheckResult, _ string) {
	h.warnings = append(h.warnings, job+": "+result.Reason)
}

// A log that cannot be written ends the review. A gate without a reviewer is shown, and after an
// interrupt no gate begins.
func TestAsk(t *testing.T) {
	t.Parallel()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	job := slots.Job{ID: "review:src:data", Job: config.Job{Review: &config.Review{}}, Slots: make([]slots.Slot, 2)}
	none := job
	none.Unfillable = "no reviewer"
	for name, test := range map[string]struct {
		ctx    context.Context
		job    slots.Job
		failed bool
		want   []string
	}{
		"without a log": {t.Context(), job, true, []string{"started review:src:data"}}, "without a reviewer": {t.Context(), none, false, []string{"review:src:data: no reviewer"}}, "interrupted": {stopped, job, false, nil},
	} {
		console := &heard{}
		w := &worktree.Worktree{Config: &config.Config{}}
		c := &codeReview{Runner: &Runner{Worktree: w, Now: time.Now}, jobs: []slots.Job{test.job}, asker: &slots.Asker{Worktree: w, Logs: unwritable{}, Progress: console}}
		c.asked = map[string]*asked{test.job.ID: {answers: make([]*slots.Answer, 2)}}
		if err := c.ask(test.ctx); errors.Is(err, os.ErrPermission) != test.failed || (err != nil) != test.failed || len(c.given()) > 0 || !slices.Equal(console.warnings, test.want) {
			t.Errorf("%s: %v, %q", name, err, console.warnings)
		}
	}
}
