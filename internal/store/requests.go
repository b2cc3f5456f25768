package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// How long, and how many, requests are remembered.
const (
	requestAge  = 7 * 24 * time.Hour
	requestRows = 10_000
)

// Requests stores requests that a client may repeat and that run once: table request. It is safe
// for concurrent use.
type Requests struct{ db *DB }

// Requests returns the store of requests.
func (d *DB) Requests() *Requests { return &Requests{d} }

// Request is the state of a request.
type Request struct {
	Known   bool            // it has begun before
	Done    bool            // it has ended
	Outcome json.RawMessage // its result; nil before the end
}

// RequestConflictError says that a request's id was used for a different request.
type RequestConflictError struct{ Chat, ID string }

func (e *RequestConflictError) Error() string {
	return fmt.Sprintf("request %q of chat %q was made before and asked for something else: give every request an id of its own", e.ID, e.Chat)
}

// Begin makes durable that the request has begun, and returns its earlier state. hash identifies
// the content: the same id with another hash is a *[RequestConflictError]. A request that has begun
// and not ended is running elsewhere, or was interrupted. Requests older than a week, or beyond the
// newest 10,000, are forgotten.
func (q *Requests) Begin(ctx context.Context, chat, id, hash string) (Request, error) {
	if id == "" {
		return Request{}, errors.New("begin a request: it has no id")
	}
	var r Request
	err := q.db.transact(ctx, func(tx transaction) error {
		now := q.db.now()
		if _, err := tx.ExecContext(ctx, `DELETE FROM request WHERE time < ?`, now.Add(-requestAge).UnixMilli()); err != nil {
			return err
		}
		before, known, err := find(ctx, tx, func(scan scanner) (before string, err error) {
			var outcome sql.NullString
			if err = scan(&before, &outcome); outcome.Valid {
				r.Done, r.Outcome = true, json.RawMessage(outcome.String)
			}
			return before, err
		}, `SELECT hash, outcome FROM request WHERE chat = ? AND id = ?`, chat, id)
		switch {
		case err != nil:
			return err
		case known && before != hash:
			return &RequestConflictError{chat, id}
		case known:
			r.Known = true
			return nil
		}
		n, err := lastInsertID(tx.ExecContext(ctx, `INSERT INTO request (time, chat, id, hash) VALUES (?, ?, ?, ?)`,
			now.UnixMilli(), chat, id, hash))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM request WHERE n <= ?`, n-requestRows)
		return err
	})
	if err != nil {
		return Request{}, wrap("begin a request in", q.db.path, err)
	}
	return r, nil
}

// End makes the outcome of a request durable. The first outcome counts.
func (q *Requests) End(ctx context.Context, chat, id string, outcome json.RawMessage) error {
	if outcome == nil {
		outcome = json.RawMessage("null")
	}
	if !json.Valid(outcome) {
		return errors.New("end a request: its outcome is no JSON")
	}
	n, err := q.db.exec(ctx, `UPDATE request SET outcome = coalesce(outcome, ?) WHERE chat = ? AND id = ?`, string(outcome), chat, id)
	if err != nil {
		return wrap("end a request in", q.db.path, err)
	}
	if n == 0 {
		return fmt.Errorf("end a request: request %q of chat %q was not begun, or too long ago", id, chat)
	}
	return nil
}
