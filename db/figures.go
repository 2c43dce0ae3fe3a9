package db

import (
	"context"

	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/queries"
)

// Figures reads the rows of a statement of queries/statistics.sql. The fields of T have the names of its
// columns, and args has at least its parameters, by name.
func Figures[T any](ctx context.Context, q *Queries, name string, args ...any) ([]T, error) {
	return rows.All[T](q.db.QueryContext(ctx, queries.Figures()[name], args...))
}
