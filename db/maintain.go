package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Integrity lists what SQLite finds wrong with the file: its pages, indexes and
// constraints, and rows that refer to none. sqlc knows no pragmas, so these are
// written here.
func Integrity(ctx context.Context, handle *sql.DB) (problems []string, err error) {
	rows, err := handle.QueryContext(ctx, `SELECT integrity_check FROM pragma_integrity_check`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		if text != "ok" {
			problems = append(problems, "integrity: "+text)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	keys, err := handle.QueryContext(ctx, `SELECT "table", coalesce(rowid, 0), parent FROM pragma_foreign_key_check LIMIT 100`)
	if err != nil {
		return nil, err
	}
	defer keys.Close()
	for keys.Next() {
		var table, parent string
		var row int64
		if err := keys.Scan(&table, &row, &parent); err != nil {
			return nil, err
		}
		problems = append(problems, fmt.Sprintf("foreign key: row %d of %s refers to a row of %s that is not there", row, table, parent))
	}
	return problems, keys.Err()
}

// Backup writes a copy of the database, as it is at one moment, to a file that
// is not there yet. Others go on writing meanwhile.
func Backup(ctx context.Context, handle *sql.DB, path string) (err error) {
	if _, err := os.Lstat(path); err == nil {
		return errors.New("there is a file of that name already: name another")
	}
	// A temporary name, so that nobody takes half a backup for a whole one.
	temp, err := os.CreateTemp(filepath.Dir(path), ".reviewledger-backup-*")
	if err != nil {
		return err
	}
	defer func() {
		if removed := os.Remove(temp.Name()); !errors.Is(removed, fs.ErrNotExist) {
			err = errors.Join(err, removed)
		}
	}()
	if err := temp.Close(); err != nil {
		return err
	}
	if _, err := handle.ExecContext(ctx, `VACUUM INTO ?1`, temp.Name()); err != nil {
		return err
	}
	return moveNew(temp.Name(), path)
}
