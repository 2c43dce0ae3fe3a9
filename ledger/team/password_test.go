package team_test

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/reviewledger/reviewledger/ledger/team"
	"github.com/reviewledger/reviewledger/ledger/team/push"
	"github.com/reviewledger/reviewledger/ledger/team/teamtest"
)

// A password comes from where psql looks for one; the URL takes precedence.
func TestPasswordFile(t *testing.T) {
	address := migrated(t)
	as := must(url.Parse(teamtest.As(t, address, teamtest.Locked)))(t)
	const password = `of:a\role`
	teamtest.Exec(t, address, `ALTER ROLE `+teamtest.Locked+` PASSWORD '`+password+`'`, `DO $$ BEGIN
		EXECUTE format('GRANT USAGE ON SCHEMA %1$I TO `+teamtest.Locked+`; GRANT SELECT ON ALL TABLES IN SCHEMA %1$I TO `+teamtest.Locked+`', current_schema());
	END $$`)
	home := t.TempDir()
	write := func(name, lines string) string {
		path := filepath.Join(home, name)
		if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const escaped = `:locked:of\:a\\role`
	here := "127.0.0.1:" + as.Port() + ":*"
	wrong := write("wrong", here+":locked:another\n")
	right := write("right", "# comment\nelsewhere:"+as.Port()+":*:locked:another\n"+here+":postgres:another\n"+here+escaped+"\n")
	for _, c := range []struct {
		what        string
		environment map[string]string
		parameters  string
		file        string // ~/.pgpass
		let         bool
	}{
		{what: "nothing", let: false},
		{what: "~/.pgpass", file: here + escaped, let: true},
		{what: "~/.pgpass of all", file: "*:*:*" + escaped, let: true},
		{what: "~/.pgpass of another role", file: here + `:other:of\:a\\role`, let: false},
		{what: "~/.pgpass of another port", file: "127.0.0.1:1:*" + escaped, let: false},
		{what: "PGPASSFILE", environment: map[string]string{"PGPASSFILE": right}, let: true},
		{what: "PGPASSFILE before ~/.pgpass", environment: map[string]string{"PGPASSFILE": wrong}, file: here + escaped, let: false},
		{what: "PGPASSFILE that is not there", environment: map[string]string{"PGPASSFILE": filepath.Join(home, "nosuch")}, let: false},
		{what: "passfile in the URL", environment: map[string]string{"PGPASSFILE": wrong}, parameters: "&passfile=" + url.QueryEscape(right), let: true},
		{what: "PGPASSWORD", environment: map[string]string{"PGPASSWORD": password, "PGPASSFILE": wrong}, let: true},
	} {
		t.Setenv("HOME", home)
		for _, name := range []string{"PGPASSFILE", "PGPASSWORD"} {
			t.Setenv(name, c.environment[name])
		}
		write(".pgpass", c.file)
		s := must(push.Open(t.Context(), team.Options{URL: as.String() + c.parameters}))(t)
		err := s.Check(t.Context())
		s.Close()
		if c.let && err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		if !c.let {
			refused(t, c.what, err, "password authentication failed", ".pgpass")
		}
	}
}
