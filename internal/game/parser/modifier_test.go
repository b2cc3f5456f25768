package parser_test

import (
	"strings"
	"testing"

	"hob/internal/game/parser"
	"hob/internal/game/world"
)

// A pot for coal is no coal: a small coal is, and where there is none the pot is not put anywhere for it.
func TestKindBeforeModifier(t *testing.T) {
	b := book(t)
	w := inn(t, "ru")
	put(t, w, &world.Thing{ID: "pot", Order: 90, Parent: "pc", Name: "горшок для углей", Desc: "Глиняный горшок с крышкой."})
	const words = "положить уголь в корзину"
	if got := comes(read(t, w, b, "ru", parser.Options{NoModel: true}, "положить уголь в горшок")); strings.Contains(got, "move_object") {
		t.Errorf("the pot itself is put down: %s", got)
	}
	put(t, w, &world.Thing{ID: "coal", Order: 91, Parent: "pc", Name: "живой уголёк"})
	want := `move_object {"object_id":"coal","target_id":"basket","relation":"in"}`
	if got := comes(read(t, w, b, "ru", parser.Options{NoModel: true}, words)); got != want {
		t.Errorf("%q comes to %s", words, got)
	}
}

// What a thing is called by may be half of its name and half of its description.
func TestNameAndDescription(t *testing.T) {
	b := book(t)
	w := inn(t, "en")
	put(t, w, &world.Thing{ID: "coal", Order: 91, Parent: "pc", Name: "live ember", Desc: "A red coal in a handful of ash."})
	for words, want := range map[string]string{"look at the live coal": `look {"target_id":"coal"}`, "drop the red ember": `move_object {"object_id":"coal","target_id":"hall"}`} {
		if got := comes(read(t, w, b, "en", parser.Options{NoModel: true}, words)); got != want {
			t.Errorf("%q comes to %s", words, got)
		}
	}
}
