package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path"
	"time"
	"unicode/utf8"

	"hob/internal/event"
)

// Grants are the permissions that people have given for good: table granted. It is safe for concurrent use.
type Grants struct{ db *DB }

// Grants returns the permissions that people have given for good.
func (d *DB) Grants() *Grants { return &Grants{d} }

// GrantRecord is a grant that was made once, and may have been revoked since.
type GrantRecord struct {
	event.Grant
	Revoked time.Time // zero while it is in force
}

// checkGrant refuses what is wider than a grant may be, or could be read in two ways. A grant of bytes that are no text
// would be another one in the event that it was given in.
func checkGrant(g event.Grant) error {
	switch {
	case g.Tool == "":
		return errors.New("a grant names no tool")
	case (g.Host == "") == (g.Path == ""):
		return fmt.Errorf("a grant for %s names one host or one folder", g.Tool)
	case g.Path != "" && (!path.IsAbs(g.Path) || path.Clean(g.Path) != g.Path):
		return fmt.Errorf("a grant for %s names the folder %q: it has to be absolute and clean", g.Tool, g.Path)
	}
	for _, text := range []string{g.Tool, g.Host, g.Path, g.By} {
		if !utf8.ValidString(text) {
			return fmt.Errorf("a grant for %s holds %q, which is no text", g.Tool, text)
		}
	}
	return nil
}

// decidedGrants returns what an entry grants.
func decidedGrants(e Entry, body event.Body) ([]event.Grant, error) {
	if len(e.Grants) == 0 {
		return nil, nil
	}
	yes, ok := body.(event.Decided)
	if !ok || !yes.Allow {
		return nil, errors.New("grants go with a decision that allows")
	}
	var grants []event.Grant
	for _, g := range e.Grants {
		if err := checkGrant(g); err != nil {
			return nil, err
		}
		if g.By == "" {
			g.By = yes.By
		}
		grants = append(grants, g)
	}
	return grants, nil
}

// Add puts a grant in force, durably when it returns, and returns it with its ID and Time. One for the same tool and
// host or folder that is in force stays the one.
func (s *Grants) Add(ctx context.Context, g event.Grant) (event.Grant, error) {
	if err := checkGrant(g); err != nil {
		return event.Grant{}, fmt.Errorf("add a grant: %w", err)
	}
	err := s.db.transact(ctx, func(tx *sql.Tx) (err error) {
		g, err = addGrant(ctx, tx, g, s.db.now())
		return err
	})
	if err != nil {
		return event.Grant{}, wrap("add a grant to", s.db.path, err)
	}
	return g, nil
}

func addGrant(ctx context.Context, tx *sql.Tx, g event.Grant, now time.Time) (event.Grant, error) {
	err := tx.QueryRowContext(ctx, `SELECT id, time, by FROM granted WHERE tool = ? AND host = ? AND path = ? AND revoked IS NULL`,
		g.Tool, g.Host, g.Path).Scan(&g.ID, milliseconds{&g.Time}, &g.By)
	if !errors.Is(err, sql.ErrNoRows) {
		return g, err
	}
	g.Time = time.UnixMilli(now.UnixMilli()).UTC()
	g.ID, err = lastInsertID(tx.ExecContext(ctx, `INSERT INTO granted (time, by, tool, host, path) VALUES (?, ?, ?, ?, ?)`,
		now.UnixMilli(), g.By, g.Tool, g.Host, g.Path))
	return g, err
}

// Revoke ends a grant, durably when it returns, and reports whether it was in force.
func (s *Grants) Revoke(ctx context.Context, id int64) (bool, error) {
	n, err := s.db.exec(ctx, `UPDATE granted SET revoked = ? WHERE id = ? AND revoked IS NULL`, s.db.now().UnixMilli(), id)
	if err != nil {
		return false, wrap("revoke a grant in", s.db.path, err)
	}
	return n > 0, nil
}

// InForce returns the grants in force, the oldest first.
func (s *Grants) InForce(ctx context.Context) (grants []event.Grant, err error) {
	all, err := s.list(ctx, `WHERE revoked IS NULL`)
	for _, g := range all {
		grants = append(grants, g.Grant)
	}
	return grants, err
}

// All returns those that were revoked, too.
func (s *Grants) All(ctx context.Context) ([]GrantRecord, error) { return s.list(ctx, ``) }

func (s *Grants) list(ctx context.Context, where string) ([]GrantRecord, error) {
	grants, err := collect(ctx, s.db.read, func(scan scanner) (g GrantRecord, err error) {
		err = scan(&g.ID, milliseconds{&g.Time}, &g.By, &g.Tool, &g.Host, &g.Path, milliseconds{&g.Revoked})
		return g, err
	}, `SELECT id, time, by, tool, host, path, revoked FROM granted `+where+` ORDER BY id`)
	return grants, wrap("read the grants in", s.db.path, err)
}
