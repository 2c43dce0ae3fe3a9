package db

import (
	"context"
	"database/sql"
	"maps"
	"regexp"
	"slices"
	"sync"

	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/queries"
)

// Rows is the name of a statement of queries/rows.sql whose columns are the fields of T: see [rows.Each].
// Parameters are passed by name, see [sql.Named].
type Rows[T any] string

func (r Rows[T]) query(ctx context.Context, q *Queries, args []any) (*sql.Rows, error) {
	return q.db.QueryContext(ctx, queries.Rows()[string(r)], args...)
}

// Each calls do for each row. The row is only valid until do returns.
func (r Rows[T]) Each(ctx context.Context, q *Queries, do func(*T), args ...any) error {
	found, err := r.query(ctx, q, args)
	return rows.Each(found, err, do)
}

// All reads all rows.
func (r Rows[T]) All(ctx context.Context, q *Queries, args ...any) (all []T, err error) {
	err = r.Each(ctx, q, func(row *T) { all = append(all, *row) }, args...)
	return all, err
}

// One reads the first row. The error is [sql.ErrNoRows] if there is none.
func (r Rows[T]) One(ctx context.Context, q *Queries, args ...any) (row T, err error) {
	n := 0
	err = r.Each(ctx, q, func(found *T) {
		if n++; n == 1 {
			row = *found
		}
	}, args...)
	if err == nil && n == 0 {
		err = sql.ErrNoRows
	}
	return row, err
}

// RowNames returns the names of the statements of queries/rows.sql.
func RowNames() []string { return slices.Sorted(maps.Keys(queries.Rows())) }

// Name returns the name of the statement.
func (r Rows[T]) Name() string { return string(r) }

// parameterName matches the name of a parameter.
var parameterName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`@\w+`) })

// Check returns an error if the columns of the statement are not the fields of T. It reads the rows that the
// statement finds if each of its parameters is 0.
func (r Rows[T]) Check(ctx context.Context, handle *sql.DB) error {
	var args []any
	for _, name := range parameterName().FindAllString(queries.Rows()[string(r)], -1) {
		args = append(args, sql.Named(name[1:], 0))
	}
	return r.Each(ctx, New(handle), func(*T) {}, args...)
}
