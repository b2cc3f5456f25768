package world

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// The limits of [World.Validate].
const (
	maxBreaches  = 100
	MaxAttrs     = 32  // attributes of a record
	MaxAttrName  = 64  // runes
	MaxAttrValue = 500 // runes
)

// breach is an invariant that does not hold.
type breach struct {
	rank int // the number of the invariant
	text string
}

// checker collects the breaches of a world. A world without breaches costs no memory.
type checker struct {
	w        *World
	breaches []breach
}

func (c *checker) add(rank int, format string, args ...any) {
	c.breaches = append(c.breaches, breach{rank: rank, text: fmt.Sprintf(format, args...)})
}

// addTo reports a breach of a record.
func (c *checker) addTo(rank int, r Record, text string) {
	c.add(rank, "%s %q %s", r.Kind(), r.Key(), text)
}

// Validate returns what does not hold of the world, a sentence for each breach, in the order of the invariants: at most a
// hundred, and how many more there are. The invariants are those of game.md:
//
//  1. Each actor is at one place. While a game is set up, or as long as there are no places, an actor may be nowhere.
//  2. Containment is acyclic, and whatever holds an object is in the end a place: no object is a root.
//  3. No id dangles: what a record names is there, in a condition, too, which can be read. Only a fact may be about what is gone,
//     for it tells of the past.
//  4. No way leads from a place to itself.
//  5. The areas of a layer (those with the same parent) are joined by the ways of that layer, in whichever direction. It binds
//     places of the type "area" alone: locations may lie apart, as islands do, and between zones and sub zones people walk across
//     country. Ways over other places of the layer count.
//  6. Hit points are from 0 to their most; where 0 of them end the game, nobody who has 0 is alive.
//  7. The clock is not before its beginning. That it never goes back shows only in a log.
//  8. As many segments of a progress clock are filled as it has, at most.
//  9. The order of an encounter has each of its living participants once, and nobody else; its turn is one of them.
//  10. No two records have the same id, of whatever kinds, and each has one.
//  11. Attributes have names of 1 to 64 characters, values of at most 500, and are at most 32; no quantity is negative.
//  12. The active actor is of the party, where there is a party.
func (w *World) Validate() []string {
	c := checker{w: w}
	c.checkPlaces()
	c.checkLayers()
	c.checkLinks()
	c.checkActors()
	c.checkThings()
	c.checkStory()
	c.checkSelf()
	c.checkEncounter()
	c.checkIDs()
	return c.sentences()
}

// sentences returns the breaches in their order.
func (c *checker) sentences() []string {
	if len(c.breaches) == 0 {
		return nil
	}
	slices.SortFunc(c.breaches, func(a, b breach) int { return cmp.Or(a.rank-b.rank, cmp.Compare(a.text, b.text)) })
	list := make([]string, 0, min(len(c.breaches), maxBreaches+1))
	for i, b := range c.breaches {
		if i == maxBreaches {
			return append(list, fmt.Sprintf("and %d more", len(c.breaches)-i))
		}
		list = append(list, b.text)
	}
	return list
}

// checkReference reports a breach of r unless id is "" or there is a record of kind with it.
func (c *checker) checkReference(r Record, kind Kind, id, purpose string) {
	if id != "" && !c.w.has(kind, id) {
		c.addTo(3, r, fmt.Sprintf("has %s %q for its %s, which does not exist.", kind, id, purpose))
	}
}

func (c *checker) checkPlaces() {
	nested := false
	for p := range all[*Place](c.w) {
		nested = nested || p.Parent != ""
		c.checkReference(p, PlaceKind, p.Parent, "parent")
		c.checkAttrs(p, p.Attrs)
	}
	if nested {
		checkCycles(c, func(p *Place) *Place {
			if p.Parent == "" {
				return nil
			}
			return c.w.Place(p.Parent)
		})
	}
}

// checkCycles finds the cycles of parents. Of each it reports the record with the least key.
func checkCycles[T interface {
	comparable
	Record
}](c *checker, parent func(T) T) {
	var none T
	walks := make(map[T]int, len(c.w.records[none.Kind()])) // the number of the walk in which a record was met first
	walk := 0
	for at := range all[T](c.w) {
		walk++
		for at != none && walks[at] == 0 {
			walks[at] = walk
			at = parent(at)
		}
		if at == none || walks[at] != walk {
			continue
		}
		least := at
		for next := parent(at); next != at; next = parent(next) {
			if next.Key() < least.Key() {
				least = next
			}
		}
		c.addTo(2, least, "lies within itself.")
	}
}

// HasSeparateAreas reports whether there are areas in one layer that no ways join: a breach of the fifth invariant.
func (w *World) HasSeparateAreas() bool {
	c := checker{w: w}
	c.checkLayers()
	return len(c.breaches) > 0
}

