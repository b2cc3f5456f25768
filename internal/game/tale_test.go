package game_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

// tale is a story that can be played to its end without anybody to tell it: the bell is in a chest in the crypt, behind a locked
// door and a rat, and the innkeeper knows of it.
func tale(lang string) []world.Record {
	place := func(id string, n int64, visited bool) *world.Place {
		return &world.Place{ID: id, Order: n, Name: strings.ToUpper(id), Type: "area", Visited: visited}
	}
	way := func(from, to, door, key string) *world.Link {
		return &world.Link{From: from, To: to, Door: door, Lock: key}
	}
	var hours int64 = 60
	return []world.Record{
		&world.Self{Session: "s1", Title: "The bell", Lang: lang, ClockSet: true, Minute: 600, AllowAll: true,
			Party: []string{"pc_001"}, Active: "pc_001",
			Rules: map[string]int64{"hp_zero_ends_game": 1, "strike_back": 1, "twist_after": 6}},
		place("square", 1, true), place("inn", 2, false), place("crypt", 3, false), place("tower", 4, false),
		way("square", "inn", "", ""), way("inn", "square", "", ""), way("square", "tower", world.ClosedDoor, ""), way("tower",
			"square", world.ClosedDoor, ""),
		way("inn", "crypt", world.LockedDoor, "key"), way("crypt", "inn", world.LockedDoor, "key"),
		&world.Actor{ID: "pc_001", Order: 5, Role: "pc", Name: "Mara", Place: "square", HP: world.Known(30),
			HPMax: world.Known(30), State: world.Alive,
			Stats: map[string]int64{"force": 3, "charm": 2}},
		&world.Actor{ID: "npc_001", Order: 6, Role: "npc", Name: "Osric", Place: "inn", HP: world.Known(8), Talk: []world.Talk{
			{Text: "Sit down."},
			{Topic: "bell", Keys: []string{"колокол", "钟声"}, Text: "In the crypt.", Reveals: "where"},
			{Topic: "old key", Keys: []string{"crypt"}, Text: "Here.", When: "knows where", Gives: "key", Skill: "charm", DC: 8},
		}},
		&world.Actor{ID: "rat", Order: 7, Role: "monster", Name: "Rat", Place: "crypt", HP: world.Known(6)},
		&world.Thing{ID: "key", Order: 8, Name: "iron key", Parent: "npc_001"}, &world.Thing{ID: "sword", Order: 9,
			Name: "sword", Parent: "pc_001",
			Stats: map[string]int64{"damage": 8}},
		&world.Thing{ID: "chest", Order: 10, Name: "chest", Parent: "crypt", Fixed: true, Container: true, Closed: true,
			Locked: true, Lock: "ring"},
		&world.Thing{ID: "ring", Order: 11, Name: "ring of keys", Parent: "crypt"}, &world.Thing{ID: "bell", Order: 12,
			Name: "bell", Parent: "chest"},
		&world.Thing{ID: "hook", Order: 13, Name: "hook", Parent: "tower", Fixed: true},
		&world.Fact{ID: "where", Order: 14, Text: "The bell is in the crypt.", Secret: true},
		&world.Quest{ID: "side", Order: 15, Title: "The rat", State: world.Active, Objectives: []string{"kill it"},
			When: map[string]string{"kill it": "dead rat"}},
		&world.Quest{ID: "main", Order: 16, Title: "The bell", State: world.Active, Ends: true, Objectives: []string{"ask",
			"find the key", "go down", "open it",
			"have it", "hang it up"}, When: map[string]string{"ask": "at inn & knows where", "find the key": "has key",
			"go down": "at crypt & open inn crypt",
			"open it": "opened chest & not in ring chest", "have it": "has bell", "hang it up": "in bell hook & done side"}},
		&world.Clock{ID: "tide", Order: 17, Name: "Tide", Segments: 8, Visible: true, PerMinutes: hours, OnFail: true,
			OnFull: "It is too late.", Fails: "main",
			Since: 600},
	}
}

