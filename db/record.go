package db

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/queries"
)

// RecordSQL returns a statement of queries/record, with what stands for its placeholders: pairs of a
// placeholder and its text.
func RecordSQL(name string, fill ...string) string {
	return strings.NewReplacer(fill...).Replace(queries.Record()[name])
}

// RecordPart returns a part of a statement of queries/record, or "" if there is none with this name.
func RecordPart(name string) string {
	_, part, _ := strings.Cut(queries.Record()[name], "\n")
	return part
}

// ReadRecord reads the rows of a statement of queries/record. The fields of T have the names of its
// columns.
func ReadRecord[T any](ctx context.Context, q *Queries, name string, args ...any) ([]T, error) {
	all, err := rows.All[T](q.db.QueryContext(ctx, RecordSQL(name), args...))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return all, nil
}

// ExecRecord runs a statement, or several without parameters, of queries/record.
func (q *Queries) ExecRecord(ctx context.Context, name string, args ...any) error {
	if _, err := q.Write(ctx, RecordSQL(name), args...); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Write runs a statement that was made by [RecordSQL].
func (q *Queries) Write(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	return q.db.ExecContext(ctx, statement, args...)
}

// Read calls do with the values of each row of a statement that was made by [RecordSQL].
func (q *Queries) Read(ctx context.Context, statement string, do func(values []any), args ...any) error {
	found, err := q.db.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer func() { _ = found.Close() }()
	columns, err := found.Columns()
	if err != nil {
		return err
	}
	for found.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := found.Scan(into...); err != nil {
			return err
		}
		do(values)
	}
	return found.Err()
}
