package team

import (
	"context"
	"fmt"
	"regexp"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/oklog/ulid/v2"

	migrations "github.com/reviewledger/reviewledger/migrations/postgres"
	"github.com/reviewledger/reviewledger/queries"
)

// defaultSchema is the schema of the tables, unless the URL has a search_path.
const defaultSchema = "reviewledger"

// Options describe which store is opened, and how.
type Options struct {
	// URL is postgres://USER@HOST/DATABASE, or a list of key=value. The rest comes from where libpq
	// looks: PG* variables, the service file and the password file.
	URL string
	// Schema is the schema of the tables; "" means the search_path of the URL, or defaultSchema.
	Schema string
	// Write allows changes. Without it, the server refuses every change.
	Write bool
}

// Store is the history of a team. It is safe for concurrent use.
type Store struct {
	pool   *pgxpool.Pool
	schema string // of the tables
	write  bool
	// place is the server and the database in readable form, without a password.
	place string
}

// Limits of how long we wait for a server, and of how long we make others wait.
const (
	connecting = 5 * time.Second
	answering  = "60s"
	locking    = "30s"
	idling     = "60s"
)

// schemaName matches a name that does not need quotes.
var schemaName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z_][a-z0-9_]{0,62}$`) })

// Open prepares a store. It does not connect; the first question does.
func Open(ctx context.Context, o Options) (*Store, error) {
	config, err := pgxpool.ParseConfig(o.URL)
	if err != nil {
		return nil, unreadable(err)
	}
	schema := o.Schema
	if schema == "" {
		schema = config.ConnConfig.RuntimeParams["search_path"]
	}
	if schema == "" {
		schema = defaultSchema
	}
	if !schemaName().MatchString(schema) {
		return nil, fmt.Errorf("open the team store: invalid schema %q: use lower-case letters, digits and _", schema)
	}
	config.MaxConns, config.MinConns = 1, 0
	config.MaxConnIdleTime = time.Minute
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connecting
	}
	parameters := config.ConnConfig.RuntimeParams
	for key, value := range map[string]string{
		"application_name":                    "reviewledger",
		"lock_timeout":                        locking,
		"idle_in_transaction_session_timeout": idling,
	} {
		if parameters[key] == "" {
			parameters[key] = value
		}
	}
	parameters["search_path"], parameters["timezone"] = schema, "UTC"
	parameters["jit"] = "off" // compiling a query takes longer than our queries take
	if !o.Write {
		parameters["default_transaction_read_only"] = "on"
		if parameters["statement_timeout"] == "" {
			parameters["statement_timeout"] = answering
		}
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, unreadable(err)
	}
	c := config.ConnConfig
	return &Store{pool: pool, schema: schema, write: o.Write, place: fmt.Sprintf("%s:%d/%s", c.Host, c.Port, c.Database)}, nil
}

// closing is how long closing may take if a server does not answer.
const closing = time.Second

// Close closes all connections. It does not wait long for them to end.
func (s *Store) Close() {
	closed := make(chan struct{})
	go func() {
		s.pool.Close()
		close(closed)
	}()
	timer := time.NewTimer(closing)
	defer timer.Stop()
	select {
	case <-closed:
	case <-timer.C:
	}
}

// Place returns the server, the database and the schema in readable form, without a password.
func (s *Store) Place() string { return s.place + " (schema " + s.schema + ")" }

// Check connects, and makes sure that the versions of this program and of the tables match. It
// returns the ID of the store, a ULID.
func (s *Store) Check(ctx context.Context) (id string, err error) {
	var version, minWriter int
	err = s.pool.QueryRow(ctx, statement("schema state")).Scan(&version, &minWriter, &id)
	switch {
	case isCode(err, undefinedTable, undefinedColumn, invalidSchema):
		return "", fmt.Errorf("%s: %w, or this role may not see it: its owner runs `reviewledger team migrate`, with --push-role or --read-role for other roles", s.Place(), errNoStore)
	case err != nil:
		return "", s.explain(ctx, "open", err)
	case version < migrations.Latest():
		return "", fmt.Errorf("open: team store %s: its tables have version %d, and this program needs %d: its owner upgrades them with `reviewledger team migrate`", s.Place(), version, migrations.Latest())
	case s.write && minWriter > migrations.Latest():
		return "", fmt.Errorf("open: team store %s: to write to it, a program must know version %d of its tables, and this one knows %d: update reviewledger", s.Place(), minWriter, migrations.Latest())
	}
	if _, err := ulid.ParseStrict(id); err != nil {
		return "", fmt.Errorf("open: team store %s: its ID %q is not a ULID: its owner runs `reviewledger team migrate`", s.Place(), id)
	}
	return id, nil
}

// statement returns the statement of queries/postgres with this name.
func statement(name string) string {
	text, known := queries.Team()[name]
	if !known {
		panic(fmt.Sprintf("there is not a statement %q", name))
	}
	return text
}
