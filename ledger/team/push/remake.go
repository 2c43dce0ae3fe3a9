package push

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/ledger/statistics"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// atOnce is how many runs are read at a time where all of them are.
const atOnce = 100

// eachRun reads the records of all runs, some at a time.
func eachRun(ctx context.Context, tx pgx.Tx, do func(ids []string, runs map[string]*statistics.Run) error) error {
	for after := ""; ; {
		rows, err := tx.Query(ctx, statement("all runs"), pgx.NamedArgs{"after": after, "at_most": atOnce})
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil || len(ids) == 0 {
			return err
		}
		runs := make(map[string]*statistics.Run, len(ids))
		err = eachRecord(ctx, tx, ids, func(id string, run *statistics.Run) error {
			runs[id] = run
			return nil
		})
		if err == nil {
			err = do(ids, runs)
		}
		if err != nil {
			return err
		}
		after = ids[len(ids)-1]
	}
}

// countAll begins to count all runs: it knows all lines that recur.
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

// markFlaky adds the trees on which a check both passed and failed.
func (c *counting) markFlaky() {
	for cell := range maps.Clone(c.cells) {
		if cell.Measure != statistics.Trees || cell.Bucket != statistics.CheckPassed || c.cells[cell] == 0 {
			continue
		}
		if c.cells[statistics.Cell{Measure: statistics.Trees, Bucket: statistics.CheckFailed, Key: cell.Key}] > 0 {
			c.cells[statistics.Cell{Measure: statistics.Flaky, Key: cell.Key}] = 1
		}
	}
}

// copyFigures writes all figures.
func (c *counting) copyFigures(ctx context.Context) error {
	cells, all := sortedCells(c.cells), newTexts()
	for _, cell := range cells {
		repository, key := statistics.SplitKey(cell.Key)
		all.position(repository)
		all.position(key)
	}
	slices.Sort(all.list) // figures of a bucket are written in the order of their index
	_, err := c.tx.CopyFrom(ctx, pgx.Identifier{"figure_text"}, []string{"text"}, pgx.CopyFromSlice(len(all.list), func(i int) ([]any, error) {
		return []any{all.list[i]}, nil
	}))
	if err != nil {
		return err
	}
	rows, err := c.tx.Query(ctx, statement("all texts"))
	if err != nil {
		return err
	}
	ids := map[string]int32{"": 0}
	var id int32
	var text string
	_, err = pgx.ForEachRow(rows, []any{&id, &text}, func() error {
		ids[text] = id
		return nil
	})
	if err != nil {
		return err
	}
	columns := []string{"measure", "bucket", "repository", "key", "n"}
	_, err = c.tx.CopyFrom(ctx, pgx.Identifier{"figure"}, columns, pgx.CopyFromSlice(len(cells), func(i int) ([]any, error) {
		repository, key := statistics.SplitKey(cells[i].Key)
		return []any{string(cells[i].Measure), cells[i].Bucket, ids[repository], ids[key], c.cells[cells[i]]}, nil
	}))
	return err
}

// copyLines writes all lines that recur.
func (c *counting) copyLines(ctx context.Context) error {
	lines, err := c.linesOf(slices.Sorted(maps.Keys(c.lines)))
	if err != nil {
		return err
	}
	_, err = c.tx.CopyFrom(ctx, pgx.Identifier{"recurring_line"}, []string{"fingerprint", "repository", "runs"}, pgx.CopyFromSlice(len(lines.keys), func(i int) ([]any, error) {
		return []any{lines.fingerprints[i], lines.repositories[i], c.lines[lines.keys[i]]}, nil
	}))
	return err
}

// MakeFigures makes all figures and marks again, from the records of runs. Only the owner can; who
// reads or pushes waits.
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
		err = eachRun(ctx, tx, func(ids []string, runs map[string]*statistics.Run) error {
			c.kept = c.kept[:0]
			for id, run := range runs {
				c.add(id, run)
			}
			queries := &pgx.Batch{}
			for _, mark := range marks {
				queries.Queue(statement(mark), pgx.NamedArgs{"runs": ids})
			}
			if err := queueContributions(queries, c.kept); err != nil {
				return err
			}
			return tx.SendBatch(ctx, queries).Close()
		})
		if err != nil {
			return err
		}
		c.markFlaky()
		if err := errors.Join(c.copyFigures(ctx), c.copyLines(ctx)); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, statement("analyze figures")); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, statement("figures are made"), pgx.NamedArgs{"version": team.FiguresVersion})
		return err
	})
	return s.Explain(ctx, "make the figures of", err)
}
