package db

import (
	"context"
	"database/sql"
)

// Prepared runs the queries of a transaction so that each is prepared once, however
// often it is run: a review of ten thousand findings is as many rows in five
// tables. The statements live as long as the transaction.
func Prepared(tx *sql.Tx) DBTX {
	return &preparing{Tx: tx, statements: map[string]*sql.Stmt{}}
}

// preparing prepares every statement at its first use.
type preparing struct {
	*sql.Tx
	statements map[string]*sql.Stmt
}

func (p *preparing) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if known := p.statements[query]; known != nil {
		return known, nil
	}
	prepared, err := p.PrepareContext(ctx, query)
	if err == nil {
		p.statements[query] = prepared
	}
	return prepared, err
}

// ExecContext runs a statement that returns no rows.
func (p *preparing) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	statement, err := p.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return statement.ExecContext(ctx, args...)
}

// QueryContext runs a statement that returns rows.
func (p *preparing) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	statement, err := p.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return statement.QueryContext(ctx, args...)
}

// QueryRowContext runs a statement that returns at most one row.
func (p *preparing) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	statement, err := p.statement(ctx, query)
	if err != nil {
		return p.Tx.QueryRowContext(ctx, query, args...) // it fails there, too, and says so
	}
	return statement.QueryRowContext(ctx, args...)
}
