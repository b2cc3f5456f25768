package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
)

// maxStatements bounds the cache of one connection: the store has about a hundred queries, and a statement takes some kilobytes.
// Some queries have a variant for each number of arguments, so the one that was not used for longest makes room.
const maxStatements = 128

// cachingConnector is a connector whose connections cache prepared statements: SQLite takes longer to prepare a statement of a
// turn than to run it.
type cachingConnector struct {
	driver.Connector
	check func() error // whether the file is still the one that the other connections have
}

func (k cachingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := k.check(); err != nil {
		return nil, err
	}
	c, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := k.check(); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	full, ok := c.(connection)
	if !ok {
		return nil, errors.Join(fmt.Errorf("connect: a %T lacks what is used of it", c), c.Close())
	}
	return &cachingConn{connection: full, statements: map[string]*cachedStatement{}}, nil
}

// connection is what database/sql finds out about the driver's connections.
type connection interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// cachingConn is a connection that caches a statement from its second use on. Like every connection it is used by one goroutine
// at a time.
type cachingConn struct {
	connection
	statements map[string]*cachedStatement
	queries    uint64 // how many queries there were
}

// cachedStatement is a prepared statement. Stmt is nil where the query was seen only once.
type cachedStatement struct {
	driver.Stmt
	used  uint64
	inUse bool
}

// statement returns the cached statement of a query, nil where it has to be prepared once more.
func (k *cachingConn) statement(ctx context.Context, query string) (*cachedStatement, error) {
	k.queries++
	s, seen := k.statements[query]
	switch {
	case !seen:
		if err := k.evict(); err != nil {
			return nil, err
		}
		k.statements[query] = &cachedStatement{used: k.queries}
		return nil, nil
	case s.inUse:
		return nil, nil
	case s.Stmt == nil:
		p, err := k.PrepareContext(ctx, query)
		if err != nil {
			return nil, err
		}
		s.Stmt = p
	}
	s.used = k.queries
	return s, nil
}

// evict makes room for one more statement: it closes the one that was not used for longest. Those in use stay; they are few.
func (k *cachingConn) evict() error {
	if len(k.statements) < maxStatements {
		return nil
	}
	oldest := ""
	for query, s := range k.statements {
		if !s.inUse && (oldest == "" || s.used < k.statements[oldest].used) {
			oldest = query
		}
	}
	s := k.statements[oldest]
	delete(k.statements, oldest)
	if s == nil || s.Stmt == nil {
		return nil
	}
	return s.Close()
}

func (k *cachingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := k.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	if run, ok := runnerOf(s); ok {
		return run.ExecContext(ctx, args)
	}
	return k.connection.ExecContext(ctx, query, args)
}

func (k *cachingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := k.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	run, ok := runnerOf(s)
	if !ok {
		return k.connection.QueryContext(ctx, query, args)
	}
	rows, err := run.QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	s.inUse = true
	return &cachedRows{Rows: rows, statement: s}, nil
}

// statementRunner is how a statement is run with a context.
type statementRunner interface {
	driver.StmtExecContext
	driver.StmtQueryContext
}

func runnerOf(s *cachedStatement) (statementRunner, bool) {
	if s == nil {
		return nil, false
	}
	run, ok := s.Stmt.(statementRunner)
	return run, ok
}

// Close also closes the cached statements: SQLite keeps the file open for them.
func (k *cachingConn) Close() error {
	var errs []error
	for _, s := range k.statements {
		if s.Stmt != nil {
			errs = append(errs, s.Close())
		}
	}
	return errors.Join(append(errs, k.connection.Close())...)
}

// cachedRows are the rows of a cached statement, which can be used again when they are closed.
type cachedRows struct {
	driver.Rows
	statement *cachedStatement
}

func (r *cachedRows) Close() error {
	r.statement.inUse = false
	return r.Rows.Close()
}
