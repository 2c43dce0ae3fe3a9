package team_test

import (
	"database/sql"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver that goose needs
	"github.com/pressly/goose/v3"

	"github.com/reviewledger/reviewledger/ledger/team"
	"github.com/reviewledger/reviewledger/ledger/team/teamtest"
	migrations "github.com/reviewledger/reviewledger/migrations/postgres"
)

// The tables of an earlier program, with rows in them, become those of this one.
func TestUpgradeCountsWhatIsHere(t *testing.T) {
	t.Parallel()
	url := teamtest.URL(t)
	teamtest.Exec(t, url, "DO $$ BEGIN EXECUTE format('CREATE SCHEMA %I', current_setting('search_path')); END $$")
	handle := must(sql.Open("pgx", url))(t)
	provider := must(goose.NewProvider(goose.DialectPostgres, handle, migrations.FS))(t)
	const released = 4
	must(provider.UpTo(t.Context(), released))(t)
	if err := handle.Close(); err != nil {
		t.Error(err)
	}
	teamtest.Fill(t, url, 30, 20, filledUntil)
	const branches = "SELECT count(*) FROM violation_total WHERE bucket LIKE '@main@%'"
	if n := teamtest.Ask[int](t, url, branches); n != 0 {
		t.Errorf("%d totals of a branch in version %d", n, released)
	}
	if m := must(team.Migrate(t.Context(), team.Options{URL: url}, team.Roles{}))(t); m.From != released || m.To != migrations.Latest() {
		t.Errorf("%+v", m)
	}
	wrongTotals(t, url, "an upgrade")
	if n := teamtest.Ask[int](t, url, branches); n == 0 {
		t.Error("no totals of a branch")
	}
}
