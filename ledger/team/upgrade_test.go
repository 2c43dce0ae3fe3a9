package team_test

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/reviewledger/reviewledger/ledger/team"
	"github.com/reviewledger/reviewledger/ledger/team/teamtest"
	migrations "github.com/reviewledger/reviewledger/migrations/postgres"
)

// Tables with rows in them become those of a later program, all or nothing.
func TestUpgradeOfTables(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	fill(t, url, 3, 2)
	const runs = "SELECT string_agg(id || digest, ' ' ORDER BY id) FROM run"
	before := teamtest.Ask[string](t, url, runs)
	first := must(migrations.FS.ReadFile("00001_team.sql"))(t)
	second := must(os.ReadFile("testdata/00002_later.sql"))(t)
	later := func(text string) fstest.MapFS {
		return fstest.MapFS{"00001_team.sql": {Data: first}, "00002_later.sql": {Data: []byte(text)}}
	}
	const owners = "SELECT count(*) FROM information_schema.columns WHERE table_schema = current_schema() AND column_name = 'owner'"
	if m, err := team.MigrateTo(t.Context(), team.Options{URL: url}, later(string(second)+"\nSELECT 1 / 0;\n")); err == nil {
		t.Errorf("no error of a migration that fails at its end: %+v", m)
	}
	if n := teamtest.Ask[int](t, url, owners); n != 0 {
		t.Errorf("it left %d columns", n)
	}
	s := must(team.Open(t.Context(), team.Options{URL: url}))(t)
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("after it: %v", err)
	}
	s.Close()
	m := must(team.MigrateTo(t.Context(), team.Options{URL: url}, later(string(second))))(t)
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
