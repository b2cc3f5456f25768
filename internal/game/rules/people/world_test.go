package people_test

import (
	"hob/internal/game/rules"
	"hob/internal/game/rules/people"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

// table is a world with a turn on it.
type table struct{ *rulestest.Table }

// set makes a world of records in which a language is spoken.
func set(t rulestest.T, lang string, records ...world.Record) *table {
	t.Helper()
	self := &world.Self{Lang: lang, AllowAll: true}
	return &table{rulestest.New(t, []rules.Family{people.Family()}, append([]world.Record{self}, records...)...)}
}

// w2 is the world W2 of the cases, with records in place of those it has.
func w2(t rulestest.T, more ...world.Record) *table {
	t.Helper()
	return set(t, "en", append([]world.Record{
		&world.Self{
			Lang: "en", Party: []string{"pc_001", "pc_002"}, Active: "pc_001", AllowAll: true,
			Rules: map[string]int64{"hp_zero_ends_game": 1},
		},
		&world.Place{ID: "area_001", Order: 1, Name: "Gate", Type: "area"},
		&world.Place{ID: "area_002", Order: 2, Name: "Court", Type: "area"},
		&world.Link{From: "area_001", To: "area_002"},
		hero("pc_001", 10, world.Alive), hero("pc_002", 10, world.Alive),
	}, more...)...)
}

// hero is one of W2's party, of whom no maximum is known.
func hero(id string, hp int64, state string) *world.Actor {
	return &world.Actor{ID: id, Order: 3, Role: "pc", Name: id, Place: "area_001", HP: world.Known(hp), State: state}
}

// w3 is the world W3 of the cases.
func w3(t rulestest.T, more ...world.Record) *table {
	t.Helper()
	return set(t, "en", append([]world.Record{
		&world.Self{
			Lang: "en", Shape: "003", Session: "s1", Party: []string{"player_001"}, Active: "player_001", ClockSet: true,
			Minute: 9*60 + 30,
		},
		&world.Place{ID: "zone_0_0_0", Order: 1, Name: "Origin", Type: "zone", Pos: &world.Point{}, Overland: true},
		&world.Place{ID: "zone_120_-80_0", Order: 2, Name: "Rubble Stage", Type: "zone", Pos: &world.Point{X: 120000, Y: -80000}},
		&world.Actor{
			ID: "player_001", Order: 3, Role: "pc", Name: "Player", Place: "zone_0_0_0", Pos: &world.Point{},
			Speed: world.Known(4500),
		},
	}, more...)...)
}

// ok runs a call that is to be applied, and whose words are to have all of says in them.
func (b *table) ok(tool, args string, says ...string) rules.Outcome {
	b.T.Helper()
	o := b.Call(tool, args)
	if !o.OK() || o.Code != "" {
		b.T.Fatalf("%s %s: %s %s (%s)", tool, args, o.Status, o.Code, b.Text(o))
	}
	b.Says(o, says...)
	return o
}

// no runs a call that is to be refused with a code.
func (b *table) no(code rules.Code, tool, args string, says ...string) rules.Outcome {
	b.T.Helper()
	o := b.Call(tool, args)
	if o.OK() || o.Code != code {
		b.T.Fatalf("%s %s: %s %s (%s), want %s", tool, args, o.Status, o.Code, b.Text(o), code)
	}
	b.Says(o, says...)
	return o
}
