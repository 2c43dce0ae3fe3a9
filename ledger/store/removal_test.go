package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// What runs added to totals, to the full-text index and to recurring lines is removed with them.
func TestRemovedRunsLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 160, Iterations: 3, Violations: 12}, now); err != nil {
		t.Fatal(err)
	}
	l := openLedger(t, path)
	before := now.Add(-70 * 24 * time.Hour)
	all := must(l.Violations(t.Context(), ledger.ViolationFilter{}))(t)
	calls := 0
	removed := must(l.RemoveRuns(t.Context(), before, func(done, all int) {
		if calls++; done != calls || all < done {
			t.Errorf("progress %d of %d at call %d", done, all, calls)
		}
	}))(t)
	if removed.Runs == 0 || removed.Latest == 0 || removed.Violations == 0 {
		t.Fatalf("removed %+v of %d runs", removed, calls)
	}
	left := must(l.Violations(t.Context(), ledger.ViolationFilter{}))(t)
	if want := len(all) - removed.Violations; len(left) != want || want == 0 {
		t.Errorf("%d of %d violations are left, want %d", len(left), len(all), want)
	}
	if problems := must(l.Problems(t.Context()))(t); len(problems) > 0 {
		t.Errorf("problems: %q", problems)
	}
	again := must(l.RemoveRuns(t.Context(), before, nil))(t)
	if d := cmp.Diff(store.RemovedRuns{Latest: removed.Latest}, again); d != "" {
		t.Errorf("a second removal (-want +got):\n%s", d)
	}
	if err := l.Compact(t.Context()); err != nil {
		t.Error(err)
	}
}

// Rule: A database that cannot be used is left as it is.
func TestHistoryStaysAsLongAsItsRun(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 2, Iterations: 1, Violations: 2}, time.Now()); err != nil {
		t.Fatal(err)
	}
	handle, err := db.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer handle.Close()
	for _, table := range []string{"events", "reports", "transitions"} {
		if _, err := handle.ExecContext(t.Context(), "DELETE FROM "+table); err == nil {
			t.Errorf("%s were removed, and their run was not", table)
		}
	}
	if _, err := handle.ExecContext(t.Context(), "UPDATE runs SET status = 'running', finished_at = NULL; DELETE FROM runs"); err == nil {
		t.Error("open runs were removed")
	}
}

// A run that another process removed meanwhile is gone, and only that process counts it.
//
// Rule: A database that cannot be used is left as it is.
func TestTwoRemoveTheSameRuns(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 160, Iterations: 3, Violations: 12}, now); err != nil {
		t.Fatal(err)
	}
	l, other := openLedger(t, path), openLedger(t, path)
	before := now.Add(-70 * 24 * time.Hour)
	var others store.RemovedRuns
	own := must(l.RemoveRuns(t.Context(), before, func(done, all int) {
		if done == 1 {
			others = must(other.RemoveRuns(t.Context(), before, nil))(t)
		}
	}))(t)
	if own.Runs > 1 || others.Runs == 0 {
		t.Errorf("removed %+v, and by somebody else %+v", own, others)
	}
	if problems := must(l.Problems(t.Context()))(t); len(problems) > 0 {
		t.Errorf("problems: %q", problems)
	}
}
