package store_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// start is the time at which a test's clock starts. The clock advances by a second each time it is
// read.
var start = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func ticking() func() time.Time {
	now := start
	return func() time.Time {
		now = now.Add(time.Second)
		return now
	}
}

// loop is a run in a ledger of its own.
type loop struct {
	*testing.T
	*store.Store
	run    ledger.Run
	number int
	rests  string // the run whose pass the gate rests on
	config string // the hash of the configuration, if it is not as when the run began
}

var scope = ledger.Scope{Kind: ledger.KindGates, Worktree: "/work/tree", LogDir: "gauntlet_logs"}

func newRun() ledger.Run {
	return ledger.Run{Kind: scope.Kind, Worktree: scope.Worktree, LogDir: scope.LogDir, Branch: "topic", BaseRef: "origin/main", Base: "base", Head: "head"}
}

// empty is the file of a ledger without rows. To make one takes much longer than to write it.
var empty = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "store-test-empty-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "ledger.db")
	if err := db.Make(context.Background(), path, func(*sql.DB) error { return nil }); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// openLedger opens a ledger, which is empty if it does not exist.
func openLedger(t *testing.T, path string) *store.Store {
	t.Helper()
	if db.Missing(path) {
		if err := os.WriteFile(path, must(empty())(t), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l, err := store.Open(context.Background(), path, store.Options{Now: ticking()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func newLoop(t *testing.T) *loop {
	t.Helper()
	x := &loop{T: t, Store: openLedger(t, filepath.Join(t.TempDir(), "ledger.db"))}
	x.run = must(x.StartRun(t.Context(), newRun()))(t)
	return x
}

// must returns a function that returns the value, or fails the test if there is an error.
func must[V any](value V, err error) func(*testing.T) V {
	return func(t *testing.T) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func (x *loop) ok(err error) {
	x.Helper()
	if err != nil {
		x.Fatal(err)
	}
}

func (x *loop) state() *ledger.State {
	x.Helper()
	return must(x.State(x.Context(), x.run.ID))(x.T)
}

// round is an iteration with one review gate.
type round struct {
	*loop
	*store.Recorder
	before *ledger.State
	slots  int
}

// begin begins an iteration in which all slots of the gate are asked, except those that are
// skipped.
func (x *loop) begin(slots int) *round {
	x.Helper()
	x.number++
	before := x.state()
	plan := ledger.GatePlan{Job: quality, Kind: ledger.KindReview, EntryPoint: "src", Name: "code-quality", NumReviews: slots, ConfigHash: "quality", RestsOn: x.rests}
	for _, slot := range ledger.PlanSlots(before, quality, make([]ledger.Filler, slots)) {
		plan.Slots = append(plan.Slots, ledger.PlannedSlot{SlotPlan: slot, Adapter: "claude", Reviewed: x.tree()})
	}
	mode := ledger.ModeRerun
	if x.number == 1 {
		mode = ledger.ModeFirst
	}
	recorder := must(x.BeginIteration(x.Context(), x.run.ID, ledger.Iteration{
		Number: x.number, Mode: mode, Source: "base", From: "base", To: x.tree(), Snapshot: "snapshot", Tree: x.tree(), Head: "head", ConfigHash: x.config,
	}, []ledger.GatePlan{plan}))(x.T)
	return &round{loop: x, Recorder: recorder, before: before, slots: slots}
}

func (x *loop) tree() string { return "tree" + string(rune('0'+x.number)) }

// says records the answer of a slot, which also says of all claims that it was asked about that
// they are fixed.
func (r *round) says(slot int, entries ...ledger.Entry) store.SlotResult {
	r.Helper()
	return must(r.RecordAnswer(r.Context(), r.answer(slot, entries...)))(r.T)
}

func (r *round) answer(slot int, entries ...ledger.Entry) store.SlotAnswer {
	asked, listed := map[string]bool{}, map[string]bool{}
	var claims []ledger.ClaimWord
	for _, v := range r.before.Violations {
		listed[v.ID] = true
		if v.Claim() && slices.Contains(v.Reporters(make([]ledger.Filler, r.slots)), slot) {
			asked[v.ID] = true
			claims = append(claims, ledger.ClaimWord{ID: v.ShortID, Verdict: ledger.ClaimFixed})
		}
	}
	for i := range entries {
		entries[i].Position = i + 1
	}
	return store.SlotAnswer{
		SlotCall: ledger.SlotCall{Job: quality, Slot: slot, Adapter: "claude", Prompts: [][]byte{[]byte("review this")}, Raw: "an answer", Calls: 1, Duration: 1500 * time.Millisecond},
		Answer:   ledger.Answer{Entries: entries, Claims: claims},
		Rules:    ledger.Rules{Slot: slot, AnsweredBefore: r.before.LatestAnswer(quality, slot) != nil, Threshold: ledger.High},
		Facts:    factsOf(entries, r.before.Violations),
		Before:   r.before, Fillers: map[string][]ledger.Filler{quality: make([]ledger.Filler, r.slots)}, Asked: asked, Listed: listed,
	}
}

// end ends the iteration with the status that follows from the rows.
func (r *round) end() ledger.RunStatus {
	r.Helper()
	state := r.state()
	for _, slot := range state.LatestGate(quality).Slots {
		if slot.Status == ledger.SlotRunning {
			r.Fatalf("slot %d has no answer yet", slot.Index)
		}
	}
	r.ok(r.FinishReview(r.Context(), quality, ledger.GateResult(state.LatestGate(quality).Slots), "", time.Second))
	status := ledger.Assess(r.state()).Status
	r.ok(r.Finish(r.Context(), status, ""))
	return status
}

// edit marks a violation in the latest file that lists it, of this slot.
func (x *loop) edit(slot int, issue string, status ledger.Status, result string) {
	x.Helper()
	if warnings := x.tryEdit(ledger.ActorAgent, slot, issue, status, result); len(warnings) > 0 {
		x.Fatalf("warnings: %q", warnings)
	}
}

func (x *loop) tryEdit(actor ledger.Actor, slot int, issue string, status ledger.Status, result string) []string {
	x.Helper()
	edits := []ledger.Edit{{
		Violation: x.find(issue).ID, Status: status, Result: result, Job: quality, Slot: slot, Iteration: x.number,
	}}
	foretold := x.state()
	ledger.ApplyEdits(foretold, actor, edits)
	warnings := must(x.RecordEdits(x.Context(), x.run.ID, actor, edits, nil))(x.T)
	if d := cmp.Diff(x.state().Violations, foretold.Violations, cmpopts.IgnoreFields(ledger.Violation{}, "StatusAt", "ReportedBy")); d != "" {
		x.Errorf("what was foretold of the edit (-imported +foretold):\n%s", d)
	}
	return warnings
}

// find returns the violation with this latest text.
func (x *loop) find(issue string) ledger.Violation {
	x.Helper()
	for _, v := range x.state().Violations {
		if v.Issue == issue {
			return v
		}
	}
	x.Fatalf("no violation says %q", issue)
	return ledger.Violation{}
}

// statuses returns the statuses of the run's violations, by text.
func (x *loop) statuses() map[string]ledger.Status {
	x.Helper()
	statuses := map[string]ledger.Status{}
	for _, v := range x.state().Violations {
		statuses[v.Issue] = v.Status
	}
	return statuses
}

func (x *loop) want(statuses map[string]ledger.Status) {
	x.Helper()
	if d := cmp.Diff(statuses, x.statuses()); d != "" {
		x.Errorf("violations (-want +got):\n%s", d)
	}
}

func listed(d ledger.SlotDocument) (issues []string) {
	for _, e := range d.Violations {
		issues = append(issues, e.Issue+" "+e.Status)
	}
	return issues
}
