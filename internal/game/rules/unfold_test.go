package rules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// notes returns the kinds and the words of a turn's notes.
func notes(t *rules.Turn) (list []string) {
	for _, n := range t.Notes {
		list = append(list, n.Kind+": "+n.Text)
	}
	return list
}

// ended ends a turn with a change in it, which must be taken back by its events.
func ended(t *testing.T, w *world.World) *rules.Turn {
	t.Helper()
	before := w.Hash()
	turn := finish(t, w, 3, true, false)
	after := w.Hash()
	if err := w.Revert(turn.Events); err != nil || w.Hash() != before {
		t.Fatalf("the turn is not taken back by its events: %v", err)
	}
	for _, e := range turn.Events {
		if err := w.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	if w.Hash() != after {
		t.Fatal("the turn, made again, comes to something else")
	}
	return turn
}

func TestFinish_Quests(t *testing.T) {
	open := world.Quest{ID: "q", Order: 1, Title: "The box", State: world.Active, Objectives: []string{"be there", "have it",
		"more"},
		When: map[string]string{"be there": "at hall", "have it": "has obj_007", "more": ""}}
	w := house(t, world.Self{AllowAll: true})
	put(t, w, &open)
	if diff := cmp.Diff([]string{"quest: “The box”: be there — done."}, notes(ended(t, w))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string(nil), notes(ended(t, w))); diff != "" {
		t.Errorf("what is met is met again: %s", diff)
	}
	put(t, w, &world.Thing{ID: "box", Parent: "bo"}) // what is in it comes along
	put(t, w, &world.Actor{ID: "ann", Place: "hall", State: world.Unconscious})
	last := *w.Quest("q")
	last.Met = append(last.Met, "more")
	put(t, w, &last)
	turn := ended(t, w)
	if diff := cmp.Diff([]string{"quest: “The box”: have it — done.", "quest: The quest “The box” is complete."},
		notes(turn)); diff != "" {
		t.Error(diff)
	}
	if string(turn.Notes[1].Data) != `{"quest":"q","state":"done"}` || w.Quest("q").State != world.Done || w.Self().Ended {
		t.Errorf("%s, %v, ended %v", turn.Notes[1].Data, w.Quest("q"), w.Self().Ended)
	}
}

func TestFinish_Ends(t *testing.T) {
	quest := func(id, state string, order int64, ends bool, when string) *world.Quest {
		q := &world.Quest{ID: id, Order: order, Title: id, State: state, Ends: ends, Objectives: []string{"o"}}
		if when != "" {
			q.When = map[string]string{"o": when}
		}
		return q
	}
	full := &world.Clock{ID: "tide", Name: "Tide", Segments: 4, Filled: 4, Fails: "main", OnFull: "All is wet."}
	for _, test := range []struct {
		name         string
		records      []world.Record
		reason, goal string
		notes        []string
	}{
		{"what one waits for comes of another", []world.Record{quest("a", world.Active, 1, true, "done b"), quest("b",
			world.Offered, 2, false, "at hall")},
			"goal", world.Done, []string{"quest: “b”: o — done.", "quest: The quest “b” is complete.", "quest: “a”: o — done.",
				"quest: The quest “a” is complete.", "end: The story is over: “a” is complete."}},
		{"a clock is full", []world.Record{quest("main", world.Active, 1, true, "at no"), full}, "quest_failed", world.Failed,
			[]string{"clock: “Tide” is full! All is wet.", "quest: The quest “main” has failed.",
				"end: The story is over: “main” has failed."}},
		{"a clock is full of a quest that does not end it", []world.Record{quest("main", "", 1, false, ""), full}, "", "",
			[]string{"clock: “Tide” is full! All is wet.", "quest: The quest “main” has failed."}},
		{"a clock is full too late", []world.Record{quest("main", world.Active, 1, true, "at hall"), full}, "goal", world.Done,
			[]string{"quest: “main”: o — done.", "quest: The quest “main” is complete.",
				"end: The story is over: “main” is complete."}},
		{"a clock is closed", []world.Record{quest("main", world.Active, 1, true, ""), &world.Clock{ID: "tide", Segments: 4,
			Filled: 4, Fails: "main",
			Closed: true}}, "", "", nil},
		{"a clock is not full", []world.Record{quest("main", world.Active, 1, true, ""), &world.Clock{ID: "tide", Segments: 4,
			Filled: 3, Fails: "main"}},
			"", "", nil},
		{"the narrator says so", []world.Record{quest("main", world.Done, 1, true, "")}, "goal", world.Done,
			[]string{"end: The story is over: “main” is complete."}},
		{"one is done and one has failed", []world.Record{quest("a", world.Failed, 1, true, ""), quest("b", world.Done, 2, true,
			"")}, "goal", world.Done,
			[]string{"end: The story is over: “b” is complete."}},
		{"none that ends it", []world.Record{quest("a", world.Failed, 1, false, ""), quest("b", world.Done, 2, false,
			"at hall")}, "", "", nil},
		{"what the narrator keeps", []world.Record{&world.Quest{ID: "a", State: world.Active, Objectives: []string{"o"},
			Met: []string{"o"}}}, "", "", nil},
		{"nothing to be done", []world.Record{&world.Quest{ID: "a", State: world.Active, Ends: true}}, "", "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := house(t, world.Self{AllowAll: true, GoalStatus: ""})
			for _, r := range test.records {
				put(t, w, r)
			}
			turn := ended(t, w)
			self := w.Self()
			if self.Ended != (test.reason != "") || self.EndedReason != test.reason || self.GoalStatus != test.goal {
				t.Errorf("ended %v, %q, goal %q", self.Ended, self.EndedReason, self.GoalStatus)
			}
			if diff := cmp.Diff(test.notes, notes(turn)); diff != "" {
				t.Error(diff)
			}
			if test.reason != "" && (self.EndedTurn != 3 || call(turn, "make", `{}`).Say.Key != "campaign_ended_"+test.reason) {
				t.Errorf("in turn %d, and then %s", self.EndedTurn, call(turn, "make", `{}`).Say.Key)
			}
		})
	}
	w := house(t, world.Self{AllowAll: true, Lang: "ru", Rules: map[string]int64{rules.ZeroEnds: 1}, Party: []string{"ann"}})
	state(t, w, "ann", world.Dead)
	if diff := cmp.Diff([]string{"end: История закончена: весь отряд пал."}, notes(ended(t, w))); diff != "" {
		t.Error(diff)
	}
	put(t, w, &world.Self{AllowAll: true, Rules: map[string]int64{rules.ZeroEnds: 1}, Party: []string{"ann"}})
	put(t, w, quest("main", world.Done, 1, true, ""))
	if ended(t, w); w.Self().EndedReason != "goal" {
		t.Errorf("who wins and falls has %q", w.Self().EndedReason)
	}
}

