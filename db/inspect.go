package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/reviewledger/reviewledger/migrations"
)

// SQLiteVersion is that of the SQLite in this program, as in "3.53.4".
const SQLiteVersion = lib.SQLITE_VERSION

// maxProblems is how many problems of a damaged database are told.
const maxProblems = 10

// Inspection is what can be said about a database without changing it.
type Inspection struct {
	// Version is the number of its newest migration; 0: it has no tables yet.
	Version int
	// Latest is the number of the newest migration that this program knows.
	Latest int
	// Problems are SQLite's own words about what is damaged.
	Problems []string
	// Cooldowns are those of adapters that are left alone at the given time.
	Cooldowns []Cooldown
}

// Inspect reads the database at path, checks all of it, and changes nothing. The
// error is [ErrMissing], [ErrForeign], [ErrNewer], or SQLite's own.
func Inspect(ctx context.Context, path string, at Time) (found Inspection, err error) {
	_, _ = sqlite.OFDLocking(true) // as in Open
	found.Latest = migrations.Latest
	if err := peek(ctx, path); errors.Is(err, fs.ErrNotExist) {
		return found, ErrMissing
	} else if err != nil {
		return found, err
	}
	handle, err := connect(path, "ro", nil)
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, handle.Close()) }()
	if found.Version, err = checkedVersion(ctx, handle); err != nil {
		return found, err
	}
	const whole, children = "PRAGMA integrity_check", "PRAGMA foreign_key_check"
	if found.Problems, err = integrity(ctx, handle, whole); err != nil {
		return found, err
	}
	orphans, err := integrity(ctx, handle, children)
	if err != nil {
		return found, err
	}
	if len(orphans) > 0 {
		found.Problems = append(found.Problems, fmt.Sprintf("%d rows refer to rows that do not exist", len(orphans)))
	}
	if found.Version > 0 {
		found.Cooldowns, err = New(handle).Cooldowns(ctx, at)
	}
	return found, err
}

// integrity returns the first column of what a checking pragma says, without "ok".
func integrity(ctx context.Context, handle querier, pragma string) (said []string, err error) {
	rows, err := handle.QueryContext(ctx, pragma)
	if err != nil {
		return corruption(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() && len(said) < maxProblems {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			return nil, err
		}
		if text := fmt.Sprint(*values[0].(*any)); text != "ok" {
			said = append(said, text)
		}
	}
	if err := rows.Err(); err != nil {
		return corruption(err)
	}
	return said, nil
}

// corruption turns an error that is SQLite's verdict into a problem.
func corruption(err error) ([]string, error) {
	if IsCorrupt(err) {
		return []string{err.Error()}, nil
	}
	return nil, err
}
