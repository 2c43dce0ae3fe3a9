package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"syscall"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/reviewledger/reviewledger/migrations"
)

// Latest is the number of the newest migration that this program knows.
const Latest = migrations.Latest

// Replace says what to do about a ledger that cannot be read.
const Replace = "move it aside, and put a copy by `reviewledger db backup` in its place, or import a dump by `reviewledger export ndjson` with `reviewledger import`; without either, the next `reviewledger run` restores the open loop from its files"

// Errors that [Open] and the other functions wrap.
var (
	// ErrNewer means that a newer reviewledger wrote the database.
	ErrNewer = errors.New("the ledger was written by a newer reviewledger")
	// ErrForeign means that the file is not a ledger or is damaged. It is left untouched.
	ErrForeign = errors.New("the file is not a ledger, or it is damaged; it was left untouched")
	// ErrMissing means that there is no database to read.
	ErrMissing = errors.New("there is no ledger yet: the first `reviewledger run` creates it")
	// ErrDamaged means that SQLite found a damaged part of the ledger.
	ErrDamaged = errors.New("the ledger is damaged: `reviewledger db check` says where; " + Replace)
	// ErrFull means that a write ran out of space. What was recorded before is intact.
	ErrFull = errors.New("no space is left to write: free some disk space where the ledger is, or raise the limit on file sizes, and run the command again; what was recorded before is intact")
)

// schema is a set of migrations and the number of the newest one.
type schema struct {
	files  fs.FS
	latest int
}

// current is the schema of this program. Tests of upgrades use later ones.
var current = schema{files: migrations.FS, latest: migrations.Latest}

// Open opens the ledger's database for writing. If none exists, it is created, with mode 0600 in a
// folder with mode 0700. An older schema is upgraded, and upgrading, which may be nil, is called
// with the progress, because many rows take a while. Only one process at a time does either.
// Transactions begin immediate, and a commit is on disk when it returns.
func Open(ctx context.Context, path string, upgrading func(Progress)) (*sql.DB, error) {
	// With POSIX locks, closing any other descriptor of the file would drop the locks. Where OFD
	// locks are not supported, the default stays.
	_, _ = sqlite.OFDLocking(true)
	return current.open(ctx, path, upgrading)
}

