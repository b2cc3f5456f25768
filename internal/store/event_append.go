package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"hob/internal/event"
)

// Append implements [Journal]. When it fails because the disk does, whether the batch is journaled may be unknown until the
// next [Open]; then, too, it is there whole or not at all.
func (d *DB) Append(ctx context.Context, entries ...Entry) ([]event.Event, error) {
	rows, err := rowsOf(entries)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	err = d.transact(ctx, func(tx *sql.Tx) error {
		err := taken(rows, func(chat, key string) (int64, error) { return holder(ctx, tx, chat, key) })
		if err != nil {
			return err
		}
		last, err := lastUsed(ctx, tx)
		if err != nil {
			return err
		}
		number(rows, last, d.now())
		for _, r := range rows {
			_, err := tx.ExecContext(ctx,
				`INSERT INTO event (seq, time, chat, turn, type, key, body, crc) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
				r.seq, r.time, r.chat, r.turn, r.typ, r.key, r.body, r.crc)
			if err != nil {
				return err
			}
			for _, g := range r.grants {
				if _, err := addGrant(ctx, tx, g, time.UnixMilli(r.time)); err != nil {
					return err
				}
			}
		}
		return addRecords(ctx, tx, rows)
	})
	if err != nil {
		return nil, failure("append to", d.path, err)
	}
	return eventsOf(rows), nil
}

// holder returns the Seq of the event that has the key in the chat, 0 if none.
func holder(ctx context.Context, tx *sql.Tx, chat, key string) (seq int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT seq FROM event WHERE chat = ? AND key = ? AND key <> ''`, chat, key).Scan(&seq)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return seq, err
}

// lastUsed returns the highest Seq that any event ever had.
func lastUsed(ctx context.Context, tx *sql.Tx) (seq int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT seq FROM sqlite_sequence WHERE name = 'event'`).Scan(&seq)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return seq, err
}
