package show

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"hob/internal/display"
	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
	"hob/internal/lists"
)

const deepest = 6 // levels of objects in objects

// Sheet describes an actor: hit points, state, conditions, skills, and things in short. actor "" is
// the active one.
func Sheet(w *world.World, lang, actor string) string {
	t := languageOf(lang)
	a := rules.Viewpoint(w, actor)
	if a == nil {
		return t.Text("nobody")
	}
	state := stateWord(t.lang, a)
	if state != "" {
		state = t.Text("state", state)
	}
	lines := lists.NonEmpty(displayName(a.Name, a.ID), display.Name(a.Desc, mostText), t.points(a), state,
		t.sayList("conditions", t.conditions(w, a)), t.sayList("skills", t.skills(a)))
	lines = append(lines, t.traits(a.Attrs)...)
	return strings.Join(append(lines, lists.NonEmpty(t.sayList("carries", t.things(visibleThings(w, a, 1))))...), "\n")
}

// conditions returns an actor's conditions, each with the time left.
func (t language) conditions(w *world.World, a *world.Actor) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(a.Conditions)) {
		left := ""
		if until := a.Conditions[name]; until > 0 {
			left = t.Text("left", t.span(max(0, until-w.Self().Minute)))
		}
		list = append(list, t.withNotes(display.Name(name, mostName), left))
	}
	for _, name := range slices.Sorted(maps.Keys(a.Rounds)) {
		list = append(list, t.withNotes(display.Name(name, mostName), t.Text("rounds", number(a.Rounds[name]))))
	}
	return list
}

// span returns a time in words: days and hours, or hours and minutes.
func (t language) span(minutes int64) string {
	days, hours, rest := minutes/1440, minutes/60%24, minutes%60
	var parts []string
	if days > 0 {
		parts = append(parts, t.Text("days", number(days)))
	}
	if hours > 0 {
		parts = append(parts, t.Text("hours", number(hours)))
	}
	if rest > 0 && days == 0 || minutes == 0 {
		parts = append(parts, t.Text("minutes", number(rest)))
	}
	return strings.Join(parts, " ")
}

// skills returns an actor's numbers, the common skills first.
func (t language) skills(a *world.Actor) (list []string) {
	usual := rules.Skills()
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(a.Stats)), func(name string) bool { return slices.Contains(usual, name) })
	for _, name := range append(usual, names...) {
		if n, ok := a.Stats[name]; ok {
			list = append(list, Skill(t.lang, name)+" "+signed(n))
		}
	}
	return list
}

// visibleThings returns the visible things of an actor; the bags of somebody outside of the party
// stay closed.
func visibleThings(w *world.World, a *world.Actor, levels int) []story.VisibleThing {
	if !rules.InParty(w, a.ID) && a.ID != w.Self().Active {
		levels = 1
	}
	return story.VisibleInside(w, a.ID, levels)
}

// Inventory lists the things of an actor, each with its contents. actor "" is the active one.
func Inventory(w *world.World, lang, actor string) string {
	t := languageOf(lang)
	a := rules.Viewpoint(w, actor)
	if a == nil {
		return t.Text("nobody")
	}
	list := visibleThings(w, a, deepest)
	if len(list) == 0 {
		return t.Text("inventory.none", displayName(a.Name, a.ID))
	}
	return strings.Join(t.nest([]string{t.Text("inventory", displayName(a.Name, a.ID))}, list, ""), "\n")
}

// nest adds a line for each thing, and indented lines for its contents.
func (t language) nest(lines []string, list []story.VisibleThing, indent string) []string {
	for i, s := range list {
		if i == mostList {
			return append(lines, indent+"• "+t.Text("more", strconv.Itoa(len(list)-i)))
		}
		lines = append(lines, indent+"• "+t.thing(s.Thing))
		lines = t.nest(lines, s.Inside, indent+"  ")
	}
	return lines
}

// Party lists the members of the party with their places and states, and the turn order.
func Party(w *world.World, lang string) string {
	t := languageOf(lang)
	self, e := w.Self(), w.Encounter()
	var lines []string
	turn := self.Active
	if e != nil && e.Turn >= 0 && e.Turn < int64(len(e.Actors)) {
		turn = e.Actors[e.Turn]
	}
	for _, a := range w.Party() {
		mark := "• "
		if a.ID == turn {
			mark = "▶ "
		}
		lines = append(lines, mark+t.member(w, a))
	}
	if len(lines) == 0 {
		return t.Text("party.none")
	}
	lines = append([]string{t.Text("party")}, lines...)
	if e != nil {
		var order []string
		for _, id := range e.Actors {
			if a := w.Actor(id); a != nil {
				order = append(order, displayName(a.Name, a.ID))
			}
		}
		lines = append(lines, t.Text("round", number(e.Round), strings.Join(order, " → ")))
	}
	if a := w.Actor(turn); a != nil {
		lines = append(lines, t.Text("turn", displayName(a.Name, a.ID)))
	}
	return strings.Join(lines, "\n")
}

// member returns the line of a member of the party.
func (t language) member(w *world.World, a *world.Actor) string {
	place := ""
	if p := w.Place(a.Place); p != nil {
		place = displayName(p.Name, p.ID)
	}
	notes := append(lists.NonEmpty(place, t.points(a), stateWord(t.lang, a)), t.conditions(w, a)...)
	if len(notes) == 0 {
		return displayName(a.Name, a.ID)
	}
	return t.Text("trait", displayName(a.Name, a.ID), t.list(notes))
}
