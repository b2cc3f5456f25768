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
		if !w.TermHolds(t) {
			return false
		}
	}
	return true
}

// TermHolds reports whether one term holds.
func (w *World) TermHolds(t Term) bool {
	subjects, ok := t.subjects()
	return ok && !slices.ContainsFunc(subjects, func(s reference) bool { return !w.hasAny(s) }) && w.isTrue(t.Words) != t.Not
}

// isTrue reports whether the words of a term hold. The term can be read, and the records that it names exist.
func (w *World) isTrue(words []string) bool {
	id := words[1]
	switch words[0] {
	case "at":
		return slices.ContainsFunc(w.self.Party, func(a string) bool { return w.has(ActorKind, a) && w.Actor(a).Place == id })
	case "has":
		kind, holder := w.Holder(id)
		return kind == ActorKind && slices.Contains(w.self.Party, holder)
	case "in":
		for holder := range w.holders(id) {
			if holder.Key() == words[2] {
				return true
			}
		}
		return false
	case "dead":
		return w.Actor(id).State == Dead || w.Actor(id).State == Dying
	case "knows":
		f := w.Fact(id)
		return !f.Secret && slices.ContainsFunc(f.Witnesses, func(a string) bool { return slices.Contains(w.self.Party, a) })
	case "open":
		l := w.Link(id, words[2])
		return l != nil && l.Door != ClosedDoor && l.Door != LockedDoor && l.Blocked == ""
	case "opened":
		return !w.Thing(id).Closed && !w.Thing(id).Locked
	case "done":
		return w.Quest(id).State == Done
	case "full":
		return w.Clock(id).Segments > 0 && w.Clock(id).Filled >= w.Clock(id).Segments
	}
	value, ok := w.attrs(id)[words[2]] // set
	return ok && value == words[3]
}

// attrs returns the attributes of an entity.
func (w *World) attrs(id string) map[string]string {
	switch r := w.Entity(id).(type) {
	case *Actor:
		return r.Attrs
	case *Place:
		return r.Attrs
	case *Thing:
		return r.Attrs
	}
	return nil
}

// reference is a record that a term names: of one of several kinds.
type reference struct {
	id    string
	kinds []Kind
}

// hasAny reports whether a subject exists.
func (w *World) hasAny(s reference) bool {
	return slices.ContainsFunc(s.kinds, func(k Kind) bool { return w.has(k, s.id) })
}

// subjects returns the records that a term names, and whether the term can be read at all.
func (t Term) subjects() (list []reference, ok bool) {
	if len(t.Words) == 0 {
		return nil, false
	}
	entity := []Kind{ActorKind, PlaceKind, ThingKind}
	var kinds [][]Kind
	values := 0 // words after the subjects
	switch t.Words[0] {
	case "at":
		kinds = [][]Kind{{PlaceKind}}
	case "has", "opened":
		kinds = [][]Kind{{ThingKind}}
	case "in":
		kinds = [][]Kind{{ThingKind}, entity}
	case "dead":
		kinds = [][]Kind{{ActorKind}}
	case "knows":
		kinds = [][]Kind{{FactKind}}
	case "open":
		kinds = [][]Kind{{PlaceKind}, {PlaceKind}}
	case "done":
		kinds = [][]Kind{{QuestKind}}
	case "full":
		kinds = [][]Kind{{ClockKind}}
	case "set":
		kinds, values = [][]Kind{entity}, 2
	}
	if kinds == nil || len(t.Words) != 1+len(kinds)+values {
		return nil, false
	}
	for i, k := range kinds {
		list = append(list, reference{id: t.Words[i+1], kinds: k})
	}
	return list, true
}
