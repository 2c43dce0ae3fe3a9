package store_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	must(x.MarkViolations(t.Context(), x.run.ID, []string{x.find("one").ID}, nil, ledger.Mark{Status: ledger.StatusSkipped, Result: "so it is", Actor: ledger.ActorHuman}))(t)
	for name, want := range map[string]struct {
		of *ledger.Repository
		n  int
	}{"all": {nil, 1}, "its own": {&own, 1}, "another": {&other, 0}} {
		if skips := must(x.RememberedSkips(t.Context(), want.of))(t); len(skips) != want.n {
			t.Errorf("%s: %d skips, want %d: %+v", name, len(skips), want.n, skips)
		}
	}
}

// SkipsOf returns the skipped ones of the given violations, in their order, with what is remembered
// of them.
func TestSkipsOfViolations(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(1)
	answer := r.answer(1, high(1, "one"), high(50, "two"), high(90, "three"))
	for i, text := range []string{"the line", "another line", "a third"} {
		answer.Facts.Entries[i].Line = ledger.LineFact{Known: true, Text: text, Hash: "h"}
	}
	must(r.RecordAnswer(t.Context(), answer))(t)
	r.end()
	one, two := x.find("one").ID, x.find("two").ID
	must(x.MarkViolations(t.Context(), x.run.ID, []string{one}, nil, ledger.Mark{Status: ledger.StatusSkipped, Result: "so it is", Actor: ledger.ActorHuman}))(t)
	must(x.MarkViolations(t.Context(), x.run.ID, []string{two}, nil, ledger.Mark{Status: ledger.StatusSkipped, Result: "later", Actor: ledger.ActorAgent}))(t)
	found := must(x.Violations(t.Context(), ledger.ViolationFilter{}))(t)
	if len(found) != 3 {
		t.Fatalf("%d violations are listed", len(found))
	}
	told := map[string]bool{}
	var asked, order []string
	for _, skip := range must(x.SkipsOf(t.Context(), found))(t) {
		told[skip.ID] = skip.Remembered
		order = append(order, skip.ID)
	}
	for _, v := range found {
		if v.Status == ledger.StatusSkipped {
			asked = append(asked, v.ID)
		}
	}
	if d := cmp.Diff(asked, order); d != "" {
		t.Errorf("the order (-asked +told):\n%s", d)
	}
	if len(told) != 2 || !told[one] || told[two] {
		t.Errorf("told: %v, and a person skipped %s, an agent %s", told, one, two)
	}
	forgotten := must(x.ForgetSkip(t.Context(), one, ledger.ActorHuman))(t)
	if forgotten.ID != one {
		t.Errorf("forgotten: %+v", forgotten)
	}
	for _, skip := range must(x.SkipsOf(t.Context(), found[:3]))(t) {
		if skip.Remembered || skip.ID == one && skip.ForgottenBy != ledger.ActorHuman {
			t.Errorf("after it was forgotten: %+v", skip)
		}
	}
	for _, id := range []string{one, two} {
		if _, err := x.ForgetSkip(t.Context(), id, ledger.ActorHuman); err == nil {
			t.Errorf("the skip of %s is forgotten without being remembered", id)
		}
	}
	if none := must(x.SkipsOf(t.Context(), nil))(t); len(none) != 0 {
		t.Errorf("of none: %+v", none)
	}
}
