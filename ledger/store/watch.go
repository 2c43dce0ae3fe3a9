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
)

// Watched is the ledger at a path, for a reader that keeps it open for a while. The ledger need not
// exist yet; one that is deleted, replaced or upgraded is opened again. Nothing is written, except
// that an older ledger is upgraded first. Watched is safe for concurrent use.
type Watched struct {
	path    string
	options Options

	mutex   sync.Mutex
	current *viewed
	opened  int  // how often a ledger was opened
	seen    bool // whether one of these was a file
}

// ErrGone means that the watched ledger was deleted.
var ErrGone = errors.New("the file is gone since it was last read: put it back to see its runs, or start a new ledger with `reviewledger run`")

// viewed is one opened ledger.
type viewed struct {
	*Store
	file fs.FileInfo // nil if it stands for a ledger that does not exist
	// watch is the connection whose change numbers can be compared, or nil if nothing changes.
	watch *sql.Conn
	// users counts the callers that are still using the ledger. If it is old, the last one closes
	// it.
	users int
	old   bool
}

// Watch returns the ledger in the SQLite file at path for repeated reading. It is opened when it is
// first used. The options are for an upgrade.
func Watch(path string, o Options) *Watched { return &Watched{path: path, options: o} }

// Ask returns the ledger as it is now, for queries until done is called. If there is none yet, it
// is an empty one; if there is none any more, the error is [ErrGone].
func (w *Watched) Ask(ctx context.Context) (l *Store, done func(), err error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if _, err := w.refresh(ctx); err != nil {
		return nil, nil, err
	}
	v := w.current
	if w.seen && v.file == nil {
		return nil, nil, fmt.Errorf("open ledger %q: %w", w.path, ErrGone)
	}
	v.users++
	return v.Store, func() {
		w.mutex.Lock()
		defer w.mutex.Unlock()
		v.users--
		_ = v.closeUnused() // nothing was written that could be lost
	}, nil
}

// Version returns a string that is different after every change of the ledger.
func (w *Watched) Version(ctx context.Context) (string, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	number, err := w.refresh(ctx)
	return fmt.Sprintf("%d-%d", w.opened, number), err
}

// Close closes the ledger once nobody uses it any more.
func (w *Watched) Close() error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.retire()
}

// refresh opens the ledger again unless the open one is still the file at the path, and returns its
// change number.
func (w *Watched) refresh(ctx context.Context) (number int64, err error) {
	file, err := os.Stat(w.path)
	if errors.Is(err, fs.ErrNotExist) {
		file, err = nil, nil
	}
	if err != nil {
		return 0, errors.Join(fmt.Errorf("open ledger %q: %w", w.path, err), w.retire())
	}
	if v := w.current; v != nil && v.stillAt(file) {
		number, version, err := v.changes(ctx)
		if err != nil {
			return 0, fmt.Errorf("read ledger %q: %w", w.path, err)
		}
		if version == db.Latest {
			return number, nil
		}
	}
	if err := w.retire(); err != nil {
		return 0, err
	}
	if w.current, err = w.open(ctx, file); err != nil {
		return 0, err
	}
	w.opened++
	w.seen = w.seen || w.current.file != nil
	number, _, err = w.current.changes(ctx)
	return number, err
}

// changes returns [db.Changes]; a ledger that does not exist does not change.
func (v *viewed) changes(ctx context.Context) (number int64, version int, err error) {
	if v.watch == nil {
		return 0, db.Latest, nil
	}
	return db.Changes(ctx, v.watch)
}

// stillAt reports whether the open ledger is the file that was found at the path. An empty file is
// not a ledger yet.
func (v *viewed) stillAt(file fs.FileInfo) bool {
	if v.file == nil {
		return file == nil || file.Size() == 0
	}
	return file != nil && os.SameFile(v.file, file)
}

// open opens the ledger at the path.
func (w *Watched) open(ctx context.Context, file fs.FileInfo) (*viewed, error) {
	handle, err := db.OpenViewer(ctx, w.path)
	if errors.Is(err, db.ErrOlder) {
		// An upgrade is not stopped halfway because its reader went away.
		upgraded, failed := Open(context.WithoutCancel(ctx), w.path, w.options)
		if failed != nil {
			return nil, failed
		}
		if failed := upgraded.Close(); failed != nil {
			return nil, failed
		}
		handle, err = db.OpenViewer(ctx, w.path)
	}
	if errors.Is(err, db.ErrMissing) {
		return w.openEmpty(ctx)
	}
	if errors.Is(err, db.ErrForeign) && w.opened > 0 { // the first time, the command says what to do
		return nil, fmt.Errorf("open ledger %q: %w: %s", w.path, err, db.Replace)
	}
	if err != nil {
		return nil, fmt.Errorf("open ledger %q: %w", w.path, err)
	}
	watch, err := handle.Conn(ctx)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open ledger %q: %w", w.path, err), handle.Close())
	}
	return &viewed{Store: asking(w.path, handle, w.options), file: file, watch: watch}, nil
}

// openEmpty opens an empty ledger in memory. Nobody changes it, so there is nothing to watch.
func (w *Watched) openEmpty(ctx context.Context) (*viewed, error) {
	handle, err := db.OpenEmpty(ctx)
	if err != nil {
		return nil, fmt.Errorf("make an empty ledger: %w", err)
	}
	empty := asking(w.path, handle, Options{})
	empty.absent = true
	return &viewed{Store: empty}, nil
}

// asking returns a ledger that only answers queries.
func asking(path string, handle *sql.DB, o Options) *Store {
	l := newLedger(path, handle, o)
	l.asks = true
	return l
}

// retire closes the open ledger as soon as nobody uses it.
func (w *Watched) retire() error {
	v := w.current
	if v == nil {
		return nil
	}
	w.current, v.old = nil, true
	return v.closeUnused()
}

// closeUnused closes an old ledger that nobody uses any more.
func (v *viewed) closeUnused() error {
	if !v.old || v.users > 0 {
		return nil
	}
	v.old = false
	if v.watch == nil {
		return v.Close()
	}
	return errors.Join(v.watch.Close(), v.Close())
}
