package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
	"modernc.org/sqlite"
)

// ErrExists means that there is a database where one was to be made.
var ErrExists = errors.New("there is a ledger by now")

// Missing reports whether there is nothing of a database at path. A -wal without
// its database counts as one: SQLite knows what to do about it, and would take it
// for that of any file that is put beside it.
func Missing(path string) bool {
	for _, file := range []string{path, path + "-wal"} {
		if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// Make creates a database at path, where there is none. The function fill builds it in
// another place first: whether its input is valid is known only once all of it was read,
// and a refused input must leave nothing behind. A database at path could not be removed
// again, because other processes may have started to fill it. If another process has
// created one by then, it is left untouched, and the error is [ErrExists].
func Make(ctx context.Context, path string, fill func(*sql.DB) error) (err error) {
	_, _ = sqlite.OFDLocking(true) // as in Open
	path, err = filepath.Abs(path)
	if err != nil {
		return err
	}
	// The folder may have to be made, too, but not before all went well. One that
	// is there already is on the same file system.
	near := filepath.Dir(path)
	for {
		if _, err := os.Stat(near); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		near = filepath.Dir(near)
	}
	return inFolder(near, "import", func(folder string) error {
		aside := filepath.Join(folder, "ledger.db")
		if err := fillAside(ctx, aside, fill); err != nil {
			return err
		}
		return place(aside, path)
	})
}

// inFolder calls the function with a new folder in parent, which goes afterwards. What a
// killed process leaves there has the kind and its ID in the name, and a free lock.
func inFolder(parent, kind string, do func(folder string) error) (err error) {
	folder, err := os.MkdirTemp(parent, fmt.Sprintf(".reviewledger-%s-%d-*", kind, os.Getpid()))
	if err != nil {
		return err
	}
	lock := flock.New(filepath.Join(folder, "lock"), flock.SetPermissions(0o600))
	defer func() { err = errors.Join(err, lock.Close(), os.RemoveAll(folder)) }()
	if _, err := lock.TryLock(); err != nil {
		return err
	}
	return do(folder)
}

// fillAside makes a database that nobody else sees. Until it is whole it need
// neither survive a crash nor let others read beside a writer, so it is written
// once, and not to a -wal before.
func fillAside(ctx context.Context, path string, fill func(*sql.DB) error) error {
	if err := writeEmpty(path, false); err != nil {
		return err
	}
	handle, err := connect(path, "rw", map[string]string{"journal_mode": "MEMORY", "synchronous": "OFF"})
	if err != nil {
		return err
	}
	if err := fill(handle); err != nil {
		_ = handle.Close()
		return err
	}
	return finishAside(ctx, path, handle)
}

// finishAside closes the database as every other one is: with a -wal from now on,
// and on the disk.
func finishAside(ctx context.Context, path string, handle *sql.DB) error {
	var mode string
	err := handle.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
	if err == nil && mode != "wal" {
		err = fmt.Errorf("%q cannot have a -wal: its journal mode is %s", path, mode)
	}
	if err := errors.Join(err, handle.Close()); err != nil {
		return err
	}
	// Nobody has it open now: closing this descriptor drops no locks.
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// place moves a database to a path without one. It holds the lock for creating a
// database meanwhile.
func place(from, path string) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	unlock, err := lock(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if !Missing(path) {
		return ErrExists
	}
	if err := moveNew(from, path); errors.Is(err, fs.ErrExist) {
		return ErrExists
	} else if err != nil {
		return err
	}
	return nil
}

// moveNew gives a file a name, and replaces nothing that has the name.
func moveNew(from, to string) error {
	// Link, unlike Rename, replaces nothing that came there meanwhile.
	err := os.Link(from, to)
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if err != nil {
		err = os.Rename(from, to)
	}
	// What the name stands for is on the disk already; not every file system can
	// make the name last, too.
	if folder, err := os.Open(filepath.Dir(to)); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
	return err
}
