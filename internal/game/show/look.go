package show

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"hob/internal/display"
	"hob/internal/game/chart"
	"hob/internal/game/rules"
	"hob/internal/game/rules/land"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// Look describes the place of an actor: name, description, exits with directions and doors, people
// and things. actor "" is the active one.
func Look(w *world.World, book *rules.Book, lang, actor string) string {
	t := languageOf(lang)
	a := rules.Viewpoint(w, actor)
	if a == nil {
		return t.Text("nobody")
	}
	sight := story.SightFrom(w, w.Place(a.Place), a.ID)
	if sight.Place == nil {
		return t.Text("nowhere", displayName(a.Name, a.ID))
	}
	p := sight.Place
	if p.IsPage() {
		return display.Name(p.Desc, mostText)
	}
	lines := append(lists.NonEmpty(displayName(p.Name, p.ID), display.Name(p.Desc, mostText), display.Name(p.Situation, mostText)), t.traits(p.Attrs)...)
	switch {
	case len(sight.Exits) > 0:
		lines = append(lines, t.Text("exits"))
	case len(rules.Zones(w, a)) == 0:
		lines = append(lines, t.Text("exits.none"))
	}
	for i, l := range sight.Exits {
		if i == mostList {
			lines = append(lines, "• "+t.Text("more", strconv.Itoa(len(sight.Exits)-i)))
			break
		}
		lines = append(lines, "• "+t.exit(w, book, l, a))
	}
	here := lists.Map(sight.Actors, func(other *world.Actor) string { return t.person(w, other) })
	groups := lists.NonEmpty(t.sayList("zones", t.zones(w, a)), t.sayList("here", here), t.sayList("things", t.things(sight.Things)))
	return strings.Join(append(lines, groups...), "\n")
}

// mostZones is the number of zones of the open world that are named, the nearest first.
const mostZones = 6

// zones returns the zones that the actor can walk to.
func (t language) zones(w *world.World, a *world.Actor) (names []string) {
	for i, z := range rules.Zones(w, a) {
		if i == mostZones {
			break
		}
		names = append(names, t.Text("zone", displayName(z.Name, z.ID), number(z.Metres)))
	}
	return names
}

// traits returns attributes as lines, in the order of their names.
func (t language) traits(attrs map[string]string) (lines []string) {
	names := slices.Sorted(maps.Keys(attrs))
	for _, name := range names[:min(len(names), mostList)] {
		if text := display.Name(attrs[name], mostItem); text != "" {
			lines = append(lines, t.Text("trait", display.Name(name, mostName), text))
		}
	}
	return lines
}

// exit describes a way: direction, destination and obstacles.
func (t language) exit(w *world.World, book *rules.Book, l *world.Link, a *world.Actor) string {
	to := w.Place(l.To)
	var door, bar string
	switch l.Door {
	case world.OpenDoor, world.ClosedDoor, world.LockedDoor:
		door = t.Text("door." + l.Door)
	}
	switch {
	case l.Blocked != "":
		bar = t.Text("blocked", display.Name(l.Blocked, mostItem))
	case l.Needs != "" && !w.Carries(a.ID, l.Needs):
		bar = t.Text("needs")
	}
	name := t.withNotes(displayName(to.Name, to.ID), door, bar)
	if rules.HasDirectionName(l.Dir) {
		return t.Text("way", book.Text(t.lang, rules.Sentence{Key: "dir." + l.Dir}), name)
	}
	return name
}

// person describes somebody who is there.
func (t language) person(w *world.World, a *world.Actor) string {
	feels, hp := "", ""
	if !rules.InParty(w, a.ID) && rules.CanAct(a) {
		switch {
		case a.Attitude <= -2:
			feels = t.Text("attitude.hostile")
		case a.Attitude < 0:
			feels = t.Text("attitude.wary")
		case a.Attitude > 0:
			feels = t.Text("attitude.friendly")
		}
	}
	if e := w.Encounter(); e != nil && slices.Contains(e.Actors, a.ID) {
		hp = t.points(a)
	}
	return t.withNotes(displayName(a.Name, a.ID), stateWord(t.lang, a), feels, hp)
}

// points returns an actor's hit points, "" if they are unknown.
func (t language) points(a *world.Actor) string {
	switch {
	case a.HP.Known && a.HPMax.Known:
		return t.Text("hp", a.HP.String()+"/"+a.HPMax.String())
	case a.HP.Known:
		return t.Text("hp", a.HP.String())
	}
	return ""
}

// thing describes an object without its contents.
func (t language) thing(o *world.Thing) string {
	name := displayName(o.Name, o.ID)
	if o.Qty > 1 {
		name += " ×" + number(o.Qty)
	}
	worn, shut := "", ""
	if o.Rel == world.Worn {
		worn = t.Text("worn")
	}
	switch {
	case o.Locked:
		shut = t.Text("locked")
	case o.Closed:
		shut = t.Text("closed")
	}
	return t.withNotes(name, worn, shut)
}

// things describes objects with their visible contents.
func (t language) things(list []story.VisibleThing) (names []string) {
	for _, s := range list {
		name := t.thing(s.Thing)
		if inner := t.things(s.Inside); len(inner) > 0 {
			if more := len(inner) - mostInner; more > 0 {
				inner = append(inner[:mostInner], t.Text("more", strconv.Itoa(more)))
			}
			name = t.withNotes(name, inner...)
		}
		names = append(names, name)
	}
	return names
}

// Map returns the map as text: the known places around an actor, or the open world if the actor is
// out there. A line has at most width columns of a terminal, where a Chinese letter takes two.
// actor "" is the active one.
func Map(w *world.World, lang, actor string, width int) string {
	t := languageOf(lang)
	v := land.View{Actor: actor}
	if a := rules.Viewpoint(w, actor); a != nil {
		place := w.Place(a.Place)
		v.Zones = place != nil && place.Overland
	}
	m := land.Picture(w, v)
	if len(m.Rooms) == 0 {
		return t.Text("map.none")
	}
	m.Lang = t.lang
	return strings.TrimRight(chart.Text(m, width), "\n")
}
