package store

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// ErrConflict means that a row was not in the expected state.
var ErrConflict = errors.New("the ledger was changed meanwhile: run the command again")

// Options are the dependencies and callbacks of a [Store].
type Options struct {
	// Now is the clock; nil means time.Now. It is read once per transaction.
	Now func() time.Time
	// Entropy is the source of randomness for ids; nil means crypto/rand.
	Entropy io.Reader
	// Upgrading is called with the progress while a ledger is upgraded from an older schema, which
	// takes up to a minute for a million violations. The first call is before anything is done, the
	// last one when everything is done. It may be nil.
	Upgrading func(Progress)
	// Counting is called with the progress while figures are computed, which takes up to 20 seconds
	// for a million violations. It may be nil.
	Counting func(Progress)
	// Here returns the folder of the worktree that questions come from, or "". It may be nil.
	Here func(context.Context) string
}

// Progress is how far an upgrade has come.
type Progress = db.Progress

// A Store keeps the rows of a ledger. It is safe for concurrent use.
type Store struct {
	path string
	// file is the file that was opened, or nil if there is none.
	file    os.FileInfo
	handle  *sql.DB
	now     func() time.Time
	entropy io.Reader
	// asks is set if the ledger was opened only for queries.
	asks bool
	// memory is set if the database exists only in memory.
	memory bool
	// absent is set if the Store stands for a ledger that does not exist yet.
	absent bool
	here   func(context.Context) string
	// counting is [Options.Counting].
	counting func(Progress)
}

// Open opens the ledger in the SQLite file at path. It creates the ledger if there is none, and
// upgrades one that has an older schema. It refuses a ledger that a newer program wrote, and leaves
// a file that is not a ledger untouched.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	handle, err := db.Open(ctx, path, o.Upgrading)
	if err != nil {
		return nil, notOpened(path, err)
	}
	l := newLedger(path, handle, o)
	if l.file, err = os.Stat(path); err != nil {
		_ = handle.Close()
		return nil, &OpenError{path, err}
	}
	replica, err := l.Replica(ctx)
	if err == nil && replica != nil {
		err = fmt.Errorf("open ledger %q: %w", path, ErrReplica)
	}
	if err != nil {
		return nil, errors.Join(err, handle.Close())
	}
	return l, nil
}

func newLedger(path string, handle *sql.DB, o Options) *Store {
	l := &Store{path: path, handle: handle, now: o.Now, entropy: o.Entropy, here: o.Here, counting: o.Counting}
	if l.now == nil {
		l.now = time.Now
	}
	if l.entropy == nil {
		l.entropy = rand.Reader
	}
	return l
}

// OpenError means that the file of a ledger could not be opened or created. Another path or other
// permissions may help.
type OpenError struct {
	Path string
	Err  error
}

func notOpened(path string, err error) error {
	for _, known := range []error{ErrMissing, ErrUnusable, ErrNewer, db.ErrFull, db.ErrDamaged} { // not a matter of permissions
		if errors.Is(err, known) {
			return fmt.Errorf("open ledger %q: %w", path, err)
		}
	}
	return &OpenError{path, err}
}

func (e *OpenError) Error() string { return fmt.Sprintf("open ledger %q: %v", e.Path, e.Err) }

// Unwrap returns the cause.
func (e *OpenError) Unwrap() error { return e.Err }

// Close closes the ledger.
func (l *Store) Close() error {
	if err := l.handle.Close(); err != nil {
		return fmt.Errorf("close ledger %q: %w", l.path, err)
	}
	return nil
}

// Schema returns the version of the ledger's schema, or 0 if the ledger does not exist yet.
func (l *Store) Schema() int {
	if l.absent {
		return 0
	}
	return db.Latest
}

// Here returns the folder of the worktree that questions come from, or "".
func (l *Store) Here(ctx context.Context) string {
	if l.here == nil {
		return ""
	}
	return l.here(ctx)
}

// Path returns the file that the ledger was opened from.
func (l *Store) Path() string { return l.path }

// tx is one transaction. All its rows have the same time.
type tx struct {
	*db.Queries
	at      db.Time
	entropy io.Reader
	touched map[int64]bool // the runs that it changes
	// reported is the first report of the transaction that [tx.showReports] has not handled yet, or
	// 0.
	reported int64
	// answered is set if the transaction added reports or events.
	answered bool
	// texts is how many long texts it added.
	texts int
}

