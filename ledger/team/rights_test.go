package team_test

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/team"
	"github.com/reviewledger/reviewledger/ledger/team/push"
	"github.com/reviewledger/reviewledger/ledger/team/teamtest"
	migrations "github.com/reviewledger/reviewledger/migrations/postgres"
)

// refused checks that the error contains each of these.
func refused(t *testing.T, what string, err error, says ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error", what)
		return
	}
	for _, want := range says {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error does not say %q: %v", what, want, err)
		}
	}
}

func TestRights(t *testing.T) {
	t.Parallel()
	url, l := teamtest.URL(t), small(t)
	pusher, reader, stranger := teamtest.As(t, url, "rights_push"), teamtest.As(t, url, "rights_read"), teamtest.As(t, url, "rights_none")
	m := must(push.Migrate(t.Context(), team.Options{URL: url}, push.Roles{Push: "rights_push", Read: "rights_read"}))(t)
	if !m.Given || m.From != 0 || m.To != migrations.Latest() {
		t.Errorf("%+v", m)
	}
	// What the push role may and may not do.
	if got := sending(t, pusher, l, exchange.ContentWords); got.Pushed != 2 {
		t.Errorf("%+v", got)
	}
	if got := sending(t, pusher, l, exchange.ContentFull); got.Pushed != 2 { // rows are changed
		t.Errorf("%+v", got)
	}
	schema := teamtest.Ask[string](t, url, "SELECT current_schema()::text")
	for _, c := range []struct {
		right string
		has   map[string]bool
	}{
		{"SELECT", map[string]bool{"rights_push": true, "rights_read": true, "rights_none": false}},
		{"INSERT", map[string]bool{"rights_push": true, "rights_read": false, "rights_none": false}},
		{"UPDATE", map[string]bool{"rights_push": true, "rights_read": false, "rights_none": false}},
		{"DELETE", map[string]bool{"rights_push": false, "rights_read": false, "rights_none": false}},
		{"TRUNCATE", map[string]bool{"rights_push": false, "rights_read": false, "rights_none": false}},
	} {
		for role, has := range c.has {
			const query = `SELECT coalesce(string_agg(c.relname, ' ' ORDER BY c.relname), '') FROM pg_class AS c
				WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r' AND has_table_privilege($2, c.oid, $3) <> $4`
			want := ""
			if role == "rights_push" && (c.right == "INSERT" || c.right == "UPDATE") {
				want = "goose_db_version meta tombstone"
			}
			if got := teamtest.Ask[string](t, url, query, schema, role, c.right, has); got != want {
				t.Errorf("%s: %s is otherwise on %q, want %q", role, c.right, got, want)
			}
		}
	}
	s := opened(t, pusher)
	run := must(s.RemovalOfRun(t.Context(), must(l.Outline(t.Context(), time.Time{}))(t).Runs[0].Run))(t)
	_, err := s.Remove(t.Context(), run, nil)
	refused(t, "forget as the push role", err, "permission denied", "only the owner of its schema can delete")
	for role, address := range map[string]string{"rights_push": pusher, "rights_read": reader} {
		_, err := push.Migrate(t.Context(), team.Options{URL: address}, push.Roles{})
		refused(t, "migrate as "+role, err, `belongs to role "postgres"`, role, "only its owner")
	}
	// The read role.
	if got := must(opened(t, reader).Status(t.Context()))(t); len(got.Ledgers) != 1 || got.Ledgers[0].Runs != 2 {
		t.Errorf("%+v", got)
	}
	_, err = opened(t, reader).PushLedger(t.Context(), generatedAgain(t), push.Sending{Source: words("")})
	refused(t, "push as the read role", err, "permission denied", "team migrate")
	reading := must(push.Open(t.Context(), team.Options{URL: url}))(t)
	defer reading.Close()
	_, err = reading.PushLedger(t.Context(), generatedAgain(t), push.Sending{Source: words("")})
	refused(t, "push where only questions are asked", err, "read-only")
	// A role without rights.
	refused(t, "open as a stranger", opened(t, stranger).Check(t.Context()), "may not see it", "team migrate")
	// A table that a later migration adds has the same rights.
	teamtest.Exec(t, url, "CREATE TABLE later (x integer)")
	if !teamtest.Ask[bool](t, url, "SELECT has_table_privilege('rights_push', 'later', 'INSERT') AND has_table_privilege('rights_read', 'later', 'SELECT')") {
		t.Error("a later table has no rights")
	}
	// Nothing is left to do the second time.
	if m := must(push.Migrate(t.Context(), team.Options{URL: url}, push.Roles{}))(t); m.From != m.To || m.Given || !strings.Contains(strings.Join(m.Rights, "\n"), "PUSH_ROLE") {
		t.Errorf("%+v", m)
	}
}

