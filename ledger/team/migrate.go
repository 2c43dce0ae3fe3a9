package team

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"regexp"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/oklog/ulid/v2"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

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
	// Rights are the statements that grant roles their rights. They were executed if Given is set.
	Rights []string
	Given  bool
}

// placeholders stand in for roles that were not named.
var placeholders = Roles{Push: "PUSH_ROLE", Read: "READ_ROLE"}

// Migrate creates or updates the tables, and grants the roles their rights. Only
// the owner of the schema can do this. If two processes do it at once, one waits.
func Migrate(ctx context.Context, o Options, roles Roles) (Migrated, error) {
	return migrate(ctx, o, roles, migrations.FS)
}

// migrate is [Migrate] with the given migrations.
func migrate(ctx context.Context, o Options, roles Roles, files fs.FS) (_ Migrated, err error) {
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
		return m, s.explain(ctx, "migrate", err)
	}
	if _, err := s.pool.Exec(ctx, statement("name store"), pgx.NamedArgs{"id": ulid.Make().String()}); err != nil {
		return m, s.explain(ctx, "migrate", err)
	}
	return m, s.grant(ctx, roles, &m)
}

// ensureSchema creates the schema if it does not exist, and makes sure that this role owns it.
func (s *Store) ensureSchema(ctx context.Context) error {
	var owner, me string
	var mine bool
	err := s.pool.QueryRow(ctx, statement("schema owner"), pgx.NamedArgs{"schema": s.schema}).Scan(&owner, &me, &mine)
	if errors.Is(err, pgx.ErrNoRows) {
		_, err = s.pool.Exec(ctx, named("make schema", map[string]string{"schema": s.schema}))
		if isCode(err, insufficientRights) {
			return fmt.Errorf("migrate: team store %s: the role may not make the schema: let the owner of the database make it for this role (CREATE SCHEMA %s AUTHORIZATION …), or migrate as that owner", s.Place(), s.schema)
		}
		return s.explain(ctx, "migrate", err)
	}
	if err == nil && !mine {
		return fmt.Errorf("migrate: team store %s: the schema belongs to role %q, and this is %q: only its owner can migrate it", s.Place(), owner, me)
	}
	return s.explain(ctx, "migrate", err)
}

// goose applies the migrations that the schema does not have yet, under goose's session lock, and
// returns the version before and after.
func (s *Store) goose(ctx context.Context, files fs.FS) (from, to int, err error) {
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return 0, 0, err
	}
	handle := stdlib.OpenDBFromPool(s.pool)
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
	m.Given = roles != Roles{}
	if !m.Given {
		roles = placeholders
	}
	add := func(role, rights string) {
		if role != "" {
			given := named(rights, map[string]string{"schema": s.schema, "role": role})
			m.Rights = append(m.Rights, strings.Split(given, ";\n")...)
		}
	}
	add(roles.Push, "rights to push")
	add(roles.Read, "rights to read")
	if !m.Given {
		return nil
	}
	return s.explain(ctx, "give rights on", pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		for _, right := range m.Rights {
			if _, err := tx.Exec(ctx, right); err != nil {
				return err
			}
		}
		return nil
	}))
}

// parameter matches the name of a parameter in a statement.
var parameter = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`@\w+`) })

// named replaces the parameters of a statement by names of schemas, roles and databases, which
// cannot be sent as values.
func named(name string, identifiers map[string]string) string {
	_, text, _ := strings.Cut(statement(name), "\n")
	return parameter().ReplaceAllStringFunc(strings.TrimSpace(text), func(parameter string) string {
		return pgx.Identifier{identifiers[parameter[1:]]}.Sanitize()
	})
}
