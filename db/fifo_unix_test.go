//go:build unix

package db_test

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/db"
)

// A pipe is rejected at once, because opening it would wait for a writer.
func TestAPipeIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Open(t.Context(), path, nil); !errors.Is(err, db.ErrForeign) {
		t.Errorf("to write: %v", err)
	}
	if _, err := db.OpenReadOnly(t.Context(), path); !errors.Is(err, db.ErrForeign) {
		t.Errorf("to read: %v", err)
	}
	if _, err := db.Inspect(t.Context(), path, db.Time(time.Now())); !errors.Is(err, db.ErrForeign) {
		t.Errorf("to inspect: %v", err)
	}
}
