package db

import (
	"path/filepath"
	"testing"
)

func TestSmoke(t *testing.T) {
	h, err := Open(t.Context(), filepath.Join(t.TempDir(), "x", "a b?c#d%20.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	q := New(h)
	v, err := q.GetMeta(t.Context(), "format_version")
	if err != nil || v != "1" {
		t.Fatal(v, err)
	}
}
