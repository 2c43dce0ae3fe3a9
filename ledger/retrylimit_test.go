package ledger_test

import (
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// max_retries + 1 iterations may fail; errors and interruptions do not count.
//
// Rule: After the retry limit nothing runs.
func TestRetryLimit(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		before     []ledger.RunStatus
		now        ledger.RunStatus
		maxRetries int
		wantLeft   int
		want       ledger.RunStatus
	}{
		{"first failure", nil, ledger.StatusFailed, 1, 2, ledger.StatusFailed},
		{"the last that may fail", []ledger.RunStatus{ledger.StatusFailed}, ledger.StatusFailed, 1, 1, ledger.StatusRetryLimitExceeded},
		{"after it", []ledger.RunStatus{ledger.StatusFailed, ledger.StatusRetryLimitExceeded}, ledger.StatusFailed, 1, 0, ledger.StatusRetryLimitExceeded},
		{"errors do not count", []ledger.RunStatus{ledger.StatusError, ledger.StatusInterrupted, ledger.StatusFailed}, ledger.StatusFailed, 2, 2, ledger.StatusFailed},
		{"an error stays one", []ledger.RunStatus{ledger.StatusFailed, ledger.StatusFailed}, ledger.StatusError, 1, 0, ledger.StatusError},
		{"a pass stays one", []ledger.RunStatus{ledger.StatusFailed}, ledger.StatusPassed, 1, 1, ledger.StatusPassed},
		{"no retries", nil, ledger.StatusFailed, 0, 1, ledger.StatusRetryLimitExceeded},
		{"a limit that was raised", []ledger.RunStatus{ledger.StatusFailed, ledger.StatusRetryLimitExceeded}, ledger.StatusFailed, 3, 2, ledger.StatusFailed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := &ledger.State{}
			for i, status := range tt.before {
				s.Iterations = append(s.Iterations, ledger.Iteration{Number: i + 1, Status: status})
			}
			if left, reached := ledger.IterationsLeft(s, tt.maxRetries), ledger.RetryLimitReached(s, tt.maxRetries); left != tt.wantLeft || reached != (left == 0) {
				t.Errorf("%d left, want %d; reached: %t", left, tt.wantLeft, reached)
			}
			s.Iterations = append(s.Iterations, ledger.Iteration{Number: len(tt.before) + 1, Status: ledger.StatusRunning})
			if got := ledger.AfterIteration(s, tt.now, tt.maxRetries); got != tt.want {
				t.Errorf("status %s, want %s", got, tt.want)
			}
		})
	}
}

// What is proposed at the limit leads to a pass: skipping is enough only where nothing else is left,
// and every gate has run on the working tree.
//
// Rule: After the retry limit nothing runs.
func TestStepAtLimit(t *testing.T) {
	t.Parallel()
	const (
		person = "a person allows more (`reviewledger run --extend N --as human`, or a higher max_retries), or gives up (`reviewledger clean`)"
		skip   = " left: skip with words (`reviewledger mark ID skipped --result TEXT`), then: reviewledger run; or " + person
		more   = " left: " + person
	)
	review := ledger.Gate{Job: "review:src:q", Kind: ledger.KindReview, Iteration: 1, Status: ledger.GateFailed}
	check := func(status ledger.GateStatus) ledger.Gate {
		return ledger.Gate{Job: "check:src:c", Kind: ledger.KindCheck, Iteration: 1, Status: status}
	}
	open, claim := ledger.Violation{ID: "1", Status: ledger.StatusReopened}, ledger.Violation{ID: "2", Status: ledger.StatusFixed}
	skipped := ledger.Violation{ID: "3", Status: ledger.StatusSkipped}
	for name, test := range map[string]struct {
		tree  string
		gates []ledger.Gate
		found []ledger.Violation
		want  string
	}{
		"open":                        {"now", []ledger.Gate{review}, []ledger.Violation{open}, "1 open violation" + skip},
		"open and claimed":            {"now", []ledger.Gate{review, check(ledger.GatePassed)}, []ledger.Violation{open, claim}, "1 open violation, 1 unverified claim" + skip},
		"claimed":                     {"now", []ledger.Gate{review}, []ledger.Violation{claim, skipped}, "1 unverified claim" + skip},
		"on another tree":             {"later", []ledger.Gate{review}, []ledger.Violation{claim}, "1 unverified claim" + more},
		"skipped, on another tree":    {"later", []ledger.Gate{review}, []ledger.Violation{skipped}, "the gates have not seen the working tree as it is: " + person},
		"a check fails":               {"now", []ledger.Gate{check(ledger.GateFailed)}, nil, "1 failing check" + more},
		"a check fails, and one open": {"now", []ledger.Gate{review, check(ledger.GateFailed)}, []ledger.Violation{open}, "1 open violation, 1 failing check" + more},
		"a gate in error":             {"now", []ledger.Gate{review, check(ledger.GateError)}, []ledger.Violation{open}, "1 open violation, 1 gate in error" + more},
	} {
		state := &ledger.State{Iterations: []ledger.Iteration{{Number: 1, Tree: "now"}}, Gates: test.gates, Violations: test.found}
		if got := ledger.StepAtLimit(state, test.tree); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
