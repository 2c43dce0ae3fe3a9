package db

import (
	"context"
	"path/filepath"
	"testing"
)

// Statements that are prepared ahead are cached by the only connection. A context that has ended
// leaves the connection usable.
func TestPrepareRecording(t *testing.T) {
	t.Parallel()
	handle, err := Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer handle.Close()
	kept := func() (number int) {
		conn, err := handle.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := conn.Raw(func(c any) error { number = len(c.(*keeping).kept); return nil }); err != nil {
			t.Fatal(err)
		}
		return number
	}
	before := kept()
	ended, end := context.WithCancel(t.Context())
	end()
	PrepareRecording(ended, handle)
	if got := kept(); got != before {
		t.Errorf("after its end %d statements are kept, not %d", got, before)
	}
	PrepareRecording(t.Context(), handle)
	if got := kept(); got != before+len(recording()) {
		t.Errorf("%d statements are kept, of which %d were before, and %d are prepared ahead", got, before, len(recording()))
	}
	for _, query := range recording() {
		statement, err := handle.PrepareContext(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		if err := statement.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got := kept(); got != before+len(recording()) {
		t.Errorf("%d statements are kept after each was asked for again", got)
	}
}
