package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
)

// Settings are small state by key: table setting. It is safe for concurrent use.
type Settings struct{ db *DB }

// Settings returns the small state.
func (d *DB) Settings() *Settings { return &Settings{d} }

// Get returns what was last set for key, "" if nothing.
func (s *Settings) Get(ctx context.Context, key string) (string, error) {
	var value string
	err := s.db.read.QueryRowContext(ctx, `SELECT value FROM setting WHERE key = ?`, key).Scan(&value)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", failure("read setting "+key+" in", s.db.path, err)
	}
	return value, nil
}

// Set keeps value for key, durably when it returns. Both may be any bytes.
func (s *Settings) Set(ctx context.Context, key, value string) error {
	_, err := s.db.exec(ctx,
		`INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, value)
	if err != nil {
		return failure("write setting "+key+" in", s.db.path, err)
	}
	return nil
}

// List returns all settings whose key begins with prefix.
func (s *Settings) List(ctx context.Context, prefix string) (map[string]string, error) {
	rows, err := s.db.read.QueryContext(ctx, `SELECT key, value FROM setting WHERE key >= ? ORDER BY key`, prefix)
	if err != nil {
		return nil, failure("read settings in", s.db.path, err)
	}
	defer rows.Close()
	found := map[string]string{}
	for rows.Next() {
		var key, value string
		if err := rows.Scan(&key, &value); err != nil {
			return nil, failure("read settings in", s.db.path, err)
		}
		if !strings.HasPrefix(key, prefix) {
			break
		}
		found[key] = value
	}
	if err := rows.Err(); err != nil {
		return nil, failure("read settings in", s.db.path, err)
	}
	return found, nil
}

// Delete forgets the value for key, durably when it returns.
func (s *Settings) Delete(ctx context.Context, key string) error {
	if _, err := s.db.exec(ctx, `DELETE FROM setting WHERE key = ?`, key); err != nil {
		return failure("delete setting "+key+" in", s.db.path, err)
	}
	return nil
}

// Version returns a number that rises whenever a grant or a setting is written, by whatever process: while it is the same,
// what [Grants.InForce] and [Settings.List] returned still holds. Asking costs a fraction of reading them.
func (d *DB) Version(ctx context.Context) (n int64, err error) {
	if err := d.read.QueryRowContext(ctx, `SELECT n FROM revision`).Scan(&n); err != nil {
		return 0, failure("read the version of grants and settings in", d.path, err)
	}
	return n, nil
}
