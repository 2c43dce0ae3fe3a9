package push

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// A Removal describes what is to be deleted for good, with the tombstone that keeps it from coming
// back.
type Removal struct {
	// Runs are the ids of the runs to delete that the team store has.
	Runs []string

	kind, key string
	before    *time.Time
	// repositories are pairs of kind and key.
	repositories [][2]string
}

// RemovalOfRun selects one run by its id or a unique prefix. A run given by its whole id need not
// exist: then it is kept from being added.
func (s *Store) RemovalOfRun(ctx context.Context, id string) (Removal, error) {
	const wholeID = 26
	id = strings.ToUpper(id)
	found, err := s.strings(ctx, "runs by prefix", pgx.NamedArgs{"prefix": id})
	switch {
	case err != nil:
		return Removal{}, err
	case len(found) > 1:
		return Removal{}, &ledger.IDError{Kind: "run", ID: id, Matches: found}
	case len(found) == 1:
		id = found[0]
	case len(id) != wholeID:
		return Removal{}, fmt.Errorf("forget: team store %s: no run matches %q", s.Place(), id)
	}
	return Removal{Runs: found, kind: "run", key: id}, nil
}

// RemovalOfRepository selects all runs of the repository with this key.
func (s *Store) RemovalOfRepository(ctx context.Context, key string) (r Removal, err error) {
	rows, err := s.Pool.Query(ctx, statement("repositories by key"), pgx.NamedArgs{"key": key})
	if err != nil {
		return r, s.Explain(ctx, "forget", err)
	}
	r.repositories, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (pair [2]string, err error) {
		return pair, row.Scan(&pair[0], &pair[1])
	})
	if err != nil {
		return r, s.Explain(ctx, "forget", err)
	}
	if len(r.repositories) == 0 {
		return r, fmt.Errorf("forget: team store %s: it has no repository %q (`reviewledger runs --team --format json` shows the keys)", s.Place(), key)
	}
	r.kind = "repository"
	r.Runs, err = s.runsOf(ctx, r)
	return r, err
}

// RemovalBefore selects all runs that started before the time.
func (s *Store) RemovalBefore(ctx context.Context, before time.Time) (Removal, error) {
	r := Removal{kind: "before", before: &before}
	var err error
	r.Runs, err = s.runsOf(ctx, r)
	return r, err
}

// runsOf returns the runs in the team store that the removal selects.
func (s *Store) runsOf(ctx context.Context, r Removal) (all []string, err error) {
	switch r.kind {
	case "run":
		return s.strings(ctx, "runs by prefix", pgx.NamedArgs{"prefix": r.key})
	case "before":
		return s.strings(ctx, "runs before", pgx.NamedArgs{"before": r.before})
	}
	for _, p := range r.repositories {
		runs, err := s.strings(ctx, "runs of repository", pgx.NamedArgs{"kind": p[0], "key": p[1]})
		if err != nil {
			return nil, err
		}
		all = append(all, runs...)
	}
	return all, nil
}

