package store

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"hob/internal/event"
)

// Reminders stores reminders: tables reminder and consent. It is safe for concurrent use. Changes
// by a person ([event.WithCause]) are in the log of changes; deliveries are not.
type Reminders struct {
	db      *DB
	changes *Changes
}

// Reminders returns the store of reminders.
func (d *DB) Reminders() *Reminders { return &Reminders{d, d.Changes(Limits{})} }

// partyKey is the text for a person in the columns of a reminder.
func partyKey(p event.Party) string { return fmt.Sprintf("%s/%s", p.Platform, p.ID) }

// dueColumn returns the column value of a time, NULL for the zero time.
func dueColumn(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMilli(), Valid: !t.IsZero()}
}

// Add stores a reminder, durably when it returns, and returns it with its ID and, if a person made
// it, the number of the change.
func (s *Reminders) Add(ctx context.Context, r event.Reminder) (event.Reminder, error) {
	if r.Chat == "" || r.State == "" || r.When.Zone == "" {
		return event.Reminder{}, errors.New("add a reminder: it needs a chat, a state and a zone")
	}
	err := s.db.transact(ctx, func(tx transaction) (err error) {
		r.Created = s.db.now().UTC()
		if r.ID, err = insertReminder(ctx, tx, r); err != nil {
			return err
		}
		r.Change, err = s.note(ctx, tx, event.Reminder{}, r)
		return err
	})
	if err != nil {
		return event.Reminder{}, wrap("add a reminder to", s.db.path, err)
	}
	return r, nil
}

// Change reads the reminder with this ID, changes it with change, and stores the result, all in one
// transaction. An error of change is returned unchanged, and nothing is stored. If a person changes
// it, the result has the number of the change. Held and Digest belong to one Due: they are reset if
// Due or the state changes without them.
func (s *Reminders) Change(ctx context.Context, id int64, change func(*event.Reminder) error) (r event.Reminder, err error) {
	var refused error
	err = s.db.transact(ctx, func(tx transaction) error {
		var known bool
		var before event.Reminder
		r, known, err = find(ctx, tx, scanReminder, `SELECT id, body FROM reminder WHERE id = ?`, id)
		if err == nil && !known {
			refused = fmt.Errorf("there is no reminder %d", id)
		} else if err == nil {
			before = r
			refused = change(&r)
			dropStale(&r, before)
		}
		if err != nil || refused != nil {
			return errors.Join(err, refused)
		}
		r.ID = id
		if err = putReminder(ctx, tx, r); err == nil {
			r.Change, err = s.note(ctx, tx, before, r)
		}
		return err
	})
	if refused != nil {
		return event.Reminder{}, refused
	}
	return r, wrap("change a reminder in", s.db.path, err)
}

// note records in tx what a person changed of a reminder, and returns the number of the change, or
// 0 if no person changed anything. before is zero for a new one.
func (s *Reminders) note(ctx context.Context, tx transaction, before, r event.Reminder) (int64, error) {
	cause, known := event.CauseFrom(ctx)
	if !known {
		return 0, nil
	}
	var old []byte
	content, err := reminderRow(r)
	if err == nil && before.ID != 0 {
		old, err = reminderRow(before)
	}
	if err != nil || bytes.Equal(old, content) {
		return 0, err
	}
	made, err := s.changes.noteRow(ctx, tx, r.Name(), old, content, cause)
	return made.ID, err
}

// reminderRow returns a reminder as a row that can be undone, without fields that only delay it.
func reminderRow(r event.Reminder) ([]byte, error) {
	r.Held, r.Digest = time.Time{}, ""
	return json.Marshal(r)
}

func whatReminder(r event.Reminder) string { return r.Text }

// whatHappened says what the scheduler did with a reminder since a time. A person's action sets
// Changed instead.
func whatHappened(now []byte, since time.Time) string {
	var r event.Reminder
	_ = json.Unmarshal(now, &r) // an unreadable one was not delivered
	switch {
	case r.Last.After(since):
		return "it was told already"
	case r.ID != 0 && r.Changed.UnixMilli() <= since.UnixMilli():
		return "its time has passed"
	}
	return ""
}

func readReminder(ctx context.Context, from querier, id int64) ([]byte, error) {
	r, known, err := find(ctx, from, scanReminder, `SELECT id, body FROM reminder WHERE id = ?`, id)
	if err != nil || !known {
		return nil, err
	}
	return reminderRow(r)
}

