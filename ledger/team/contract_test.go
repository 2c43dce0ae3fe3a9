package team_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/internal/testing/teamtest"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// small is the size of most generated ledgers here.
var small = storetest.Size{Runs: 4, Iterations: 2, Violations: 20, Varied: true}

// copied copies a ledger that is closed, and changes the copy.
func copied(t testing.TB, path string, changes ...string) string {
	t.Helper()
	content := must(os.ReadFile(path))(t)
	to := filepath.Join(t.TempDir(), "copy.db")
	if err := os.WriteFile(to, content, 0o600); err != nil {
		t.Fatal(err)
	}
	handle := must(sql.Open("sqlite", to))(t)
	defer handle.Close()
	for _, change := range changes {
		must[sql.Result](handle.ExecContext(t.Context(), change))(t)
	}
	return to
}

// later changes a ledger as if each of its runs had gone on.
const later = "UPDATE runs SET revision = revision + 1, config_hash = 'later'"

// sameAs fails if the replica of the store does not have what the ledgers have.
func sameAs(t *testing.T, url string, ledgers ...string) {
	t.Helper()
	got := pulled(t, url, t.TempDir(), team.Pulling{})
	if len(got.LeftOut) > 0 {
		t.Errorf("%v", got.Lines())
	}
	var want, have []string
	for _, path := range ledgers {
		want = append(want, runsOf(t, path)...)
	}
	have = runsOf(t, got.Path)
	slices.Sort(want)
	slices.Sort(have)
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("the replica (-ledger +replica):\n%s", d)
	}
}

// runsOf returns the digests of the runs of a ledger.
func runsOf(t *testing.T, path string) (list []string) {
	t.Helper()
	l := reading(t, path)
	for _, r := range must(l.Outline(t.Context(), time.Time{}))(t).Runs {
		list = append(list, r.Run+" "+must(l.Document(t.Context(), r.Run, exchange.ContentWords))(t).Run.Digest(nil))
	}
	slices.Sort(list)
	return list
}

// Pushes of several states of a ledger at once, in any order, end with the latest state.
func TestEightPushersAtOnce(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	first := generated(t, small)
	states := []string{first, copied(t, first, later), copied(t, first, later, later)}
	var all sync.WaitGroup
	for n := range 8 {
		l, s := reading(t, states[n*5%3]), at(t, url)
		all.Go(func() {
			sent, err := s.Push(context.Background(), l, team.Sending{Content: exchange.ContentWords})
			if err != nil || len(sent.Refused) > 0 {
				t.Errorf("%+v, %v", sent, err)
			}
		})
	}
	all.Wait()
	sameAs(t, url, states[2])
}

// What others do to runs while a push is sending holds: it decides about these runs again.
func TestChangedWhilePushing(t *testing.T) {
	t.Parallel()
	path := generated(t, storetest.Size{Runs: 12, Iterations: 1, Violations: 400})
	newer := copied(t, path, later)
	for name, test := range map[string]struct {
		meanwhile func(url string)
		want      func(team.Sent) int
		left      int
	}{
		"deleted": {func(url string) {
			before := generatedAt.AddDate(1, 0, 0)
			must(at(t, url).Delete(t.Context(), team.Deletion{Before: &before}, yes))(t)
		}, func(sent team.Sent) int { return sent.Deleted }, 0},
		"later states": {func(url string) { pushed(t, url, reading(t, newer), team.Sending{}) }, func(sent team.Sent) int { return sent.Older }, 12},
	} {
		url, first := migrated(t), 0
		sent := pushed(t, url, reading(t, path), team.Sending{Done: func(done, _ int) {
			if first == 0 {
				test.meanwhile(url)
				first = done
			}
		}})
		if first == 12 || sent.Pushed != first || test.want(sent) != 12-first || len(sent.Refused) > 0 {
			t.Errorf("%s: %+v after %d runs", name, sent, first)
		}
		if left := teamtest.Ask[int](t, url, "SELECT count(*) FROM run"); left != test.left {
			t.Errorf("%s: %d runs are left", name, left)
		}
	}
}

