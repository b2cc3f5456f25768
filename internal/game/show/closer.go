package show

import (
	"strings"

	"hob/internal/display"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// Closer describes somebody or something that an actor sees or has: the name, the description, and
// the visible contents. actor "" is the active one. ok is false for something that the actor cannot
// see.
func Closer(w *world.World, lang, actor, target string) (text string, ok bool) {
	t := languageOf(lang)
	a := rules.Viewpoint(w, actor)
	if a == nil {
		return "", false
	}
	sight := story.SightFrom(w, w.Place(a.Place), a.ID)
	if o := story.FindVisible(w, sight, a, target); o != nil {
		return t.describe(t.thing(o.Thing), o.Desc, o.Attrs, "inside", o.Inside), true
	}
	for _, other := range append(sight.Actors, a) {
		if other.ID == target {
			deep := 1 // what somebody holds is seen, not what is in their bags
			if other == a {
				deep = deepest
			}
			return t.describe(t.person(w, other), other.Desc, other.Attrs, "carries", story.VisibleInside(w, target, deep)), true
		}
	}
	return "", false
}

// describe returns the text of a name, a description, attributes and things.
func (t language) describe(name, desc string, attrs map[string]string, key string, things []story.VisibleThing) string {
	lines := append(lists.NonEmpty(name, display.Name(desc, mostText)), t.traits(attrs)...)
	return strings.Join(append(lines, lists.NonEmpty(t.sayList(key, t.things(things)))...), "\n")
}
