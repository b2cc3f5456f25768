package store

import (
	"context"
	"strings"
	"time"

	"hob/internal/event"
)

// Append implements [Journal]. If it fails because of the disk, it may be unknown until the next
// [Open] whether the batch is journaled; but it is journaled whole or not at all.
func (d *DB) Append(ctx context.Context, entries ...Entry) ([]event.Event, error) {
	rows, err := newRows(entries)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	err = d.transact(ctx, func(tx transaction) error {
		if err := checkKeys(ctx, tx, rows); err != nil {
			return err
		}
		last, err := value[int64](ctx, tx, `SELECT seq FROM sqlite_sequence WHERE name = 'event'`) // the highest ever used
		if err != nil {
			return err
		}
		setPlaces(rows, last, d.now())
		for _, r := range rows {
			_, err := tx.ExecContext(ctx,
				`INSERT INTO event (seq, time, chat, turn, type, key, body, crc) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
				r.seq, r.time, r.chat, r.turn, r.typ, r.key, string(r.body), r.crc)
			if err != nil {
				return err
			}
			for _, g := range r.grants {
				if _, err := d.Grants().add(ctx, tx, g, time.UnixMilli(r.time), r.cause(g)); err != nil {
					return err
				}
			}
		}
		return addAudits(ctx, tx, rows)
	})
	if err != nil {
		return nil, wrap("append to", d.path, err)
	}
	return eventsOf(rows), nil
}

// cause returns who gave a grant with an event: a person of the platform of the chat.
func (r row) cause(g event.Grant) event.Cause {
	platform, _, _ := strings.Cut(r.chat, "/")
	return event.Cause{By: platform + "/" + g.By, Chat: event.Chat(r.chat), Turn: r.turn, Tool: grantKind}
}

// checkKeys refuses rows whose keys are taken, by an event of the chat or by an earlier row.
func checkKeys(ctx context.Context, tx transaction, rows []row) error {
	type chatKey struct{ chat, key string }
	seen := map[chatKey]bool{}
	for _, r := range rows {
		if r.key == "" {
			continue
		}
		seq, err := value[int64](ctx, tx, keyQuery, r.chat, r.key)
		if err != nil {
			return err
		}
		if seq != 0 || seen[chatKey{r.chat, r.key}] {
			return &DuplicateError{Chat: event.Chat(r.chat), Key: r.key, Seq: seq}
		}
		seen[chatKey{r.chat, r.key}] = true
	}
	return nil
}
