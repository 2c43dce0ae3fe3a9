package migrations_test

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/migrations"
)

// Latest is what Open compares the version of a database with, so it must be the number of the
// newest file, and every file must set its own number.
func TestLatestIsTheNewestFile(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	for _, name := range names {
		text, err := fs.ReadFile(migrations.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		number, err := strconv.Atoi(strings.TrimLeft(name[:5], "0"))
		if err != nil || number <= last || name[5] != '_' {
			t.Errorf("file %q does not begin with a number of its own", name)
		}
		last = number
		if set := fmt.Sprintf("PRAGMA user_version = %d;", number); strings.Count(string(text), set) != 1 {
			t.Errorf("%s does not say %q once", name, set)
		}
	}
	if last != migrations.Latest {
		t.Errorf("Latest is %d, and the files are %q", migrations.Latest, names)
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

// A cascade would delete the history of other rows together with one row.
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
