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

// ErrExists means that there is already a database where one was to be created.
var ErrExists = errors.New("there is a ledger by now")

// Missing reports whether neither a database nor its -wal exists at path. A -wal without its
// database does not count as missing: SQLite knows how to deal with it, but would also apply it to
// any file that is put beside it.
func Missing(path string) bool {
	for _, file := range []string{path, path + "-wal"} {
		if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// Make creates a database at path, where none exists. The function fill builds it somewhere else
// first: whether its input is valid is known only when all of it has been read, and rejected input
// must leave nothing behind. A database at path could not be removed again, because other processes
// may have started to fill it. If another process has created one in the meantime, it is left
// untouched and the error is [ErrExists].
func Make(ctx context.Context, path string, fill func(*sql.DB) error) error {
	_, _ = sqlite.OFDLocking(true) // as in Open
	return current.make(ctx, path, fill)
}

func (s schema) make(ctx context.Context, path string, fill func(*sql.DB) error) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	// The folder may have to be created too, but only after success. Its nearest existing parent is
	// on the same file system.
	near := filepath.Dir(path)
	for {
		if _, err := os.Stat(near); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		near = filepath.Dir(near)
	}
	return inFolder(near, "import", func(folder string) error {
		aside := filepath.Join(folder, "ledger.db")
		if err := s.fillAside(ctx, aside, fill); err != nil {
			return err
		}
		return place(aside, path)
	})
}

// inFolder calls do with a new folder in parent, and removes the folder afterwards. A folder that a
// killed process leaves behind has the kind and the process ID in its name, and its lock is free.
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

// fillAside creates a database that no other process sees. Until it is complete it need neither
// survive a crash nor allow reading beside a writer, so each page is written once, without a -wal.
func (s schema) fillAside(ctx context.Context, path string, fill func(*sql.DB) error) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	handle, err := connect(path, "rw", map[string]string{"journal_mode": "MEMORY", "synchronous": "OFF"})
	if err != nil {
		return err
	}
	err = s.upgrade(ctx, handle, nil)
	if err == nil {
		err = fill(handle)
	}
	if err != nil {
		_ = handle.Close()
		return err
	}
	return finishAside(ctx, path, handle)
}

// finishAside puts the database into the state of every other one, in WAL mode and synced to disk,
// and closes it.
func finishAside(ctx context.Context, path string, handle *sql.DB) error {
	var mode string
	err := handle.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
	if err == nil && mode != "wal" {
		err = fmt.Errorf("%q cannot have a -wal: its journal mode is %s", path, mode)
	}
	if err := errors.Join(err, handle.Close()); err != nil {
		return err
	}
	// No process has it open now, so closing this descriptor drops no locks.
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// place moves a database to a path that has none. It holds the lock for creating a database while
// it does.
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

// moveNew renames a file without replacing an existing one.
func moveNew(from, to string) error {
	// Link, unlike Rename, does not replace a file that appeared in the meantime.
	err := os.Link(from, to)
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if err != nil {
		err = os.Rename(from, to)
	}
	// The content is on disk already. Not every file system can make the name durable too.
	if folder, err := os.Open(filepath.Dir(to)); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
	return err
}
