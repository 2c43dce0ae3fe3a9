package push_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/store/storetest"
	"github.com/reviewledger/reviewledger/ledger/team"
	"github.com/reviewledger/reviewledger/ledger/team/push"
	"github.com/reviewledger/reviewledger/ledger/team/teamtest"
	migrations "github.com/reviewledger/reviewledger/migrations/postgres"
)

func TestMain(m *testing.M) { os.Exit(teamtest.Main(m)) }

func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// Tables with rows are migrated to those of a later program, completely or not at all.
func TestUpgradeOfTables(t *testing.T) {
	t.Parallel()
	url := teamtest.URL(t)
	must(push.Migrate(t.Context(), team.Options{URL: url}, push.Roles{}))(t)
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 3, Iterations: 1, Violations: 2}, time.Now()); err != nil {
		t.Fatal(err)
	}
	l := must(store.OpenReadOnly(t.Context(), path, store.Options{}))(t)
	filling := must(push.Open(t.Context(), team.Options{URL: url, Write: true}))(t)
	must(filling.PushLedger(t.Context(), l, push.Sending{Source: push.Source{Content: exchange.ContentWords}}))(t)
	filling.Close()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	const runs = "SELECT string_agg(id || digest, ' ' ORDER BY id) FROM run"
	before := teamtest.Ask[string](t, url, runs)
	first := must(migrations.FS.ReadFile("00001_team.sql"))(t)
	second := must(os.ReadFile("testdata/00002_later.sql"))(t)
	later := func(text string) fstest.MapFS {
		return fstest.MapFS{"00001_team.sql": {Data: first}, "00002_later.sql": {Data: []byte(text)}}
	}
	const owners = "SELECT count(*) FROM information_schema.columns WHERE table_schema = current_schema() AND column_name = 'owner'"
	if m, err := push.MigrateTo(t.Context(), team.Options{URL: url}, later(string(second)+"\nSELECT 1 / 0;\n")); err == nil {
		t.Errorf("no error of a migration that fails at its end: %+v", m)
	}
	if n := teamtest.Ask[int](t, url, owners); n != 0 {
		t.Errorf("it left %d columns", n)
	}
	s := must(push.Open(t.Context(), team.Options{URL: url}))(t)
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("after it: %v", err)
	}
	s.Close()
	m := must(push.MigrateTo(t.Context(), team.Options{URL: url}, later(string(second))))(t)
	if m.From != migrations.Latest() || m.To != migrations.Latest()+1 {
		t.Errorf("%+v", m)
	}
	if after := teamtest.Ask[string](t, url, runs); after != before {
		t.Errorf("runs before and after:\n%s\n%s", before, after)
	}
	if n := teamtest.Ask[int](t, url, "SELECT count(*) FROM run WHERE owner = ''"); n != 0 {
		t.Errorf("%d runs without what was added", n)
	}
}
