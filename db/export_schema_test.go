package db

import (
	"context"
	"database/sql"
	"slices"

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
	pending = slices.DeleteFunc(pending, func(m migration) bool { return m.version > to })
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
	if err != nil || len(pending) == 0 || pending[0].version != version { // there is none of this number
		return "", nil, err
	}
	text, err := migrations.FS.ReadFile(pending[0].name)
	return string(text), pending[0].statements, err
}
