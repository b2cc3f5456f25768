package tales

import (
	"strings"

	"hob/internal/game/world"
)

// solver finds the places, things and facts of a world that players can reach: with luck, and past
// a lock only with its key. It errs on the side of the possible: nobody reaches what it does not.
type solver struct {
	w       *world.World
	places  map[string]bool
	things  map[string]bool
	facts   map[string]bool
	quests  map[string]bool
	changed bool
}

func solve(w *world.World) *solver {
	s := &solver{w: w, places: map[string]bool{}, things: map[string]bool{}, facts: map[string]bool{}, quests: map[string]bool{}}
	s.places[w.Actor(w.Self().Active).Place] = true
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
		if s.places[l.From] && s.passes(l) {
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
			if s.places[a.Place] && s.cannot(t.When) == "" {
				s.add(s.things, t.Gives)
				s.add(s.facts, t.Reveals)
			}
		}
	}
	for _, f := range s.w.Facts() {
		if !f.Secret {
			s.add(s.facts, f.ID)
		}
	}
	for _, q := range s.w.Quests() {
		done := true
		for _, o := range q.Objectives {
			done = done && s.cannot(q.When[o]) == ""
		}
		if done {
			s.add(s.quests, q.ID)
		}
	}
}

func (s *solver) passes(l *world.Link) bool { return l.Door != world.LockedDoor || s.things[l.Lock] }

// within reports whether an object is at a reachable place, and nothing hides or locks it.
func (s *solver) within(t *world.Thing) bool {
	for {
		box := s.w.Thing(t.Parent)
		if t.Hidden || box != nil && box.Locked && !s.things[box.Lock] {
			return false
		}
		if box == nil {
			break
		}
		t = box
	}
	a := s.w.Actor(t.Parent)
	return s.places[t.Parent] || a != nil && s.places[a.Place]
}

// cannot returns the first term of a condition that nobody can fulfil, "" if there is none.
func (s *solver) cannot(when string) string {
	for _, t := range world.Condition(when).Terms() {
		if !t.Not && !s.can(t.Words) {
			return strings.Join(t.Words, " ")
		}
	}
	return ""
}

func (s *solver) can(words []string) bool {
	id := words[1]
	switch words[0] {
	case "at":
		return s.places[id]
	case "has", "opened":
		return s.things[id]
	case "in":
		a := s.w.Actor(words[2])
		return s.things[id] && (s.places[words[2]] || s.things[words[2]] || a != nil && s.places[a.Place])
	case "dead":
		a := s.w.Actor(id)
		return a != nil && s.places[a.Place]
	case "knows":
		return s.facts[id]
	case "open":
		l := s.w.Link(id, words[2])
		return l != nil && s.passes(l) && (s.places[l.From] || s.places[l.To])
	case "done":
		return s.quests[id]
	}
	return true // a clock fills by itself, and what is set anybody may set
}
