package db

import "context"

// Savepoint begins a part of the transaction that can be rolled back. sqlc does not
// support savepoints, so these are written here. They do not nest.
func (q *Queries) Savepoint(ctx context.Context) error {
	_, err := q.db.ExecContext(ctx, "SAVEPOINT part")
	return err
}

// KeepSavepoint ends the part that [Queries.Savepoint] began.
func (q *Queries) KeepSavepoint(ctx context.Context) error {
	_, err := q.db.ExecContext(ctx, "RELEASE part")
	return err
}

// UndoSavepoint ends the part and rolls it back.
func (q *Queries) UndoSavepoint(ctx context.Context) error {
	if _, err := q.db.ExecContext(ctx, "ROLLBACK TO part"); err != nil {
		return err
	}
	return q.KeepSavepoint(ctx)
}
