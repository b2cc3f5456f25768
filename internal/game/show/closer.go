package show

import (
	"strings"

	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

// Closer returns what somebody or something looks like that an actor sees or has: what it is called, its description, and what is in
// it or with it, as far as that can be seen. actor "" is the active one. ok is false for what cannot be seen.
func Closer(w *world.World, lang, actor, target string) (text string, ok bool) {
	t := speak(lang)
	a := eyes(w, actor)
	if a == nil {
		return "", false
	}
	sight := story.From(w, w.Place(a.Place), a.ID)
	if o := seen(w, sight, a, target); o != nil {
		lines := t.told(t.thing(o.Thing), o.Desc, o.Attrs)
		return t.with(lines, "inside", o.Inside), true
	}
	for _, other := range append(sight.Actors, a) {
		if other.ID == target {
			deep := 1 // what somebody holds is seen, not what is in their bags
			if other == a {
				deep = mostDeep
			}
			return t.with(t.told(t.person(w, other), other.Desc, other.Attrs), "carries", story.Inside(w, target, deep)), true
		}
	}
	return "", false
}

// mostDeep is how deep things are looked at that an actor has with them.
const mostDeep = 6

// seen returns the object of that id, if it lies about, the actor has it, or somebody here holds it.
func seen(w *world.World, sight story.Sight, a *world.Actor, id string) *story.Seen {
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

// told returns the lines on what is called so.
func (t tongue) told(name, desc string, attrs map[string]string) []string {
	lines := []string{name}
	if desc = clean(desc, mostText); desc != "" {
		lines = append(lines, desc)
	}
	return append(lines, t.traits(attrs)...)
}

// with adds a line on things.
func (t tongue) with(lines []string, key string, things []story.Seen) string {
	if names := t.things(things); len(names) > 0 {
		lines = append(lines, t.say(key, t.list(names)))
	}
	return strings.Join(lines, "\n")
}
