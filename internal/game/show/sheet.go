package show

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

const deepest = 6 // levels of objects in objects

// Sheet returns who an actor is and how they are: hit points, state, conditions with what is left of them, skills, and what they
// carry, in short. actor "" is the active one.
func Sheet(w *world.World, lang, actor string) string {
	t := speak(lang)
	a := eyes(w, actor)
	if a == nil {
		return t.say("nobody")
	}
	lines := []string{named(a.Name, a.ID)}
	add := func(text string) {
		if text != "" {
			lines = append(lines, text)
		}
	}
	add(clean(a.Desc, mostText))
	add(t.points(a))
	if state := stateWord(t.lang, a); state != "" {
		add(t.say("state", state))
	}
	if list := t.conditions(w, a); len(list) > 0 {
		add(t.say("conditions", t.list(list)))
	}
	if list := t.skills(a); len(list) > 0 {
		add(t.say("skills", t.list(list)))
	}
	lines = append(lines, t.traits(a.Attrs)...)
	if things := t.things(held(w, a, 1)); len(things) > 0 {
		add(t.say("carries", t.list(things)))
	}
	return strings.Join(lines, "\n")
}

// conditions returns an actor's conditions, each with how long it still holds.
func (t tongue) conditions(w *world.World, a *world.Actor) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(a.Conditions)) {
		left := ""
		if until := a.Conditions[name]; until > 0 {
			left = t.say("left", t.span(max(0, until-w.Self().Minute)))
		}
		list = append(list, t.noted(clean(name, mostName), left))
	}
	for _, name := range slices.Sorted(maps.Keys(a.Rounds)) {
		list = append(list, t.noted(clean(name, mostName), t.say("rounds", number(a.Rounds[name]))))
	}
	return list
}

// span returns a time in words: days and hours, or hours and minutes.
func (t tongue) span(minutes int64) string {
	days, hours, rest := minutes/1440, minutes/60%24, minutes%60
	var parts []string
	if days > 0 {
		parts = append(parts, t.say("days", number(days)))
	}
	if hours > 0 {
		parts = append(parts, t.say("hours", number(hours)))
	}
	if rest > 0 && days == 0 || minutes == 0 {
		parts = append(parts, t.say("minutes", number(rest)))
	}
	return strings.Join(parts, " ")
}

// skills returns an actor's numbers: those that everybody can have first.
func (t tongue) skills(a *world.Actor) (list []string) {
	usual := []string{"force", "finesse", "wits", "charm", "lore"}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(a.Stats)), func(name string) bool { return slices.Contains(usual, name) })
	for _, name := range append(usual, names...) {
		if n, ok := a.Stats[name]; ok {
			list = append(list, Skill(t.lang, name)+" "+signed(n))
		}
	}
	return list
}

// held returns what can be seen of what an actor has: of somebody who is not of the party not what is in their bags.
func held(w *world.World, a *world.Actor, levels int) []story.Seen {
	if !slices.Contains(w.Self().Party, a.ID) && a.ID != w.Self().Active {
		levels = 1
	}
	return story.Inside(w, a.ID, levels)
}

// Inventory returns what an actor carries and wears, and below each thing what is in it. actor "" is the active one.
func Inventory(w *world.World, lang, actor string) string {
	t := speak(lang)
	a := eyes(w, actor)
	if a == nil {
		return t.say("nobody")
	}
	list := held(w, a, deepest)
	if len(list) == 0 {
		return t.say("inventory.none", named(a.Name, a.ID))
	}
	return strings.Join(t.nested([]string{t.say("inventory", named(a.Name, a.ID))}, list, ""), "\n")
}

// nested adds things to lines, one on each, and what is in them further to the right.
func (t tongue) nested(lines []string, list []story.Seen, indent string) []string {
	for i, s := range list {
		if i == mostList {
			return append(lines, indent+"• "+t.say("more", strconv.Itoa(len(list)-i)))
		}
		lines = append(lines, indent+"• "+t.thing(s.Thing))
		lines = t.nested(lines, s.Inside, indent+"  ")
	}
	return lines
}

// Party returns who is of the party, where and how they are, and whose turn it is.
func Party(w *world.World, lang string) string {
	t := speak(lang)
	self, e := w.Self(), w.Encounter()
	var lines []string
	turn := self.Active
	if e != nil && e.Turn >= 0 && e.Turn < int64(len(e.Actors)) {
		turn = e.Actors[e.Turn]
	}
	for _, id := range self.Party {
		a := w.Actor(id)
		if a == nil {
			continue
		}
		mark := "• "
		if id == turn {
			mark = "▶ "
		}
		lines = append(lines, mark+t.member(w, a))
	}
	if len(lines) == 0 {
		return t.say("party.none")
	}
	lines = append([]string{t.say("party")}, lines...)
	if e != nil {
		var order []string
		for _, id := range e.Actors {
			if a := w.Actor(id); a != nil {
				order = append(order, named(a.Name, a.ID))
			}
		}
		lines = append(lines, t.say("round", number(e.Round), strings.Join(order, " → ")))
	}
	if a := w.Actor(turn); a != nil {
		lines = append(lines, t.say("turn", named(a.Name, a.ID)))
	}
	return strings.Join(lines, "\n")
}

// member says of one of the party where they are and how.
func (t tongue) member(w *world.World, a *world.Actor) string {
	place := ""
	if p := w.Place(a.Place); p != nil {
		place = named(p.Name, p.ID)
	}
	notes := append(filled(place, t.points(a), stateWord(t.lang, a)), t.conditions(w, a)...)
	if len(notes) == 0 {
		return named(a.Name, a.ID)
	}
	return t.say("trait", named(a.Name, a.ID), t.list(notes))
}
