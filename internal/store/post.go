package store

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"hob/internal/event"
)

// postAge is how long what has arrived and what was sent is remembered: longer than a platform tells of the same again, or
// people press a button.
const postAge = 30 * 24 * time.Hour

// byInvite is who has let in whoever gave a code.
const byInvite = "invite"

// checkUpdates refuses what could not be told apart, or not read again, and returns updates with their hashes.
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

// same reports whether an update that was received is the one that comes now, with the same platform, bot and id. Of one that
// was dealt with before there were hashes nothing but the id is known.
func same(known, now event.Update) bool {
	if known.Hash == "" && known.Raw != nil {
		known.Hash, _ = event.HashJSON(known.Raw) // it was checked when it came
	}
	return known.Hash == "" || known.Hash == now.Hash
}

// Receive keeps updates that are not known yet, in one durable transaction, and returns those, in order. Known is what came to
// the same bot with the same id and says the same: a server that has lost its state counts anew. What was dealt with more than
// 30 days ago is forgotten.
func (d *DB) Receive(ctx context.Context, all []event.Update) (fresh []event.Update, err error) {
	if all, err = checkUpdates(all); err != nil || len(all) == 0 {
		return nil, err
	}
	err = d.transact(ctx, func(tx *sql.Tx) error {
		now := d.now()
		if _, err := tx.ExecContext(ctx, `DELETE FROM arrival WHERE time < ? AND state = 'done'`, now.Add(-postAge).UnixMilli()); err != nil {
			return err
		}
		for _, u := range all {
			if known, err := received(ctx, tx, u); err != nil {
				return err
			} else if known {
				continue
			}
			raw := sql.NullString{String: string(u.Raw), Valid: u.State != event.UpdateDone}
			done, err := tx.ExecContext(ctx, `INSERT INTO arrival (time, platform, bot, id, hash, state, raw) VALUES (?, ?, ?, ?, ?, ?, ?)`,
				now.UnixMilli(), u.Platform, u.Bot, u.ID, u.Hash, u.State, raw)
			if err != nil {
				return err
			}
			if u.N, err = done.LastInsertId(); err != nil {
				return err
			}
			fresh = append(fresh, u)
		}
		return nil
	})
	if err != nil {
		return nil, failure("receive updates in", d.path, err)
	}
	return fresh, nil
}

// received reports whether an update is known. Those from before bots were told apart are of the first that asks.
func received(ctx context.Context, tx *sql.Tx, u event.Update) (bool, error) {
	if _, err := tx.ExecContext(ctx, `UPDATE OR IGNORE arrival SET bot = ? WHERE platform = ? AND bot = 0`, u.Bot, u.Platform); err != nil {
		return false, err
	}
	rows, err := tx.QueryContext(ctx, `SELECT hash, raw FROM arrival WHERE platform = ? AND bot = ? AND id = ?`, u.Platform, u.Bot, u.ID)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	for rows.Next() {
		var hash string
		var raw sql.NullString
		if err := rows.Scan(&hash, &raw); err != nil {
			return false, err
		}
		old := event.Update{Hash: hash}
		if raw.Valid {
			old.Raw = json.RawMessage(raw.String)
		}
		if same(old, u) {
			return true, nil
		}
	}
	return false, rows.Err()
}

// Undone returns the updates of a platform that have not been dealt with, in the order in which they came.
func (d *DB) Undone(ctx context.Context, platform string) (undone []event.Update, err error) {
	rows, err := d.read.QueryContext(ctx,
		`SELECT n, bot, id, hash, state, raw FROM arrival WHERE platform = ? AND state <> 'done' ORDER BY n`, platform)
	if err != nil {
		return nil, failure("read updates in", d.path, err)
	}
	defer rows.Close()
	for rows.Next() {
		u := event.Update{Platform: platform}
		var raw string
		if err := rows.Scan(&u.N, &u.Bot, &u.ID, &u.Hash, &u.State, &raw); err != nil {
			return nil, failure("read updates in", d.path, err)
		}
		u.Raw = json.RawMessage(raw)
		undone = append(undone, u)
	}
	if err := rows.Err(); err != nil {
		return nil, failure("read updates in", d.path, err)
	}
	return undone, nil
}

// SetUpdate notes durably how far the update N has come.
func (d *DB) SetUpdate(ctx context.Context, n int64, state event.UpdateState) error {
	changed, err := d.exec(ctx, `UPDATE arrival SET state = ?1, raw = CASE WHEN ?1 = 'done' THEN NULL ELSE raw END WHERE n = ?2`, state, n)
	if err != nil {
		return failure("note an update in", d.path, err)
	}
	if changed == 0 {
		return unknownUpdate(n)
	}
	return nil
}

