package world

import (
	"slices"
	"sort"
)

// Naming returns the records that name the object with that id other than as their parent, in the order of kinds and keys:
// links of which it is the door, the key or what one needs for them, actors who give it away when they are asked, objects of
// which it is the key, and facts that are about it. Conditions are another matter: see [World.Bound].
func (w *World) Naming(thing string) []Record {
	var links, actors, things, facts []Record
	for _, l := range w.links {
		if l.DoorID == thing || l.Lock == thing || l.Needs == thing {
			links = append(links, l)
		}
	}
	for _, a := range w.actors {
		if slices.ContainsFunc(a.Talk, func(t Talk) bool { return t.Gives == thing }) {
			actors = append(actors, a)
		}
	}
	for _, t := range w.things {
		if t.Lock == thing {
			things = append(things, t)
		}
	}
	for _, f := range w.facts {
		if slices.Contains(f.About, thing) {
			facts = append(facts, f)
		}
	}
	for _, list := range [][]Record{links, actors, things, facts} {
		sort.Slice(list, func(i, j int) bool { return list[i].Key() < list[j].Key() })
	}
	return append(append(append(links, actors...), things...), facts...)
}

// Bound reports whether a condition of a quest, or of what somebody says, names the object: the story counts on it.
func (w *World) Bound(thing string) bool {
	for _, q := range w.quests {
		for _, when := range q.When {
			if Condition(when).binds(thing) {
				return true
			}
		}
	}
	for _, a := range w.actors {
		for i := range a.Talk {
			if Condition(a.Talk[i].When).binds(thing) {
				return true
			}
		}
	}
	return false
}

// binds reports whether a condition is about the object with that id.
func (c Condition) binds(thing string) bool {
	for _, t := range c.Terms() {
		subjects, ok := t.subjects()
		for _, s := range subjects {
			if ok && s.id == thing && slices.Contains(s.kinds, ThingKind) {
				return true
			}
		}
	}
	return false
}
