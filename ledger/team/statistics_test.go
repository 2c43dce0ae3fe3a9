package team_test

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/statistics"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/store/storetest"
	"github.com/reviewledger/reviewledger/ledger/team/push"
	"github.com/reviewledger/reviewledger/ledger/team/teamtest"
)

// variedSQL varies everything that statistics count in a generated ledger: repositories, branches,
// models, checks, trees, costs, and events on many days.
const variedSQL = `
	INSERT INTO jobs (id, job, kind, entry_point, name) VALUES (3, 'review:web:access', 'review', 'web', 'access');
	INSERT INTO repositories (id, kind, key) VALUES (2, 'origin', 'github.com/a/one'), (3, 'origin', 'github.com/a/two');
	UPDATE runs SET repository_id = 1 + id % 3, started_at = strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-01', '+' || (id * 41) || ' hours'),
		finished_at = strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-01', '+' || (id * 41) || ' hours', '+' || (id * 77) || ' seconds'), iterations = 1 + id % 3;
	UPDATE runs SET branch = CASE id % 6 WHEN 0 THEN NULL WHEN 1 THEN 'main' WHEN 3 THEN 'release' WHEN 5 THEN 'main@2026-01-1' ELSE 'feature-2' END,
		base_ref = CASE WHEN id % 6 = 5 THEN 'main@2026-01-1' WHEN id % 4 = 1 THEN 'origin/release' ELSE 'main' END;
	UPDATE runs SET status = 'passed' WHERE id % 5 = 1;
	UPDATE runs SET status = 'failed', finished_at = NULL WHERE id % 7 = 2;
	UPDATE runs SET status = 'abandoned' WHERE id % 6 = 3 AND finished_at IS NOT NULL;
	UPDATE iterations SET tree = printf('%040x', id % 9), started_at = (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', r.started_at, '+' || (number * 13) || ' minutes') FROM runs AS r WHERE r.id = run_id);
	INSERT INTO gates (iteration_id, job_id, status, duration_ms, command, started_at)
	SELECT id, 2, CASE id % 4 WHEN 0 THEN 'failed' WHEN 1 THEN 'error' ELSE 'passed' END, id * id * 37, 'make lint', started_at FROM iterations ORDER BY id;
	PRAGMA foreign_keys = OFF;
	UPDATE gates SET job_id = 3 WHERE job_id = 1 AND iteration_id % 3 = 0;
	UPDATE slots SET job_id = 3 WHERE job_id = 1 AND iteration_id % 3 = 0;
	PRAGMA foreign_keys = ON;
	UPDATE slots SET model = CASE id % 3 WHEN 0 THEN NULL ELSE 'model-' || (id % 3) END, cost_usd = CASE id % 5 WHEN 0 THEN NULL ELSE id * 0.0123 END, input_tokens = nullif(id % 4, 0) * 1000,
		duration_ms = id * id * 91, accepted = id % 7, out_of_diff = id % 3, malformed = id % 2, carried = id % 5, reopened = id % 4,
		finished_at = (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', i.started_at, '+5 minutes') FROM iterations AS i WHERE i.id = iteration_id);
	UPDATE slots SET status = 'error', error_kind = 'timeout' WHERE id % 11 = 4;
	UPDATE slots SET status = 'pass' WHERE id % 11 = 5;
	UPDATE slots SET status = 'skipped_prior_pass', pass_iteration = 1 WHERE id % 11 = 6 AND iteration_id IN (SELECT i.id FROM iterations AS i WHERE i.number > 1);
	UPDATE violations SET job_id = (SELECT g.job_id FROM gates AS g JOIN iterations AS i ON i.id = g.iteration_id WHERE i.run_id = violations.run_id AND i.number = first_iteration AND g.job_id <> 2),
		fingerprint = CASE id % 13 WHEN 0 THEN NULL ELSE printf('%032x', id % 17) END,
		in_fix_lines = id % 5 = 0, shared = id % 4 = 0, file = CASE id % 6 WHEN 0 THEN 'main.go' WHEN 1 THEN 'docs/a.md' ELSE 'src/file' || (id % 9) || '.go' END,
		first_seen = (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', i.started_at, '+4 minutes') FROM iterations AS i WHERE i.run_id = violations.run_id AND i.number = first_iteration);
	UPDATE violations SET status = 'new', result = NULL WHERE id % 7 = 3;
	UPDATE violations SET status = 'reopened' WHERE id % 7 = 5;
	UPDATE violations SET status = 'fixed' WHERE id % 7 = 6;
	UPDATE violations SET status = 'withdrawn', result = NULL WHERE id % 7 = 1;
	UPDATE violations SET status = 'duplicate', result = (SELECT o.short_id FROM violations AS o WHERE o.run_id = violations.run_id AND o.id % 7 <> 2 ORDER BY o.id LIMIT 1) WHERE id % 7 = 2;
	UPDATE violations SET reason = CASE id % 3 WHEN 0 THEN 'style' WHEN 1 THEN 'false_positive' END WHERE status = 'skipped';
	UPDATE events SET at = (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', v.first_seen, '+' || ((events.number - 1) * (events.id % 5)) || ' days') FROM violations AS v WHERE v.id = violation_id);
	INSERT INTO events (violation_id, number, iteration_id, status, actor, at)
	SELECT e.violation_id, 4, e.iteration_id, 'reopened', 'reviewer', strftime('%Y-%m-%dT%H:%M:%fZ', e.at, '+3 hours') FROM events AS e WHERE e.number = 3 AND e.violation_id % 3 = 0;
	INSERT INTO events (violation_id, number, iteration_id, status, actor, at)
	SELECT e.violation_id, 5, e.iteration_id, 'fixed', 'agent', strftime('%Y-%m-%dT%H:%M:%fZ', e.at, '+' || (e.violation_id % 9) || ' hours') FROM events AS e WHERE e.number = 4;
	UPDATE runs SET kind = 'code_review' WHERE id % 8 = 4;
	INSERT INTO code_reviews (run_id, review_id, scope, target, report_path) SELECT id, printf('%08x', id), 'package', 'src', '' FROM runs WHERE kind = 'code_review';
	INSERT INTO verdicts (iteration_id, run_id, mode, verdict, at, blocker, high, medium, low, info)
	SELECT i.id, i.run_id, 'full', CASE i.id % 2 WHEN 0 THEN 'FAIL' ELSE 'PASS' END, i.started_at, i.id % 2, 1, 2, 3, 4 FROM iterations AS i JOIN code_reviews AS c ON c.run_id = i.run_id;
	UPDATE runs SET revision = 1;`

