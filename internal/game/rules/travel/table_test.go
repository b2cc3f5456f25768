package travel_test

import (
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/rules/travel"
	"hob/internal/game/world"
)

// table is a world with a turn on it.
type table struct{ *rulestest.Table }

// set makes a world of records, which must be sound.
func set(t rulestest.T, records ...world.Record) *table {
	t.Helper()
	return &table{rulestest.New(t, []rules.Family{travel.Family()}, records...)}
}

// is makes the world's language another, or anything else of it as a whole.
func (b *table) is(change func(*world.Self)) *table {
	self := *b.World.Self()
	change(&self)
	b.Put(&self)
	return b
}

func ru(s *world.Self) { s.Lang = "ru" }

func joined(a, z string) []world.Record {
	return []world.Record{&world.Link{From: a, To: z}, &world.Link{From: z, To: a}}
}

// w1 is the world W1 of the cases.
func w1(t *testing.T, more ...world.Record) *table {
	t.Helper()
	place := func(n int64, id, name string) world.Record {
		return &world.Place{ID: id, Order: n, Name: name, Type: "location", Attrs: map[string]string{}}
	}
	records := []world.Record{
		place(1, "loc_hall", "Hall"), place(2, "loc_yard", "Yard"), place(3, "loc_vault", "Vault"), place(4, "loc_attic", "Attic"),
		place(5, "loc_isle", "Isle"), place(6, "loc_road", "Road"),
		&world.Link{From: "loc_hall", To: "loc_yard"}, &world.Link{From: "loc_hall", To: "loc_vault"},
		&world.Actor{ID: "char_ann", Order: 7, Name: "Ann", Role: "pc", Place: "loc_hall", Attrs: map[string]string{"health": "well"}},
		&world.Actor{ID: "char_bo", Order: 8, Name: "Bo", Role: "pc", Place: "loc_yard"},
		&world.Thing{ID: "obj_box", Order: 9, Name: "Box", Parent: "loc_hall"}, &world.Thing{ID: "obj_key", Order: 10, Name: "Key", Parent: "obj_box"},
		&world.Thing{ID: "obj_tag", Order: 11, Name: "Tag", Parent: "obj_key"}, &world.Thing{ID: "obj_knife", Order: 12, Name: "Knife", Parent: "char_ann"},
		&world.Thing{ID: "obj_map", Order: 13, Name: "Map", Parent: "loc_yard"}, &world.Self{AllowAll: true, Shape: "000"},
	}
	records = append(append(records, joined("loc_hall", "loc_attic")...), joined("loc_yard", "loc_road")...)
	return set(t, append(records, more...)...)
}

// w2 is the world W2.
func w2(t *testing.T, more ...world.Record) *table {
	t.Helper()
	pc := func(n int64, id string) world.Record {
		return &world.Actor{ID: id, Order: n, Role: "pc", Place: "area_001", HP: world.Known(10), State: world.Alive}
	}
	return set(t, append([]world.Record{
		&world.Place{ID: "area_001", Order: 1, Name: "Gate", Type: "area"}, &world.Place{ID: "area_002", Order: 2, Name: "Court", Type: "area"},
		&world.Link{From: "area_001", To: "area_002"}, pc(3, "pc_001"), pc(4, "pc_002"),
		&world.Self{Shape: "002", Session: "camp_0001", Party: []string{"pc_001", "pc_002"}, Active: "pc_001",
			Allow: []string{"move", "hp_delta", "map_generate"}},
	}, more...)...)
}

// zone is one of a world of seed 003, in metres.
func zone(id, name string, x, y, z int64) *world.Place {
	return &world.Place{ID: id, Name: name, Type: "zone", Overland: true, Pos: &world.Point{X: x * 1000, Y: y * 1000, Z: z * 1000}}
}

// nineThirty is the moment 1024-03-14 09:30.
const nineThirty = 538_150_170

// w3 is the world W3.
func w3(t *testing.T, more ...world.Record) *table {
	t.Helper()
	return set(t, append([]world.Record{
		zone("zone_0_0_0", "Origin", 0, 0, 0), zone("zone_600_0_0", "East Post", 600, 0, 0), zone("zone_120_-80_0", "Rubble Stage", 120, -80, 0),
		&world.Actor{ID: "player_001", Name: "Player", Role: "pc", Place: "zone_0_0_0", Pos: &world.Point{}, Speed: world.Known(4500)},
		&world.Self{Shape: "003", AllowAll: true, Session: "s1", Active: "player_001", ClockSet: true, Minute: nineThirty},
	}, more...)...)
}

// ok runs a call that is to be applied with that result and with all of says in its words.
func (b *table) ok(tool, args, result string, says ...string) rules.Outcome {
	b.T.Helper()
	o := b.Call(tool, args)
	if !o.OK() {
		b.T.Fatalf("%s %s: %s %s (%s)", tool, args, o.Status, o.Code, b.Text(o))
	}
	if result != "" && string(o.Result) != result {
		b.T.Errorf("%s %s: result %s, want %s", tool, args, o.Result, result)
	}
	b.Says(o, says...)
	return o
}

// no runs a call that is to end as status, reason and detail say, separated by a blank.
func (b *table) no(want, tool, args string, says ...string) rules.Outcome {
	b.T.Helper()
	o := b.Call(tool, args)
	if got := string(o.Status) + " " + o.Reason() + " " + o.Detail(); got != want {
		b.T.Fatalf("%s %s: %s (%s), want %s", tool, args, got, b.Text(o), want)
	}
	b.Says(o, says...)
	return o
}

// at looks where somebody is.
func (b *table) at(actor, place string) {
	b.T.Helper()
	if got := b.World.Actor(actor).Place; got != place {
		b.T.Errorf("%s is at %q, want %q", actor, got, place)
	}
}

// takes looks how many minutes have passed since the clock stood at nineThirty.
func (b *table) takes(minutes int64) {
	b.T.Helper()
	if got := b.World.Self().Minute - nineThirty; got != minutes {
		b.T.Errorf("%d minutes have passed, want %d", got, minutes)
	}
}

// notes looks what is remembered of the turn.
func (b *table) notes(want ...rules.Note) {
	b.T.Helper()
	rulestest.Same(b.T, b.Turn.Notes, want)
}