// writeReminder restores a reminder. If it is for somebody else, they must still consent.
func writeReminder(ctx context.Context, tx transaction, id int64, content []byte) (int64, error) {
	if content == nil {
		_, err := tx.ExecContext(ctx, `DELETE FROM reminder WHERE id = ?`, id)
		return id, err
	}
	var r event.Reminder
	if err := json.Unmarshal(content, &r); err != nil {
		return 0, err
	}
	if r.ID = id; r.State == event.ReminderOpen && r.NeedsConsent() {
		answer, err := value[string](ctx, tx, `SELECT answer FROM consent WHERE person = ? AND author = ?`, partyKey(r.For), partyKey(r.By))
		if err != nil {
			return 0, err
		}
		if answer != "yes" {
			return 0, &RowError{fmt.Sprintf("%s does not want to be reminded", r.For.Name)}
		}
	}
	now, known, err := find(ctx, tx, scanReminder, `SELECT id, body FROM reminder WHERE id = ?`, id)
	if err != nil || !known {
		return id, cmp.Or(err, restoreReminder(ctx, tx, r))
	}
	if now.Due.Equal(r.Due) && now.State == r.State {
		r.Held, r.Digest = now.Held, now.Digest
	}
	return id, putReminder(ctx, tx, r)
}

// restoreReminder recreates a reminder that was removed.
func restoreReminder(ctx context.Context, tx transaction, r event.Reminder) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO reminder (id, state, chat, person, author, body) VALUES (?, ?, ?, '', '', '{}')`,
		r.ID, string(r.State), string(r.Chat))
	if err != nil {
		return err
	}
	return putReminder(ctx, tx, r)
}

// dropStale resets the fields of a reminder that belong to its former Due and State.
func dropStale(r *event.Reminder, before event.Reminder) {
	if r.Due.Equal(before.Due) && r.State == before.State {
		return
	}
	if r.Held.Equal(before.Held) {
		r.Held = time.Time{}
	}
	if r.Digest == before.Digest {
		r.Digest = ""
	}
}

// dueAt returns when a reminder is delivered next, or the zero time.
func dueAt(r event.Reminder) time.Time {
	if !r.Due.IsZero() && r.Held.After(r.Due) {
		return r.Held
	}
	return r.Due
}

func insertReminder(ctx context.Context, tx transaction, r event.Reminder) (id int64, err error) {
	r.ID, err = lastInsertID(tx.ExecContext(ctx, `INSERT INTO reminder (state, chat, person, author, body) VALUES (?, ?, '', '', '{}')`,
		string(r.State), string(r.Chat)))
	if err != nil {
		return 0, err
	}
	return r.ID, putReminder(ctx, tx, r)
}

func putReminder(ctx context.Context, tx transaction, r event.Reminder) error {
	body, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE reminder SET state = ?, due = ?, chat = ?, person = ?, author = ?, body = ? WHERE id = ?`,
		string(r.State), dueColumn(dueAt(r)), string(r.Chat), partyKey(r.Person()), partyKey(r.By), string(body), r.ID)
	return err
}

func scanReminder(scan scanner) (r event.Reminder, err error) {
	var id int64
	var body string
	if err := scan(&id, &body); err != nil {
		return r, err
	}
	err = json.Unmarshal([]byte(body), &r)
	r.ID = id
	return r, err
}

// Get returns the reminder with that ID; known is false if there is none.
func (s *Reminders) Get(ctx context.Context, id int64) (r event.Reminder, known bool, err error) {
	r, known, err = find(ctx, s.db.read, scanReminder, `SELECT id, body FROM reminder WHERE id = ?`, id)
	return r, known, wrap("read a reminder in", s.db.path, err)
}

// Due returns up to limit reminders that are open, or wait for consent, and are due, in the order
// of their times. It skips damaged ones, which must not hold up the others.
func (s *Reminders) Due(ctx context.Context, now time.Time, limit int) ([]event.Reminder, error) {
	return s.list(ctx, `WHERE state IN ('open', 'waiting') AND due IS NOT NULL AND due <= ? AND json_valid(body) ORDER BY due, id LIMIT ?`, now.UnixMilli(), limit)
}

// NextDue returns the next time of such reminders, or the zero time.
func (s *Reminders) NextDue(ctx context.Context) (time.Time, error) {
	ms, err := value[int64](ctx, s.db.read, `SELECT due FROM reminder WHERE state IN ('open', 'waiting') AND due IS NOT NULL AND json_valid(body) ORDER BY due, id LIMIT 1`)
	if err != nil || ms == 0 {
		return time.Time{}, wrap("read the reminders in", s.db.path, err)
	}
	return time.UnixMilli(ms), nil
}

// Open returns the reminders that are neither done nor cancelled, in the order of their next
// delivery.
func (s *Reminders) Open(ctx context.Context) ([]event.Reminder, error) {
	return s.list(ctx, `WHERE state IN ('open', 'waiting') ORDER BY due IS NULL, due, id`)
}

