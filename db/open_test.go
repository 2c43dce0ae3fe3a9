package db_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/migrations"
)

func open(t *testing.T, path string) *sql.DB {
	t.Helper()
	handle, err := db.Open(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = handle.Close() })
	return handle
}

// raw opens a file without the precautions of the package.
func raw(t *testing.T, path string) *sql.DB {
	t.Helper()
	dsn := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path)}
	handle, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		t.Fatal(err)
	}
	handle.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = handle.Close() })
	return handle
}

func run(t *testing.T, handle *sql.DB, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := handle.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func pragma(t *testing.T, handle *sql.DB, name string) (value string) {
	t.Helper()
	if err := handle.QueryRow("PRAGMA " + name).Scan(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

func meta(t *testing.T, handle *sql.DB, key string) (value string) {
	t.Helper()
	if err := handle.QueryRow("SELECT value FROM meta WHERE key = ?", key).Scan(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestOpenMakesALedger(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"ledger.db", "a b?c#d%20.db", "ünï—кириллица.db", "semi;colon&amp=1.db", "file:x.db", `back\slash'quote".db`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "git dir?#%41", "reviewledger")
			path := filepath.Join(dir, name)
			handle := open(t, path)
			want := map[string]string{
				"application_id": fmt.Sprint(migrations.ApplicationID), "user_version": fmt.Sprint(migrations.Latest),
				"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "10000", "integrity_check": "ok",
			}
			got := map[string]string{}
			for name := range want {
				got[name] = pragma(t, handle, name)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("pragmas (-want +got):\n%s", d)
			}
			if version := meta(t, handle, "format_version"); version != "1" {
				t.Errorf("format version is %q", version)
			}
			mode := func(path string, want os.FileMode) {
				info, err := os.Stat(path)
				if err != nil {
					t.Fatal(err)
				}
				if info.Mode().Perm() != want {
					t.Errorf("%s has mode %o, want %o", path, info.Mode().Perm(), want)
				}
			}
			mode(dir, 0o700)
			mode(path, 0o600)
			mode(path+"-wal", 0o600)
			mode(path+".lock", 0o600)
		})
	}
}

func TestOpenTwiceKeepsTheDatabase(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	id := func(handle *sql.DB) string {
		id := meta(t, handle, "database_id")
		if len(id) != 32 {
			t.Fatalf("database id is %q", id)
		}
		return id
	}
	first := open(t, path)
	was := id(first)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if again := id(open(t, path)); again != was {
		t.Errorf("the second open made another database: %q, then %q", was, again)
	}
	if other := id(open(t, filepath.Join(t.TempDir(), "ledger.db"))); other == was {
		t.Errorf("two databases have the id %q", other)
	}
}

func TestOpenUsesAnEmptyFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	write(t, path, nil)
	if got := pragma(t, open(t, path), "user_version"); got != fmt.Sprint(migrations.Latest) {
		t.Errorf("version %s", got)
	}
}

