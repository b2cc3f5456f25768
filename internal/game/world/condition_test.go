package world_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/game/world"
)

// told is a small world with a story in it.
func told() []world.Record {
	return append(sound(),
		&world.Actor{ID: "cat", Place: "area_2", State: world.Dead}, &world.Place{ID: "area_1", Type: "area",
			Attrs: map[string]string{"light": "a dim glow"}},
		&world.Link{From: "area_1", To: "area_2", Door: world.LockedDoor}, &world.Link{From: "area_1", To: "area_3",
			Door: world.OpenDoor},
		&world.Link{From: "area_2", To: "area_3", Blocked: "rubble"},
		&world.Thing{ID: "purse", Parent: "ann", Closed: true, Container: true}, &world.Thing{ID: "coin", Parent: "purse"},
		&world.Thing{ID: "lost", Parent: "lost"}, &world.Fact{ID: "secret", Witnesses: []string{"ann"}, Secret: true},
		&world.Fact{ID: "rumour", Witnesses: []string{"cat"}}, &world.Quest{ID: "won", State: world.Done},
		&world.Clock{ID: "half", Segments: 4, Filled: 2}, &world.Clock{ID: "none"})
}

func TestHolds(t *testing.T) {
	w := with(t, told()...)
	for _, when := range []world.Condition{
		"", "  ", "at area_1", "at area_2", "not at area_3", "has knife", "has coin", "not has key", "in key box",
		"in key area_1", "in coin ann",
		"in coin purse", "not in coin area_1", "not in lost area_1", "dead bo", "dead cat", "not dead ann", "knows fact",
		"not knows secret",
		"not knows rumour", "open area_1 area_3", "open area_2 area_1", "not open area_1 area_2", "not open area_2 area_3",
		"not open area_3 area_1",
		"opened box", "not opened purse", "done won", "not done quest", "full clock", "not full half", "not full none",
		"set ann mood calm",
		"set area_1 light a dim glow", "not set ann mood wild", "not set bo mood calm", "at area_1 & has knife",
		" at  area_1  &  not has key ",
	} {
		if !w.Holds(when) {
			t.Errorf("%q does not hold", when)
		}
	}
	for _, when := range []world.Condition{
		"at area_3", "not at area_1", "has key", "in coin box", "dead ann", "knows secret", "knows rumour",
		"open area_1 area_2", "open area_2 area_3",
		"opened purse", "done quest", "full half", "set ann mood wild", "at area_1 & has key", "has key & at area_1",
		// what is not there
		"at no", "not at no", "has no", "not has ann", "in key no", "not in no box", "dead no", "not dead box", "knows no",
		"not knows quest", "open no area_1",
		"not open area_1 no", "not opened ann", "done fact", "not done no", "full won", "not full no", "set no mood calm",
		"not set no mood calm",
		// what cannot be read
		"at", "not", "not at", "at area_1 area_2", "in key", "in key box area_1", "open area_1", "set ann mood", "set ann",
		"sees ann", "not sees ann", "AT area_1",
		"at area_1 &", "& at area_1", "at area_1&has knife", "not not at area_3", "not",
	} {
		if w.Holds(when) {
			t.Errorf("%q holds", when)
		}
	}
}

// Nothing that stands in a condition breaks anything, and looking changes nothing.
func TestHolds_Anything(t *testing.T) {
	w := with(t, told()...)
	before := w.Hash()
	word := rapid.OneOf(rapid.SampledFrom([]string{"at", "has", "in", "dead", "knows", "open", "opened", "done", "full", "set",
		"not", "&", "ann", "box", "purse",
		"lost", "area_1", "area_2", "fact", "quest", "clock", "no", "", "\t"}), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		when := world.Condition(strings.Join(rapid.SliceOfN(word, 0, 9).Draw(t, "words"), " "))
		holds := w.Holds(when)
		for _, term := range when.Terms() {
			if holds && !w.TermHolds(term) {
				t.Fatalf("%q holds and %v does not", when, term)
			}
			if other := term; !term.Not {
				if other.Not = true; w.TermHolds(term) && w.TermHolds(other) {
					t.Fatalf("%v holds, and its contrary, too", term)
				}
			}
		}
		if w.Hash() != before {
			t.Fatal("the world is another")
		}
	})
}

