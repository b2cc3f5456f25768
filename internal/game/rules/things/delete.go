package things

import (
	"cmp"
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// runDeleteObject runs the tool delete_object of seed 000. Its result is {"moved_children":[ids],"to":id}, to
// being the id of what holds them now, "" for nothing.
func runDeleteObject(s *rules.Step, a rules.Args, t *world.Thing) *rules.Verdict {
	moved, to := removeObject(s, t)
	names := lists.Map(moved, func(c *world.Thing) string { return s.Say("things.name", c) })
	result := rules.NewObj().List("moved_children", lists.Map(moved, (*world.Thing).Key)).Text("to", to.id)
	if len(moved) == 0 {
		return rules.Accept(result, "delete_object.done", t)
	}
	return rules.Accept(result, "delete_object.children", t, len(moved), s.Join("things.list", names),
		s.Say("delete_object.to."+to.kind(), to.name()))
}

// removeObject removes an object from the world. Its contents pass to its holder, and references to
// it are cleared.
func removeObject(s *rules.Step, t *world.Thing) (moved []*world.Thing, to owner) {
	w := s.World
	if to = ownerOf(w, t.Parent); !to.exists() || isCircular(w, t.ID, t.Parent) {
		to = owner{} // there is nothing that holds it, or it held itself
	}
	if ownerOf(w, t.ID).thing() == t { // else what has that parent is with an actor or at a place of the same id
		for _, c := range w.Contents(t.ID) {
			if c.ID == t.ID {
				continue
			}
			next := rules.Change(s, c, func(next *world.Thing) { next.Parent, next.Rel = to.id, inheritedRelation(t, to) })
			moved = append(moved, next)
		}
	}
	s.Drop(t)
	clearReferences(s, t)
	return moved, to
}

// inheritedRelation returns the relation of the contents of t to their new holder: what was on t
// lies where t lay.
func inheritedRelation(t *world.Thing, to owner) string {
	if to.thing() != nil && t.Rel == world.On {
		return world.On
	}
	return ""
}

// clearReferences clears what named t. A door that is gone bars nothing; a lock whose key is gone
// keeps shut, and so does a way for which one needs what there is no more. Nobody gives away what
// is gone. Facts keep their words.
func clearReferences(s *rules.Step, t *world.Thing) {
	known := s.Known(t.ID) // something else may have the id
	for _, r := range s.World.ReferencesTo(t.ID) {
		switch r := r.(type) {
		case *world.Link:
			s.Put(withoutThing(s, r, t))
		case *world.Actor:
			next := *r
			next.Talk = slices.Clone(r.Talk)
			for i := range next.Talk {
				if next.Talk[i].Gives == t.ID {
					next.Talk[i].Gives = ""
				}
			}
			s.Put(&next)
		case *world.Thing:
			rules.Change(s, r, func(next *world.Thing) { next.Lock = "" })
		case *world.Fact:
			if !known {
				rules.Change(s, r, func(next *world.Fact) { next.About = world.Remove(r.About, t.ID) })
			}
		}
	}
}

// withoutThing returns a link that names t no more.
func withoutThing(s *rules.Step, l *world.Link, t *world.Thing) *world.Link {
	next := *l
	if l.DoorID == t.ID {
		next.DoorID, next.Door, next.Lock = "", world.NoDoor, ""
	}
	if l.Lock == t.ID {
		next.Lock = ""
	}
	if l.Needs == t.ID {
		next.Needs = ""
		next.Blocked = cmp.Or(l.Blocked, s.Say("delete_object.blocked", t))
	}
	return &next
}
