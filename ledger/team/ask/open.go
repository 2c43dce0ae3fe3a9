package ask

import (
	"context"
	"iter"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/db/postgres"
	"github.com/reviewledger/reviewledger/ledger/lists"
	"github.com/reviewledger/reviewledger/ledger/team"
	migrations "github.com/reviewledger/reviewledger/migrations/postgres"
)

// A Store answers questions from a team store. It is safe for concurrent use.
type Store struct {
	*team.Store
	shelf shelf
}

// Open prepares a store. It does not connect; the first question does.
func Open(ctx context.Context, o team.Options) (*Store, error) {
	s, err := team.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	return &Store{Store: s}, nil
}

// Close closes all connections. It does not wait long for them to end.
func (s *Store) Close() {
	s.shelf.close()
	s.Store.Close()
}

// Team returns true: this is a team store.
func (s *Store) Team() bool { return true }

// Here returns "": a team store does not know worktrees.
func (s *Store) Here(context.Context) string { return "" }

// Schema returns the version of the tables that this program needs. [team.Store.Check] refuses any
// other version.
func (s *Store) Schema() int { return migrations.Latest() }

// tx is one transaction.
type tx struct {
	*postgres.Queries
	pgx.Tx
}

// read calls do in one transaction that sees one state of the store.
func (s *Store) read(ctx context.Context, doing string, do func(*tx) error) error {
	return s.Read(ctx, doing, func(transaction pgx.Tx) error { return do(&tx{postgres.New(transaction), transaction}) })
}

// answer returns what do returns in a [Store.read].
func answer[T any](ctx context.Context, s *Store, doing string, do func(*tx) (T, error)) (found T, err error) {
	err = s.read(ctx, doing, func(t *tx) error {
		found, err = do(t)
		return err
	})
	return found, err
}

// reading yields values within one transaction, which sees one state of the store. An error is yielded
// last.
func reading[T any](ctx context.Context, s *Store, doing string, values func(*tx) iter.Seq2[T, error]) iter.Seq2[T, error] {
	return lists.Within(func(each func(iter.Seq2[T, error]) error) error {
		return s.read(ctx, doing, func(t *tx) error { return each(values(t)) })
	})
}