func (s *Store) strings(ctx context.Context, name string, args pgx.NamedArgs) ([]string, error) {
	rows, err := s.Pool.Query(ctx, statement(name), args)
	if err != nil {
		return nil, s.Explain(ctx, name, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return list, s.Explain(ctx, name, err)
}

// Remove deletes runs, each in a transaction of its own, and returns how many. It writes the
// tombstone first, so that a push cannot bring them back meanwhile, and so that the same call can
// continue after an error. Only the owner of the schema can do this.
func (s *Store) Remove(ctx context.Context, r Removal, progress func(done, all int)) (removed int, err error) {
	defer func() {
		if team.IsCode(err, team.InsufficientRights) {
			err = fmt.Errorf("delete from: team store %s: only the owner of its schema can delete: %w", s.Place(), err)
			return
		}
		err = s.Explain(ctx, "delete from", err)
	}()
	if err := s.bury(ctx, r); err != nil {
		return 0, err
	}
	// Runs may have been added since the user was asked. From now on none can be.
	if r.Runs, err = s.runsOf(ctx, r); err != nil {
		return 0, err
	}
	for n, run := range r.Runs {
		if err := s.deleteRun(ctx, run); err != nil {
			return n, err
		}
		if progress != nil {
			progress(n+1, len(r.Runs))
		}
	}
	tidied := &pgx.Batch{}
	tidied.Queue(statement("lock store"))
	for _, name := range []string{"tidy figures", "tidy lines", "tidy texts", "delete skips"} {
		tidied.Queue(statement(name))
	}
	for _, p := range r.repositories {
		tidied.Queue(statement("delete repositories"), pgx.NamedArgs{"kind": p[0], "key": p[1]})
	}
	return len(r.Runs), s.Pool.SendBatch(ctx, tidied).Close() // one transaction
}

// bury writes the tombstone. It waits for a push that is in progress.
func (s *Store) bury(ctx context.Context, r Removal) error {
	batch := &pgx.Batch{}
	batch.Queue(statement("lock store"))
	if r.kind != "repository" {
		batch.Queue(statement("put tombstone"), pgx.NamedArgs{"kind": r.kind, "key": r.key, "before": r.before})
	}
	for _, p := range r.repositories {
		batch.Queue(statement("put tombstone"), pgx.NamedArgs{"kind": "repository", "key": p[0] + " " + p[1], "before": nil})
	}
	return s.Pool.SendBatch(ctx, batch).Close()
}

// tablesOfRun lists the tables with rows of a run. No table comes after one that its rows refer to.
var tablesOfRun = []string{
	"contribution_day", "contribution", "met_skip", "remembered_skip", "report", "event", "violation", "slot", "gate", "verdict",
	"iteration", "transition", "record",
}

// deleteRun deletes a run with all its rows, after subtracting it from the figures.
func (s *Store) deleteRun(ctx context.Context, run string) error {
	return tried(ctx, func() error {
		return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
			batch, counting := &pgx.Batch{}, newCounting(tx)
			batch.Queue(statement("lock runs"), pgx.NamedArgs{"runs": []string{run}})
			batch.Queue(statement("lock store"))
			counting.change(run, nil)
			counting.look(batch)
			if err := tx.SendBatch(ctx, batch).Close(); err != nil {
				return err
			}
			if err := counting.settle(ctx); err != nil {
				return err
			}
			deleted := &pgx.Batch{}
			for _, table := range tablesOfRun {
				deleted.Queue(strings.Replace(statement("delete rows"), "@table", table, 1), pgx.NamedArgs{"run": run})
			}
			deleted.Queue(statement("delete run"), pgx.NamedArgs{"run": run})
			return tx.SendBatch(ctx, deleted).Close()
		})
	})
}

// LedgerStatus is what the team store has from one ledger.
type LedgerStatus struct {
	ID, Name, Program string
	LastPushed        time.Time
	Runs, Open        int
	// Ahead is how many runs have times that were more than five minutes ahead of the
	// server's clock.
	Ahead int
	// Newest is when the newest run started, or nil if there is none.
	Newest *time.Time
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
	if err := s.Check(ctx); err != nil {
		return o, err
	}
	o.Place = s.Place()
	rows, err := s.Pool.Query(ctx, statement("ledgers"))
	if err != nil {
		return o, s.Explain(ctx, "read the status", err)
	}
	o.Ledgers, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (l LedgerStatus, err error) {
		return l, row.Scan(&l.ID, &l.Name, &l.Program, &l.LastPushed, &l.Runs, &l.Open, &l.Ahead, &l.Newest)
	})
	if err != nil {
		return o, s.Explain(ctx, "read the status", err)
	}
	err = s.Pool.QueryRow(ctx, statement("horizon")).Scan(&o.Horizon)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return o, s.Explain(ctx, "read the status", err)
}
