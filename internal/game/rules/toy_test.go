package rules_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// toys is a family of tools that do what a test wants to see.
func toys() rules.Family {
	words := "toy_done = {0} done by {1}.\ntoy_not = not: {0}\n"
	return rules.Family{
		Words: map[string]string{"en": words, "ru": words + "# nothing\n", "zh": words},
		Tools: []rules.Tool{
			{Name: "note", Class: rules.Narrating, Run: note, Params: []rules.Param{
				{Name: "text_line", Type: rules.Text}, {Name: "any", Type: rules.Any0}, {Name: "n", Type: rules.Int, Min: 1, Max: 3},
				{Name: "big", Type: rules.Int}, {Name: "flag", Type: rules.Flag}, {Name: "list", Type: rules.List},
				{Name: "object", Type: rules.Object}, {Name: "json", Type: rules.JSON}, {Name: "thing_id", Type: rules.ID},
				{Name: "kind", Type: rules.ID, Enum: []string{"one", "two"}},
			}},
			{Name: "need", Class: rules.Narrating, Run: note, Params: []rules.Param{{Name: "thing_id", Need: true}, {Name: "text_line", Type: rules.Text, Need: true}}},
			{Name: "act", Class: rules.Acting, Run: act, Params: []rules.Param{{Name: "to_id"}},
				Dying: func(actor string, a rules.Args) bool { return a.Text("to_id") == actor }},
			{Name: "look", Class: rules.Reading, Run: note},
			{Name: "bound", Class: rules.Acting, Session: true, Run: act, Params: []rules.Param{{Name: "to_id"}}},
			{Name: "make", Class: rules.Narrating, Run: create, Params: []rules.Param{{Name: "name"}}},
			{Name: "break", Class: rules.Narrating, Run: breakIt, Params: []rules.Param{{Name: "how"}}},
			{Name: "hunt", Class: rules.Narrating, Run: func(_ context.Context, s *rules.Step, _ rules.Args) *rules.Verdict {
				self := *s.World.Self()
				self.Searched = world.With(self.Searched, "hall", self.Searched["hall"]+1)
				s.Put(&self)
				return rules.Accept(nil, "toy_done", "hunt", s.Actor)
			}},
			{Name: "wait", Class: rules.Narrating, Run: func(_ context.Context, s *rules.Step, _ rules.Args) *rules.Verdict {
				s.PassTime(1)
				return rules.Accept(nil, "toy_done", "wait", s.Actor)
			}},
			{Name: "same", Class: rules.Narrating, Run: func(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
				return rules.AcceptNoting(rules.SamePlace, nil, "toy_done", "same", s.Actor)
			}},
		},
	}
}

func note(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	return rules.Accept(nil, "toy_done", a.Text("thing_id"), s.Actor)
}

func act(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	now := *s.World.Actor(s.Actor)
	now.Desc = "acted"
	s.Put(&now)
	if !a.Has("to_id") {
		s.SetArg("to_id", "there")
	}
	return rules.Accept(rules.NewObj().Text("actor", s.Actor), "toy_done", "it", s.Actor)
}

func create(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	t := &world.Thing{ID: s.NewID("obj"), Name: a.Text("name"), Parent: "hall", Order: s.NewOrder()}
	s.Put(t)
	return rules.Accept(nil, "toy_done", t.ID, s.Actor).With(t.ID)
}

// breakIt changes the world in every way there is, throws dice, remembers something, and then does not end well.
func breakIt(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	box := s.World.Thing("box")
	changed := *box
	changed.Name = "Broken"
	s.Put(&changed)
	made := s.NewID("obj")
	s.Put(&world.Thing{ID: made, Parent: "box"})
	s.Drop(s.World.Actor("bo"))
	s.Drop(&world.Actor{ID: "nobody"})
	now := *s.World.Self()
	now.Minute, now.ClockSet = 7, true
	s.Put(&now)
	s.PassTime(5)
	if _, err := s.Roll("1d6", "luck"); err != nil {
		panic(err)
	}
	s.Note("broken", "it broke", rules.NewObj())
	switch a.Text("how") {
	case "panic":
		panic("a toy broke")
	case "nil":
		var none *world.Thing
		none.Name = "none"
	case "code":
		return rules.Refuse(rules.Cycle, "toy_not", "cycle")
	case "silent":
		return &rules.Verdict{}
	case "created":
		return rules.Accept(nil, "toy_done", "", "").With(made)
	}
	return rules.Accept(nil, "toy_done", "break", "")
}

