package store_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func listing(id string, line int, issue, status string) ledger.SlotEntry {
	entry := ledger.SlotEntry{ID: id, File: "a.go", Line: line, EndLine: line, Issue: issue, Priority: "medium", Status: status}
	if status == "skipped" { // without an explanation it does not count
		left := "left as it is"
		entry.Result = &left
	}
	return entry
}

// file returns a slot's file in an iteration. A slot that lists violations failed.
func file(iteration, slot int, entries ...ledger.SlotEntry) store.SlotRecord {
	status := pass
	if len(entries) > 0 {
		status = fail
	}
	return store.SlotRecord{EntryPoint: "src", Gate: "code-quality", NumReviews: 1, Document: ledger.SlotDocument{
		Job: quality, Slot: slot, Adapter: "claude", Iteration: iteration, Status: status, RawOutput: fmt.Sprintf("answer %d", iteration), Violations: entries,
	}}
}

func of(numReviews int, files ...store.SlotRecord) []store.SlotRecord {
	for i := range files {
		files[i].NumReviews = numReviews
	}
	return files
}

func by(adapter string, f store.SlotRecord) store.SlotRecord {
	f.Document.Adapter = adapter
	return f
}

func saying(status ledger.SlotStatus, passIteration int, f store.SlotRecord) store.SlotRecord {
	f.Document.Status, f.Document.PassIteration = status, passIteration
	return f
}

func restore(t *testing.T, restoration store.Restoration) *loop {
	t.Helper()
	x := &loop{T: t, Store: openLedger(t, filepath.Join(t.TempDir(), "ledger.db"))}
	restoration.Run = newRun()
	x.run = must(x.RestoreRun(t.Context(), restoration))(t)
	return x
}

