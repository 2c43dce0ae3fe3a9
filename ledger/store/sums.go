package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/db/sums"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/statistics"
)

// SumsPath returns the path of the file of sums beside the ledger at path. The file can be deleted
// at any time.
func SumsPath(path string) string { return path + ".sums" }

// A keeper maintains the sums of one ledger. It returns them only after they have caught up with
// the ledger.
type keeper struct {
	mutex sync.Mutex
	// path is empty if the sums are kept in memory.
	path   string
	handle *sql.DB
	file   os.FileInfo
	// progress is called while many runs are added; it may be nil.
	progress func(Progress)
	// unkept is called once, with the reason, if the file cannot be written. The sums are then
	// computed in memory, so that figures are correct nevertheless. It may be nil.
	unkept func(error)
	// work is the work in progress of catching up, or nil.
	waiting sync.Mutex
	work    *catching
}

// open opens the file, and opens it again if it was replaced.
func (k *keeper) open(ctx context.Context) error {
	if k.handle != nil && k.inPlace() {
		return nil
	}
	if k.handle != nil {
		_ = k.handle.Close() // the file is no longer at the path
		k.handle = nil
	}
	var err error
	k.handle, k.file, err = db.OpenSums(ctx, k.path)
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

// forget removes a file that cannot be used; if damaged is nil, it removes whatever file is there.
func (k *keeper) forget(damaged os.FileInfo) error {
	handle := k.handle
	k.handle = nil
	return db.RemoveSums(k.path, damaged, handle)
}

// dropSums removes the sums, because they contain names that were removed from the ledger.
func (l *Store) dropSums() error {
	k := l.sums
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.path == "" {
		return nil
	}
	if err := k.forget(nil); err != nil {
		return fmt.Errorf("remove the sums %q, which name what was removed: %w", k.path, err)
	}
	return nil
}

// catching is the work of catching up with the ledger, which several queries may wait for.
type catching struct {
	cancel context.CancelFunc
	ended  chan struct{}
	handle *sql.DB
	err    error
}

// caughtUp returns sums that include everything that the ledger has now. If a caller stops waiting,
// the work goes on: otherwise, with a large ledger, a page that is reloaded too early would start
// it again each time, and it would never end.
//
// Rule: Sums are a cache.
func (l *Store) caughtUp(ctx context.Context) (*sql.DB, error) {
	for {
		work, mine := l.catching(ctx)
		select {
		case <-work.ended:
			if mine || work.err != nil {
				return work.handle, work.err
			} // otherwise it may have started before the ledger's last change
		case <-ctx.Done():
			return nil, fmt.Errorf("wait until the runs are added up in %q, which goes on: %w", l.sums.path, ctx.Err())
		}
	}
}

// catching returns the work in progress, or starts it. mine is set if it was started now.
func (l *Store) catching(ctx context.Context) (work *catching, mine bool) {
	k := l.sums
	k.waiting.Lock()
	defer k.waiting.Unlock()
	if k.work != nil {
		return k.work, false
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	work = &catching{cancel: cancel, ended: make(chan struct{})}
	k.work = work
	go func() {
		defer cancel()
		work.handle, work.err = l.catchUp(ctx)
		k.waiting.Lock()
		k.work = nil
		k.waiting.Unlock()
		close(work.ended)
	}()
	return work, true
}

// stop ends the work in progress. Its transaction is rolled back.
func (k *keeper) stop() {
	k.waiting.Lock()
	work := k.work
	k.waiting.Unlock()
	if work != nil {
		work.cancel()
		<-work.ended
	}
}

// catchUp brings the sums up to date. If they cannot be kept in the file, they are computed in
// memory.
func (l *Store) catchUp(ctx context.Context) (*sql.DB, error) {
	k := l.sums
	k.mutex.Lock()
	defer k.mutex.Unlock()
	err := k.catchUp(ctx, l)
	if (isDamaged(err) || errors.Is(err, db.ErrOtherSums)) && k.path != "" {
		if err = k.forget(k.file); err == nil {
			err = k.catchUp(ctx, l)
		}
	}
	if err == nil || ctx.Err() != nil || k.path == "" || errors.Is(err, errLedger) {
		return k.handle, err
	}
	if k.unkept != nil {
		k.unkept(fmt.Errorf("keep sums in %q: %w", k.path, db.Explain(err)))
	}
	_ = k.close()
	k.handle, k.path = nil, ""
	err = k.catchUp(ctx, l)
	return k.handle, err
}

// ofSums calls ask with sums that have caught up. If they turn out to be damaged, they are computed
// again and ask is called again.
//
// Rule: Sums are a cache.
func (l *Store) ofSums(ctx context.Context, ask func(kept *sql.DB) error) error {
	kept, err := l.caughtUp(ctx)
	if err != nil {
		return err
	}
	if err = ask(kept); !isDamaged(err) {
		return err
	}
	if err := l.sums.giveUp(kept); err != nil {
		return err
	}
	if kept, err = l.caughtUp(ctx); err != nil {
		return err
	}
	return ask(kept)
}

// isDamaged reports whether the error means that the sums or the ledger cannot be read.
func isDamaged(err error) bool { return db.IsCorrupt(err) || errors.Is(err, statistics.ErrDamaged) }

// giveUp removes the file of damaged sums, unless another query has already done so.
func (k *keeper) giveUp(damaged *sql.DB) error {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.handle != damaged || k.path == "" {
		return nil
	}
	if err := k.forget(k.file); err != nil {
		return fmt.Errorf("remove the sums %q, which are damaged: %w", k.path, err)
	}
	return nil
}

// fewLines is the largest number of recurring lines that are looked up one by one. If there are
// more, most violations recur, and each violation of a list is looked up instead.
const fewLines = 2000

// readListed is like [Store.read], for a list. If the filter asks for recurring violations, their
// lines are read from the sums first.
func (l *Store) readListed(ctx context.Context, doing string, f ledger.ViolationFilter, do func(*tx) error) error {
	var lines []string
	if f.Recurring {
		var recurring []statistics.Line
		if err := l.ofSums(ctx, func(kept *sql.DB) (err error) {
			q := statistics.Query{Sums: sumsReader{kept, anyWord}, Filter: ledger.StatisticsFilter{Repository: f.Repository}}
			recurring, err = q.TopLines(ctx, fewLines+1)
			return err
		}); err != nil {
			return err
		}
		for _, line := range recurring {
			lines = append(lines, line.Fingerprint)
		}
	}
	return l.read(ctx, doing, func(t *tx) error {
		if t.manyLines = len(lines) > fewLines; !t.manyLines {
			t.lines = lines
		}
		return do(t)
	})
}

// errLedger means that the ledger could not be read, so that the sums are not at fault.
var errLedger = errors.New("the ledger cannot be read")

// catchUp brings the sums up to date.
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
		// Another process has caught up with a later state than this one has read.
		if !errors.Is(sumsErr, errAhead) || try > 0 {
			return sumsErr
		}
	}
}

