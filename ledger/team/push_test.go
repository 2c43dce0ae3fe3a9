package team_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/store/storetest"
	"github.com/reviewledger/reviewledger/ledger/team"
	"github.com/reviewledger/reviewledger/ledger/team/ask"
	"github.com/reviewledger/reviewledger/ledger/team/push"
	"github.com/reviewledger/reviewledger/ledger/team/teamtest"
)

func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// migrated returns the address of a team store without rows.
func migrated(t testing.TB) string {
	t.Helper()
	url := teamtest.URL(t)
	must(push.Migrate(t.Context(), team.Options{URL: url}, push.Roles{}))(t)
	return url
}

func opened(t testing.TB, url string) *push.Store {
	t.Helper()
	s := must(push.Open(t.Context(), team.Options{URL: url, Write: true}))(t)
	t.Cleanup(s.Close)
	return s
}

func asked(t testing.TB, url string) *ask.Store {
	t.Helper()
	s := must(ask.Open(t.Context(), team.Options{URL: url}))(t)
	t.Cleanup(s.Close)
	return s
}

// generatedAt is the time at which generated ledgers end.
var generatedAt = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// generated returns a ledger of this size.
func generated(t testing.TB, size storetest.Size) *store.Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, size, generatedAt); err != nil {
		t.Fatal(err)
	}
	l := must(store.OpenReadOnly(t.Context(), path, store.Options{}))(t)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// small returns a ledger of two runs.
func small(t testing.TB) *store.Store {
	return generated(t, storetest.Size{Runs: 2, Iterations: 2, Violations: 10})
}

// generatedAgain returns another ledger, nothing of which was pushed.
func generatedAgain(t testing.TB) *store.Store {
	return generated(t, storetest.Size{Runs: 3, Iterations: 1, Violations: 2})
}

func words(database string) push.Source {
	return push.Source{Database: database, Content: exchange.ContentWords}
}

// sending pushes a ledger, and returns the result.
func sending(t testing.TB, url string, l *store.Store, content exchange.Content) push.Sent {
	t.Helper()
	return must(opened(t, url).PushLedger(t.Context(), l, push.Sending{Source: push.Source{Content: content}}))(t)
}

// recorded returns the first run of a ledger, and its jobs.
func recorded(t testing.TB, l *store.Store) (*exchange.Run, []exchange.Job) {
	t.Helper()
	outline := must(l.Outline(t.Context(), time.Time{}))(t)
	return must(l.Run(t.Context(), outline.Runs[0].Run))(t), outline.Jobs
}

// put pushes one record.
func put(t testing.TB, url string, from push.Source, run *exchange.Run, jobs []exchange.Job) push.Result {
	t.Helper()
	p := must(opened(t, url).NewPusher(t.Context(), from))(t)
	defer p.Close()
	return must(p.Push(t.Context(), must(p.Prepare(run, jobs, nil))(t)))(t)
}

// rowsOf returns all rows of a team store, table by table, except for what depends on the time and
// order of pushes.
func rowsOf(t testing.TB, url string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, table := range strings.Fields(teamtest.Ask[string](t, url, `SELECT string_agg(c.relname, ' ' ORDER BY c.relname)
		FROM pg_class AS c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`)) {
		switch table {
		case "goose_db_version", "meta", "ledger", "record", "figure", "figure_text", "recurring_line":
			continue // figures may be 0; totalsAreRight compares them
		}
		all[table] = teamtest.Ask[string](t, url, fmt.Sprintf(`SELECT coalesce(string_agg(line, E'\n' ORDER BY line), '')
			FROM (SELECT (to_jsonb(t) - 'received_at' - 'repository' - 'id' - 'last_pushed')::text AS line FROM %s AS t) AS l`, table))
	}
	return all
}

