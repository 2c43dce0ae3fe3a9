package db

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/migrations"
	"github.com/reviewledger/reviewledger/queries"
)

// SQLiteVersion is the version of the SQLite in this program, as in "3.53.4".
const SQLiteVersion = lib.SQLITE_VERSION

// Inspection is what [Inspect] finds out about a database.
type Inspection struct {
	// Version is the number of its newest migration, or 0 if it has no tables yet.
	Version int
	// Latest is the number of the newest migration that this program knows.
	Latest int
	// Problems is what SQLite says is damaged, in its own words.
	Problems []string
	// Cooldowns has the adapters that reached a limit and are not asked at the given time.
	Cooldowns []Cooldown
}

// Inspect opens the database at path, checks all of it and changes nothing. The error is
// [ErrMissing], [ErrForeign], [ErrNewer] or SQLite's own.
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
	if i.Version > 0 && len(i.Problems) == 0 { // they cannot be read, perhaps
		i.Cooldowns, err = New(handle).Cooldowns(ctx, at)
	}
	return i, err
}

// Integrity lists what SQLite finds wrong with the file: first its pages, indexes and constraints,
// or else rows whose foreign keys refer to nothing; at most ten of either. sqlc does not support
// pragmas, so these are written here.
func Integrity(ctx context.Context, handle *sql.DB) ([]string, error) {
	problems, err := problemsOf(ctx, handle, brokenPages)
	if err != nil || len(problems) > 0 {
		return problems, err // foreign keys of a damaged file cannot be checked
	}
	return problemsOf(ctx, handle, orphanedRows)
}

// Checks are the names of the statements of queries/check.
var Checks = sync.OnceValue(func() []string { return slices.Sorted(maps.Keys(queries.Checks())) })

// Check lists the rows that contradict each other, as far as the statement with this name finds them.
func (q *Queries) Check(ctx context.Context, name string) ([]string, error) {
	return rows.All[string](q.db.QueryContext(ctx, queries.Checks()[name]))
}

// BrokenPrefix is the beginning of problems of the file, as opposed to those of rows in it.
const BrokenPrefix = "integrity: "

// Queries for problems of a whole database, one per row.
const (
	brokenPages  = `SELECT '` + BrokenPrefix + `' || integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok' LIMIT 10`
	orphanedRows = `SELECT 'foreign key: row ' || coalesce(rowid, 0) || ' of ' || "table" || ' refers to a row of ' || parent || ' that is not there'
		FROM pragma_foreign_key_check LIMIT 10`
)

// problemsOf lists the rows of a query for problems. An error that means that the file is corrupt
// is itself a problem.
func problemsOf(ctx context.Context, handle querier, query string) (problems []string, err error) {
	found, err := handle.QueryContext(ctx, query)
	err = rows.Each(found, err, func(problem *string) { problems = append(problems, *problem) })
	if IsCorrupt(err) {
		return append(problems, BrokenPrefix+err.Error()), nil
	}
	return problems, err
}
