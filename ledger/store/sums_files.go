package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/reviewledger/reviewledger/db/sums"
	"github.com/reviewledger/reviewledger/ledger/statistics"
)

// A numbering assigns numbers to the keys of files and reviewers, so that the data of days can
// refer to them.
type numbering struct {
	numbers map[string]int64
	last    int64
}

// number returns the number of a key. isNew is set if it was assigned just now.
func (n *numbering) number(key string) (number int64, isNew bool) {
	number, known := n.numbers[key]
	if !known {
		n.last++
		number = n.last
		n.numbers[key] = number
	}
	return number, !known
}

// nameReviewers reads the numbers of the reviewers, and the last number of a file.
func (w *sumsWriter) nameReviewers(ctx context.Context) (err error) {
	w.files = numbering{numbers: map[string]int64{}}
	w.reviewers = numbering{numbers: map[string]int64{}}
	w.newReviewers = nil
	rows, err := w.sums.AllReviewers(ctx)
	if err != nil {
		return err
	}
	for _, r := range rows {
		w.reviewers.numbers[r.Key] = r.ID
		w.reviewers.last = max(w.reviewers.last, r.ID)
	}
	last, err := w.sums.LastNumbers(ctx)
	w.files.last = last.File
	return err
}

// file returns the number of a file, and assigns one if it has none.
func (w *sumsWriter) file(ctx context.Context, key string) (int64, error) {
	if number, known := w.files.numbers[key]; known {
		return number, nil
	}
	if !w.allLines { // otherwise the sums were emptied
		row, err := w.sums.FileOfKey(ctx, key)
		if err == nil {
			w.files.numbers[key] = row.ID
			return row.ID, nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return 0, err
		}
	}
	number, _ := w.files.number(key)
	return number, nil
}

// reported packs the violations of a run by the day on which they were first reported. lines has
// the numbers of the recurring lines by fingerprint.
func (w *sumsWriter) reported(ctx context.Context, r *contributor, lines map[string]int64) (map[string][]byte, error) {
	byDay := map[string][]statistics.Reported{}
	reviewers := r.Reviewers()
	for i := range r.Violations {
		v := &r.Violations[i]
		file, err := w.file(ctx, statistics.FileOf(r.Repository, v.File).Key())
		if err != nil {
			return nil, err
		}
		key := reviewers[i].Key()
		reviewer, isNew := w.reviewers.number(key)
		if isNew {
			w.newReviewers = append(w.newReviewers, sums.AddReviewerParams{ID: reviewer, Key: key})
		}
		seen := v.FirstSeen.Moment()
		day := statistics.DayBucket(seen)
		byDay[day] = append(byDay[day], statistics.Reported{
			At: statistics.At(seen), ID: r.violations[i], File: file, Line: lines[text(v.Fingerprint)], Reviewer: reviewer,
			Outcome: r.OutcomeOf(v),
		})
	}
	packed := make(map[string][]byte, len(byDay))
	for day, list := range byDay {
		packed[day] = statistics.PackReported(list)
	}
	return packed, nil
}

// writeFiles adds to the counts of files, by key.
func (w *sumsWriter) writeFiles(ctx context.Context, files map[string]*statistics.File) error {
	for _, key := range slices.Sorted(maps.Keys(files)) {
		id, err := w.file(ctx, key)
		if err != nil {
			return err
		}
		f := files[key]
		c := f.Counts
		err = w.sums.AddToFile(ctx, sums.AddToFileParams{
			ID: id, Key: key, Violations: c.Violations, Open: c.Open, Abandoned: c.Abandoned, Claimed: c.Claimed,
			Verified: c.Verified, Skipped: c.Skipped, Withdrawn: c.Withdrawn, InFixLines: c.InFixLines, Reopened: f.Reopened, Runs: f.Runs,
		})
		if err == nil && c.Violations < 0 {
			err = w.sums.DropFile(ctx, id)
		}
		if err != nil {
			return err
		}
	}
	return w.writeReviewers(ctx)
}

func (w *sumsWriter) writeReviewers(ctx context.Context) error {
	for _, r := range w.newReviewers {
		if err := w.sums.AddReviewer(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// fileOf parses the row of a file.
func fileOf(row sums.File) (f statistics.File, err error) {
	of, err := statistics.ParseKey(row.Key)
	if err == nil && len(of.Labels) < 2 {
		err = fmt.Errorf("%w: the key %q is not one of a file", statistics.ErrDamaged, row.Key)
	}
	if err != nil {
		return f, err
	}
	f.Name, f.Repository = of.Labels[0], of.Labels[1]
	f.Reopened, f.Runs = row.Reopened, row.Runs
	c := &f.Counts
	c.Violations, c.Open, c.Abandoned, c.Claimed = row.Violations, row.Open, row.Abandoned, row.Claimed
	c.Verified, c.Skipped, c.Withdrawn, c.InFixLines = row.Verified, row.Skipped, row.Withdrawn, row.InFixLines
	return f, nil
}

// eachOfFile calls add with the counts of a file, by bucket.
func eachOfFile(row sums.File, add func(bucket, key string, n int64) error) error {
	f, err := fileOf(row)
	if err != nil {
		return err
	}
	return f.Each(func(bucket string, n int64) error { return add(bucket, row.Key, n) })
}