// A story that stands still comes nearer to its end; a turn that changes something begins anew.
func TestFinish_Twist(t *testing.T) {
	clocks := []world.Record{
		&world.Clock{ID: "a", Order: 1, Name: "A", Segments: 4}, &world.Clock{ID: "b", Order: 2, Name: "B", Segments: 4,
			Filled: 4, Visible: true},
		&world.Clock{ID: "c", Order: 3, Name: "C", Segments: 4, Visible: true, Closed: true},
		&world.Clock{ID: "d", Order: 4, Name: "Doom", Segments: 4, Filled: 2, Visible: true, Fails: "q", OnFull: "The end."},
	}
	play := func(after int64, loud ...bool) (filled []int64, w *world.World, said []string) {
		w = house(t, world.Self{AllowAll: true, ClockSet: true, Rules: map[string]int64{rules.TwistAfter: after}})
		for _, r := range append(clocks, &world.Quest{ID: "q", Title: "Q", State: world.Active}) {
			put(t, w, r)
		}
		for n, changes := range loud {
			turn := turn(t, w)
			turn.Number = int64(n + 1)
			call(turn, "wait", `{}`)
			call(turn, "hunt", `{}`)
			if changes {
				call(turn, "make", `{}`)
			}
			if err := turn.Finish(false); err != nil {
				t.Fatal(err)
			}
			filled = append(filled, w.Clock("d").Filled)
			said = append(said, notes(turn)...)
		}
		return filled, w, said
	}
	filled, w, said := play(3, false, false, false, true, false, false, false, false)
	if diff := cmp.Diff([]int64{2, 2, 3, 3, 3, 3, 4, 4}, filled); diff != "" {
		t.Error(diff)
	}
	if w.Clock("a").Filled+w.Clock("c").Filled != 0 || w.Quest("q").State != world.Failed {
		t.Errorf("%v, %v, %v", w.Clock("a"), w.Clock("c"), w.Quest("q"))
	}
	if diff := cmp.Diff([]string{"clock: “Doom” comes nearer: 3 of 4.", "clock: “Doom” is full! The end.",
		"quest: The quest “Q” has failed."}, said); diff != "" {
		t.Error(diff)
	}
	if filled, w, _ = play(0, false, false, false, false); filled[3] != 2 || w.Self().Pace != nil {
		t.Errorf("without the rule: %v, %v", filled, w.Self().Pace)
	}
}
