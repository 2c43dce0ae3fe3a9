package dashboard

import (
	"context"

	"github.com/reviewledger/reviewledger/ledger"
)

// Ledger is what is looked at: it may appear, change and go away.
type Ledger interface {
	// Ask returns the ledger as it is now, for questions until done is called.
	Ask(ctx context.Context) (q ledger.Questions, done func(), err error)
	// Version is another text after every change.
	Version(ctx context.Context) (string, error)
}
