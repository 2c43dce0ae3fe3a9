package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// Errors that [OpenReadOnly] wraps. Each says what to do.
var (
	// ErrOlder means that the database has an older schema, which a reader must not change.
	ErrOlder = errors.New("the ledger has the schema of an older reviewledger: the next `reviewledger run` brings it up to date")
	// ErrUnfinished means that the folder is read-only and its -wal holds changes that are not in
	// the database file yet.
	ErrUnfinished = errors.New("the folder is read-only, and its -wal file holds changes that cannot be read from here: copy the folder to where you may write, and ask the copy")
)

// immutable is the mode for a database that no process can change.
const immutable = "immutable"

// OpenReadOnly opens the ledger's database for reading. It writes nothing and does not create a
// database: if none exists, it returns [ErrMissing]. It works beside a writer and on a read-only
// file system.
func OpenReadOnly(ctx context.Context, path string) (*sql.DB, error) {
	return current.openReadOnly(ctx, path, nil)
}

// viewers is the number of connections of a viewer. One is kept for [Changes], and a slow query
// does not hold up the others.
const viewers = 3

// OpenViewer is [OpenReadOnly] for a reader that keeps the database open. It has several
// connections, and a short timeout for locks.
func OpenViewer(ctx context.Context, path string) (*sql.DB, error) {
	handle, err := current.openReadOnly(ctx, path, map[string]string{"query_only": "1", "busy_timeout": "2000", "cache_size": "-2048"})
	if err == nil {
		handle.SetMaxOpenConns(viewers)
		handle.SetMaxIdleConns(viewers)
	}
	return handle, err
}

// Changes returns a number that changes whenever another connection changes the database, and the
// version of the schema. Numbers are only comparable on the same connection.
func Changes(ctx context.Context, connection *sql.Conn) (number int64, version int, err error) {
	const read = "SELECT d.data_version, u.user_version FROM pragma_data_version AS d, pragma_user_version AS u"
	err = connection.QueryRowContext(ctx, read).Scan(&number, &version)
	return number, version, err
}

func (s schema) openReadOnly(ctx context.Context, path string, pragmas map[string]string) (*sql.DB, error) {
	_, _ = sqlite.OFDLocking(true) // as in Open
	size, err := sizeOf(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && size == 0:
		return nil, ErrMissing
	case err != nil:
		return nil, err
	}
	handle, err := s.openCurrent(ctx, path, "ro", pragmas)
	if !readOnlyFolder(err) {
		return handle, err
	}
	// In WAL mode SQLite must write shared memory to the folder, unless no other process can write
	// either.
	if wal, statErr := os.Stat(path + "-wal"); statErr == nil && wal.Size() > 0 {
		return nil, fmt.Errorf("%w (%w)", ErrUnfinished, err)
	}
	return s.openCurrent(ctx, path, immutable, pragmas)
}

func (s schema) openCurrent(ctx context.Context, path, mode string, pragmas map[string]string) (*sql.DB, error) {
	handle, err := connect(path, mode, pragmas)
	if err != nil {
		return nil, err
	}
	version, err := s.checkedVersion(ctx, handle)
	switch {
	case err == nil && version == 0: // it has no tables yet
		err = ErrMissing
	case err == nil && version < s.latest:
		err = fmt.Errorf("%w (its schema has version %d, this program knows %d)", ErrOlder, version, s.latest)
	}
	if err != nil {
		_ = handle.Close()
		return nil, err
	}
	return handle, nil
}

// readOnlyFolder reports whether SQLite could not read because it may not write beside the file.
func readOnlyFolder(err error) bool {
	code := Code(err)
	return code&0xff == lib.SQLITE_CANTOPEN || code&0xff == lib.SQLITE_READONLY
}
