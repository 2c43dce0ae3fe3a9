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
