package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"sync"

	"modernc.org/sqlite"
)

// addedColumn matches a statement that adds columns to a table.
var addedColumn = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ALTER TABLE (\w+) ADD COLUMN `) })

// migrateStep runs one statement of a migration.
func migrateStep(ctx context.Context, tx *sql.Tx, statement string) error {
	if match := addedColumn().FindStringSubmatch(statement); match != nil {
		return addColumns(ctx, tx, match[1], statement)
	}
	_, err := tx.ExecContext(ctx, statement)
	return err
}

// addColumns adds columns to a table as the statement does, without the check of all its
// rows and pages that SQLite makes each time, which is most of the time that an upgrade
// of a large ledger takes. No row changes, and what is in a new column is the same in all of
// them: it is the migration that has to be right, and tests hold it. The definition that
// SQLite makes of an empty table takes the place of the old one, as its documentation of
// ALTER TABLE says under "Making Other Kinds Of Table Schema Changes".
func addColumns(ctx context.Context, tx *sql.Tx, table, statement string) error {
	const read = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1"
	var definition string
	if err := tx.QueryRowContext(ctx, read, table).Scan(&definition); err != nil {
		return err
	}
	aside := sql.OpenDB(connector{driver: &sqlite.Driver{}, dsn: "file:columns?_dqs=0&mode=memory"})
	aside.SetMaxOpenConns(1) // each connection would have a database of its own
	_, err := aside.ExecContext(ctx, definition)
	if err == nil {
		_, err = aside.ExecContext(ctx, statement)
	}
	if err == nil {
		err = aside.QueryRowContext(ctx, read, table).Scan(&definition)
	}
	if err := errors.Join(err, aside.Close()); err != nil {
		return err
	}
	var version int64 // of the schema, by which others notice that it is another one
	if err := tx.QueryRowContext(ctx, "SELECT schema_version + 1 FROM pragma_schema_version").Scan(&version); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "PRAGMA writable_schema = 1"); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE sqlite_schema SET sql = ?2 WHERE type = 'table' AND name = ?1", table, definition); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA schema_version = %d", version)); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "PRAGMA writable_schema = RESET") // and read the schema anew
	return err
}
