package db

import (
	"context"
	"database/sql"

	"github.com/reviewledger/reviewledger/migrations"
)

// MigrateFrom runs the migrations after one version up to another, as the released
// programs did.
func MigrateFrom(ctx context.Context, handle *sql.DB, from, to int) error {
	tx, err := handle.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	pending, err := pendingMigrations(from)
	if err != nil {
		return err
	}
	pending = pending[:to-from]
	for _, m := range pending {
		for _, statement := range m.statements {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
	}
	if err := noteVersions(ctx, tx, pending); err != nil {
		return err
	}
	return tx.Commit()
}

// Parts returns the text of a migration and its statements.
func Parts(version int) (whole string, parts []string, err error) {
	pending, err := pendingMigrations(version - 1)
	if err != nil {
		return "", nil, err
	}
	text, err := migrations.FS.ReadFile(pending[0].name)
	return string(text), pending[0].statements, err
}
