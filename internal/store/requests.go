package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// How long a request is remembered, and how many are.
const (
	requestAge  = 7 * 24 * time.Hour
	requestRows = 10_000
)

// Requests are requests that somebody may repeat, and that are carried out once: table request. It is safe for concurrent use.
type Requests struct{ db *DB }

// Requests returns the requests that may be repeated.
func (d *DB) Requests() *Requests { return &Requests{d} }

// Request is the state of a request that somebody may repeat.
type Request struct {
	Known   bool            // it was begun before
	Done    bool            // and has ended
	Outcome json.RawMessage // with this; nil while it has not
}

// RequestConflictError says that a request's id was used for another request.
type RequestConflictError struct{ Chat, ID string }

func (e *RequestConflictError) Error() string {
	return fmt.Sprintf("request %q of chat %q was made before and asked for something else: give every request an id of its own", e.ID, e.Chat)
}

// Begin makes durable that the request is being made, and returns what is known of it from before. hash is of what it
// asks for: the same id with another one is a *[RequestConflictError]. A request that was begun and has not ended is being
// made by somebody else, or was cut short. What was begun more than a week ago, or 10,000 requests, is forgotten.
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

// End makes durable how a request ended. The first outcome stands.
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
