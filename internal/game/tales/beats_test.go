package tales_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game"
	"hob/internal/game/tales"
	"hob/internal/game/world"
)

// The words of a tale for its moments are in its worlds, each under the id of what it is about; those of an objective under its number.
func TestBeats(t *testing.T) {
	book := game.Rules()
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

// A story has one of the texts for its beginning and its end, by its seed: the same for the same seed, and each for some seed. Of the
// end the world keeps that one alone.
func TestVariantsOfSeed(t *testing.T) {
	const words = "opening.2 = No moon.\nending.2 = Osric whistles.\nclock_dark.full.2 = It is dark.\n"
	files, err := tales.Example("bridge", "en")
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		if files[i].Name == "bridge.en.txt" {
			files[i].Text += words
		}
	}
	tale := tales.FromFiles("bridge", files)
	ends := map[string]int{}
	for seed := range 20 {
		start := tales.Start{Session: "s", Lang: "en", Seed: game.SeedOf(strconv.Itoa(seed))}
		w, _ := begun(t, tale, start)
		again, _ := begun(t, tale, start)
		if w.Hash() != again.Hash() {
			t.Errorf("seed %d begins two stories", seed)
		}
		ends[w.Quests()[0].Ending]++
		ends[w.Clocks()[0].OnFull]++
		ends[tale.Opening("en", start.Seed)]++
	}
	first, _ := begun(t, tale, tales.Start{Session: "s", Lang: "en"})
	for _, text := range []string{"No moon.", tale.Opening("en", [32]byte{}), "Osric whistles.", "It is dark.", first.Quests()[0].Ending, first.Clocks()[0].OnFull} {
		if ends[text] < 3 {
			t.Errorf("%d of 20 stories have %q", ends[text], text)
		}
	}
	if len(ends) != 6 {
		t.Errorf("%v", ends)
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