// A push that has to wait for a deletion sees its tombstones.
func TestPushWaitsForDeletion(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	path := generated(t, storetest.Size{Runs: 12, Iterations: 1, Violations: 400})
	deleting := must(pgx.Connect(t.Context(), url))(t)
	defer deleting.Close(t.Context())
	first, ended := 0, make(chan struct{})
	sent := pushed(t, url, reading(t, path), team.Sending{Done: func(done, _ int) {
		if first > 0 {
			return
		}
		first = done // from now on, the statement is prepared
		must(deleting.Exec(t.Context(), "BEGIN; LOCK TABLE run IN SHARE ROW EXCLUSIVE MODE; INSERT INTO tombstone (before) VALUES ('2100-01-01')"))(t)
		go func() {
			defer close(ended)
			for teamtest.Ask[int](t, url, "SELECT count(*) FROM pg_locks WHERE relation = 'run'::regclass AND NOT granted") == 0 {
				time.Sleep(time.Millisecond)
			}
			must(deleting.Exec(t.Context(), "COMMIT"))(t)
		}()
	}})
	<-ended
	if first == 12 || sent.Pushed != first || sent.Deleted != 12-first {
		t.Errorf("%+v after %d runs", sent, first)
	}
}

// A push and a pull that are killed lose nothing: the next ones go on.
func TestKilledPushAndPull(t *testing.T) {
	t.Parallel()
	url, folder := migrated(t), t.TempDir()
	path := generated(t, storetest.Size{Runs: 200, Iterations: 1, Violations: 20})
	killed := func(some func() bool, variables ...string) {
		t.Helper()
		child := exec.CommandContext(t.Context(), os.Args[0])
		child.Env = append(os.Environ(), append(variables, childURL+"="+url)...)
		child.Stderr = os.Stderr
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { _ = child.Wait(); close(ended) }()
		for !some() {
			select {
			case <-ended: // it was faster than we are
				return
			case <-time.After(time.Millisecond):
			}
		}
		_ = child.Process.Kill()
		<-ended
	}
	killed(func() bool { return teamtest.Ask[int](t, url, "SELECT count(*) FROM run") > 0 }, childPushes+"="+path)
	pushed(t, url, reading(t, path), team.Sending{})
	killed(func() bool {
		replicas, _ := filepath.Glob(filepath.Join(folder, "*.db-wal"))
		for _, wal := range replicas {
			if info, err := os.Stat(wal); err == nil && info.Size() > 1<<20 {
				return true
			}
		}
		return false
	}, childPulls+"="+folder)
	got := pulled(t, url, folder, team.Pulling{})
	if problems := must(reading(t, got.Path).Problems(t.Context()))(t); len(problems) > 0 {
		t.Errorf("%q", problems)
	}
	if d := cmp.Diff(runsOf(t, path), runsOf(t, got.Path)); d != "" {
		t.Errorf("(-ledger +replica):\n%s", d)
	}
}

