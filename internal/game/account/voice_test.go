package account_test

import (
	"strings"
	"testing"

	"hob/internal/game"
	"hob/internal/game/account/turntest"
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// With a pick a turn is told in the words that the tale has for its moments; which of several, the pick says, and what was told lately
// comes last. Without one it is told in plain words.
func TestTellWithBeats(t *testing.T) {
	turn := turntest.Scene(t, "en", "move")
	if err := turn.After.Apply(world.Event{New: &world.Beat{ID: "area_002.first", Texts: []string{"Cold comes up.", "Colder it gets."}}}); err != nil {
		t.Fatal(err)
	}
	const plain = "You go to Flooded Crypt. Black water covers the floor. You see: the silver bowl. Ways lead on to: Old Mill."
	if got := turn.Tell(); got != plain {
		t.Errorf("without a pick: %s", got)
	}
	seen := map[string]bool{}
	for turn.Pick = range 5 {
		if turn.Pick > 0 {
			seen[turn.Tell()] = true
		}
	}
	const rest = " Black water covers the floor.\nFlooded Crypt — silver bowl → Old Mill"
	if len(seen) != 2 || !seen["Cold comes up."+rest] || !seen["Colder it gets."+rest] {
		t.Errorf("%v", seen)
	}
	for _, lately := range []string{"Cold comes up.", "Colder it gets."} {
		turn.Recent = []string{lately}
		if got := turn.Tell(); strings.Contains(got, lately) {
			t.Errorf("after %q: %q", lately, got)
		}
	}
}

// A fight is told without numbers, and a death in the words of the tale.
func TestTellAFight(t *testing.T) {
	for _, lang := range rules.Langs() {
		turn := turntest.Scene(t, lang, "kill")
		turn.Pick = 1
		if got := turn.Tell(); strings.ContainsAny(got, "0123456789") {
			t.Errorf("%s: %s", lang, got)
		}
		for _, a := range turn.After.Actors() {
			if err := turn.After.Apply(world.Event{New: &world.Beat{ID: a.ID + ".dead", Texts: []string{"It lies down."}}}); err != nil {
				t.Fatal(err)
			}
		}
		if got := turn.Tell(); !strings.HasSuffix(got, "It lies down.") {
			t.Errorf("%s: %s", lang, got)
		}
	}
}

// Whatever is played is told with a voice: never nothing, and no gap is left open.
func TestEverythingIsToldWithAVoice(t *testing.T) {
	book := game.Rules()
	for _, lang := range rules.Langs() {
		for seed := range int64(6) {
			var recent []string
			for i, turn := range turntest.Play(t, book, lang, 300+seed, 20) {
				turn.Pick, turn.Recent = i+1, recent
				told := turn.Tell()
				if told == "" || strings.ContainsAny(told, "{}") {
					t.Errorf("%s after %s: %q", lang, turn.What, told)
				}
				recent = append([]string{told}, recent...)[:min(len(recent)+1, 6)]
			}
		}
	}
}
