package store

import (
	"context"
)

// Settings are small state by key: table setting. It is safe for concurrent use.
type Settings struct{ db *DB }

// Settings returns the small state.
func (d *DB) Settings() *Settings { return &Settings{d} }

// Get returns what was last set for key, "" if nothing.
func (s *Settings) Get(ctx context.Context, key string) (string, error) {
	set, err := value[string](ctx, s.db.read, `SELECT value FROM setting WHERE key = ?`, key)
	return set, wrap("read setting "+key+" in", s.db.path, err)
}

// Set keeps value for key, durably when it returns. Both may be any bytes.
func (s *Settings) Set(ctx context.Context, key, value string) error {
	_, err := s.db.exec(ctx,
		`INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, value)
	return wrap("write setting "+key+" in", s.db.path, err)
}

// List returns all settings whose key begins with prefix.
func (s *Settings) List(ctx context.Context, prefix string) (map[string]string, error) {
	type setting struct{ key, value string }
	all, err := collect(ctx, s.db.read, func(scan scanner) (set setting, err error) {
		err = scan(&set.key, &set.value)
		return set, err
	}, `SELECT key, value FROM setting WHERE key >= ?1
		AND substr(CAST(key AS BLOB), 1, length(CAST(?1 AS BLOB))) = CAST(?1 AS BLOB)`, prefix)
	found := map[string]string{}
	for _, set := range all {
		found[set.key] = set.value
	}
	return found, wrap("read settings in", s.db.path, err)
}

// Delete forgets the value for key, durably when it returns.
func (s *Settings) Delete(ctx context.Context, key string) error {
	_, err := s.db.exec(ctx, `DELETE FROM setting WHERE key = ?`, key)
	return wrap("delete setting "+key+" in", s.db.path, err)
}

// Version returns a number that rises whenever a grant or a setting is written, by any process: while it is the same,
// what [Grants.InForce] and [Settings.List] returned still holds. Asking costs a fraction of reading them.
func (d *DB) Version(ctx context.Context) (int64, error) {
	n, err := value[int64](ctx, d.read, `SELECT n FROM revision`)
	return n, wrap("read the version of grants and settings in", d.path, err)
}