// An error of a server that does not answer, or does not let us in, says what can be done, and soon.
func TestErrorsSayWhatToDo(t *testing.T) {
	t.Parallel()
	gone := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	if err := gone.Close(); err != nil {
		t.Fatal(err)
	}
	silent := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { _ = silent.Close() })
	url := teamtest.URL(t)
	for _, test := range []struct {
		name, url, want string
		unreachable     bool // so that a question is answered from the replica
	}{
		{"gone", "postgres://x@" + gone.Addr().String() + "/x?sslmode=disable", "check the host and the port, and that the server runs", true},
		{"gone, with and without TLS", "postgres://x@" + gone.Addr().String() + "/x", "database=x`: " + gone.Addr().String(), true},
		{"silent", "postgres://x@" + silent.Addr().String() + "/x?sslmode=disable&connect_timeout=1", "it did not answer in time: check the host and the port", true},
		{"unknown host", "postgres://x@nosuch.invalid/x?connect_timeout=1", "nosuch.invalid", true},
		{"without TLS", strings.Replace(url, "sslmode=disable", "sslmode=require", 1), "enable TLS on the server, or add sslmode=disable", true},
		{"without a password", teamtest.As(t, url, teamtest.Locked), "check the role and its password", false},
		{"without the database", strings.Replace(url, "/postgres?", "/nosuch?", 1), `database "nosuch" does not exist`, false},
		{"without the schema", url, "its owner runs `reviewledger team migrate`", false},
	} {
		_, err := at(t, test.url).Status(t.Context(), nil)
		if errors.Is(err, team.ErrUnreachable) != test.unreachable || err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "read the status: team store ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// The status names the ledgers with the newest push first, and clocks that are ahead.
func TestStatus(t *testing.T) {
	t.Parallel()
	url, ahead := migrated(t), filepath.Join(t.TempDir(), "ahead.db")
	if err := storetest.Generate(t.Context(), ahead, storetest.Size{Runs: 2, Iterations: 1, Violations: 1}, time.Now().AddDate(0, 0, 365)); err != nil {
		t.Fatal(err)
	}
	first, second := reading(t, generated(t, small)), reading(t, ahead)
	pushed(t, url, first, team.Sending{Name: "first"})
	pushed(t, url, second, team.Sending{Name: "second", Program: "1.2"})
	folder := t.TempDir()
	pulled(t, url, folder, team.Pulling{})
	got := must(at(t, url, folder).Status(t.Context(), reading(t, copied(t, ahead, later))))(t)
	if got.Replica == nil || got.Replica.Runs != 6 || got.Replica.Since != nil || len(got.Ledgers) != 2 || got.Ledgers[0].Name != "second" || got.Ledgers[1].ClockAhead != 0 || *got.NotPushed != 2 || got.OldestNotPushed == nil {
		t.Errorf("%+v", got)
	}
	lines := strings.Join(got.Lines(), "\n")
	for _, want := range []string{"Ledger second: 2 runs, pushed ", "; 2 from a clock that was more than 5 minutes ahead (reviewledger 1.2)", "Ledger first: 4 runs", "This ledger: 2 runs are not pushed yet; the oldest started "} {
		if !strings.Contains(lines, want) {
			t.Errorf("%q is not in\n%s", want, lines)
		}
	}
	if none := must(at(t, url, t.TempDir()).Status(t.Context(), nil))(t); none.NotPushed != nil || none.Replica != nil {
		t.Errorf("without a ledger and a replica: %+v", none)
	}
}

// Programs and tables of other versions say which of the two is to be updated, and a record of a
// newer program is left out and named.
func TestOtherVersions(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	path := generated(t, small)
	l := reading(t, path)
	pushed(t, url, l, team.Sending{})
	fails := func(want string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %q", err, want)
		}
	}
	push := func() error {
		_, err := at(t, url).Push(t.Context(), l, team.Sending{Content: exchange.ContentWords})
		return err
	}
	teamtest.Exec(t, url, "UPDATE meta SET value = '99' WHERE key = 'min_writer'")
	fails("update reviewledger", push())
	if _, err := at(t, url).Status(t.Context(), nil); err != nil {
		t.Errorf("reading does not go on: %v", err)
	}
	teamtest.Exec(t, url, "UPDATE meta SET value = '1' WHERE key = 'min_writer'", "UPDATE goose_db_version SET version_id = 0")
	fails("reviewledger team migrate", push())
	teamtest.Exec(t, url, "UPDATE goose_db_version SET version_id = 1")

	newer, odd := teamtest.Ask[string](t, url, "SELECT min(id) FROM run"), teamtest.Ask[string](t, url, "SELECT max(id) FROM run")
	teamtest.Exec(t, url,
		"UPDATE run SET record = '{\"run\": [{\"new\": 1}]}', changed = nextval('change') WHERE id = '"+newer+"'",
		"UPDATE run SET record = jsonb_set(record, '{run,status}', '\"odd\"'), changed = nextval('change') WHERE id = '"+odd+"'")
	folder := t.TempDir()
	for n := range 2 {
		got := pulled(t, url, folder, team.Pulling{})
		if lines := strings.Join(got.Lines(), "\n"); len(got.LeftOut) != 2 || got.Added != (small.Runs-2)*(1-n) || !strings.Contains(lines, "Run "+newer+" was left out: ") || !strings.Contains(lines, "2 left out") {
			t.Errorf("%s", lines)
		}
	}
	teamtest.Exec(t, url, "UPDATE run SET record = jsonb_set(record, '{run,status}', to_jsonb(status)) WHERE id = '"+odd+"'")
	if got := pulled(t, url, folder, team.Pulling{}); got.Added != 1 || len(got.LeftOut) != 1 {
		t.Errorf("after an update: %v", got.Lines())
	}
	teamtest.Exec(t, url, "DROP SCHEMA "+teamtest.Ask[string](t, url, "SELECT current_schema()::text")+" CASCADE")
	fails("reviewledger team migrate", push())
}

