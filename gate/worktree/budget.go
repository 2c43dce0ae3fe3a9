package worktree

import (
	"fmt"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// BudgetWarning returns a warning that names the adapters whose calls did not state a cost, so that
// the budget cannot count them, or "".
func (w *Worktree) BudgetWarning(spent ledger.Spent) string {
	if w.Config.Budget.CostUSD == 0 || len(spent.Silent) == 0 {
		return ""
	}
	return fmt.Sprintf("the budget of %s does not count calls of %s, which did not say what they cost",
		ledger.Dollars(w.Config.Budget.CostUSD), strings.Join(spent.Silent, ", "))
}
