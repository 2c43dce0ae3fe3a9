package team

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/ledger"
)

// Deletion is what is to be deleted for good: the run with this ID, the runs of the repository with
// this key, or the runs that started before the time. One of the fields is set.
type Deletion struct {
	Run, Repository string
	Before          *time.Time
}

func (d Deletion) args() pgx.NamedArgs {
	args := pgx.NamedArgs{"before": d.Before} // what is not set is NULL
	if d.Run != "" {
		args["run"] = d.Run
	}
	if d.Repository != "" {
		args["repository"] = d.Repository
	}
	return args
}

// Delete deletes runs and leaves a tombstone, so that no push brings them back, in one transaction. It
// returns how many runs were deleted. The ID of the run may be shortened. Before, it calls agree with
// the number of runs. Pushes wait while it deletes. Only the owner of the schema can do this.
func (s *Store) Delete(ctx context.Context, d Deletion, agree func(runs int) error) (runs int, err error) {
	defer func() { err = s.explain(ctx, "delete from", err) }()
	rows, _ := s.conn.Query(ctx, statement("selected runs"), d.args())
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	switch {
	case err != nil:
		return 0, err
	case d.Run != "" && len(found) != 1:
		return 0, &ledger.IDError{Kind: "run", ID: d.Run, Matches: found[:min(3, len(found))]}
	case d.Run != "":
		d.Run = found[0]
	case d.Repository != "" && len(found) == 0:
		return 0, fmt.Errorf("team store %s: it has no repository %q (`reviewledger runs --team --format json` shows the keys)", s.Place(), d.Repository)
	}
	if err := agree(len(found)); err != nil {
		return 0, err
	}
	err = pgx.BeginFunc(ctx, s.conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, statement("stop pushes"))
		if err == nil {
			_, err = tx.Exec(ctx, statement("bury"), d.args())
		}
		if err != nil {
			return err
		}
		deleted, err := tx.Exec(ctx, statement("delete runs"), d.args())
		runs = int(deleted.RowsAffected())
		return err
	})
	if codeOf(err) == insufficientRights {
		err = errors.New("delete from team store " + s.Place() + ": only the owner of its schema can delete")
	}
	return runs, err
}
