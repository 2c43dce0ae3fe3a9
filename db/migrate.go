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

// Progress is how far an upgrade has come.
type Progress struct {
	// From and To are the versions of the schema.
	From, To int
	// Done of Steps are done. They take very different times.
	Done, Steps int
}

// prepare makes the database, or brings it up to date, under a lock that one
// process at a time holds: switching a file to WAL races, and the work need not be
// done twice. Nobody ever sees a state between: a new database gets its name when
// it is whole, and an old one is brought up to date in one transaction.
func (s schema) prepare(ctx context.Context, path string, upgrading func(Progress)) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	unlock, err := lock(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if Missing(path) {
		return makeBeside(path)
	}
	// A -wal without its database: SQLite removes it when it opens an empty one.
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err == nil {
		err = file.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	// What tables are made anew from is looked up in none: foreign keys are checked
	// when all is there. What is sorted goes to a file in parts as large as the cache: in
	// memory, the rows of an index or a total would all be there at once.
	handle, err := connect(path, "rw", map[string]string{"journal_mode": "WAL", "foreign_keys": "0", "cache_size": "-65536", "temp_store": "FILE"})
	if err != nil {
		return err
	}
	if err := sortBeside(ctx, handle, path); err != nil {
		return errors.Join(err, handle.Close())
	}
	return errors.Join(s.upgrade(ctx, handle, upgrading), sortBeside(ctx, handle, ""), handle.Close())
}

// sortBeside has SQLite make its temporary files in the folder of the ledger, which is ours
// alone, and where there is room for another copy of the ledger; without a path, where it
// did before. It is one folder for all connections of the program, but the others sort in
// memory.
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

// lockSuffix is that of the lock's file.
const lockSuffix = ".lock"

// lock takes the lock that is held while a database is made or brought up to date.
func lock(path string) (unlock func() error, err error) {
	lock := flock.New(path+lockSuffix, flock.SetPermissions(0o600))
	return lock.Unlock, lock.Lock()
}

// makeBeside creates a database at path, where there is none. One that a killed process
// left unfinished is created again.
func makeBeside(path string) (err error) {
	aside := path + asideSuffix
	if err := removeAside(path); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, removeAside(path)) }()
	if err := writeEmpty(aside, true); err != nil {
		return err
	}
	if err := moveNew(aside, path); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil // somebody brought one by other means
}

// asideSuffix is what the name of a database has while it is made.
const asideSuffix = ".new"

func removeAside(path string) (err error) {
	for _, suffix := range []string{"", "-journal", "-wal", "-shm"} {
		if removed := os.Remove(path + asideSuffix + suffix); !errors.Is(removed, fs.ErrNotExist) {
			err = errors.Join(err, removed)
		}
	}
	return err
}

// Sweep removes what a process left beside the database that was killed while it made
// it: a part of one, or a second name of the whole. It leaves alone what another process
// is making.
func Sweep(path string) error {
	if _, err := os.Lstat(path + asideSuffix); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	lock := flock.New(path+lockSuffix, flock.SetPermissions(0o600))
	free, err := lock.TryLock()
	if free {
		err = removeAside(path)
	}
	return errors.Join(err, lock.Close())
}

// upgrade runs all migrations that the database does not have, in one transaction:
// it takes a minute where there are millions of rows, in which readers go on with
// the old schema, and whatever ends it early leaves the database as it was.
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

// pending are the migrations after the version.
func (s schema) pending(version int) (pending []migration, err error) {
	names, err := fs.Glob(s.files, "*.sql")
	if err != nil {
		return nil, err
	}
	for _, name := range names { // by number, which migrations_test holds
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

// statements are those of a file in goose's form: each ends with a semicolon at the
// end of a line, but for those between goose's own marks. SQLite keeps the text of a schema and
// reads all of it whenever a database is opened, so comments, indents and what aligns columns
// stay in the file.
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

// noteVersions keeps goose's own table, for those who look at a ledger with its
// tools.
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

// gooseTable is where goose keeps which migrations were run.
const gooseTable = "goose_db_version"
