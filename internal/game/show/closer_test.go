package show_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game/show"
	"hob/internal/game/world"
)

func TestCloser(t *testing.T) {
	w := world.Empty()
	for _, r := range []world.Record{
		&world.Self{Party: []string{"pc"}, Active: "pc"}, &world.Place{ID: "hall", Name: "Hall"}, &world.Place{ID: "yard", Name: "Yard"},
		&world.Actor{ID: "pc", Role: "pc", Name: "Mara", Place: "hall"}, &world.Actor{ID: "tom", Role: "npc", Name: "Tom", Desc: "A boy.", Place: "hall"},
		&world.Thing{ID: "box", Name: "box", Desc: "Of tin.", Parent: "hall", Container: true}, &world.Thing{ID: "key", Name: "key", Parent: "box"},
		&world.Thing{ID: "chest", Name: "chest", Parent: "hall", Container: true, Closed: true}, &world.Thing{ID: "gem", Name: "gem", Parent: "chest"},
		&world.Thing{ID: "hat", Name: "hat", Parent: "tom"}, &world.Thing{ID: "ring", Name: "ring", Parent: "hall", Hidden: true},
		&world.Thing{ID: "cart", Name: "cart", Parent: "yard"}, &world.Thing{ID: "note", Name: "note", Desc: "It says no.", Parent: "pc"},
	} {
		if err := w.Apply(world.Event{New: r}); err != nil {
			t.Fatal(err)
		}
	}
	for target, want := range map[string]string{
		"box": "box\nOf tin.\nIn it: key", "key": "key", "chest": "chest (closed)", "gem": "", "ring": "", "cart": "", "nobody": "",
		"tom": "Tom\nA boy.\nCarries: hat", "hat": "hat", "note": "note\nIt says no.", "pc": "Mara\nCarries: note",
	} {
		text, ok := show.Closer(w, "en", "pc", target)
		if diff := cmp.Diff(want, text); diff != "" || ok != (want != "") {
			t.Errorf("%s: %v %s", target, ok, diff)
		}
	}
}
