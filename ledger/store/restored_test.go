package store

import (
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// What files prove about slots and gates. If one is missing, or two disagree, the gate has not
// passed.
//
// Rule: Deleting the database loses history, never the loop.
func TestStatusOfRestoredFiles(t *testing.T) {
	t.Parallel()
	const job = "review:src:quality"
	file := func(status ledger.SlotStatus, violations, passIteration int) SlotRecord {
		return SlotRecord{NumReviews: 2, Document: ledger.SlotDocument{
			Job: job, Status: status, PassIteration: passIteration, Violations: make([]ledger.SlotEntry, violations),
		}}
	}
	passed, failed, skipped, erred := file(ledger.SlotPass, 0, 0), file(ledger.SlotFail, 1, 0), file(ledger.SlotSkipped, 0, 1), file(ledger.SlotError, 0, 0)
	for name, test := range map[string]struct {
		slots [][]SlotRecord
		want  ledger.GateStatus
	}{
		"both passed":                 {[][]SlotRecord{{passed}, {passed}}, ledger.GatePassed},
		"one was skipped":             {[][]SlotRecord{{passed}, {skipped}}, ledger.GatePassed},
		"one failed":                  {[][]SlotRecord{{failed}, {passed}}, ledger.GateFailed},
		"one lists, and says passed":  {[][]SlotRecord{{file(ledger.SlotPass, 1, 0)}, {passed}}, ledger.GateFailed},
		"one says failed, lists none": {[][]SlotRecord{{file(ledger.SlotFail, 0, 0)}, {passed}}, ledger.GateError},
		"one erred, and lists":        {[][]SlotRecord{{file(ledger.SlotError, 1, 0)}, {passed}}, ledger.GateError},
		"skipped since never":         {[][]SlotRecord{{file(ledger.SlotSkipped, 0, 0)}, {passed}}, ledger.GateError},
		"failed after a pass":         {[][]SlotRecord{{file(ledger.SlotFail, 0, 1)}, {passed}}, ledger.GateError},
		"one is missing":              {[][]SlotRecord{{passed}}, ledger.GateInterrupted},
		"one is missing, one failed":  {[][]SlotRecord{{failed}}, ledger.GateInterrupted},
		"one is missing, one erred":   {[][]SlotRecord{{erred}}, ledger.GateError},
		"two files of a slot":         {[][]SlotRecord{{passed, failed}, {passed}}, ledger.GateFailed},
		"two, one in error":           {[][]SlotRecord{{failed, erred}, {passed}}, ledger.GateError},
		"two, one skipped":            {[][]SlotRecord{{skipped, passed}, {skipped}}, ledger.GatePassed},
		"of another gate":             {[][]SlotRecord{{passed}, {{NumReviews: 1, Document: ledger.SlotDocument{Job: "review:src:other", Status: ledger.SlotFail}}}, {passed}}, ledger.GatePassed},
	} {
		if got := gateStatus(test.slots, job); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// An entry shows the same report as another only if nothing that a reviewer writes differs.
func TestSameReport(t *testing.T) {
	t.Parallel()
	entry := ledger.SlotEntry{ID: "aaaaaaaa", File: "a.go", Line: 3, EndLine: 4, Issue: "leaks", Fix: "close it", Priority: "high", Status: "new"}
	for name, tt := range map[string]struct {
		change func(*ledger.SlotEntry)
		same   bool
	}{
		"nothing":  {func(*ledger.SlotEntry) {}, true},
		"status":   {func(e *ledger.SlotEntry) { e.ID, e.Status = "bbbbbbbb", "fixed" }, true},
		"file":     {func(e *ledger.SlotEntry) { e.File = "b.go" }, false},
		"line":     {func(e *ledger.SlotEntry) { e.Line = 2 }, false},
		"end line": {func(e *ledger.SlotEntry) { e.EndLine = 5 }, false},
		"issue":    {func(e *ledger.SlotEntry) { e.Issue = "leaks." }, false},
		"fix":      {func(e *ledger.SlotEntry) { e.Fix = "" }, false},
		"priority": {func(e *ledger.SlotEntry) { e.Priority = "low" }, false},
	} {
		other := entry
		tt.change(&other)
		if sameReport(entry, other) != tt.same || sameReport(other, entry) != tt.same {
			t.Errorf("%s: want the same %v", name, tt.same)
		}
	}
}
