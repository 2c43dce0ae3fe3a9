package team

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/reviewledger/reviewledger/ledger"
)

// ErrUnreachable means that the server does not answer: later it may.
var ErrUnreachable = errors.New("the server of the team store does not answer")

// codes are SQLSTATEs with what helps.
var codes = map[string]string{
	"28P01": "put the password into the password file (~/.pgpass) or PGPASSWORD, as for psql",
	"28000": "the server refuses this role: see its pg_hba.conf",
	"3D000": "make the database first, or correct the URL",
	"42P01": "the tables are missing: its owner runs `reviewledger team migrate`",
	"3F000": "the schema is missing: its owner runs `reviewledger team migrate`",
	"42703": "the tables have another version: its owner runs `reviewledger team migrate`, or update reviewledger",
	"42501": "the role lacks rights: its owner runs `reviewledger team migrate` with --read-role or --push-role",
	"25006": "the store was opened for reading only",
	"57014": "the server ended the question because it took too long: ask for a shorter period",
	"53300": "the server has no connection left: try again later",
}

// unreadable is the error of a URL, which is said without its password.
func unreadable(err error) error {
	return fmt.Errorf("open the team store: %w; use postgres://USER@HOST/DATABASE, without the password, which comes from the password file or PGPASSWORD", err)
}

// explain adds to an error what was done, where, and what helps. What a question itself says
// of its words stays as it is.
func (s *Store) explain(ctx context.Context, doing string, err error) error {
	id, failed := (*ledger.IDError)(nil), (*pgconn.PgError)(nil)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &id):
		return id
	case ctx.Err() != nil:
		err = ctx.Err() // the rest only says that the connection was given up
	case errors.Is(err, pgx.ErrNoRows):
		err = ledger.ErrNotFound
	case errors.As(err, &failed):
		if help := codes[failed.Code]; help != "" {
			err = fmt.Errorf("%w; %s", err, help)
		}
	default:
		if lost(err) {
			err = fmt.Errorf("%w: %w", ErrUnreachable, err)
		}
	}
	return fmt.Errorf("%s: team store %s: %w", doing, s.Place(), err)
}

// lost reports whether there is no connection to the server, or none any more.
func lost(err error) bool {
	connect := (*pgconn.ConnectError)(nil)
	return errors.As(err, &connect) || pgconn.SafeToRetry(err)
}
