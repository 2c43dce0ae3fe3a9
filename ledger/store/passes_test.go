package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// A clock that is put back does not make a failure older than the pass before it.
//
// Rule: Done means passed as it is now.
func TestPassBeforeTheClockWasPutBack(t *testing.T) {
	t.Parallel()
	now := start
	l := must(store.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), store.Options{Now: func() time.Time {
		now = now.Add(time.Second)
		return now
	}}))(t)
	t.Cleanup(func() { _ = l.Close() })
	begin := func() *loop {
		run := newRun()
		run.ConfigHash = "hash"
		return &loop{T: t, Store: l, run: must(l.StartRun(t.Context(), run))(t)}
	}
	passes := func() int {
		position := must(l.Position(t.Context(), ledger.PositionQuery{Scope: scope, Base: "base", ConfigHash: "hash"}))(t)
		return len(position.Passes)
	}

	x := begin()
	r := x.begin(1)
	r.says(1)
	x.ok(x.PassRun(t.Context(), x.run.ID, r.end()))
	if passes() != 1 {
		t.Fatal("the pass is not one")
	}

	now = start.Add(-time.Hour)
	x = begin()
	r = x.begin(1)
	r.says(1, high(3, "Leaks the handle"))
	r.end()
	x.ok(x.CloseRun(t.Context(), x.run.ID, ledger.StatusAbandoned))
	if passes() != 0 {
		t.Error("the pass counts, though a later run failed on its tree")
	}
}