// Rule: A file does not prove a pass.
func TestRestoreStatuses(t *testing.T) {
	t.Parallel()
	const a, b = "aaaaaaaa", "bbbbbbbb"
	tests := []struct {
		name  string
		files []store.SlotRecord
		want  map[string]ledger.Status
	}{
		{"as the file says", of(1, file(1, 1, listing(a, 1, "one", "new"), listing(b, 2, "two", "fixed"), listing("", 3, "three", " Skipped "), listing("", 4, "four", "done"))),
			map[string]ledger.Status{"one": "new", "two": "fixed", "three": "skipped", "four": "new"}},
		{"a claim that a later answer does not list", of(1, file(1, 1, listing(a, 1, "one", "fixed")), file(2, 1)),
			map[string]ledger.Status{"one": "fixed"}},
		{"files in any order", of(1, file(2, 1, listing(a, 5, "one, still", "new")), file(1, 1, listing(a, 1, "one", "fixed"))),
			map[string]ledger.Status{"one, still": "reopened"}},
		{"a claim that a later answer lists", of(1, file(1, 1, listing(a, 1, "one", "fixed")), file(2, 1, listing(a, 5, "one, still", "new"))),
			map[string]ledger.Status{"one, still": "reopened"}},
		{"claimed, listed, claimed", of(1, file(1, 1, listing(a, 1, "one", "fixed")), file(2, 1, listing(a, 1, "one", "fixed"))),
			map[string]ledger.Status{"one": "fixed"}},
		{"open and not listed again", of(1, file(1, 1, listing(a, 1, "one", "new")), file(2, 1)),
			map[string]ledger.Status{"one": "new"}},
		{"skipped and not listed again", of(1, file(1, 1, listing(a, 1, "one", "skipped")), file(2, 1)),
			map[string]ledger.Status{"one": "skipped"}},
		{"skipped and listed again", of(1, file(1, 1, listing(a, 1, "one", "skipped")), file(2, 1, listing(a, 1, "one", "new"))),
			map[string]ledger.Status{"one": "reopened"}},
		{"not listed by its slot, listed by another", of(2,
			file(1, 1, listing(a, 1, "one", "fixed")), file(1, 2), file(2, 1), file(2, 2, listing(a, 1, "one", "new"))),
			map[string]ledger.Status{"one": "reopened"}},
		{"two files disagree: fixed before skipped", of(2, file(1, 1, listing(a, 1, "one", "fixed")), file(1, 2, listing(a, 1, "one", "skipped"))),
			map[string]ledger.Status{"one": "fixed"}},
		{"two files disagree: fixed before skipped, the other way round", of(2, file(1, 1, listing(a, 1, "one", "skipped")), file(1, 2, listing(a, 1, "one", "fixed"))),
			map[string]ledger.Status{"one": "fixed"}},
		{"two files disagree: new before skipped", of(2, file(1, 1, listing(a, 1, "one", "skipped")), file(1, 2, listing(a, 1, "one", "new"))),
			map[string]ledger.Status{"one": "new"}},
		{"joined to another one, to nothing", of(1, file(1, 1, listing(a, 1, "one", "duplicate"), listing(b, 2, "two", "fixed")), file(2, 1, listing(a, 1, "one", "duplicate"))),
			map[string]ledger.Status{"one": "new", "two": "fixed"}},
		{"one id for two findings", of(1, file(1, 1, listing(a, 1, "one", "fixed"), listing(a, 2, "two", "new"))),
			map[string]ledger.Status{"one": "fixed", "two": "new"}},
		{"the same entry twice", of(1, file(1, 1, listing(a, 1, "one", "fixed"), listing(a, 1, "one", "new"))),
			map[string]ledger.Status{"one": "fixed"}},
		{"found by place and issue", of(1, file(1, 1, listing("", 1, "one", "fixed")), file(2, 1, listing("", 1, "One.", "new"))),
			map[string]ledger.Status{"One.": "reopened"}},
		{"ids of hostile form", of(1, file(1, 1, listing("../../x", 1, "one", "new"), listing("AAAAAAAA'; --", 2, "two", "new"), listing("\x00", 3, "three", "new"))),
			map[string]ledger.Status{"one": "new", "two": "new", "three": "new"}},
		{"two adapters in one slot", of(1, by("claude", file(1, 1, listing("", 1, "one", "fixed"))), by("gemini", file(1, 1, listing("", 2, "two", "fixed"))), by("gemini", file(2, 1))),
			map[string]ledger.Status{"one": "fixed", "two": "fixed"}},
		{"two adapters in each of two slots, by the names of their files", of(2,
			by("claude", file(1, 1, listing("", 1, "one", "fixed"))), by("claude", file(1, 2)), by("gemini", file(1, 1, listing("", 2, "two", "fixed"))), by("gemini", file(1, 2)),
			by("gemini", file(2, 1))),
			map[string]ledger.Status{"one": "fixed", "two": "fixed"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := restore(t, store.Restoration{Slots: tt.files})
			x.want(tt.want)
			for _, v := range x.state().Violations {
				if len(v.ShortID) != 8 {
					t.Errorf("short id %q", v.ShortID)
				}
			}
		})
	}
}

// Each slot whose file lists a violation is a reporter of it.
//
// Rule: Only an answer confirms.
func TestRestoreReporters(t *testing.T) {
	t.Parallel()
	one := listing("aaaaaaaa", 1, "one", "new")
	x := restore(t, store.Restoration{Slots: of(2, file(1, 1, one), file(1, 2), file(2, 1, one), file(2, 2, one))})
	v := x.state().Violations[0]
	if d := cmp.Diff([]int{2}, v.MoreSlots); v.Slot != 1 || d != "" {
		t.Errorf("slot %d reported it, and (-want +got):\n%s", v.Slot, d)
	}
}

