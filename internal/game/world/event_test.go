package world_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pgregory.net/rapid"

	"hob/internal/game/world"
)

// views is all that a world lists: what must be the same however it became what it is.
func views(w *world.World) map[string]any {
	list := map[string]any{
		"places": w.Places(), "links": w.Links(), "actors": w.Actors(), "things": w.Things(), "quests": w.Quests(), "clocks": w.Clocks(),
		"facts": w.Facts(), "lore": w.LoreList(), "self": w.Self(), "encounter": w.Encounter(), "size": w.Size(), "hash": w.Hash(),
	}
	for _, id := range []string{"a", "b", "c", "a>b", `c\`, `>`, "é\"\n\x01", ""} {
		list["outs "+id], list["ins "+id] = w.Outs(id), w.Ins(id)
		list["contents "+id], list["occupants "+id], list["inner "+id] = w.Contents(id), w.Occupants(id), w.Inner(id)
	}
	return list
}

// rebuilt returns the world that w's records make when they come one by one.
func rebuilt(t *rapid.T, w *world.World) *world.World {
	c := world.Empty()
	events := w.Events()
	order := rapid.Permutation(events).Draw(t, "order")
	for _, e := range order {
		if err := c.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func TestWorld_WhatItListsFollowsFromItsRecordsAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, _ := randomWorld(t, 12)
		w.Hash() // from now on it is kept up to date
		for range rapid.IntRange(0, 4).Draw(t, "more") {
			if err := w.Apply(randomEvent(t, w)); err != nil {
				t.Fatal(err)
			}
		}
		want := views(w)
		if diff := cmp.Diff(want, views(rebuilt(t, w))); diff != "" {
			t.Fatalf("the same records in another order make another world:\n%s", diff)
		}
		if diff := cmp.Diff(want, views(w.Clone())); diff != "" {
			t.Fatalf("the clone is another world:\n%s", diff)
		}
	})
}

func TestRevert_IsTheIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, _ := randomWorld(t, 8)
		before := views(w)
		var events []world.Event
		for range rapid.IntRange(1, 6).Draw(t, "events") {
			e := randomEvent(t, w)
			if err := w.Apply(e); err != nil {
				t.Fatal(err)
			}
			events = append(events, e)
		}
		after := views(w)
		if err := w.Revert(events); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, views(w)); diff != "" {
			t.Fatalf("what was done was not taken back:\n%s", diff)
		}
		for _, e := range events {
			if err := w.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(after, views(w)); diff != "" {
			t.Fatalf("done again it is not the same:\n%s", diff)
		}
	})
}

// A log has events as bytes. Read forward they make the world that they made, read back they unmake it, and nothing of a world
// that was written and read is lost.
func TestEvents_RoundTripInBothDirections(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, _ := randomWorld(t, 6)
		was := w.Clone()
		e := randomEvent(t, w)
		line := world.AppendEvent(nil, e)
		if !json.Valid(line) {
			t.Fatalf("%s is no JSON", line)
		}
		read := func(w *world.World, way world.Direction) world.Event {
			s := world.Scan(line)
			got, err := s.Event(w, way)
			s.End()
			if err != nil || s.Err() != nil {
				t.Fatalf("%s: %v, %v", line, err, s.Err())
			}
			return got
		}
		forward := read(was, world.Forward)
		if diff := cmp.Diff(e, forward); diff != "" {
			t.Fatalf("%s is read forward as another event:\n%s", line, diff)
		}
		if err := w.Apply(forward); err != nil {
			t.Fatal(err)
		}
		back := read(w, world.Back)
		if diff := cmp.Diff(e, back); diff != "" {
			t.Fatalf("%s is read back as another event:\n%s", line, diff)
		}
		if err := w.Apply(back.Inverse()); err != nil {
			t.Fatal(err)
		}
		if w.Hash() != was.Hash() {
			t.Fatalf("%s taken back makes another world", line)
		}
	})
}

func TestEvents_OneFieldInBothForms(t *testing.T) {
	for _, kind := range allKinds() {
		with := full(t, kind, 0)
		for i := range reflect.TypeOf(with).Elem().NumField() {
			field := reflect.TypeOf(with).Elem().Field(i).Name
			less := full(t, kind, 0)
			reflect.ValueOf(less).Elem().Field(i).SetZero()
			if less.Key() != with.Key() {
				continue // then it is another record
			}
			for _, e := range []world.Event{{Old: with, New: less}, {Old: less, New: with}} {
				changes := e.Changes()
				if len(changes) != 1 || (changes[0].Old == nil) == (changes[0].New == nil) {
					t.Errorf("%s.%s comes or goes as %d changes", kind, field, len(changes))
				}
				s := world.Scan(world.AppendEvent(nil, e))
				got, err := s.Event(holding(t, e.Old), world.Forward)
				if diff := cmp.Diff(e, got); err != nil || diff != "" {
					t.Errorf("%s.%s is lost in a log: %v\n%s", kind, field, err, diff)
				}
			}
		}
	}
}

// holding returns a world with that one record.
func holding(tb testing.TB, r world.Record) *world.World {
	w := world.Empty()
	e := world.Event{New: r}
	if r.Kind() == world.SelfKind {
		e.Old = w.Self()
	}
	if err := w.Apply(e); err != nil {
		tb.Fatal(err)
	}
	return w
}

func TestAppendEvent_Forms(t *testing.T) {
	key := &world.Thing{ID: "obj_1", Parent: "loc"}
	hurt := &world.Actor{ID: "pc", HP: world.Known(7), State: "dying"}
	well := &world.Actor{ID: "pc", HP: world.Known(10)}
	for _, test := range []struct {
		e    world.Event
		want string
	}{
		{world.Event{New: key}, `["object","obj_1",null,{"id":"obj_1","parent":"loc"}]`},
		{world.Event{Old: key}, `["object","obj_1",{"id":"obj_1","parent":"loc"},null]`},
		{world.Event{Old: well, New: hurt}, `["actor","pc",{"hp":[10,7],"state":[null,"dying"]}]`},
		{world.Event{Old: hurt, New: well}, `["actor","pc",{"hp":[7,10],"state":["dying",null]}]`},
		{world.Event{Old: hurt, New: hurt}, `["actor","pc",{}]`},
	} {
		if got := string(world.AppendEvent(nil, test.e)); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
	want := []world.Change{
		{Kind: world.ActorKind, Key: "pc", Field: "hp", Old: []byte("10"), New: []byte("7")},
		{Kind: world.ActorKind, Key: "pc", Field: "state", New: []byte(`"dying"`)},
	}
	if diff := cmp.Diff(want, world.Event{Old: well, New: hurt}.Changes()); diff != "" {
		t.Error(diff)
	}
	want = []world.Change{{Kind: world.ThingKind, Key: "obj_1", Old: []byte(`{"id":"obj_1","parent":"loc"}`)}}
	if diff := cmp.Diff(want, world.Event{Old: key}.Changes()); diff != "" {
		t.Error(diff)
	}
}

func TestApply_RefusesWhatDoesNotFit(t *testing.T) {
	ann, other := &world.Actor{ID: "ann", Name: "Ann"}, &world.Actor{ID: "ann", Name: "Anna"}
	copied := *ann
	bo := &world.Actor{ID: "bo"}
	for name, e := range map[string]world.Event{
		"one comes who is there":                {New: other},
		"one changes who was different":         {Old: other, New: ann},
		"one goes who was different":            {Old: other},
		"one goes who is not there":             {Old: bo},
		"one changes who is not there":          {Old: bo, New: bo},
		"one becomes another":                   {Old: ann, New: bo},
		"the world changes from what it is not": {Old: &world.Self{Title: "x"}, New: &world.Self{}},
	} {
		w := holding(t, ann)
		before := views(w)
		if err := w.Apply(e); err == nil {
			t.Errorf("%s, and nobody minds", name)
		}
		if diff := cmp.Diff(before, views(w)); diff != "" {
			t.Errorf("%s: it was refused and changed something:\n%s", name, diff)
		}
	}
	if err := holding(t, ann).Apply(world.Event{Old: &copied, New: other}); err != nil {
		t.Errorf("a record with the same bytes is not taken for the one that is there: %v", err)
	}
	w := holding(t, ann)
	if err := w.Revert([]world.Event{{New: ann}, {New: bo}}); err == nil {
		t.Error("what was not done was taken back")
	}
}

func TestHash_DiffersWithEveryField(t *testing.T) {
	seen := map[string]string{}
	note := func(what string, w *world.World) {
		hash := w.Hash()
		if seen[hash] != "" {
			t.Errorf("%s and %s have the same hash", what, seen[hash])
		}
		seen[hash] = what
	}
	note("nothing", world.Empty())
	for _, kind := range allKinds() {
		if kind != world.SelfKind {
			note("an empty "+kind.String(), holding(t, world.New(kind)))
		}
		for i := range reflect.TypeOf(world.New(kind)).Elem().NumField() {
			for n := range int64(2) {
				r := world.New(kind)
				v := reflect.ValueOf(r).Elem()
				field := v.Type().Field(i)
				if n > 0 && field.Type.Kind() == reflect.Bool {
					continue // it is true only once
				}
				fillField(t, field.Name, v.Field(i), n)
				note(kind.String()+"."+field.Name, holding(t, r))
			}
		}
	}
}

func TestState_RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, _ := randomWorld(t, 10)
		b := w.AppendState(nil)
		if !json.Valid(b) {
			t.Fatalf("%s is no JSON", b)
		}
		s := world.Scan(b)
		got, err := s.State()
		s.End()
		if err != nil || s.Err() != nil {
			t.Fatalf("%s: %v, %v", b, err, s.Err())
		}
		if diff := cmp.Diff(views(w), views(got)); diff != "" {
			t.Fatalf("%s reads as another world:\n%s", b, diff)
		}
	})
}
