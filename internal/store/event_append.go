package store

import (
	"context"
	"strings"
	"time"

	"hob/internal/event"
)

// Append implements [Journal]. When it fails because the disk does, whether the batch is journaled may be unknown until the
// next [Open]; then, too, it is there whole or not at all.
func (d *DB) Append(ctx context.Context, entries ...Entry) ([]event.Event, error) {
	rows, err := newRows(entries)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	err = d.transact(ctx, func(tx transaction) error {
		if err := checkKeys(ctx, tx, rows); err != nil {
			return err
		}
		last, err := value[int64](ctx, tx, `SELECT seq FROM sqlite_sequence WHERE name = 'event'`) // the highest there ever was
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

// cause says who gave a grant with an event: a person of the platform of its chat.
func (r row) cause(g event.Grant) event.Cause {
	platform, _, _ := strings.Cut(r.chat, "/")
	return event.Cause{By: platform + "/" + g.By, Chat: event.Chat(r.chat), Turn: r.turn, Tool: grantKind}
}

// checkKeys refuses rows whose keys are taken, by another event of the chat or by another of them.
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
