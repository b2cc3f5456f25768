package world

import (
	"slices"
	"strings"
	"unicode"
)

// Condition is what must hold of a world for something to happen by itself: terms joined by " & ", all of which must hold.
//
//	at PLACE           somebody of the party is there
//	has OBJECT         somebody of the party carries it, in whatever
//	in OBJECT HOLDER   the object is in, on or with the holder, in whatever
//	dead ACTOR         it is dead or dying
//	knows FACT         the fact is no secret, and somebody of the party witnessed it
//	open FROM TO       the way has no door that is closed or locked, and is not blocked
//	opened OBJECT      the container is neither closed nor locked
//	done QUEST         the quest is done
//	full CLOCK         the progress clock is full
//	set ENTITY NAME VALUE   the entity has the attribute with that value
//
// A term with "not " before it holds where the rest does not. A term that cannot be read, or that names what is not there, does
// not hold, with "not " as little as without.
type Condition string

// Term is one of the terms of a [Condition]: its words, and whether "not" stands before them.
type Term struct {
	Not   bool
	Words []string // what must hold, and of what: at, PLACE
}

// Terms takes c apart. An empty condition has no terms. The words of a term that cannot be read are as they stand there.
func (c Condition) Terms() []Term {
	if strings.TrimSpace(string(c)) == "" {
		return nil
	}
	parts := strings.Split(string(c), " & ")
	list := make([]Term, 0, len(parts))
	for _, part := range parts {
		part = strings.TrimSpace(part)
		rest, not := strings.CutPrefix(part, "not ")
		t := Term{Not: not, Words: strings.Fields(rest)}
		if len(t.Words) > 4 && t.Words[0] == "set" { // a value may have spaces in it
			t.Words = append(t.Words[:3:3], afterWords(rest, 3))
		}
		list = append(list, t)
	}
	return list
}

// afterWords returns what follows the first n words of text.
func afterWords(text string, n int) string {
	for range n {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
		text = text[strings.IndexFunc(text, unicode.IsSpace):]
	}
	return strings.TrimSpace(text)
}

// Holds reports whether c holds of the world. An empty condition does.
func (w *World) Holds(c Condition) bool {
	for _, t := range c.Terms() {
		if !w.Met(t) {
			return false
		}
	}
	return true
}

// Met reports whether one term holds.
func (w *World) Met(t Term) bool {
	if subjects, ok := t.subjects(); !ok || slices.ContainsFunc(subjects, func(s named) bool { return !w.there(s) }) {
		return false
	}
	return w.is(t.Words) != t.Not
}

// is reports whether what a term's words say is so. They can be read, and what they name is there.
func (w *World) is(words []string) bool {
	id := words[1]
	switch words[0] {
	case "at":
		return slices.ContainsFunc(w.self.Party, func(a string) bool { return w.actors[a] != nil && w.actors[a].Place == id })
	case "has":
		kind, holder := w.Holder(id)
		return kind == ActorKind && slices.Contains(w.self.Party, holder)
	case "in":
		return w.within(id, words[2])
	case "dead":
		return w.actors[id].State == Dead || w.actors[id].State == Dying
	case "knows":
		f := w.facts[id]
		return !f.Secret && slices.ContainsFunc(f.Witnesses, func(a string) bool { return slices.Contains(w.self.Party, a) })
	case "open":
		l := w.Link(id, words[2])
		return l != nil && l.Door != ClosedDoor && l.Door != LockedDoor && l.Blocked == ""
	case "opened":
		return !w.things[id].Closed && !w.things[id].Locked
	case "done":
		return w.quests[id].State == Done
	case "full":
		return w.clocks[id].Segments > 0 && w.clocks[id].Filled >= w.clocks[id].Segments
	}
	value, ok := w.attrsOf(id)[words[2]]
	return ok && value == words[3]
}

// within reports whether an object is with a holder, directly or in what is.
func (w *World) within(thing, holder string) bool {
	for range len(w.things) {
		t := w.things[thing]
		if t == nil {
			return false
		}
		if t.Parent == holder {
			return true
		}
		if w.actors[t.Parent] != nil || w.places[t.Parent] != nil {
			return false
		}
		thing = t.Parent
	}
	return false
}

// attrsOf returns the attributes of an actor, a place or an object, in this order where several have the id.
func (w *World) attrsOf(id string) map[string]string {
	switch {
	case w.actors[id] != nil:
		return w.actors[id].Attrs
	case w.places[id] != nil:
		return w.places[id].Attrs
	case w.things[id] != nil:
		return w.things[id].Attrs
	}
	return nil
}

// named is something that a term names: a record of one of several kinds.
type named struct {
	id    string
	kinds []Kind
}

// there reports whether what is named is there.
func (w *World) there(n named) bool {
	return slices.ContainsFunc(n.kinds, func(k Kind) bool { return w.has(k, n.id) })
}

// subjects returns what a term names, and whether it can be read at all.
func (t Term) subjects() (list []named, ok bool) {
	if len(t.Words) < 2 {
		return nil, false
	}
	id := t.Words[1]
	one := func(n int, kinds ...Kind) ([]named, bool) { return []named{{id, kinds}}, len(t.Words) == n }
	two := func(kinds ...Kind) ([]named, bool) {
		if len(t.Words) != 3 {
			return nil, false
		}
		first := ThingKind
		if t.Words[0] == "open" {
			first = PlaceKind
		}
		return []named{{id, []Kind{first}}, {t.Words[2], kinds}}, true
	}
	switch t.Words[0] {
	case "at":
		return one(2, PlaceKind)
	case "has", "opened":
		return one(2, ThingKind)
	case "in":
		return two(ActorKind, PlaceKind, ThingKind)
	case "dead":
		return one(2, ActorKind)
	case "knows":
		return one(2, FactKind)
	case "open":
		return two(PlaceKind)
	case "done":
		return one(2, QuestKind)
	case "full":
		return one(2, ClockKind)
	case "set":
		return one(4, ActorKind, PlaceKind, ThingKind)
	}
	return nil, false
}