// Entries with the same id that differ in any part are two findings, and neither is lost.
func TestRestoreCopiedIDs(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(e *ledger.SlotEntry){
		"file":     func(e *ledger.SlotEntry) { e.File = "b.go" },
		"line":     func(e *ledger.SlotEntry) { e.Line, e.EndLine = 2, 2 },
		"end":      func(e *ledger.SlotEntry) { e.EndLine = 9 },
		"issue":    func(e *ledger.SlotEntry) { e.Issue = "two" },
		"fix":      func(e *ledger.SlotEntry) { e.Fix = "another" },
		"priority": func(e *ledger.SlotEntry) { e.Priority = "high" },
	} {
		one := listing("aaaaaaaa", 1, "one", "new")
		two := one
		change(&two)
		x := restore(t, store.Restoration{Slots: of(1, file(1, 1, one, two))})
		if list := x.state().Violations; len(list) != 2 {
			t.Errorf("another %s: %d violations", name, len(list))
		}
	}
}

// An id decides which violation an entry is about, even if another violation had the same words
// before.
func TestRestoreRestatedWords(t *testing.T) {
	t.Parallel()
	x := restore(t, store.Restoration{Slots: of(1,
		file(1, 1, listing("aaaaaaaa", 1, "races", "new")),
		file(2, 1, listing("aaaaaaaa", 1, "is not safe", "new")),
		file(3, 1, listing("bbbbbbbb", 1, "races", "new"), listing("aaaaaaaa", 1, "is not safe", "fixed")))})
	got := map[string]string{}
	for _, v := range x.state().Violations {
		got[v.ShortID] = v.Issue + " " + string(v.Status)
	}
	if d := cmp.Diff(map[string]string{"aaaaaaaa": "is not safe fixed", "bbbbbbbb": "races new"}, got); d != "" {
		t.Errorf("restored (-want +got):\n%s", d)
	}
}

func TestRestoreKeepsIDs(t *testing.T) {
	t.Parallel()
	x := restore(t, store.Restoration{Slots: of(1,
		file(1, 1, listing("k3x9q2ab", 1, "one", "new"), listing("UPPERCAS", 2, "two", "new")),
		file(2, 1, listing("k3x9q2ab", 4, "one", "fixed")))})
	v := x.find("one")
	if v.ShortID != "k3x9q2ab" || v.First != 1 || v.Last != 2 || v.Place != at("a.go", 4) || v.Answered != 2 {
		t.Errorf("restored: %+v", v)
	}
	if x.find("two").ShortID == "UPPERCAS" {
		t.Error("an invalid short ID was kept")
	}
	// The same files again, while the ids are in use.
	again := must(x.RestoreRun(t.Context(), store.Restoration{Run: newRun(), Slots: of(1, file(1, 1, listing("k3x9q2ab", 1, "one", "new")))}))(t)
	if got := must(x.FindRun(t.Context(), x.run.ID))(t); got.Status != ledger.StatusAbandoned {
		t.Errorf("the run that was open is %s", got.Status)
	}
	if got := must(x.State(t.Context(), again.ID))(t).Violations; len(got) != 1 || got[0].ShortID == "k3x9q2ab" {
		t.Errorf("restored again: %+v", got)
	}
}

