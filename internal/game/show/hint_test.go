package show_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/show"
	"hob/internal/game/world"
)

// Hints name what quests still ask for, what those who were met were not asked yet, each topic once, and where nobody was. What is
// hidden, offered, or said already is not among it, nor anybody who was never met.
func TestHints(t *testing.T) {
	w := world.Empty()
	if got, want := show.Hints(w, "en", ""), "Nothing is left to be done that anybody knows of: look around, and talk to people."; got != want {
		t.Error(got)
	}
	met := []world.Talk{
		{Text: "Hm.", Said: true}, {Topic: "the mill", Keys: []string{"mill"}}, {Topic: "the fire", Keys: []string{"fire"}, Said: true},
		{Topic: "the theft", Keys: []string{"theft"}, When: "knows f"}, {Topic: "the boat", Keys: []string{"boat"}},
		{Topic: "the boat", Keys: []string{"boat"}}, {Topic: "the fire", Keys: []string{"fire"}},
	}
	for _, r := range []world.Record{
		&world.Self{Party: []string{"pc"}, Active: "pc"}, &world.Place{ID: "hall", Name: "Hall", Visited: true}, &world.Place{ID: "yard", Order: 1, Name: "Yard", Visited: true},
		&world.Place{ID: "loft", Order: 2, Name: "Loft"}, &world.Place{ID: "cave", Order: 3, Name: "Cave"}, &world.Place{ID: "crypt", Order: 4, Name: "Crypt", Secret: true},
		&world.Place{ID: "pit", Order: 5, Name: "Pit"},
		&world.Link{From: "hall", To: "yard"}, &world.Link{From: "yard", To: "hall"}, &world.Link{From: "hall", To: "loft", Door: "locked", Lock: "key"},
		&world.Link{From: "yard", To: "cave"}, &world.Link{From: "yard", To: "crypt"}, &world.Link{From: "yard", To: "pit", Hidden: true},
		&world.Actor{ID: "pc", Role: "pc", Name: "Mara", Place: "yard", State: world.Alive},
		&world.Actor{ID: "tom", Role: "npc", Name: "Tom", Place: "hall", State: world.Alive, Talk: met},
		&world.Actor{ID: "eve", Role: "npc", Name: "Eve", Place: "hall", State: world.Alive, Talk: met[1:2]},
		&world.Quest{ID: "q", State: world.Active, Objectives: []string{"find it", "bring it"}, Met: []string{"find it"}},
		&world.Quest{ID: "o", State: world.Offered, Objectives: []string{"feed the cat"}},
	} {
		if err := w.Apply(world.Event{New: r}); err != nil {
			t.Fatal(err)
		}
	}
	for lang, want := range map[string]string{
		"en": "Still to be done:\n○ bring it\nMore can be asked:\n• Tom, Hall: the mill; the boat\nNot seen yet: Cave; Loft (locked door)",
		"ru": "Осталось сделать:\n○ bring it\nЕсть о чём ещё спросить:\n• Tom (Hall): the mill; the boat\nТам вы ещё не были: Cave; Loft (дверь заперта)",
		"zh": "还要做：\n○ bring it\n还可以打听：\n• Tom（Hall）：the mill；the boat\n还没去过：Cave；Loft（门锁着）",
	} {
		if diff := cmp.Diff(want, show.Hints(w, lang, "pc")); diff != "" {
			t.Errorf("%s: %s", lang, diff)
		}
	}
}
