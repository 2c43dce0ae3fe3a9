package db

import "context"

// Savepoint starts a part of the transaction that can be rolled back on its own. Savepoints do not
// nest. sqlc does not support them, so the statements are written here.
func (q *Queries) Savepoint(ctx context.Context) error {
	_, err := q.db.ExecContext(ctx, "SAVEPOINT part")
	return err
}

// KeepSavepoint ends the part that [Queries.Savepoint] started.
func (q *Queries) KeepSavepoint(ctx context.Context) error {
	_, err := q.db.ExecContext(ctx, "RELEASE part")
	return err
}

// UndoSavepoint ends that part and rolls it back.
func (q *Queries) UndoSavepoint(ctx context.Context) error {
	if _, err := q.db.ExecContext(ctx, "ROLLBACK TO part"); err != nil {
		return err
	}
	return q.KeepSavepoint(ctx)
}
