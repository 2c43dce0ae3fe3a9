package store_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// What a later run found on the tree takes a pass back, whether its iteration ended or was
// interrupted, and whatever became of that run. Setting the clock back does not make the run older
// than the earlier pass.
//
// Rule: Done means passed as it is now.
func TestPassThatALaterRunTakesBack(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ ends, clockBack bool }{
		"it failed": {true, false}, "it was interrupted": {false, false}, "the clock was put back": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
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

			if test.clockBack {
				now = start.Add(-time.Hour)
			}
			x = begin()
			r = x.begin(1)
			r.says(1, high(3, "Leaks the handle"))
			if test.ends {
				r.end()
			}
			x.ok(x.CloseRun(t.Context(), x.run.ID, ledger.StatusAbandoned))
			if passes() != 0 {
				t.Error("the pass counts, though a later run found something on its tree")
			}
		})
	}
}

// A pass counts for the configuration of its last iteration, and what an iteration found takes back the
// passes that had the same one.
//
// Rule: Done means passed as it is now.
func TestPassesOfAConfiguration(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	l := openLedger(t, filepath.Join(t.TempDir(), "ledger.db"))
	passes := func(config string) (runs []string) {
		for _, pass := range must(l.Position(ctx, ledger.PositionQuery{Scope: scope, Base: "base", ConfigHash: config}))(t).Passes {
			runs = append(runs, pass.Run.ID)
		}
		return runs
	}
	begin := func() *loop {
		run := newRun()
		run.ConfigHash, run.Branch = "old", "feature"
		return &loop{T: t, Store: l, run: must(l.StartRun(ctx, run))(t)}
	}
	first := begin()
	r := first.begin(1)
	r.says(1)
	first.ok(first.PassRun(ctx, first.run.ID, r.end()))
	if got := passes("old"); !slices.Equal(got, []string{first.run.ID}) {
		t.Fatalf("passes with the old configuration: %q", got)
	}

	second := begin()
	r = second.begin(1)
	r.says(1, entry(at("a.go", 1), "leaks", ledger.High))
	r.end()
	second.edit(1, "leaks", ledger.StatusSkipped, "later")
	second.config = "new"
	r = second.begin(1)
	r.says(1)
	second.ok(second.PassRun(ctx, second.run.ID, r.end()))
	if got := passes("old"); len(got) > 0 {
		t.Errorf("passes with the old configuration: %q, though it found something on that tree", got)
	}
	if got := passes("new"); !slices.Equal(got, []string{second.run.ID}) {
		t.Errorf("passes with the new configuration: %q", got)
	}
	if on := must(l.PassesOn(ctx, "tree2"))(t); len(on) != 1 || on[0].ID != second.run.ID {
		t.Errorf("passes on its tree: %+v", on)
	}
	if pass := must(l.PrecedingRun(ctx, scope, "feature"))(t); !pass.Stands {
		t.Error("the pass does not stand")
	}
	if state := must(l.State(ctx, second.run.ID))(t); state.Iterations[0].ConfigHash != "" || state.Iterations[1].ConfigHash != "new" {
		t.Errorf("its iterations: %+v", state.Iterations)
	}

	// What is found with another configuration takes nothing back.
	third := begin()
	third.number = 1
	r = third.begin(1)
	r.says(1, entry(at("a.go", 1), "leaks", ledger.High))
	r.end()
	third.ok(third.CloseRun(ctx, third.run.ID, ledger.StatusAbandoned))
	if got := passes("new"); len(got) != 1 {
		t.Errorf("passes with the new configuration: %q, though only the old one found something", got)
	}
}

