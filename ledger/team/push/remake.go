package push

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/ledger/statistics"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// atOnce is how many runs are read at a time when all are read.
const atOnce = 100

// addNext adds the runs that come next after the given id. It returns the id of the last of them,
// or "" if there are no more.
func (c *counting) addNext(ctx context.Context, after string) (last string, err error) {
	rows, err := c.tx.Query(ctx, statement("all runs"), pgx.NamedArgs{"after": after, "at_most": atOnce})
	if err != nil {
		return "", err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(ids) == 0 {
		return "", err
	}
	c.kept = c.kept[:0]
	if err := eachRecord(ctx, c.tx, ids, c.add); err != nil {
		return "", err
	}
	queries := &pgx.Batch{}
	for _, mark := range marks {
		queries.Queue(statement(mark), pgx.NamedArgs{"runs": ids})
	}
	if err := queueContributions(queries, c.kept); err != nil {
		return "", err
	}
	return ids[len(ids)-1], c.tx.SendBatch(ctx, queries).Close()
}

// countAll returns a counting of all runs that already has all recurring lines.
func countAll(ctx context.Context, tx pgx.Tx) (*counting, error) {
	c := newCounting(tx)
	rows, err := tx.Query(ctx, statement("recurring lines"))
	if err != nil {
		return nil, err
	}
	var fingerprint string
	var id, runs int64
	var of team.Home
	_, err = pgx.ForEachRow(rows, []any{&fingerprint, &id, &of.Kind, &of.Key, &runs}, func() error {
		c.homes[of.Own()] = id
		c.lines[statistics.LineOf(of.Own(), fingerprint).Key()] = runs
		return nil
	})
	return c, err
}

// MakeFigures computes all figures and marks again from the records of the runs. Only the owner of
// the schema can do this. Readers and pushers have to wait.
func (s *Store) MakeFigures(ctx context.Context) error {
	err := pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		for _, name := range []string{"wait for the answer", "lock store", "empty figures"} {
			if _, err := tx.Exec(ctx, statement(name)); err != nil {
				return err
			}
		}
		c, err := countAll(ctx, tx)
		if err != nil {
			return err
		}
		for last, more := "", true; more; more = last != "" {
			if last, err = c.addNext(ctx, last); err != nil {
				return err
			}
		}
		queries := &pgx.Batch{}
		c.queueFigures(queries)
		c.set = c.lines
		if err := c.queueLines(queries); err != nil {
			return err
		}
		queries.Queue(statement("analyze figures"))
		queries.Queue(statement("figures are made"), pgx.NamedArgs{"version": team.FiguresVersion})
		return tx.SendBatch(ctx, queries).Close()
	})
	return s.Explain(ctx, "make the figures of", err)
}