// totalsAreRight computes all totals and marks again, and compares them with the previous ones.
func totalsAreRight(t testing.TB, url string) {
	t.Helper()
	before := totalsOf(t, url)
	if err := opened(t, url).MakeFigures(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(before, totalsOf(t, url)); diff != "" {
		t.Errorf("totals are wrong (-there +right):\n%s", diff)
	}
}

// totalsOf returns all totals and marks, one line for each.
func totalsOf(t testing.TB, url string) []string {
	t.Helper()
	return strings.Split(teamtest.Ask[string](t, url, `SELECT coalesce(string_agg(line, E'\n' ORDER BY line), '') FROM (
		SELECT concat_ws(' ', f.measure, f.bucket, r.text, k.text, f.n) AS line
		FROM figure AS f JOIN figure_text AS k ON k.id = f.key LEFT JOIN figure_text AS r ON r.id = f.repository WHERE f.n <> 0
		UNION ALL SELECT concat_ws(' ', 'line', l.fingerprint, l.repository, l.runs) FROM recurring_line AS l WHERE l.runs > 0
		UNION ALL SELECT concat_ws(' ', 'contribution', c.run, c.branch, md5(c.counts)) FROM contribution AS c
		UNION ALL SELECT concat_ws(' ', 'day', d.day, d.run) FROM contribution_day AS d
		UNION ALL SELECT concat_ws(' ', 'reopened', v.id) FROM violation AS v WHERE v.reopened
		UNION ALL SELECT concat_ws(' ', 'said before', e.violation, e.number, e.said_before) FROM event AS e WHERE e.said_before IS NOT NULL
		UNION ALL SELECT concat_ws(' ', 'names', r.id, r.jobs, r.adapters) FROM run AS r) AS l`), "\n")
}

// states returns the run as it was at each revision: it grows by events, and ends at the last one.
func states(run *exchange.Run, n int) (all []*exchange.Run) {
	for k := 1; k <= n; k++ {
		s := *run
		s.Head.Revision = int64(k)
		if k < n {
			s.Head.FinishedAt, s.Head.Status = nil, "failed"
		}
		s.Violations, s.Events = slices.Clone(run.Violations), nil
		last := map[string]*exchange.Event{}
		for i := range run.Events {
			if e := run.Events[i]; e.Number == 1 || int(e.Number)*n <= k*3 {
				s.Events = append(s.Events, e)
				last[e.Violation] = &s.Events[len(s.Events)-1]
			}
		}
		for i := range s.Violations {
			v := &s.Violations[i]
			v.Status, v.StatusAt = last[v.Violation].Status, last[v.Violation].At
		}
		all = append(all, &s)
	}
	return all
}

func TestPushedRowsAreThoseOfTheRecord(t *testing.T) {
	t.Parallel()
	url, l := migrated(t), small(t)
	if got := sending(t, url, l, exchange.ContentWords); got.Pushed != 2 || got.Rows == 0 {
		t.Errorf("%+v", got)
	}
	outline := must(l.Outline(t.Context(), time.Time{}))(t)
	counts := map[string]int{"run": 2}
	for _, r := range outline.Runs {
		run := must(l.Run(t.Context(), r.Run))(t)
		counts["iteration"] += len(run.Iterations)
		counts["gate"] += len(run.Gates)
		counts["slot"] += len(run.Slots)
		counts["violation"] += len(run.Violations)
		counts["report"] += len(run.Reports)
		counts["event"] += len(run.Events)
		counts["transition"] += len(run.Transitions)
	}
	for table, want := range counts {
		if got := teamtest.Ask[int](t, url, "SELECT count(*) FROM "+table); got != want || got == 0 {
			t.Errorf("%s: %d rows, want %d", table, got, want)
		}
	}
	if got := sending(t, url, l, exchange.ContentWords); got.Unchanged != 2 || got.Pushed != 0 {
		t.Errorf("again: %+v", got)
	}
	totalsAreRight(t, url)
}

// Eight pushers push the states of the same runs in any order. The store ends up with the last
// state, and its totals are those of a store that received only that one.
func TestEightPushersAtOnce(t *testing.T) {
	t.Parallel()
	const pushers, revisions = 8, 6
	l := generated(t, storetest.Size{Runs: 3, Iterations: 2, Violations: 10})
	outline := must(l.Outline(t.Context(), time.Time{}))(t)
	var all, last []*exchange.Run
	for _, r := range outline.Runs {
		grown := states(must(l.Run(t.Context(), r.Run))(t), revisions)
		all, last = append(all, grown...), append(last, grown[revisions-1])
	}
	url := migrated(t)
	var group sync.WaitGroup
	for i := range pushers {
		s := opened(t, url)
		group.Go(func() {
			p, err := s.NewPusher(t.Context(), words(outline.Database))
			if err != nil {
				t.Error(err)
				return
			}
			defer p.Close()
			random := rand.New(rand.NewPCG(1, uint64(i)))
			for _, n := range random.Perm(len(all)) {
				prepared, err := p.Prepare(all[n], outline.Jobs, nil)
				if err == nil {
					_, err = p.Push(t.Context(), prepared)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	alone := migrated(t)
	for _, run := range last {
		put(t, alone, words(outline.Database), run, outline.Jobs)
	}
	if d := gocmp.Diff(rowsOf(t, alone), rowsOf(t, url)); d != "" {
		t.Errorf("(-one push +eight pushers):\n%s", d)
	}
	totalsAreRight(t, url)
}

// waiting returns when a session is waiting for an advisory lock in the schema.
func waiting(t testing.TB, url string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	for teamtest.Ask[int](t, url, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND pid IN (SELECT pid FROM pg_stat_activity WHERE query LIKE '%lock store%')") == 0 {
		if ctx.Err() != nil {
			t.Fatal("nobody waits for the lock")
		}
	}
}

// locked holds the lock of the schema until the function that it returns is called.
func locked(t testing.TB, url string) (unlock func()) {
	t.Helper()
	conn := must(pgx.Connect(t.Context(), url))(t)
	if _, err := conn.Exec(t.Context(), "SELECT pg_advisory_lock(hashtextextended('reviewledger ' || current_schema(), 0))"); err != nil {
		t.Fatal(err)
	}
	return func() { _ = conn.Close(context.Background()) }
}

// A process is killed when it has sent its rows and waits: the store has nothing of the run, and
// nobody has to wait for the process.
func TestKilledInTheMiddleOfAPush(t *testing.T) {
	t.Parallel()
	url, l := migrated(t), small(t)
	unlock := locked(t, url)
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), pushedByChild+"="+l.Path(), pushedTo+"="+url)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	waiting(t, url)
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	unlock()
	if got := sending(t, url, l, exchange.ContentWords); got.Pushed+got.Unchanged != 2 {
		t.Errorf("%+v", got)
	}
	alone := migrated(t)
	sending(t, alone, l, exchange.ContentWords)
	if d := gocmp.Diff(rowsOf(t, alone), rowsOf(t, url)); d != "" {
		t.Errorf("(-one push +killed before):\n%s", d)
	}
	totalsAreRight(t, url)
}

// The server ends the connection in the middle of a push: that is an error, and the next push
// continues.
func TestServerGoesInTheMiddleOfAPush(t *testing.T) {
	t.Parallel()
	url, l := migrated(t), small(t)
	unlock := locked(t, url)
	s := opened(t, url)
	failed := make(chan error)
	go func() {
		_, err := s.PushLedger(t.Context(), l, push.Sending{Source: words("")})
		failed <- err
	}()
	waiting(t, url)
	teamtest.Exec(t, url, `SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity AS a
		WHERE a.query LIKE '%lock store%' AND a.wait_event_type = 'Lock' AND a.pid <> pg_backend_pid()
		AND EXISTS (SELECT 1 FROM pg_locks AS l WHERE l.pid = a.pid AND l.relation = (current_schema() || '.run')::regclass)`)
	refused(t, "a push whose server goes", <-failed, "push run", team.ErrUnreachable.Error())
	unlock()
	if n := teamtest.Ask[int](t, url, "SELECT count(*) FROM run"); n != 0 {
		t.Errorf("%d runs of a push that failed", n)
	}
	if got := sending(t, url, l, exchange.ContentWords); got.Pushed != 2 {
		t.Errorf("%+v", got)
	}
	totalsAreRight(t, url)
}

// An open run is pushed, and its later states replace it. An older state does not.
func TestOpenRunThenLater(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	run, jobs := recorded(t, small(t))
	all := states(run, 4)
	for i, want := range []push.Result{push.Pushed, push.Pushed, push.Pushed, push.Pushed} {
		if got := put(t, url, words("d"), all[i], jobs); got != want {
			t.Errorf("revision %d: %s", i+1, got)
		}
		totalsAreRight(t, url)
	}
	if got := put(t, url, words("d"), all[1], jobs); got != push.Older {
		t.Errorf("an older state: %s", got)
	}
	alone := migrated(t)
	put(t, alone, words("d"), all[3], jobs)
	if d := gocmp.Diff(rowsOf(t, alone), rowsOf(t, url)); d != "" {
		t.Errorf("(-at once +in four states):\n%s", d)
	}
}

// A dump, which anybody may have written, cannot change a run that another ledger has pushed, and
// no push takes a violation away from its run.
func TestRunsOfOthersStay(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	run, jobs := recorded(t, small(t))
	if got := put(t, url, words("ours"), run, jobs); got != push.Pushed {
		t.Fatalf("first: %s", got)
	}
	forged := *run
	forged.Head.Revision += 1000
	forged.Head.Status = "passed"
	stolen := *run
	stolen.Head.Run = "01ZZZZZZZZZZZZZZZZZZZZZZZZ"
	untrusted := words("theirs")
	untrusted.Untrusted = true
	masked := words("ours") // a dump has the id of the ledger that it is from
	masked.Untrusted, masked.Name = true, "theirs"
	before := rowsOf(t, url)
	for what, got := range map[string]push.Result{
		"a later state of another ledger's run": put(t, url, untrusted, &forged, jobs),
		"the same with that ledger's id":        put(t, url, masked, &forged, jobs),
		"a run with violations of another":      put(t, url, words("theirs"), &stolen, jobs),
	} {
		if got != push.Foreign {
			t.Errorf("%s: %s", what, got)
		}
	}
	if d := gocmp.Diff(before, rowsOf(t, url)); d != "" {
		t.Errorf("(-before +after):\n%s", d)
	}
	if n := teamtest.Ask[int](t, url, "SELECT count(*) FROM ledger WHERE name = 'theirs'"); n != 0 {
		t.Errorf("%d ledgers have the name that a dump gave", n)
	}
	// The same run from a ledger that imported it and continued it.
	if got := put(t, url, words("theirs"), &forged, jobs); got != push.Pushed {
		t.Errorf("a ledger that is trusted: %s", got)
	}
}

// A dump ends the memory of its own runs' skips, and of no others.
func TestDumpForgetsItsOwnSkips(t *testing.T) {
	t.Parallel()
	dump := func(name string, skips ...string) *store.Store {
		path := filepath.Join(t.TempDir(), "ledger.db")
		if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 1, Iterations: 1, Violations: 3}, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)); err != nil {
			t.Fatal(err)
		}
		db := must(sql.Open("sqlite", path))(t)
		for _, skip := range skips {
			must(db.ExecContext(t.Context(), "INSERT INTO forgotten_skips (violation, event, actor, at) VALUES (?, 2, 'user', '2026-01-02T03:04:05.000Z')", skip))(t)
		}
		must(db.ExecContext(t.Context(), "UPDATE meta SET value = ? WHERE key = 'database_id'", name))(t)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		l := must(store.OpenReadOnly(t.Context(), path, store.Options{}))(t)
		t.Cleanup(func() { _ = l.Close() })
		return l
	}
	url := migrated(t)
	ours := dump("ours")
	sending(t, url, ours, exchange.ContentWords)
	victim := must(ours.Violations(t.Context(), ledger.ViolationFilter{}))(t)[0].ID
	for _, name := range []string{"theirs", "ours"} {
		l := dump(name, victim)
		got := must(opened(t, url).PushLedger(t.Context(), l, push.Sending{Source: push.Source{Content: exchange.ContentWords, Untrusted: true}}))(t)
		if n := teamtest.Ask[int](t, url, "SELECT count(*) FROM forgotten_skip"); n != 0 {
			t.Errorf("a dump of ledger %s ends the memory of %d skips of another one: %+v", name, n, got)
		}
	}
	url = migrated(t)
	must(opened(t, url).PushLedger(t.Context(), dump("theirs", victim), push.Sending{Source: push.Source{Content: exchange.ContentWords, Untrusted: true}}))(t)
	if got := teamtest.Ask[string](t, url, "SELECT coalesce(max(violation), '') FROM forgotten_skip"); got != victim {
		t.Errorf("a dump ends the memory of %q, want %q", got, victim)
	}
}

// What the store has when the locks are held decides, even if the server's default is that a
// transaction sees the state at its start.
func TestForgottenWhileAPushWaits(t *testing.T) {
	t.Parallel()
	for _, isolation := range []string{"read committed", "repeatable read", "serializable"} {
		url, l := migrated(t), small(t)
		unlock := locked(t, url)
		s := opened(t, url+"&default_transaction_isolation="+strings.ReplaceAll(isolation, " ", "%20"))
		done := make(chan push.Sent)
		go func() {
			sent, err := s.PushLedger(t.Context(), l, push.Sending{Source: words("")})
			if err != nil {
				t.Error(err)
			}
			done <- sent
		}()
		waiting(t, url)
		run := must(l.Outline(t.Context(), time.Time{}))(t).Runs[0].Run
		teamtest.Exec(t, url, "INSERT INTO tombstone (kind, key) VALUES ('run', '"+run+"')")
		unlock()
		got := <-done
		if d := gocmp.Diff([]string{run}, got.Forgotten); d != "" || got.Pushed != 1 {
			t.Errorf("%s: %+v", isolation, got)
		}
	}
}

// Two copies of a ledger have diverged: the second is refused, even if the run is closed and only
// its revision is compared at first.
func TestCopiesGoneApart(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	l := small(t)
	run, jobs := recorded(t, l)
	other := *run
	other.Events = slices.Clone(run.Events)
	other.Events[0].At = "2020-01-02T03:04:05.678Z"
	database := must(l.Outline(t.Context(), time.Time{}))(t).Database
	if got := put(t, url, words(database), &other, jobs); got != push.Pushed {
		t.Errorf("first: %s", got)
	}
	if got := put(t, url, words(database), run, jobs); got != push.Diverged {
		t.Errorf("second: %s", got)
	}
	teamtest.Exec(t, url, "UPDATE run SET finished_at = finished_at + interval '1 ms'")
	got := sending(t, url, l, exchange.ContentWords)
	if d := gocmp.Diff([]string{run.Head.Run}, got.Diverged); d != "" || got.Pushed != 1 {
		t.Errorf("%+v", got)
	}
	if lines := strings.Join(got.Lines(), "\n"); !strings.Contains(lines, "Run "+run.Head.Run+" was refused") {
		t.Error(lines)
	}
	// A digest of another format cannot be compared.
	teamtest.Exec(t, url, "UPDATE run SET digest = '2:' || substr(digest, 3)")
	if got := put(t, url, words(database), run, jobs); got != push.Unchanged {
		t.Errorf("another format: %s", got)
	}
}

// If more of a run is to be sent, it is sent again; if less, it is not.
func TestContentGrows(t *testing.T) {
	t.Parallel()
	url, l := migrated(t), small(t)
	for _, c := range []struct {
		content exchange.Content
		pushed  int
	}{{exchange.ContentNone, 2}, {exchange.ContentNone, 0}, {exchange.ContentWords, 2}, {exchange.ContentFull, 2}, {exchange.ContentNone, 0}} {
		if got := sending(t, url, l, c.content); got.Pushed != c.pushed || got.Unchanged != 2-c.pushed {
			t.Errorf("%s: %+v", c.content, got)
		}
		files := teamtest.Ask[int](t, url, "SELECT count(*) FROM violation WHERE file NOT LIKE 'hash:%'")
		if (files == 0) != (c.content == exchange.ContentNone && c.pushed > 0 || files == 0) {
			t.Errorf("%s: %d names of files", c.content, files)
		}
		totalsAreRight(t, url)
	}
	if got := teamtest.Ask[string](t, url, "SELECT string_agg(DISTINCT content, ',') FROM run"); got != "full" {
		t.Errorf("content %q", got)
	}
}

// What PostgreSQL does not accept is cleaned in every column.
func TestPoisonInEveryColumn(t *testing.T) {
	t.Parallel()
	const poison = "\x00\xff\xc0\\u0000\\N\t\n\r\\."
	url := migrated(t)
	run, jobs := recorded(t, small(t))
	one, yes := "x", int64(1)
	run.Head.RepositoryKind = "origin"
	run.Reviews = []exchange.CodeReview{{Run: run.Head.Run}}
	run.Verdicts = []exchange.Verdict{{Run: run.Head.Run, Iteration: 1, At: run.Head.StartedAt}}
	run.Remembered = []exchange.RememberedSkip{{Run: run.Head.Run, Violation: run.Violations[0].Violation, Event: 1}}
	run.Met = []exchange.MetSkip{{InSlot: run.Reports[0].InSlot, Position: run.Reports[0].Position, Skipped: "s", Event: 1}}
	columns := 0
	poisoned := func(row reflect.Value) {
		for _, f := range reflect.VisibleFields(row.Type()) {
			field := row.FieldByIndex(f.Index)
			if field.Kind() == reflect.Pointer && field.Type().Elem().Kind() == reflect.String && field.Type() != reflect.TypeFor[*exchange.Time]() {
				text := one
				if !field.IsNil() {
					text = field.Elem().String()
				}
				text += poison
				field.Set(reflect.ValueOf(&text))
				columns++
			}
			if field.Type() == reflect.TypeFor[string]() {
				field.SetString(field.String() + poison)
				columns++
			}
		}
	}
	poisoned(reflect.ValueOf(&run.Head).Elem())
	for _, list := range run.Lists() {
		rows := reflect.ValueOf(list).Elem()
		for i := range rows.Len() {
			poisoned(rows.Index(i))
		}
	}
	for i := range jobs {
		poisoned(reflect.ValueOf(&jobs[i]).Elem())
	}
	run.Reports[0].LineRepeated = &yes
	from := words("database" + poison)
	from.Name, from.Program = "name"+poison, "program"+poison
	if got := put(t, url, from, run, jobs); got != push.Pushed || columns < 100 {
		t.Errorf("%s, %d columns", got, columns)
	}
	if got := put(t, url, from, run, jobs); got != push.Unchanged {
		t.Errorf("again: %s", got)
	}
	if got := teamtest.Ask[string](t, url, "SELECT issue FROM report LIMIT 1"); !strings.HasSuffix(got, "\uFFFD\uFFFD\\u0000\\N\t\n\r\\.") {
		t.Errorf("issue %q", got)
	}
	s := opened(t, url)
	if got := must(s.Status(t.Context()))(t); len(got.Ledgers) != 1 {
		t.Errorf("%+v", got)
	}
}

// A clock that is a day ahead is noticed, and nothing depends on it.
func TestClockADayAhead(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	run, jobs := recorded(t, small(t))
	ahead := exchange.Time(time.Now().Add(24 * time.Hour).UTC().Format("2006-01-02T15:04:05.000Z"))
	run.Events[0].At, run.Transitions[len(run.Transitions)-1].At = ahead, ahead
	put(t, url, words("d"), run, jobs)
	if !teamtest.Ask[bool](t, url, "SELECT clock_ahead FROM run") {
		t.Error("the clock was not noticed")
	}
	if got := must(opened(t, url).Status(t.Context()))(t).Ledgers[0]; got.Ahead != 1 {
		t.Errorf("%+v", got)
	}
	first := teamtest.Ask[time.Time](t, url, "SELECT at FROM event WHERE violation = $1 AND number = 1", run.Violations[0].Violation)
	if got := exchange.Time(first.UTC().Format("2006-01-02T15:04:05.000Z")); got != ahead {
		t.Errorf("event 1 is at %s", got)
	}
}

// Two machines have a worktree, and a repository that is identified by its path, in the same place.
func TestTwoLedgersWithOnePath(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	run, jobs := recorded(t, small(t))
	for i, kind := range []ledger.RepositoryKind{ledger.RepositoryPath, ledger.RepositoryPath, ledger.RepositoryUnknown, ledger.RepositoryUnknown} {
		mine := *run
		mine.Head.Run = fmt.Sprintf("R%d", i)
		mine.Head.Worktree, mine.Head.RepositoryKind, mine.Head.Repository = "/work/app", string(kind), "/work/app/.git"
		if kind == ledger.RepositoryUnknown {
			mine.Head.Repository = ""
		}
		mine.Iterations, mine.Gates, mine.Slots, mine.Violations, mine.Reports, mine.Events, mine.Transitions, mine.SlotEntries = nil, nil, nil, nil, nil, nil, nil, nil
		put(t, url, words(fmt.Sprintf("database%d", i)), &mine, jobs)
	}
	if got := teamtest.Ask[int](t, url, "SELECT count(DISTINCT repository) FROM run"); got != 4 {
		t.Errorf("%d repositories for 4 ledgers", got)
	}
	if got := teamtest.Ask[int](t, url, "SELECT count(*) FROM repository WHERE key LIKE '%work%'"); got != 0 {
		t.Errorf("%d keys are paths", got)
	}
}

// A repository becomes known without a new revision of its runs.
func TestRepositoryBecomesKnown(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	run, jobs := recorded(t, small(t))
	run.Head.RepositoryKind, run.Head.Repository = "unknown", ""
	put(t, url, words("d"), run, jobs)
	run.Head.RepositoryKind, run.Head.Repository = "origin", "github.com/a/b"
	for _, want := range []push.Result{push.Pushed, push.Unchanged} {
		if got := put(t, url, words("d"), run, jobs); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := teamtest.Ask[int](t, url, "SELECT count(*) FROM violation AS v JOIN repository AS p ON p.id = v.repository WHERE p.key <> 'github.com/a/b'"); got != 0 {
		t.Errorf("%d violations of the unknown repository", got)
	}
	totalsAreRight(t, url)
}

// If the server was set up again, everything is pushed again, because nothing is noted locally.
func TestResetServerHeals(t *testing.T) {
	t.Parallel()
	url, l := migrated(t), small(t)
	sending(t, url, l, exchange.ContentWords)
	before := rowsOf(t, url)
	schema := teamtest.Ask[string](t, url, "SELECT current_schema()::text")
	teamtest.Exec(t, url, "DROP SCHEMA "+schema+" CASCADE")
	must(push.Migrate(t.Context(), team.Options{URL: url}, push.Roles{}))(t)
	if got := sending(t, url, l, exchange.ContentWords); got.Pushed != 2 {
		t.Errorf("%+v", got)
	}
	if d := gocmp.Diff(before, rowsOf(t, url)); d != "" {
		t.Errorf("(-before +after):\n%s", d)
	}
}
