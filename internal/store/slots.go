package store

import (
	"context"
	"database/sql"
	"errors"

	"hob/internal/event"
)

// errShown says what is missing.
var errShown = errors.New("note where something is shown: it needs a chat and a name")

// Shown returns the message of the platform in which a chat shows what has that name; 0 where none does.
func (d *DB) Shown(ctx context.Context, chat event.Chat, name string) (message int64, err error) {
	err = d.read.QueryRowContext(ctx, `SELECT message FROM shown WHERE chat = ? AND name = ?`, string(chat), name).Scan(&message)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, failure("read what is shown in", d.path, err)
	}
	return message, nil
}

// SetShown notes durably which message shows it from here on; 0 is none.
func (d *DB) SetShown(ctx context.Context, chat event.Chat, name string, message int64) error {
	if chat == "" || name == "" {
		return errShown
	}
	query := `INSERT INTO shown (chat, name, message) VALUES (?1, ?2, ?3) ON CONFLICT (chat, name) DO UPDATE SET message = ?3`
	args := []any{string(chat), name, message}
	if message == 0 {
		query, args = `DELETE FROM shown WHERE chat = ? AND name = ?`, args[:2]
	}
	if _, err := d.exec(ctx, query, args...); err != nil {
		return failure("note what is shown in", d.path, err)
	}
	return nil
}

// ForgetShown notes that a message shows it no more. Where another one does by now, nothing changes.
func (d *DB) ForgetShown(ctx context.Context, chat event.Chat, name string, message int64) error {
	if _, err := d.exec(ctx, `DELETE FROM shown WHERE chat = ? AND name = ? AND message = ?`, string(chat), name, message); err != nil {
		return failure("note what is shown in", d.path, err)
	}
	return nil
}

// Shown is [DB.Shown].
func (m *Memory) Shown(ctx context.Context, chat event.Chat, name string) (int64, error) {
	unlock, err := m.lock(ctx, "read what is shown")
	if err != nil {
		return 0, err
	}
	defer unlock()
	return m.post.shown[[2]string{string(chat), name}], nil
}

// SetShown is [DB.SetShown].
func (m *Memory) SetShown(ctx context.Context, chat event.Chat, name string, message int64) error {
	unlock, err := m.lock(ctx, "note what is shown")
	if err != nil {
		return err
	}
	defer unlock()
	if chat == "" || name == "" {
		return errShown
	}
	if m.post.shown == nil {
		m.post.shown = map[[2]string]int64{}
	}
	if message == 0 {
		delete(m.post.shown, [2]string{string(chat), name})
		return nil
	}
	m.post.shown[[2]string{string(chat), name}] = message
	return nil
}

// ForgetShown is [DB.ForgetShown].
func (m *Memory) ForgetShown(ctx context.Context, chat event.Chat, name string, message int64) error {
	unlock, err := m.lock(ctx, "note what is shown")
	if err != nil {
		return err
	}
	defer unlock()
	if key := [2]string{string(chat), name}; m.post.shown[key] == message {
		delete(m.post.shown, key)
	}
	return nil
}
