package push

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/reviewledger/reviewledger/ledger/team"
	migrations "github.com/reviewledger/reviewledger/migrations/postgres"
)

// Roles are the roles that are granted rights.
type Roles struct {
	// Push may add and change rows, and Read may read them. If a field is empty, nobody is granted
	// that right.
	Push, Read string
}

// Migrated is the result of a migration.
type Migrated struct {
	// Place is the server, the database and the schema in readable form.
	Place string
	// From and To are versions of the schema. From is 0 if there was none.
	From, To int
	// Counted is set if all figures were computed again.
	Counted bool
	// Rights are the statements that grant roles their rights. They were executed if Given is set.
	Rights []string
	Given  bool
}

// placeholders stand in for roles that were not named.
var placeholders = Roles{Push: "PUSH_ROLE", Read: "READ_ROLE"}

// Migrate creates or updates the tables and the figures, and grants the roles their rights. Only
// the owner of the schema can do this. If two processes do it at once, one waits.
func Migrate(ctx context.Context, o team.Options, roles Roles) (Migrated, error) {
	return migrate(ctx, o, roles, migrations.FS)
}

// migrate is [Migrate] with the given migrations.
func migrate(ctx context.Context, o team.Options, roles Roles, files fs.FS) (_ Migrated, err error) {
	o.Write = true
	s, err := Open(ctx, o)
	if err != nil {
		return Migrated{}, err
	}
	defer s.Close()
	m := Migrated{Place: s.Place()}
	if err := s.ensureSchema(ctx); err != nil {
		return m, err
	}
	if m.From, m.To, err = s.goose(ctx, files); err != nil {
		return m, s.Explain(ctx, "migrate", err)
	}
	var version, minWriter, figures int
	if err := s.Pool.QueryRow(ctx, statement("schema state")).Scan(&version, &minWriter, &figures); err != nil {
		return m, s.Explain(ctx, "migrate", err)
	}
	if figures != team.FiguresVersion {
		if err := s.MakeFigures(ctx); err != nil {
			return m, err
		}
		m.Counted = figures != 0
	}
	return m, s.grant(ctx, roles, &m)
}

// ensureSchema creates the schema if it does not exist, and makes sure that this role owns it.
func (s *Store) ensureSchema(ctx context.Context) error {
	var owner, me string
	var mine bool
	err := s.Pool.QueryRow(ctx, statement("schema owner"), pgx.NamedArgs{"schema": s.SchemaName}).Scan(&owner, &me, &mine)
	if errors.Is(err, pgx.ErrNoRows) {
		_, err = s.Pool.Exec(ctx, named("make schema", map[string]string{"schema": s.SchemaName}))
		if team.IsCode(err, team.InsufficientRights) {
			return fmt.Errorf("migrate: team store %s: the role may not make the schema: let the owner of the database make it for this role (CREATE SCHEMA %s AUTHORIZATION …), or migrate as that owner", s.Place(), s.SchemaName)
		}
		return s.Explain(ctx, "migrate", err)
	}
	if err == nil && !mine {
		return fmt.Errorf("migrate: team store %s: the schema belongs to role %q, and this is %q: only its owner can migrate it", s.Place(), owner, me)
	}
	return s.Explain(ctx, "migrate", err)
}

// goose applies the migrations that the schema does not have yet, under goose's session lock, and
// returns the version before and after.
func (s *Store) goose(ctx context.Context, files fs.FS) (from, to int, err error) {
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return 0, 0, err
	}
	handle := stdlib.OpenDBFromPool(s.Pool)
	defer func() { err = errors.Join(err, handle.Close()) }()
	provider, err := goose.NewProvider(goose.DialectPostgres, handle, files,
		goose.WithSessionLocker(locker), goose.WithSlog(slog.New(slog.DiscardHandler)))
	if err != nil {
		return 0, 0, err
	}
	had, has, err := provider.GetVersions(ctx)
	if err != nil {
		return 0, 0, err
	}
	_, err = provider.Up(ctx)
	return int(had), int(has), err
}

// grant grants the roles their rights. If none are named, it only returns the statements, with
// placeholders.
func (s *Store) grant(ctx context.Context, roles Roles, m *Migrated) error {
	var database string
	if err := s.Pool.QueryRow(ctx, statement("database")).Scan(&database); err != nil {
		return s.Explain(ctx, "migrate", err)
	}
	m.Given = roles != Roles{}
	if !m.Given {
		roles = placeholders
	}
	add := func(role, rights string) {
		if role != "" {
			given := named(rights, map[string]string{"schema": s.SchemaName, "role": role, "database": database})
			m.Rights = append(m.Rights, strings.Split(given, ";\n")...)
		}
	}
	add(roles.Push, "rights to push")
	add(roles.Read, "rights to read")
	if !m.Given {
		return nil
	}
	return s.Explain(ctx, "give rights on", pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		for _, right := range m.Rights {
			if _, err := tx.Exec(ctx, right); err != nil {
				return err
			}
		}
		return nil
	}))
}