func TestRestoreGates(t *testing.T) {
	t.Parallel()
	check := func(iteration int, status ledger.GateStatus) ledger.Gate {
		return ledger.Gate{Iteration: iteration, Job: lint, Kind: ledger.KindCheck, EntryPoint: "src", Name: "lint", Status: status, Problems: 1}
	}
	tests := []struct {
		name   string
		checks []ledger.Gate
		files  []store.SlotRecord
		want   ledger.RunStatus
		gate   ledger.GateStatus // of the review
	}{
		{"all passed", []ledger.Gate{check(1, ledger.GatePassed)}, of(2, file(1, 1), file(1, 2)), ledger.StatusPassed, ledger.GatePassed},
		{"skipped slots", nil, of(2, file(1, 1), file(1, 2), file(2, 1), saying(skipped, 1, file(2, 2))), ledger.StatusPassed, ledger.GatePassed},
		{"a check failed", []ledger.Gate{check(1, ledger.GatePassed), check(2, ledger.GateFailed)}, of(1, file(1, 1)), ledger.StatusFailed, ledger.GatePassed},
		{"a slot without a file", nil, of(2, file(1, 1)), ledger.StatusError, ledger.GateInterrupted},
		{"a slot in error", nil, of(2, file(1, 1), saying(erred, 0, file(1, 2))), ledger.StatusError, ledger.GateError},
		{"a failure without violations", nil, of(1, saying(fail, 0, file(1, 1))), ledger.StatusError, ledger.GateError},
		{"a pass with violations", nil, of(1, saying(pass, 0, file(1, 1, listing("", 1, "one", "new")))), ledger.StatusFailed, ledger.GateFailed},
		{"a skip with violations", nil, of(1, saying(skipped, 1, file(1, 1, listing("", 1, "one", "new")))), ledger.StatusFailed, ledger.GateFailed},
		{"a skip since never", nil, of(1, saying(skipped, 0, file(1, 1))), ledger.StatusError, ledger.GateError},
		{"a pass since some time", nil, of(1, saying(pass, 3, file(1, 1))), ledger.StatusPassed, ledger.GatePassed},
		{"a slot in error that lists a claim", nil, of(1, saying(erred, 0, file(1, 1, listing("", 1, "one", "fixed")))), ledger.StatusError, ledger.GateError},
		{"a running slot", nil, of(1, saying(ledger.SlotRunning, 0, file(1, 1))), ledger.StatusError, ledger.GateError},
		{"an unknown word", nil, of(1, saying("fine", 0, file(1, 1))), ledger.StatusError, ledger.GateError},
		{"two adapters, one in error", nil, of(1, file(1, 1), saying(erred, 0, by("gemini", file(1, 1)))), ledger.StatusError, ledger.GateError},
		{"nothing", nil, nil, ledger.StatusError, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := restore(t, store.Restoration{Checks: tt.checks, Slots: tt.files})
			s := x.state()
			if got := ledger.Assess(s).Status; got != tt.want {
				t.Errorf("assessed as %s, want %s", got, tt.want)
			}
			if gate := s.LatestGate(quality); tt.gate != "" && gate.Status != tt.gate {
				t.Errorf("the gate is %s, want %s", gate.Status, tt.gate)
			}
			if s.Run.Status != ledger.StatusFailed || x.run.Status != s.Run.Status || s.Run.Iterations != len(s.Iterations) {
				t.Errorf("run: %+v", s.Run)
			}
			for _, i := range s.Iterations {
				if i.Mode != ledger.ModeRebuilt || i.FinishedAt.IsZero() {
					t.Errorf("iteration: %+v", i)
				}
			}
		})
	}
}

// An iteration counts as failed only if something in it failed, because the retry limit counts
// failed iterations.
func TestRestoreIterations(t *testing.T) {
	t.Parallel()
	check := func(iteration int, status ledger.GateStatus) ledger.Gate {
		return ledger.Gate{Iteration: iteration, Job: lint, Kind: ledger.KindCheck, EntryPoint: "src", Name: "lint", Status: status}
	}
	x := restore(t, store.Restoration{
		Checks: []ledger.Gate{check(1, ledger.GatePassed), check(2, ledger.GateFailed), check(3, ledger.GatePassed), check(4, ledger.GateInterrupted)},
		Slots:  of(1, file(1, 1, listing("", 1, "one", "new")), file(2, 1), file(3, 1)),
	})
	var got []ledger.RunStatus
	for _, i := range x.state().Iterations {
		got = append(got, i.Status)
	}
	want := []ledger.RunStatus{ledger.StatusFailed, ledger.StatusFailed, ledger.StatusInterrupted, ledger.StatusInterrupted}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("iterations (-want +got):\n%s", d)
	}
}

// The verdict of a run of gates lists the most severe findings first.
func TestVerdictOfGates(t *testing.T) {
	t.Parallel()
	low := listing("", 1, "low", "new")
	low.Priority = "low"
	high := listing("", 9, "high", "new")
	high.Priority = "high"
	x := restore(t, store.Restoration{Slots: of(1, file(1, 1, low, high, listing("", 5, "medium", "new")))})
	var got []string
	for _, f := range must(x.Verdict(t.Context(), x.run.ID))(t).Findings {
		got = append(got, f.Title)
	}
	if d := cmp.Diff([]string{"high", "medium", "low"}, got); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
}

