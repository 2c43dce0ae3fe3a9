package ledger_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

// Rule: A run passes only if nothing is outstanding.
func TestAssess(t *testing.T) {
	t.Parallel()
	killed := reviewed(2, quality, pass, ledger.SlotRunning)
	lied := reviewed(1, quality, pass, erred)
	lied.Status = ledger.GatePassed
	early := reviewed(1, quality, pass, ledger.SlotRunning)
	early.Status = ledger.GatePassed
	blind := reviewed(1, quality, pass, pass)
	blind.Slots[1].Unseen = "a.go: Timeout"
	v := func(id string, status ledger.Status) ledger.Violation { return violation(id, quality, 1, status) }
	tests := []struct {
		name       string
		gates      []ledger.Gate
		violations []ledger.Violation
		want       ledger.RunStatus
		failed     int
	}{
		{"all passed", []ledger.Gate{reviewed(1, quality, pass), checked(1, ledger.GatePassed)}, nil, ledger.StatusPassed, 0},
		{"nothing executed, and something is open", nil, []ledger.Violation{v("a", ledger.StatusNew)}, ledger.StatusFailed, 1},
		{"nothing executed", nil, nil, ledger.StatusError, 0},
		{"Passed with skipped items", []ledger.Gate{reviewed(1, quality, fail)}, []ledger.Violation{v("a", ledger.StatusSkipped), v("b", ledger.StatusVerified)}, ledger.StatusPassedWithWarnings, 0},
		{"all verified", []ledger.Gate{reviewed(1, quality, fail), reviewed(2, quality, pass)}, []ledger.Violation{v("a", ledger.StatusVerified)}, ledger.StatusPassed, 0},
		{"Unaddressed violations remain as failures", []ledger.Gate{reviewed(1, quality, fail)}, []ledger.Violation{v("a", ledger.StatusNew)}, ledger.StatusFailed, 1},
		{"reopened", []ledger.Gate{reviewed(1, quality, fail)}, []ledger.Violation{v("a", ledger.StatusReopened)}, ledger.StatusFailed, 1},
		{"a claim is not verified", []ledger.Gate{reviewed(1, quality, pass)}, []ledger.Violation{v("a", ledger.StatusFixed)}, ledger.StatusFailed, 0},
		{"open in a job that passed", []ledger.Gate{reviewed(1, quality, pass)}, []ledger.Violation{v("a", ledger.StatusNew)}, ledger.StatusFailed, 1},
		{"open in a job that is gone", []ledger.Gate{reviewed(1, quality, pass)}, []ledger.Violation{violation("a", "review:gone:x", 1, ledger.StatusNew)}, ledger.StatusFailed, 1},
		{"check fails", []ledger.Gate{checked(1, ledger.GateFailed)}, nil, ledger.StatusFailed, 1},
		{"check passes at last", []ledger.Gate{checked(1, ledger.GateFailed), checked(2, ledger.GatePassed)}, nil, ledger.StatusPassed, 0},
		{"check fails at last", []ledger.Gate{checked(1, ledger.GatePassed), checked(2, ledger.GateFailed)}, nil, ledger.StatusFailed, 1},
		{"check in error", []ledger.Gate{checked(1, ledger.GateError)}, nil, ledger.StatusError, 1},
		{"check not run", []ledger.Gate{checked(1, ledger.GateNotRun)}, nil, ledger.StatusError, 1},
		{"check interrupted", []ledger.Gate{checked(1, ledger.GateInterrupted)}, nil, ledger.StatusError, 1},
		{"check still running", []ledger.Gate{checked(1, ledger.GateRunning)}, nil, ledger.StatusError, 1},
		{"a gate of an earlier iteration that failed and did not run again", []ledger.Gate{checked(1, ledger.GateFailed), reviewed(2, quality, pass)}, nil, ledger.StatusFailed, 1},
		{"slots in error", []ledger.Gate{reviewed(1, quality, pass, erred, erred)}, nil, ledger.StatusError, 2},
		{"a slot in error that the gate does not mention", []ledger.Gate{lied}, nil, ledger.StatusError, 1},
		{"a slot still running that the gate does not mention", []ledger.Gate{early}, nil, ledger.StatusError, 1},
		{"killed", []ledger.Gate{reviewed(1, quality, pass, pass), killed}, nil, ledger.StatusError, 1},
		{"an error and a claim", []ledger.Gate{reviewed(1, quality, erred)}, []ledger.Violation{v("a", ledger.StatusFixed)}, ledger.StatusError, 1},
		{"an error and a failure", []ledger.Gate{reviewed(1, quality, erred), checked(1, ledger.GateFailed)}, []ledger.Violation{v("a", ledger.StatusNew)}, ledger.StatusFailed, 3},
		{"a dispute", []ledger.Gate{reviewed(1, quality, fail)}, []ledger.Violation{v("a", ledger.StatusDisputed)}, ledger.StatusFailed, 1},
		{"a dispute that its reviewer could not answer", []ledger.Gate{reviewed(1, quality, erred)}, []ledger.Violation{v("a", ledger.StatusDisputed)}, ledger.StatusError, 2},
		{"a dispute, and another gate in error", []ledger.Gate{reviewed(1, quality, fail), reviewed(1, security, erred)}, []ledger.Violation{v("a", ledger.StatusDisputed)}, ledger.StatusFailed, 2},
		{"a dispute that could not be answered, and an open violation", []ledger.Gate{reviewed(1, quality, erred)}, []ledger.Violation{v("a", ledger.StatusDisputed), v("b", ledger.StatusNew)}, ledger.StatusFailed, 3},
		{"withdrawn", []ledger.Gate{reviewed(1, quality, pass)}, []ledger.Violation{v("a", ledger.StatusWithdrawn), v("b", ledger.StatusVerified)}, ledger.StatusPassedWithWarnings, 0},
		{"a tool that did not look", []ledger.Gate{blind}, nil, ledger.StatusPassedWithWarnings, 0},
		{"a tool that did not look, and was skipped since", []ledger.Gate{blind, reviewed(2, quality, pass, ledger.SlotSkipped)}, nil, ledger.StatusPassedWithWarnings, 0},
		{"a tool that looked at last", []ledger.Gate{blind, reviewed(2, quality, pass, pass)}, nil, ledger.StatusPassed, 0},
		{"an unknown status", []ledger.Gate{{Iteration: 1, Job: lint, Kind: ledger.KindCheck, Status: "fine"}}, nil, ledger.StatusError, 1},
		{"a review gate without slots", []ledger.Gate{reviewed(1, quality)}, nil, ledger.StatusError, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := ledger.Assess(state(tt.gates, tt.violations...))
			if a.Status != tt.want || a.Failed() != tt.failed {
				t.Errorf("%s with %d failed, want %s with %d", a.Status, a.Failed(), tt.want, tt.failed)
			}
			outstanding := 0
			for _, v := range tt.violations {
				if v.Status.Open() || v.Claim() {
					outstanding++
				}
			}
			if a.Outstanding() != outstanding {
				t.Errorf("%d outstanding, want %d", a.Outstanding(), outstanding)
			}
		})
	}
}

