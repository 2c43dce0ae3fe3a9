package db_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/migrations"
)

func TestInspect(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	at := db.Time(time.Now().UTC())
	if _, err := db.Inspect(t.Context(), path, at); !errors.Is(err, db.ErrMissing) {
		t.Errorf("no file: error %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("looking made the database")
	}
	handle, err := db.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := handle.Close(); err != nil {
		t.Fatal(err)
	}
	found, err := db.Inspect(t.Context(), path, at)
	if err != nil || found.Version != migrations.Latest || found.Latest != migrations.Latest || len(found.Problems) > 0 {
		t.Errorf("a sound ledger: %+v, error %v", found, err)
	}
}

func TestInspectFindsDamage(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	handle, err := db.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := handle.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	for i := 3 * page; i < len(data)-page; i++ {
		data[i] = 0xa5
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := db.Inspect(t.Context(), path, db.Time(time.Now().UTC()))
	if err == nil && len(found.Problems) == 0 {
		t.Error("a database full of rubbish passes for sound")
	}
}