// laterSQL changes the rows of some runs, as later iterations and answers would.
const laterSQL = `
	UPDATE violations SET status = 'verified', reason = NULL, priority = 'low' WHERE run_id %% %[1]d = 0 AND id %% 3 = 0;
	UPDATE violations SET fingerprint = printf('%%032x', id %% 5) WHERE run_id %% %[1]d = 0 AND id %% 13 = 0;
	UPDATE slots SET model = 'model-9', cost_usd = 0.5 WHERE id %% %[1]d = 1;
	UPDATE gates SET status = 'failed', duration_ms = 77 WHERE job_id = 2 AND iteration_id IN (SELECT i.id FROM iterations AS i WHERE i.run_id %% %[1]d = 0);
	INSERT INTO events (violation_id, number, iteration_id, status, actor, at)
	SELECT e.violation_id, max(e.number) + 1, e.iteration_id, 'reopened', 'reviewer', strftime('%%Y-%%m-%%dT%%H:%%M:%%fZ', max(e.at), '+1 day')
	FROM events AS e JOIN violations AS v ON v.id = e.violation_id WHERE v.run_id %% %[1]d = 0 GROUP BY e.violation_id;
	UPDATE runs SET base_ref = CASE base_ref WHEN 'origin/release' THEN 'main' ELSE 'release' END WHERE id %% %[1]d = 0 AND branch = 'release';
	UPDATE runs SET status = 'passed' WHERE id %% %[1]d = 0 AND finished_at IS NOT NULL;
	UPDATE runs SET revision = revision + 1;`

