package team

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/ledger"
)

// A Removal describes what is to be deleted for good, with the tombstone that keeps it from coming
// back.
type Removal struct {
	// Runs is how many runs of the team store it selects.
	Runs int

	id, repository *string
	before         *time.Time
}

func (r Removal) args() pgx.NamedArgs {
	return pgx.NamedArgs{"id": r.id, "repository": r.repository, "before": r.before}
}

// RemovalOfRun selects one run by its ID or a unique prefix. A run given by its whole ID need not
// exist: then it is kept from being added.
func (s *Store) RemovalOfRun(ctx context.Context, id string) (Removal, error) {
	const wholeID = 26
	id = strings.ToUpper(clean(id))
	rows, err := s.pool.Query(ctx, statement("runs by prefix"), pgx.NamedArgs{"prefix": id})
	if err != nil {
		return Removal{}, s.explain(ctx, "forget", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	switch {
	case err != nil:
		return Removal{}, s.explain(ctx, "forget", err)
	case len(found) > 1:
		return Removal{}, &ledger.IDError{Kind: "run", ID: id, Matches: found}
	case len(found) == 1:
		id = found[0]
	case len(id) != wholeID:
		return Removal{}, fmt.Errorf("forget: team store %s: no run matches %q", s.Place(), id)
	}
	return Removal{Runs: len(found), id: &id}, nil
}

// RemovalOfRepository selects all runs of the repository with this key.
func (s *Store) RemovalOfRepository(ctx context.Context, key string) (Removal, error) {
	r, err := s.counted(ctx, Removal{repository: &key})
	if err == nil && r.Runs == 0 {
		err = fmt.Errorf("forget: team store %s: it has no repository %q (`reviewledger runs --team --format json` shows the keys)", s.Place(), key)
	}
	return r, err
}

// RemovalBefore selects all runs that started before the time.
func (s *Store) RemovalBefore(ctx context.Context, before time.Time) (Removal, error) {
	return s.counted(ctx, Removal{before: &before})
}

func (s *Store) counted(ctx context.Context, r Removal) (Removal, error) {
	err := s.pool.QueryRow(ctx, statement("count runs"), r.args()).Scan(&r.Runs)
	return r, s.explain(ctx, "count runs", err)
}

// Remove deletes runs and leaves the tombstone, in one transaction, and returns how many runs were
// deleted. Pushes wait meanwhile. Only the owner of the schema can do this.
func (s *Store) Remove(ctx context.Context, r Removal) (removed int, err error) {
	err = pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(tx pgx.Tx) error {
		for _, name := range []string{"stop pushes", "bury"} {
			args := []any{r.args()}
			if name == "stop pushes" {
				args = nil
			}
			if _, err := tx.Exec(ctx, statement(name), args...); err != nil {
				return err
			}
		}
		deleted, err := tx.Exec(ctx, statement("delete runs"), r.args())
		removed = int(deleted.RowsAffected())
		return err
	})
	if isCode(err, insufficientRights) {
		return 0, fmt.Errorf("delete from: team store %s: only the owner of its schema can delete: %w", s.Place(), err)
	}
	return removed, s.explain(ctx, "delete from", err)
}

// LedgerStatus is what the team store has from one ledger.
type LedgerStatus struct {
	ID, Name, Program string
	LastPushed        time.Time
	Runs, Open        int
	// Ahead is how many runs started more than five minutes after the server received them, by its
	// clock.
	Ahead int
	// Newest is when the newest run started.
	Newest time.Time
}

// Status is what the team store has.
type Status struct {
	Place   string
	Ledgers []LedgerStatus
	// Horizon is the time before which everything was deleted, or nil.
	Horizon *time.Time
}

// Status returns what the team store has. It only reads.
func (s *Store) Status(ctx context.Context) (o Status, err error) {
	if _, err := s.Check(ctx); err != nil {
		return o, err
	}
	o.Place = s.Place()
	rows, err := s.pool.Query(ctx, statement("ledgers"))
	if err != nil {
		return o, s.explain(ctx, "read the status", err)
	}
	o.Ledgers, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (l LedgerStatus, err error) {
		return l, row.Scan(&l.ID, &l.Name, &l.Program, &l.LastPushed, &l.Runs, &l.Open, &l.Ahead, &l.Newest)
	})
	if err == nil {
		err = s.pool.QueryRow(ctx, statement("horizon")).Scan(&o.Horizon)
	}
	return o, s.explain(ctx, "read the status", err)
}