// errAhead means that the sums have later changes than the ledger.
var errAhead = errors.New("the sums are ahead of the ledger")

// update adds what the sums are missing. If they are ahead of the ledger even after it was read
// again, they belong to another state of it.
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
	if state.Ledger == id && state.Changed == last {
		return nil
	}
	transaction, err := k.handle.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = transaction.Rollback() }()
	w := &sumsWriter{tx: t, sums: sums.New(transaction), exec: transaction, progress: k.progress}
	if state, err = k.state(ctx, w.sums); err != nil { // another process may have written since
		return err
	}
	fits := state.Ledger == id
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
	if err := w.sums.SetState(ctx, sums.SetStateParams{Ledger: id, Changed: last}); err != nil {
		return err
	}
	if err := transaction.Commit(); err != nil || fits {
		return err
	}
	// The write-ahead log is as large as the file itself. It stays for now if somebody is still
	// reading.
	_, err = k.handle.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

func (k *keeper) state(ctx context.Context, q *sums.Queries) (sums.StateRow, error) {
	state, err := q.State(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return sums.StateRow{}, nil
	}
	return state, err
}

// SumsState describes the file of sums of a ledger.
type SumsState struct {
	// Path is the path of the file, and There reports whether it exists.
	Path  string
	There bool
	// Usable is set if the sums belong to this ledger and this version of the program. If they do
	// not, they are computed again.
	Usable bool
	// Behind is how many changes of runs the sums do not include yet.
	Behind int64
	// Wrong are the measures whose sums are wrong, if they were compared.
	Wrong []string
}

// SumsState examines the file of sums. With compare, usable sums are compared with sums that are
// computed again in memory. Only then, if they are behind, are they brought up to date before;
// otherwise the file does not change.
func (l *Store) SumsState(ctx context.Context, compare bool) (s SumsState, err error) {
	s.Path = l.sums.path
	if _, err := os.Stat(s.Path); s.Path == "" || errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	s.There = true
	handle, _, err := db.OpenSums(ctx, s.Path)
	if db.IsCorrupt(err) || errors.Is(err, db.ErrOtherSums) {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("open sums %q: %w", s.Path, err)
	}
	defer func() { _ = handle.Close() }()
	kept := &keeper{path: s.Path, handle: handle}
	err = l.read(ctx, "look at sums", func(t *tx) error {
		change, err := t.LastChange(ctx)
		if err != nil {
			return err
		}
		state, err := kept.state(ctx, sums.New(handle))
		if err != nil {
			return err
		}
		s.Usable = state.Ledger == change.DatabaseID && state.Changed <= change.Number
		s.Behind = max(change.Number-state.Changed, 0)
		return nil
	})
	if err != nil || !s.Usable || !compare {
		return s, err
	}
	if s.Behind > 0 { // a missing change is not an error
		if _, err := l.caughtUp(ctx); err != nil {
			return s, err
		}
	}
	s.Wrong, err = l.wrongSums(ctx, handle)
	if isDamaged(err) && !errors.Is(err, errLedger) {
		s.Usable, err = false, nil
	}
	return s, err
}

