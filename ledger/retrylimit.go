package ledger

import "slices"

// This file decides when a run has failed so often that nothing more is executed.

// RetryLimitReached reports whether the run has used up its iterations.
//
// Rule: After the retry limit nothing runs.
func RetryLimitReached(state *State, maxRetries int) bool {
	return IterationsLeft(state, maxRetries) == 0
}

// IterationsLeft returns how many more iterations of the run may fail. In all, at most maxRetries +
// 1 may, and as many more as persons have allowed; errors and interruptions do not count.
func IterationsLeft(state *State, maxRetries int) int {
	left := maxRetries + 1 - len(state.FailedIterations())
	for _, t := range state.Extensions() {
		left += t.Iterations
	}
	return max(0, left)
}

// FailedIterations returns the numbers of the iterations that count.
func (s *State) FailedIterations() []int {
	failed := []int{}
	for _, i := range s.Iterations {
		if i.Status == StatusFailed || i.Status == StatusRetryLimitExceeded {
			failed = append(failed, i.Number)
		}
	}
	return failed
}

// Extensions returns the transitions by which persons allowed more iterations.
func (s *State) Extensions() (extended []Transition) {
	for _, t := range s.Transitions {
		if t.Cause == CauseExtended {
			extended = append(extended, t)
		}
	}
	return extended
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

// StepAtLimit returns what to do next with a run that has used up its iterations, for people: what is
// left, and what really leads on. tree is the working tree. Skipping alone does not help against a
// failing check or a gate in error, nor if the tree has changed since reviewers saw it.
//
// Rule: After the retry limit nothing runs.
func StepAtLimit(state *State, tree string) string {
	a := Assess(state)
	left := inNumbers(problems(a.Open), problems(a.Claims), len(a.Failing), len(a.Erred))
	switch {
	case left == "":
		return "the gates have not seen the working tree as it is: " + stepLimit
	case len(a.Failing)+len(a.Erred) == 0 && skipsSuffice(state, tree):
		return left + " left: skip with words (`reviewledger mark ID skipped --result TEXT`), then: " + CommandRun + "; or " + stepLimit
	}
	return left + " left: " + stepLimit
}

// skipsSuffice reports whether the run passes once everything is skipped, although no gate may run
// any more: each of its gates ran on this working tree at last, and its slots were shown all of it.
//
// Rule: After the retry limit nothing runs.
func skipsSuffice(state *State, tree string) bool {
	c := NewCoverage(state, View{Number: state.LastIteration() + 1, Tree: tree}, nil)
	return state.endsOn(tree) && !state.AnyForgotten() && !slices.ContainsFunc(state.Jobs(), func(job string) bool {
		gate := state.LatestGate(job)
		at := state.Iteration(gate.Iteration)
		return at == nil || at.Tree != tree || c.baseMoved(at) || !c.sawAll(gate)
	})
}
