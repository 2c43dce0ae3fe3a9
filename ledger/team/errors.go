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
