package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
)

// maxStatements bounds the cache of one connection: the store has about a hundred queries, and a
// statement takes some kilobytes. Some queries have a variant for each number of arguments, so the
// least recently used one is evicted.
const maxStatements = 128

// cachingConnector makes connections that cache prepared statements: preparing a statement of a
// turn takes SQLite longer than running it.
type cachingConnector struct {
	driver.Connector
	check func() error // whether the file is still that of the other connections
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

// connection has the optional interfaces that database/sql looks for in a driver's connection.
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

// cachingConn is a connection that caches a statement from its second use on. Like every connection
// it is used by one goroutine at a time.
type cachingConn struct {
	connection
	statements map[string]*cachedStatement
	queries    uint64 // number of queries so far
}

// cachedStatement is a prepared statement. Stmt is nil if the query was seen only once.
type cachedStatement struct {
	driver.Stmt
	used  uint64
	inUse bool
}

// statement returns the cached statement of a query, or nil if the query is to be prepared without
// the cache.
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

// evict closes the least recently used statement. Those in use stay; they are few.
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

// statementRunner runs a statement with a context.
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

// cachedRows are the rows of a cached statement, which is free for reuse when they are closed.
type cachedRows struct {
	driver.Rows
	statement *cachedStatement
}

func (r *cachedRows) Close() error {
	r.statement.inUse = false
	return r.Rows.Close()
}
