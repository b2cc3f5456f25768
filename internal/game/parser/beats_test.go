package parser_test

import (
	"testing"

	"hob/internal/game/parser"
	"hob/internal/game/world"
)

// Where a tale has words for a moment, it is answered with them: what a place's text mentions, what cannot be done with something, and
// what people make of what they are shown, told, asked or accused of. Of several the variant says which.
func TestBeats(t *testing.T) {
	b, w := book(t), inn(t, "en")
	for id, texts := range map[string][]string{
		"guard.shrug": {"A shrug.", "Another shrug."}, "guard.no": {"He is ticklish."}, "guard.told": {"So, so."}, "guard.accused": {"Me?"},
		"guard.shown": {"He looks."}, "guard.shown.letter": {"He knows the hand."},
	} {
		put(t, w, &world.Beat{ID: id, Texts: texts})
	}
	put(t, w, &world.Beat{ID: "hall.see.clock", Keys: []string{"clock", "hands"}, Texts: []string{"It is slow."}},
		&world.Beat{ID: "garden.see.clock", Keys: []string{"clock"}, Texts: []string{"A sundial."}})
	for words, want := range map[string]string{
		"x the clock": "! It is slow.", "look at the hands": "! It is slow.", "take clock": "! It is slow.", "climb the clock": "! It is slow.",
		"ask Osric about fish": "! A shrug. (the old mill, the rope)", "kiss Osric": "! He is ticklish.", "tell Osric about the weather": "! So, so.",
		"accuse Osric of murder": "! Me?", "show the letter to Osric": "! He knows the hand.",
	} {
		if got := comes(read(t, w, b, "en", parser.Options{NoModel: true}, words)); got != want {
			t.Errorf("%q comes to %s, not to %s", words, got, want)
		}
	}
	if got := comes(read(t, w, b, "en", parser.Options{NoModel: true, Variant: 1}, "ask Osric about fish")); got != "! Another shrug. (the old mill, the rope)" {
		t.Error(got)
	}
	if got := comes(read(t, w, b, "en", parser.Options{}, "x the clock")); got != "! It is slow." {
		t.Errorf("with a model: %s", got)
	}
}