// house is a world with two people in it, of whom Ann is the active one.
func house(tb testing.TB, self world.Self) *world.World {
	w := world.Empty()
	if self.Party == nil {
		self.Party = []string{"ann", "bo"}
	}
	for _, r := range []world.Record{
		&world.Place{ID: "hall", Name: "Hall"}, &world.Actor{ID: "ann", Place: "hall"}, &world.Actor{ID: "bo", Place: "hall"},
		&world.Actor{ID: "cat", Place: "hall"}, &world.Thing{ID: "box", Name: "Box", Parent: "hall"}, &world.Thing{ID: "obj_007", Parent: "box"}, &self,
	} {
		e := world.Event{Old: w.Record(r.Kind(), r.Key()), New: r}
		if err := w.Apply(e); err != nil {
			tb.Fatal(err)
		}
	}
	return w
}

func active() world.Self { return world.Self{Active: "ann", AllowAll: true} }

// turn returns the first turn of a world, with dice that show 1, 2, 3 and so on.
func turn(tb testing.TB, w *world.World) *rules.Turn {
	tb.Helper()
	book, err := rules.New(toys())
	if err != nil {
		tb.Fatal(err)
	}
	return &rules.Turn{Unbound: true, Book: book, World: w, Number: 1, Services: rules.Services{
		Counts: &rules.Counts{}, Letters: func(n int, words ...string) string { return strings.Repeat("x", n) },
		Throw: func(expr string, no int64) (rules.Roll, error) {
			if expr == "" {
				return rules.Roll{}, errors.New("the dice are not named")
			}
			return rules.Roll{Expr: expr, Total: no + 1}, nil
		},
	}}
}

// call runs one call.
func call(t *rules.Turn, tool, args string) rules.Outcome {
	return t.Do(context.Background(), rules.Call{Tool: tool, Args: json.RawMessage(args)}, nil)
}

// put changes a record outside of any turn.
func put(tb testing.TB, w *world.World, r world.Record) {
	tb.Helper()
	if err := w.Apply(world.Event{Old: w.Record(r.Kind(), r.Key()), New: r}); err != nil {
		tb.Fatal(err)
	}
}

// state makes somebody's state another.
func state(tb testing.TB, w *world.World, actor, is string) {
	now := *w.Actor(actor)
	now.State = is
	put(tb, w, &now)
}

// verdict is what of an outcome says how it ended.
type verdict struct {
	Status                    rules.Status
	Reason, ErrorCode, Detail string
}

func judged(o rules.Outcome) verdict { return verdict{o.Status, o.Reason(), o.ErrorCode(), o.Detail()} }

// kept reports whether nothing came of a call.
func kept(t *testing.T, turn *rules.Turn, hash string) {
	t.Helper()
	if turn.World.Hash() != hash || len(turn.Events)+len(turn.Rolls)+len(turn.Notes) > 0 {
		t.Errorf("something is left of a call that was not applied: %d events, %d rolls, %d notes", len(turn.Events), len(turn.Rolls), len(turn.Notes))
	}
	if names := turn.Book.Names(); !slices.IsSorted(names) {
		t.Errorf("the tools are not in order: %v", names)
	}
}

// refusedWith runs a tool that is refused with a code.
func refusedWith(tb testing.TB, t *rules.Turn, code rules.Code) rules.Outcome {
	tb.Helper()
	book, err := rules.New(rules.Family{Tools: []rules.Tool{{Name: "not", Run: func(context.Context, *rules.Step, rules.Args) *rules.Verdict {
		return rules.Refuse(code, "toy_not", string(code))
	}}}})
	if err != nil {
		tb.Fatal(err)
	}
	t.Book = book
	return call(t, "not", `{}`)
}