// write calls do in one transaction that holds the write lock from its start. A write that has
// started is finished even if the context is canceled, so that no report is lost.
func (l *Store) write(ctx context.Context, doing string, do func(*tx) error) error {
	err := l.transact(context.WithoutCancel(ctx), doing, nil, do)
	if err == nil && !l.inPlace() {
		return fmt.Errorf("%s: ledger %q was removed, or replaced by another file, while this command ran, and what it recorded is lost: run the command again, with nothing that touches the ledger beside it", doing, l.path)
	}
	return err
}

// inPlace reports whether the open file is still the one at the path: SQLite would go on writing to
// a file that was deleted or replaced.
//
// Rule: A database that cannot be used is left as it is.
func (l *Store) inPlace() bool {
	if l.file == nil {
		return true
	}
	info, err := os.Stat(l.path)
	return err == nil && os.SameFile(l.file, info)
}

// read calls do in one transaction that sees one state of the ledger. If the ledger was opened only
// for queries, the transaction ends with its context, even within a query. While a run is recorded,
// reads are short and are not interrupted, so that an interrupted run can still report what it has.
func (l *Store) read(ctx context.Context, doing string, do func(*tx) error) error {
	o := &sql.TxOptions{ReadOnly: true}
	if !l.asks {
		return l.transact(context.WithoutCancel(ctx), doing, o, do)
	}
	err := l.transact(ctx, doing, o, do)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%s: ledger %q: %w", doing, l.path, ctx.Err()) // SQLite says only "interrupted"
	}
	return err
}

// answer returns what do returns in a [Store.read].
func answer[T any](ctx context.Context, l *Store, doing string, do func(*tx) (T, error)) (found T, err error) {
	err = l.read(ctx, doing, func(t *tx) error {
		found, err = do(t)
		return err
	})
	return found, err
}

// ofRun is like [answer], for the run with this ULID. The error is [ledger.ErrNotFound] if there is
// none.
func ofRun[T any](ctx context.Context, l *Store, doing, run string, do func(*tx, runRow) (T, error)) (T, error) {
	return answer(ctx, l, doing, func(t *tx) (found T, err error) {
		row, err := t.runByULID(ctx, run)
		if err == nil {
			found, err = do(t, row)
		}
		return found, err
	})
}

// ofSlot is like [ofRun], for a slot of the run.
func ofSlot[T any](ctx context.Context, l *Store, doing, run string, ref ledger.SlotRef, do func(*tx, runRow, slot) (T, error)) (T, error) {
	return ofRun(ctx, l, doing, run, func(t *tx, row runRow) (found T, err error) {
		slot, err := t.slotRow(ctx, row.Row, ref)
		if err == nil {
			found, err = do(t, row, slot)
		}
		return found, err
	})
}

// writeRun is like [Store.write], for the run with this ULID, whose revision it increases.
func (l *Store) writeRun(ctx context.Context, doing, run string, do func(*tx, runRow) error) error {
	return l.write(ctx, doing, func(t *tx) error {
		row, err := t.runByULID(ctx, run)
		if err != nil {
			return err
		}
		t.touch(row.Row)
		return do(t, row)
	})
}

// reading yields values within one transaction for reading, which sees one state of the ledger and
// does not block writers. An error is yielded last.
func reading[T any](ctx context.Context, l *Store, doing string, values func(*tx) iter.Seq2[T, error]) iter.Seq2[T, error] {
	return lists.Within(func(each func(iter.Seq2[T, error]) error) error {
		return l.read(ctx, doing, func(t *tx) error { return each(values(t)) })
	})
}

// transact calls do in one transaction. Its queries end early if the context is canceled.
func (l *Store) transact(ctx context.Context, doing string, o *sql.TxOptions, do func(*tx) error) error {
	transaction, err := l.handle.BeginTx(ctx, o)
	if err != nil {
		return fmt.Errorf("%s: ledger %q: %w", doing, l.path, err)
	}
	defer func() { _ = transaction.Rollback() }()
	queries := db.DBTX(transaction)
	if ctx.Done() == nil {
		queries = uncanceled{transaction}
	}
	at := db.Time(l.now().UTC().Truncate(time.Millisecond))
	t := &tx{
		Queries: db.New(queries), at: at, entropy: l.entropy,
		touched: map[int64]bool{},
	}
	if err := do(t); err != nil {
		if id := (*ledger.IDError)(nil); errors.As(err, &id) {
			return id // it already says everything
		}
		return fmt.Errorf("%s: ledger %q: %w", doing, l.path, db.Explain(notFound(err)))
	}
	if err := t.settle(ctx); err != nil {
		return fmt.Errorf("%s: ledger %q: %w", doing, l.path, db.Explain(err))
	}
	if err := transaction.Commit(); err != nil {
		return fmt.Errorf("%s: ledger %q: %w", doing, l.path, db.Explain(err))
	}
	return nil
}

