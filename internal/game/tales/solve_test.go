package tales_test

import (
	"slices"
	"strings"
	"testing"

	"hob/internal/game/tales"
	"hob/internal/game/world"
)

// solver finds out what can be come by in a world, whatever the dice and without going past a lock before its key is there.
type solver struct {
	w       *world.World
	places  map[string]bool
	things  map[string]bool
	facts   map[string]bool
	unsure  bool // also count on what is said to who earns it with a check, and on what is found by searching
	changed bool
}

func solve(w *world.World, unsure bool) *solver {
	s := &solver{w: w, unsure: unsure, places: map[string]bool{}, things: map[string]bool{}, facts: map[string]bool{}}
	s.places[w.Actor("pc_001").Place] = true
	for s.changed = true; s.changed; {
		s.changed = false
		s.step()
	}
	return s
}

func (s *solver) add(to map[string]bool, id string) {
	if id != "" && !to[id] {
		to[id], s.changed = true, true
	}
}

func (s *solver) step() {
	for _, l := range s.w.Links() {
		locked := l.Door == world.LockedDoor && !s.things[l.Lock]
		if s.places[l.From] && !locked && (!l.Hidden || s.unsure) && l.Blocked == "" && (l.Needs == "" || s.things[l.Needs]) {
			s.add(s.places, l.To)
		}
	}
	for _, t := range s.w.Things() {
		if s.within(t) {
			s.add(s.things, t.ID)
		}
	}
	for _, a := range s.w.Actors() {
		for _, t := range a.Talk {
			if s.places[a.Place] && (t.Skill == "" || s.unsure) && s.can(t.When) {
				s.add(s.things, t.Gives)
				s.add(s.facts, t.Reveals)
			}
		}
	}
}

// within reports whether an object lies where the party can get, and nothing hides or locks it.
func (s *solver) within(t *world.Thing) bool {
	for {
		box := s.w.Thing(t.Parent)
		if t.Hidden && (!s.unsure || s.w.Actor(t.Parent) != nil) || box != nil && box.Locked && !s.things[box.Lock] {
			return false
		}
		if box == nil {
			break
		}
		t = box
	}
	a := s.w.Actor(t.Parent)
	return s.places[t.Parent] || a != nil && a.Role != "npc" && s.places[a.Place]
}

// can reports whether the party can bring about what a condition says.
func (s *solver) can(when string) bool {
	for _, t := range world.Condition(when).Terms() {
		ok := false
		switch t.Words[0] {
		case "at":
			ok = s.places[t.Words[1]]
		case "has":
			ok = s.things[t.Words[1]]
		case "in":
			holder := t.Words[2]
			box := s.w.Thing(holder)
			a := s.w.Actor(holder)
			there := s.places[holder] || s.things[holder] || a != nil && s.places[a.Place] || box != nil && s.places[box.Parent]
			ok = there && s.things[t.Words[1]]
		case "knows":
			ok = s.facts[t.Words[1]]
		}
		if !ok && !t.Not {
			return false
		}
	}
	return true
}

// Whatever there is can be come by, every key before its lock, and every quest be done, with luck; the story itself without any.
func TestSolvable(t *testing.T) {
	for _, tale := range tales.All() {
		w, _ := begun(t, tale, tales.Start{Lang: "en"})
		lucky, plain := solve(w, true), solve(w, false)
		for _, p := range w.Places() {
			if !lucky.places[p.ID] {
				t.Errorf("%s: nobody gets to %s", tale.ID, p.ID)
			}
		}
		for _, thing := range w.Things() {
			if kind, _ := w.Holder(thing.ID); !lucky.things[thing.ID] && kind == world.PlaceKind {
				t.Errorf("%s: nobody comes by %s", tale.ID, thing.ID)
			}
		}
		for _, f := range w.Facts() {
			if f.Secret && !lucky.facts[f.ID] {
				t.Errorf("%s: nobody learns %s", tale.ID, f.ID)
			}
		}
		locks := 0
		for _, l := range w.Links() {
			if l.Door == world.LockedDoor {
				locks++
			}
		}
		if locks < 2 {
			t.Errorf("%s: %d locked ways", tale.ID, locks)
		}
		for _, q := range w.Quests() {
			for _, o := range q.Objectives {
				if when := q.When[o]; strings.TrimSpace(when) == "" || !lucky.can(when) || q.Ends && !plain.can(when) {
					t.Errorf("%s: %q cannot be done: %q", tale.ID, o, when)
				}
			}
		}
		checkGifts(t, tale.ID, w)
	}
}

// checkGifts looks that who gives something has it, hidden, that who reveals something knows it alone, and that nothing is said
// always before something else.
func checkGifts(t *testing.T, tale string, w *world.World) {
	t.Helper()
	for _, a := range w.Actors() {
		for i, talk := range a.Talk {
			if talk.Gives != "" && (!w.Carries(a.ID, talk.Gives) || !w.Thing(talk.Gives).Hidden) {
				t.Errorf("%s: %s gives %s", tale, a.ID, talk.Gives)
			}
			if f := w.Fact(talk.Reveals); f != nil && (!f.Secret || !slices.Contains(f.Witnesses, a.ID)) {
				t.Errorf("%s: %s reveals %s, and does not know it or everybody does", tale, a.ID, talk.Reveals)
			}
			hidden := slices.ContainsFunc(a.Talk[:i], func(b world.Talk) bool {
				return b.When == "" && len(b.Keys) > 0 == (len(talk.Keys) > 0) && (len(talk.Keys) == 0 || slices.Equal(b.Keys, talk.Keys))
			})
			if hidden {
				t.Errorf("%s: %s never says %q: something else is always said first", tale, a.ID, talk.Text)
			}
		}
	}
}
