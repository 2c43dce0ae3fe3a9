package db_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/reviewledger/reviewledger/db"
)

// If two processes find the same damaged sums, the second one leaves alone what the first one has
// created in their place.
//
// Rule: Sums are a cache.
func TestDamagedSumsAreRemovedOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db.sums")
	if err := os.WriteFile(path, []byte("these are not sums, but more than 512 bytes of a text: "+string(make([]byte, 600))), 0o600); err != nil {
		t.Fatal(err)
	}
	_, first, err := db.OpenSums(t.Context(), path)
	if !db.IsCorrupt(err) || first == nil {
		t.Fatalf("opened %v, %v", first, err)
	}
	_, second, err := db.OpenSums(t.Context(), path)
	if !db.IsCorrupt(err) || second == nil {
		t.Fatalf("opened %v, %v", second, err)
	}
	if err := db.RemoveSums(path, first, nil); err != nil {
		t.Fatal(err)
	}
	made, _, err := db.OpenSums(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	if _, err := made.ExecContext(t.Context(), "INSERT INTO state (one, ledger, changed) VALUES (1, 'mine', 7)"); err != nil {
		t.Fatal(err)
	}
	if err := db.RemoveSums(path, second, nil); err != nil {
		t.Fatal(err)
	}
	kept, _, err := db.OpenSums(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	var changed int
	if err := kept.QueryRowContext(t.Context(), "SELECT changed FROM state").Scan(&changed); err != nil || changed != 7 {
		t.Errorf("state %d, %v", changed, err)
	}
	if err := db.RemoveSums(path, nil, nil); err != nil {
		t.Fatal(err)
	}
	if !db.Missing(path) || !db.Missing(path+"-wal") {
		t.Error("sums are left that were to be removed whatever they are")
	}
}
