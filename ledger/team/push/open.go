package push

import (
	"context"

	"github.com/reviewledger/reviewledger/ledger/team"
)

// A Store is a team store that can be written. It is safe for concurrent use.
type Store struct{ *team.Store }

// Open prepares a store. It does not connect; the first statement does.
func Open(ctx context.Context, o team.Options) (*Store, error) {
	s, err := team.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	return &Store{s}, nil
}