// A restored run continues: its files are compared, its claims verified, its retries counted.
func TestRestoredRunGoesOn(t *testing.T) {
	t.Parallel()
	files := of(1, file(1, 1, listing("aaaaaaaa", 1, "one", "fixed"), listing("bbbbbbbb", 2, "two", "new")))
	x := restore(t, store.Restoration{Slots: files})
	x.number = 1
	e := must(x.Exported(x.Context(), x.run.ID, x.ref(1)))(t)
	want := slices.Clone(files[0].Document.Violations)
	for n := range want {
		want[n].Reported = want[n].Priority
	}
	if d := cmp.Diff(want, e.Document.Violations); d != "" {
		t.Errorf("what the file shows (-file +ledger):\n%s", d)
	}
	if e.Document.RawOutput != "answer 1" {
		t.Errorf("raw output %q", e.Document.RawOutput)
	}
	if !ledger.RetryLimitReached(x.state(), 0) || ledger.RetryLimitReached(x.state(), 1) {
		t.Error("the restored iteration does not count as the one that failed")
	}
	x.edit(1, "two", ledger.StatusFixed, "")
	r := x.begin(1)
	// The tree of a restored report is unknown, so its place is the whole file.
	r.says(1, entry(at("a.go", 70), "Two", ledger.Low))
	r.end()
	if result := skipAgain(t); result.Count(ledger.PreviouslySkipped) != 1 || result.Count(ledger.Accepted) != 1 {
		t.Errorf("a restored skip, said again there and elsewhere: %+v", result.Evaluation)
	}
	got := []ledger.Status{x.state().Violations[0].Status, x.state().Violations[1].Status}
	if d := cmp.Diff([]ledger.Status{ledger.StatusVerified, ledger.StatusReopened}, got); d != "" {
		t.Errorf("violations (-want +got):\n%s", d)
	}
}

// skipAgain repeats a restored skip on its line, and elsewhere in the file.
func skipAgain(t *testing.T) store.SlotResult {
	t.Helper()
	x := restore(t, store.Restoration{Slots: of(1, file(1, 1, listing("aaaaaaaa", 3, "style", "skipped")))})
	x.number = 1
	r := x.begin(1)
	a := r.answer(1, entry(at("a.go", 3), "style", ledger.Medium), entry(at("a.go", 70), "style", ledger.Medium))
	a.Rules.Threshold = ledger.Low
	return must(r.RecordAnswer(x.Context(), a))(t)
}

// Files come in any order: the files of one slot are one slot, even if files of another job are
// between them.
func TestRestoreInAnyOrder(t *testing.T) {
	t.Parallel()
	ofJob := func(job string, f store.SlotRecord) store.SlotRecord {
		f.Document.Job, f.Gate = job, job
		return f
	}
	const other = "review:src:security"
	x := restore(t, store.Restoration{Slots: of(2,
		by("gemini", file(1, 2, listing("", 4, "four", "new"))), by("claude", file(1, 1, listing("", 1, "one", "new"))),
		ofJob(other, file(1, 1)), by("gemini", file(1, 1, listing("", 2, "two", "new"))), ofJob(other, file(1, 2)), by("claude", file(1, 2, listing("", 3, "three", "new"))),
	)})
	var got []string
	for _, gate := range x.state().Gates {
		for _, slot := range gate.Slots {
			got = append(got, fmt.Sprintf("%s@%d %s", gate.Job, slot.Index, slot.Status))
		}
	}
	slices.Sort(got)
	if d := cmp.Diff([]string{quality + "@1 fail", quality + "@2 fail", other + "@1 pass", other + "@2 pass"}, got); d != "" {
		t.Errorf("slots (-want +got):\n%s", d)
	}
	if n := len(x.state().Violations); n != 4 {
		t.Errorf("%d violations", n)
	}
}
