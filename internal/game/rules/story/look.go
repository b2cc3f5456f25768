package story

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// runLook runs the tool look. Its result is {"place","exits","actors","objects"} of a place, {"actor","objects"}
// of somebody, and {"object","contents"} of something.
func runLook(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	actor, place := viewpointOf(s)
	if place == nil {
		return rules.Refuse(rules.PlaceNotFound, "look.nowhere")
	}
	sight := SightFrom(s.World, place, actor.ID)
	target := a.Text("target_id")
	if target == "" || target == place.ID {
		return lookAround(s, sight)
	}
	if target == actor.ID {
		return lookAtActor(s, actor, VisibleInside(s.World, actor.ID, deepest))
	}
	for _, other := range sight.Actors {
		if other.ID == target {
			return lookAtActor(s, other, VisibleInside(s.World, other.ID, 1)) // what somebody holds is visible, what is in their bags is not
		}
	}
	if seen := FindVisible(s.World, sight, actor, target); seen != nil {
		return lookAtThing(*seen)
	}
	return rules.Refuse("not_visible", "look.unseen", target)
}

// FindVisible returns the object with an id if it can be seen: it lies here, or the viewer or somebody else here holds
// it.
func FindVisible(w *world.World, sight Sight, actor *world.Actor, id string) *VisibleThing {
	seen := findSeen(sight.Things, id)
	if seen == nil {
		seen = findSeen(VisibleInside(w, actor.ID, deepest), id)
	}
	for _, other := range sight.Actors {
		if seen == nil {
			seen = findSeen(VisibleInside(w, other.ID, 1), id)
		}
	}
	return seen
}

// lookAround shows a place.
func lookAround(s *rules.Step, sight Sight) *rules.Verdict {
	lines := describe(rules.NameOf(sight.Place), sight.Place.Attrs, sight.Place.Desc, sight.Place.Situation)
	var exits, zones, actors rules.Items
	for _, l := range sight.Exits {
		to := s.World.Place(l.To)
		exit := rules.NewObj().Text("to_area_id", l.To).Text("name", to.Name).Text("direction", l.Dir).Text("door", l.Door)
		exits.Add(exit, exitName(s, l, to))
	}
	lines = addLine(lines, s, "look.exits", exits.Lines)
	for i, z := range rules.Zones(s.World, rules.Viewpoint(s.World, s.Actor)) {
		if i == maxZones {
			break
		}
		zones.Add(rules.NewObj().Text("zone_id", z.ID).Text("name", z.Name).Int("metres", z.Metres),
			s.Say("look.zone", z.Place, z.Metres))
	}
	lines = addLine(lines, s, "look.zones", zones.Lines)
	for _, a := range sight.Actors {
		actors.Add(rules.NewObj().Text("id", a.ID).Text("name", a.Name).Text("state", rules.StateOf(a)), actorName(s, a))
	}
	lines = addLine(lines, s, "look.people", actors.Lines)
	lines = addLine(lines, s, "look.things", thingNames(sight.Things))
	result := rules.NewObj().Obj("place", rules.NewObj().Text("id", sight.Place.ID).Text("name", sight.Place.Name).
		Text("description", sight.Place.Desc).Text("situation", sight.Place.Situation)).
		Objs("exits", exits.Objs).Objs("actors", actors.Objs).Objs("objects", thingObjs(sight.Things)).Some("zones", zones.Objs)
	return rules.Accept(result, "look.text", strings.Join(lines, "\n"))
}

// describe returns a name, its description and its attributes, as lines.
func describe(name string, attrs map[string]string, texts ...string) []string {
	lines := []string{name}
	for _, text := range texts {
		if text != "" {
			lines = append(lines, text)
		}
	}
	return append(lines, attrLines(attrs)...)
}

func addLine(lines []string, s *rules.Step, key string, names []string) []string {
	if len(names) == 0 {
		return lines
	}
	return append(lines, s.Say(key, strings.Join(names, "; ")))
}

func exitName(s *rules.Step, l *world.Link, to *world.Place) string {
	name := rules.NameOf(to)
	if rules.HasDirectionName(l.Dir) {
		name = s.Say("dir."+l.Dir) + " — " + name
	}
	if rules.Shut(l) {
		name += " (" + s.Say("door."+l.Door) + ")"
	}
	return name
}

func actorName(s *rules.Step, a *world.Actor) string {
	name := rules.NameOf(a)
	if rules.CanAct(a) {
		return name
	}
	switch a.State {
	case world.Dying, world.Dead, world.Unconscious, world.Restrained:
		return name + " (" + s.Say("story.state."+a.State) + ")"
	}
	return name + " (" + a.State + ")"
}

func thingName(t *world.Thing) string {
	if t.Qty > 1 {
		return fmt.Sprintf("%s ×%d", rules.NameOf(t), t.Qty)
	}
	return rules.NameOf(t)
}

func thingNames(list []VisibleThing) (names []string) {
	for _, t := range list {
		name := thingName(t.Thing)
		if len(t.Inside) > 0 {
			name += " (" + strings.Join(thingNames(t.Inside), ", ") + ")"
		}
		names = append(names, name)
	}
	return names
}

func thingObjs(list []VisibleThing) []*rules.Obj {
	objs := make([]*rules.Obj, 0, len(list))
	for _, t := range list {
		o := rules.NewObj().Text("id", t.ID).Text("name", t.Name)
		if t.Qty > 1 {
			o.Int("qty", t.Qty)
		}
		objs = append(objs, o.Some("contents", thingObjs(t.Inside)))
	}
	return objs
}

// attrLines returns descriptive attributes as lines, in the order of their names.
func attrLines(attrs map[string]string) []string {
	return lists.Map(slices.Sorted(maps.Keys(attrs)), func(name string) string { return name + ": " + attrs[name] })
}

func lookAtActor(s *rules.Step, a *world.Actor, held []VisibleThing) *rules.Verdict {
	lines := addLine(describe(actorName(s, a), a.Attrs, a.Desc), s, "look.holds", thingNames(held))
	result := rules.NewObj().Obj("actor", rules.NewObj().Text("id", a.ID).Text("name", a.Name).Text("description", a.Desc).
		Text("state", rules.StateOf(a))).Objs("objects", thingObjs(held))
	return rules.Accept(result, "look.text", strings.Join(lines, "\n"))
}

func lookAtThing(t VisibleThing) *rules.Verdict {
	lines := describe(thingName(t.Thing), t.Attrs, t.Desc)
	if names := thingNames(t.Inside); len(names) > 0 {
		lines = append(lines, strings.Join(names, "; "))
	}
	result := rules.NewObj().Obj("object", rules.NewObj().Text("id", t.ID).Text("name", t.Name).Text("description", t.Desc).
		Flag("closed", t.Closed).Flag("locked", t.Locked)).Objs("contents", thingObjs(t.Inside))
	return rules.Accept(result, "look.text", strings.Join(lines, "\n"))
}