func (s schema) open(ctx context.Context, path string, upgrading func(Progress)) (*sql.DB, error) {
	handle, version, err := s.openExisting(ctx, path)
	if err == nil && version == s.latest {
		return handle, nil
	}
	if handle != nil {
		if err := handle.Close(); err != nil {
			return nil, err
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if Missing(path) {
		err = s.make(ctx, path, func(*sql.DB) error { return nil })
	} else {
		err = s.prepare(ctx, path, upgrading)
	}
	if err != nil && !errors.Is(err, ErrExists) { // another process has made one
		return nil, Explain(err)
	}
	handle, _, err = s.openExisting(ctx, path)
	return handle, err
}

// openExisting opens the file and reads its schema version, without changing it.
func (s schema) openExisting(ctx context.Context, path string) (*sql.DB, int, error) {
	if err := s.peek(ctx, path); err != nil {
		return nil, 0, err
	}
	handle, err := connect(path, "rw", map[string]string{"cache_size": "-16384"}) // with the default, a large answer is written to disk several times
	if err != nil {
		return nil, 0, err
	}
	version, err := s.checkedVersion(ctx, handle)
	if err != nil {
		_ = handle.Close()
		return nil, 0, err
	}
	return handle, version, nil
}

// smallest is the size in bytes of the smallest SQLite file that is not empty. SQLite takes a
// shorter file for an empty one and overwrites it.
const smallest = 512

// sizeOf returns the size of a file that may be a database, and rejects a file that cannot be one.
func sizeOf(path string) (int64, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return 0, err
	case !info.Mode().IsRegular(): // opening a pipe would wait for a writer
		return 0, fmt.Errorf("%w (it is not a regular file)", ErrForeign)
	case 0 < info.Size() && info.Size() < smallest:
		return 0, ErrForeign
	}
	return info.Size(), nil
}

// peek rejects files that are not ledgers but would be changed by opening them for writing: a short
// file, or a database whose -wal would be merged into it on closing.
func (s schema) peek(ctx context.Context, path string) error {
	if _, err := sizeOf(path); err != nil {
		return err
	}
	if _, err := os.Stat(path + "-wal"); err != nil {
		return nil
	}
	handle, err := connect(path, "ro", nil)
	if err != nil {
		return err
	}
	defer func() { _ = handle.Close() }()
	if _, err := s.checkedVersion(ctx, handle); errors.Is(err, ErrForeign) || errors.Is(err, ErrNewer) {
		return err
	}
	return nil // any other problem shows when the file is opened for writing
}

// querier is a database, a connection or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// checkedVersion reads the schema version and rejects anything but a ledger of a version that this
// program knows. A file without tables has version 0.
func (s schema) checkedVersion(ctx context.Context, handle querier) (int, error) {
	var application, version, tables int
	const read = `SELECT a.application_id, u.user_version,
			(SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%')
		FROM pragma_application_id AS a, pragma_user_version AS u`
	if err := handle.QueryRowContext(ctx, read).Scan(&application, &version, &tables); err != nil {
		if IsCorrupt(err) {
			return 0, fmt.Errorf("%w (%w)", ErrForeign, err)
		}
		return 0, Explain(err) // on a full disk there is no room for the files that SQLite needs beside the database
	}
	switch {
	case application == 0 && tables == 0:
		return 0, nil
	case application != migrations.ApplicationID:
		return 0, ErrForeign
	case version > s.latest:
		return 0, fmt.Errorf("%w (its schema has version %d, this program knows %d)", ErrNewer, version, s.latest)
	}
	return version, nil
}

// connect returns a pool of one connection: a command does one thing at a time, and SQLite allows
// one writer. The mode is SQLite's ro or rw, or [immutable]; none of them creates a file. The
// pragmas override or extend those that every connection has.
func connect(path, mode string, pragmas map[string]string) (*sql.DB, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	query := url.Values{"_txlock": {"immediate"}, "_dqs": {"0"}, "mode": {mode}}
	if mode == immutable {
		query.Set("mode", "ro")
		query.Set("immutable", "1")
	}
	// The driver does not apply pragmas in order, so each is given only once.
	values := map[string]string{"busy_timeout": "10000", "foreign_keys": "1", "synchronous": "FULL", "temp_store": "MEMORY"}
	maps.Copy(values, pragmas)
	for name, value := range values {
		query.Add("_pragma", name+"("+value+")")
	}
	dsn := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(absolute), RawQuery: query.Encode()}
	handle := sql.OpenDB(connector{driver: &sqlite.Driver{}, dsn: dsn.String()})
	handle.SetMaxOpenConns(1)
	return handle, nil
}

// Code returns SQLite's extended result code of an error, or 0 if it is not an error of SQLite.
func Code(err error) int {
	if e := (*sqlite.Error)(nil); errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

// IsCorrupt reports whether the error means that the file is not a database or is damaged.
func IsCorrupt(err error) bool {
	primary := Code(err) & 0xff
	return primary == lib.SQLITE_NOTADB || primary == lib.SQLITE_CORRUPT
}

// IsBusy reports whether another process held a lock for longer than the timeout.
func IsBusy(err error) bool {
	primary := Code(err) & 0xff
	return primary == lib.SQLITE_BUSY || primary == lib.SQLITE_LOCKED
}

// IsFull reports whether a write failed because the disk is full or the file may not grow.
func IsFull(err error) bool {
	switch code := Code(err); {
	case code&0xff == lib.SQLITE_FULL, code == lib.SQLITE_IOERR_WRITE, code == lib.SQLITE_IOERR_SHMSIZE:
		return true
	}
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

// Explain adds to an error what can be done about it, if that is known.
func Explain(err error) error {
	if IsFull(err) && !errors.Is(err, ErrFull) {
		return fmt.Errorf("%w (%w)", ErrFull, err)
	}
	if IsCorrupt(err) && !errors.Is(err, ErrForeign) && !errors.Is(err, ErrDamaged) {
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	return err
}

// IsUnique reports whether a row violates a unique constraint.
func IsUnique(err error) bool { return Code(err) == lib.SQLITE_CONSTRAINT_UNIQUE }

// IsConstraint reports whether a constraint or a trigger rejected a row.
func IsConstraint(err error) bool { return Code(err)&0xff == lib.SQLITE_CONSTRAINT }