func TestOlderAndNewerPrograms(t *testing.T) {
	t.Parallel()
	url, l := migrated(t), small(t)
	s := opened(t, url)
	push := func() (push.Sent, error) {
		return s.PushLedger(t.Context(), l, push.Sending{Source: words("")})
	}
	teamtest.Exec(t, url, fmt.Sprintf("UPDATE meta SET min_writer = %d", migrations.Latest()+1))
	_, err := push()
	refused(t, "an older program", err, fmt.Sprintf("version %d", migrations.Latest()+1), "update reviewledger")
	// Newer tables to which older programs may still write.
	teamtest.Exec(t, url, "UPDATE meta SET min_writer = 1",
		fmt.Sprintf("INSERT INTO goose_db_version (version_id, is_applied) VALUES (%d, true)", migrations.Latest()+1),
		"ALTER TABLE run ADD COLUMN later text NOT NULL DEFAULT 'x'")
	if got := must(push())(t); got.Pushed != 2 {
		t.Errorf("%+v", got)
	}
	teamtest.Exec(t, url, fmt.Sprintf("DELETE FROM goose_db_version WHERE version_id >= %d", migrations.Latest()))
	_, err = push()
	older := teamtest.Ask[int](t, url, "SELECT max(version_id) FROM goose_db_version")
	refused(t, "a newer program", err, fmt.Sprintf("version %d", older), "team migrate")
	refused(t, "no store at all", opened(t, teamtest.URL(t)).Check(t.Context()), "not a team store yet", "team migrate")
}

func TestNoConnection(t *testing.T) {
	t.Parallel()
	url := teamtest.URL(t)
	address := strings.SplitN(strings.TrimPrefix(url, "postgres://postgres@"), "/", 2)[0]
	teamtest.As(t, url, teamtest.Locked)
	free := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	gone := free.Addr().String()
	_ = free.Close()
	for what, c := range map[string]struct {
		url  string
		says []string
	}{
		"wrong password":  {"postgres://locked:secret@" + address + "/postgres?sslmode=disable", []string{"password authentication failed", ".pgpass"}},
		"no database":     {"postgres://postgres@" + address + "/nowhere?sslmode=disable", []string{"nowhere", "create the database"}},
		"unknown host":    {"postgres://x:secret@no-such-host.invalid/postgres?sslmode=disable", []string{"no-such-host.invalid", "name of the host"}},
		"server gone":     {"postgres://x:secret@" + gone + "/postgres?sslmode=disable", []string{"check the host and the port"}},
		"no TLS":          {"postgres://x:secret@" + address + "/postgres?sslmode=require", []string{"TLS", "sslmode=disable"}},
		"not an address":  {"postgres://x:secret@host:port/postgres", []string{"postgres://USER@HOST/DATABASE"}},
		"not its grammar": {"host=h password=secret sslmode=maybe", []string{"sslmode"}},
	} {
		s, err := push.Open(t.Context(), team.Options{URL: c.url, Write: true})
		if err == nil {
			err = s.Check(t.Context())
			s.Close()
		}
		refused(t, what, err, c.says...)
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error has the password: %v", what, err)
		}
	}
}

// A server that accepts connections and then does not answer, or stops in the middle, is given up
// in time.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	listener := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			defer conn.Close() // keep it open until then
		}
	}()
	url, l := migrated(t), small(t)
	defer locked(t, url)()
	for what, address := range map[string]string{"silent": "postgres://x@" + listener.Addr().String() + "/x", "stops": url} {
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		s := must(push.Open(ctx, team.Options{URL: address, Write: true}))(t)
		_, err := s.PushLedger(ctx, l, push.Sending{Source: words("")})
		s.Close()
		cancel()
		if took := time.Since(began); err == nil || took > 9*time.Second {
			t.Errorf("%s: after %s: %v", what, took, err)
		}
	}
}