// uncanceled runs the queries of a transaction to their end, even if the context of the caller is
// canceled.
type uncanceled struct{ tx *sql.Tx }

// ExecContext implements [db.DBTX].
func (u uncanceled) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return u.tx.ExecContext(context.WithoutCancel(ctx), query, args...)
}

// PrepareContext implements [db.DBTX].
func (u uncanceled) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return u.tx.PrepareContext(context.WithoutCancel(ctx), query)
}

// QueryContext implements [db.DBTX].
func (u uncanceled) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return u.tx.QueryContext(context.WithoutCancel(ctx), query, args...)
}

// QueryRowContext implements [db.DBTX].
func (u uncanceled) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return u.tx.QueryRowContext(context.WithoutCancel(ctx), query, args...)
}

func notFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ledger.ErrNotFound
	}
	return err
}

func (t *tx) time() time.Time { return time.Time(t.at) }

func (t *tx) newULID() (string, error) {
	id, err := ulid.New(ulid.Timestamp(t.time()), t.entropy)
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return id.String(), nil
}

// shortIDLength is large enough that short ids hardly ever collide in a large ledger; if they do,
// another ULID is drawn.
const shortIDLength = 8

// shortIDOf returns the short id of a ULID: its last characters, which are random.
func shortIDOf(id string) string { return strings.ToLower(id[len(id)-shortIDLength:]) }

// compressor is shared, because setting one up takes a megabyte and more time than compressing most
// texts. Whoever uses it must hold compressing.
var (
	compressing sync.Mutex
	compressor  = sync.OnceValue(func() *flate.Writer {
		w, err := flate.NewWriter(io.Discard, flate.BestSpeed)
		if err != nil { // the level is invalid
			panic(err)
		}
		return w
	})
)

// putBlob stores a long text once, compressed, and returns its row.
func (t *tx) putBlob(ctx context.Context, data []byte) (int64, error) {
	sum := sha256.Sum256(data)
	if len(data) > manyBytes { // looking it up is faster than compressing it in vain
		if id, err := t.BlobID(ctx, sum[:]); err == nil || !errors.Is(err, sql.ErrNoRows) {
			return id, err
		}
	}
	text, err := pack(bytes.NewReader(data))
	if err != nil {
		return 0, err
	}
	return t.putPacked(ctx, text)
}

// packedText is a long text as a blob stores it.
type packedText struct {
	sum  [sha256.Size]byte
	size int64
	data []byte
}

func pack(from io.Reader) (text packedText, err error) {
	var packed bytes.Buffer
	compressing.Lock()
	defer compressing.Unlock()
	w, sum := compressor(), sha256.New()
	w.Reset(&packed)
	if text.size, err = io.Copy(io.MultiWriter(sum, w), from); err != nil {
		return text, err
	}
	if err := w.Close(); err != nil {
		return text, err
	}
	sum.Sum(text.sum[:0])
	text.data = packed.Bytes()
	return text, nil
}

func (t *tx) putPacked(ctx context.Context, text packedText) (int64, error) {
	added, err := t.InsertBlob(ctx, db.InsertBlobParams{Sha256: text.sum[:], Size: text.size, Data: text.data})
	if err != nil {
		return 0, err
	}
	if n, err := added.RowsAffected(); err != nil || n == 1 {
		t.texts++
		return newRow(added, err)
	}
	return t.BlobID(ctx, text.sum[:])
}

// manyBytes is the length above which compressing a text takes longer than looking it up.
const manyBytes = 2000

func newRow(added sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return added.LastInsertId()
}

func unpack(data []byte, size int64) (string, error) {
	var out strings.Builder
	n, err := io.Copy(&out, io.LimitReader(flate.NewReader(bytes.NewReader(data)), size+1))
	if err == nil && n != size {
		err = fmt.Errorf("has %d bytes instead of %d", n, size)
	}
	if err != nil {
		return "", fmt.Errorf("unpack blob: %w", err)
	}
	return out.String(), nil
}

// optional returns nil for "".
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// orNil returns nil for the zero time.
func orNil(at time.Time) *db.Time {
	if at.IsZero() {
		return nil
	}
	t := db.Time(at.UTC().Truncate(time.Millisecond))
	return &t
}

func number(n int) *int64 {
	if n == 0 {
		return nil
	}
	wide := int64(n)
	return &wide
}

// text returns the text, or "" for nil.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// expectOne turns an update that did not find its row into ErrConflict.
func expectOne(rows int64, err error) error {
	if err == nil && rows != 1 {
		return ErrConflict
	}
	return err
}
