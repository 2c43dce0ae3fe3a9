// Package team keeps the history of a team in PostgreSQL: one row a run, with its record. It pushes
// the runs of a ledger, pulls those of all ledgers into a replica, and does what only the owner of the
// store may do.
//
// A ledger decides only by its own rows: nothing in a team store affects a loop.
package team

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/oklog/ulid/v2"

	migrations "github.com/reviewledger/reviewledger/migrations/postgres"
	"github.com/reviewledger/reviewledger/queries"
)

// Store is the history of a team at an address. Each of its methods connects, and closes the connection.
type Store struct {
	replicas string // their folder, or "" for the one in the cache of this user
	config   *pgx.ConnConfig
	schema   string // of the tables
}

// defaults are the settings of a connection, unless the URL has others.
var defaults = map[string]string{
	"search_path": "reviewledger", "application_name": "reviewledger", "lock_timeout": "30s", "idle_in_transaction_session_timeout": "60s",
}

// At returns the store at a URL, which is postgres://USER@HOST/DATABASE or a list of key=value. The
// rest comes from where libpq looks: PG* variables, the service file and the password file. It does
// not connect. The folder of replicas is in the cache of this user if it is empty.
func At(url, replicas string) (*Store, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil { // it does not have the password
		return nil, fmt.Errorf("open the team store: %w; use postgres://USER@HOST/DATABASE, without the password, which comes from the password file or PGPASSWORD", err)
	}
	config.ConnectTimeout = cmp.Or(config.ConnectTimeout, 5*time.Second) // PGCONNECT_TIMEOUT is in the config
	parameters := config.RuntimeParams
	for key, value := range defaults {
		parameters[key] = cmp.Or(parameters[key], value)
	}
	parameters["timezone"], parameters["default_transaction_isolation"] = "UTC", "read committed"
	parameters["jit"] = "off" // compiling a query takes longer than our queries take
	schema := parameters["search_path"]
	if plain, _ := regexp.MatchString(`^[a-z_][a-z0-9_]{0,62}$`, schema); !plain {
		return nil, fmt.Errorf("open the team store: invalid schema %q: use lower-case letters, digits and _", schema)
	}
	return &Store{replicas, config, schema}, nil
}

// Place returns the server, the database and the schema in readable form, without a password.
func (s *Store) Place() string {
	return fmt.Sprintf("%s:%d/%s (schema %s)", s.config.Host, s.config.Port, s.config.Database, s.schema)
}

// with connects and calls do with the connection, which is for one question at a time, and with the ID of
// the store, a ULID. What collects the rows of a query also returns the query's error. Without write, the
// server refuses every change.
func (s *Store) with(ctx context.Context, doing string, write bool, do func(conn *pgx.Conn, id string) error) error {
	config := s.config.Copy()
	if parameters := config.RuntimeParams; !write {
		parameters["default_transaction_read_only"] = "on"
		parameters["statement_timeout"] = cmp.Or(parameters["statement_timeout"], "60s")
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return s.explain(ctx, doing, true, err)
	}
	defer func() { _ = conn.Close(ctx) }() // what was written is committed
	id, err := s.check(ctx, conn, write)
	if err == nil {
		err = do(conn, id)
	}
	return s.explain(ctx, doing, conn.IsClosed(), err)
}

// check makes sure that the versions of this program and of the tables match. It returns the ID of the store.
func (s *Store) check(ctx context.Context, conn *pgx.Conn, write bool) (id string, err error) {
	var version, minWriter int
	err = conn.QueryRow(ctx, statement("schema state")).Scan(&version, &minWriter, &id)
	switch {
	case err != nil:
		return "", err
	case version < migrations.Latest():
		return "", fmt.Errorf("open: team store %s: its tables have version %d, and this program needs %d: its owner upgrades them with `reviewledger team migrate`", s.Place(), version, migrations.Latest())
	case write && minWriter > migrations.Latest():
		return "", fmt.Errorf("open: team store %s: to write to it, a program must know version %d of its tables, and this one knows %d: update reviewledger", s.Place(), minWriter, migrations.Latest())
	}
	if _, err := ulid.ParseStrict(id); err != nil { // it names a file
		return "", fmt.Errorf("open: team store %s: its ID %q is not a ULID: its owner runs `reviewledger team migrate`", s.Place(), id)
	}
	return id, nil
}

// statement returns the statement of queries/postgres with this name.
func statement(name string) string { return queries.Team()[name] }

// ErrUnreachable means that the server does not answer, but may do so later.
var ErrUnreachable = errors.New("the server of the team store does not answer")

// remedies has, by a pattern in the text of an error, what the user can do. The first one counts.
var remedies = []struct{ pattern, help string }{
	{"SQLSTATE 28P01", "check the role and its password, which comes from the password file (~/.pgpass) or PGPASSWORD, as for psql"},
	{"SQLSTATE 28000", "the server does not let this role connect from here: see its pg_hba.conf; if it asks for TLS, add sslmode=require to the URL"},
	{"SQLSTATE (42P01|3F000)", "it is not a team store yet, or this role may not see it: its owner runs `reviewledger team migrate`, with --push-role or --read-role for other roles"},
	{"SQLSTATE 42703", "the tables have another version: its owner runs `reviewledger team migrate`, or update reviewledger"},
	{"for database .*SQLSTATE 42501", "the schema does not exist, and only the owner of the database can create it: CREATE SCHEMA … AUTHORIZATION …"},
	{"SQLSTATE 42501", "only the owner of the schema can migrate and delete: for other roles, the owner runs `reviewledger team migrate` with --push-role or --read-role"},
	{"SQLSTATE 55P03", "another process holds the lock: try again"},
	{"SQLSTATE 57014", "the server ended the query because it took too long: choose a shorter period"},
	{"server refused TLS connection", "enable TLS on the server, or add sslmode=disable to the URL if you trust the network"},
	{"tls:|x509:", "its certificate is not trusted: name the one of its issuer with sslrootcert in the URL"},
	{"connection refused", "check the host and the port, and that the server runs"},
	{"deadline exceeded|i/o timeout", "it did not answer in time: check the host and the port"},
}

// explain adds to an error of the server, or of a lost connection, what was being done, where, and what can
// be done about it. Other errors are returned unchanged.
func (s *Store) explain(ctx context.Context, doing string, lost bool, err error) error {
	sent := (*pgconn.PgError)(nil)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s: team store %s: %w", doing, s.Place(), ctx.Err()) // the rest says only that the connection was closed
	case errors.As(err, &sent) && !strings.HasPrefix(sent.Code, "57P"):
		err = sent // without all the attempts to connect
	case sent != nil, lost: // it stops, is starting, or does not answer
		attempts := slices.Compact(strings.Split(err.Error(), "\n\t")) // with and without TLS
		err = fmt.Errorf("%w: %s", ErrUnreachable, strings.Join(attempts, " "))
	default:
		return err
	}
	for _, remedy := range remedies {
		if is, _ := regexp.MatchString(remedy.pattern, err.Error()); is {
			err = fmt.Errorf("%w; %s", err, remedy.help)
			break
		}
	}
	return fmt.Errorf("%s: team store %s: %w", doing, s.Place(), err)
}
