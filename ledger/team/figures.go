package team

import (
	"context"
	"fmt"

	"github.com/reviewledger/reviewledger/db/postgres"
	"github.com/reviewledger/reviewledger/ledger/lists"
	"github.com/reviewledger/reviewledger/ledger/statistics"
)

// figures implements [statistics.Sums].
type figures struct {
	*tx
	// repository is the only one whose numbers are wanted. Empty: what differs in the repository
	// only is added up by the server, for numbers of all are too many to be sent.
	repository string
}

// Cells implements [statistics.Sums].
func (f figures) Cells(ctx context.Context, m statistics.Measure, buckets []string, add func(bucket, key string, n int64) error) error {
	if buckets == nil {
		rows, err := f.AllCells(ctx, string(m))
		for _, r := range rows {
			if err := add(r.Bucket, r.Key, r.N); err != nil {
				return err
			}
		}
		return err
	}
	if !statistics.HasRepository(m) {
		rows, err := f.Queries.Cells(ctx, postgres.CellsParams{Measure: string(m), Buckets: buckets})
		for _, r := range rows {
			if err := add(r.Bucket, r.Key, r.N); err != nil {
				return err
			}
		}
		return err
	}
	if f.repository == "" {
		rows, err := f.CellsOfAll(ctx, postgres.CellsOfAllParams{Measure: string(m), Buckets: buckets})
		for _, r := range rows {
			if err := add(r.Bucket, r.Key, r.N); err != nil {
				return err
			}
		}
		return err
	}
	first := statistics.KeysOf(f.repository)
	rows, err := f.CellsBetween(ctx, postgres.CellsBetweenParams{Measure: string(m), Buckets: buckets, First: first, Last: lists.PrefixEnd(first)})
	for _, r := range rows {
		if err := add(r.Bucket, r.Key, r.N); err != nil {
			return err
		}
	}
	return err
}

// Sum implements [statistics.Sums].
func (f figures) Sum(ctx context.Context, m statistics.Measure, buckets []string, add func(key string, n int64) error) error {
	if f.repository != "" || !statistics.HasRepository(m) {
		return f.Cells(ctx, m, buckets, func(_, key string, n int64) error { return add(key, n) })
	}
	rows, err := f.SumsOfAll(ctx, postgres.SumsOfAllParams{Measure: string(m), Buckets: buckets})
	for _, r := range rows {
		if err := add(r.Key, r.N); err != nil {
			return err
		}
	}
	return err
}

// OfFiles implements [statistics.Sums].
func (f figures) OfFiles(ctx context.Context, keys []string, add func(bucket, key string, n int64) error) error {
	rows, err := f.Queries.Numbers(ctx, postgres.NumbersParams{Measure: string(statistics.Files), Buckets: statistics.FileBuckets(), Keys: keys})
	for _, r := range rows {
		if err := add(r.Bucket, r.Key, r.N); err != nil {
			return err
		}
	}
	return err
}

// largestAtOnce is how many of the largest numbers are read at a time.
const largestAtOnce = 200

// Largest implements [statistics.Sums].
func (f figures) Largest(ctx context.Context, m statistics.Measure, bucket string, add func(key string, n int64) (bool, error)) error {
	p := postgres.LargestParams{Measure: string(m), Bucket: bucket, AtMost: largestAtOnce}
	for {
		rows, err := f.Queries.Largest(ctx, p)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if enough, err := add(r.Key, r.N); err != nil || enough {
				return err
			}
			p.AfterKey, p.AfterNumber = &r.Key, r.N
		}
		if len(rows) < largestAtOnce {
			return nil
		}
	}
}

// OnDay implements [statistics.Sums].
func (f figures) OnDay(ctx context.Context, day, branch string, add func(statistics.Counts) error) error {
	rows, err := f.ContributionsOnDay(ctx, postgres.ContributionsOnDayParams{Day: day, Branch: branch})
	return eachCounts(rows, err, add)
}

// OfRuns implements [statistics.Sums].
func (f figures) OfRuns(ctx context.Context, s statistics.Scope, add func(statistics.Counts) error) (err error) {
	var rows [][]byte
	if s.Run != "" {
		rows, err = f.ContributionOfRun(ctx, postgres.ContributionOfRunParams{Run: s.Run, Branch: s.Branch})
	} else {
		rows, err = f.ContributionsOfBranch(ctx, s.Branch)
	}
	return eachCounts(rows, err, add)
}

func eachCounts(rows [][]byte, err error, add func(statistics.Counts) error) error {
	for _, row := range rows {
		if err != nil {
			return err
		}
		var counts statistics.Counts
		if counts, err = statistics.Unpack(row); err == nil {
			err = add(counts)
		}
	}
	return err
}

// reviewing are the reviewers of all runs.
func (t *tx) reviewing(ctx context.Context) (statistics.Reviewing, error) {
	q := statistics.Query{Sums: figures{tx: t}}
	return q.Reviewing(ctx)
}

// fewLines is how many lines that recur are looked up one by one. Where there are more, what a
// list of them asks for is soon found among all violations.
const fewLines = 2000

// recurringLines are the lines that recur, if they are few.
func (t *tx) recurringLines(ctx context.Context) (lines []string, few bool, err error) {
	few, lines = true, []string{}
	err = figures{tx: t}.Largest(ctx, statistics.Lines, statistics.LineRuns, func(key string, n int64) (bool, error) {
		of, err := statistics.ParseKey(key)
		if err == nil && n > 1 {
			lines = append(lines, of.Labels[0])
		}
		few = len(lines) <= fewLines
		return !few, err
	})
	if !few {
		return nil, false, err
	}
	return lines, true, err
}

// filesBetween are the files with a prefix, in order.
func (t *tx) filesBetween(ctx context.Context, prefix string, limit int) (files []string, err error) {
	key := statistics.Of{Labels: []string{prefix}}.Key()
	keys, err := t.KeysOfFiles(ctx, postgres.KeysOfFilesParams{First: key, Last: lists.PrefixEnd(key), AtMost: orNil(int64(limit))})
	for _, key := range keys {
		if err != nil {
			break
		}
		var of statistics.Of
		if of, err = statistics.ParseKey(key); err == nil {
			files = append(files, of.Labels[0])
		}
	}
	return files, err
}

// aboutRecord says which run has a record that cannot be read.
func aboutRecord(run string, err error) error {
	return fmt.Errorf("count run %q: %w; delete it with `reviewledger team forget`", run, err)
}