// checkLayers checks that the areas of each layer are joined.
func (c *checker) checkLayers() {
	for _, layer := range c.w.inner {
		areas := 0
		var first *Place
		for _, p := range layer {
			if p.Type != "area" {
				continue
			}
			if areas++; first == nil || p.ID < first.ID {
				first = p
			}
		}
		if areas < 2 {
			continue
		}
		c.w.walkLinks(first, true, func(p *Place) {
			if p.Type == "area" {
				areas--
			}
		})
		if areas > 0 {
			c.addApart(first)
		}
	}
}

// addApart names the areas of a layer that are not joined with first, which has the least id: one of each group.
func (c *checker) addApart(first *Place) {
	joined, layer := c.w.Joined(first), c.w.Inner(first.Parent)
	slices.SortFunc(layer, func(a, b *Place) int { return cmp.Compare(a.ID, b.ID) })
	where := "at the root"
	if first.Parent != "" {
		where = fmt.Sprintf("in place %q", first.Parent)
	}
	for _, p := range layer {
		if p.Type == "area" && !joined[p.ID] {
			c.add(5, "No ways join place %q and place %q %s.", first.ID, p.ID, where)
			maps.Copy(joined, c.w.Joined(p))
		}
	}
}

func (c *checker) checkLinks() {
	for l := range all[*Link](c.w) {
		c.checkReference(l, PlaceKind, l.From, "beginning")
		c.checkReference(l, PlaceKind, l.To, "end")
		c.checkReference(l, ThingKind, l.DoorID, "door")
		c.checkReference(l, ThingKind, l.Lock, "key")
		c.checkReference(l, ThingKind, l.Needs, "need")
		if l.From == "" || l.To == "" {
			c.addTo(3, l, "does not say from where to where it leads.")
		} else if l.From == l.To {
			c.addTo(4, l, "leads to where it begins.")
		}
	}
}

func (c *checker) checkActors() {
	free := len(c.w.records[PlaceKind]) == 0 || c.w.self.Mode == "setup"
	deadly := c.w.self.Rules["hp_zero_ends_game"] != 0
	for a := range all[*Actor](c.w) {
		if a.Place == "" && !free {
			c.addTo(1, a, "is at no place.")
		}
		c.checkReference(a, PlaceKind, a.Place, "place")
		c.checkAttrs(a, a.Attrs)
		for i := range a.Talk {
			t := &a.Talk[i]
			c.checkReference(a, FactKind, t.Reveals, "revelation")
			c.checkReference(a, ThingKind, t.Gives, "gift")
			c.checkCondition(a, t.When)
		}
		switch {
		case !a.HP.Known:
		case a.HP.N < 0:
			c.addTo(6, a, "has fewer hit points than none.")
		case a.HPMax.Known && a.HP.N > a.HPMax.N:
			c.addTo(6, a, "has more hit points than it can have.")
		case a.HP.N == 0 && deadly && (a.State == "" || a.State == Alive):
			c.addTo(6, a, "has no hit points and is alive.")
		}
	}
}

func (c *checker) checkThings() {
	nested := false
	for t := range all[*Thing](c.w) {
		if held := c.w.has(ActorKind, t.Parent) || c.w.has(PlaceKind, t.Parent); t.Parent == "" {
			c.addTo(2, t, "is nowhere: it has no parent.")
		} else if !held && !c.w.has(ThingKind, t.Parent) {
			c.addTo(3, t, fmt.Sprintf("has %q for its parent, which does not exist.", t.Parent))
		} else if !held {
			nested = true
		}
		c.checkReference(t, ThingKind, t.Lock, "key")
		c.checkAttrs(t, t.Attrs)
		if t.Qty < 0 {
			c.addTo(11, t, fmt.Sprintf("has the quantity %d.", t.Qty))
		}
	}
	if nested {
		checkCycles(c, c.w.container)
	}
}

// checkAttrs checks the attributes of a record against their limits.
func (c *checker) checkAttrs(r Record, attrs map[string]string) {
	if n := len(attrs); n > MaxAttrs {
		c.addTo(11, r, fmt.Sprintf("has %d attributes, and at most %d are allowed.", n, MaxAttrs))
	}
	for name, value := range attrs {
		if name == "" || longer(name, MaxAttrName) {
			c.addTo(11, r, fmt.Sprintf("has an attribute whose name is empty or too long: %q.", name))
		}
		if longer(value, MaxAttrValue) {
			c.addTo(11, r, fmt.Sprintf("has too long a text for its attribute %q.", name))
		}
	}
}

// longer reports whether a text has more than so many runes.
func longer(s string, runes int) bool { return len(s) > runes && utf8.RuneCountInString(s) > runes }
