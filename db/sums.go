package db

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"modernc.org/sqlite"

	"github.com/reviewledger/reviewledger/migrations"
)

// SumsVersion is the version of the tables of sums and of what the figures count. A file of sums
// with another version is built again.
const SumsVersion = 9

// ErrOtherSums means that a file of sums has another version.
var ErrOtherSums = errors.New("the sums are of another version")

// OpenSums opens the file of sums at path, or one in memory if path is empty, and creates its
// tables if it has none. If the file is not one of sums or is damaged, the error satisfies
// [IsCorrupt]; if it has another version, the error is [ErrOtherSums]. The file that was found is
// returned with the error too.
func OpenSums(ctx context.Context, path string) (handle *sql.DB, found os.FileInfo, err error) {
	if path != "" { // a process that removes a damaged file must not meet a new one half-way
		unlock, err := lock(path)
		if err != nil {
			return nil, nil, err
		}
		defer func() { _ = unlock() }()
	}
	if handle, err = connectSums(path); err != nil {
		return nil, nil, err
	}
	if path != "" {
		found, err = os.Stat(path)
	}
	if err == nil {
		err = prepareSums(ctx, handle)
	}
	if err != nil {
		_ = handle.Close()
		return nil, found, err
	}
	return handle, found, nil
}

// RemoveSums closes the handle, which may be nil, and removes the file of sums at path with the
// files that SQLite keeps beside it. If damaged is not nil, only that file is removed: another one
// has been created by another process in the meantime.
func RemoveSums(path string, damaged os.FileInfo, handle *sql.DB) (err error) {
	unlock, err := lock(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	info, statErr := os.Stat(path)
	other := statErr == nil && damaged != nil && !os.SameFile(damaged, info)
	if handle != nil {
		err = handle.Close()
	} else if statErr == nil && damaged != nil && !damaged.ModTime().Equal(info.ModTime()) {
		other = true // a new file may have the inode number of one that nobody has open
	}
	if err != nil || other {
		return err
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func connectSums(path string) (*sql.DB, error) {
	// Losing the last transaction in a power cut is harmless: its sums are computed again.
	pragmas := map[string]string{"synchronous": "NORMAL", "journal_mode": "WAL", "busy_timeout": "120000"}
	if path == "" {
		handle := sql.OpenDB(connector{driver: &sqlite.Driver{}, dsn: ":memory:?_pragma=foreign_keys(1)&_txlock=immediate"})
		handle.SetMaxOpenConns(1) // each connection would have a database of its own
		return handle, nil
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	return connect(path, "rw", pragmas)
}

// prepareSums creates the tables if the file has none, in one transaction. Another process that
// comes at the same time waits for it.
func prepareSums(ctx context.Context, handle *sql.DB) error {
	made := func(q querier) (bool, error) {
		var version, tables int
		err := q.QueryRowContext(ctx, "SELECT u.user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_user_version AS u").Scan(&version, &tables)
		if err == nil && tables > 0 && version != SumsVersion {
			err = ErrOtherSums
		}
		return tables > 0, err
	}
	if there, err := made(handle); err != nil || there {
		return err
	}
	t, err := handle.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = t.Rollback() }()
	if there, err := made(t); err != nil || there {
		return err
	}
	if err := eachStatement(migrations.Sums, func(statement string) error {
		_, err := t.ExecContext(ctx, statement)
		return err
	}); err != nil {
		return fmt.Errorf("make the tables of sums: %w", err)
	}
	if _, err := t.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", SumsVersion)); err != nil {
		return err
	}
	return t.Commit()
}

// eachStatement calls do for each statement of the migrations in files.
func eachStatement(files embed.FS, do func(string) error) error {
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		for _, statement := range statements(string(text)) {
			if err := do(statement); err != nil {
				return err
			}
		}
		return nil
	})
}