// Characters that PostgreSQL refuses are replaced, and cost nothing else.
func TestPoisonedTexts(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	path := copied(t, generated(t, small), "DROP TRIGGER reports_are_never_changed",
		"UPDATE reports SET issue = 'a' || char(0) || 'b', fix = CAST(x'66ff67' AS TEXT), title = '\\u0000 \\uD800'")
	if sent := pushed(t, url, reading(t, path), team.Sending{}); sent.Pushed != small.Runs || len(sent.Refused) > 0 {
		t.Fatalf("%v", sent.Lines())
	}
	got := pulled(t, url, t.TempDir(), team.Pulling{})
	for _, v := range must(reading(t, got.Path).Violations(t.Context(), ledger.ViolationFilter{}))(t) {
		if v.Issue != "a\uFFFDb" || v.Fix != "f\uFFFDg" {
			t.Fatalf("%q, %q", v.Issue, v.Fix)
		}
	}
}

// A run whose rows the server does not accept is refused and named, and the others are pushed.
func TestRowsThatTheServerRefuses(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	l := reading(t, generated(t, small))
	refused := must(l.Outline(t.Context(), time.Time{}))(t).Runs[1].Run
	teamtest.Exec(t, url, "ALTER TABLE run ADD CONSTRAINT not_this_one CHECK (id <> '"+refused+"')")
	sent := pushed(t, url, l, team.Sending{})
	if sent.Pushed != small.Runs-1 || len(sent.Refused) != 1 || sent.Refused[0].Run != refused || !strings.Contains(sent.Refused[0].Why, "not_this_one") {
		t.Errorf("%v", sent.Lines())
	}
}

// What was deleted leaves the replicas, and no push brings it back.
func TestForgottenRunsLeaveReplicas(t *testing.T) {
	t.Parallel()
	url, folder := migrated(t), t.TempDir()
	l := reading(t, generated(t, small))
	pushed(t, url, l, team.Sending{})
	pulled(t, url, folder, team.Pulling{})
	s := at(t, url)
	runs := must(l.Outline(t.Context(), time.Time{}))(t).Runs
	slices.SortFunc(runs, func(a, b exchange.Revision) int { return a.StartedAt.Moment().Compare(b.StartedAt.Moment()) })
	last, before := strings.ToLower(runs[len(runs)-1].Run[:24]), runs[1].StartedAt.Moment()
	for name, d := range map[string]team.Deletion{"run": {Run: last}, "old runs": {Before: &before}} {
		refused := errors.New("no")
		if _, err := s.Delete(t.Context(), d, func(runs int) error { return fmt.Errorf("%w to %d", refused, runs) }); !errors.Is(err, refused) || !strings.Contains(err.Error(), "no to 1") {
			t.Errorf("%s: %v", name, err)
		}
		if n := must(s.Delete(t.Context(), d, yes))(t); n != 1 {
			t.Errorf("%s: %d deleted", name, n)
		}
	}
	sent := pushed(t, url, l, team.Sending{})
	if sent.Deleted != 2 || sent.Pushed != 0 || !strings.Contains(strings.Join(sent.Lines(), "\n"), "2 runs were not pushed: deleted from the team store.") {
		t.Errorf("%v", sent.Lines())
	}
	got := pulled(t, url, folder, team.Pulling{})
	if left := runsOf(t, got.Path); got.Removed != 2 || len(left) != small.Runs-2 {
		t.Errorf("%v, and %d runs are left", got.Lines(), len(left))
	}
}

// yes agrees to every deletion.
func yes(int) error { return nil }

