package scenes_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/parser"
	"hob/internal/game/rules"
	"hob/internal/game/scenes"
	"hob/internal/game/tales"
)

func at0() time.Time { return time.Date(2026, 11, 22, 20, 0, 0, 0, time.UTC) }

// TestScenes begins each tale in each language for each scene: its hero gets where the scene is, all that it names is there, and its
// words are no plain command, so that they need a model.
func TestScenes(t *testing.T) {
	book := game.Rules()
	for _, tale := range tales.All() {
		for _, lang := range rules.Langs() {
			list, err := scenes.ForTale(tale.ID, lang)
			if err != nil {
				t.Fatal(err)
			}
			if len(list) < 8 || len(list) > 12 {
				t.Errorf("%s (%s) has %d scenes", tale.ID, lang, len(list))
			}
			names := map[string]bool{}
			for _, s := range list {
				if names[s.Name] {
					t.Errorf("%s.%s is there twice", s.Tale, s.Name)
				}
				names[s.Name] = true
				if len(s.Want) == 0 {
					t.Errorf("%s.%s: nothing that is done is right", s.Tale, s.Name)
				}
				for _, name := range slices.Concat(s.Want, s.Never) {
					if tool := book.Tool(name); tool == nil || tool.Class == rules.Reading {
						t.Errorf("%s.%s: there is no tool %q that changes anything", s.Tale, s.Name, name)
					}
				}
				played(t, book, tale, lang, s)
			}
		}
	}
}

// played walks the hero of a scene and has its words read.
func played(t *testing.T, book *rules.Book, tale tales.Tale, lang string, s scenes.Scene) {
	t.Helper()
	w, counts, err := tale.Begin(book, tales.Start{Session: "s", Lang: lang})
	if err != nil {
		t.Fatal(err)
	}
	options := game.Options(book, at0)
	story, err := eventlog.Create(t.Context(), eventlog.NewMemoryStorage(), eventlog.Beginning{ID: "s", World: w, Counts: counts}, options)
	if err != nil {
		t.Fatal(err)
	}
	hero := story.World().Self().Active
	for _, place := range s.Via {
		args, _ := json.Marshal(map[string]string{"player_id": hero, "target_location_id": place})
		p, err := story.Play(t.Context(), eventlog.Request{Calls: []rules.Call{{Tool: "move_player", Args: args, Actor: hero}}})
		if err != nil {
			t.Fatal(err)
		}
		if at := story.World().Actor(hero).Place; at != place {
			t.Fatalf("%s.%s: at %s, not at %s: %v", s.Tale, s.Name, at, place, p.Outcomes)
		}
	}
	m, ok := parser.Read(story.World(), book, lang, story.World().Actor(hero), s.Words)
	if ok {
		t.Errorf("%s.%s (%s): %q needs no model: %+v", s.Tale, s.Name, lang, s.Words, m)
	}
}

// TestScenesOfNothing has no scenes to give.
func TestScenesOfNothing(t *testing.T) {
	if list, err := scenes.ForTale("map", "en"); err != nil || list != nil {
		t.Errorf("%v, %v", list, err)
	}
	_, err := scenes.ForTale("cosy", "de")
	if got, want := fmt.Sprint(err), `there are no texts in "de": use en, ru or zh`; got != want {
		t.Error(got)
	}
}

// TestRight judges what was called.
func TestRight(t *testing.T) {
	loud := scenes.Scene{Want: []string{"talk", "move"}, Never: []string{"attack"}}
	quiet := loud
	quiet.Quiet = true
	type verdict struct{ Right, Still bool }
	for name, c := range map[string]struct {
		of          scenes.Outcome
		loud, quiet verdict
	}{
		"nothing":             {scenes.Outcome{}, verdict{false, true}, verdict{true, false}},
		"right":               {scenes.Outcome{Applied: []string{"talk"}, Changed: true}, verdict{true, false}, verdict{true, false}},
		"right and of no use": {scenes.Outcome{Applied: []string{"move"}}, verdict{false, true}, verdict{true, false}},
		"another":             {scenes.Outcome{Applied: []string{"rest"}, Changed: true}, verdict{false, false}, verdict{false, false}},
		"another and right":   {scenes.Outcome{Applied: []string{"rest", "move"}, Changed: true}, verdict{true, false}, verdict{true, false}},
		"right and wrong":     {scenes.Outcome{Applied: []string{"talk", "attack"}, Changed: true}, verdict{false, false}, verdict{false, false}},
		"wrong and of no use": {scenes.Outcome{Applied: []string{"attack"}}, verdict{false, true}, verdict{true, false}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.loud, verdict{loud.IsRight(c.of), loud.IsStill(c.of)}); diff != "" {
				t.Errorf("where something should change (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.quiet, verdict{quiet.IsRight(c.of), quiet.IsStill(c.of)}); diff != "" {
				t.Errorf("where nothing need (-want +got):\n%s", diff)
			}
		})
	}
}
