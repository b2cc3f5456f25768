package rules_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// within runs f as a tool of the turn.
func within(tb testing.TB, t *rules.Turn, f func(s *rules.Step)) {
	tb.Helper()
	book, err := rules.New(rules.Family{Tools: []rules.Tool{{Name: "it", Run: func(_ context.Context, s *rules.Step, _ rules.Args) *rules.Verdict {
		f(s)
		return rules.Accept(nil, "it")
	}}}})
	if err != nil {
		tb.Fatal(err)
	}
	t.Book = book
	if o := t.Do(context.Background(), rules.Call{Tool: "it", Args: json.RawMessage(`{}`)}, nil); !o.OK() {
		tb.Fatal(o.Say)
	}
}

func TestPass(t *testing.T) {
	w := house(t, world.Self{ClockSet: true, Minute: 100, AllowAll: true})
	put(t, w, &world.Actor{ID: "ann", Conditions: map[string]int64{"poisoned": 110, "afraid": 105, "cursed": 0, "blessed": 111}, Rounds: map[string]int64{"stunned": 1}})
	put(t, w, &world.Actor{ID: "bo", Order: -1, Conditions: map[string]int64{"wet": 110}})
	for _, c := range []world.Clock{
		{ID: "tide", Order: 1, Segments: 4, PerMinutes: 5, Since: 92}, // 18 minutes: three, the last at 107
		{ID: "slow", Order: 2, Segments: 4, PerMinutes: 60, Since: 100},
		{ID: "dawn", Order: 3, Segments: 6, Filled: 5, PerMinutes: 2, Since: 100}, // five, and one fills it
		{ID: "over", Order: 4, Segments: 6, PerMinutes: 2, Since: 100, Closed: true},
		{ID: "full", Order: 5, Segments: 4, Filled: 4, PerMinutes: 2, Since: 101},
		{ID: "by hand", Order: 6, Segments: 4},
	} {
		put(t, w, &c)
	}
	var got rules.Passed
	before := w.Hash()
	turn := turn(t, w)
	within(t, turn, func(s *rules.Step) { got = s.PassTime(10) })
	want := rules.Passed{
		Minutes: 10,
		Expired: []rules.Expired{{Actor: "bo", Condition: "wet"}, {Actor: "ann", Condition: "afraid"}, {Actor: "ann", Condition: "poisoned"}},
		Ticked:  []rules.Ticked{{Clock: "tide", By: 3}, {Clock: "dawn", By: 1, Full: true}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if w.Self().Minute != 110 {
		t.Errorf("it is minute %d", w.Self().Minute)
	}
	if diff := cmp.Diff(map[string]int64{"cursed": 0, "blessed": 111}, w.Actor("ann").Conditions); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]*world.Clock{
		{ID: "tide", Order: 1, Segments: 4, Filled: 3, PerMinutes: 5, Since: 107}, {ID: "slow", Order: 2, Segments: 4, PerMinutes: 60, Since: 100},
		{ID: "dawn", Order: 3, Segments: 6, Filled: 6, PerMinutes: 2, Since: 110},
		{ID: "over", Order: 4, Segments: 6, PerMinutes: 2, Since: 100, Closed: true},
		{ID: "full", Order: 5, Segments: 4, Filled: 4, PerMinutes: 2, Since: 109}, {ID: "by hand", Order: 6, Segments: 4},
	}, w.Clocks()); diff != "" {
		t.Error(diff)
	}
	if err := w.Revert(turn.Events); err != nil || w.Hash() != before {
		t.Errorf("time is not taken back: %v", err)
	}
}

// Two short times are one long one.
func TestPass_InPieces(t *testing.T) {
	begin := func() *world.World {
		w := house(t, world.Self{ClockSet: true, AllowAll: true})
		put(t, w, &world.Clock{ID: "tide", Segments: 12, PerMinutes: 7})
		return w
	}
	once, often := begin(), begin()
	within(t, turn(t, once), func(s *rules.Step) { s.PassTime(60) })
	within(t, turn(t, often), func(s *rules.Step) {
		for range 20 {
			s.PassTime(3)
		}
	})
	if diff := cmp.Diff(once.Clocks(), often.Clocks()); diff != "" || once.Hash() != often.Hash() {
		t.Errorf("sixty minutes are not twenty times three:\n%s", diff)
	}
}