// beginTale begins the tale in a log that is empty, with other records in place of those it has.
func beginTale(t testing.TB, book *rules.Book, log eventlog.Storage, lang, seed string, more ...world.Record) *eventlog.Log {
	t.Helper()
	w := world.Empty()
	for _, r := range append(tale(lang), more...) {
		if err := w.Apply(world.Event{Old: w.Record(r.Kind(), r.Key()), New: r}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := eventlog.Create(t.Context(), log, eventlog.Beginning{ID: "c", Seed: game.SeedOf(seed), World: w,
		Counts: rules.Counts{"order": 100}},
		game.Options(book, noon))
	if err != nil {
		t.Fatal(err)
	}
	if b := s.World().Validate(); len(b) > 0 {
		t.Fatal(b)
	}
	return s
}

// choose makes the first choice there is, again and again, until the story is over.
func choose(t *testing.T, book *rules.Book, s *eventlog.Log, lang string) (labels []string) {
	t.Helper()
	for range 60 {
		list := story.Choices(s.World(), book, lang, s.World().Actor("pc_001"))
		if len(list) == 0 {
			break
		}
		p, err := s.Play(t.Context(), eventlog.Request{Calls: []rules.Call{{Tool: list[0].Tool, Args: list[0].Args.Bytes()}}})
		if err != nil {
			t.Fatal(err)
		}
		if o := p.Outcomes[0]; !o.OK() {
			t.Fatalf("%q is offered, and then: %s", list[0].Label, book.Text("en", o.Say))
		}
		if b := s.World().Validate(); len(b) > 0 {
			t.Fatalf("%q: %s", list[0].Label, b)
		}
		labels = append(labels, list[0].Label)
	}
	return labels
}

// A story can be played to its end with nothing but the first choice each time, in every language, whatever the dice say.
func TestTaleToItsEnd(t *testing.T) {
	book := book(t)
	for n := range 12 {
		lang, log := rules.Langs()[n%3], eventlog.NewMemoryStorage()
		s := beginTale(t, book, log, lang, fmt.Sprint("tale", n))
		labels := choose(t, book, s, lang)
		if self := s.World().Self(); !self.Ended || self.EndedReason != "goal" || self.GoalStatus != world.Done {
			t.Fatalf("%d: not the end: ended %v (%s) after %q", n, self.Ended, self.EndedReason, labels)
		}
		past, err := s.Recent(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		last := story.Bullets(book, lang, past, 0)
		if want := book.Text(lang, rules.Sentence{Key: "finish.goal", Args: []string{"The bell"}}); len(last) != 1 ||
			!strings.HasSuffix(last[0].Text, want) {
			t.Errorf("%d: the last turn is told as %v", n, last)
		}
		again, err := eventlog.Load(t.Context(), lines(t, log), game.Options(book, noon))
		if err != nil || again.StateHash() != s.StateHash() ||
			string(again.World().AppendState(nil)) != string(s.World().AppendState(nil)) {
			t.Fatalf("%d: the log comes to something else: %v", n, err)
		}
		if r, err := again.Verify(t.Context(), (*world.World).Validate); err != nil || len(r.Problems) > 0 {
			t.Errorf("%d: %v %v", n, r.Problems, err)
		}
		first := s.StateHash()
		if m, err := s.Undo(t.Context(), 100, eventlog.Origin{}); err != nil || m.Turns == 0 || s.World().Self().Ended {
			t.Fatalf("%d: undo: %v %v", n, m, err)
		}
		if _, err := s.Redo(t.Context(), 100, eventlog.Origin{}); err != nil || s.StateHash() != first {
			t.Fatalf("%d: redo: %v", n, err)
		}
	}
}

// What follows from a turn by itself stands in its log with its own events and dice, as nobody's call.
func TestTaleStrikesBack(t *testing.T) {
	book := book(t)
	log := eventlog.NewMemoryStorage()
	s := beginTale(t, book, log, "en", "x", &world.Actor{ID: "rat", Order: 7, Role: "monster", Name: "Rat", Place: "inn",
		HP: world.Known(60)})
	if p := play(t, s, "move_player", `{"player_id":"pc_001","target_location_id":"inn"}`); len(p.Outcomes) != 1 {
		t.Errorf("who comes is struck: %+v", p.Outcomes)
	}
	for _, call := range [][2]string{{"talk", `{"npc_id":"npc_001"}`}, {"attack", `{"attacker_id":"pc_001","target_id":"rat"}`}} {
		before := s.StateHash()
		p := play(t, s, call[0], call[1])
		if len(p.Outcomes) != 2 || p.Outcomes[0].Automatic || !p.Outcomes[1].Automatic || p.Outcomes[1].Call.Tool != "attack" ||
			string(p.Outcomes[1].Call.Args) != `{"attacker_id":"rat","target_id":"pc_001"}` || p.Spans[1].Rolls == 0 ||
			p.Spans[0].State == "" {
			t.Fatalf("%s: %+v %+v", call[0], p.Outcomes, p.Spans)
		}
		again, err := eventlog.Load(t.Context(), lines(t, log), game.Options(book, noon))
		if err != nil {
			t.Fatal(err)
		}
		parts, err := again.Parts(t.Context(), p.Turn)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(p.Outcomes, parts[0].Outcomes); diff != "" || !slices.Equal([]int{p.Spans[1].Events,
			p.Spans[1].Rolls},
			[]int{parts[0].Spans[1].Events, parts[0].Spans[1].Rolls}) {
			t.Error(diff)
		}
		back(t, s, before)
	}
	if p := play(t, s, "move_player", `{"player_id":"pc_001","target_location_id":"square"}`); len(p.Outcomes) != 1 {
		t.Errorf("who leaves is struck: %+v", p.Outcomes)
	}
	s2, err := s.Preview(t.Context(), request("move_player", `{"player_id":"pc_001","target_location_id":"inn"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Commit(t.Context(), s2); err != nil {
		t.Fatal(err)
	}
	pending, err := s.Preview(t.Context(), request("attack", `{"attacker_id":"pc_001","target_id":"rat"}`))
	if err != nil || len(pending.Outcomes) != 2 {
		t.Fatalf("%v %v", pending, err)
	}
	if p, err := s.Commit(t.Context(), pending); err != nil || len(p.Outcomes) != 2 || p.State != s.World().Hash() {
		t.Errorf("committed: %v, %v", p, err)
	}
	if p, err := s.Extend(t.Context(), request("talk", `{"npc_id":"npc_001"}`)); err != nil || len(p.Outcomes) != 1 {
		t.Errorf("a further part: %+v %v", p.Outcomes, err)
	}
	if r, err := s.Verify(t.Context(), (*world.World).Validate); err != nil || len(r.Problems) > 0 {
		t.Errorf("verify: %v %v", r.Problems, err)
	}
}

// Whoever dawdles loses.
func TestTaleIsLost(t *testing.T) {
	s := beginTale(t, book(t), eventlog.NewMemoryStorage(), "en", "x")
	for n := 0; !s.World().Self().Ended; n++ { // each turn half an hour, and after six of them each brings the end nearer, too
		if n > 12 {
			t.Fatal("it goes on for ever")
		}
		play(t, s, "rest", `{"kind":"short"}`)
	}
	if self := s.World().Self(); !self.Ended || self.EndedReason != "quest_failed" ||
		s.World().Quest("main").State != world.Failed {
		t.Errorf("ended %v (%s), tide %v", self.Ended, self.EndedReason, s.World().Clock("tide"))
	}
}

// strangers is what is changed of the tale for calls at random, so that it does not end at once: more company, and a bell that
// nobody can get.
func strangers() []world.Record {
	list := []world.Record{
		&world.Thing{ID: "hook", Order: 13, Name: "hook", Parent: "pc_002"}, &world.Clock{ID: "tide", Order: 17, Name: "Tide",
			Segments: 12, Visible: true, OnFail: true,
			Fails: "side"},
		&world.Quest{ID: "last", Order: 18, Title: "Last", State: world.Active, Ends: true, Objectives: []string{"a", "b"},
			When: map[string]string{"a": "set chest condition dry", "b": "full tide & in hook tower & at tower"}},
	}
	for i, parent := range []string{"square", "inn", "tower"} {
		list = append(list, &world.Thing{ID: "crate" + parent, Order: 30 + int64(i), Name: "crate", Parent: parent,
			Container: true, Closed: true, Capacity: 2})
	}
	when := map[string]string{"way": "open square tower & at tower", "key": "in key crateinn", "gift": "in sword pc_002",
		"drop": "in ring tower",
		"lid":  "opened cratetower", "box": "in bell crateinn & not has bell"}
	odd := &world.Quest{ID: "odd", Order: 19, Title: "Odd", Objectives: []string{"way", "key", "gift", "drop", "lid", "box"},
		When: when}
	list = append(list, odd)
	for i, state := range []string{"", world.Alive} {
		list = append(list, &world.Actor{ID: fmt.Sprintf("pc_00%d", i+2), Order: 20 + int64(i), Role: "pc", Place: "inn",
			HP: world.Known(200), State: state})
	}
	self := *tale("en")[0].(*world.Self)
	self.Party = []string{"pc_001", "pc_002", "pc_003"}
	return append(list, &self)
}
