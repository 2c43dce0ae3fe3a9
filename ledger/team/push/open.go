package push

import (
	"context"

	"github.com/reviewledger/reviewledger/ledger/team"
)

// Store is written to. It is safe for concurrent use.
type Store struct{ *team.Store }

// Open prepares a store. Nothing is asked of the server yet: the first question connects.
func Open(ctx context.Context, o team.Options) (*Store, error) {
	s, err := team.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	return &Store{s}, nil
}
