package team

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/reviewledger/reviewledger/ledger"
)

// ErrUnreachable means that the server does not answer, but may do so later.
var ErrUnreachable = errors.New("the server of the team store does not answer")

// errNoStore means that the tables of a team store do not exist.
var errNoStore = errors.New("it is not a team store yet")

// The SQLSTATEs that are handled.
const (
	undefinedTable       = "42P01"
	undefinedColumn      = "42703"
	invalidSchema        = "3F000"
	insufficientRights   = "42501"
	serializationFailure = "40001"
	deadlock             = "40P01"
	shutDown             = "57P01"
	crashed              = "57P02"
	startingUp           = "57P03"
)

// isCode reports whether the server sent an error with one of these codes.
func isCode(err error, codes ...string) bool {
	sent := (*pgconn.PgError)(nil)
	return errors.As(err, &sent) && slices.Contains(codes, sent.Code)
}

// codes has, by SQLSTATE, what the user can do.
var codes = map[string]string{
	"28P01": "check the role and its password, which comes from the password file (~/.pgpass) or PGPASSWORD, as for psql",
	"28000": "the server does not let this role connect from here: see its pg_hba.conf; if it asks for TLS, add sslmode=require to the URL",
	"55P03": "another process holds the lock: try again",
	"53100": "the disk of the server is full",
	"3D000": "create the database first, or correct the URL",
	"42P01": "the tables are missing: its owner runs `reviewledger team migrate`",
	"3F000": "the schema is missing: its owner runs `reviewledger team migrate`",
	"42703": "the tables have another version: its owner runs `reviewledger team migrate`, or update reviewledger",
	"42501": "the role lacks rights: its owner runs `reviewledger team migrate` with --read-role or --push-role",
	"25006": "the store was opened for reading only",
	"57014": "the server ended the query because it took too long: choose a shorter period",
	"53300": "the server has no connection left: try again later",
}

// unreadable returns the error about an invalid URL, without the password.
func unreadable(err error) error {
	return fmt.Errorf("open the team store: %w; use postgres://USER@HOST/DATABASE, without the password, which comes from the password file or PGPASSWORD", err)
}

// explain adds to an error what was being done, where, and what can be done about it. Errors in
// what was asked for are returned unchanged.
func (s *Store) explain(ctx context.Context, doing string, err error) error {
	id, failed := (*ledger.IDError)(nil), (*pgconn.PgError)(nil)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &id):
		return id
	case errors.Is(context.Cause(ctx), ErrUnreachable):
		err = fmt.Errorf("%w; %s", ErrUnreachable, remedyOf(ctx.Err()))
	case ctx.Err() != nil:
		err = ctx.Err() // the rest says only that the connection was closed
	case errors.Is(err, pgx.ErrNoRows):
		err = ledger.ErrNotFound
	case errors.As(err, &failed):
		err = failed // without all the attempts to connect
		if isCode(err, shutDown, crashed, startingUp) {
			err = fmt.Errorf("%w: %w", ErrUnreachable, err)
		}
		if help := codes[failed.Code]; help != "" {
			err = fmt.Errorf("%w; %s", err, help)
		}
	default:
		if lost(err) {
			err = fmt.Errorf("%w: %w", ErrUnreachable, err)
		}
		if help := remedyOf(err); help != "" {
			err = fmt.Errorf("%w; %s", err, help)
		}
	}
	return fmt.Errorf("%s: team store %s: %w", doing, s.Place(), err)
}

// lost reports whether the connection to the server failed or was lost.
func lost(err error) bool {
	connect, network := (*pgconn.ConnectError)(nil), (*net.OpError)(nil)
	return errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err)
}

// remedyOf returns what can be done if the connection failed, or "".
func remedyOf(err error) string {
	unknown := (*net.DNSError)(nil)
	switch said := err.Error(); {
	case errors.As(err, &unknown):
		return "correct the name of the host in the URL"
	case strings.Contains(said, "server refused TLS connection"):
		return "enable TLS on the server, or add sslmode=disable to the URL if you trust the network"
	case strings.Contains(said, "tls:"), strings.Contains(said, "x509:"):
		return "its certificate is not trusted: name the one of its issuer with sslrootcert in the URL"
	case strings.Contains(said, "connection refused"):
		return "check the host and the port, and that the server runs"
	case errors.Is(err, context.DeadlineExceeded):
		return "it did not answer in time: check the host and the port"
	}
	return ""
}
