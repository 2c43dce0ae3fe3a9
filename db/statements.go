package db

import (
	"context"
	"database/sql/driver"

	"modernc.org/sqlite"
)

// connector opens connections that cache their prepared statements. A run executes the same
// statements in every transaction, and preparing one usually takes longer than running it. A review
// with ten thousand findings writes that many rows to each of five tables.
type connector struct {
	driver *sqlite.Driver
	dsn    string
}

// Connect implements [driver.Connector].
func (c connector) Connect(context.Context) (driver.Conn, error) {
	conn, err := c.driver.Open(c.dsn)
	if err != nil {
		return nil, err
	}
	return &keeping{sqliteConn: conn.(sqliteConn), kept: map[string]*keptStatement{}}, nil
}

// Driver implements [driver.Connector].
func (c connector) Driver() driver.Driver { return c.driver }

// sqliteConn is what database/sql uses of the driver's connections. It has no Exec or Query, so
// database/sql prepares every statement.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// keeping is a connection that closes its statements only when it is closed itself. It needs no
// lock: database/sql uses a connection from one goroutine at a time.
type keeping struct {
	sqliteConn
	kept map[string]*keptStatement
}

// sqliteStatement is what database/sql uses of the driver's statements.
type sqliteStatement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// keptStatement is a cached statement. Closing it makes it available again.
type keptStatement struct {
	sqliteStatement
	inUse bool
}

// Close makes the statement available for its next use.
func (s *keptStatement) Close() error {
	s.inUse = false
	return nil
}

// PrepareContext returns the cached statement, unless that is in use.
func (c *keeping) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	known := c.kept[query]
	if known != nil && !known.inUse {
		known.inUse = true
		return known, nil
	}
	prepared, err := c.sqliteConn.PrepareContext(ctx, query)
	if err != nil || known != nil {
		return prepared, err
	}
	statement := &keptStatement{sqliteStatement: prepared.(sqliteStatement), inUse: true}
	c.kept[query] = statement
	return statement, nil
}

// Close closes the cached statements and the connection.
func (c *keeping) Close() error {
	var failed error
	for _, statement := range c.kept {
		if err := statement.sqliteStatement.Close(); err != nil {
			failed = err
		}
	}
	if err := c.sqliteConn.Close(); err != nil {
		return err
	}
	return failed
}