// A critical or high report that was filtered because of its place makes the pass one with
// warnings. Other filtered reports do not.
//
// Rule: What is filtered is counted and kept.
func TestAssessFiltered(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		priority ledger.Priority
		why      ledger.Disposition
		want     ledger.RunStatus
	}{
		{ledger.Critical, ledger.OutOfDiff, ledger.StatusPassedWithWarnings}, {ledger.High, ledger.OutOfDiff, ledger.StatusPassedWithWarnings},
		{ledger.Medium, ledger.OutOfDiff, ledger.StatusPassed}, {ledger.High, ledger.BelowThreshold, ledger.StatusPassed},
	} {
		state := &ledger.State{Gates: []ledger.Gate{reviewed(1, quality, ledger.SlotPass)}, Filtered: []ledger.Report{{Priority: tt.priority, Disposition: tt.why}}}
		if a := ledger.Assess(state); a.Status != tt.want || len(a.Filtered) != 1 {
			t.Errorf("%s, %s: %s with %d left", tt.priority, tt.why, a.Status, len(a.Filtered))
		}
	}
}

// If several reports have the same words, those of the latest iteration are listed, unless a
// violation has had the words since.
//
// Rule: What is filtered is counted and kept.
func TestFilteredProblems(t *testing.T) {
	t.Parallel()
	report := func(iteration int, file, issue string) ledger.Report {
		return ledger.Report{Job: quality, Iteration: iteration, Place: at(file, iteration), Issue: issue, Disposition: ledger.OutOfDiff}
	}
	found := func(last int) []ledger.Violation {
		return []ledger.Violation{{Job: quality, Place: at("f", 9), Issue: "`Slow`", Status: ledger.StatusVerified, Last: last}}
	}
	for name, test := range map[string]struct {
		reports    []ledger.Report
		violations []ledger.Violation
		want       int
	}{
		"the same words again":        {[]ledger.Report{report(1, "f", "Slow"), report(2, "f", "slow.")}, nil, 1},
		"twice in one iteration":      {[]ledger.Report{report(2, "f", "Slow"), report(2, "f", "slow.")}, nil, 2},
		"in two files":                {[]ledger.Report{report(1, "f", "Slow"), report(2, "g", "Slow")}, nil, 2},
		"other words":                 {[]ledger.Report{report(1, "f", "Slow"), report(2, "f", "Leaks")}, nil, 2},
		"without words":               {[]ledger.Report{report(1, "f", ""), report(2, "f", "")}, nil, 2},
		"a violation since":           {[]ledger.Report{report(1, "f", "Slow")}, found(2), 0},
		"a violation before":          {[]ledger.Report{report(3, "f", "Slow")}, found(2), 1},
		"a violation in another file": {[]ledger.Report{report(1, "g", "Slow")}, found(2), 1},
	} {
		if got := ledger.Assess(&ledger.State{Filtered: test.reports, Violations: test.violations}).Filtered; len(got) != test.want {
			t.Errorf("%s: %d are left: %+v", name, len(got), got)
		}
	}
}

