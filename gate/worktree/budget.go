package worktree

import (
	"fmt"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// BudgetWarning names the calls whose cost the budget cannot count; it is empty if there are none.
func (w *Worktree) BudgetWarning(spent ledger.Spent) string {
	if w.Config.Budget.CostUSD == 0 || len(spent.Silent) == 0 {
		return ""
	}
	return fmt.Sprintf("the budget of %s does not count calls of %s, which did not say what they cost",
		ledger.Dollars(w.Config.Budget.CostUSD), strings.Join(spent.Silent, ", "))
}