// BeginSend notes durably that a message is about to be sent, and returns its record: Tries counts this one. One that was
// sent or refused before comes back as it is. What ended more than 30 days ago is forgotten.
func (d *DB) BeginSend(ctx context.Context, chat event.Chat, seq int64, part int) (event.Send, error) {
	s := event.Send{Chat: chat, Seq: seq, Part: part, State: event.SendBegun, Tries: 1}
	err := d.transact(ctx, func(tx *sql.Tx) error {
		now := d.now()
		err := tx.QueryRowContext(ctx, `SELECT state, tries, message FROM send WHERE chat = ? AND seq = ? AND part = ?`,
			string(chat), seq, part).Scan(&s.State, &s.Tries, &s.Message)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			if _, err := tx.ExecContext(ctx, `DELETE FROM send WHERE time < ? AND state <> 'begun'`, now.Add(-postAge).UnixMilli()); err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, `INSERT INTO send (chat, seq, part, time, state, tries, message) VALUES (?, ?, ?, ?, ?, ?, 0)`,
				string(chat), seq, part, now.UnixMilli(), s.State, s.Tries)
			return err
		case err != nil || s.State != event.SendBegun:
			return err
		}
		s.Tries++
		_, err = tx.ExecContext(ctx, `UPDATE send SET tries = ? WHERE chat = ? AND seq = ? AND part = ?`, s.Tries, string(chat), seq, part)
		return err
	})
	if err != nil {
		return event.Send{}, failure("begin to send in", d.path, err)
	}
	return s, nil
}

// EndSend notes durably what became of a message: its State and its id. With a reader, that one is marked at mark in the same
// transaction, see [DB.Mark].
func (d *DB) EndSend(ctx context.Context, s event.Send, reader string, mark int64) error {
	known := false
	err := d.transact(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `UPDATE send SET state = ?, message = ? WHERE chat = ? AND seq = ? AND part = ?`,
			s.State, s.Message, string(s.Chat), s.Seq, s.Part)
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		if known = n > 0; err != nil || !known || reader == "" {
			return err
		}
		_, err = tx.ExecContext(ctx, markQuery, reader, mark)
		return err
	})
	if err != nil {
		return failure("end to send in", d.path, err)
	}
	if !known {
		return unknownSend(s)
	}
	return nil
}

// Sends returns what was sent of an event, by part.
func (d *DB) Sends(ctx context.Context, chat event.Chat, seq int64) (all []event.Send, err error) {
	rows, err := d.read.QueryContext(ctx, `SELECT part, state, tries, message FROM send WHERE chat = ? AND seq = ? ORDER BY part`,
		string(chat), seq)
	if err != nil {
		return nil, failure("read what was sent in", d.path, err)
	}
	defer rows.Close()
	for rows.Next() {
		s := event.Send{Chat: chat, Seq: seq}
		if err := rows.Scan(&s.Part, &s.State, &s.Tries, &s.Message); err != nil {
			return nil, failure("read what was sent in", d.path, err)
		}
		all = append(all, s)
	}
	if err := rows.Err(); err != nil {
		return nil, failure("read what was sent in", d.path, err)
	}
	return all, nil
}

// SentAs returns what a message of the platform tells, the newest if there are several.
func (d *DB) SentAs(ctx context.Context, chat event.Chat, message int64) (s event.Send, known bool, err error) {
	s = event.Send{Chat: chat, Message: message}
	err = d.read.QueryRowContext(ctx,
		`SELECT seq, part, state, tries FROM send WHERE chat = ? AND message = ? AND message <> 0 ORDER BY seq DESC, part DESC LIMIT 1`,
		string(chat), message).Scan(&s.Seq, &s.Part, &s.State, &s.Tries)
	if errors.Is(err, sql.ErrNoRows) {
		return event.Send{}, false, nil
	}
	if err != nil {
		return event.Send{}, false, failure("read what was sent in", d.path, err)
	}
	return s, true, nil
}

// ChatsOf returns the chats whose names begin so, by name.
func (d *DB) ChatsOf(ctx context.Context, prefix string) ([]event.Chat, error) {
	all, err := d.Chats(ctx)
	return withPrefix(all, prefix), err
}

// invite is an [event.Invite] and what its code has to be.
type invite struct {
	event.Invite
	sum string
}

// newInvite refuses a code that is none: it would be no secret.
func newInvite(in event.Invite, code string) (invite, error) {
	clean, ok := event.CleanCode(code)
	if !ok || in.Platform == "" || in.Tries <= 0 || in.Expires.IsZero() {
		return invite{}, errors.New("add an invite: it needs a platform, a code, tries and an end")
	}
	in.Expires = time.UnixMilli(in.Expires.UnixMilli()).UTC()
	return invite{in, sumOf(clean)}, nil
}

func sumOf(code string) string {
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:])
}

func (in invite) inForce(now time.Time) bool { return in.Tries > 0 && now.Before(in.Expires) }

// matches takes as long for a wrong code as for the right one.
func (in invite) matches(code string) bool {
	clean, ok := event.CleanCode(code)
	return ok && subtle.ConstantTimeCompare([]byte(in.sum), []byte(sumOf(clean))) == 1
}

func checkPerson(p event.Person) error {
	if p.Platform == "" || p.ID == 0 {
		return errors.New("allow a person: they need a platform and an id on it")
	}
	return nil
}
