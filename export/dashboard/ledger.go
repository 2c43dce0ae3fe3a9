package dashboard

import (
	"context"

	"github.com/reviewledger/reviewledger/ledger"
)

// Ledger is what the pages show: a ledger, or the store of a team. It may appear, change
// and disappear while the dashboard runs.
type Ledger interface {
	// Ask returns the ledger as it is now, for questions until done is called.
	Ask(ctx context.Context) (q ledger.Questions, done func(), err error)
	// Version returns a text that differs after every change.
	Version(ctx context.Context) (string, error)
}
