package tales_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game"
	"hob/internal/game/tales"
	"hob/internal/game/world"
)

// The words of a tale for its moments are in its worlds, each under the id of what it is about; those of an objective under its number.
func TestBeats(t *testing.T) {
	book, err := game.Rules()
	if err != nil {
		t.Fatal(err)
	}
	tale, _ := tales.ByID("cosy")
	w, _, err := tale.Begin(book, tales.Start{Session: "s", Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Beat("quest_supper.goal.2"); got == nil || !strings.HasPrefix(got.Texts[0], "By the time you have closed the door") {
		t.Errorf("the light: %+v", got)
	}
	want := &world.Beat{ID: "npc_tam.shrug", Texts: []string{"Tam thinks so hard that he loses count. “Dunno.”", "Tam asks Clover. Clover doesn't know, either."}}
	if diff := cmp.Diff(want, w.Beat("npc_tam.shrug")); diff != "" {
		t.Error(diff)
	}
	if list := w.Scenery("area_orchard"); len(list) != 2 || !strings.Contains(strings.Join(list[1].Keys, " "), "pear trees") {
		t.Errorf("%+v", list)
	}
}

// The tales that come with hob have words for all that the check names, in each language.
func TestShippedTalesAreNotWordless(t *testing.T) {
	for _, tale := range tales.All() {
		for _, p := range tale.Wordless() {
			t.Error(p)
		}
	}
}
