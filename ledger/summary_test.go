package ledger_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

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
	joined := violation("f", security, 1, ledger.StatusDuplicate)
	joined.Original = &ledger.Original{ID: b.ID, Status: b.Status, Result: b.Result, Answered: b.Answered}
	back := answered(1, violation("g", quality, 1, ledger.StatusWithdrawn), "Not a problem", "")
	with := violation("h", security, 1, ledger.StatusDuplicate)
	with.Original = &ledger.Original{ID: back.ID, Status: back.Status, Answered: back.Answered}
	gates := []ledger.Gate{checked(1, ledger.GateFailed), reviewed(1, quality, fail), checked(2, ledger.GatePassed), reviewed(2, quality, fail), reviewed(3, quality, pass)}
	tests := []struct {
		name       string
		gates      []ledger.Gate
		violations []ledger.Violation
		want       ledger.Summary
	}{
		{"Multi-iteration summary", gates, []ledger.Violation{b, a, c}, ledger.Summary{Fixed: 2, ChecksFixed: 1, Skipped: 2, Status: ledger.StatusPassedWithWarnings,
			Iterations: []ledger.SummaryIteration{
				{Number: 1, Lines: []ledger.SummaryLine{lintFixed, line(ledger.OutcomeFixed, a, ""), line(ledger.OutcomeSkipped, b, "By design")}},
				{Number: 2, Lines: []ledger.SummaryLine{line(ledger.OutcomeSkipped, c, "false-positive")}}}}},
		{"a skip and what was joined to it", []ledger.Gate{reviewed(1, quality, fail)}, []ledger.Violation{b, joined}, ledger.Summary{Skipped: 1, Status: ledger.StatusPassedWithWarnings,
			Iterations: []ledger.SummaryIteration{{Number: 1, Lines: []ledger.SummaryLine{line(ledger.OutcomeSkipped, b, "By design"), line(ledger.OutcomeSkipped, joined, "By design")}}}}},
		{"what a reviewer took back, and what was joined to it", []ledger.Gate{reviewed(1, quality, pass)}, []ledger.Violation{back, with}, ledger.Summary{Withdrawn: 1, Status: ledger.StatusPassedWithWarnings,
			Iterations: []ledger.SummaryIteration{{Number: 1, Lines: []ledger.SummaryLine{line(ledger.OutcomeWithdrawn, back, ""), line(ledger.OutcomeWithdrawn, with, "")}}}}},
		{"Iteration tracking", gates, []ledger.Violation{a, d, e}, ledger.Summary{Fixed: 2, ChecksFixed: 1, Failed: 1, Status: ledger.StatusFailed, Open: []*ledger.Violation{&e},
			Iterations: []ledger.SummaryIteration{
				{Number: 1, Lines: []ledger.SummaryLine{lintFixed, line(ledger.OutcomeFixed, a, "")}},
				{Number: 3, Lines: []ledger.SummaryLine{line(ledger.OutcomeUnverified, d, "")}}}}},
		{"nothing to tell", []ledger.Gate{reviewed(1, quality, pass)}, nil, ledger.Summary{Status: ledger.StatusPassed}},
		{"a check that still fails", []ledger.Gate{checked(1, ledger.GateFailed), checked(2, ledger.GateFailed)}, nil,
			ledger.Summary{Failed: 1, ChecksFailed: 1, Status: ledger.StatusFailed, Unresolved: []ledger.Unresolved{{Job: lint, Iteration: 2}}}},
		{"a check in error, and one that failed before", []ledger.Gate{checked(1, ledger.GateFailed), checked(2, ledger.GateError)}, nil,
			ledger.Summary{Failed: 1, ChecksFailed: 1, Status: ledger.StatusError, Unresolved: []ledger.Unresolved{{Job: lint, Reason: "error", Iteration: 2}}}},
		{"a check in error in between", []ledger.Gate{checked(1, ledger.GateFailed), checked(2, ledger.GateError), checked(3, ledger.GatePassed)}, nil,
			ledger.Summary{Fixed: 1, ChecksFixed: 1, Status: ledger.StatusPassed, Iterations: []ledger.SummaryIteration{{Number: 1, Lines: []ledger.SummaryLine{lintFixed}}}}},
		{"a check that failed without a problem that could be counted", []ledger.Gate{{Iteration: 1, Job: lint, Kind: ledger.KindCheck, Status: ledger.GateFailed}, checked(2, ledger.GatePassed)}, nil,
			ledger.Summary{Fixed: 1, ChecksFixed: 1, Status: ledger.StatusPassed, Iterations: []ledger.SummaryIteration{
				{Number: 1, Lines: []ledger.SummaryLine{{Outcome: ledger.OutcomeFixed, Problems: 1, Violation: ledger.Violation{Job: lint}}}}}}},
		{"a check that failed twice", []ledger.Gate{checked(1, ledger.GateFailed), checked(2, ledger.GatePassed), checked(3, ledger.GateFailed), checked(4, ledger.GatePassed)}, nil,
			ledger.Summary{Fixed: 2, ChecksFixed: 2, Status: ledger.StatusPassed, Iterations: []ledger.SummaryIteration{
				{Number: 1, Lines: []ledger.SummaryLine{lintFixed}}, {Number: 3, Lines: []ledger.SummaryLine{lintFixed}}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := state(tt.gates, tt.violations...)
			tt.want.Took = len(s.Iterations)
			for i, v := range s.Violations {
				if v.Status == ledger.StatusDuplicate {
					tt.want.Joined = append(tt.want.Joined, &s.Violations[i])
				}
			}
			got := ledger.Summarize(s, ledger.Assess(s))
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("summary (-want +got):\n%s", d)
			}
			if got.Unverified() != (tt.name == "Iteration tracking") {
				t.Errorf("a claim waits: %t", got.Unverified())
			}
		})
	}
}
