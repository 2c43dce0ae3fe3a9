package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/reviewledger/reviewledger/export/dashboard"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/lists"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/store/storetest"
	"github.com/reviewledger/reviewledger/ledger/team"
	"github.com/reviewledger/reviewledger/ledger/team/ask"
	"github.com/reviewledger/reviewledger/ledger/team/push"
	"github.com/reviewledger/reviewledger/ledger/team/teamtest"
)

// histories returns scripts whose ledgers together have rows of every kind: open, abandoned and
// interrupted runs, code reviews, checks, discarded reports, skips that are remembered, met and
// forgotten, lines that come back, and lines that moved.
func histories() []string {
	return []string{
		"loop", "query_abandoned", "query_recurring", "search_words", "skips_remembered", "falsepass_status_taken_back",
		"verdict_lifecycle", "marks_verdict", "slots_checks", "identity_same_as", "scope_threshold", "budget_reached",
		"fault_killed_run", "results_hostile_text", "slots_listings", "falsepass_moved_code",
	}
}

// bothStores is the same history in a ledger and in a team store.
type bothStores struct {
	t         *testing.T
	path, url string
}

// newBothStores merges the ledgers of the scripts and a generated one, and pushes the result to a
// server.
func newBothStores(t *testing.T) bothStores {
	t.Helper()
	both := bothStores{t, filepath.Join(t.TempDir(), "ledger.db"), teamtest.URL(t)}
	folder := t.TempDir()
	// Runs are imported in order of time, as in a real ledger. No two of them overlap.
	generated := filepath.Join(t.TempDir(), "generated.db")
	if err := storetest.Generate(t.Context(), generated, storetest.Size{Runs: 22, Iterations: 2, Violations: 8}, time.Now()); err != nil {
		t.Fatal(err)
	}
	dumpTo(t, generated, folder, "")
	t.Run("scripts", func(t *testing.T) {
		var files []string
		for _, name := range histories() {
			files = append(files, filepath.Join("testdata", "script", name+".txtar"))
		}
		testscript.RunT(oneByOne{t}, testscript.Params{
			Files: files, RequireExplicitExec: true, Cmds: scriptCommands(), Condition: scriptCondition,
			Setup: func(env *testscript.Env) error {
				env.Defer(func() { dumpAll(t, env.WorkDir, folder) })
				return setUp(env)
			},
		})
	})
	both.importAll(folder)
	both.push(exchange.ContentFull)
	return both
}

func (b bothStores) importAll(folder string) {
	b.t.Helper()
	dumps, err := filepath.Glob(filepath.Join(folder, "*.ndjson"))
	if err != nil || len(dumps) <= len(histories()) {
		b.t.Fatalf("%d ledgers of %d scripts, %v", len(dumps), len(histories()), err)
	}
	for _, dump := range dumps {
		if _, said, code := b.run("--db", b.path, "import", dump); code != exitPassed {
			b.t.Fatalf("import %s: %s", dump, said)
		}
	}
}

// oneByOne runs scripts one after another.
type oneByOne struct{ *testing.T }

// Parallel implements [testscript.T].
func (oneByOne) Parallel() {}

// Run implements [testscript.T].
func (o oneByOne) Run(name string, script func(testscript.T)) {
	o.T.Run(name, func(t *testing.T) { script(oneByOne{t}) })
}

// Verbose implements [testscript.T].
func (oneByOne) Verbose() bool { return testing.Verbose() }