// abandonedSQL marks the violations of runs that were abandoned.
const abandonedSQL = "UPDATE violations SET abandoned = (SELECT r.status = 'abandoned' FROM runs AS r WHERE r.id = run_id)"

// varied returns the path of a ledger in which everything varies that statistics count.
func varied(t *testing.T, runs int) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: runs, Iterations: 3, Violations: 12}, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	change(t, path, variedSQL)
	return path
}

// change runs statements on the tables of a ledger without its triggers.
func change(t *testing.T, path, statements string) {
	t.Helper()
	handle := must(db.Open(t.Context(), path, nil))(t)
	triggers := must(handle.QueryContext(t.Context(), "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"))(t)
	drop, restore := "", ""
	for triggers.Next() {
		var name, definition string
		if err := triggers.Scan(&name, &definition); err != nil {
			t.Error(err)
		}
		drop, restore = drop+"DROP TRIGGER "+name+";", restore+definition+";"
	}
	if err := triggers.Err(); err != nil {
		t.Error(err)
	}
	for _, statement := range []string{drop, statements, abandonedSQL, restore} {
		if _, err := handle.ExecContext(t.Context(), statement); err != nil {
			t.Error(err)
		}
	}
	if err := handle.Close(); err != nil {
		t.Error(err)
	}
}

// pushAll pushes all runs of the ledger at path.
func pushAll(t *testing.T, url, path string) {
	t.Helper()
	l := must(store.OpenReadOnly(t.Context(), path, store.Options{}))(t)
	defer func() { _ = l.Close() }()
	outline := must(l.Outline(t.Context(), time.Time{}))(t)
	p := must(opened(t, url).NewPusher(t.Context(), push.Source{Database: outline.Database, Content: exchange.ContentWords}))(t)
	defer p.Close()
	for _, run := range outline.Runs {
		prepared := must(p.Prepare(must(l.Run(t.Context(), run.Run))(t), outline.Jobs, nil))(t)
		if got := must(p.Push(t.Context(), prepared))(t); got != push.Pushed {
			t.Errorf("run %s: %s", run.Run, got)
		}
	}
}

func TestTotalsAreThoseOfAllRows(t *testing.T) {
	t.Parallel()
	const runs = 12
	url, path := migrated(t), varied(t, runs)
	pushAll(t, url, path)
	totalsAreRight(t, url)
	if n := teamtest.Ask[int](t, url, "SELECT count(*) FROM recurring_line WHERE runs > 1"); n < 10 {
		t.Errorf("%d recurring lines", n)
	}
	for _, every := range []int{2, 5, 1} {
		change(t, path, fmt.Sprintf(laterSQL, every))
		pushAll(t, url, path)
		totalsAreRight(t, url)
	}
	s := opened(t, url)
	for _, run := range strings.Fields(teamtest.Ask[string](t, url, "SELECT string_agg(r.id, ' ' ORDER BY md5(r.id)) FROM run AS r")) {
		if n := must(s.Remove(t.Context(), must(s.RemovalOfRun(t.Context(), run))(t), nil))(t); n != 1 {
			t.Errorf("%d runs deleted", n)
		}
		totalsAreRight(t, url)
	}
	for _, table := range []string{
		"figure", "figure_text", "recurring_line", "contribution", "contribution_day",
		"run", "record", "iteration", "gate", "slot", "report", "violation", "event", "transition", "verdict",
	} {
		if n := teamtest.Ask[int](t, url, "SELECT count(*) FROM "+table); n != 0 {
			t.Errorf("%s has %d rows, but no run is left", table, n)
		}
	}
}

// Lines have their own table.
func TestTablesKnowAllMeasures(t *testing.T) {
	t.Parallel()
	var want []string
	for _, m := range statistics.Measures() {
		if m != statistics.Lines {
			want = append(want, string(m))
		}
	}
	if got := teamtest.Ask[string](t, migrated(t), "SELECT array_to_string(enum_range(NULL::measure), ' ')"); got != strings.Join(want, " ") {
		t.Errorf("%s, want %q", got, want)
	}
}

