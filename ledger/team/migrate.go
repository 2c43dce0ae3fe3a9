package team

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/oklog/ulid/v2"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	migrations "github.com/reviewledger/reviewledger/migrations/postgres"
)

// Roles are the roles that are granted rights: Push may add and change runs, and Read may read. If a
// field is empty, nobody is granted that right.
type Roles struct{ Push, Read string }

// placeholders stand in for roles if none are named.
var placeholders = Roles{Push: "PUSH_ROLE", Read: "READ_ROLE"}

// Migrated is the result of a migration.
type Migrated struct {
	// From and To are versions of the schema. From is 0 if there was none.
	From, To int
	// Rights are the statements that grant roles their rights. They were executed if Given is set.
	Rights string
	Given  bool
}

// Migrate creates or updates the tables, and grants the roles their rights. Only
// the owner of the schema can do this. If two processes do it at once, one waits.
func (s *Store) Migrate(ctx context.Context, roles Roles) (m Migrated, err error) {
	defer func() { err = s.explain(ctx, "migrate", err) }()
	if err := s.connect(ctx); err != nil {
		return m, err
	}
	if err := s.ensureSchema(ctx); err != nil {
		return m, err
	}
	if m.From, m.To, err = s.goose(ctx); err != nil {
		return m, err
	}
	if _, err := s.conn.Exec(ctx, statement("name store"), pgx.NamedArgs{"id": ulid.Make().String()}); err != nil {
		return m, err
	}
	if m.Given = roles != (Roles{}); !m.Given {
		roles = placeholders
	}
	if roles.Push != "" {
		m.Rights += s.named("rights to push", roles.Push)
	}
	if roles.Read != "" {
		m.Rights += s.named("rights to read", roles.Read)
	}
	if m.Given {
		_, err = s.conn.Exec(ctx, m.Rights) // in one transaction
	}
	return m, err
}

// ensureSchema creates the schema if it does not exist, and makes sure that this role owns it.
func (s *Store) ensureSchema(ctx context.Context) error {
	var owner, me string
	var mine bool
	err := s.conn.QueryRow(ctx, statement("schema owner"), pgx.NamedArgs{"schema": s.schema}).Scan(&owner, &me, &mine)
	if errors.Is(err, pgx.ErrNoRows) {
		_, err = s.conn.Exec(ctx, s.named("make schema", ""))
		if codeOf(err) == insufficientRights {
			return fmt.Errorf("migrate: team store %s: the role may not make the schema: let the owner of the database make it for this role (CREATE SCHEMA %s AUTHORIZATION …), or migrate as that owner", s.Place(), s.schema)
		}
	} else if err == nil && !mine {
		return fmt.Errorf("migrate: team store %s: the schema belongs to role %q, and this is %q: only its owner can migrate it", s.Place(), owner, me)
	}
	return err
}

// goose applies the migrations that the schema does not have yet, under goose's session lock, and
// returns the version before and after.
func (s *Store) goose(ctx context.Context) (from, to int, err error) {
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return 0, 0, err
	}
	handle := stdlib.OpenDB(*s.config)
	defer func() { err = errors.Join(err, handle.Close()) }()
	provider, err := goose.NewProvider(goose.DialectPostgres, handle, migrations.FS,
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

// named returns statements with the names of the schema and of a role, which cannot be sent as values.
func (s *Store) named(name, role string) string {
	_, text, _ := strings.Cut(statement(name), "\n")
	return strings.NewReplacer("@schema", pgx.Identifier{s.schema}.Sanitize(), "@role", pgx.Identifier{role}.Sanitize()).Replace(text) + ";\n"
}
