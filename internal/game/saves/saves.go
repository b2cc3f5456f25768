// Package saves reads the saves of the three seeds into a world and writes them again.
//
// A save is one JSON object. Which seed's it is shows in its members:
//
//	000  world, locations, players, objects
//	002  selected, map.areas, actors, settings_snapshot, goal, milestone, lifecycle (campaign.json)
//	003  session_id, map_snapshot, area_snapshot, player_static_data, player_runtime_data, role_pool
//	hob  {"format":"hob-state","version":1,"seed":"","counts":{},"state":{}}: a whole state as hob keeps it
//
// A save may have members of several seeds at once. All of them are read; it is of the last seed of the list of which it has
// any that are that seed's alone.
//
// # Nothing is lost
//
// What is read and written again in the shape that it had is the same JSON value, whatever was wrong with it. When a save was
// read, each record is written once as hob would write it, and in what the save differs from that is kept in the record's
// Extra: members of which hob knows nothing, members that are missing, numbers that stand as text, items that are no records.
// When the record is written later, each such difference comes back unless what it is about was changed in the meantime.
// Exceptions:
//
//   - Secrets, such as keys of a service, never come into a world.
//   - map.connections of seed 002 is always what its areas say, and each area has a list of what can be reached from it. A save
//     that has only connections, or says in positions, hp and character_states what belongs to actors, is brought to the newer
//     form.
//   - Where a member stands twice in an object the last one counts; what is no UTF-8 becomes U+FFFD.
//
// # Shapes in which a world did not come
//
// Any world can be written in any shape. What a seed's own members have no room for is written as members of the other seeds
// where they have one: objects that nobody carries stand in "objects" of a save of seed 002, ways in "connections" of a zone.
// The readers of the three seeds pass over members that they do not know. Quests, progress clocks, facts, lore, what people
// can be asked about and an encounter are left out, as are members of another shape of which hob knows nothing: hob's own forms
// hold all.
package saves

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"hob/internal/game/world"
)

// The shapes.
const (
	Own      = "hob"
	Seed000  = "000"
	Seed002  = "002"
	Seed003  = "003"
	format   = "hob-state"
	version  = "1"
	fallback = "player_001" // the player of seed 003 who has no name yet
)

// LogMember is the first member of the first line of hob's own log.
const LogMember = "log"

// IsLog reports whether data begins as a log of hob does, which is more than one state and is not read here.
func IsLog(data []byte) bool {
	return strings.HasPrefix(strings.TrimLeft(string(data[:min(len(data), 64)]), " \t\r\n"), `{"`+LogMember+`":`)
}

// Info is what was found out about a save.
type Info struct {
	Shape    string           // Own, Seed000, Seed002, Seed003
	Warnings []string         // sentences: what is wrong with the save, and what of it could not be kept
	Counts   map[string]int64 // how many ids of each kind are taken: see rules.Counts
	Seed     string           // of the campaign's dice, in hexadecimal, or ""
}

// Log is something that happened in a campaign, for the list of it that seed 003's saves have.
type Log struct {
	ID, Kind, Text, Time string
	Data                 []byte // JSON of an object, or nil
}

// Options is what stands in a save besides the world. What is empty is left out, or stays as it was in the save that was
// read.
type Options struct {
	Logs      []Log // those that the save does not have yet
	EndedAt   string
	CreatedAt string
	UpdatedAt string
	Seed      string           // of the shape hob
	Counts    map[string]int64 // of the shape hob
}

// Read reads a save of any shape. Whatever can be kept is kept: what is wrong is a warning. The world is the caller's.
func Read(data []byte) (*world.World, Info, error) {
	s := strings.TrimPrefix(string(data), "\uFEFF")
	r := &reader{w: world.Empty(), lists: map[string]*listing{}, extras: map[world.Record][]node{}}
	if !utf8.ValidString(s) {
		s = string([]rune(s))
		r.warn("The save is not all UTF-8: what is not was replaced.")
	}
	doc, p := parse(s)
	switch {
	case p.failed != "":
		return nil, Info{}, fmt.Errorf("read save: %s: give a save of seed 000, 002 or 003 or a state of hob", p.failed)
	case doc.get("format").is(text) && doc.get("format").text == format:
		return readOwn(doc)
	case p.levels >= deepest:
		return nil, Info{}, fmt.Errorf("read save: it is nested deeper than %d levels: flatten what is so deep", deepest)
	}
	if r.shape = shapeOf(&doc); r.shape == "" {
		return nil, Info{}, fmt.Errorf("read save: it has no member of a save: " +
			"locations, players or objects (seed 000), map.areas or actors (seed 002), session_id or area_snapshot (seed 003)")
	}
	if p.twice != "" {
		r.warn("A member stands twice in an object, " + quoted(p.twice) + " for one: the last one counts.")
	}
	r.read(&doc)
	info := Info{Shape: r.shape, Counts: r.counts(), Warnings: r.warnings}
	if r.more > 0 {
		info.Warnings = append(info.Warnings, fmt.Sprintf("There are %d more of such warnings.", r.more))
	}
	info.Warnings = append(info.Warnings, r.w.Validate()...)
	return r.w, info, nil
}

// shapeOf returns the seed whose save it is, or "".
func shapeOf(doc *node) string {
	has := func(k kind, names ...string) bool {
		for _, name := range names {
			if n := doc.get(name); n.is(k) {
				return true
			}
		}
		return false
	}
	switch {
	case has(object, "map_snapshot", "area_snapshot", "player_static_data", "player_runtime_data"),
		has(array, "role_pool", "game_logs"):
		return Seed003
	case has(object, "selected", "actors", "positions"), doc.get("map").get("areas") != nil:
		return Seed002
	case has(array, "locations", "players", "objects"), has(object, "world"):
		return Seed000
	case has(object, "settings_snapshot", "milestone", "lifecycle", "goal", "map"), has(array, "allowlist"):
		return Seed002
	case has(text, "session_id"):
		return Seed003
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
	if counts := doc.get("counts"); counts.is(object) {
		for i := range counts.kids {
			n, ok := whole(counts.kids[i].text)
			if !ok || !counts.kids[i].is(token) || n < 0 {
				return nil, Info{}, fmt.Errorf("read save: the count of %q is no whole number", counts.kids[i].name)
			}
			info.Counts[counts.kids[i].name] = n
		}
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
	info.Warnings = w.Validate()
	return w, info, nil
}

// Write writes a world as one line of JSON, in one of the shapes. In the shape in which it came it has all that it had then,
// and what has changed since.
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
	case Seed000, Seed002, Seed003:
		x := newWriter(w, shape, opt)
		doc := x.whole()
		return doc.append(nil, false), nil
	}
	return nil, fmt.Errorf("write save: there is no shape %q: choose %s, %s, %s or %s", shape, Own, Seed000, Seed002, Seed003)
}
