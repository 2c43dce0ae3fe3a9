package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"modernc.org/sqlite"
)

// ErrGone means that a ledger in memory was lost together with its connection.
var ErrGone = errors.New("the ledger in memory is gone: ask again")

// OpenEmpty creates an empty ledger in memory: to stand for one that does not exist yet, or to be
// filled.
func OpenEmpty(ctx context.Context) (*sql.DB, error) {
	memory := &inMemory{connector: connector{driver: &sqlite.Driver{}, dsn: "file:empty?_dqs=0&mode=memory"}}
	handle := sql.OpenDB(memory)
	handle.SetMaxOpenConns(1) // each connection would have a database of its own
	if err := current.upgrade(ctx, handle, nil); err != nil {
		return nil, errors.Join(err, handle.Close())
	}
	return handle, nil
}

// inMemory connects only once. Another connection would not have the content of the first, and an
// empty ledger in its place would answer that nothing was recorded.
type inMemory struct {
	connector
	connected bool
}

// Connect implements [driver.Connector].
func (m *inMemory) Connect(ctx context.Context) (driver.Conn, error) {
	if m.connected {
		return nil, ErrGone
	}
	m.connected = true
	return m.connector.Connect(ctx)
}
