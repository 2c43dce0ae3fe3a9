package team_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/internal/testing/teamtest"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// A child process pushes or pulls instead of running tests, to be killed.
const (
	childPushes = "TEAM_TEST_PUSHES"
	childPulls  = "TEAM_TEST_PULLS"
	childURL    = "TEAM_TEST_URL"
)

func TestMain(m *testing.M) {
	ledger, folder := os.Getenv(childPushes), os.Getenv(childPulls)
	if ledger == "" && folder == "" {
		os.Exit(teamtest.Main(m))
	}
	if err := child(ledger, folder, os.Getenv(childURL)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func child(ledger, folder, url string) error {
	ctx := context.Background()
	s, err := team.At(url, folder)
	if err != nil {
		return err
	}
	if folder != "" {
		_, err = s.Pull(ctx, team.Pulling{Since: &time.Time{}, Now: time.Now()})
		return err
	}
	l, err := store.OpenReadOnly(ctx, ledger, store.Options{})
	if err != nil {
		return err
	}
	_, err = s.Push(ctx, l, team.Sending{Content: exchange.ContentWords})
	return err
}

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
	migrate(t, url, team.Roles{})
	return url
}

func migrate(t testing.TB, url string, roles team.Roles) {
	t.Helper()
	if _, err := at(t, url).Migrate(t.Context(), roles); err != nil {
		t.Fatal(err)
	}
}

func at(t testing.TB, url string, replicas ...string) *team.Store {
	t.Helper()
	return must(team.At(url, strings.Join(replicas, "")))(t)
}

// generatedAt is the time at which generated ledgers end.
var generatedAt = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// generated makes a ledger of this size.
func generated(t testing.TB, size storetest.Size) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, size, generatedAt); err != nil {
		t.Fatal(err)
	}
	return path
}

// reading opens a ledger or a replica.
func reading(t testing.TB, path string) *store.Store {
	t.Helper()
	l := must(store.OpenReadOnly(t.Context(), path, store.Options{}))(t)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func pushed(t testing.TB, url string, l *store.Store, o team.Sending) team.Sent {
	t.Helper()
	if o.Content == "" {
		o.Content = exchange.ContentWords
	}
	return must(at(t, url).Push(t.Context(), l, o))(t)
}

// pulled pulls everything, or what o says.
func pulled(t testing.TB, url, folder string, o team.Pulling) team.Pulled {
	t.Helper()
	if o.Now.IsZero() {
		o.Now = generatedAt
	}
	if o.Since == nil {
		o.Since = &time.Time{}
	}
	return must(at(t, url, folder).Pull(t.Context(), o))(t)
}

// dumped returns the runs of a ledger as a dump, as far as they may be sent.
func dumped(t testing.TB, l *store.Store, content exchange.Content) string {
	t.Helper()
	outline := must(l.Outline(t.Context(), time.Time{}))(t)
	cutter, out := exchange.NewCutter(content, outline.Database), &bytes.Buffer{}
	w := exchange.NewWriter(out)
	slices.SortFunc(outline.Runs, func(a, b exchange.Revision) int { return strings.Compare(a.Run, b.Run) })
	for _, r := range outline.Runs {
		d := must(l.Document(t.Context(), r.Run, exchange.ContentFull))(t)
		if err := w.Put(exchange.Record{Run: cutter.Run(d.Run)}); err != nil {
			t.Fatal(err)
		}
		for _, text := range d.Texts {
			if cut, remains := cutter.Row(text); remains {
				if err := w.Put(exchange.Record{Row: cut}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return out.String()
}

// A replica has what was pushed, row by row.
func TestReplicaHasWhatWasPushed(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	l := reading(t, generated(t, storetest.Size{Runs: 6, Iterations: 2, Violations: 200, Varied: true}))
	folder := t.TempDir()
	for _, content := range []exchange.Content{exchange.ContentWords, exchange.ContentFull} {
		if sent := pushed(t, url, l, team.Sending{Content: content}); sent.Pushed != 6 || len(sent.Refused) > 0 {
			t.Fatalf("%s: %+v", content, sent)
		}
		if sent := pushed(t, url, l, team.Sending{Content: content}); sent.Pushed != 0 || sent.Unchanged != 6 {
			t.Fatalf("%s, again: %+v", content, sent)
		}
		teamtest.Exec(t, url, "UPDATE run SET repository = ''") // as if it had not been known
		if sent := pushed(t, url, l, team.Sending{Content: content}); sent.Pushed != 6 || teamtest.Ask[int](t, url, "SELECT count(*) FROM run WHERE repository = ''") > 0 {
			t.Fatalf("%s, with the repository: %+v", content, sent)
		}
		got := pulled(t, url, folder, team.Pulling{Content: content})
		if got.Added != 6 || len(got.LeftOut) > 0 {
			t.Fatalf("%s: %v", content, got.Lines())
		}
		if again := pulled(t, url, folder, team.Pulling{}); again.Added != 0 {
			t.Fatalf("%s, again: %v", content, again.Lines())
		}
		if a, b := dumped(t, l, content), dumped(t, reading(t, got.Path), content); a != b {
			t.Errorf("%s: the replica has\n%.2000s\nand the ledger\n%.2000s", content, b, a)
		}
	}
}
