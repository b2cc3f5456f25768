package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strconv"
	"time"
	"unicode/utf8"

	"hob/internal/event"
)

// Grants stores the permissions that people gave for good: table granted. Every change is in the
// log of changes. It is safe for concurrent use.
type Grants struct {
	db      *DB
	changes *Changes
}

// Grants returns the store of grants.
func (d *DB) Grants() *Grants { return &Grants{d, d.Changes(Limits{})} }

// GrantRecord is a grant that may have been revoked since.
type GrantRecord struct {
	event.Grant
	Revoked time.Time // zero while it is in force
}

// checkGrant refuses a grant that is wider than allowed or ambiguous. A grant with invalid text
// would differ from the one in its event.
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

// decidedGrants returns the grants in an entry.
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
		g.By = cmp.Or(g.By, yes.By)
		grants = append(grants, g)
	}
	return grants, nil
}

// Add puts a grant in force, durably when it returns, and returns it with its ID and Time. If one
// for the same tool and host or folder is in force, it returns that.
func (s *Grants) Add(ctx context.Context, g event.Grant) (event.Grant, error) {
	if err := checkGrant(g); err != nil {
		return event.Grant{}, fmt.Errorf("add a grant: %w", err)
	}
	err := s.db.transact(ctx, func(tx transaction) (err error) {
		g, err = s.add(ctx, tx, g, s.db.now(), causeOr(ctx, event.Cause{Tool: grantKind}))
		return err
	})
	if err != nil {
		return event.Grant{}, wrap("add a grant to", s.db.path, err)
	}
	return g, nil
}

// grantKind begins the names of grants in the log of changes.
const grantKind = "grant"

// causeOr returns the cause in ctx, or else other, which names no person.
func causeOr(ctx context.Context, other event.Cause) event.Cause {
	if c, known := event.CauseFrom(ctx); known {
		return c
	}
	return other
}

func (s *Grants) add(ctx context.Context, tx transaction, g event.Grant, now time.Time, cause event.Cause) (event.Grant, error) {
	err := tx.QueryRowContext(ctx, `SELECT id, time, by FROM granted WHERE tool = ? AND host = ? AND path = ? AND revoked IS NULL`,
		g.Tool, g.Host, g.Path).Scan(&g.ID, milliseconds{&g.Time}, &g.By)
	if !errors.Is(err, sql.ErrNoRows) {
		return g, err
	}
	g.Time = time.UnixMilli(now.UnixMilli()).UTC()
	g.ID, err = lastInsertID(tx.ExecContext(ctx, `INSERT INTO granted (time, by, tool, host, path) VALUES (?, ?, ?, ?, ?)`,
		now.UnixMilli(), g.By, g.Tool, g.Host, g.Path))
	if err != nil {
		return g, err
	}
	content, err := json.Marshal(g)
	if err != nil {
		return g, err
	}
	_, err = s.changes.noteRow(ctx, tx, fmt.Sprintf("%s/%d", grantKind, g.ID), nil, content, cause)
	return g, err
}

// readGrant reads a grant in force.
func readGrant(ctx context.Context, from querier, id int64) ([]byte, error) {
	g, known, err := find(ctx, from, scanGrant, grantQuery+`WHERE id = ? AND revoked IS NULL`, id)
	if err != nil || !known {
		return nil, err
	}
	return json.Marshal(g.Grant)
}

// writeGrant revokes a grant, or puts a revoked one in force again.
func (d *DB) writeGrant(ctx context.Context, tx transaction, id int64, content []byte) (int64, error) {
	if content == nil {
		_, err := tx.ExecContext(ctx, `UPDATE granted SET revoked = ? WHERE id = ? AND revoked IS NULL`, d.now().UnixMilli(), id)
		return id, err
	}
	var g event.Grant
	if err := json.Unmarshal(content, &g); err != nil {
		return 0, err
	}
	same, err := value[int64](ctx, tx, `SELECT id FROM granted WHERE tool = ? AND host = ? AND path = ? AND revoked IS NULL AND id <> ?`,
		g.Tool, g.Host, g.Path, id)
	switch {
	case err != nil:
		return 0, err
	case same != 0:
		return 0, &RowError{fmt.Sprintf("the same is allowed already, as grant %d", same)}
	}
	_, err = tx.ExecContext(ctx, `UPDATE granted SET revoked = NULL WHERE id = ? AND tool = ? AND host = ? AND path = ?`, id, g.Tool, g.Host, g.Path)
	return id, err
}

// Revoke revokes a grant, durably when it returns, and reports whether it was in force.
func (s *Grants) Revoke(ctx context.Context, id int64) (bool, error) {
	var made event.Change
	if id <= 0 {
		return false, ctx.Err()
	}
	err := s.db.transact(ctx, func(tx transaction) (err error) {
		_, made, err = s.changes.editRow(ctx, tx, grantKind, strconv.FormatInt(id, 10), nil, causeOr(ctx, event.Cause{Tool: grantKind}))
		return err
	})
	if err != nil {
		return false, wrap("revoke a grant in", s.db.path, err)
	}
	return made.ID != 0, nil
}

// InForce returns the grants in force, oldest first.
func (s *Grants) InForce(ctx context.Context) (grants []event.Grant, err error) {
	all, err := s.list(ctx, `WHERE revoked IS NULL`)
	for _, g := range all {
		grants = append(grants, g.Grant)
	}
	return grants, err
}

// All returns all grants, including revoked ones.
func (s *Grants) All(ctx context.Context) ([]GrantRecord, error) { return s.list(ctx, ``) }

func (s *Grants) list(ctx context.Context, where string) ([]GrantRecord, error) {
	grants, err := collect(ctx, s.db.read, scanGrant, grantQuery+where+` ORDER BY id`)
	return grants, wrap("read the grants in", s.db.path, err)
}

const grantQuery = `SELECT id, time, by, tool, host, path, revoked FROM granted `

func scanGrant(scan scanner) (g GrantRecord, err error) {
	err = scan(&g.ID, milliseconds{&g.Time}, &g.By, &g.Tool, &g.Host, &g.Path, milliseconds{&g.Revoked})
	return g, err
}
