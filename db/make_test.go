package db_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/reviewledger/reviewledger/db"
)

// files returns the names in a folder.
func files(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// fill returns a function that adds a row.
func fill(t *testing.T, value string) func(*sql.DB) error {
	return func(handle *sql.DB) error {
		run(t, handle, "INSERT INTO meta (key, value) VALUES ('made', '"+value+"')")
		return nil
	}
}

func made(t *testing.T, path string) (value string) {
	t.Helper()
	if err := open(t, path).QueryRow("SELECT value FROM meta WHERE key = 'made'").Scan(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestMake(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "new", "deep", "ledger.db")
	if !db.Missing(path) {
		t.Error("it is not missing")
	}
	if err := db.Make(t.Context(), path, fill(t, "whole")); err != nil {
		t.Fatal(err)
	}
	if got := files(t, filepath.Dir(path)); !slices.Equal(got, []string{"ledger.db", "ledger.db.lock"}) {
		t.Errorf("the folder holds %q", got)
	}
	if got := files(t, folder); !slices.Equal(got, []string{"new"}) {
		t.Errorf("left beside it: %q", got)
	}
	for file, want := range map[string]os.FileMode{filepath.Dir(path): os.ModeDir | 0o700, path: 0o600, path + ".lock": 0o600} {
		if info, err := os.Stat(file); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v, want the mode %v", file, info.Mode(), err, want)
		}
	}
	handle := open(t, path)
	if mode := pragma(t, handle, "journal_mode"); mode != "wal" {
		t.Errorf("the journal mode is %s", mode)
	}
	if err := handle.Close(); err != nil {
		t.Fatal(err)
	}
	if got := made(t, path); got != "whole" || db.Missing(path) {
		t.Errorf("it holds %q", got)
	}
}

// A failed fill leaves nothing behind, not even a folder.
func TestMakeLeavesNothing(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	refused := errors.New("refused")
	for _, path := range []string{filepath.Join(folder, "ledger.db"), filepath.Join(folder, "new", "ledger.db")} {
		err := db.Make(t.Context(), path, func(aside *sql.DB) error {
			return errors.Join(fill(t, "half")(aside), refused)
		})
		if !errors.Is(err, refused) {
			t.Error(err)
		}
		if got := files(t, folder); got != nil {
			t.Errorf("left: %q", got)
		}
	}
}

// A database that another process creates in the meantime is left alone.
func TestMakeReplacesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "ledger.db")
	err := db.Make(t.Context(), path, func(aside *sql.DB) error {
		return errors.Join(fill(t, "ours")(aside), fill(t, "theirs")(open(t, path)))
	})
	if !errors.Is(err, db.ErrExists) {
		t.Error(err)
	}
	if got := made(t, path); got != "theirs" {
		t.Errorf("it holds %q", got)
	}
	// A -wal alone would be mistaken for that of the new database.
	stray := filepath.Join(t.TempDir(), "ledger.db")
	if err := os.WriteFile(stray+"-wal", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := db.Make(t.Context(), stray, fill(t, "ours")); !errors.Is(err, db.ErrExists) || db.Missing(stray) {
		t.Errorf("beside a -wal: %v", err)
	}
}
