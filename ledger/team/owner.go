package team

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/oklog/ulid/v2"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/reviewledger/reviewledger/ledger"
	migrations "github.com/reviewledger/reviewledger/migrations/postgres"
)

// Roles are the roles that are granted rights: Push may add and change runs, and Read may read. If a
// field is empty, nobody is granted that right.
type Roles struct {
	Push string `json:"push_role"`
	Read string `json:"read_role"`
}

// Migrated is the result of a migration. docs/json.md has its keys.
type Migrated struct {
	Store   string `json:"store"`
	Version int64  `json:"version"` // of the tables
	Roles
}

// Lines returns the result for people.
func (m Migrated) Lines() []string {
	lines := []string{fmt.Sprintf("The team store %s has version %d of its tables.", m.Store, m.Version)}
	if m.Roles == (Roles{}) {
		lines = append(lines, "No role was given rights: name those that push and read with --push-role and --read-role.")
	}
	return lines
}

// Migrate creates or updates the tables, and grants the roles their rights. Only the owner of the schema
// can do this. If two processes do it at once, one waits.
func (s *Store) Migrate(ctx context.Context, roles Roles) (m Migrated, err error) {
	defer func() { err = s.explain(ctx, "migrate", errors.As(err, new(*pgconn.ConnectError)), err) }()
	handle := stdlib.OpenDB(*s.config)
	defer func() { err = errors.Join(err, handle.Close()) }()
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return m, err
	}
	if _, err := handle.ExecContext(ctx, s.named("make schema", "")); err != nil {
		return m, err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, handle, migrations.FS,
		goose.WithSessionLocker(locker), goose.WithSlog(slog.New(slog.DiscardHandler)))
	if err != nil {
		return m, err
	}
	if _, err := provider.Up(ctx); err != nil {
		return m, err
	}
	m.Store, m.Roles = s.Place(), roles
	if m.Version, err = provider.GetDBVersion(ctx); err != nil {
		return m, err
	}
	todo := s.named("name store", "")
	if roles.Push != "" {
		todo += s.named("rights to push", roles.Push)
	}
	if roles.Read != "" {
		todo += s.named("rights to read", roles.Read)
	}
	_, err = handle.ExecContext(ctx, todo) // in one transaction
	return m, err
}

// named returns statements with the names of the schema, of a role and of a new store, which cannot all
// be sent as values.
func (s *Store) named(name, role string) string {
	return strings.NewReplacer("@schema", pgx.Identifier{s.schema}.Sanitize(), "@role", pgx.Identifier{role}.Sanitize(), "@id", ulid.Make().String()).Replace(statement(name)) + ";\n"
}

// Deletion is what is to be deleted for good: the run with this ID, the runs of the repository with
// this key, or the runs that started before the time. One of the fields is set.
type Deletion struct {
	Run, Repository string
	Before          *time.Time
}

// Delete deletes runs and leaves a tombstone, so that no push brings them back, in one transaction. It
// returns how many runs were deleted. The ID of the run may be shortened. Before, it calls agree with
// the number of runs. Pushes wait while it deletes. Only the owner of the schema can do this.
func (s *Store) Delete(ctx context.Context, d Deletion, agree func(runs int) error) (runs int, err error) {
	err = s.with(ctx, "delete from", true, func(conn *pgx.Conn, _ string) error {
		args := pgx.NamedArgs{"run": d.Run, "repository": d.Repository, "before": d.Before}
		rows, _ := conn.Query(ctx, statement("selected runs"), args)
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		switch {
		case err != nil:
			return err
		case d.Run != "" && len(found) != 1:
			return &ledger.IDError{Kind: "run", ID: d.Run, Matches: found[:min(3, len(found))]}
		case d.Run != "":
			args["run"] = found[0]
		case d.Repository != "" && len(found) == 0:
			return fmt.Errorf("team store %s: it has no repository %q (`reviewledger runs --team --format json` shows the keys)", s.Place(), d.Repository)
		}
		if err := agree(len(found)); err != nil {
			return err
		}
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, statement("stop pushes")); err != nil {
				return err
			}
			return tx.QueryRow(ctx, statement("delete runs"), args).Scan(&runs)
		})
	})
	return runs, err
}
