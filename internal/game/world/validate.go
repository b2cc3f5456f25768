package world

import (
	"sort"
	"strconv"
	"unicode/utf8"
)

// What [World.Validate] allows.
const (
	mostBreaches  = 100
	mostAttrs     = 32
	mostAttrName  = 64  // runes
	mostAttrValue = 500 // runes
)

// breach is an invariant that does not hold.
type breach struct {
	rank int // the number of the invariant
	text string
}

// breaches are what was found so far. A world in which everything holds costs none of them.
type breaches []breach

func (b *breaches) add(rank int, text string) { *b = append(*b, breach{rank: rank, text: text}) }

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
	var b breaches
	w.checkPlaces(&b)
	w.checkLinks(&b)
	w.checkActors(&b)
	w.checkThings(&b)
	w.checkStory(&b)
	w.checkSelf(&b)
	w.checkEncounter(&b)
	w.checkIDs(&b)
	return b.sentences()
}

// sentences puts what was found in its order.
func (b breaches) sentences() []string {
	if len(b) == 0 {
		return nil
	}
	sort.Slice(b, func(i, j int) bool {
		return b[i].rank < b[j].rank || b[i].rank == b[j].rank && b[i].text < b[j].text
	})
	list := make([]string, 0, min(len(b), mostBreaches+1))
	for i, one := range b {
		if i == mostBreaches {
			return append(list, "and "+strconv.Itoa(len(b)-i)+" more")
		}
		list = append(list, one.text)
	}
	return list
}

// called returns a kind and an id for a sentence: actor "pc_001".
func called(kind Kind, id string) string { return kind.String() + " " + strconv.Quote(id) }

// need reports a breach unless id is "" or there is a record of kind with it.
func (b *breaches) need(there bool, kind Kind, id string, owner Kind, key, what string) {
	if id != "" && !there {
		b.add(3, called(owner, key)+" has "+called(kind, id)+" for its "+what+", which does not exist.")
	}
}

func (w *World) checkPlaces(b *breaches) {
	nested := false
	for _, p := range w.places {
		if p.Parent != "" {
			nested = true
			b.need(w.places[p.Parent] != nil, PlaceKind, p.Parent, PlaceKind, p.ID, "parent")
		}
		b.attrs(PlaceKind, p.ID, p.Attrs)
	}
	if nested {
		w.checkNesting(b)
	}
	w.checkLayers(b)
}

// Apart reports whether there are areas in one layer that no ways join: a breach of the fifth invariant.
func (w *World) Apart() bool {
	var b breaches
	w.checkLayers(&b)
	return len(b) > 0
}

// checkLayers looks that the areas of each layer are joined.
func (w *World) checkLayers(b *breaches) {
	for _, layer := range w.inner {
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
		w.spread(first, true, func(p *Place) {
			if p.Type == "area" {
				areas--
			}
		})
		if areas > 0 {
			w.apart(b, first)
		}
	}
}

// apart names the areas of a layer that are not joined with first, which has the least id: one of each group.
func (w *World) apart(b *breaches, first *Place) {
	joined := map[string]bool{}
	mark := func(p *Place) { joined[p.ID] = true }
	w.spread(first, true, mark)
	layer := w.Inner(first.Parent)
	sort.Slice(layer, func(i, j int) bool { return layer[i].ID < layer[j].ID })
	for _, p := range layer {
		if p.Type != "area" || joined[p.ID] {
			continue
		}
		where := "at the root"
		if p.Parent != "" {
			where = "in " + called(PlaceKind, p.Parent)
		}
		b.add(5, "No ways join "+called(PlaceKind, first.ID)+" and "+called(PlaceKind, p.ID)+" "+where+".")
		w.spread(p, true, mark)
	}
}

// checkNesting finds places that lie within themselves.
func (w *World) checkNesting(b *breaches) {
	reached := 0
	var below func(p *Place)
	below = func(p *Place) {
		reached++
		for _, c := range w.inner[p.ID] {
			below(c)
		}
	}
	for _, p := range w.places {
		if w.places[p.Parent] == nil {
			below(p)
		}
	}
	if reached == len(w.places) {
		return
	}
	parent := func(id string) string {
		if p := w.places[id]; p != nil {
			return p.Parent
		}
		return ""
	}
	for _, id := range cycles(sortedKeys(w.places), parent) {
		b.add(2, called(PlaceKind, id)+" lies within itself.")
	}
}

// cycles returns of each cycle of parents the id that stands first in ids.
func cycles(ids []string, parent func(string) string) (list []string) {
	seen := map[string]int{} // in which walk
	for i, id := range ids {
		at := id
		for at != "" && seen[at] == 0 {
			seen[at] = i + 1
			at = parent(at)
		}
		if at == "" || seen[at] != i+1 {
			continue
		}
		least := at
		for next := parent(at); next != at; next = parent(next) {
			least = min(least, next)
		}
		list = append(list, least)
	}
	return list
}