func TestForgetThenPush(t *testing.T) {
	t.Parallel()
	url, l := migrated(t), small(t)
	sending(t, url, l, exchange.ContentWords)
	s := opened(t, url)
	runs := must(l.Outline(t.Context(), time.Time{}))(t).Runs
	_, err := s.RemovalOfRun(t.Context(), "01")
	refused(t, "a prefix of both", err, "ambiguous ID")
	_, err = s.RemovalOfRun(t.Context(), "ZZ")
	refused(t, "no run", err, `no run matches "ZZ"`)
	if n, err := s.Remove(t.Context(), must(s.RemovalOfRun(t.Context(), strings.ToLower(runs[0].Run)))(t), nil); n != 1 || err != nil {
		t.Error(n, err)
	}
	totalsAreRight(t, url)
	got := sending(t, url, l, exchange.ContentWords)
	if d := gocmp.Diff([]string{runs[0].Run}, got.Forgotten); d != "" || got.Unchanged != 1 {
		t.Errorf("%+v", got)
	}
	if lines := strings.Join(got.Lines(), "\n"); !strings.Contains(lines, runs[0].Run+" was not pushed: it was deleted") {
		t.Error(lines)
	}
	// It is also refused in the transaction, if it was deleted meanwhile.
	run, jobs := recorded(t, l)
	if got := put(t, url, words(must(l.Outline(t.Context(), time.Time{}))(t).Database), run, jobs); got != push.Forgotten {
		t.Errorf("%s", got)
	}
	for _, table := range []string{"iteration", "gate", "slot", "violation", "report", "event", "transition", "record"} {
		column := "run"
		if n := teamtest.Ask[int](t, url, "SELECT count(*) FROM "+table+" WHERE "+column+" = $1", runs[0].Run); n != 0 {
			t.Errorf("%s: %d rows of a forgotten run", table, n)
		}
	}
	// All runs of a repository.
	key := teamtest.Ask[string](t, url, "SELECT key FROM repository")
	if n, err := s.Remove(t.Context(), must(s.RemovalOfRepository(t.Context(), key))(t), nil); n != 1 || err != nil {
		t.Error(n, err)
	}
	if got := sending(t, url, l, exchange.ContentWords); len(got.Forgotten) != 2 {
		t.Errorf("%+v", got)
	}
	if n := teamtest.Ask[int](t, url, "SELECT count(*) FROM repository"); n != 0 {
		t.Errorf("%d repositories", n)
	}
	_, err = s.RemovalOfRepository(t.Context(), "nosuch")
	refused(t, "no repository", err, "nosuch")
	totalsAreRight(t, url)
}

// A run that is pushed while somebody is asked whether to delete is deleted with the others.
func TestForgetWhatCameMeanwhile(t *testing.T) {
	t.Parallel()
	url, l := migrated(t), small(t)
	outline := must(l.Outline(t.Context(), time.Time{}))(t)
	first, later := must(l.Run(t.Context(), outline.Runs[0].Run))(t), must(l.Run(t.Context(), outline.Runs[1].Run))(t)
	put(t, url, words("d"), first, outline.Jobs)
	s := opened(t, url)
	removals := []push.Removal{
		must(s.RemovalOfRepository(t.Context(), teamtest.Ask[string](t, url, "SELECT key FROM repository")))(t),
		must(s.RemovalBefore(t.Context(), time.Now().AddDate(1, 0, 0)))(t),
		must(s.RemovalOfRun(t.Context(), later.Head.Run))(t),
	}
	for i, removal := range removals {
		teamtest.Exec(t, url, "DELETE FROM tombstone")
		for _, run := range []*exchange.Run{first, later} {
			if got := put(t, url, words("d"), run, outline.Jobs); got != push.Pushed && got != push.Unchanged {
				t.Fatalf("%d: %s", i, got)
			}
		}
		must(s.Remove(t.Context(), removal, nil))(t)
		if n := teamtest.Ask[int](t, url, "SELECT count(*) FROM run WHERE id = $1", later.Head.Run); n != 0 {
			t.Errorf("%d: the run that came later is there", i)
		}
		totalsAreRight(t, url)
	}
}

func TestPruneThenPush(t *testing.T) {
	t.Parallel()
	url, l := migrated(t), small(t)
	sending(t, url, l, exchange.ContentWords)
	s := opened(t, url)
	runs := must(l.Outline(t.Context(), time.Time{}))(t).Runs
	later := max(runs[0].StartedAt, runs[1].StartedAt)
	before := must(time.Parse(time.RFC3339, string(later)))(t)
	if n, err := s.Remove(t.Context(), must(s.RemovalBefore(t.Context(), before))(t), nil); n != 1 || err != nil {
		t.Error(n, err)
	}
	if got := sending(t, url, l, exchange.ContentWords); len(got.Forgotten) != 1 || got.Unchanged != 1 {
		t.Errorf("%+v", got)
	}
	// The horizon does not move back.
	must(s.Remove(t.Context(), must(s.RemovalBefore(t.Context(), before.Add(-time.Hour)))(t), nil))(t)
	if got := must(s.Status(t.Context()))(t); got.Horizon == nil || !got.Horizon.Equal(before) {
		t.Errorf("%+v", got)
	}
	alone := migrated(t)
	run := must(l.Run(t.Context(), teamtest.Ask[string](t, url, "SELECT id FROM run")))(t)
	outline := must(l.Outline(t.Context(), time.Time{}))(t)
	put(t, alone, words(outline.Database), run, outline.Jobs)
	want, got := rowsOf(t, alone), rowsOf(t, url)
	delete(got, "tombstone")
	delete(want, "tombstone")
	if d := gocmp.Diff(want, got); d != "" {
		t.Errorf("(-only that run +pruned):\n%s", d)
	}
	totalsAreRight(t, url)
}