func TestTalk_Bytes(t *testing.T) {
	a := &world.Actor{ID: "a", Talk: []world.Talk{
		{Text: "Welcome."}, {Topic: "bell", Keys: []string{"bell", "钟"}, Text: "It \"hums\".", When: "at area_1",
			Skill: "charm", DC: 15, Reveals: "f", Gives: "o", Said: true}, {},
	}}
	want := `{"id":"a","talk":[{"text":"Welcome."},{"dc":15,"gives":"o","keys":["bell","钟"],"reveals":"f","said":true,"skill":"charm",` +
		`"text":"It \"hums\".","topic":"bell","when":"at area_1"},{}]}`
	if got := string(world.AppendRecord(nil, a)); got != want {
		t.Errorf("got %s", got)
	}
	said := *a
	said.Talk = append([]world.Talk(nil), a.Talk...)
	if diff := cmp.Diff([]world.Change(nil), (world.Event{Old: a, New: &said}).Changes()); diff != "" {
		t.Errorf("an equal list has changed:\n%s", diff)
	}
	said.Talk[0].Said = true
	b := world.AppendEvent(nil, world.Event{Old: a, New: &said})
	if !strings.HasPrefix(string(b), `["actor","a",{"talk":[[{"text":"Welcome."},{`) || !strings.Contains(string(b),
		`],[{"said":true,"text":"Welcome."},`) {
		t.Errorf("the event is %s", b)
	}
	w := with(t, a)
	s := world.Scan(b)
	if err := w.Next(s); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(said.Talk, w.Actor("a").Talk); diff != "" {
		t.Error(diff)
	}
	for _, broken := range []string{`{"talk":[{"text":1}]}`, `{"talk":[{"tone":"x"}]}`, `{"talk":[{"text":"a"}`, `{"talk":{}}`,
		`{"talk":[{"text":"a"},]}`} {
		if s := world.Scan([]byte(broken)); s.Record(world.ActorKind) == nil || s.Err() == nil {
			t.Errorf("%s was read", broken)
		}
	}
}

func TestBound(t *testing.T) {
	w := with(t, append(told(), &world.Quest{ID: "quest", Objectives: []string{"o"},
		When: map[string]string{"o": "at area_1 & in coin box"}},
		&world.Actor{ID: "bo", Place: "area_2", Talk: []world.Talk{{When: "not set key state bent", Gives: "knife"},
			{When: "in knife"}}})...)
	got := map[string]bool{}
	for _, thing := range w.Things() {
		got[thing.ID] = w.InConditions(thing.ID)
	}
	want := map[string]bool{"box": true, "coin": true, "key": true, "knife": false, "lost": false, "purse": false}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if list := w.ReferencesTo("knife"); len(list) != 1 || list[0].Key() != "bo" {
		t.Errorf("%v name the knife", list)
	}
}

// What a condition begins with is found in quests and in what people say, and nothing else is.
func TestDecides(t *testing.T) {
	w := world.Empty()
	for _, r := range []world.Record{
		&world.Quest{ID: "q", When: map[string]string{"a": "at hall & set box mood dry"}}, &world.Actor{ID: "bo", Talk: []world.Talk{{When: "not full tide"}}},
	} {
		if err := w.Apply(world.Event{New: r}); err != nil {
			t.Fatal(err)
		}
	}
	for words, want := range map[string]bool{
		"set box mood": true, "set box": true, "set box colour": false, "full tide": true, "full moon": false, "done q": false, "at hall": true,
	} {
		if got := w.Decides(strings.Fields(words)...); got != want {
			t.Errorf("%q: %v", words, got)
		}
	}
}