// A slot's file lists only what was filtered from the answer of that slot, by priority.
//
// Rule: What is filtered is counted and kept.
func TestFilteredOf(t *testing.T) {
	t.Parallel()
	slot := ledger.Slot{Job: quality, Index: 1, Iteration: 2}
	state := &ledger.State{Filtered: []ledger.Report{
		{ID: "a", Job: quality, Slot: 1, Iteration: 2, Place: ledger.Place{File: "f", Start: 3, End: 5}, Issue: "Bad", Fix: "Do", Priority: ledger.Low, Disposition: ledger.OutOfDiff},
		{ID: "b", Job: quality, Slot: 2, Iteration: 2, Disposition: ledger.OutOfDiff}, {ID: "c", Job: quality, Slot: 1, Iteration: 1, Disposition: ledger.OutOfDiff},
		{ID: "d", Job: security, Slot: 1, Iteration: 2, Disposition: ledger.OutOfDiff}, {ID: "h", Job: quality, Slot: 1, Iteration: 2, Disposition: ledger.Merged},
		{ID: "e", Job: quality, Slot: 1, Iteration: 2, Place: ledger.Place{File: "\xff", Start: 3, End: 3}, Disposition: ledger.Malformed}, {ID: "g", Job: quality, Slot: 1, Iteration: 2, Place: ledger.Place{Start: -1, End: 4}, Disposition: ledger.Malformed},
	}}
	want := []ledger.FilteredEntry{
		{ID: "e", File: "\uFFFD", Line: 3, Reason: ledger.Malformed}, {ID: "g", Reason: ledger.Malformed}, {ID: "a", File: "f", Line: 3, EndLine: 5, Issue: "Bad", Fix: "Do", Priority: ledger.Low, Reason: ledger.OutOfDiff},
	}
	if d := cmp.Diff(want, state.FilteredOf(slot)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := ledger.FilteredEntries(slices.Repeat(state.Filtered[:1], ledger.MaxFiltered+2)); len(got) != ledger.MaxFiltered {
		t.Errorf("%d are listed", len(got))
	}
	for reason, want := range map[ledger.Disposition]string{ledger.OutOfDiff: "outside the changed lines", ledger.BelowThreshold: "below the threshold", ledger.Malformed: "malformed"} {
		if got := (ledger.FilteredEntry{Reason: reason}).Why(); got != want {
			t.Errorf("%s: %q", reason, got)
		}
	}
}

// Rule: A passed slot is skipped while another runs.
func TestGateResult(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		slots []ledger.SlotStatus
		want  ledger.GateStatus
	}{
		{"no slots", nil, ledger.GateError},
		{"Skipped slots do not affect overall gate status", []ledger.SlotStatus{skipped, skipped, pass}, ledger.GatePassed},
		{"Safety latch slot finds new issues", []ledger.SlotStatus{fail, skipped}, ledger.GateFailed},
		{"one failed", []ledger.SlotStatus{pass, fail}, ledger.GateFailed},
		{"an error goes before a failure", []ledger.SlotStatus{fail, erred}, ledger.GateError},
		{"in either order", []ledger.SlotStatus{erred, fail}, ledger.GateError},
		{"interrupted goes first", []ledger.SlotStatus{erred, fail, ledger.SlotInterrupted}, ledger.GateInterrupted},
		{"running", []ledger.SlotStatus{ledger.SlotRunning, pass}, ledger.GateInterrupted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var slots []ledger.Slot
			for i, status := range tt.slots {
				slots = append(slots, ledger.Slot{Index: i + 1, Status: status})
			}
			if got := ledger.GateResult(slots); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
