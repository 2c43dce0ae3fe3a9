package worktree

import (
	"fmt"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// BudgetWarnings name the calls whose cost the budget cannot count.
func (w *Worktree) BudgetWarnings(spent ledger.Spent) []string {
	if w.Config.Budget.CostUSD == 0 || len(spent.Silent) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the budget of %s does not count calls of %s, which did not say what they cost",
		ledger.Dollars(w.Config.Budget.CostUSD), strings.Join(spent.Silent, ", "))}
}
