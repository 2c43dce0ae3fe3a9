package db

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/migrations"
)

// SQLiteVersion is that of the SQLite in this program, as in "3.53.4".
const SQLiteVersion = lib.SQLITE_VERSION

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
func Inspect(ctx context.Context, path string, at Time) (i Inspection, err error) {
	_, _ = sqlite.OFDLocking(true) // as in Open
	i.Latest = migrations.Latest
	if err := current.peek(ctx, path); errors.Is(err, fs.ErrNotExist) {
		return i, ErrMissing
	} else if err != nil {
		return i, err
	}
	handle, err := connect(path, "ro", nil)
	if err != nil {
		return i, err
	}
	defer func() { err = errors.Join(err, handle.Close()) }()
	if i.Version, err = current.checkedVersion(ctx, handle); err != nil {
		return i, err
	}
	if i.Problems, err = Integrity(ctx, handle); err != nil {
		return i, err
	}
	if i.Version > 0 {
		i.Cooldowns, err = New(handle).Cooldowns(ctx, at)
	}
	return i, err
}

// Integrity lists what SQLite finds wrong with the file: its pages, indexes and
// constraints, and rows that refer to none, at most ten of either. sqlc
// knows no pragmas, so these are written here.
func Integrity(ctx context.Context, handle *sql.DB) ([]string, error) {
	problems, err := problemsOf(ctx, handle, brokenPages)
	if err != nil || len(problems) > 0 {
		return problems, err // what refers to what cannot be told from a damaged file
	}
	return problemsOf(ctx, handle, orphanedRows)
}

// What asks SQLite for problems of a whole database, a line each.
const (
	brokenPages  = `SELECT 'integrity: ' || integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok' LIMIT 10`
	orphanedRows = `SELECT 'foreign key: row ' || coalesce(rowid, 0) || ' of ' || "table" || ' refers to a row of ' || parent || ' that is not there'
		FROM pragma_foreign_key_check LIMIT 10`
)

// problemsOf lists the rows of a query for problems. An error that is SQLite's verdict on the file
// is one.
func problemsOf(ctx context.Context, handle querier, query string) (problems []string, err error) {
	found, err := handle.QueryContext(ctx, query)
	err = rows.Each(found, err, func(problem *string) { problems = append(problems, *problem) })
	if IsCorrupt(err) {
		return append(problems, err.Error()), nil
	}
	return problems, err
}