// Recent returns up to limit reminders of any state, newest first.
func (s *Reminders) Recent(ctx context.Context, limit int) ([]event.Reminder, error) {
	return s.list(ctx, `ORDER BY id DESC LIMIT ?`, limit)
}

func (s *Reminders) list(ctx context.Context, where string, args ...any) ([]event.Reminder, error) {
	all, err := collect(ctx, s.db.read, scanReminder, `SELECT id, body FROM reminder `+where, args...)
	return all, wrap("read the reminders in", s.db.path, err)
}

// Written returns the times since a given one at which notes with reminders were written, by chat.
func (s *Reminders) Written(ctx context.Context, since time.Time) (map[event.Chat][]time.Time, error) {
	type note struct {
		chat event.Chat
		ms   int64
	}
	scan := func(scan scanner) (n note, err error) { return n, scan(&n.chat, &n.ms) }
	// Events are in the order of their times, unless a clock was set back. So the search goes back
	// to an event that is older.
	notes, err := collect(ctx, s.db.read, scan, `SELECT chat, time FROM event
		WHERE seq > coalesce((SELECT seq FROM event WHERE time < ?1 ORDER BY seq DESC LIMIT 1), 0)
		AND (key GLOB 'noted/reminder/*' OR key GLOB 'noted/digest/*') ORDER BY seq`, since.UnixMilli())
	all := map[event.Chat][]time.Time{}
	for _, n := range notes {
		all[n.chat] = append(all[n.chat], time.UnixMilli(n.ms))
	}
	return all, wrap("read the reminders in", s.db.path, err)
}

// Consent returns a person's answer to whether another may remind them: "yes", "no", "mute", or ""
// if they have not answered.
func (s *Reminders) Consent(ctx context.Context, person, author event.Party) (string, error) {
	answer, err := value[string](ctx, s.db.read, `SELECT answer FROM consent WHERE person = ? AND author = ?`, partyKey(person), partyKey(author))
	return answer, wrap("read the reminders in", s.db.path, err)
}

// SetConsent stores a person's answer, durably when it returns, and returns the number of the
// change, or 0 if that was their answer already.
func (s *Reminders) SetConsent(ctx context.Context, person, author event.Party, answer string) (int64, error) {
	var made event.Change
	err := s.db.transact(ctx, func(tx transaction) (err error) {
		cause := causeOr(ctx, event.Cause{By: partyKey(person), Tool: consentKind})
		cause.What = fmt.Sprintf("%s may remind %s: %s", cmp.Or(author.Name, partyKey(author)), cmp.Or(person.Name, partyKey(person)), answer)
		_, made, err = s.changes.editRow(ctx, tx, consentKind, partyKey(person)+"/"+partyKey(author), []byte(answer), cause)
		return err
	})
	return made.ID, wrap("keep an answer in", s.db.path, err)
}

// consentKind begins the names of answers in the log of changes. The person and the author follow.
const consentKind = "consent"

// consentOf parses a key into the person who answered and the author whom the answer concerns.
func consentOf(key string) (person, author string, err error) {
	parts := strings.Split(key, "/")
	if len(parts) != 4 {
		return "", "", errNoName(key)
	}
	return parts[0] + "/" + parts[1], parts[2] + "/" + parts[3], nil
}

func readConsent(ctx context.Context, from querier, key string) ([]byte, error) {
	person, author, err := consentOf(key)
	if err != nil {
		return nil, err
	}
	return value[[]byte](ctx, from, `SELECT answer FROM consent WHERE person = ? AND author = ?`, person, author)
}

func (d *DB) writeConsent(ctx context.Context, tx transaction, key string, content []byte) (string, error) {
	person, author, err := consentOf(key)
	switch {
	case err != nil:
	case content == nil:
		_, err = tx.ExecContext(ctx, `DELETE FROM consent WHERE person = ? AND author = ?`, person, author)
	default:
		_, err = tx.ExecContext(ctx, `INSERT INTO consent (person, author, answer, time) VALUES (?1, ?2, ?3, ?4)
			ON CONFLICT (person, author) DO UPDATE SET answer = ?3, time = ?4`, person, author, string(content), d.now().UnixMilli())
	}
	return key, err
}

// consents reports whether then permits one person to remind another, or to ask, and now does not.
func consents(now, then []byte) bool {
	rank := func(answer []byte) int {
		switch {
		case answer == nil:
			return 1 // they may ask
		case string(answer) == "yes":
			return 2
		}
		return 0
	}
	return rank(then) > rank(now)
}
