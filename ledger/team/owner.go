package team

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/oklog/ulid/v2"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/reviewledger/reviewledger/ledger"
	migrations "github.com/reviewledger/reviewledger/migrations/postgres"
)

// Roles are the roles that are granted rights: Push may add and change runs, and Read may read. If a
// field is empty, nobody is granted that right.
type Roles struct{ Push, Read string }

// Migrated is the result of a migration. docs/json.md has its keys.
type Migrated struct {
	Store   string `json:"store"`
	Version int64  `json:"version"` // of the tables
	// Rights are the statements that grant roles their rights. They were executed if Given is set.
	Rights []string `json:"rights"`
	Given  bool     `json:"given"`
}

// Lines returns the result for people.
func (m Migrated) Lines() []string {
	heading := "Rights that were given:"
	if !m.Given {
		heading = "Give the roles their rights, as the owner (or run this again with --push-role and --read-role):"
	}
	return append([]string{fmt.Sprintf("The team store %s has version %d of its tables.", m.Store, m.Version), "", heading}, m.Rights...)
}

// Migrate creates or updates the tables, and grants the roles their rights. If none are named, it only
// returns the statements that do so, with placeholders. Only the owner of the schema can do this. If two
// processes do it at once, one waits.
func (s *Store) Migrate(ctx context.Context, roles Roles) (m Migrated, err error) {
	defer func() {
		if codeOf(err) == insufficientRights {
			err = fmt.Errorf("migrate: team store %s: only the owner of the schema can do this; if it does not exist, the owner of the database makes it: CREATE SCHEMA %s AUTHORIZATION …", s.Place(), s.schema)
		}
		err = s.explain(ctx, "migrate", err)
	}()
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
	if m.Version, err = provider.GetDBVersion(ctx); err != nil {
		return m, err
	}
	if m.Given = roles != (Roles{}); !m.Given {
		roles = Roles{Push: "PUSH_ROLE", Read: "READ_ROLE"}
	}
	var rights string
	if roles.Push != "" {
		rights += s.named("rights to push", roles.Push)
	}
	if roles.Read != "" {
		rights += s.named("rights to read", roles.Read)
	}
	m.Store, m.Rights = s.Place(), strings.Split(strings.TrimSpace(rights), "\n")
	todo := s.named("name store", "")
	if m.Given {
		todo += rights
	}
	_, err = handle.ExecContext(ctx, todo) // in one transaction
	return m, err
}

// named returns statements with the names of the schema, of a role and of a new store, which cannot all
// be sent as values.
func (s *Store) named(name, role string) string {
	_, text, _ := strings.Cut(statement(name), "\n")
	return strings.NewReplacer("@schema", pgx.Identifier{s.schema}.Sanitize(), "@role", pgx.Identifier{role}.Sanitize(), "@id", ulid.Make().String()).Replace(text) + ";\n"
}

// Deletion is what is to be deleted for good: the run with this ID, the runs of the repository with
// this key, or the runs that started before the time. One of the fields is set.
type Deletion struct {
	Run, Repository string
	Before          *time.Time
}

func (d Deletion) args() pgx.NamedArgs {
	args := pgx.NamedArgs{"before": d.Before} // what is not set is NULL
	if d.Run != "" {
		args["run"] = d.Run
	}
	if d.Repository != "" {
		args["repository"] = d.Repository
	}
	return args
}

// Delete deletes runs and leaves a tombstone, so that no push brings them back, in one transaction. It
// returns how many runs were deleted. The ID of the run may be shortened. Before, it calls agree with
// the number of runs. Pushes wait while it deletes. Only the owner of the schema can do this.
func (s *Store) Delete(ctx context.Context, d Deletion, agree func(runs int) error) (runs int, err error) {
	defer func() { err = s.explain(ctx, "delete from", err) }()
	rows, _ := s.conn.Query(ctx, statement("selected runs"), d.args())
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	switch {
	case err != nil:
		return 0, err
	case d.Run != "" && len(found) != 1:
		return 0, &ledger.IDError{Kind: "run", ID: d.Run, Matches: found[:min(3, len(found))]}
	case d.Run != "":
		d.Run = found[0]
	case d.Repository != "" && len(found) == 0:
		return 0, fmt.Errorf("team store %s: it has no repository %q (`reviewledger runs --team --format json` shows the keys)", s.Place(), d.Repository)
	}
	if err := agree(len(found)); err != nil {
		return 0, err
	}
	err = pgx.BeginFunc(ctx, s.conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, statement("stop pushes"))
		if err == nil {
			_, err = tx.Exec(ctx, statement("bury"), d.args())
		}
		if err != nil {
			return err
		}
		deleted, err := tx.Exec(ctx, statement("delete runs"), d.args())
		runs = int(deleted.RowsAffected())
		return err
	})
	if codeOf(err) == insufficientRights {
		err = errors.New("delete from team store " + s.Place() + ": only the owner of its schema can delete")
	}
	return runs, err
}
