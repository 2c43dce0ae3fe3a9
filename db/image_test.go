package db

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Stamping an image leaves the shared one unchanged, and sets the ID in one place only.
func TestStamped(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 23, 18, 0, 1, 0, time.FixedZone("", 3600))
	image := []byte("a " + noID + " b " + noTime + " c " + noTime)
	got, err := stamped(image, [16]byte{0xab, 15: 0x01}, at)
	const want = "a ab000000000000000000000000000001 b 2026-11-23 17:00:01 c 2026-11-23 17:00:01"
	if err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if !bytes.Contains(image, []byte(noID)) {
		t.Errorf("the image is now %q", image)
	}
	for _, other := range []string{"", noID + noID} {
		if _, err := stamped([]byte(other), [16]byte{}, at); err == nil {
			t.Errorf("no error of %q", other)
		}
	}
}

// A ledger records when it was created, and by which migrations.
func TestLedgerIsStamped(t *testing.T) {
	t.Parallel()
	before := time.Now().UTC().Add(-time.Second)
	handle, err := Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer handle.Close()
	rows := selected(t, handle, "SELECT version_id, tstamp FROM goose_db_version ORDER BY id")
	if len(rows) != Latest+1 {
		t.Fatalf("goose has %q", rows)
	}
	for _, row := range rows {
		_, stamp, _ := strings.Cut(row, " | ")
		made, err := time.Parse("2006-01-02 15:04:05 -0700 MST", stamp)
		if err != nil || made.Before(before) || made.After(time.Now()) {
			t.Errorf("it was made at %s, %v", stamp, err)
		}
	}
}