// Wrong totals and marks are right after they were computed again.
func TestTotalsAreMadeAgain(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	pushAll(t, url, varied(t, 6))
	right, s := totalsOf(t, url), opened(t, url)
	for _, wrong := range []string{
		"UPDATE figure SET n = n + 1 WHERE measure = 'violations' AND bucket = ''",
		"UPDATE figure SET n = n + 1 WHERE measure = 'answer_times'",
		"DELETE FROM figure WHERE measure = 'flaky'",
		"DELETE FROM recurring_line",
		"INSERT INTO figure (measure, bucket, repository, key, n) SELECT 'checks', '', 0, min(id), 1 FROM figure_text",
		"UPDATE contribution SET branch = branch || 'x'",
		"DELETE FROM contribution_day; DELETE FROM contribution",
		"UPDATE run SET jobs = '{}'",
		"UPDATE run SET adapters = adapters || 'other'::text",
		"UPDATE event SET said_before = at WHERE number = 1",
		"UPDATE event SET said_before = said_before - interval '1 second'",
		"UPDATE event SET said_before = NULL",
		"UPDATE violation SET reopened = NOT reopened",
	} {
		teamtest.Exec(t, url, wrong)
		if slices.Equal(totalsOf(t, url), right) {
			t.Errorf("%s: nothing is wrong", wrong)
		}
		if err := s.MakeFigures(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(right, totalsOf(t, url)); diff != "" {
			t.Errorf("%s, made again (-want +got):\n%s", wrong, diff)
		}
	}
}

// allPairs is for .ci/slow: a part of the pairs shows most faults in a third of the time.
var allPairs = flag.Bool("statistics.pairs", false, "ask for statistics with every pair of filters")

// statisticsFilters returns many filters, each alone and with a third of the others, or with all.
func statisticsFilters() (filters []ledger.StatisticsFilter) {
	all := ledger.Sections()
	at := func(month time.Month, day, hour int) time.Time {
		return time.Date(2026, month, day, hour, 7, 0, 0, time.UTC)
	}
	parts := []func(*ledger.StatisticsFilter){
		func(*ledger.StatisticsFilter) {},
		func(f *ledger.StatisticsFilter) { f.Period.Since = at(1, 9, 5) },
		func(f *ledger.StatisticsFilter) { f.Period.Until = at(2, 3, 11) },
		func(f *ledger.StatisticsFilter) { f.Period = ledger.Period{Since: at(1, 5, 3), Until: at(1, 5, 20)} },
		func(f *ledger.StatisticsFilter) {
			f.Period = ledger.Period{Since: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Until: at(2, 10, 3)}
		},
		func(f *ledger.StatisticsFilter) { f.Branch = "feature-2" },
		func(f *ledger.StatisticsFilter) { f.Branch = "nowhere" },
		// A branch with its own buckets, and others; one is named like a bucket.
		func(f *ledger.StatisticsFilter) { f.Branch = "main" },
		func(f *ledger.StatisticsFilter) { f.Branch = "release" },
		func(f *ledger.StatisticsFilter) { f.Branch = "main@2026-01-1" },
		func(f *ledger.StatisticsFilter) { f.Gate = "quality" },
		func(f *ledger.StatisticsFilter) { f.EntryPoint = "web" },
		func(f *ledger.StatisticsFilter) { f.Gate = "nothing" },
		func(f *ledger.StatisticsFilter) { f.Adapter = "codex" },
		func(f *ledger.StatisticsFilter) { f.Model = "model-1" },
		func(f *ledger.StatisticsFilter) { f.Model = ledger.UnknownModel },
		func(f *ledger.StatisticsFilter) { f.Repository = "github.com/a/one" },
		func(f *ledger.StatisticsFilter) { f.Repository = ledger.UnknownRepository },
		func(f *ledger.StatisticsFilter) { f.Top = 3 },
		// What a page asks for.
		func(f *ledger.StatisticsFilter) { f.Sections = []ledger.Section{ledger.SectionReviewers} },
		func(f *ledger.StatisticsFilter) { f.LatestWeeks = 3 },
		func(f *ledger.StatisticsFilter) { f.Newest = 40 },
		func(f *ledger.StatisticsFilter) { f.Newest = 100_000 },
		func(f *ledger.StatisticsFilter) { f.Detailed = 2 },
		func(f *ledger.StatisticsFilter) { f.CountsOnly = true },
		func(f *ledger.StatisticsFilter) { f.Newest, f.Detailed, f.Top = 60, 2, 4 },
	}
	for i, one := range parts {
		for j, other := range parts {
			alone, paired := i == 0, i < j && (*allPairs || (i+j)%3 == 0)
			if !alone && !paired {
				continue
			}
			f := ledger.StatisticsFilter{Sections: all}
			one(&f)
			other(&f)
			filters = append(filters, f)
		}
	}
	return filters
}

func TestStatisticsAreThoseOfTheLedger(t *testing.T) {
	t.Parallel()
	url, path := migrated(t), varied(t, 40)
	pushAll(t, url, path)
	local := must(store.OpenReadOnly(t.Context(), path, store.Options{}))(t)
	defer func() { _ = local.Close() }()
	remote := asked(t, url)
	runs := must(local.Runs(t.Context(), ledger.RunFilter{}))(t)
	filters := append(statisticsFilters(), ledger.StatisticsFilter{Run: runs[3].ID}, ledger.StatisticsFilter{Run: runs[4].ID, Adapter: "claude"})
	for _, f := range filters {
		want, got := statisticsOf(t, local, f), statisticsOf(t, remote, f)
		for i := range want.Checks {
			want.Checks[i].Command = "" // it stays on its machine
		}
		if at := difference(reflect.ValueOf(got), reflect.ValueOf(want), ""); at != "" {
			t.Errorf("%+v: %s", f, at)
		}
	}
}

// difference returns the first place at which values differ.
func difference(got, want reflect.Value, at string) string {
	if reflect.DeepEqual(got.Interface(), want.Interface()) {
		return ""
	}
	switch {
	case got.Kind() == reflect.Slice && got.Len() == want.Len():
		for i := range got.Len() {
			if found := difference(got.Index(i), want.Index(i), fmt.Sprintf("%s[%d]", at, i)); found != "" {
				return found
			}
		}
	case got.Kind() == reflect.Struct && got.Type() != reflect.TypeFor[time.Time]():
		for i := range got.NumField() {
			if found := difference(got.Field(i), want.Field(i), at+"."+got.Type().Field(i).Name); found != "" {
				return found
			}
		}
	}
	return fmt.Sprintf("%s is %.500s, want %.500s", at, fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want))
}