// A pull brings the period and the repository that it names, or what the replica holds, and removes
// nothing of what was pulled before.
func TestPeriodsAndRepositories(t *testing.T) {
	t.Parallel()
	url, folder := migrated(t), t.TempDir()
	pushed(t, url, reading(t, generated(t, small)), team.Sending{})
	ages := map[string]string{"a": "10 50", "b": "30 90"} // of runs, in days
	for repository, days := range ages {
		for age := range strings.FieldsSeq(days) {
			teamtest.Exec(t, url, "UPDATE run SET repository = '"+repository+"', started_at = '"+generatedAt.Format(time.RFC3339)+"'::timestamptz - interval '"+age+" days' WHERE id = (SELECT min(id) FROM run WHERE repository NOT IN ('a', 'b'))")
		}
	}
	ago := func(days int) *time.Time { return new(generatedAt.AddDate(0, 0, -days)) }
	first := team.Since(*ago(12 * 7))
	for n, test := range []struct {
		pull  team.Pulling
		added int
		held  string
	}{
		{team.Pulling{Repository: "a", Since: ago(40)}, 1, team.Since(*ago(40)) + " in a"},
		{team.Pulling{}, 0, team.Since(*ago(40)) + " in a"},
		{team.Pulling{Since: ago(20)}, 0, team.Since(*ago(40)) + " in a"},
		{team.Pulling{Since: ago(60)}, 1, team.Since(*ago(60)) + " in a"},
		{team.Pulling{Repository: "b"}, 1, team.Since(*ago(60)) + " in a, " + first + " in b"},
		{team.Pulling{Since: new(time.Time)}, 1, "everything in a, everything in b"},
		{team.Pulling{Repository: "none"}, 0, "everything in a, everything in b, " + first + " in none"},
	} {
		test.pull.Now = generatedAt
		got := must(at(t, url, folder).Pull(t.Context(), test.pull))(t)
		if got.Added != test.added || got.Removed != 0 || got.Replica.Held() != test.held {
			t.Errorf("pull %d: %v, not %d runs and %q", n+1, got.Lines(), test.added, test.held)
		}
		if r := must(at(t, url, folder).Replica(t.Context()))(t); r.Held() != test.held || r.Holds(*ago(70)) != (n >= 5) {
			t.Errorf("after pull %d the replica holds %q", n+1, r.Held())
		}
	}
}

// Two ledgers may have the same worktree and have given the same short IDs: both are there, and such
// an ID is ambiguous.
func TestTwoLedgersWithOneWorktree(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	first, second := generated(t, small), filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), second, small, generatedAt.Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{first, second} {
		pushed(t, url, reading(t, path), team.Sending{})
	}
	sameAs(t, url, first, second)
	replica := reading(t, pulled(t, url, t.TempDir(), team.Pulling{}).Path)
	short := must(replica.Violations(t.Context(), ledger.ViolationFilter{Limit: 1}))(t)[0].ShortID
	ambiguous := (*ledger.IDError)(nil)
	if _, err := replica.FindViolations(t.Context(), []string{short}); !errors.As(err, &ambiguous) || len(ambiguous.Matches) != 2 {
		t.Errorf("%v", err)
	}
}

// A dump cannot change what a ledger has pushed, and a ledger replaces what its dump brought. Two
// copies of a ledger that have diverged are refused and named.
func TestDumpsAndDivergedCopies(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	path := generated(t, small)
	newer, other := copied(t, path, later), copied(t, path, "UPDATE runs SET config_hash = 'other'")
	if sent := pushed(t, url, reading(t, path), team.Sending{Untrusted: true}); sent.Pushed != small.Runs {
		t.Errorf("%v", sent.Lines())
	}
	if sent := pushed(t, url, reading(t, other), team.Sending{}); sent.Pushed != small.Runs {
		t.Errorf("after its dump: %v", sent.Lines())
	}
	if sent := pushed(t, url, reading(t, newer), team.Sending{Untrusted: true}); len(sent.Refused) != small.Runs || !strings.Contains(sent.Refused[0].Why, "another ledger pushed") {
		t.Errorf("a dump of a later state: %v", sent.Lines())
	}
	teamtest.Exec(t, url, "UPDATE run SET status = 'running', finished_at = NULL") // so that the records are compared
	if sent := pushed(t, url, reading(t, path), team.Sending{}); len(sent.Refused) != small.Runs || !strings.Contains(sent.Refused[0].Why, "the same revision") {
		t.Errorf("a copy: %v", sent.Lines())
	}
	sameAs(t, url, other)
}

// A replica that is damaged, of another store, or no database at all is made anew.
func TestDamagedReplica(t *testing.T) {
	t.Parallel()
	url, folder := migrated(t), t.TempDir()
	path := generated(t, small)
	pushed(t, url, reading(t, path), team.Sending{})
	replica := pulled(t, url, folder, team.Pulling{}).Path
	for name, damage := range map[string]func([]byte) []byte{
		"not a database": func([]byte) []byte { return []byte("nonsense") },
		"empty":          func([]byte) []byte { return nil },
		"cut":            func(b []byte) []byte { return b[:len(b)/2] },
		"overwritten": func(b []byte) []byte {
			clear(b[4096 : len(b)-4096])
			return b
		},
		"a ledger": func([]byte) []byte { return must(os.ReadFile(path))(t) },
	} {
		if err := errors.Join(os.WriteFile(replica, damage(must(os.ReadFile(replica))(t)), 0o600), removed(replica+"-wal"), removed(replica+"-shm")); err != nil {
			t.Fatal(err)
		}
		got := pulled(t, url, folder, team.Pulling{})
		if d := cmp.Diff(runsOf(t, path), runsOf(t, got.Path)); d != "" {
			t.Errorf("%s (-ledger +replica):\n%s", name, d)
		}
	}
}

