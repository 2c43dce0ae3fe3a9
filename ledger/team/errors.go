package team

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrUnreachable means that the server does not answer, but may do so later.
var ErrUnreachable = errors.New("the server of the team store does not answer")

// insufficientRights is the SQLSTATE of a role that may not do what it tried.
const insufficientRights = "42501"

const noStore = "it is not a team store yet, or this role may not see it: its owner runs `reviewledger team migrate`, with --push-role or --read-role for other roles"

// codes has, by SQLSTATE, what the user can do.
var codes = map[string]string{
	"28P01":            "check the role and its password, which comes from the password file (~/.pgpass) or PGPASSWORD, as for psql",
	"28000":            "the server does not let this role connect from here: see its pg_hba.conf; if it asks for TLS, add sslmode=require to the URL",
	"3D000":            "create the database first, or correct the URL",
	"42P01":            noStore,
	"3F000":            noStore,
	"42703":            "the tables have another version: its owner runs `reviewledger team migrate`, or update reviewledger",
	insufficientRights: "the role lacks rights: its owner runs `reviewledger team migrate` with --read-role or --push-role",
	"55P03":            "another process holds the lock: try again",
	"57014":            "the server ended the query because it took too long: choose a shorter period",
	"53300":            "the server has no connection left: try again later",
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
		err = ctx.Err() // the rest says only that the connection was closed
	case errors.As(err, &sent) && strings.HasPrefix(sent.Code, "57P"): // it stops, or is starting
		err = fmt.Errorf("%w: %w", ErrUnreachable, sent)
	case sent != nil:
		err = sent // without all the attempts to connect
		if help := codes[sent.Code]; help != "" {
			err = fmt.Errorf("%w; %s", err, help)
		}
	case isLost(err):
		err = fmt.Errorf("%w: %w", ErrUnreachable, err)
		if help := remedyOf(err); help != "" {
			err = fmt.Errorf("%w; %s", err, help)
		}
	default:
		return err
	}
	return fmt.Errorf("%s: team store %s: %w", doing, s.Place(), err)
}

// isLost reports whether the connection to the server failed or was lost.
func isLost(err error) bool {
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
