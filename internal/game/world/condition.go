package world

import (
	"slices"
	"strings"
	"sync"
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

// Wants reports whether c has a term that begins with these words, and not with "not". "" stands for any word.
func (c Condition) Wants(words ...string) bool {
	fits := func(has, want string) bool { return want == "" || has == want }
	return slices.ContainsFunc(c.Terms(), func(t Term) bool {
		return !t.Not && len(t.Words) >= len(words) && slices.EqualFunc(t.Words[:len(words)], words, fits)
	})
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
	return !slices.ContainsFunc(c.Terms(), func(t Term) bool { return !w.TermHolds(t) })
}

// TermHolds reports whether one term holds.
func (w *World) TermHolds(t Term) bool {
	subjects, ok := t.subjects()
	return ok && !slices.ContainsFunc(subjects, func(s reference) bool { return !w.hasAny(s) }) && forms()[t.Words[0]].holds(w, t.Words) != t.Not
}

// form is a kind of term: what its words name, and when it holds. In holds, the term can be read, and the records that it names exist.
type form struct {
	names  [][]Kind // the kinds of the record that each word names, behind the first word
	values int      // words behind these
	holds  func(w *World, words []string) bool
}

// forms returns the kinds of terms by their first words.
var forms = sync.OnceValue(func() map[string]form {
	place, thing, entity := []Kind{PlaceKind}, []Kind{ThingKind}, []Kind{ActorKind, PlaceKind, ThingKind}
	return map[string]form{
		"at": {[][]Kind{place}, 0, func(w *World, words []string) bool {
			return slices.ContainsFunc(w.self.Party, func(a string) bool { return w.has(ActorKind, a) && w.Actor(a).Place == words[1] })
		}},
		"has": {[][]Kind{thing}, 0, func(w *World, words []string) bool {
			kind, holder := w.Holder(words[1])
			return kind == ActorKind && slices.Contains(w.self.Party, holder)
		}},
		"in": {[][]Kind{thing, entity}, 0, func(w *World, words []string) bool {
			for holder := range w.holders(words[1]) {
				if holder.Key() == words[2] {
					return true
				}
			}
			return false
		}},
		"dead": {[][]Kind{{ActorKind}}, 0, func(w *World, words []string) bool {
			state := w.Actor(words[1]).State
			return state == Dead || state == Dying
		}},
		"knows": {[][]Kind{{FactKind}}, 0, func(w *World, words []string) bool {
			f := w.Fact(words[1])
			return !f.Secret && slices.ContainsFunc(f.Witnesses, func(a string) bool { return slices.Contains(w.self.Party, a) })
		}},
		"open": {[][]Kind{place, place}, 0, func(w *World, words []string) bool {
			l := w.Link(words[1], words[2])
			return l != nil && l.Door != ClosedDoor && l.Door != LockedDoor && l.Blocked == ""
		}},
		"opened": {[][]Kind{thing}, 0, func(w *World, words []string) bool {
			return !w.Thing(words[1]).Closed && !w.Thing(words[1]).Locked
		}},
		"done": {[][]Kind{{QuestKind}}, 0, func(w *World, words []string) bool { return w.Quest(words[1]).State == Done }},
		"full": {[][]Kind{{ClockKind}}, 0, func(w *World, words []string) bool {
			c := w.Clock(words[1])
			return c.Segments > 0 && c.Filled >= c.Segments
		}},
		"set": {[][]Kind{entity}, 2, func(w *World, words []string) bool {
			value, ok := w.attrs(words[1])[words[2]]
			return ok && value == words[3]
		}},
	}
})

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
	f, ok := forms()[t.Words[0]]
	if !ok || len(t.Words) != 1+len(f.names)+f.values {
		return nil, false
	}
	for i, k := range f.names {
		list = append(list, reference{id: t.Words[i+1], kinds: k})
	}
	return list, true
}