// A pass that rests on others counts as long as they do, and they are kept as long as it is.
//
// Rule: Done means passed as it is now.
// Rule: A database that cannot be used is left as it is.
func TestRestsOnPasses(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := openLedger(t, path)
	begin := func(rests string, number int) *loop {
		run := newRun()
		run.ConfigHash, run.Branch = "hash", "feature"
		return &loop{T: t, Store: l, run: must(l.StartRun(ctx, run))(t), rests: rests, number: number}
	}
	passes := func(rests string, number int) string {
		x := begin(rests, number)
		r := x.begin(1)
		r.says(1)
		x.ok(x.PassRun(ctx, x.run.ID, r.end()))
		return x.run.ID
	}
	counts := func() int {
		return len(must(l.Position(ctx, ledger.PositionQuery{Scope: scope, Base: "base", ConfigHash: "hash"}))(t).Passes)
	}
	first := passes("", 0)
	second := passes(first, 1)
	third := passes(second, 2)
	pass := must(l.PrecedingRun(ctx, scope, "feature"))(t)
	if !pass.Stands || pass.Run.ID != third || pass.Tree() != "tree3" || pass.LatestGate(quality).ConfigHash != "quality" || counts() != 3 {
		t.Errorf("the pass is %+v, and %d count", pass, counts())
	}
	if rest := must(l.State(ctx, third))(t).Rests[quality]; rest != (ledger.Rest{Run: second, Tree: "tree2", Base: "base"}) {
		t.Errorf("it rests on %+v", rest)
	}
	latest := func() string {
		return must(l.PrecedingRun(ctx, scope, "feature"))(t).Run.ID + " " + must(l.Position(ctx, ledger.PositionQuery{Scope: scope}))(t).Last.Run.ID
	}
	for change, want := range map[string]string{
		"imported = 0, started_at = '2001-02-03T04:05:06.000Z'": third, // the clock was set back
		"imported = 1, started_at = '2099-02-03T04:05:06.000Z'": second,
	} {
		if _, err := rows(t, path).Exec("UPDATE runs SET "+change+" WHERE ulid = ?", third); err != nil {
			t.Fatal(err)
		}
		if got := latest(); got != want+" "+want {
			t.Errorf("%s: the latest is %s, not %s", change, got, want)
		}
	}
	if _, err := rows(t, path).Exec("UPDATE runs SET imported = 0 WHERE ulid = ?", third); err != nil {
		t.Fatal(err)
	}
	if other := must(l.PrecedingRun(ctx, scope, "another"))(t); other != nil {
		t.Errorf("on another branch: %+v", other)
	}
	removed := must(l.RemoveRuns(ctx, time.Now().Add(24*time.Hour), nil))(t)
	if removed.Runs != 0 || removed.Latest != 1 || removed.Rested != 2 {
		t.Errorf("removed %+v", removed)
	}

	x := begin("", 0) // on the tree of the first run
	r := x.begin(1)
	r.says(1, high(3, "Leaks the handle"))
	r.end()
	x.ok(x.CloseRun(ctx, x.run.ID, ledger.StatusAbandoned))
	if n := counts(); n != 0 {
		t.Errorf("%d passes count that rest on one that was taken back", n)
	}
}

// A run that passed with a skip that is forgotten still counts as passed, but no later run may rest
// on it.
//
// Rule: A human's skip is remembered.
func TestNothingRestsOnAForgottenSkip(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	l := openLedger(t, filepath.Join(t.TempDir(), "ledger.db"))
	begin := func(rests string, number int) *loop {
		run := newRun()
		run.ConfigHash, run.Branch = "hash", "feature"
		return &loop{T: t, Store: l, run: must(l.StartRun(ctx, run))(t), rests: rests, number: number}
	}
	x := begin("", 0)
	r := x.begin(1)
	answer := r.answer(1, high(1, "one"))
	answer.Facts.Entries[0].Line = ledger.LineFact{Known: true, Text: "the line", Hash: "h"}
	must(r.RecordAnswer(ctx, answer))(t)
	skipped := x.find("one").ID
	must(x.MarkViolations(ctx, x.run.ID, []string{skipped}, nil, ledger.Mark{Status: ledger.StatusSkipped, Result: "so it is", Actor: ledger.ActorHuman}))(t)
	x.ok(x.PassRun(ctx, x.run.ID, r.end()))
	first := x.run.ID
	x = begin(first, 1)
	r = x.begin(1)
	r.says(1)
	x.ok(x.PassRun(ctx, x.run.ID, r.end()))
	third := begin(x.run.ID, 2)
	r = third.begin(1)
	r.says(1)
	third.ok(third.PassRun(ctx, third.run.ID, r.end()))

	for _, count := range []int{3, 1} {
		passes := must(l.Position(ctx, ledger.PositionQuery{Scope: scope, Base: "base", ConfigHash: "hash"}))(t).Passes
		if len(passes) != count || passes[count-1].Run.ID != first {
			t.Errorf("%d passes count, want %d", len(passes), count)
		}
		if pass := must(l.PrecedingRun(ctx, scope, "feature"))(t); pass.Stands != (count == 3) {
			t.Errorf("stands: %t, of %d passes", pass.Stands, count)
		}
		if stand := must(l.RestsStand(ctx, third.run.ID))(t); stand != (count == 3) {
			t.Errorf("what it rests on stands: %t, of %d passes", stand, count)
		}
		if count == 3 {
			must(l.ForgetSkip(ctx, skipped, ledger.ActorHuman))(t)
		}
	}
}
