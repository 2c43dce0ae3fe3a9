package slots

import (
	"github.com/reviewledger/reviewledger/gate/clients"
)

// budgetError means that no more reviewers may be called.
type budgetError struct{ reason string }

func (e *budgetError) Error() string { return e.reason }

// pay adds the cost of an adapter's call to what has been spent.
func (a *Asker) pay(adapter string, reply clients.Reply) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.Spent.Add(adapter, 1, reply.Usage)
	a.Progress.Cost(a.Spent)
}

// afford returns a [budgetError] if the budget is spent.
//
// Rule: Slots are filled round-robin.
func (a *Asker) afford() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if reason := a.Worktree.Config.Budget.Reached(a.Spent); reason != "" {
		return &budgetError{reason}
	}
	return nil
}