// dumpAll writes a dump of each ledger below a folder to another folder.
func dumpAll(t *testing.T, below, folder string) {
	err := filepath.WalkDir(below, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == "ledger.db" {
			dumpTo(t, path, folder, filepath.Base(below)+"-"+url.PathEscape(path[len(below):]))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// dumpTo writes a dump with a name that sorts after those in the folder. A repository without a
// name gets one, because each can have only one open run. Runs are dumped in order of time, which
// is not the order of a generated ledger.
func dumpTo(t *testing.T, path, folder, name string) {
	l, err := store.OpenReadOnly(context.Background(), path, store.Options{})
	if err != nil {
		t.Error(err)
		return
	}
	var out bytes.Buffer
	w := exchange.NewWriter(&out)
	kind := string(ledger.RepositoryConfigured)
	var runs []*exchange.Run
	err = l.Dump(context.Background(), func(record any) error {
		switch r := record.(type) {
		case *exchange.Run:
			if name != "" {
				r.Head.Repository, r.Head.RepositoryKind = name, kind
			}
			runs = append(runs, r)
			return nil
		case exchange.File:
			if name != "" {
				r.Repository, r.RepositoryKind = name, kind
			}
			record = r
		case exchange.End:
			slices.SortStableFunc(runs, func(a, b *exchange.Run) int {
				return strings.Compare(string(a.Head.StartedAt), string(b.Head.StartedAt))
			})
			for _, run := range runs {
				if err := w.Put(run); err != nil {
					return err
				}
			}
		}
		return w.Put(record)
	})
	there, globbing := filepath.Glob(filepath.Join(folder, "*.ndjson"))
	file := filepath.Join(folder, fmt.Sprintf("%03d.ndjson", len(there)))
	if err := errors.Join(err, globbing, l.Close(), os.WriteFile(file, out.Bytes(), 0o600)); err != nil {
		t.Error(err)
	}
}

func (b bothStores) push(content exchange.Content) {
	b.t.Helper()
	o := team.Options{URL: b.url, Write: true}
	if _, err := push.Migrate(b.t.Context(), o, push.Roles{}); err != nil {
		b.t.Fatal(err)
	}
	s, err := push.Open(b.t.Context(), o)
	if err != nil {
		b.t.Fatal(err)
	}
	defer s.Close()
	l, err := store.OpenReadOnly(b.t.Context(), b.path, store.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	done, err := s.PushLedger(b.t.Context(), l, push.Sending{Source: push.Source{Content: content}})
	if err := errors.Join(err, l.Close()); err != nil || done.Pushed == 0 {
		b.t.Fatalf("%+v, %v", done, err)
	}
}

// run runs a command line.
func (b bothStores) run(args ...string) (stdout, stderr string, code int) {
	var out, said bytes.Buffer
	code = run(b.t.Context(), environment{
		args: args, stdin: strings.NewReader(""), stdout: &out, stderr: &said,
		getenv: func(name string) string {
			if name == teamVariable {
				return b.url
			}
			return ""
		},
		dir: b.t.TempDir(),
	})
	return out.String(), said.String(), code
}

// compare runs a command line on both stores and compares the output.
func (b bothStores) compare(args ...string) (rows string) {
	b.t.Helper()
	local, said, code := b.run(slices.Concat([]string{"--db", b.path}, args)...)
	remote, teamSaid, teamCode := b.run(append(slices.Clone(args), "--team")...)
	if code != teamCode {
		b.t.Errorf("%q: exit code %d (%s), with --team %d (%s)", args, code, said, teamCode, teamSaid)
		return local
	}
	if code != exitPassed {
		said, teamSaid = strings.ReplaceAll(said, b.path, ""), strings.ReplaceAll(teamSaid, " --team", "")
		if diff := cmp.Diff(lastSentence(said), lastSentence(teamSaid)); diff != "" {
			b.t.Errorf("%q: error (-ledger +team):\n%s", args, diff)
		}
		return local
	}
	b.same(strings.Join(args, " "), local, remote)
	return local
}

// lastSentence returns an error without its subject, which names the store.
func lastSentence(said string) string {
	line, _, _ := strings.Cut(said, "\n")
	if i := strings.LastIndex(line, ": "); i >= 0 {
		line = line[i:]
	}
	return line
}

// same compares two JSON texts, except for what never leaves a machine.
func (b bothStores) same(what, local, remote string) {
	b.t.Helper()
	in, out := map[string]any{}, map[string]any{}
	flatten(in, "", onTeam(b.t, local, true))
	flatten(out, "", onTeam(b.t, remote, false))
	var lines []string
	for path, value := range in {
		if other, there := out[path]; !there || other != value {
			lines = append(lines, fmt.Sprintf("%s: %v, with --team %v", path, value, other))
		}
	}
	for path, value := range out {
		if _, there := in[path]; !there {
			lines = append(lines, fmt.Sprintf("%s: nothing, with --team %v", path, value))
		}
	}
	if slices.Sort(lines); len(lines) > 0 {
		b.t.Errorf("%s: %d values differ:\n%s", what, len(lines), strings.Join(lines[:min(len(lines), 12)], "\n"))
	}
}

// flatten adds the values of a JSON value by their paths.
func flatten(into map[string]any, path string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for key, inside := range v {
			flatten(into, path+"."+key, inside)
		}
	case []any:
		into[path+".length"] = len(v)
		for i, inside := range v {
			flatten(into, fmt.Sprintf("%s[%d]", path, i), inside)
		}
	default:
		into[path] = value
	}
}

// keptLocal returns the keys whose values stay on the machine. They are null in a team store.
func keptLocal() []string { return []string{"excerpt", "worktree", "command", "confirmed"} }

// worktrees matches the paths of the scripts' worktrees, which are removed from texts.
var worktrees = regexp.MustCompile(`/[^" ]*/script-[a-z_]+`)

// onTeam returns a JSON text as a team store would have it.
func onTeam(t *testing.T, text string, local bool) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v: %.200s", err, text)
	}
	return teamValue(value, local)
}

func teamValue(value any, local bool) any {
	switch v := value.(type) {
	case map[string]any:
		for key, inside := range v {
			if key == "text" { // a log, a prompt or an answer, which is sent unchanged
				continue
			}
			_, said := inside.(string) // the excerpt of a report is an object, which is sent
			if v[key] = teamValue(inside, local); local && said && slices.Contains(keptLocal(), key) {
				v[key] = nil
			}
		}
	case []any:
		for i := range v {
			v[i] = teamValue(v[i], local)
		}
	case string:
		if local {
			return worktrees.ReplaceAllString(v, "<worktree>")
		}
		return strings.TrimSuffix(v, " --team") // a command that lists what is counted
	}
	return value
}

// ago returns a time that is passed to both stores.
func ago(d time.Duration) string { return time.Now().Add(-d).UTC().Format(time.RFC3339) }

const day = 24 * time.Hour

// filtersOf returns the flags of filters of every kind, with names that the history has.
func filtersOf(names map[string][]string) (lists [][]string) {
	lists = [][]string{
		{}, {"--open"}, {"--recurring"}, {"--alone"}, {"--in-fix-lines"}, {"--since", ago(time.Hour)}, {"--until", "2026-01-01"}, {"--reported-since", ago(20 * day)},
		{"--event", "verified"}, {"--event", "reopened", "--event-iteration", "2"}, {"--event", "skipped", "--event-since", ago(day)},
		{"--reason", "false_positive"}, {"--reason", "none"}, {"--iteration", "2"}, {"--slot", "2"},
		{"--model", "unknown"}, {"--repository", "unknown"}, {"--file", "src/**"}, {"--file", "**/*.go"}, {"--file", "*"}, {"--open", "--priority", "high,critical", "--alone"},
	}
	for _, status := range ledger.ShownStatuses() {
		lists = append(lists, []string{"--status", string(status)})
	}
	for _, priority := range ledger.Priorities() {
		lists = append(lists, []string{"--priority", string(priority)})
	}
	for _, flag := range []string{"run", "branch", "gate", "entry-point", "adapter", "model", "repository", "file", "fingerprint"} {
		for _, value := range names[flag] {
			lists = append(lists, []string{"--" + flag, value})
		}
	}
	return lists
}

// names returns a few values for each filter.
func (b bothStores) names() map[string][]string {
	b.t.Helper()
	l, err := store.OpenReadOnly(b.t.Context(), b.path, store.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	defer l.Close()
	all, err := l.Names(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	found, err := l.Violations(b.t.Context(), ledger.ViolationFilter{})
	if err != nil {
		b.t.Fatal(err)
	}
	names := map[string][]string{
		"gate": all.Gates, "entry-point": all.EntryPoints, "adapter": all.Adapters, "repository": all.Repositories,
	}
	for i, v := range found {
		if i%(len(found)/8+1) == 0 {
			names["run"], names["file"], names["id"] = append(names["run"], v.Run), append(names["file"], v.Place.File), append(names["id"], v.ID, v.ShortID)
			if v.Fingerprint != "" {
				names["fingerprint"] = append(names["fingerprint"], v.Fingerprint)
			}
		}
	}
	runs, err := l.Runs(b.t.Context(), ledger.RunFilter{})
	if err != nil {
		b.t.Fatal(err)
	}
	for _, run := range runs {
		names["every run"] = append(names["every run"], run.ID)
		if run.Branch != "" {
			names["branch"] = append(names["branch"], run.Branch)
		}
	}
	for name, values := range names {
		slices.Sort(values)
		if values = slices.Compact(values); name != "every run" {
			values = values[:min(len(values), 6)]
		}
		names[name] = values
	}
	return names
}

var conformance = flag.Bool("team.conformance", false, "compare the answers of a team store with those of a ledger")

// TestTeamStoreAnswersAsTheLedger runs the same queries on both stores. It is what keeps them
// alike: a new query or filter must be added here.
func TestTeamStoreAnswersAsTheLedger(t *testing.T) {
	if !*conformance {
		t.Skip("takes minutes; .ci/slow runs it with -team.conformance")
	}
	both := newBothStores(t)
	names := both.names()
	every := filtersOf(names)
	t.Run("violations", func(t *testing.T) {
		b := both.in(t)
		for _, filter := range every {
			b.compare(slices.Concat([]string{"violations", "--format", "json"}, filter)...)
		}
		for _, sort := range ledger.Sorts() {
			b.compare("violations", "--format", "json", "--sort", string(sort))
			b.compare("violations", "--format", "json", "--sort", string(sort), "--limit", "7", "--open")
		}
		b.compare("violations", "--format", "json", "--gate", "no-such-gate")
		b.compare("violations", "--format", "json", "--run", "no-such-run")
	})
	t.Run("discarded", func(t *testing.T) {
		b := both.in(t)
		for _, filter := range [][]string{
			{}, {"--disposition", "below_threshold"}, {"--disposition", "out_of_diff,malformed,remembered_skip"}, {"--limit", "3"}, {"--priority", "low,medium"},
			{"--since", ago(time.Hour)}, {"--file", "**"}, {"--iteration", "2"}, {"--slot", "1"},
		} {
			b.compare(slices.Concat([]string{"violations", "--discarded", "--format", "json"}, filter)...)
		}
	})
	t.Run("runs", func(t *testing.T) {
		b := both.in(t)
		for _, filter := range [][]string{
			{}, {"--status", "failed,error"}, {"--status", "abandoned"}, {"--kind", "code_review"}, {"--kind", "gates", "--limit", "5"}, {"--since", ago(time.Hour)}, {"--until", "2026-01-01"},
			{"--branch", "no-such-branch"},
		} {
			b.compare(slices.Concat([]string{"runs", "--format", "json"}, filter)...)
		}
		for _, branch := range names["branch"] {
			b.compare("runs", "--format", "json", "--branch", branch)
		}
	})
	t.Run("show", func(t *testing.T) {
		b := both.in(t)
		for _, run := range names["every run"] {
			b.compare("show", run, "--format", "json")
		}
		b.compare("show", "--format", "json")
		b.compare("show", "last~3", "--format", "json")
		b.compare("show", "last~100000", "--format", "json")
		b.compare("show", "0", "--format", "json")
		b.compare("compare", "last", "last~2", "--format", "json")
		for i, run := range names["run"] {
			b.compare("compare", run, names["run"][(i+1)%len(names["run"])], "--format", "json")
		}
	})
	t.Run("history", func(t *testing.T) {
		b := both.in(t)
		var listed []struct{ ID string }
		if err := json.Unmarshal([]byte(b.compare("violations", "--format", "json", "--status", "skipped,verified,reopened,fixed,new")), &listed); err != nil {
			t.Fatal(err)
		}
		for i, v := range listed {
			if i%(len(listed)/60+1) == 0 {
				b.compare("history", v.ID, "--format", "json")
			}
		}
		for _, id := range append(names["id"], "zzzzzz", "0", "") {
			b.compare("history", id, "--format", "json")
		}
	})
	t.Run("report", func(t *testing.T) {
		b := both.in(t)
		for _, filter := range [][]string{
			{}, {"--since", ago(time.Hour)}, {"--since", ago(30 * day)}, {"--since", "2025-06-01", "--until", "2026-06-01"}, {"--top", "0"}, {"--top", "3"},
			{"--model", "unknown"}, {"--repository", "unknown"},
		} {
			b.compare(slices.Concat([]string{"report", "--format", "json"}, filter)...)
		}
		for _, flag := range []string{"run", "branch", "gate", "entry-point", "adapter", "repository"} {
			for _, value := range names[flag] {
				b.compare("report", "--format", "json", "--"+flag, value)
				b.compare("report", "--format", "json", "--"+flag, value, "--since", ago(10*day))
			}
		}
	})
	t.Run("search", func(t *testing.T) {
		b := both.in(t)
		for _, words := range []string{"error", "the", "call 1*", `"is not handled"`, "failure -passes", "nothing-like-this", "ünïcode", "a b c", "handle", "file*"} {
			b.compare("search", words, "--format", "json")
			b.compare("search", words, "--format", "json", "--limit", "3", "--open")
			b.compare("search", words, "--format", "json", "--limit", "0", "--priority", "high")
		}
	})
	t.Run("pages", func(t *testing.T) { both.in(t).pages(names) })
	t.Run("cursors", func(t *testing.T) { both.in(t).cursors() })
	t.Run("worktree", func(t *testing.T) {
		b := both.in(t)
		for _, command := range []string{"runs", "violations", "report", "search x"} {
			_, said, code := b.run(append(strings.Fields(command), "--team", "--worktree", "/work")...)
			if code != exitError || !strings.Contains(said, "does not know worktrees: omit --worktree") {
				t.Errorf("%s: exit code %d, %s", command, code, said)
			}
		}
	})
}

// in returns b for a subtest.
func (b bothStores) in(t *testing.T) bothStores {
	b.t = t
	return b
}

// pages compares the pages' formats for programs, and checks that the pages for people work too.
func (b bothStores) pages(names map[string][]string) {
	local := showPages(b.t, b.path)
	s, err := ask.Open(b.t.Context(), team.Options{URL: b.url, Connections: teamConnections})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(s.Close)
	remote := serve(b.t, dashboard.Options{Ledger: watchedTeam{s}})
	addresses := []string{
		"/", "/?since=" + ago(30*day), "/runs", "/runs?status=failed", "/runs?kind=code_review", "/violations", "/violations?open=1&sort=priority", "/violations?discarded=1",
		"/violations?q=error", "/violations?recurring=1", "/reviewers", "/reviewers?since=" + ago(30*day), "/files", "/files?sort=open", "/skips", "/checks", "/verdicts",
	}
	for _, name := range []string{"gate", "adapter", "repository", "branch"} {
		for _, value := range names[name] {
			for _, page := range []string{"/", "/violations", "/reviewers", "/files", "/skips", "/checks"} {
				addresses = append(addresses, page+"?"+url.Values{name: {value}}.Encode())
			}
		}
	}
	for i, run := range names["every run"] {
		addresses = append(addresses, "/runs/"+run)
		if i > 0 && i%5 == 0 {
			addresses = append(addresses, "/compare?a="+run+"&b="+names["every run"][i-1])
		}
	}
	for _, id := range names["id"] {
		addresses = append(addresses, "/violations/"+id)
	}
	addresses = append(addresses, local.logs()...)
	for _, address := range addresses {
		separator := "?"
		if strings.Contains(address, "?") {
			separator = "&"
		}
		b.same(address, local.get(address+separator+"format=json", http.StatusOK), remote.get(address+separator+"format=json", http.StatusOK))
		remote.get(address, http.StatusOK)
	}
	b.figures(local, remote)
}

// shownOnce matches parts of pages that depend on the moment or the machine: the worktrees of open
// runs, and the commands of checks.
var shownOnce = regexp.MustCompile(`data-version="[^"]*"|<footer>[^\n]*|<p class="w">[^\n]*|(</a>)<span class="path">[^<]*</span>`)

// figures compares the HTML of pages of figures, which query less than their formats for programs.
func (b bothStores) figures(local, remote *shownPages) {
	for _, address := range []string{
		"/", "/?since=" + ago(30*day), "/reviewers", "/files", "/files?sort=open", "/files?sort=reopened", "/files?since=" + ago(30*day),
		"/checks", "/verdicts",
	} {
		in, out := shownOnce.ReplaceAllString(local.get(address, http.StatusOK), "$1"), shownOnce.ReplaceAllString(remote.get(address, http.StatusOK), "$1")
		if diff := cmp.Diff(strings.Split(in, "\n"), strings.Split(out, "\n")); diff != "" {
			b.t.Errorf("%s (-ledger +team):\n%.6000s", address, diff)
		}
	}
}

// logs returns the paths of texts that runs left behind.
func (p *shownPages) logs() (list []string) {
	for _, address := range addresses.FindAllStringSubmatch(p.get("/runs", http.StatusOK), -1) {
		if run, ok := strings.CutPrefix(address[1], "/runs/"); ok && len(list) < 40 {
			for _, found := range addresses.FindAllStringSubmatch(p.get("/runs/"+run, http.StatusOK), -1) {
				if strings.HasPrefix(found[1], "/log/") && !strings.Contains(found[1], "raw=") {
					list = append(list, strings.ReplaceAll(found[1], "&amp;", "&"))
				}
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// cursors compares lists that are read in pages.
func (b bothStores) cursors() {
	l, err := store.OpenReadOnly(b.t.Context(), b.path, store.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	s, err := ask.Open(b.t.Context(), team.Options{URL: b.url})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		s.Close()
		if err := l.Close(); err != nil {
			b.t.Error(err)
		}
	})
	for _, order := range ledger.Sorts() {
		for _, f := range []ledger.ViolationFilter{{}, {Statuses: ledger.OpenStatuses()}, {Priorities: []ledger.Priority{ledger.High, ledger.Low}}} {
			f.Sort, f.Limit = order, 13
			if diff := cmp.Diff(b.inPages(l, f), b.inPages(s, f)); diff != "" {
				b.t.Errorf("%+v (-ledger +team):\n%.2000s", f, diff)
			}
		}
		for _, q := range []questions{l, s} {
			if _, err := q.Violations(b.t.Context(), ledger.ViolationFilter{Sort: order, After: "nonsense"}); !errors.Is(err, ledger.ErrCursor) {
				b.t.Errorf("%s: error %v, want %v", order, err, ledger.ErrCursor)
			}
		}
	}
	for _, f := range []ledger.ViolationFilter{{}, {Priorities: []ledger.Priority{ledger.High, ledger.Low}}, {File: "**"}} {
		f.Limit = 2
		if diff := cmp.Diff(b.discardsInPages(l, f), b.discardsInPages(s, f)); diff != "" {
			b.t.Errorf("discarded, %+v (-ledger +team):\n%.2000s", f, diff)
		}
	}
	for _, q := range []questions{l, s} {
		if _, err := q.Discarded(b.t.Context(), ledger.ViolationFilter{After: "nonsense"}, nil); !errors.Is(err, ledger.ErrCursor) {
			b.t.Errorf("discarded: error %v, want %v", err, ledger.ErrCursor)
		}
		if _, err := q.Runs(b.t.Context(), ledger.RunFilter{Before: "nonsense"}); !errors.Is(err, ledger.ErrCursor) {
			b.t.Errorf("error %v, want %v", err, ledger.ErrCursor)
		}
	}
}

// inPages returns the IDs of a list that is read page by page.
func (b bothStores) inPages(q questions, f ledger.ViolationFilter) (ids []string) {
	b.t.Helper()
	for {
		found, err := q.Violations(b.t.Context(), f)
		if err != nil {
			b.t.Fatal(err)
		}
		for _, v := range found {
			ids = append(ids, v.ID)
		}
		if len(found) < f.Limit {
			return ids
		}
		f.After = lists.Cursor(f.Sort, found[len(found)-1])
	}
}

// discardsInPages returns the discarded reports, read page by page. It removes the cursors, which
// only the store that created them can read.
func (b bothStores) discardsInPages(q questions, f ledger.ViolationFilter) (all []ledger.Report) {
	b.t.Helper()
	for {
		found, err := q.Discarded(b.t.Context(), f, nil)
		if err != nil {
			b.t.Fatal(err)
		}
		for _, d := range found {
			f.After, d.Cursor = d.Cursor, ""
			all = append(all, d)
		}
		if len(found) == f.Limit {
			continue
		}
		if len(all) <= f.Limit {
			b.t.Errorf("%+v: %d reports are one page", f, len(all))
		}
		return all
	}
}