func TestOpenRefusesNewer(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	handle := open(t, path)
	run(t, handle, fmt.Sprintf("PRAGMA user_version = %d", migrations.Latest+1))
	if err := handle.Close(); err != nil {
		t.Fatal(err)
	}
	refused(t, path, db.ErrNewer)
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// refused opens the file and expects the error. The folder of the file must not change.
func refused(t *testing.T, path string, want error) {
	t.Helper()
	before := folder(t, path)
	handle, err := db.Open(t.Context(), path, nil)
	if err == nil {
		_ = handle.Close()
	}
	if !errors.Is(err, want) {
		t.Errorf("Open returned %v, want %v", err, want)
	}
	for name, content := range folder(t, path) {
		if strings.HasSuffix(name, "-shm") {
			continue // index of the -wal, which SQLite creates and removes as needed
		}
		if was, ok := before[name]; !ok || !bytes.Equal(was, content) {
			t.Errorf("%s was changed (it was there: %t)", name, ok)
		}
		delete(before, name)
	}
	for name := range before {
		if !strings.HasSuffix(name, "-shm") {
			t.Errorf("%s was removed", name)
		}
	}
}

func folder(t *testing.T, path string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, entry := range entries {
		files[entry.Name()] = read(t, filepath.Join(filepath.Dir(path), entry.Name()))
	}
	return files
}

// Rule: A database that cannot be used is left as it is.
func TestOpenLeavesOtherFilesUntouched(t *testing.T) {
	t.Parallel()
	ledgerBytes := func(t *testing.T) []byte {
		path := filepath.Join(t.TempDir(), "ledger.db")
		if err := open(t, path).Close(); err != nil {
			t.Fatal(err)
		}
		return read(t, path)
	}
	foreign := func(t *testing.T, statements ...string) []byte {
		path := filepath.Join(t.TempDir(), "other.db")
		handle := raw(t, path)
		run(t, handle, statements...)
		if err := handle.Close(); err != nil {
			t.Fatal(err)
		}
		return read(t, path)
	}
	tests := map[string]func(*testing.T) []byte{
		"text":         func(*testing.T) []byte { return []byte("# notes\n" + strings.Repeat("not a database\n", 500)) },
		"short text":   func(*testing.T) []byte { return []byte("x") },
		"JSON":         func(*testing.T) []byte { return []byte(`{"status": "pass", "violations": []}`) },
		"other SQLite": func(t *testing.T) []byte { return foreign(t, "CREATE TABLE mine (x)", "INSERT INTO mine VALUES (1)") },
		"other SQLite in WAL mode": func(t *testing.T) []byte {
			return foreign(t, "PRAGMA journal_mode = wal", "CREATE TABLE mine (x)")
		},
		"another application's empty SQLite": func(t *testing.T) []byte {
			return foreign(t, "PRAGMA application_id = 7", "CREATE TABLE mine (x)", "DROP TABLE mine")
		},
		"other SQLite with our version": func(t *testing.T) []byte {
			return foreign(t, "PRAGMA user_version = 1", "CREATE TABLE mine (x)")
		},
		"other program's goose": func(t *testing.T) []byte {
			return foreign(t, "CREATE TABLE goose_db_version (id INTEGER)", "CREATE TABLE mine (x)")
		},
		"only the header of a ledger": func(t *testing.T) []byte { return ledgerBytes(t)[:100] },
		"half a page of a ledger":     func(t *testing.T) []byte { return ledgerBytes(t)[:2000] },
		"truncated ledger":            func(t *testing.T) []byte { b := ledgerBytes(t); return b[:len(b)/2] },
		"truncated by a page":         func(t *testing.T) []byte { b := ledgerBytes(t); return b[:len(b)-4096] },
		"corrupt schema page": func(t *testing.T) []byte {
			b := ledgerBytes(t)
			for i := 100; i < 4096; i++ {
				b[i] ^= 0x5a
			}
			return b
		},
		"corrupt header": func(t *testing.T) []byte { b := ledgerBytes(t); copy(b, "SQLite format 4"); return b },
	}
	for name, content := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "ledger.db")
			write(t, path, content(t))
			refused(t, path, db.ErrForeign)
		})
	}
}

// If another program was killed, its database has the last commits in its -wal, which opening must
// not merge.
func TestOpenLeavesAForeignWALUntouched(t *testing.T) {
	t.Parallel()
	live := filepath.Join(t.TempDir(), "live.db")
	handle := raw(t, live)
	run(t, handle, "PRAGMA journal_mode = wal", "CREATE TABLE mine (x)", "INSERT INTO mine VALUES (1)")
	path := filepath.Join(t.TempDir(), "ledger.db")
	write(t, path, read(t, live))
	write(t, path+"-wal", read(t, live+"-wal"))
	if len(read(t, path+"-wal")) == 0 {
		t.Fatal("the -wal is empty")
	}
	refused(t, path, db.ErrForeign)
}

func TestOpenRefusesAFolder(t *testing.T) {
	t.Parallel()
	if handle, err := db.Open(t.Context(), t.TempDir(), nil); err == nil {
		_ = handle.Close()
		t.Error("a folder was opened as a ledger")
	}
}

func TestCodeOfOtherErrors(t *testing.T) {
	t.Parallel()
	if code := db.Code(errors.New("no error of SQLite's")); code != 0 {
		t.Errorf("code %d", code)
	}
	if db.IsCorrupt(os.ErrNotExist) {
		t.Error("a missing file was reported as damaged")
	}
}
