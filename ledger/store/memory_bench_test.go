package store_test

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// BenchmarkInMemory loads one run with 200 violations into a ledger in memory.
func BenchmarkInMemory(b *testing.B) {
	path := filepath.Join(b.TempDir(), "ledger.db")
	size := storetest.Million()
	size.Runs = 1
	if err := storetest.Generate(b.Context(), path, size, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)); err != nil {
		b.Fatal(err)
	}
	from, err := store.OpenReadOnly(b.Context(), path, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer from.Close()
	var dump bytes.Buffer
	if err := from.Dump(b.Context(), exchange.NewWriter(&dump).Put); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		l, err := store.InMemory(b.Context(), exchange.NewReader(bytes.NewReader(dump.Bytes())).Next)
		if err != nil {
			b.Fatal(err)
		}
		if err := l.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