func removed(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// Who pushes may not delete or bury, who reads may not write, and only the owner deletes.
func TestRights(t *testing.T) {
	t.Parallel()
	url := teamtest.URL(t)
	push, read := teamtest.As(t, url, "pusher"), teamtest.As(t, url, "reader")
	migrate(t, url, team.Roles{Push: "pusher", Read: "reader"})
	path := generated(t, small)
	if sent := pushed(t, push, reading(t, path), team.Sending{}); sent.Pushed != small.Runs {
		t.Errorf("%v", sent.Lines())
	}
	sameAs(t, read, path)
	sameAs(t, push, path)
	for _, role := range []string{push, read} {
		s := at(t, role)
		if _, err := s.Delete(t.Context(), team.Deletion{Before: &generatedAt}, yes); err == nil || !strings.Contains(err.Error(), "only the owner of the schema can migrate and delete") {
			t.Errorf("%v", err)
		}
		if _, err := at(t, role).Migrate(t.Context(), team.Roles{}); err == nil || !strings.Contains(err.Error(), "only the owner of the schema can migrate and delete") {
			t.Errorf("%v", err)
		}
	}
	_, err := at(t, read).Push(t.Context(), reading(t, copied(t, path, later)), team.Sending{Content: exchange.ContentWords})
	if err == nil || !strings.Contains(err.Error(), "--push-role") {
		t.Errorf("%v", err)
	}
	for role, statements := range map[string]string{
		"pusher": "DELETE FROM run|UPDATE meta SET value = ''|INSERT INTO tombstone (id) VALUES ('x')|DROP TABLE run|TRUNCATE run",
		"reader": "INSERT INTO meta VALUES ('a', 'b')|UPDATE run SET status = ''|DELETE FROM run|SELECT nextval('change')",
	} {
		for statement := range strings.SplitSeq(statements, "|") {
			teamtest.Exec(t, url, `DO $$ BEGIN
				SET LOCAL ROLE `+role+`; `+strings.Replace(statement, "SELECT", "PERFORM", 1)+`; RAISE 'it was allowed';
			EXCEPTION WHEN insufficient_privilege THEN NULL; END $$`)
		}
	}
}

// The lists of a replica are those of the ledger.
func TestListsOfAReplica(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	l := reading(t, generated(t, storetest.Size{Runs: 30, Iterations: 3, Violations: 30, Varied: true}))
	pushed(t, url, l, team.Sending{Content: exchange.ContentFull})
	replica := reading(t, pulled(t, url, t.TempDir(), team.Pulling{Content: exchange.ContentFull}).Path)
	for name, f := range map[string]ledger.ViolationFilter{
		"all": {}, "skipped": {Statuses: []ledger.Status{ledger.StatusSkipped}}, "open": {Statuses: []ledger.Status{ledger.StatusNew, ledger.StatusReopened, ledger.StatusDisputed}}, "high": {Priorities: []ledger.Priority{ledger.High}},
		"gate": {Gate: "quality", Adapter: "codex"}, "folder": {File: "src/**"}, "recurring": {Recurring: true}, "by file": {Sort: ledger.SortFile},
		"by status": {Sort: ledger.SortStatus, Limit: 70}, "changed": {Sort: ledger.SortChanged}, "old": {Reported: ledger.Period{Until: generatedAt.AddDate(0, 0, -60)}},
	} {
		want, got := must(l.Violations(t.Context(), f))(t), must(replica.Violations(t.Context(), f))(t)
		for i := range want {
			want[i].Worktree = "" // never sent
		}
		for i := range got {
			got[i].Worktree = ""
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-ledger +replica):\n%.3000s", name, d)
		}
		q := must(ledger.ParseSearch("error call", nil))(t)
		f.Sort = ""
		if d := cmp.Diff(len(must(l.Search(t.Context(), q, f))(t)), len(must(replica.Search(t.Context(), q, f))(t))); d != "" {
			t.Errorf("search, %s: %s", name, d)
		}
	}
}
