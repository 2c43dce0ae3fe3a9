package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
	"github.com/pressly/goose/v3/database"
)

// Progress is how far an upgrade has got.
type Progress struct {
	// From and To are the old and the new version of the schema.
	From, To int
	// Done of Steps steps are done. Steps differ widely in how long they take.
	Done, Steps int
}

// prepare upgrades the database under a lock that only one process can hold: switching a file to WAL
// mode is a race, and the work need not be done twice. Nobody sees an intermediate state: it is
// upgraded in one transaction.
func (s schema) prepare(ctx context.Context, path string, upgrading func(Progress)) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	unlock, err := lock(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	// There may be a -wal without its database: SQLite removes it when it opens an empty file.
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err == nil {
		err = file.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	// Foreign keys are checked at the end, not for each row that is copied into a rebuilt table.
	// Sorting uses files, in runs as large as the cache: in memory, all rows of an index or a total
	// would have to fit at once.
	handle, err := connect(path, "rw", map[string]string{"journal_mode": "WAL", "foreign_keys": "0", "cache_size": "-65536", "temp_store": "FILE"})
	if err != nil {
		return err
	}
	if err := sortBeside(ctx, handle, path); err != nil {
		return errors.Join(err, handle.Close())
	}
	return errors.Join(s.upgrade(ctx, handle, upgrading), sortBeside(ctx, handle, ""), handle.Close())
}

// sortBeside makes SQLite put its temporary files into the folder of the ledger, which is private
// and has room for another copy of the ledger. Without a path, it restores the default. The setting
// is one for all connections of the program, but the others sort in memory.
func sortBeside(ctx context.Context, handle *sql.DB, path string) error {
	folder := ""
	if path != "" {
		absolute, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		folder = strings.ReplaceAll(filepath.Dir(absolute), "'", "''")
	}
	_, err := handle.ExecContext(ctx, "PRAGMA temp_store_directory = '"+folder+"'")
	return err
}

// lockSuffix is the suffix of the name of the lock file.
const lockSuffix = ".lock"

// lock takes the lock that is held while a database is created or upgraded.
func lock(path string) (unlock func() error, err error) {
	lock := flock.New(path+lockSuffix, flock.SetPermissions(0o600))
	return lock.Unlock, lock.Lock()
}

// upgrade runs all migrations that the database lacks in one transaction. That takes a minute for
// millions of rows; meanwhile readers use the old schema, and whatever interrupts it leaves the
// database as it was.
func (s schema) upgrade(ctx context.Context, handle *sql.DB, upgrading func(Progress)) error {
	tx, err := handle.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	version, err := s.checkedVersion(ctx, tx)
	if err != nil || version == s.latest {
		return err
	}
	pending, err := s.pending(version)
	if err != nil {
		return err
	}
	progress := Progress{From: version, To: s.latest}
	for _, m := range pending {
		progress.Steps += len(m.statements)
	}
	report := func() {
		if version > 0 && upgrading != nil {
			upgrading(progress)
		}
	}
	report()
	for _, m := range pending {
		for _, statement := range m.statements {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("bring the schema from version %d to %d: %s: %w", version, s.latest, m.name, err)
			}
			progress.Done++
			report()
		}
	}
	if err := noteVersions(ctx, tx, pending); err != nil {
		return err
	}
	if orphans, err := problemsOf(ctx, tx, orphanedRows); err != nil {
		return err
	} else if len(orphans) > 0 {
		return fmt.Errorf("%w (%s)", ErrForeign, strings.Join(orphans, "; "))
	}
	return tx.Commit()
}

// migration is one file of a schema.
type migration struct {
	version    int
	name       string
	statements []string
}

// pending returns the migrations after the version.
func (s schema) pending(version int) (pending []migration, err error) {
	names, err := fs.Glob(s.files, "*.sql")
	if err != nil {
		return nil, err
	}
	for _, name := range names { // sorted by number, which migrations_test checks
		number, _, _ := strings.Cut(name, "_")
		its, err := strconv.Atoi(number)
		if err != nil || its <= version {
			continue
		}
		text, err := fs.ReadFile(s.files, name)
		if err != nil {
			return nil, err
		}
		pending = append(pending, migration{version: its, name: name, statements: statements(string(text))})
	}
	return pending, nil
}

// statements splits a file in goose's format: a statement ends with a semicolon at the end of a
// line, unless it is between goose's StatementBegin and StatementEnd. SQLite stores the text of a
// schema and parses all of it whenever a database is opened, so comments, indentation and alignment
// are removed.
func statements(text string) (list []string) {
	var statement strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		code, _, _ := strings.Cut(line, " -- ")
		bare := strings.Join(strings.Fields(code), " ")
		switch {
		case bare == "-- +goose StatementBegin":
			inside = true
			continue
		case bare == "-- +goose StatementEnd":
			inside = false
		case bare == "" || strings.HasPrefix(bare, "--"):
			continue
		default:
			statement.WriteString(bare + "\n")
			if inside || !strings.HasSuffix(bare, ";") {
				continue
			}
		}
		list = append(list, statement.String())
		statement.Reset()
	}
	if statement.Len() > 0 {
		list = append(list, statement.String())
	}
	return list
}

// noteVersions maintains goose's own table, for people who inspect a ledger with goose.
func noteVersions(ctx context.Context, tx *sql.Tx, pending []migration) error {
	store, err := database.NewStore(database.DialectSQLite3, gooseTable)
	if err != nil {
		return err
	}
	var exists bool
	const there = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '" + gooseTable + "')"
	if err := tx.QueryRowContext(ctx, there).Scan(&exists); err != nil {
		return err
	}
	if !exists {
		if err := store.CreateVersionTable(ctx, tx); err != nil {
			return err
		}
		if err := store.Insert(ctx, tx, database.InsertRequest{Version: 0}); err != nil {
			return err
		}
	}
	for _, m := range pending {
		if err := store.Insert(ctx, tx, database.InsertRequest{Version: int64(m.version)}); err != nil {
			return err
		}
	}
	return nil
}

// gooseTable is the table in which goose records the migrations that were run.
const gooseTable = "goose_db_version"
