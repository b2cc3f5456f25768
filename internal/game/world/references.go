package world

import (
	"cmp"
	"slices"
	"strings"
)

// ReferencesTo returns the records that name the object with that id other than as their parent, in the order of kinds and keys:
// links that have it for their door or their key or need it, actors who give it away when asked, objects whose key it is, and
// facts about it. For conditions see [World.InConditions].
func (w *World) ReferencesTo(thing string) (list []Record) {
	for l := range all[*Link](w) {
		if l.DoorID == thing || l.Lock == thing || l.Needs == thing {
			list = append(list, l)
		}
	}
	for a := range all[*Actor](w) {
		if slices.ContainsFunc(a.Talk, func(t Talk) bool { return t.Gives == thing }) {
			list = append(list, a)
		}
	}
	for t := range all[*Thing](w) {
		if t.Lock == thing {
			list = append(list, t)
		}
	}
	for f := range all[*Fact](w) {
		if slices.Contains(f.About, thing) {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b Record) int {
		return cmp.Or(cmp.Compare(a.Kind(), b.Kind()), strings.Compare(a.Key(), b.Key()))
	})
	return list
}

// InConditions reports whether a condition of a quest, or of what somebody says, names the object: the story counts on it.
func (w *World) InConditions(thing string) bool {
	return w.hasTerm(func(t Term) bool {
		subjects, _ := t.subjects()
		return slices.ContainsFunc(subjects, func(s reference) bool { return s.id == thing && slices.Contains(s.kinds, ThingKind) })
	})
}

// Decides reports whether a term of a condition begins with these words: set, an entity and a name, or full and a clock.
func (w *World) Decides(words ...string) bool {
	return w.hasTerm(func(t Term) bool { return len(t.Words) >= len(words) && slices.Equal(t.Words[:len(words)], words) })
}

// hasTerm reports whether a condition of a quest, or of what somebody says, has a term that fits.
func (w *World) hasTerm(fits func(Term) bool) bool {
	has := func(when string) bool { return slices.ContainsFunc(Condition(when).Terms(), fits) }
	for q := range all[*Quest](w) {
		for _, when := range q.When {
			if has(when) {
				return true
			}
		}
	}
	for a := range all[*Actor](w) {
		if slices.ContainsFunc(a.Talk, func(t Talk) bool { return has(t.When) }) {
			return true
		}
	}
	return false
}
