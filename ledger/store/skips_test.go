package store_test

import (
	"path/filepath"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// A human's skips are listed for their own repository only.
func TestSkipsOfRepository(t *testing.T) {
	t.Parallel()
	own, other := ledger.Repository{Kind: ledger.RepositoryPath, Key: "/shop"}, ledger.Repository{Kind: ledger.RepositoryPath, Key: "/shop/other"}
	x := &loop{T: t, Store: openLedger(t, filepath.Join(t.TempDir(), "ledger.db"))}
	run := newRun()
	run.Repository = own
	x.run = must(x.StartRun(t.Context(), run))(t)
	r := x.begin(1)
	answer := r.answer(1, high(1, "one"))
	answer.Facts.Entries[0].Line = ledger.LineFact{Known: true, Text: "the line", Hash: "h"}
	must(r.RecordAnswer(t.Context(), answer))(t)
	r.end()
	must(x.MarkViolations(t.Context(), x.run.ID, []string{x.find("one").ID}, ledger.Mark{Status: ledger.StatusSkipped, Result: "so it is", Actor: ledger.ActorHuman}))(t)
	for name, want := range map[string]struct {
		of *ledger.Repository
		n  int
	}{"all": {nil, 1}, "its own": {&own, 1}, "another": {&other, 0}} {
		if skips := must(x.RememberedSkips(t.Context(), want.of))(t); len(skips) != want.n {
			t.Errorf("%s: %d skips, want %d: %+v", name, len(skips), want.n, skips)
		}
	}
}
