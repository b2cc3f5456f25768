package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
)

// keptStatements bounds what one connection keeps: the store has about a hundred queries, and a statement takes some kilobytes. Some
// queries are one for each number of things that are asked for, so what was not used for longest makes room.
const keptStatements = 128

// keeping is a connector whose connections keep what they have prepared: to prepare a statement of a turn takes SQLite longer
// than to run it.
type keeping struct {
	driver.Connector
	check func() error // whether the file is still the one that the other connections have
}

func (k keeping) Connect(ctx context.Context) (driver.Conn, error) {
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
	return &keeper{connection: full, kept: map[string]*kept{}}, nil
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

// keeper is a connection that keeps a statement from its second use on. Like every connection it is used by one goroutine at
// a time.
type keeper struct {
	connection
	kept map[string]*kept
	asks uint64 // how many queries there were
}

// kept is a statement, nil where its query was seen once, when it was used last, and whether somebody still reads its rows.
type kept struct {
	driver.Stmt
	used uint64
	lent bool
}

// free returns the statement of a query, nil if it is to be prepared for this once.
func (k *keeper) free(ctx context.Context, query string) (*kept, error) {
	k.asks++
	s, seen := k.kept[query]
	switch {
	case !seen:
		if err := k.room(); err != nil {
			return nil, err
		}
		k.kept[query] = &kept{used: k.asks}
		return nil, nil
	case s.lent:
		return nil, nil
	case s.Stmt == nil:
		p, err := k.PrepareContext(ctx, query)
		if err != nil {
			return nil, err
		}
		s.Stmt = p
	}
	s.used = k.asks
	return s, nil
}

// room makes room for one more by letting go of what was not used for longest. What is lent stays: of those there are a few.
func (k *keeper) room() error {
	if len(k.kept) < keptStatements {
		return nil
	}
	oldest := ""
	for query, s := range k.kept {
		if !s.lent && (oldest == "" || s.used < k.kept[oldest].used) {
			oldest = query
		}
	}
	s := k.kept[oldest]
	delete(k.kept, oldest)
	if s == nil || s.Stmt == nil {
		return nil
	}
	return s.Close()
}

func (k *keeper) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := k.free(ctx, query)
	if err != nil {
		return nil, err
	}
	if run, ok := statement(s); ok {
		return run.ExecContext(ctx, args)
	}
	return k.connection.ExecContext(ctx, query, args)
}

func (k *keeper) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := k.free(ctx, query)
	if err != nil {
		return nil, err
	}
	run, ok := statement(s)
	if !ok {
		return k.connection.QueryContext(ctx, query, args)
	}
	rows, err := run.QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	s.lent = true
	return &lentRows{Rows: rows, of: s}, nil
}

// runner is how a statement is run with a context.
type runner interface {
	driver.StmtExecContext
	driver.StmtQueryContext
}

func statement(s *kept) (runner, bool) {
	if s == nil {
		return nil, false
	}
	run, ok := s.Stmt.(runner)
	return run, ok
}

// Close also closes what is kept, without which SQLite would not let go of the file.
func (k *keeper) Close() error {
	var errs []error
	for _, s := range k.kept {
		if s.Stmt != nil {
			errs = append(errs, s.Close())
		}
	}
	return errors.Join(append(errs, k.connection.Close())...)
}

// lentRows are the rows of a kept statement, which is free again when they are closed.
type lentRows struct {
	driver.Rows
	of *kept
}

func (r *lentRows) Close() error {
	r.of.lent = false
	return r.Rows.Close()
}
