package push

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/ledger/statistics"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// A counting updates the figures to what runs contribute now, in a transaction that holds the lock
// of the store.
type counting struct {
	tx pgx.Tx
	// ids are the runs that change. runs has what figures need to know about them now; it does not
	// have runs that are deleted.
	ids  []string
	runs map[string]*statistics.Run
	// cells has the numbers that are to be added to the figures.
	cells statistics.Cells
	// was and now have how many of the changed runs had a line before and have it now, by the key
	// of the line.
	was, now map[string]int64
	// lines has how many runs have each line, and set has the lines whose number in the figures
	// changes.
	lines, set map[string]int64
	homes      map[string]int64 // rows of repositories, by the names that [team.Home.Own] returns
	kept       []contribution
}

// contribution is what a run adds to the figures.
type contribution struct {
	run, branch string
	counts      statistics.Counts
}

func newCounting(tx pgx.Tx) *counting {
	return &counting{
		tx: tx, runs: map[string]*statistics.Run{}, was: map[string]int64{}, now: map[string]int64{},
		lines: map[string]int64{}, set: map[string]int64{}, homes: map[string]int64{},
	}
}

// change notes the new state of a run; nil means that it is deleted.
func (c *counting) change(id string, run *statistics.Run) {
	c.ids = append(c.ids, id)
	if run == nil {
		return
	}
	c.runs[id] = run
	for fingerprint := range run.Fingerprints() {
		c.now[lineOf(run, fingerprint)]++
	}
}

// look queues the queries that must come first: they read what the runs contributed before.
func (c *counting) look(queries *pgx.Batch) {
	queries.Queue(statement("repositories")).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var id int64
			var h team.Home
			if err := rows.Scan(&id, &h.Kind, &h.Key); err != nil {
				return err
			}
			c.homes[h.Own()] = id
		}
		return rows.Err()
	})
	queries.Queue(statement("contributions"), pgx.NamedArgs{"runs": c.ids}).Query(func(rows pgx.Rows) error {
		return c.takeAway(rows, c.was)
	})
}

// takeAway subtracts what runs contributed, and counts their lines in lines.
func (c *counting) takeAway(rows pgx.Rows, lines map[string]int64) error {
	for rows.Next() {
		var run, branch string
		var packed []byte
		if err := rows.Scan(&run, &branch, &packed); err != nil {
			return err
		}
		counts, err := statistics.Unpack(packed)
		if err != nil {
			return err
		}
		for _, count := range counts {
			if count.Measure == statistics.Lines {
				lines[count.Key]++
			}
		}
		counts.AddTo(&c.cells, branch, -1)
	}
	return rows.Err()
}

// settle counts the lines, and writes what has changed. [counting.look] must have been called
// before.
func (c *counting) settle(ctx context.Context) error {
	others, err := c.countLines(ctx)
	if err != nil {
		return err
	}
	if err := c.countAgain(ctx, others); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(c.runs)) {
		c.add(id, c.runs[id])
	}
	queries := &pgx.Batch{}
	if err := queueContributions(queries, c.kept); err != nil {
		return err
	}
	c.queueFigures(queries)
	if err := c.queueLines(queries); err != nil {
		return err
	}
	return c.tx.SendBatch(ctx, queries).Close()
}

// lineOf returns the key of a line of the run.
func lineOf(run *statistics.Run, fingerprint string) string {
	return team.Clean(statistics.LineOf(run.Own, fingerprint).Key())
}

// add adds what a run contributes now. Its texts are cleaned, as those in the tables are.
func (c *counting) add(id string, run *statistics.Run) {
	counts := statistics.Contribution(run, func(fingerprint string) bool { return c.lines[lineOf(run, fingerprint)] > 1 })
	for i := range counts {
		counts[i].Bucket, counts[i].Key = team.Clean(counts[i].Bucket), team.Clean(counts[i].Key)
	}
	branch := team.Clean(rows.Value(run.Head.Branch))
	counts.AddTo(&c.cells, branch, 1)
	c.kept = append(c.kept, contribution{id, branch, counts})
}