func statisticsOf(t *testing.T, l interface {
	Statistics(context.Context, ledger.StatisticsFilter) (ledger.Statistics, error)
}, f ledger.StatisticsFilter) ledger.Statistics {
	t.Helper()
	return inUTC(must(l.Statistics(t.Context(), f))(t))
}

// inUTC makes times comparable.
func inUTC(s ledger.Statistics) ledger.Statistics {
	for i := range s.Flaky {
		s.Flaky[i].First.At, s.Flaky[i].Then.At = s.Flaky[i].First.At.UTC(), s.Flaky[i].Then.At.UTC()
	}
	for i := range s.Verdicts {
		s.Verdicts[i].At = s.Verdicts[i].At.UTC()
	}
	for _, c := range s.Checks {
		for i := range c.Last {
			c.Last[i].At = c.Last[i].At.UTC()
		}
	}
	return s
}

func TestStatisticsDoNotKnowWorktrees(t *testing.T) {
	t.Parallel()
	s := asked(t, migrated(t))
	if _, err := s.Statistics(t.Context(), ledger.StatisticsFilter{Worktree: "/work"}); err == nil || !strings.Contains(err.Error(), "/work") {
		t.Errorf("statistics of a worktree: %v", err)
	}
	if _, err := s.Statistics(t.Context(), ledger.StatisticsFilter{}); err != nil {
		t.Errorf("statistics of no rows: %v", err)
	}
}
