package db

import (
	"context"
	"database/sql/driver"

	"modernc.org/sqlite"
)

// connector opens connections that keep their statements: a run asks the same things
// in every transaction, and to prepare a statement takes longer than most take to run. A review of
// ten thousand findings is as many rows in five tables.
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

// sqliteConn is what the driver's connections can do that database/sql makes use of: it runs
// nothing that it has not prepared.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// keeping is a connection that closes its statements when it is closed itself.
// database/sql uses a connection from one goroutine at a time.
type keeping struct {
	sqliteConn
	kept map[string]*keptStatement
}

// sqliteStatement is what the driver's statements can do.
type sqliteStatement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// keptStatement is a statement that is not closed, but free again.
type keptStatement struct {
	sqliteStatement
	inUse bool
}

// Close makes the statement free for its next use.
func (s *keptStatement) Close() error {
	s.inUse = false
	return nil
}

// PrepareContext returns the statement that is kept, unless it is in use.
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

// Close closes the statements, and the connection.
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
