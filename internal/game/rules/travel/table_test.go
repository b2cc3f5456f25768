package travel_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/rules"
	"hob/internal/game/rules/travel"
	"hob/internal/game/world"
)

// table is a world with a turn on it.
type table struct {
	t    *testing.T
	w    *world.World
	turn *rules.Turn
}

// set makes a world of records, which must be sound.
func set(t *testing.T, records ...world.Record) *table {
	t.Helper()
	book, err := rules.New(travel.Family())
	if err != nil {
		t.Fatal(err)
	}
	b := &table{t: t, w: world.Empty()}
	b.put(records...)
	b.turn = &rules.Turn{Unbound: true, Book: book, World: b.w, Number: 1, Services: rules.Services{Counts: &rules.Counts{"order": 1000}}}
	return b
}

func (b *table) put(records ...world.Record) {
	b.t.Helper()
	for _, r := range records {
		if err := b.w.Apply(world.Event{Old: b.w.Record(r.Kind(), r.Key()), New: r}); err != nil {
			b.t.Fatal(err)
		}
	}
}

// is makes the world's language another, or anything else of it as a whole.
func (b *table) is(change func(*world.Self)) *table {
	self := *b.w.Self()
	change(&self)
	b.put(&self)
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

// batch runs calls; a call that was refused, and one that says that it changed nothing, must have left the world as it was.
func (b *table) batch(calls ...rules.Call) []rules.Outcome {
	b.t.Helper()
	list := make([]rules.Outcome, 0, len(calls))
	for _, c := range calls {
		before, events, notes := b.w.Hash(), len(b.turn.Events), len(b.turn.Notes)
		o := b.turn.Do(context.Background(), c, nil)
		if same := b.w.Hash() == before; same == o.Changed || !o.OK() && !same {
			b.t.Errorf("%s %s: the world is the same: %v; the call says that it changed it: %v", c.Tool, c.Args, same, o.Changed)
		}
		if !o.Changed && (len(b.turn.Events) != events || len(b.turn.Notes) != notes) {
			b.t.Errorf("%s %s changed nothing and left events or notes", c.Tool, c.Args)
		}
		if text := b.text(o); text == "" || strings.HasPrefix(text, o.Say.Key) || strings.Contains(text, "{") {
			b.t.Errorf("words are missing: %q", text)
		}
		list = append(list, o)
	}
	return list
}

func (b *table) call(tool, args string) rules.Outcome {
	b.t.Helper()
	return b.batch(rules.Call{Tool: tool, Args: json.RawMessage(args)})[0]
}

func (b *table) text(o rules.Outcome) string { return b.turn.Book.Text(b.w.Self().Lang, o.Say) }

// ok runs a call that is to be applied with that result and with all of says in its words.
func (b *table) ok(tool, args, result string, says ...string) rules.Outcome {
	b.t.Helper()
	o := b.call(tool, args)
	if !o.OK() {
		b.t.Fatalf("%s %s: %s %s (%s)", tool, args, o.Status, o.Code, b.text(o))
	}
	if result != "" && string(o.Result) != result {
		b.t.Errorf("%s %s: result %s, want %s", tool, args, o.Result, result)
	}
	b.says(o, says...)
	return o
}

// no runs a call that is to end as status, reason and detail say, separated by a blank.
func (b *table) no(want, tool, args string, says ...string) rules.Outcome {
	b.t.Helper()
	o := b.call(tool, args)
	if got := string(o.Status) + " " + o.Reason() + " " + o.Detail(); got != want {
		b.t.Fatalf("%s %s: %s (%s), want %s", tool, args, got, b.text(o), want)
	}
	b.says(o, says...)
	return o
}

func (b *table) says(o rules.Outcome, says ...string) {
	b.t.Helper()
	for _, want := range says {
		if !strings.Contains(b.text(o), want) {
			b.t.Errorf("%q is not in %q", want, b.text(o))
		}
	}
}

// at looks where somebody is.
func (b *table) at(actor, place string) {
	b.t.Helper()
	if got := b.w.Actor(actor).Place; got != place {
		b.t.Errorf("%s is at %q, want %q", actor, got, place)
	}
}

// takes looks how many minutes have passed since the clock stood at nineThirty.
func (b *table) takes(minutes int64) {
	b.t.Helper()
	if got := b.w.Self().Minute - nineThirty; got != minutes {
		b.t.Errorf("%d minutes have passed, want %d", got, minutes)
	}
}

// notes looks what is remembered of the turn.
func (b *table) notes(want ...rules.Note) {
	b.t.Helper()
	same(b.t, b.turn.Notes, want)
}

func same(t *testing.T, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("want -, got +\n%s", d)
	}
}
