package tales_test

import (
	"slices"
	"strings"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/tales"
	"hob/internal/game/world"
)

// In each tale it pays to search, here and there: two or three things or ways are hidden, no harder to find than somebody can. What
// invites a search says nothing: some of those places have nothing, and some that have something do not invite.
func TestSearchPays(t *testing.T) {
	for _, tale := range tales.All() {
		w, _ := begun(t, tale, tales.Start{Lang: "en"})
		hides := map[string]bool{}
		found := 0
		add := func(find int64, places ...string) {
			if found++; find < 10 || find > 16 {
				t.Errorf("%s: in %v something is as hard to find as %d", tale.ID, places, find)
			}
			for _, p := range places {
				hides[p] = true
			}
		}
		for _, thing := range w.Things() {
			if kind, at := w.Holder(thing.ID); thing.Hidden && kind == world.PlaceKind {
				add(thing.Find, at)
			}
		}
		for _, l := range w.Links() {
			if l.Hidden && l.From < l.To {
				add(l.Find, l.From, l.To)
			}
		}
		var inviting, decoys, quiet int
		for _, p := range w.Places() {
			switch {
			case p.Search != "" && !slices.Contains(rules.Skills(), p.Search):
				t.Errorf("%s: %s is searched with %q", tale.ID, p.ID, p.Search)
			case p.Search != "" && !hides[p.ID]:
				decoys++
			case p.Search == "" && hides[p.ID]:
				quiet++
			}
			if p.Search != "" {
				inviting++
			}
		}
		if found < 2 || found > 4 || inviting < 3 || decoys < 1 || quiet < 1 {
			t.Errorf("%s: %d hidden, %d places invite a search, %d of them for nothing, %d hide something and do not", tale.ID, found, inviting, decoys, quiet)
		}
	}
}

// What players see of a world, wherever they are, is the same whether anything is hidden there or not.
func TestNothingHiddenShows(t *testing.T) {
	everywhere(t, func(t *testing.T, tale tales.Tale, lang string) {
		w, _ := begun(t, tale, tales.Start{Lang: lang})
		bare := w.Clone()
		for _, thing := range w.Things() {
			if kind, _ := w.Holder(thing.ID); thing.Hidden && kind == world.PlaceKind {
				away := *thing
				away.Parent = ""
				change(t, bare, thing, &away)
			}
		}
		for _, l := range w.Links() {
			if l.Hidden {
				change(t, bare, l, nil)
			}
		}
		b := book(t)
		for _, p := range w.Places() {
			var told [2]string
			for i, w := range []*world.World{w.Clone(), bare.Clone()} {
				moved := *w.Actor("pc_001")
				moved.Place = p.ID
				change(t, w, w.Actor("pc_001"), &moved)
				told[i] = story.Scene(w, story.SceneInput{Turn: 1})
				for _, c := range story.Choices(w, b, lang, w.Actor("pc_001")) {
					told[i] += "\n" + c.Label + " " + c.Tool + string(c.Args.Bytes())
				}
			}
			if told[0] != told[1] {
				t.Errorf("%s: what is hidden shows:\n%s\n\nand without it:\n%s", p.ID, told[0], told[1])
			}
			if p.Search != "" && !strings.Contains(told[0], `"find":"`+p.ID+`"`) {
				t.Errorf("%s does not offer that it is searched:\n%s", p.ID, told[0])
			}
		}
	})
}

func change(t *testing.T, w *world.World, from, to world.Record) {
	t.Helper()
	if err := w.Apply(world.Event{Old: from, New: to}); err != nil {
		t.Fatal(err)
	}
}
