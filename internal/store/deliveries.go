package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"hob/internal/event"
)

// Deliveries stores updates from a platform and messages to it: tables arrival, send and shown. It
// is safe for concurrent use.
type Deliveries struct{ db *DB }

// Deliveries returns the store of updates and sent messages.
func (d *DB) Deliveries() *Deliveries { return &Deliveries{d} }

// checkUpdates refuses updates without a platform, a state or valid JSON, and returns the others
// with their hashes.
func checkUpdates(all []event.Update) ([]event.Update, error) {
	all = slices.Clone(all)
	for i, u := range all {
		if u.Platform == "" || !json.Valid(u.Raw) || u.State == "" {
			return nil, fmt.Errorf("receive updates: %d of %q has no platform, no state or is no JSON", u.ID, u.Platform)
		}
		hash, err := event.HashJSON(u.Raw)
		if err != nil {
			return nil, fmt.Errorf("receive updates: hash %d: %w", u.ID, err)
		}
		all[i].Hash = hash
	}
	return all, nil
}

// isSame reports whether a stored update is the one that comes now, with the same platform, bot and
// id. For a handled update without a hash the id alone decides.
func isSame(known, now event.Update) bool {
	if known.Hash == "" && known.Raw != nil {
		known.Hash, _ = event.HashJSON(known.Raw) // Raw was checked on arrival
	}
	return known.Hash == "" || known.Hash == now.Hash
}

// Receive stores new updates in one durable transaction and returns them, in order. An update is
// known if it came to the same bot, with the same id and content: a server that lost its state
// restarts its ids.
func (d *Deliveries) Receive(ctx context.Context, all []event.Update) (fresh []event.Update, err error) {
	if all, err = checkUpdates(all); err != nil || len(all) == 0 {
		return nil, err
	}
	err = d.db.transact(ctx, func(tx transaction) error {
		now := d.db.now()
		for _, u := range all {
			if known, err := isKnown(ctx, tx, u); err != nil {
				return err
			} else if known {
				continue
			}
			raw := sql.NullString{String: string(u.Raw), Valid: u.State != event.UpdateDone}
			u.N, err = lastInsertID(tx.ExecContext(ctx,
				`INSERT INTO arrival (time, platform, bot, id, hash, state, raw) VALUES (?, ?, ?, ?, ?, ?, ?)`,
				now.UnixMilli(), u.Platform, u.Bot, u.ID, u.Hash, u.State, raw))
			if err != nil {
				return err
			}
			fresh = append(fresh, u)
		}
		return nil
	})
	if err != nil {
		return nil, wrap("receive updates in", d.db.path, err)
	}
	return fresh, nil
}

// isKnown reports whether an update was received before. A stored update without a bot belongs to
// the first bot that asks.
func isKnown(ctx context.Context, tx transaction, u event.Update) (bool, error) {
	if _, err := tx.ExecContext(ctx, `UPDATE OR IGNORE arrival SET bot = ? WHERE platform = ? AND bot = 0`, u.Bot, u.Platform); err != nil {
		return false, err
	}
	olds, err := collect(ctx, tx, func(scan scanner) (old event.Update, err error) {
		var raw sql.NullString
		err = scan(&old.Hash, &raw)
		if raw.Valid {
			old.Raw = json.RawMessage(raw.String)
		}
		return old, err
	}, `SELECT hash, raw FROM arrival WHERE platform = ? AND bot = ? AND id = ?`, u.Platform, u.Bot, u.ID)
	return slices.ContainsFunc(olds, func(old event.Update) bool { return isSame(old, u) }), err
}

// Undone returns the unhandled updates of a platform, in the order of arrival.
func (d *Deliveries) Undone(ctx context.Context, platform string) (undone []event.Update, err error) {
	undone, err = collect(ctx, d.db.read, func(scan scanner) (event.Update, error) {
		u := event.Update{Platform: platform}
		var raw string
		err := scan(&u.N, &u.Bot, &u.ID, &u.Hash, &u.State, &raw)
		u.Raw = json.RawMessage(raw)
		return u, err
	}, `SELECT n, bot, id, hash, state, raw FROM arrival WHERE platform = ? AND state <> 'done' ORDER BY n`, platform)
	return undone, wrap("read updates in", d.db.path, err)
}

// SetUpdate durably records the state of update n.
func (d *Deliveries) SetUpdate(ctx context.Context, n int64, state event.UpdateState) error {
	changed, err := d.db.exec(ctx, `UPDATE arrival SET state = ?1, raw = CASE WHEN ?1 = 'done' THEN NULL ELSE raw END WHERE n = ?2`, state, n)
	if err == nil && changed == 0 {
		return fmt.Errorf("note an update: there is none with number %d", n)
	}
	return wrap("note an update in", d.db.path, err)
}

