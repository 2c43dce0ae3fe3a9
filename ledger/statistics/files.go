package statistics

import (
	"context"

	"github.com/reviewledger/reviewledger/ledger"
)

// A File is a file with the counts of its violations.
type File struct {
	Repository, Name string
	Counts           ledger.FileCounts
	Reopened, Runs   int64
}

// add adds n to the count of a bucket of [Files]. It ignores other buckets.
func (f *File) add(bucket string, n int64) {
	c := &f.Counts
	switch bucket {
	case FileViolations:
		c.Violations += n
	case FileOpen:
		c.Open += n
	case FileAbandoned:
		c.Abandoned += n
	case FileClaimed:
		c.Claimed += n
	case FileVerified:
		c.Verified += n
	case FileSkipped:
		c.Skipped += n
	case FileWithdrawn:
		c.Withdrawn += n
	case FileInFixLines:
		c.InFixLines += n
	case FileReopened:
		f.Reopened += n
	case FileRuns:
		f.Runs += n
	}
}

// Add adds n to the count of a cell of [Files].
func (f *File) Add(c Cell, n int64) { f.add(c.Bucket, n) }

// Each calls add with each count of the file that is not 0, and its bucket of [Files].
func (f *File) Each(add func(bucket string, n int64) error) error {
	c, buckets := &f.Counts, FileBuckets()
	for i, n := range []int64{c.Violations, c.Open, c.Abandoned, c.Claimed, c.Verified, c.Skipped, c.Withdrawn, c.InFixLines, f.Reopened, f.Runs} {
		if n == 0 {
			continue
		}
		if err := add(buckets[i], n); err != nil {
			return err
		}
	}
	return nil
}

// FileBuckets lists the buckets of [Files].
func FileBuckets() []string {
	return []string{FileViolations, FileOpen, FileAbandoned, FileClaimed, FileVerified, FileSkipped, FileWithdrawn, FileInFixLines, FileReopened, FileRuns}
}

// TopFiles returns the files with the most violations of all time, at most atMost of them; 0 means
// all.
func (q *Query) TopFiles(ctx context.Context, atMost int) (files []File, err error) {
	var keys []string
	err = q.Sums.Largest(ctx, Files, FileViolations, func(key string, n int64) (bool, error) {
		o, err := ParseKey(key)
		if err == nil && n > 0 && q.holds(o.label(1)) {
			keys = append(keys, key)
			files = append(files, File{Name: o.label(0), Repository: o.label(1)})
		}
		return atMost > 0 && len(files) >= atMost, err
	})
	if err != nil || len(files) == 0 {
		return nil, err
	}
	of := make(map[string]*File, len(files))
	for i, key := range keys {
		of[key] = &files[i]
	}
	return files, q.Sums.OfFiles(ctx, keys, func(bucket, key string, n int64) error {
		of[key].add(bucket, n)
		return nil
	})
}

// A Line is a fingerprint that occurs in several runs.
type Line struct {
	Repository, Fingerprint string
}

// TopLines returns the lines that occur in the most runs of all time, at most atMost of them; 0
// means all.
func (q *Query) TopLines(ctx context.Context, atMost int) (lines []Line, err error) {
	err = q.Sums.Largest(ctx, Lines, LineRuns, func(key string, n int64) (bool, error) {
		o, err := ParseKey(key)
		if err == nil && n > 1 && q.holds(o.label(1)) {
			lines = append(lines, Line{Repository: o.label(1), Fingerprint: o.label(0)})
		}
		return atMost > 0 && len(lines) >= atMost, err
	})
	return lines, err
}
