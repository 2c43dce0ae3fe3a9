package store

import (
	"bytes"
	"compress/flate"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/db/sums"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/statistics"
)

// SumsPath is the file of sums beside the ledger at path. It can be deleted at any time.
func SumsPath(path string) string { return path + ".sums" }

// keeper keeps the sums of one ledger. Figures are asked of it only after it has caught up.
type keeper struct {
	mutex sync.Mutex
	// path is empty where the sums are in memory.
	path   string
	handle *sql.DB
	file   os.FileInfo
	// progress is called while many runs are added up; it may be nil.
	progress func(Progress)
	// unkept is called once, with the reason, where the file cannot be written: the sums
	// are then made in memory, and figures are right all the same. It may be nil.
	unkept func(error)
}

// errDamagedSums means that the sums must be made anew.
var errDamagedSums = errors.New("the sums are damaged")

// open opens the file, again if it is not the one that others find.
func (k *keeper) open(ctx context.Context) error {
	if k.handle != nil && k.inPlace() {
		return nil
	}
	if k.handle != nil {
		_ = k.handle.Close() // nobody finds what it has
		k.handle = nil
	}
	handle, err := db.OpenSums(ctx, k.path)
	if err != nil {
		return err
	}
	k.handle = handle
	if k.path != "" {
		k.file, err = os.Stat(k.path)
	}
	return err
}

func (k *keeper) inPlace() bool {
	if k.path == "" {
		return true
	}
	info, err := os.Stat(k.path)
	return err == nil && os.SameFile(k.file, info)
}

func (k *keeper) close() error {
	if k.handle == nil {
		return nil
	}
	return k.handle.Close()
}

// forget removes a file that cannot be used.
func (k *keeper) forget() error {
	if err := k.close(); err != nil {
		return err
	}
	k.handle = nil
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(k.path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// caughtUp has the sums of what the ledger has now, at least. Sums that cannot be kept in
// the file are made in memory.
//
// Rule: Sums are a cache.
func (l *Store) caughtUp(ctx context.Context) (*keeper, error) {
	k := l.sums
	k.mutex.Lock()
	defer k.mutex.Unlock()
	err := k.catchUp(ctx, l)
	if (db.IsCorrupt(err) || errors.Is(err, errDamagedSums)) && k.path != "" {
		if err = k.forget(); err == nil {
			err = k.catchUp(ctx, l)
		}
	}
	if err == nil || ctx.Err() != nil || k.path == "" || errors.Is(err, errLedger) {
		return k, err
	}
	if k.unkept != nil {
		k.unkept(fmt.Errorf("keep sums in %q: %w", k.path, err))
	}
	_ = k.close()
	k.handle, k.path = nil, ""
	return k, k.catchUp(ctx, l)
}

// readListed is [Store.read] for a list, which may be one of violations that recur: which these
// are is said by the sums.
func (l *Store) readListed(ctx context.Context, doing string, f ledger.ViolationFilter, do func(*tx) error) error {
	var lines []string
	if f.Recurring {
		k, err := l.caughtUp(ctx)
		if err != nil {
			return err
		}
		q := statistics.Query{Sums: sumsReader{k.handle}, Filter: ledger.StatisticsFilter{Repository: f.Repository}}
		recurring, err := q.TopLines(ctx, 0)
		if err != nil {
			return err
		}
		for _, line := range recurring {
			lines = append(lines, line.Fingerprint)
		}
	}
	return l.read(ctx, doing, func(t *tx) error {
		t.lines = lines
		return do(t)
	})
}

// errLedger means that the ledger could not be read: nothing is wrong with the sums.
var errLedger = errors.New("the ledger cannot be read")

// catchUp brings the sums to the state that the ledger has now.
func (k *keeper) catchUp(ctx context.Context, l *Store) error {
	if err := k.open(ctx); err != nil {
		return err
	}
	for try := 0; ; try++ {
		var sumsErr error
		err := l.read(ctx, "add up runs", func(t *tx) error {
			sumsErr = k.update(ctx, t, try > 0)
			return nil
		})
		if err != nil {
			return fmt.Errorf("%w: %w", errLedger, err)
		}
		// Another process has caught up with a state that this one had not read yet.
		if !errors.Is(sumsErr, errAhead) || try > 0 {
			return sumsErr
		}
	}
}

// errAhead means that the sums have later changes than the ledger.
var errAhead = errors.New("the sums are ahead of the ledger")

// update adds what the sums lack. Sums that are ahead of the ledger belong to another state of
// it, once the ledger was read anew.
func (k *keeper) update(ctx context.Context, t *tx, again bool) error {
	change, err := t.LastChange(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", errLedger, err)
	}
	last, id := change.Number, change.DatabaseID
	state, err := k.state(ctx, sums.New(k.handle))
	if err != nil {
		return err
	}
	if state.Version == db.SumsVersion && state.Ledger == id && state.Changed == last {
		return nil
	}
	transaction, err := k.handle.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = transaction.Rollback() }()
	w := &sumsWriter{tx: t, sums: sums.New(transaction), exec: transaction, progress: k.progress}
	if state, err = k.state(ctx, w.sums); err != nil { // others may have written meanwhile
		return err
	}
	fits := state.Version == db.SumsVersion && state.Ledger == id
	if fits && state.Changed > last && !again {
		return errAhead
	}
	if fits {
		fits, err = w.continues(ctx, state.Changed, last)
		if err != nil {
			return err
		}
	}
	if fits {
		err = w.addChanges(ctx, state.Changed)
	} else {
		err = w.makeAnew(ctx)
	}
	if err != nil {
		return err
	}
	if err := w.sums.SetState(ctx, sums.SetStateParams{Version: db.SumsVersion, Ledger: id, Changed: last}); err != nil {
		return err
	}
	return transaction.Commit()
}

func (k *keeper) state(ctx context.Context, q *sums.Queries) (sums.StateRow, error) {
	state, err := q.State(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return sums.StateRow{}, nil
	}
	return state, err
}

// pack and unpackCounts keep the counts of a run in a small space.
func pack(c statistics.Counts) ([]byte, error) {
	var packed bytes.Buffer
	w := compressors.Get().(*flate.Writer)
	defer compressors.Put(w)
	w.Reset(&packed)
	if _, err := io.WriteString(w, c.Text()); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

func unpackCounts(data []byte) (statistics.Counts, error) {
	var text strings.Builder
	if _, err := io.Copy(&text, flate.NewReader(bytes.NewReader(data))); err != nil {
		return nil, fmt.Errorf("%w: %w", errDamagedSums, err)
	}
	counts, err := statistics.ParseCounts(text.String())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamagedSums, err)
	}
	return counts, nil
}

