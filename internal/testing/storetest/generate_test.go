package storetest_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func TestGenerate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	size := storetest.Size{Runs: 21, Iterations: 2, Violations: 8}
	if err := storetest.Generate(t.Context(), path, size, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	l, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	run, err := l.StartRun(t.Context(), ledger.Run{Kind: ledger.KindGates, Worktree: "/w", LogDir: "logs", BaseRef: "main", Base: "0"})
	if err != nil {
		t.Fatal(err)
	}
	if state, err := l.State(t.Context(), run.ID); err != nil || len(state.Violations) != 0 {
		t.Errorf("State of a new run: %v, %v", state, err)
	}
}
