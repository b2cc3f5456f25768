package world

import (
	"slices"
	"sort"
)

// Naming returns the records that name the object with that id other than as their parent, in the order of kinds and keys:
// links of which it is the door, the key or what one needs for them, objects of which it is the key, and facts that are about
// it.
func (w *World) Naming(thing string) []Record {
	var links, things, facts []Record
	for _, l := range w.links {
		if l.DoorID == thing || l.Lock == thing || l.Needs == thing {
			links = append(links, l)
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
	for _, list := range [][]Record{links, things, facts} {
		sort.Slice(list, func(i, j int) bool { return list[i].Key() < list[j].Key() })
	}
	return append(append(links, things...), facts...)
}