// BeginSend durably records that a message is about to be sent, and returns its record: Tries
// counts this one. A record in another state than begun is returned unchanged.
func (d *Deliveries) BeginSend(ctx context.Context, chat event.Chat, seq int64, part int) (event.Send, error) {
	s := event.Send{Chat: chat, Seq: seq, Part: part, State: event.SendBegun, Tries: 1}
	err := d.db.transact(ctx, func(tx transaction) error {
		err := tx.QueryRowContext(ctx, `SELECT state, tries, message FROM send WHERE chat = ? AND seq = ? AND part = ?`,
			string(chat), seq, part).Scan(&s.State, &s.Tries, &s.Message)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			_, err = tx.ExecContext(ctx, `INSERT INTO send (chat, seq, part, time, state, tries, message) VALUES (?, ?, ?, ?, ?, ?, 0)`,
				string(chat), seq, part, d.db.now().UnixMilli(), s.State, s.Tries)
			return err
		case err != nil || s.State != event.SendBegun:
			return err
		}
		s.Tries++
		_, err = tx.ExecContext(ctx, `UPDATE send SET tries = ? WHERE chat = ? AND seq = ? AND part = ?`, s.Tries, string(chat), seq, part)
		return err
	})
	if err != nil {
		return event.Send{}, wrap("begin to send in", d.db.path, err)
	}
	return s, nil
}

// SetSend durably records the state of a begun message, and its id. If reader is not "", the
// reader's mark moves to mark in the same transaction, see [DB.Mark].
func (d *Deliveries) SetSend(ctx context.Context, s event.Send, reader string, mark int64) error {
	known := false
	err := d.db.transact(ctx, func(tx transaction) error {
		n, err := rowsAffected(tx.ExecContext(ctx, `UPDATE send SET state = ?, message = ? WHERE chat = ? AND seq = ? AND part = ?`,
			s.State, s.Message, string(s.Chat), s.Seq, s.Part))
		if known = n > 0; err != nil || !known || reader == "" {
			return err
		}
		_, err = tx.ExecContext(ctx, markQuery, reader, mark)
		return err
	})
	if err == nil && !known {
		return fmt.Errorf("note a send: part %d of event %d of chat %q was not begun", s.Part, s.Seq, s.Chat)
	}
	return wrap("note a send in", d.db.path, err)
}

// Sends returns the sent messages of an event, by part.
func (d *Deliveries) Sends(ctx context.Context, chat event.Chat, seq int64) (all []event.Send, err error) {
	all, err = collect(ctx, d.db.read, func(scan scanner) (event.Send, error) {
		s := event.Send{Chat: chat, Seq: seq}
		err := scan(&s.Part, &s.State, &s.Tries, &s.Message)
		return s, err
	}, `SELECT part, state, tries, message FROM send WHERE chat = ? AND seq = ? ORDER BY part`, string(chat), seq)
	return all, wrap("read what was sent in", d.db.path, err)
}

// SentAs returns the record of a message by its id on the platform, the newest if there are
// several. known is false if there is none.
func (d *Deliveries) SentAs(ctx context.Context, chat event.Chat, message int64) (s event.Send, known bool, err error) {
	s, known, err = find(ctx, d.db.read, func(scan scanner) (event.Send, error) {
		s := event.Send{Chat: chat, Message: message}
		err := scan(&s.Seq, &s.Part, &s.State, &s.Tries)
		return s, err
	}, `SELECT seq, part, state, tries FROM send WHERE chat = ? AND message = ? AND message <> 0 ORDER BY seq DESC, part DESC LIMIT 1`,
		string(chat), message)
	return s, known, wrap("read what was sent in", d.db.path, err)
}

// Shown returns the platform's message in which a chat shows the thing of that name, or 0.
func (d *Deliveries) Shown(ctx context.Context, chat event.Chat, name string) (message int64, err error) {
	message, err = value[int64](ctx, d.db.read, `SELECT message FROM shown WHERE chat = ? AND name = ?`, string(chat), name)
	return message, wrap("read what is shown in", d.db.path, err)
}

// SetShown durably records which message shows the thing from now on; 0: none.
func (d *Deliveries) SetShown(ctx context.Context, chat event.Chat, name string, message int64) error {
	if chat == "" || name == "" {
		return errors.New("note where something is shown: it needs a chat and a name")
	}
	query := `INSERT INTO shown (chat, name, message) VALUES (?1, ?2, ?3) ON CONFLICT (chat, name) DO UPDATE SET message = ?3`
	args := []any{string(chat), name, message}
	if message == 0 {
		query, args = `DELETE FROM shown WHERE chat = ? AND name = ?`, args[:2]
	}
	_, err := d.db.exec(ctx, query, args...)
	return wrap("note what is shown in", d.db.path, err)
}

// ForgetShown records that a message no longer shows the thing. If another message already does,
// nothing changes.
func (d *Deliveries) ForgetShown(ctx context.Context, chat event.Chat, name string, message int64) error {
	_, err := d.db.exec(ctx, `DELETE FROM shown WHERE chat = ? AND name = ? AND message = ?`, string(chat), name, message)
	return wrap("note what is shown in", d.db.path, err)
}
