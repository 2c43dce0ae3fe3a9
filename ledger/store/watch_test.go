package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// watcher reads a ledger as a reader that keeps it open for a while does.
type watcher struct {
	t *testing.T
	*store.Watched
	version string
}

func watch(t *testing.T, path string) *watcher {
	w := &watcher{t: t, Watched: store.Watch(path, store.Options{})}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// sees checks that there are this many runs, and reports whether the version has changed since it
// was last asked for.
func (w *watcher) sees(runs int) (changed bool) {
	w.t.Helper()
	l, done, err := w.Ask(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	defer done()
	found, err := l.Runs(w.t.Context(), ledger.RunFilter{})
	if err != nil || len(found) != runs {
		w.t.Errorf("%d runs, not %d; %v", len(found), runs, err)
	}
	version, err := w.Version(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	changed, w.version = version != w.version, version
	return changed
}

// isGone checks that the ledger is reported as gone, and returns what sees returns.
func (w *watcher) isGone() (changed bool) {
	w.t.Helper()
	if _, _, err := w.Ask(w.t.Context()); !errors.Is(err, store.ErrGone) {
		w.t.Errorf("the error of a ledger that was deleted is %v", err)
	}
	version, err := w.Version(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	changed, w.version = version != w.version, version
	return changed
}

func fill(t *testing.T, path string, runs int) {
	t.Helper()
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: runs, Iterations: 1, Violations: 2}, time.Now()); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
}

// A ledger appears, changes, is replaced and goes away, and is seen in its current state each time.
func TestWatchFollowsTheLedger(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "folder", "ledger.db")
	w := watch(t, path)
	w.sees(0)
	if l, done, err := w.Ask(t.Context()); err != nil || l.Schema() != 0 {
		t.Errorf("the schema of no ledger is %d, %v", l.Schema(), err)
	} else {
		done()
	}
	if w.sees(0) {
		t.Error("nothing changed, but the version did")
	}
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("looking made a folder: %v", err)
	}
	fill(t, path, 3)
	if !w.sees(3) || w.sees(3) {
		t.Error("the version must change once when a ledger appears")
	}
	writer, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.SetCooldown(t.Context(), "claude", "usage limit", time.Hour); err != nil {
		t.Fatal(err)
	}
	if !w.sees(3) || w.sees(3) {
		t.Error("the version must change once when the ledger does")
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	remove(t, path)
	if !w.isGone() || w.isGone() {
		t.Error("the version must change once when the ledger goes away")
	}
	if err := os.WriteFile(path, bytes.Repeat([]byte("no ledger "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.Ask(t.Context()); !errors.Is(err, store.ErrUnusable) || !strings.Contains(err.Error(), "`reviewledger db backup`") {
		t.Errorf("the error for a file that is not a ledger is %v", err)
	}
	remove(t, path)
	fill(t, path, 2)
	if !w.sees(2) {
		t.Error("the version must change when there is another ledger")
	}
}

// A reader that is in the middle of a query when the ledger is deleted gets its answers from the
// deleted ledger.
func TestWatchFinishesQuestions(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	fill(t, path, 2)
	w := watch(t, path)
	before, done, err := w.Ask(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := before.Runs(t.Context(), ledger.RunFilter{}); err != nil {
		t.Fatal(err)
	}
	remove(t, path)
	w.isGone()
	if runs, err := before.Runs(t.Context(), ledger.RunFilter{}); err != nil || len(runs) != 2 {
		t.Errorf("%d runs, %v", len(runs), err)
	}
	done()
	if _, err := before.Runs(t.Context(), ledger.RunFilter{}); err == nil {
		t.Error("a ledger that nobody asks any more is still open")
	}
}

// Nothing can be written through a watched ledger, whatever is asked.
func TestWatchOnlyReads(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	fill(t, path, 1)
	l, done, err := watch(t, path).Ask(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if err := l.SetCooldown(t.Context(), "claude", "usage limit", time.Hour); err == nil {
		t.Error("a row was written")
	}
}

// While another process holds the lock, queries fail soon; later they are answered.
func TestWatchOfALockedLedger(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	fill(t, path, 1)
	handle, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = handle.Close() }()
	lock, err := handle.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock.ExecContext(t.Context(), "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	w := watch(t, path)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, _, err := w.Ask(ctx); !store.IsBusy(err) || ctx.Err() != nil {
		t.Errorf("a locked ledger: %v", err)
	}
	if _, err := lock.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(lock.Close(), handle.Close()); err != nil {
		t.Fatal(err)
	}
	w.sees(1)
}
