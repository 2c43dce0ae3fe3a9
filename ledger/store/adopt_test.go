package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// Runs without a repository count for the repository that adopts them, whether it adopts all of
// them or only those of its worktree.
func TestTotalsAreAdopted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sole            bool
		adopted, former int
	}{"all": {true, 504, 0}, "one worktree": {false, 24, 480}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "ledger.db")
			size := storetest.Size{Runs: 21, Iterations: 2, Violations: 24}
			if err := storetest.Generate(t.Context(), path, size, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)); err != nil {
				t.Fatal(err)
			}
			l, err := store.Open(t.Context(), path, store.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			if _, err := l.StartRun(t.Context(), ledger.Run{
				Kind: ledger.KindGates, Worktree: "/work/tree7", LogDir: "logs", BaseRef: "main", Base: "0",
				Repository: ledger.Repository{Kind: ledger.RepositoryOrigin, Key: "github.com/a/b", Sole: c.sole},
			}); err != nil {
				t.Fatal(err)
			}
			for key, want := range map[string]int{"github.com/a/b": c.adopted, ledger.UnknownRepository: c.former} {
				s, err := l.Statistics(t.Context(), figures.Filter{Repository: key})
				if err != nil || s.Violations.Violations != want {
					t.Errorf("%s has %d violations, %v", key, s.Violations.Violations, err)
				}
			}
			if problems, err := l.Problems(t.Context()); err != nil || len(problems) > 0 {
				t.Errorf("problems: %q, %v", problems, err)
			}
		})
	}
}