// sumsReader implements [statistics.Sums].
type sumsReader struct{ db *sql.DB }

// Cells implements [statistics.Sums].
func (r sumsReader) Cells(ctx context.Context, m statistics.Measure, buckets []string, add func(bucket, key string, n int64) error) error {
	q := sums.New(r.db)
	if buckets == nil {
		rows, err := q.AllCells(ctx, string(m))
		for _, row := range rows {
			if err := add(row.Bucket, row.Key, row.N); err != nil {
				return err
			}
		}
		return err
	}
	if len(buckets) == 0 {
		return nil
	}
	rows, err := q.Cells(ctx, sums.CellsParams{Measure: string(m), Buckets: jsonList(buckets)})
	for _, row := range rows {
		if err := add(row.Bucket, row.Key, row.N); err != nil {
			return err
		}
	}
	return err
}

// Sum implements [statistics.Sums].
func (r sumsReader) Sum(ctx context.Context, m statistics.Measure, buckets []string, add func(key string, n int64) error) error {
	return r.Cells(ctx, m, buckets, func(_, key string, n int64) error { return add(key, n) })
}

// Numbers implements [statistics.Sums].
func (r sumsReader) Numbers(ctx context.Context, m statistics.Measure, buckets, keys []string, add func(bucket, key string, n int64) error) error {
	for _, key := range keys {
		rows, err := sums.New(r.db).Numbers(ctx, sums.NumbersParams{Measure: string(m), Buckets: jsonList(buckets), Key: key})
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := add(row.Bucket, key, row.N); err != nil {
				return err
			}
		}
	}
	return nil
}

// largestAtOnce is how many of the largest numbers are read at a time.
const largestAtOnce = 200

// Largest implements [statistics.Sums].
func (r sumsReader) Largest(ctx context.Context, m statistics.Measure, bucket string, add func(key string, n int64) (bool, error)) error {
	for at := int64(0); ; at += largestAtOnce {
		rows, err := sums.New(r.db).Largest(ctx, sums.LargestParams{Measure: string(m), Bucket: bucket, Offset: at, Limit: largestAtOnce})
		if err != nil {
			return err
		}
		for _, row := range rows {
			if enough, err := add(row.Key, row.N); err != nil || enough {
				return err
			}
		}
		if len(rows) < largestAtOnce {
			return nil
		}
	}
}

// OnDays implements [statistics.Sums].
func (r sumsReader) OnDays(ctx context.Context, days []string, add func(statistics.Counts) error) error {
	rows, err := sums.New(r.db).ContributionsOnDays(ctx, jsonList(days))
	return eachCounts(rows, err, add)
}

// OfRuns implements [statistics.Sums].
func (r sumsReader) OfRuns(ctx context.Context, s statistics.Scope, add func(statistics.Counts) error) (err error) {
	var rows [][]byte
	q := sums.New(r.db)
	switch {
	case s.Run != "":
		rows, err = q.ContributionsOfRun(ctx, sums.ContributionsOfRunParams(s))
	case s.Branch != "":
		rows, err = q.ContributionsOfBranch(ctx, sums.ContributionsOfBranchParams{Branch: s.Branch, Worktree: s.Worktree})
	default:
		rows, err = q.ContributionsOfWorktree(ctx, s.Worktree)
	}
	return eachCounts(rows, err, add)
}

func eachCounts(rows [][]byte, err error, add func(statistics.Counts) error) error {
	for _, row := range rows {
		if err != nil {
			return err
		}
		var counts statistics.Counts
		if counts, err = unpackCounts(row); err == nil {
			err = add(counts)
		}
	}
	return err
}

// daysOf are the days on which counts are.
func daysOf(counts statistics.Counts) (days []string) {
	seen := map[int64]bool{}
	for _, count := range counts {
		day := count.At / (24 * 60 * 60 * 1000)
		if count.At != 0 && !seen[day] {
			seen[day] = true
			days = append(days, time.UnixMilli(count.At).UTC().Format(time.DateOnly))
		}
	}
	slices.Sort(days)
	return days
}
