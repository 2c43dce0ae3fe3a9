package migrations_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/migrations"
)

// Latest is what Open compares a database's version with, so it has to be the
// newest file's number, and every file has to set its own.
func TestLatestIsTheNewestFile(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) != migrations.Latest {
		t.Errorf("Latest is %d, and there are %d files: %q", migrations.Latest, len(names), names)
	}
	for i, name := range names {
		text, err := fs.ReadFile(migrations.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		if prefix := fmt.Sprintf("%05d_", i+1); !strings.HasPrefix(name, prefix) {
			t.Errorf("file %q does not begin with %q", name, prefix)
		}
		if set := fmt.Sprintf("PRAGMA user_version = %d;", i+1); strings.Count(string(text), set) != 1 {
			t.Errorf("%s does not say %q once", name, set)
		}
	}
}

// ApplicationID is written in decimal in the first migration.
func TestApplicationIDIsTheMigrations(t *testing.T) {
	t.Parallel()
	text, err := fs.ReadFile(migrations.FS, "00001_ledger.sql")
	if err != nil {
		t.Fatal(err)
	}
	if set := fmt.Sprintf("PRAGMA application_id = %d;", migrations.ApplicationID); !strings.Contains(string(text), set) {
		t.Errorf("the first migration does not say %q", set)
	}
}

// A cascade would let the deletion of one row take the history of others along.
func TestNoCascades(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil || len(names) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(migrations.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"CASCADE", "ON DELETE SET", "INSERT OR REPLACE", "INSERT OR IGNORE"} {
			if strings.Contains(strings.ToUpper(string(text)), word) {
				t.Errorf("%s says %s", name, word)
			}
		}
	}
}
