package people

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// runGetPlayerState runs the tool get_player_state of seed 003. Its result is
//
//	{"ok":true,
//	 "player_static_data":{"player_id","name","move_speed_mph","attributes"?,"hp_max"?},
//	 "player_runtime_data":{"session_id","current_position":{"x","y","z","zone_id","sub_zone_id"?},
//	                        "hp"?,"character_state"?,"inventory"?}}
//
// with positions in metres, the speed in metres per hour, and inventory as counts by the ids of
// what the actor has in hand. What is marked by ? is there where it is known. A session in which
// there is nobody yet has the player who begins it.
func runGetPlayerState(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	actor, missing := findPlayer(s, a.Text("actor_id"))
	if missing != nil {
		return missing
	}
	fixed := rules.NewObj().Text("player_id", actor.ID).Text("name", actor.Name).
		Int("move_speed_mph", actor.Speed.Or(world.WalkingPace)).
		Some("attributes", attributesObj(actor)).Some("hp_max", actor.HPMax)
	now := rules.NewObj().Text("session_id", a.Text("session_id")).Obj("current_position", positionObj(s.World, actor)).
		Some("hp", actor.HP).Some("character_state", actor.State).Some("inventory", inventoryObj(s.World, actor))
	result := rules.NewObj().Flag("ok", true).Obj("player_static_data", fixed).Obj("player_runtime_data", now)
	if actor.Place == "" {
		return rules.Accept(result, "get_player_state.nowhere", actor)
	}
	return rules.Accept(result, "get_player_state.done", actor, rules.PlaceName(s.World, actor.Place))
}

// findPlayer finds whose state is asked for: the actor that is named, whoever acts, or the player
// of a session of seed 003.
func findPlayer(s *rules.Step, id string) (*world.Actor, *rules.Verdict) {
	const first = "player_001"
	id = cmp.Or(id, s.Actor)
	if id == "" {
		id = first
		if list := s.World.Actors(); len(list) == 0 {
			return &world.Actor{ID: first, Name: s.Say("get_player_state.player")}, nil
		}
	}
	return findActor(s.World, id)
}

// positionObj returns where an actor is. One of whom only the place is known stands in its middle;
// a place that is a sub zone lies in a zone. A place that has no id has that of its coordinates.
func positionObj(w *world.World, a *world.Actor) *rules.Obj {
	id, sub := a.Place, ""
	at := cmp.Or(a.Pos, cmp.Or(w.Place(a.Place), &world.Place{}).Pos, &world.Point{})
	for zone := range w.Around(a.Place) {
		if zone.Type != "sub_zone" || zone.Parent == "" {
			break
		}
		id, sub = zone.Parent, cmp.Or(sub, zone.ID)
	}
	if id == "" {
		id = fmt.Sprintf("zone_%d_%d_%d", at.X/1000, at.Y/1000, at.Z/1000)
	}
	return rules.NewObj().Metres("x", at.X).Metres("y", at.Y).Metres("z", at.Z).Text("zone_id", id).Some("sub_zone_id", sub)
}

// attributesObj returns an actor's prose, by name in order.
func attributesObj(a *world.Actor) *rules.Obj {
	o := rules.NewObj()
	for _, name := range slices.Sorted(maps.Keys(a.Attrs)) {
		o.Text(name, a.Attrs[name])
	}
	return o
}

// inventoryObj returns the counts of the visible objects that an actor has, by id.
func inventoryObj(w *world.World, a *world.Actor) *rules.Obj {
	o := rules.NewObj()
	for _, t := range w.Contents(a.ID) {
		if !t.Hidden {
			o.Int(t.ID, max(1, t.Qty))
		}
	}
	return o
}
