package ask

import (
	"context"
	"slices"

	"github.com/reviewledger/reviewledger/db/postgres"
	"github.com/reviewledger/reviewledger/ledger/lists"
	"github.com/reviewledger/reviewledger/ledger/statistics"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// figures implements [statistics.Sums].
type figures struct {
	*tx
	// repository is the only repository whose numbers are wanted. If it is empty, the server adds
	// up numbers that differ only in the repository, because they would be too many to send.
	repository string
	// texts caches the keys that were looked up, by their ids in the tables.
	texts map[int32]string
}

func (t *tx) figures(repository string) figures {
	return figures{t, repository, map[int32]string{}}
}

// of returns the prefix of the keys: the repository, or "" if there may be several.
func (f figures) of() string {
	repository, _ := statistics.SplitKey(statistics.Of{Repository: f.repository}.Key())
	return repository
}

// Cells implements [statistics.Sums].
func (f figures) Cells(ctx context.Context, m statistics.Measure, buckets []string, add func(bucket, key string, n int64) error) error {
	return f.cells(ctx, postgres.CellsParams{Measure: string(m), Buckets: buckets}, add)
}

func (f figures) cells(ctx context.Context, p postgres.CellsParams, add func(bucket, key string, n int64) error) error {
	p.Repository = orNil(f.of())
	rows, err := f.Queries.Cells(ctx, p)
	if err != nil {
		return err
	}
	if err := f.lookUp(ctx, rows); err != nil {
		return err
	}
	for _, r := range rows {
		if err := add(r.Bucket, f.texts[r.Key], r.N); err != nil {
			return err
		}
	}
	return nil
}

// Sum implements [statistics.Sums].
func (f figures) Sum(ctx context.Context, m statistics.Measure, buckets []string, add func(key string, n int64) error) error {
	return f.cells(ctx, postgres.CellsParams{Measure: string(m), Buckets: buckets, Together: true}, func(_, key string, n int64) error {
		return add(key, n)
	})
}

// lookUp reads the texts of the keys that are not cached yet.
func (f figures) lookUp(ctx context.Context, rows []postgres.CellsRow) error {
	var unknown []int32
	for _, r := range rows {
		if _, known := f.texts[r.Key]; !known {
			f.texts[r.Key], unknown = "", append(unknown, r.Key)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown) // in the order of the index
	texts, err := f.Texts(ctx, unknown)
	of := f.of()
	for _, t := range texts {
		f.texts[t.ID] = of + t.Text
	}
	return err
}

// OfFiles implements [statistics.Sums].
func (f figures) OfFiles(ctx context.Context, keys []string, add func(bucket, key string, n int64) error) error {
	rows, err := f.Queries.Numbers(ctx, postgres.NumbersParams{Measure: string(statistics.Files), Buckets: statistics.FileBuckets(), Keys: keys})
	for _, r := range rows {
		if err := add(r.Bucket, r.Text, r.N); err != nil {
			return err
		}
	}
	return err
}

// largestAtOnce is how many of the largest numbers are read first. Each further batch is twice as
// large, because the server sorts equal numbers again for each batch.
const largestAtOnce = 200

// Largest implements [statistics.Sums].
func (f figures) Largest(ctx context.Context, m statistics.Measure, _ string, add func(key string, n int64) (bool, error)) error {
	if m == statistics.Lines {
		return f.largestLines(ctx, add)
	}
	for p := (postgres.LargestFilesParams{AtMost: largestAtOnce}); ; p.AtMost *= 2 {
		rows, err := f.LargestFiles(ctx, p)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if enough, err := add(r.Text, r.N); err != nil || enough {
				return err
			}
			p.AfterKey, p.AfterNumber = &r.Text, r.N
		}
		if int64(len(rows)) < p.AtMost {
			return nil
		}
	}
}

func (f figures) largestLines(ctx context.Context, add func(key string, n int64) (bool, error)) error {
	for p := (postgres.LargestLinesParams{AtMost: largestAtOnce}); ; p.AtMost *= 2 {
		rows, err := f.LargestLines(ctx, p)
		if err != nil {
			return err
		}
		for _, r := range rows {
			key := statistics.LineOf(team.Home{Kind: r.Kind, Key: r.Key}.Own(), r.Fingerprint).Key()
			if enough, err := add(key, r.Runs); err != nil || enough {
				return err
			}
		}
		if int64(len(rows)) < p.AtMost {
			return nil
		}
		p.After += p.AtMost
	}
}

// OnDay implements [statistics.Sums].
func (f figures) OnDay(ctx context.Context, day, branch string, add func(statistics.Text) error) error {
	rows, err := f.ContributionsOnDay(ctx, postgres.ContributionsOnDayParams{Day: day, Branch: branch})
	return statistics.UnpackEach(rows, err, add)
}

// OfRuns implements [statistics.Sums].
func (f figures) OfRuns(ctx context.Context, run, branch string, add func(statistics.Text) error) error {
	rows, err := f.ContributionsOfRuns(ctx, postgres.ContributionsOfRunsParams{Run: run, Branch: branch})
	return statistics.UnpackEach(rows, err, add)
}

// reviewing returns the reviewers of all runs.
func (t *tx) reviewing(ctx context.Context) (statistics.Reviewing, error) {
	q := statistics.Query{Sums: t.figures("")}
	return q.Reviewing(ctx)
}

// fewLines is the largest number of recurring lines that are looked up one by one. If there are
// more, enough violations on such lines are soon found among all violations.
const fewLines = 2000

// recurringLines returns the recurring lines. few is false if there are too many to look them up
// one by one.
func (t *tx) recurringLines(ctx context.Context) (lines []string, few bool, err error) {
	few, lines = true, []string{}
	err = t.figures("").Largest(ctx, statistics.Lines, statistics.LineRuns, func(key string, n int64) (bool, error) {
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

// filesBetween returns the files whose names begin with the prefix, in order.
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
