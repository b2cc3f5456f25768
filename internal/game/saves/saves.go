// Package saves reads the saves of three older programs into a world, and writes them again. docs/spec/older-saves.md
// describes them.
//
// A save is one JSON object. Its members show its shape:
//
//	000  a GameState: world, locations, players, objects
//	002  a campaign.json: selected, map.areas, actors, settings_snapshot, goal, milestone, lifecycle
//	003  a session: session_id, map_snapshot, area_snapshot, player_static_data, player_runtime_data, role_pool
//	hob  {"format":"hob-state","version":1,"seed":"","counts":{},"state":{}}: a whole state as hob keeps it
//
// A save may have members of several shapes. All of them are read. Its shape is then the last one of this table of which it
// has a member that no other shape has.
//
// # Nothing is lost
//
// A save that is read and written again in its shape is the same JSON value, with all its faults. For this, each record that
// was read is written once as hob would write it. The differences from the save are kept in the record's Extra: members that
// hob does not know, missing members, numbers as text, items that are no records. When the record is written later, each
// difference comes back unless its value was changed in the meantime. Exceptions:
//
//   - Secrets, such as the key of a service, never come into a world.
//   - map.connections of a campaign.json always repeats its areas, and each area has a list of reachable areas. An old save
//     that has only connections, or that says in positions, hp and character_states what belongs to actors, is brought to the
//     later form.
//   - If an object has a member twice, the last one counts. Bytes that are no UTF-8 become U+FFFD.
//
// # Other shapes
//
// Any world can be written in any shape. A property for which a shape has no member is written as a member of another shape
// that has one: objects that nobody carries stand in "objects" of a campaign.json, ways in "connections" of a zone. The three
// programs pass over members that they do not know. Quests, progress clocks, facts, lore, topics to ask people about and an
// encounter are left out, and so are members of another shape that hob does not know. Only hob's own forms have everything.
package saves

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"hob/internal/game/world"
)

// The shapes. Their values are the arguments of `--as`.
const (
	Own          = "hob"
	GameState    = "000"
	CampaignFile = "002"
	Session      = "003"

	format   = "hob-state"
	version  = "1"
	fallback = "player_001" // the player of a session who has no name yet
)

// IsLog reports whether data begins as a log of hob does. A log is more than one state, and is not read here.
func IsLog(data []byte) bool {
	return strings.HasPrefix(strings.TrimLeft(string(data[:min(len(data), 64)]), " \t\r\n"), `{"log":`)
}

// Info describes a save.
type Info struct {
	Shape    string           // Own, GameState, CampaignFile, Session
	Warnings []string         // sentences: faults of the save, and what of it could not be kept
	Counts   map[string]int64 // the last number of the ids of each kind: see rules.Counts
	Seed     string           // of the campaign's dice, in hexadecimal, or ""
}

// Log is an event of a campaign, for the game_logs of a session.
type Log struct {
	ID, Kind, Text, Time string
	Data                 []byte // JSON of an object, or nil
}

// Options is the content of a save besides the world. An empty field is left out, or stays as it was in the save that was
// read.
type Options struct {
	Logs      []Log // those that the save does not have yet
	EndedAt   string
	UpdatedAt string
	Seed      string           // of the shape hob
	Counts    map[string]int64 // of the shape hob
}

// Read reads a save of any shape. It keeps everything that it can: faults become warnings. The world is the caller's.
func Read(data []byte) (*world.World, Info, error) {
	s := strings.TrimPrefix(string(data), "\uFEFF")
	doc, p, err := parse(s)
	switch {
	case err != nil:
		return nil, Info{}, fmt.Errorf("read save: %w: give a save of the shape 000, 002 or 003 or a state of hob", err)
	case doc.get("format").is(text) && doc.get("format").text == format:
		return readOwn(doc)
	case p.levels >= deepest:
		return nil, Info{}, fmt.Errorf("read save: it is nested deeper than %d levels: flatten what is so deep", deepest)
	}
	r := newReader(&doc)
	if !utf8.ValidString(s) {
		r.warn("The save is not all UTF-8: what is not was replaced.")
	}
	if r.shape = shapeOf(&doc); r.shape == "" {
		return nil, Info{}, errors.New("read save: it has no member of a save: " +
			"locations, players or objects (000), map.areas or actors (002), session_id or area_snapshot (003)")
	}
	if p.twice != "" {
		r.warn("A member stands twice in an object, " + quoted(p.twice) + " for one: the last one counts.")
	}
	r.read()
	return r.w, Info{Shape: r.shape, Counts: r.counts(), Warnings: r.allWarnings()}, nil
}

// shapeOf returns the shape of a save, or "".
func shapeOf(doc *node) string {
	has := func(k kind, names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return doc.get(name).is(k) })
	}
	switch {
	case has(object, "map_snapshot", "area_snapshot", "player_static_data", "player_runtime_data"),
		has(array, "role_pool", "game_logs"):
		return Session
	case has(object, "selected", "actors", "positions"), doc.get("map", "areas") != nil:
		return CampaignFile
	case has(array, "locations", "players", "objects"), has(object, "world"):
		return GameState
	case has(object, "settings_snapshot", "milestone", "lifecycle", "goal", "map"), has(array, "allowlist"):
		return CampaignFile
	case has(text, "session_id"):
		return Session
	}
	return ""
}

// readOwn reads a state of hob.
func readOwn(doc node) (*world.World, Info, error) {
	info := Info{Shape: Own, Counts: map[string]int64{}}
	if v := doc.get("version"); !v.is(token) || v.text != version {
		return nil, Info{}, fmt.Errorf("read save: this state of hob has another version than %s: export it again", version)
	}
	if seed := doc.get("seed"); seed.is(text) {
		info.Seed = seed.text
	}
	for _, count := range doc.get("counts").of(object) {
		n, ok := whole(count.text)
		if !ok || count.kind != token || n < 0 {
			return nil, Info{}, fmt.Errorf("read save: the count of %q is no whole number", count.name)
		}
		info.Counts[count.name] = n
	}
	state := doc.get("state")
	if !state.is(object) {
		return nil, Info{}, fmt.Errorf("read save: this is a state of hob without a state")
	}
	s := world.Scan(state.append(nil, true))
	w, err := s.State()
	if err == nil {
		s.End()
		err = s.Err()
	}
	if err != nil {
		return nil, Info{}, fmt.Errorf("read save: the state of hob is damaged: %w", err)
	}
	if w.Self().Integrity == "" {
		w.Self().Integrity = world.Free
	}
	info.Warnings = w.Validate()
	return w, info, nil
}

// Write writes a world as one line of JSON in one of the shapes. In the shape in which it came it has everything that it had
// then, and the changes since.
func Write(w *world.World, shape string, opt Options) ([]byte, error) {
	switch shape {
	case Own:
		b := world.AppendString([]byte(`{"format":"`+format+`","version":`+version+`,"seed":`), opt.Seed)
		counts := obj("")
		for kind, n := range opt.Counts {
			counts.kids = append(counts.kids, num(kind, n))
		}
		b = counts.append(append(b, `,"counts":`...), true)
		return append(w.AppendState(append(b, `,"state":`...)), '}'), nil
	case GameState, CampaignFile, Session:
		x := newWriter(w, shape, opt)
		doc := x.whole()
		return doc.append(nil, false), nil
	}
	return nil, fmt.Errorf("write save: there is no shape %q: choose %s, %s, %s or %s", shape, Own, GameState, CampaignFile, Session)
}
