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
	sight := story.From(w, w.Place(a.Place), a.ID)
	if o := findSeen(w, sight, a, target); o != nil {
		lines := t.describe(t.thing(o.Thing), o.Desc, o.Attrs)
		return t.withThings(lines, "inside", o.Inside), true
	}
	for _, other := range append(sight.Actors, a) {
		if other.ID == target {
			deep := 1 // what somebody holds is seen, not what is in their bags
			if other == a {
				deep = mostDeep
			}
			return t.withThings(t.describe(t.person(w, other), other.Desc, other.Attrs), "carries", story.Inside(w, target, deep)), true
		}
	}
	return "", false
}

// mostDeep is the number of levels shown of the actor's own things.
const mostDeep = 6

// findSeen returns the object of an id if it lies about, the actor has it, or somebody here holds
// it.
func findSeen(w *world.World, sight story.Sight, a *world.Actor, id string) *story.Seen {
	lists := [][]story.Seen{sight.Things, story.Inside(w, a.ID, mostDeep)}
	for _, other := range sight.Actors {
		lists = append(lists, story.Inside(w, other.ID, 1))
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

// describe returns the lines of a name, a description and attributes.
func (t language) describe(name, desc string, attrs map[string]string) []string {
	lines := []string{name}
	if desc = clean(desc, mostText); desc != "" {
		lines = append(lines, desc)
	}
	return append(lines, t.traits(attrs)...)
}

// withThings adds a line of things.
func (t language) withThings(lines []string, key string, things []story.Seen) string {
	if names := t.things(things); len(names) > 0 {
		lines = append(lines, t.say(key, t.list(names)))
	}
	return strings.Join(lines, "\n")
}