func (w *World) checkLinks(b *breaches) {
	for _, l := range w.links {
		if w.places[l.From] == nil || w.places[l.To] == nil || l.DoorID != "" || l.Lock != "" || l.Needs != "" {
			key := l.Key()
			b.need(w.places[l.From] != nil || l.From == "", PlaceKind, l.From, LinkKind, key, "beginning")
			b.need(w.places[l.To] != nil || l.To == "", PlaceKind, l.To, LinkKind, key, "end")
			b.need(w.things[l.DoorID] != nil, ThingKind, l.DoorID, LinkKind, key, "door")
			b.need(w.things[l.Lock] != nil, ThingKind, l.Lock, LinkKind, key, "key")
			b.need(w.things[l.Needs] != nil, ThingKind, l.Needs, LinkKind, key, "need")
		}
		if l.From == "" || l.To == "" {
			b.add(3, called(LinkKind, l.Key())+" does not say from where to where it leads.")
		} else if l.From == l.To {
			b.add(4, called(LinkKind, l.Key())+" leads to where it begins.")
		}
	}
}

func (w *World) checkActors(b *breaches) {
	free := len(w.places) == 0 || w.self.Mode == "setup"
	deadly := w.self.Rules["hp_zero_ends_game"] != 0
	for _, a := range w.actors {
		switch {
		case a.Place == "" && !free:
			b.add(1, called(ActorKind, a.ID)+" is at no place.")
		case a.Place != "":
			b.need(w.places[a.Place] != nil, PlaceKind, a.Place, ActorKind, a.ID, "place")
		}
		b.attrs(ActorKind, a.ID, a.Attrs)
		w.checkTalk(b, a)
		if !a.HP.Known {
			continue
		}
		switch {
		case a.HP.N < 0:
			b.add(6, called(ActorKind, a.ID)+" has fewer hit points than none.")
		case a.HPMax.Known && a.HP.N > a.HPMax.N:
			b.add(6, called(ActorKind, a.ID)+" has more hit points than it can have.")
		case a.HP.N == 0 && deadly && (a.State == "" || a.State == Alive):
			b.add(6, called(ActorKind, a.ID)+" has no hit points and is alive.")
		}
	}
}

func (w *World) checkThings(b *breaches) {
	reached := 0
	var below func(t *Thing)
	below = func(t *Thing) {
		reached++
		if w.actors[t.ID] != nil || w.places[t.ID] != nil {
			return // what names this id is with those
		}
		for _, c := range w.contents[t.ID] {
			below(c)
		}
	}
	for _, t := range w.things {
		held := w.actors[t.Parent] != nil || w.places[t.Parent] != nil
		if t.Parent == "" {
			b.add(2, called(ThingKind, t.ID)+" is nowhere: it has no parent.")
		} else if !held && w.things[t.Parent] == nil {
			b.add(3, called(ThingKind, t.ID)+" has "+strconv.Quote(t.Parent)+" for its parent, which does not exist.")
		}
		if held || w.things[t.Parent] == nil {
			below(t)
		}
		b.need(w.things[t.Lock] != nil, ThingKind, t.Lock, ThingKind, t.ID, "key")
		b.attrs(ThingKind, t.ID, t.Attrs)
		if t.Qty < 0 {
			b.add(11, called(ThingKind, t.ID)+" has the quantity "+strconv.FormatInt(t.Qty, 10)+".")
		}
	}
	if reached == len(w.things) {
		return
	}
	for _, id := range cycles(sortedKeys(w.things), w.holds) {
		b.add(2, called(ThingKind, id)+" lies within itself.")
	}
}

// holds returns the object that an object lies in, or "".
func (w *World) holds(id string) string {
	t := w.things[id]
	if t == nil || w.actors[t.Parent] != nil || w.places[t.Parent] != nil || w.things[t.Parent] == nil {
		return ""
	}
	return t.Parent
}

// attrs holds the attributes of a record against their limits.
func (b *breaches) attrs(kind Kind, id string, attrs map[string]string) {
	if n := len(attrs); n > mostAttrs {
		b.add(11, called(kind, id)+" has "+strconv.Itoa(n)+" attributes, and at most "+strconv.Itoa(mostAttrs)+" are allowed.")
	}
	for attr, value := range attrs {
		if attr == "" || len(attr) > mostAttrName && utf8.RuneCountInString(attr) > mostAttrName {
			b.add(11, called(kind, id)+" has an attribute whose name is empty or too long: "+strconv.Quote(attr)+".")
		}
		if len(value) > mostAttrValue && utf8.RuneCountInString(value) > mostAttrValue {
			b.add(11, called(kind, id)+" has too long a text for its attribute "+strconv.Quote(attr)+".")
		}
	}
}
