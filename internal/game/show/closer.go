package show

import (
	"strings"

	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

// Closer describes somebody or something that an actor sees or has: the name, the description, and
// the visible contents. actor "" is the active one. ok is false for something that the actor cannot
// see.
func Closer(w *world.World, lang, actor, target string) (text string, ok bool) {
	t := languageOf(lang)
	a := viewpoint(w, actor)
	if a == nil {
		return "", false
	}
	sight := story.SightFrom(w, w.Place(a.Place), a.ID)
	if o := findSeen(w, sight, a, target); o != nil {
		return t.describe(t.thing(o.Thing), o.Desc, o.Attrs, "inside", o.Inside), true
	}
	for _, other := range append(sight.Actors, a) {
		if other.ID == target {
			deep := 1 // what somebody holds is seen, not what is in their bags
			if other == a {
				deep = mostDeep
			}
			return t.describe(t.person(w, other), other.Desc, other.Attrs, "carries", story.VisibleInside(w, target, deep)), true
		}
	}
	return "", false
}

// mostDeep is the number of levels shown of the actor's own things.
const mostDeep = 6

// findSeen returns the object of an id if it lies about, the actor has it, or somebody here holds
// it.
func findSeen(w *world.World, sight story.Sight, a *world.Actor, id string) *story.VisibleThing {
	lists := [][]story.VisibleThing{sight.Things, story.VisibleInside(w, a.ID, mostDeep)}
	for _, other := range sight.Actors {
		lists = append(lists, story.VisibleInside(w, other.ID, 1))
	}
	for len(lists) > 0 {
		for i := range lists[0] {
			if lists[0][i].ID == id {
				return &lists[0][i]
			}
			lists = append(lists, lists[0][i].Inside)
		}
		lists = lists[1:]
	}
	return nil
}

// describe returns the text of a name, a description, attributes and things.
func (t language) describe(name, desc string, attrs map[string]string, key string, things []story.VisibleThing) string {
	lines := append(nonEmpty(name, clean(desc, mostText)), t.traits(attrs)...)
	return strings.Join(append(lines, nonEmpty(t.sayList(key, t.things(things)))...), "\n")
}
