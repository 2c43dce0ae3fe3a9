package ledger_test

import (
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

// Rule: A failure shows what was found.
func TestSummarize(t *testing.T) {
	t.Parallel()
	answered := func(iteration int, v ledger.Violation, result, reason string) ledger.Violation {
		v.Answered, v.Result, v.Reason = iteration, result, reason
		return v
	}
	line := func(outcome ledger.Outcome, v ledger.Violation, skipped string) ledger.SummaryLine {
		if outcome == ledger.OutcomeSkipped && v.WhySkipped() != skipped {
			t.Errorf("%s was skipped because %q, want %q", v.ID, v.WhySkipped(), skipped)
		}
		return ledger.SummaryLine{Outcome: outcome, Violation: v}
	}
	lintFixed := ledger.SummaryLine{Outcome: ledger.OutcomeFixed, Problems: 3, Violation: ledger.Violation{Job: lint}}
	a := answered(1, violation("a", quality, 1, ledger.StatusVerified), "Added a check", "")
	b := answered(1, violation("b", quality, 1, ledger.StatusSkipped), "By design", "")
	c := answered(2, violation("c", security, 2, ledger.StatusSkipped), "", "false-positive")
	d := answered(3, violation("d", security, 2, ledger.StatusFixed), "", "")
	e := answered(1, violation("e", security, 2, ledger.StatusReopened), "", "")
	gates := []ledger.Gate{checked(1, ledger.GateFailed), reviewed(1, quality, fail), checked(2, ledger.GatePassed), reviewed(2, quality, fail), reviewed(3, quality, pass)}
	tests := []struct {
		name       string
		gates      []ledger.Gate
		violations []ledger.Violation
		want       ledger.Summary
	}{
		{"Multi-iteration summary", gates, []ledger.Violation{b, a, c}, ledger.Summary{Fixed: 2, Skipped: 2, Status: ledger.StatusPassedWithWarnings,
			Iterations: []ledger.SummaryIteration{
				{Number: 1, Lines: []ledger.SummaryLine{lintFixed, line(ledger.OutcomeFixed, a, ""), line(ledger.OutcomeSkipped, b, "By design")}},
				{Number: 2, Lines: []ledger.SummaryLine{line(ledger.OutcomeSkipped, c, "false-positive")}}}}},
		{"Iteration tracking", gates, []ledger.Violation{a, d, e}, ledger.Summary{Fixed: 2, Failed: 1, Status: ledger.StatusFailed, Open: []ledger.Violation{e},
			Iterations: []ledger.SummaryIteration{
				{Number: 1, Lines: []ledger.SummaryLine{lintFixed, line(ledger.OutcomeFixed, a, "")}},
				{Number: 3, Lines: []ledger.SummaryLine{line(ledger.OutcomeUnverified, d, "")}}}}},
		{"nothing to tell", []ledger.Gate{reviewed(1, quality, pass)}, nil, ledger.Summary{Status: ledger.StatusPassed}},
		{"a check that still fails", []ledger.Gate{checked(1, ledger.GateFailed), checked(2, ledger.GateFailed)}, nil,
			ledger.Summary{Failed: 1, Status: ledger.StatusFailed, Unresolved: []ledger.Unresolved{{Job: lint, Iteration: 2}}}},
		{"a check in error in between", []ledger.Gate{checked(1, ledger.GateFailed), checked(2, ledger.GateError), checked(3, ledger.GatePassed)}, nil,
			ledger.Summary{Fixed: 1, Status: ledger.StatusPassed, Iterations: []ledger.SummaryIteration{{Number: 1, Lines: []ledger.SummaryLine{lintFixed}}}}},
		{"a check that failed without a problem that could be counted", []ledger.Gate{{Iteration: 1, Job: lint, Kind: ledger.KindCheck, Status: ledger.GateFailed}, checked(2, ledger.GatePassed)}, nil,
			ledger.Summary{Fixed: 1, Status: ledger.StatusPassed, Iterations: []ledger.SummaryIteration{
				{Number: 1, Lines: []ledger.SummaryLine{{Outcome: ledger.OutcomeFixed, Problems: 1, Violation: ledger.Violation{Job: lint}}}}}}},
		{"a check that failed twice", []ledger.Gate{checked(1, ledger.GateFailed), checked(2, ledger.GatePassed), checked(3, ledger.GateFailed), checked(4, ledger.GatePassed)}, nil,
			ledger.Summary{Fixed: 2, Status: ledger.StatusPassed, Iterations: []ledger.SummaryIteration{
				{Number: 1, Lines: []ledger.SummaryLine{lintFixed}}, {Number: 3, Lines: []ledger.SummaryLine{lintFixed}}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := state(tt.gates, tt.violations...)
			tt.want.Took = len(s.Iterations)
			if d := cmp.Diff(tt.want, ledger.Summarize(s, ledger.Assess(s))); d != "" {
				t.Errorf("summary (-want +got):\n%s", d)
			}
		})
	}
}
