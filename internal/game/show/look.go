package show

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"hob/internal/game/chart"
	"hob/internal/game/rules"
	"hob/internal/game/rules/land"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

// Look returns where an actor is: what the place is called and looks like, the exits with their directions and doors, who is
// there, and what lies about. actor "" is the active one.
func Look(w *world.World, book *rules.Book, lang, actor string) string {
	t := speak(lang)
	a := eyes(w, actor)
	if a == nil {
		return t.say("nobody")
	}
	sight := story.From(w, w.Place(a.Place), a.ID)
	if sight.Place == nil {
		return t.say("nowhere", named(a.Name, a.ID))
	}
	lines := []string{named(sight.Place.Name, sight.Place.ID)}
	for _, text := range []string{sight.Place.Desc, sight.Place.Situation} {
		if text = clean(text, mostText); text != "" {
			lines = append(lines, text)
		}
	}
	lines = append(lines, t.traits(sight.Place.Attrs)...)
	switch {
	case len(sight.Exits) > 0:
		lines = append(lines, t.say("exits"))
	case len(rules.Zones(w, a)) == 0:
		lines = append(lines, t.say("exits.none"))
	}
	for i, l := range sight.Exits {
		if i == mostList {
			lines = append(lines, "• "+t.say("more", strconv.Itoa(len(sight.Exits)-i)))
			break
		}
		lines = append(lines, "• "+t.exit(w, book, l, a))
	}
	if zones := t.zones(w, a); len(zones) > 0 {
		lines = append(lines, t.say("zones", t.list(zones)))
	}
	var here []string
	for _, other := range sight.Actors {
		here = append(here, t.person(w, other))
	}
	if len(here) > 0 {
		lines = append(lines, t.say("here", t.list(here)))
	}
	if things := t.things(sight.Things); len(things) > 0 {
		lines = append(lines, t.say("things", t.list(things)))
	}
	return strings.Join(lines, "\n")
}

// mostZones is how many zones of the open world are named, the nearest.
const mostZones = 6

// zones names where the open world can be walked to.
func (t tongue) zones(w *world.World, a *world.Actor) (names []string) {
	for i, z := range rules.Zones(w, a) {
		if i == mostZones {
			break
		}
		names = append(names, t.say("zone", named(z.Name, z.ID), number(z.Metres)))
	}
	return names
}

// traits returns prose attributes as lines, in the order of their names.
func (t tongue) traits(attrs map[string]string) (lines []string) {
	names := slices.Sorted(maps.Keys(attrs))
	for _, name := range names[:min(len(names), mostList)] {
		if text := clean(attrs[name], mostItem); text != "" {
			lines = append(lines, t.say("trait", clean(name, mostName), text))
		}
	}
	return lines
}

// exit names a way: its direction, where it leads, and what keeps one from taking it.
func (t tongue) exit(w *world.World, book *rules.Book, l *world.Link, a *world.Actor) string {
	to := w.Place(l.To)
	var door, bar string
	switch l.Door {
	case world.OpenDoor, world.ClosedDoor, world.LockedDoor:
		door = t.say("door." + l.Door)
	}
	switch {
	case l.Blocked != "":
		bar = t.say("blocked", clean(l.Blocked, mostItem))
	case l.Needs != "" && !w.Carries(a.ID, l.Needs):
		bar = t.say("needs")
	}
	name := t.noted(named(to.Name, to.ID), door, bar)
	switch l.Dir {
	case "n", "ne", "e", "se", "s", "sw", "w", "nw", "u", "d":
		return t.say("way", book.Text(t.lang, rules.Say{Key: "dir." + l.Dir}), name)
	}
	return name
}

// person names somebody who is there.
func (t tongue) person(w *world.World, a *world.Actor) string {
	feels, hp := "", ""
	if !slices.Contains(w.Self().Party, a.ID) && rules.CanAct(a) {
		switch {
		case a.Attitude <= -2:
			feels = t.say("attitude.hostile")
		case a.Attitude < 0:
			feels = t.say("attitude.wary")
		case a.Attitude > 0:
			feels = t.say("attitude.friendly")
		}
	}
	if e := w.Encounter(); e != nil && slices.Contains(e.Actors, a.ID) {
		hp = t.points(a)
	}
	return t.noted(named(a.Name, a.ID), stateWord(t.lang, a), feels, hp)
}

// points returns an actor's hit points, "" where nobody knows them.
func (t tongue) points(a *world.Actor) string {
	switch {
	case a.HP.Known && a.HPMax.Known:
		return t.say("hp", a.HP.String()+"/"+a.HPMax.String())
	case a.HP.Known:
		return t.say("hp", a.HP.String())
	}
	return ""
}

// thing names an object without what is in it.
func (t tongue) thing(o *world.Thing) string {
	name := named(o.Name, o.ID)
	if o.Qty > 1 {
		name += " ×" + number(o.Qty)
	}
	worn, shut := "", ""
	if o.Rel == world.Worn {
		worn = t.say("worn")
	}
	switch {
	case o.Locked:
		shut = t.say("locked")
	case o.Closed:
		shut = t.say("closed")
	}
	return t.noted(name, worn, shut)
}

// things names objects, each with what can be seen in it.
func (t tongue) things(list []story.Seen) (names []string) {
	for _, s := range list {
		name := t.thing(s.Thing)
		if inner := t.things(s.Inside); len(inner) > 0 {
			if more := len(inner) - mostInner; more > 0 {
				inner = append(inner[:mostInner], t.say("more", strconv.Itoa(more)))
			}
			name = t.noted(name, inner...)
		}
		names = append(names, name)
	}
	return names
}

// Map returns what the party knows of the places around an actor, or of the open world where it is out there, in letters: no line
// takes more than width columns of a terminal, where a Chinese letter takes two. actor "" is the active one.
func Map(w *world.World, lang, actor string, width int) string {
	t := speak(lang)
	v := land.View{Actor: actor}
	if a := eyes(w, actor); a != nil {
		place := w.Place(a.Place)
		v.Zones = place != nil && place.Overland
	}
	m := land.Picture(w, v)
	if len(m.Rooms) == 0 {
		return t.say("map.none")
	}
	m.Lang = t.lang
	return strings.TrimRight(chart.Text(m, width), "\n")
}
