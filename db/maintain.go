package db

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
)

// Backup writes a copy of the database, as it is at one moment, to a file that must not exist yet.
// Other processes can write meanwhile.
func Backup(ctx context.Context, handle *sql.DB, path string) error {
	if _, err := os.Lstat(path); err == nil {
		return errors.New("there is a file of that name already: name another")
	}
	// In a folder of its own, so that half a backup is never mistaken for a whole one, and the
	// files that SQLite puts beside it are removed too.
	return inFolder(filepath.Dir(path), "backup", func(folder string) error {
		aside := filepath.Join(folder, "ledger.db")
		// Created here, so that it never has wider permissions.
		file, err := os.OpenFile(aside, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
		if err == nil {
			err = file.Close()
		}
		if err != nil {
			return err
		}
		if _, err := handle.ExecContext(ctx, `VACUUM INTO ?1`, aside); err != nil {
			return err
		}
		return moveNew(aside, path)
	})
}

// Compact rewrites the database without its free space and truncates the -wal.
func Compact(ctx context.Context, handle *sql.DB) error {
	if _, err := handle.ExecContext(ctx, `VACUUM`); err != nil {
		return err
	}
	_, err := handle.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	return err
}

// WithoutForeignKeys calls do while the handle's only connection does not check foreign keys. The
// statements of do must not leave a row that refers to nothing.
func WithoutForeignKeys(ctx context.Context, handle *sql.DB, do func() error) error {
	if _, err := handle.ExecContext(ctx, `PRAGMA foreign_keys = 0`); err != nil {
		return err
	}
	err := do()
	_, restored := handle.ExecContext(context.WithoutCancel(ctx), `PRAGMA foreign_keys = 1`)
	return errors.Join(err, restored)
}
