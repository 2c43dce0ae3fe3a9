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
	"io"
	"net"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/oklog/ulid/v2"

	migrations "github.com/reviewledger/reviewledger/migrations/postgres"
	"github.com/reviewledger/reviewledger/queries"
)

// defaultSchema is the schema of the tables, unless the URL has a search_path.
const defaultSchema = "reviewledger"

// Store is the history of a team. It has one connection, for one question at a time. What collects the
// rows of a query also returns the query's error.
type Store struct {
	replicas string // their folder, or "" for the one in the cache of this user
	config   *pgx.ConnConfig
	schema   string // of the tables
	conn     *pgx.Conn
	id       string // a ULID
}

// connecting is how long we wait for a server, unless PGCONNECT_TIMEOUT or the URL say otherwise.
const connecting = 5 * time.Second

// settings are those of a connection, unless the URL has others.
var settings = map[string]string{"application_name": "reviewledger", "lock_timeout": "30s", "idle_in_transaction_session_timeout": "60s"}

// At returns the store at a URL, which is postgres://USER@HOST/DATABASE or a list of key=value. The
// rest comes from where libpq looks: PG* variables, the service file and the password file. It does
// not connect. The folder of replicas is in the cache of this user if it is empty.
func At(url, replicas string) (*Store, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil { // it does not have the password
		return nil, fmt.Errorf("open the team store: %w; use postgres://USER@HOST/DATABASE, without the password, which comes from the password file or PGPASSWORD", err)
	}
	parameters := config.RuntimeParams
	schema := cmp.Or(parameters["search_path"], defaultSchema)
	if plain, _ := regexp.MatchString(`^[a-z_][a-z0-9_]{0,62}$`, schema); !plain {
		return nil, fmt.Errorf("open the team store: invalid schema %q: use lower-case letters, digits and _", schema)
	}
	config.ConnectTimeout = cmp.Or(config.ConnectTimeout, connecting)
	for key, value := range settings {
		parameters[key] = cmp.Or(parameters[key], value)
	}
	parameters["search_path"], parameters["timezone"] = schema, "UTC"
	parameters["default_transaction_isolation"] = "read committed"
	parameters["jit"] = "off" // compiling a query takes longer than our queries take
	return &Store{replicas: replicas, config: config, schema: schema}, nil
}

// Place returns the server, the database and the schema in readable form, without a password.
func (s *Store) Place() string {
	return fmt.Sprintf("%s:%d/%s (schema %s)", s.config.Host, s.config.Port, s.config.Database, s.schema)
}

// Connect connects, and makes sure that the versions of this program and of the tables match. Without
// write, the server refuses every change.
func (s *Store) Connect(ctx context.Context, write bool) (err error) {
	defer func() { err = s.explain(ctx, "open", err) }()
	if !write {
		parameters := s.config.RuntimeParams
		parameters["default_transaction_read_only"] = "on"
		parameters["statement_timeout"] = cmp.Or(parameters["statement_timeout"], "60s")
	}
	if s.conn, err = pgx.ConnectConfig(ctx, s.config); err != nil {
		return err
	}
	var version, minWriter int
	err = s.conn.QueryRow(ctx, statement("schema state")).Scan(&version, &minWriter, &s.id)
	switch {
	case err != nil:
		return err
	case version < migrations.Latest():
		return fmt.Errorf("open: team store %s: its tables have version %d, and this program needs %d: its owner upgrades them with `reviewledger team migrate`", s.Place(), version, migrations.Latest())
	case write && minWriter > migrations.Latest():
		return fmt.Errorf("open: team store %s: to write to it, a program must know version %d of its tables, and this one knows %d: update reviewledger", s.Place(), minWriter, migrations.Latest())
	}
	if _, err := ulid.ParseStrict(s.id); err != nil {
		return fmt.Errorf("open: team store %s: its ID %q is not a ULID: its owner runs `reviewledger team migrate`", s.Place(), s.id)
	}
	return nil
}

// Close closes the connection, if there is one. It does not wait long for a server that does not
// answer.
func (s *Store) Close() {
	if s.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = s.conn.Close(ctx) // what was written is committed
}

// statement returns the statement of queries/postgres with this name.
func statement(name string) string { return queries.Team()[name] }

// ErrUnreachable means that the server does not answer, but may do so later.
var ErrUnreachable = errors.New("the server of the team store does not answer")

// insufficientRights is the SQLSTATE of a role that may not do what it tried.
const insufficientRights = "42501"

const noStore = "it is not a team store yet, or this role may not see it: its owner runs `reviewledger team migrate`, with --push-role or --read-role for other roles"

// remedies has, by what the text of an error contains, what the user can do. The first one counts.
var remedies = []struct{ text, help string }{
	{"SQLSTATE 28P01", "check the role and its password, which comes from the password file (~/.pgpass) or PGPASSWORD, as for psql"},
	{"SQLSTATE 28000", "the server does not let this role connect from here: see its pg_hba.conf; if it asks for TLS, add sslmode=require to the URL"},
	{"SQLSTATE 3D000", "create the database first, or correct the URL"},
	{"SQLSTATE 42P01", noStore},
	{"SQLSTATE 3F000", noStore},
	{"SQLSTATE 42703", "the tables have another version: its owner runs `reviewledger team migrate`, or update reviewledger"},
	{"SQLSTATE " + insufficientRights, "the role lacks rights: its owner runs `reviewledger team migrate` with --read-role or --push-role"},
	{"SQLSTATE 55P03", "another process holds the lock: try again"},
	{"SQLSTATE 57014", "the server ended the query because it took too long: choose a shorter period"},
	{"SQLSTATE 53300", "the server has no connection left: try again later"},
	{"hostname resolving error", "correct the name of the host in the URL"},
	{"server refused TLS connection", "enable TLS on the server, or add sslmode=disable to the URL if you trust the network"},
	{"tls:", "its certificate is not trusted: name the one of its issuer with sslrootcert in the URL"},
	{"x509:", "its certificate is not trusted: name the one of its issuer with sslrootcert in the URL"},
	{"connection refused", "check the host and the port, and that the server runs"},
	{"deadline exceeded", "it did not answer in time: check the host and the port"},
	{"i/o timeout", "it did not answer in time: check the host and the port"},
}

// codeOf returns the SQLSTATE of an error that the server sent, or "".
func codeOf(err error) string {
	if sent := (*pgconn.PgError)(nil); errors.As(err, &sent) {
		return sent.Code
	}
	return ""
}

// explain adds to an error of the server or the connection what was being done, where, and what can be
// done about it. Other errors are returned unchanged.
func (s *Store) explain(ctx context.Context, doing string, err error) error {
	sent := (*pgconn.PgError)(nil)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s: team store %s: %w", doing, s.Place(), ctx.Err()) // the rest says only that the connection was closed
	case errors.As(err, &sent) && !strings.HasPrefix(sent.Code, "57P"):
		err = sent // without all the attempts to connect
	case sent != nil: // it stops, or is starting
		err = fmt.Errorf("%w: %w", ErrUnreachable, sent)
	case isLost(err):
		err = fmt.Errorf("%w: %w", ErrUnreachable, err)
	default:
		return err
	}
	for _, remedy := range remedies {
		if strings.Contains(err.Error(), remedy.text) {
			err = fmt.Errorf("%w; %s", err, remedy.help)
			break
		}
	}
	return fmt.Errorf("%s: team store %s: %w", doing, s.Place(), err)
}

// isLost reports whether the connection to the server failed or was lost.
func isLost(err error) bool {
	connect, network := (*pgconn.ConnectError)(nil), (*net.OpError)(nil)
	return errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err)
}
