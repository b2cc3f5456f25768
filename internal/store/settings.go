package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"hob/internal/event"
)

// Settings stores small values by key: table setting. It is safe for concurrent use.
type Settings struct{ db *DB }

// Settings returns the store of settings.
func (d *DB) Settings() *Settings { return &Settings{d} }

// Get returns the value of key, or "".
func (s *Settings) Get(ctx context.Context, key string) (string, error) {
	set, err := value[string](ctx, s.db.read, `SELECT value FROM setting WHERE key = ?`, key)
	return set, wrap("read setting "+key+" in", s.db.path, err)
}

// Set stores the value of key, durably when it returns. Both may be any bytes.
func (s *Settings) Set(ctx context.Context, key, value string) error {
	_, err := s.db.exec(ctx,
		`INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, value)
	return wrap("write setting "+key+" in", s.db.path, err)
}

// switchedOff is the prefix of the settings that switch tools off. Their value is the time of that.
const switchedOff = "tool/off/"

// switchedOffIn is the prefix of the settings that switch a tool off in one chat: the tool, a slash
// and the chat follow. Their value is the level of the person who did it.
const switchedOffIn = "tool/off-in/"

// SwitchTools switches tools on or off, all or none, durably when it returns. Each real change is
// in the log of changes.
func (s *Settings) SwitchTools(ctx context.Context, names []string, on bool) error {
	cause := causeOr(ctx, event.Cause{Tool: "switch"})
	return wrap("switch tools in", s.db.path, s.db.transact(ctx, func(tx transaction) error {
		for _, name := range names {
			since, err := readSwitch(ctx, tx, name)
			switch {
			case err != nil:
				return err
			case on:
				since = nil
			case since == nil:
				since = []byte(s.db.now().UTC().Format(time.RFC3339))
			}
			_, made, err := s.db.Changes(Limits{}).editRow(ctx, tx, "tool", name, since, cause)
			if err != nil {
				return err
			}
			cause.Part = cmp.Or(cause.Part, made.ID)
		}
		return nil
	}))
}

// SwitchToolIn switches a tool off in one chat, as a person of that level, or on for level "",
// durably when it returns. The change is in the log of changes.
func (s *Settings) SwitchToolIn(ctx context.Context, chat event.Chat, name, level string) error {
	var content []byte
	if level != "" {
		content = []byte(level)
	}
	return wrap("switch a tool in", s.db.path, s.db.transact(ctx, func(tx transaction) error {
		_, _, err := s.db.Changes(Limits{}).editRow(ctx, tx, "tool", name+"/"+string(chat), content, causeOr(ctx, event.Cause{Tool: "switch"}))
		return err
	}))
}

// SwitchedOff returns the names of the tools that are switched off.
func (s *Settings) SwitchedOff(ctx context.Context) (names []string, err error) {
	all, err := s.List(ctx, switchedOff)
	for key := range all {
		names = append(names, strings.TrimPrefix(key, switchedOff))
	}
	slices.Sort(names)
	return names, err
}

// SwitchedOffIn returns the tools that are switched off in single chats, by chat and tool, each
// with the level of the person who did it.
func (s *Settings) SwitchedOffIn(ctx context.Context) (map[event.Chat]map[string]string, error) {
	all, err := s.List(ctx, switchedOffIn)
	off := map[event.Chat]map[string]string{}
	for key, level := range all {
		name, chat, _ := strings.Cut(strings.TrimPrefix(key, switchedOffIn), "/") // a tool's name has no slash
		if off[event.Chat(chat)] == nil {
			off[event.Chat(chat)] = map[string]string{}
		}
		off[event.Chat(chat)][name] = level
	}
	return off, err
}

// switchKey returns the key of the setting for NAME or NAME/CHAT.
func switchKey(key string) string {
	if strings.Contains(key, "/") {
		return switchedOffIn + key
	}
	return switchedOff + key
}

// readSwitch reads the setting that switches a tool off; nil: it is on.
func readSwitch(ctx context.Context, from querier, key string) ([]byte, error) {
	return value[[]byte](ctx, from, `SELECT value FROM setting WHERE key = ?`, switchKey(key))
}

func writeSwitch(ctx context.Context, tx transaction, key string, content []byte) (string, error) {
	if content == nil {
		_, err := tx.ExecContext(ctx, `DELETE FROM setting WHERE key = ?`, switchKey(key))
		return key, err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO setting (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2`,
		switchKey(key), string(content))
	return key, err
}

// List returns all settings whose keys begin with prefix.
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

// Delete removes the value of key, durably when it returns.
func (s *Settings) Delete(ctx context.Context, key string) error {
	_, err := s.db.exec(ctx, `DELETE FROM setting WHERE key = ?`, key)
	return wrap("delete setting "+key+" in", s.db.path, err)
}

// Version returns a number that rises with each write of a grant or a setting by any process. While
// it is unchanged, earlier results of [Grants.InForce] and [Settings.List] hold. Reading it costs a
// fraction of reading those.
func (d *DB) Version(ctx context.Context) (int64, error) {
	n, err := value[int64](ctx, d.read, `SELECT n FROM revision`)
	return n, wrap("read the version of grants and settings in", d.path, err)
}
