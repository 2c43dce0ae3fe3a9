package ledger

// This file decides when a run has failed so often that nothing more is executed.

// RetryLimitReached reports whether the run has used up its iterations.
//
// Rule: After the retry limit nothing runs.
func RetryLimitReached(state *State, maxRetries int) bool {
	return IterationsLeft(state, maxRetries) == 0
}

// IterationsLeft returns how many more iterations of the run may fail. In all, at most maxRetries +
// 1 may; errors and interruptions do not count.
func IterationsLeft(state *State, maxRetries int) int {
	return max(0, maxRetries+1-state.failedIterations())
}

func (s *State) failedIterations() int {
	failed := 0
	for _, i := range s.Iterations {
		if i.Status == StatusFailed || i.Status == StatusRetryLimitExceeded {
			failed++
		}
	}
	return failed
}

// AfterIteration returns the status of an iteration that has just ended: the last one that may fail
// ends with the retry limit.
//
// Rule: After the retry limit nothing runs.
func AfterIteration(state *State, status RunStatus, maxRetries int) RunStatus {
	if status == StatusFailed && IterationsLeft(state, maxRetries) <= 1 {
		return StatusRetryLimitExceeded
	}
	return status
}
