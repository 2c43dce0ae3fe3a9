package store_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// reported returns a loop after one iteration of two slots: slot 1 reported "leaks" and "races",
// slot 2 "panics".
func reported(t *testing.T) *loop {
	t.Helper()
	x := newLoop(t)
	r := x.begin(2)
	r.says(1, high(1, "leaks"), high(2, "races"))
	r.says(2, high(50, "panics"))
	r.end()
	return x
}

func (x *loop) ref(slot int) ledger.SlotRef {
	return ledger.SlotRef{Job: quality, Slot: slot, Iteration: x.number}
}

func TestRecordEdits(t *testing.T) {
	t.Parallel()
	x := reported(t)
	x.edit(1, "leaks", ledger.StatusFixed, "closed")
	v := x.find("leaks")
	if v.Status != ledger.StatusFixed || v.Result != "closed" || v.Answered != 1 {
		t.Errorf("claimed: %+v", v)
	}
	x.edit(1, "leaks", ledger.StatusSkipped, "by design")
	x.edit(1, "leaks", ledger.StatusSkipped, "by design") // a repeated edit is not an event
	x.edit(1, "leaks", ledger.StatusNew, "")
	x.edit(1, "leaks", ledger.StatusNew, "thinking")
	got := column(t, rows(t, x.Path()), "SELECT status || ' ' || actor || ' ' || coalesce(result, '-') FROM events WHERE violation_id = 1 ORDER BY id")
	if d := cmp.Diff([]string{"new reviewer -", "fixed agent closed", "skipped agent by design", "new agent -"}, got); d != "" {
		t.Errorf("events (-want +got):\n%s", d)
	}
	if v := x.find("leaks"); v.Status != ledger.StatusNew || v.Result != "" {
		t.Errorf("opened again: %+v", v)
	}
}

// After an import, the next comparison is with what was imported.
func TestImportedEditsAreNoNews(t *testing.T) {
	t.Parallel()
	x := reported(t)
	e := must(x.Exported(x.Context(), x.run.ID, x.ref(1)))(t)
	read := e.Document
	read.Violations = append([]ledger.SlotEntry(nil), read.Violations...)
	read.Violations[0].Status, read.Violations[0].Result = "fixed", words("closed")
	edits, warnings := ledger.CompareEdits(e, read)
	if len(edits) != 1 || len(warnings) > 0 {
		t.Fatalf("edits %v, warnings %q", edits, warnings)
	}
	must(x.RecordEdits(x.Context(), x.run.ID, ledger.ActorAgent, edits, nil))(t)
	edits, warnings = ledger.CompareEdits(must(x.Exported(x.Context(), x.run.ID, x.ref(1)))(t), read)
	if len(edits)+len(warnings) > 0 {
		t.Errorf("read again: edits %v, warnings %q", edits, warnings)
	}
}

// An edit that was overridden by an edit in another file is recorded as read too: it must not come
// back later, when the other file is no longer used.
//
// Rule: The ledger is the only truth.
func TestOverruledEditsDoNotComeBack(t *testing.T) {
	t.Parallel()
	x := reported(t)
	r := x.begin(2)
	r.says(1) // carries leaks and races
	r.says(2, high(1, "leaks"))
	r.end()
	id := x.find("leaks").ID
	edit := func(slot int, status ledger.Status) ledger.Edit {
		return ledger.Edit{Violation: id, Status: status, Job: quality, Slot: slot, Iteration: 2}
	}
	merged, _ := ledger.MergeEdits([]ledger.Edit{edit(1, ledger.StatusSkipped), edit(2, ledger.StatusFixed)})
	must(x.RecordEdits(x.Context(), x.run.ID, ledger.ActorAgent, merged, nil))(t)
	if got := x.find("leaks").Status; got != ledger.StatusFixed {
		t.Fatalf("imported as %s", got)
	}
	for slot, want := range map[int]string{1: "skipped", 2: "fixed"} {
		e := must(x.Exported(x.Context(), x.run.ID, x.ref(slot)))(t)
		for i, entry := range e.Document.Violations {
			if e.ULIDs[i] == id && entry.Status != want {
				t.Errorf("slot %d's file is remembered as %s, want %s", slot, entry.Status, want)
			}
			if e.ULIDs[i] == id && entry.Outdated != (slot == 1) { // slot 2 reported it later
				t.Errorf("slot %d's entry is outdated: %t", slot, entry.Outdated)
			}
		}
	}
}

func TestImportRefusesWhatIsVerified(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(1)
	r.says(1, high(1, "leaks"))
	r.end()
	x.edit(1, "leaks", ledger.StatusFixed, "")
	r = x.begin(1)
	r.says(1)
	r.end()
	x.number = 1 // the file of iteration 1 is edited late
	for _, status := range []ledger.Status{ledger.StatusNew, ledger.StatusSkipped, ledger.StatusFixed} {
		if warnings := x.tryEdit(ledger.ActorAgent, 1, "leaks", status, ""); len(warnings) != 1 {
			t.Errorf("marked %s: warnings %q", status, warnings)
		}
		if got := x.find("leaks").Status; got != ledger.StatusVerified {
			t.Errorf("marked %s, it became %s", status, got)
		}
	}
}

// One bad edit undoes the whole import, so that the next import sees the others again.
func TestImportIsOneTransaction(t *testing.T) {
	t.Parallel()
	x := reported(t)
	edit := ledger.Edit{Violation: x.find("leaks").ID, Status: ledger.StatusFixed, Job: quality, Slot: 1, Iteration: 1}
	for name, bad := range map[string]ledger.Edit{
		"unknown violation": {Violation: "nobody", Status: ledger.StatusFixed, Job: quality, Slot: 1, Iteration: 1},
		"unknown slot":      {Violation: edit.Violation, Status: edit.Status, Job: quality, Slot: 7, Iteration: 1},
		"unknown iteration": {Violation: edit.Violation, Status: edit.Status, Job: quality, Slot: 1, Iteration: 9},
		"not in that file":  {Violation: x.find("panics").ID, Status: ledger.StatusFixed, Job: quality, Slot: 1, Iteration: 1},
	} {
		_, err := x.RecordEdits(x.Context(), x.run.ID, ledger.ActorAgent, []ledger.Edit{edit, bad}, nil)
		if !errors.Is(err, ledger.ErrNotFound) && !errors.Is(err, store.ErrConflict) {
			t.Errorf("%s: %v", name, err)
		}
	}
	x.want(map[string]ledger.Status{"leaks": ledger.StatusNew, "races": ledger.StatusNew, "panics": ledger.StatusNew})
}

func TestExportedOfUnknownSlot(t *testing.T) {
	t.Parallel()
	x := reported(t)
	if _, err := x.Exported(x.Context(), x.run.ID, ledger.SlotRef{Job: quality, Slot: 3, Iteration: 1}); !errors.Is(err, ledger.ErrNotFound) {
		t.Errorf("error %v", err)
	}
}
