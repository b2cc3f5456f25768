package travel_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"hob/internal/game/rules"
	"hob/internal/game/rules/travel"
	"hob/internal/game/world"
)

// TestAnyCalls runs calls that make sense and calls that do not. What holds of the world goes on holding, nothing fails by a fault of its
// own, and all of it can be taken back.
func TestAnyCalls(t *testing.T) {
	book, err := rules.New(travel.Family())
	if err != nil {
		t.Fatal(err)
	}
	place := rapid.SampledFrom([]string{"a", "b", "c", "zone", "sub", "cave", "zz", " "})
	key := rapid.SampledFrom([]string{"key", "knife", "zz"})
	call := rapid.Custom(func(t *rapid.T) rules.Call {
		args := map[string]any{}
		give := func(name string, g *rapid.Generator[string]) {
			if rapid.IntRange(0, 5).Draw(t, name+" there") > 0 {
				args[name] = g.Draw(t, name)
			}
		}
		c := rules.Call{Tool: rapid.SampledFrom([]string{"move_player", "move", "move_to_zone", "move_options", "set_link"}).Draw(t, "tool")}
		switch c.Tool {
		case "move_player":
			give("player_id", rapid.SampledFrom([]string{"ann", "bo", "zz"}))
			give("targetLocationId", place)
		case "move":
			give("to_area_id", place)
			args["from_area_id"] = nil
		case "move_to_zone":
			args["session_id"] = "s1"
			give("to_zone_id", place)
		case "set_link":
			give("from", place)
			give("to", place)
			args["type"] = rapid.SampledFrom([]any{"out", "in", "bidirectional", "none", nil}).Draw(t, "type")
			args["state"] = rapid.SampledFrom([]any{"none", "open", "closed", "locked", nil}).Draw(t, "state")
			if rapid.Bool().Draw(t, "with a key") {
				give("key_id", key)
			}
		}
		b, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		c.Args = b
		return c
	})
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		b := halls(outer, zone("zone", "Zone", 100, 0, 0), &world.Place{ID: "sub", Type: "sub_zone", Parent: "zone", Pos: &world.Point{X: 99_000}},
			&world.Place{ID: "cave", Parent: "zone", Laid: true}, &world.Link{From: "a", To: "zone"}, &world.Link{From: "zone", To: "cave"})
		before := b.World.Hash()
		turn := rules.Turn{Unbound: true, Book: book, World: b.World, Services: rules.Services{Counts: &rules.Counts{}}}
		for range rapid.IntRange(1, 12).Draw(t, "calls") {
			hash, c := b.World.Hash(), call.Draw(t, "call")
			o := turn.Do(context.Background(), c, nil)
			if o.Code == rules.Internal || !o.OK() && b.World.Hash() != hash {
				t.Fatalf("%s %s: %s", c.Tool, c.Args, book.Text("en", o.Say))
			}
			if breaches := b.World.Validate(); breaches != nil {
				t.Fatalf("%s %s: %v", c.Tool, c.Args, breaches)
			}
		}
		if err := b.World.Revert(turn.Events); err != nil || b.World.Hash() != before {
			t.Fatalf("it is not taken back: %v", err)
		}
	})
}

// row returns a world of n areas in a row, and as many things.
func row(tb testing.TB, n int) (*world.World, *rules.Book) {
	book, err := rules.New(travel.Family())
	if err != nil {
		tb.Fatal(err)
	}
	w := world.Empty()
	add := func(r world.Record) {
		if err := w.Apply(world.Event{Old: w.Record(r.Kind(), r.Key()), New: r}); err != nil {
			tb.Fatal(err)
		}
	}
	add(&world.Self{AllowAll: true, Session: "s1", Active: "ann", ClockSet: true})
	add(&world.Actor{ID: "ann", Name: "Ann", Place: "area_0000"})
	for i := range n {
		id := fmt.Sprintf("area_%04d", i)
		add(&world.Place{ID: id, Name: "Area", Type: "area"})
		add(&world.Thing{ID: fmt.Sprintf("obj_%04d", i), Parent: id})
		if i > 0 {
			before := fmt.Sprintf("area_%04d", i-1)
			add(&world.Link{From: before, To: id})
			add(&world.Link{From: id, To: before})
		}
	}
	return w, book
}

func BenchmarkMove(b *testing.B) {
	w, book := row(b, 250)
	calls := [2]rules.Call{
		{Tool: "move", Args: json.RawMessage(`{"actor_id":"ann","from_area_id":"area_0000","to_area_id":"area_0001"}`)},
		{Tool: "move", Args: json.RawMessage(`{"actor_id":"ann","from_area_id":"area_0001","to_area_id":"area_0000"}`)},
	}
	counts := rules.Counts{}
	for i := 0; b.Loop(); i++ {
		turn := rules.Turn{Unbound: true, Book: book, World: w, Services: rules.Services{Counts: &counts}}
		if o := turn.Do(context.Background(), calls[i%2], nil); !o.OK() {
			b.Fatal(o.Say)
		}
	}
}

func BenchmarkTrip_AThousandWays(b *testing.B) {
	w, book := row(b, 1000)
	counts := rules.Counts{}
	for b.Loop() {
		turn := rules.Turn{Unbound: true, Book: book, World: w, Services: rules.Services{Counts: &counts}}
		if o := turn.Do(context.Background(), rules.Call{Tool: "move_to_zone", Args: json.RawMessage(toZone("area_0999"))}, nil); !o.OK() {
			b.Fatal(o.Say)
		}
		if err := w.Revert(turn.Events); err != nil {
			b.Fatal(err)
		}
	}
}
