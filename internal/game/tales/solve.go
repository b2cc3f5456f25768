package tales

import (
	"strings"

	"hob/internal/game/world"
)

// solver finds the places, things and facts of a world that players can reach with luck, and past locks only with the
// key. If in doubt it takes something to be possible, so what it does not reach is out of reach.
type solver struct {
	w       *world.World
	reached map[string]bool // ids of places, things, facts and quests; no two of them have the same
	changed bool
}

func solve(w *world.World) *solver {
	s := &solver{w: w, reached: map[string]bool{w.Actor(w.Self().Active).Place: true}}
	for s.changed = true; s.changed; {
		s.changed = false
		s.step()
	}
	return s
}

func (s *solver) add(id string) {
	if id != "" && !s.reached[id] {
		s.reached[id], s.changed = true, true
	}
}

func (s *solver) step() {
	for _, l := range s.w.Links() {
		if s.reached[l.From] && s.passes(l) {
			s.add(l.To)
		}
	}
	for _, t := range s.w.Things() {
		if s.within(t) {
			s.add(t.ID)
		}
	}
	for _, a := range s.w.Actors() {
		for _, t := range a.Talk {
			if s.reached[a.Place] && s.cannot(t.When) == "" {
				s.add(t.Gives)
				s.add(t.Reveals)
			}
		}
	}
	for _, f := range s.w.Facts() {
		if !f.Secret {
			s.add(f.ID)
		}
	}
	for _, q := range s.w.Quests() {
		done := true
		for _, o := range q.Objectives {
			done = done && s.cannot(q.When[o]) == ""
		}
		if done {
			s.add(q.ID)
		}
	}
}

func (s *solver) passes(l *world.Link) bool { return l.Door != world.LockedDoor || s.reached[l.Lock] }

// within reports whether an object is at a reachable place, and nothing hides or locks it.
func (s *solver) within(t *world.Thing) bool {
	for {
		box := s.w.Thing(t.Parent)
		if t.Hidden || box != nil && box.Locked && !s.reached[box.Lock] {
			return false
		}
		if box == nil {
			break
		}
		t = box
	}
	a := s.w.Actor(t.Parent)
	return s.reached[t.Parent] || a != nil && s.reached[a.Place]
}

// cannot returns the first term of a condition that nobody can fulfil, or "".
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
	case "at", "has", "opened", "knows", "done":
		return s.reached[id]
	case "in":
		a := s.w.Actor(words[2])
		return s.reached[id] && (s.reached[words[2]] || a != nil && s.reached[a.Place])
	case "dead":
		a := s.w.Actor(id)
		return a != nil && s.reached[a.Place]
	case "open":
		l := s.w.Link(id, words[2])
		return l != nil && s.passes(l) && (s.reached[l.From] || s.reached[l.To])
	}
	return true // a clock fills by itself, and anybody may set a value
}
