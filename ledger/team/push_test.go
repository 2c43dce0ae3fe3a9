package team_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/store/storetest"
	"github.com/reviewledger/reviewledger/ledger/team"
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

// migrated is the address of a team store without rows.
func migrated(t testing.TB) string {
	t.Helper()
	url := teamtest.URL(t)
	must(team.Migrate(t.Context(), team.Options{URL: url}, team.Roles{}))(t)
	return url
}

func opened(t testing.TB, url string) *team.Store {
	t.Helper()
	s := must(team.Open(t.Context(), team.Options{URL: url, Write: true}))(t)
	t.Cleanup(s.Close)
	return s
}

// generated is a ledger of so many runs.
func generated(t testing.TB, size storetest.Size) *store.Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, size, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	l := must(store.OpenReadOnly(t.Context(), path))(t)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func TestPushOneRun(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	l := generated(t, storetest.Size{Runs: 2, Iterations: 2, Violations: 10})
	outline := must(l.Outline(t.Context(), time.Time{}))(t)
	p := must(opened(t, url).NewPusher(t.Context(), team.Source{Database: outline.Database, Content: exchange.ContentWords}))(t)
	defer p.Close()
	events := 0
	for _, want := range []team.Result{team.Pushed, team.Unchanged} {
		events = 0
		for _, run := range outline.Runs {
			record := must(l.Run(t.Context(), run.Run))(t)
			events += len(record.Events)
			prepared := must(p.Prepare(record, outline.Jobs, nil))(t)
			if got := must(p.Push(t.Context(), prepared))(t); got != want {
				t.Errorf("run %s: %s, want %s", run.Run, got, want)
			}
		}
	}
	if got := teamtest.Ask[int](t, url, "SELECT count(*) FROM event"); got != events || got == 0 {
		t.Errorf("%d events, want %d", got, events)
	}
}