func TestPass_WhereThereIsNoTime(t *testing.T) {
	for _, test := range []struct {
		set     bool
		minutes int64
	}{{false, 10}, {true, 0}, {true, -5}} {
		w := house(t, world.Self{ClockSet: test.set, Minute: 3, AllowAll: true})
		put(t, w, &world.Clock{ID: "tide", Segments: 4, PerMinutes: 1})
		hash := w.Hash()
		within(t, turn(t, w), func(s *rules.Step) {
			if diff := cmp.Diff(rules.Passed{}, s.PassTime(test.minutes)); diff != "" {
				t.Error(diff)
			}
		})
		if w.Hash() != hash {
			t.Errorf("%+v changes something", test)
		}
	}
}

func TestTick(t *testing.T) {
	w := house(t, world.Self{AllowAll: true})
	put(t, w, &world.Clock{ID: "tide", Segments: 4, Filled: 1})
	put(t, w, &world.Clock{ID: "over", Segments: 4, Closed: true})
	within(t, turn(t, w), func(s *rules.Step) {
		for _, test := range []struct {
			id   string
			n    int64
			want rules.Ticked
			ok   bool
		}{
			{"tide", 0, rules.Ticked{}, false}, {"tide", -1, rules.Ticked{}, false}, {"over", 1, rules.Ticked{}, false}, {"no", 1, rules.Ticked{}, false},
			{"tide", 1, rules.Ticked{Clock: "tide", By: 1}, true}, {"tide", 9, rules.Ticked{Clock: "tide", By: 2, Full: true}, true},
			{"tide", 1, rules.Ticked{}, false},
		} {
			if got, ok := s.Tick(test.id, test.n); got != test.want || ok != test.ok {
				t.Errorf("%s by %d: %+v, %v", test.id, test.n, got, ok)
			}
		}
	})
}

func TestStep_Names(t *testing.T) {
	w := house(t, active())
	put(t, w, &world.Place{ID: "area_041"})
	put(t, w, &world.Quest{ID: "obj_1_xxxx"})
	counts := rules.Counts{"log": 6}
	turn := turn(t, w)
	turn.Services.Counts = &counts
	var got []string
	within(t, turn, func(s *rules.Step) {
		got = append(got, s.NewID("area"), s.NewID("area"), s.NewID("npc"), s.NewObjectID(), s.NewName("log"), s.Note("move", "", rules.NewObj()))
		if a, b := s.NewOrder(), s.NewOrder(); a != 1 || b != 2 {
			t.Errorf("the orders are %d and %d", a, b)
		}
	})
	if diff := cmp.Diff([]string{"area_042", "area_043", "npc_001", "obj_2_xxxx", "log_7", "log_8"}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(rules.Counts{"area": 43, "npc": 1, "obj": 2, "log": 8, "order": 2}, counts); diff != "" {
		t.Error(diff)
	}
	none := rules.Counts(nil)
	turn.Services.Counts = &none
	within(t, turn, func(s *rules.Step) { s.NewName("log") })
	if diff := cmp.Diff(rules.Counts{"log": 1}, none); diff != "" {
		t.Error(diff)
	}
}

func TestStep_Rolls(t *testing.T) {
	turn := turn(t, house(t, active()))
	for range 2 {
		within(t, turn, func(s *rules.Step) {
			for _, expr := range []string{"1d20", "", "2d6"} {
				if _, err := s.Roll(expr, "why "+expr); (err == nil) == (expr == "") {
					t.Errorf("%q: %v", expr, err)
				}
			}
		})
	}
	want := []rules.Roll{
		{Expr: "1d20", No: 0, Total: 1, Why: "why 1d20"}, {Expr: "2d6", No: 1, Total: 2, Why: "why 2d6"},
		{Expr: "1d20", No: 2, Total: 3, Why: "why 1d20"}, {Expr: "2d6", No: 3, Total: 4, Why: "why 2d6"},
	}
	if diff := cmp.Diff(want, turn.Rolls); diff != "" {
		t.Error(diff)
	}
}