// wrongSums returns the measures whose sums differ when they are computed again.
func (l *Store) wrongSums(ctx context.Context, kept *sql.DB) (wrong []string, err error) {
	anew := &Store{path: l.path, handle: l.handle, now: l.now, entropy: l.entropy, asks: l.asks, sums: &keeper{}}
	made, err := anew.caughtUp(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		anew.sums.stop()
		err = errors.Join(err, anew.sums.close())
	}()
	for _, m := range statistics.Measures() {
		cells := map[statistics.Cell]int64{}
		add := func(sign int64) func(string, string, int64) error {
			return func(bucket, key string, n int64) error {
				cells[statistics.Cell{Measure: m, Bucket: bucket, Key: key}] += sign * n
				return nil
			}
		}
		each := func(handle *sql.DB, sign int64) error {
			if m != statistics.Lines {
				return sumsReader{handle, anyWord}.Cells(ctx, m, nil, add(sign))
			}
			return sumsReader{handle, anyWord}.Largest(ctx, m, statistics.LineRuns, func(key string, n int64) (bool, error) {
				return false, add(sign)(statistics.LineRuns, key, n)
			})
		}
		if err := errors.Join(each(kept, 1), each(made, -1)); err != nil {
			return nil, err
		}
		for _, n := range cells {
			if n != 0 {
				wrong = append(wrong, string(m))
				break
			}
		}
	}
	return wrong, nil
}

// sumsReader implements [statistics.Sums].
type sumsReader struct {
	db *sql.DB
	// runs are the runs that a filter selects, as a JSON array, or [anyWord] for all of them.
	runs string
}

// Cells implements [statistics.Sums].
func (r sumsReader) Cells(ctx context.Context, m statistics.Measure, buckets []string, add func(bucket, key string, n int64) error) error {
	q := sums.New(r.db)
	if m == statistics.Files {
		return eachFile(ctx, q, add)
	}
	if buckets == nil {
		rows, err := q.AllCells(ctx, string(m))
		for _, row := range rows {
			if err := add(row.Bucket, row.Key, row.N); err != nil {
				return err
			}
		}
		return err
	}
	rows, err := q.Cells(ctx, sums.CellsParams{Measure: string(m), Buckets: orAny(buckets)})
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

func eachFile(ctx context.Context, q *sums.Queries, add func(bucket, key string, n int64) error) error {
	rows, err := q.AllFiles(ctx)
	for _, row := range rows {
		if err := eachOfFile(row, add); err != nil {
			return err
		}
	}
	return err
}

// OfFiles implements [statistics.Sums].
func (r sumsReader) OfFiles(ctx context.Context, keys []string, add func(bucket, key string, n int64) error) error {
	for _, key := range keys {
		row, err := sums.New(r.db).FileOfKey(ctx, key)
		if err == nil {
			err = eachOfFile(row, add)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// largestAtOnce is how many of the largest numbers are read at a time.
const largestAtOnce = 1000

// Largest implements [statistics.Sums].
func (r sumsReader) Largest(ctx context.Context, m statistics.Measure, bucket string, add func(key string, n int64) (bool, error)) error {
	q := sums.New(r.db)
	for at := int64(0); ; at += largestAtOnce {
		var keys []string
		var numbers []int64
		if m == statistics.Lines {
			rows, err := q.LargestLines(ctx, sums.LargestLinesParams{Offset: at, Limit: largestAtOnce})
			if err != nil {
				return err
			}
			for _, row := range rows {
				keys, numbers = append(keys, row.Key), append(numbers, row.Runs)
			}
		} else {
			rows, err := q.LargestFiles(ctx, sums.LargestFilesParams{Offset: at, Limit: largestAtOnce})
			if err != nil {
				return err
			}
			for _, row := range rows {
				keys, numbers = append(keys, row.Key), append(numbers, row.Violations)
			}
		}
		for i, key := range keys {
			if enough, err := add(key, numbers[i]); err != nil || enough {
				return err
			}
		}
		if len(keys) < largestAtOnce {
			return nil
		}
	}
}

// OnDay implements [statistics.Sums].
func (r sumsReader) OnDay(ctx context.Context, day, branch string, add func(statistics.Text) error) error {
	rows, err := sums.New(r.db).ContributionsOnDay(ctx, sums.ContributionsOnDayParams{Day: day, Branch: branch})
	return statistics.UnpackEach(rows, err, add)
}

// OfRuns implements [statistics.Sums]. The filter has already selected the runs, also by worktree.
func (r sumsReader) OfRuns(ctx context.Context, _, _ string, add func(statistics.Text) error) error {
	q, runs := sums.New(r.db), r.runs
	if runs == anyWord {
		all, err := q.ContributedRuns(ctx)
		if err != nil {
			return err
		}
		runs = asJSON(all)
	}
	rows, err := q.ContributionsOfRuns(ctx, runs)
	return statistics.UnpackEach(rows, err, add)
}