// countLines computes how many runs have the lines that the changed runs have or had. It returns
// the other runs with lines that have begun or ceased to recur.
func (c *counting) countLines(ctx context.Context) (others []string, err error) {
	keys := map[string]bool{}
	for _, lines := range []map[string]int64{c.was, c.now} {
		for key := range lines {
			keys[key] = true
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	asked, err := c.linesOf(slices.Sorted(maps.Keys(keys)))
	if err != nil {
		return nil, err
	}
	rows, err := c.tx.Query(ctx, statement("lines"), pgx.NamedArgs{
		"keys": asked.keys, "fingerprints": asked.fingerprints, "repositories": asked.repositories, "runs": c.ids,
	})
	if err != nil {
		return nil, err
	}
	var ceased []string
	var key, other string
	var before int64
	_, err = pgx.ForEachRow(rows, []any{&key, &before, &other}, func() error {
		runs := before - c.was[key] + c.now[key]
		if before < 2 { // the figures do not say which run has it
			if runs = c.now[key]; other != "" {
				runs++
			}
		}
		c.lines[key] = runs
		if runs < 2 {
			runs = 0
		}
		if runs != before {
			c.set[key] = runs
		}
		switch {
		case before < 2 && runs > 0 && other != "":
			others = append(others, other)
		case before > 1 && runs == 0:
			ceased = append(ceased, key)
		}
		return nil
	})
	if err != nil || len(ceased) == 0 {
		return c.notChanged(others), err
	}
	asked, err = c.linesOf(ceased)
	if err != nil {
		return nil, err
	}
	rows, err = c.tx.Query(ctx, statement("runs of lines"), pgx.NamedArgs{"fingerprints": asked.fingerprints, "repositories": asked.repositories})
	if err != nil {
		return nil, err
	}
	more, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return c.notChanged(append(others, more...)), err
}

// notChanged returns the runs that are not among those that change, each once.
func (c *counting) notChanged(runs []string) []string {
	slices.Sort(runs)
	return slices.DeleteFunc(slices.Compact(runs), func(id string) bool { return slices.Contains(c.ids, id) })
}

// askedLines are lines in the form of a query's parameters.
type askedLines struct {
	keys, fingerprints []string
	repositories       []int64
}

func (c *counting) linesOf(keys []string) (asked askedLines, err error) {
	for _, key := range keys {
		of, err := statistics.ParseKey(key)
		if err != nil {
			return asked, err
		}
		asked.keys, asked.fingerprints = append(asked.keys, key), append(asked.fingerprints, of.Labels[0])
		asked.repositories = append(asked.repositories, c.homes[of.Labels[1]])
	}
	return asked, nil
}

// countAgain subtracts what other runs contributed, and notes their records, so that they are added
// again.
func (c *counting) countAgain(ctx context.Context, others []string) error {
	if len(others) == 0 {
		return nil
	}
	rows, err := c.tx.Query(ctx, statement("contributions"), pgx.NamedArgs{"runs": others})
	if err != nil {
		return err
	}
	if err := c.takeAway(rows, map[string]int64{}); err != nil {
		return err
	}
	unknown := map[string]bool{}
	err = eachRecord(ctx, c.tx, others, func(id string, run *statistics.Run) {
		c.runs[id] = run
		for fingerprint := range run.Fingerprints() {
			if key := lineOf(run, fingerprint); !has(c.lines, key) {
				unknown[key] = true
			}
		}
	})
	if err != nil {
		return err
	}
	asked, err := c.linesOf(slices.Sorted(maps.Keys(unknown)))
	if err != nil {
		return err
	}
	rows, err = c.tx.Query(ctx, statement("lines"), pgx.NamedArgs{
		"keys": asked.keys, "fingerprints": asked.fingerprints, "repositories": asked.repositories, "runs": c.ids,
	})
	if err != nil {
		return err
	}
	var key, other string
	var n int64
	_, err = pgx.ForEachRow(rows, []any{&key, &n, &other}, func() error {
		c.lines[key] = n
		return nil
	})
	return err
}

func has(lines map[string]int64, key string) bool {
	_, known := lines[key]
	return known
}

// eachRecord calls do with the record of each run.
func eachRecord(ctx context.Context, tx pgx.Tx, ids []string, do func(id string, run *statistics.Run)) error {
	rows, err := tx.Query(ctx, statement("records"), pgx.NamedArgs{"runs": ids})
	if err != nil {
		return err
	}
	var id string
	var of team.Home
	var data []byte
	_, err = pgx.ForEachRow(rows, []any{&id, &of.Kind, &of.Key, &data}, func() error {
		run, jobs, err := recordOf(data)
		if err != nil {
			return aboutRecord(id, err)
		}
		do(id, contributor(run, jobs, of))
		return nil
	})
	return err
}

// queueContributions queues the statements that write contributions.
func queueContributions(queries *pgx.Batch, list []contribution) error {
	var runs, branches, days, runsOfDays []string
	var packed [][]byte
	for _, k := range list {
		data, err := k.counts.Pack()
		if err != nil {
			return err
		}
		runs, branches, packed = append(runs, k.run), append(branches, k.branch), append(packed, data)
		for _, day := range k.counts.Days() {
			days, runsOfDays = append(days, day), append(runsOfDays, k.run)
		}
	}
	queries.Queue(statement("put contributions"), pgx.NamedArgs{"runs": runs, "branches": branches, "counts": packed})
	queries.Queue(statement("put days"), pgx.NamedArgs{"days": days, "runs": runsOfDays})
	return nil
}

// queueFigures queues the statements that add the cells to the figures, and those that update which
// trees are flaky.
func (c *counting) queueFigures(queries *pgx.Batch) {
	var measures, buckets, trees []string
	var repositories, keys []int32
	var numbers []int64
	texts := newTexts()
	for cell, n := range c.cells.All() {
		repository, key := statistics.SplitKey(cell.Key)
		measures, buckets, numbers = append(measures, string(cell.Measure)), append(buckets, cell.Bucket), append(numbers, n)
		repositories, keys = append(repositories, texts.position(repository)), append(keys, texts.position(key))
		if cell.Measure == statistics.Trees {
			trees = append(trees, key)
		}
	}
	queries.Queue(statement("put texts"), pgx.NamedArgs{"texts": texts.list})
	queries.Queue(statement("add figures"), pgx.NamedArgs{
		"texts": texts.list, "measures": measures, "buckets": buckets, "repositories": repositories, "keys": keys, "numbers": numbers,
	})
	if len(trees) > 0 {
		slices.Sort(trees)
		queries.Queue(statement("set flaky trees"), pgx.NamedArgs{"keys": slices.Compact(trees)})
	}
}

// texts collects the texts of figures, each once.
type texts struct {
	list      []string
	positions map[string]int32
}

func newTexts() *texts { return &texts{positions: map[string]int32{"": 0}} }

// position returns the position of a text in the list, from 1 on. It is 0 for an empty text.
func (t *texts) position(text string) int32 {
	at, known := t.positions[text]
	if !known {
		t.list = append(t.list, text)
		at = int32(len(t.list))
		t.positions[text] = at
	}
	return at
}

// queueLines queues the statements that set how many runs have each line.
func (c *counting) queueLines(queries *pgx.Batch) error {
	if len(c.set) == 0 {
		return nil
	}
	lines, err := c.linesOf(slices.Sorted(maps.Keys(c.set)))
	if err != nil {
		return err
	}
	runs := make([]int64, len(lines.keys))
	for i, key := range lines.keys {
		runs[i] = c.set[key]
	}
	queries.Queue(statement("set lines"), pgx.NamedArgs{"fingerprints": lines.fingerprints, "repositories": lines.repositories, "numbers": runs})
	return nil
}

// aboutRecord returns the error about a run whose record cannot be read.
func aboutRecord(run string, err error) error {
	return fmt.Errorf("count run %q: %w; delete it with `reviewledger team forget`", run, err)
}
