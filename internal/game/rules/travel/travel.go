// Package travel has the tools by which people get about: move_player of seed 000, move of seed 002
// and move_to_zone of seed 003, which are one operation, and move_options and set_link.
//
// # Steps and trips
//
// A step (move_player, move) takes one way, a [world.Link] that leads from the place of an actor. A
// trip (move_to_zone) goes as far as it must. Between places in the open it is a straight line; to and
// from all others it follows the shortest ways.
//
// In the open are the places to which people walk across country ([world.Place.Overland]) and whose
// position hob did not lay out, and their sub zones, unless a door, a need or a secret bars a way to
// them. An actor in such a sub zone is in its zone, too, and may take a way that leads from the zone.
//
// # Doors
//
// A closed door bars steps and trips: somebody opens it first (set_link). A locked door bars them,
// too, except the step of an actor who carries its key: the step unlocks and opens it. The code of both
// is door_closed. A way may also need an object that the actor carries, or be blocked altogether. Trips
// do not find hidden ways; a step through one finds it.
//
// # Time
//
// A way takes the minutes that it states. Otherwise its length and the actor's speed count, and where
// its ends have no position it takes one minute. Lengths are seen from above between overland places,
// and in space everywhere else. The time passes in worlds with a clock, and each journey leaves a note
// of the kind "move".
package travel

import (
	"embed"
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

//go:embed words tools.json
var files embed.FS

// The codes of this family: with all of them the arguments do not fit the world.
const (
	doorClosed      rules.Code = "door_closed" // also a locked one
	needsObject     rules.Code = "needs_object"
	blockedWay      rules.Code = "blocked"
	tooFar          rules.Code = "too_far"
	wrongKey        rules.Code = "wrong_key"
	wouldDisconnect rules.Code = "would_disconnect"
)

// subZone is the type of a place that lies within a zone.
const subZone = "sub_zone"

// Family returns the tools and their words.
func Family() rules.Family {
	return rules.Family{
		Tools: []rules.Tool{
			{
				Name: "move_player", Gate: rules.Gate{Judge: judgeStep, Difficulty: rules.Winning},
				Run: rules.OnActor("player_id", "travel.no_actor", runMovePlayer),
			},
			{Name: "move", Gate: rules.Gate{Judge: judgeMove}, Run: runMove},
			{Name: "move_to_zone", Gate: rules.Gate{Judge: judgeJourney}, Run: runMoveToZone},
			{Name: "move_options", Run: rules.OnAnyActor("actor_none", "travel.no_actor", runMoveOptions)},
			{Name: "set_link", Gate: rules.Gate{Judge: judgeLink, Difficulty: breaking}, Run: runSetLink},
		},
		Files: files,
	}
}

// isOpen reports whether p lies in the open.
func isOpen(w *world.World, p *world.Place) bool {
	switch {
	case p.Pos == nil || p.Laid:
		return false
	case p.Overland:
		return true
	case p.Type != subZone:
		return false
	}
	if in := w.Place(p.Parent); in != nil && !in.Overland {
		return false
	}
	return !slices.ContainsFunc(w.Ins(p.ID), func(l *world.Link) bool { return l.Hidden || l.Needs != "" || isBarred(l) })
}

// isBarred reports whether nobody can take a way as it is.
func isBarred(l *world.Link) bool {
	return l.Blocked != "" || rules.Shut(l)
}

// enclosingZone returns the zone that somebody in the open is in together with the sub zone here,
// or nil.
func enclosingZone(w *world.World, here *world.Place) *world.Place {
	if here != nil && !here.Overland && isOpen(w, here) {
		return w.Place(here.Parent)
	}
	return nil
}

// isAt reports whether somebody is at a place already.
func isAt(w *world.World, a *world.Actor, place string) bool {
	if a.Place == place {
		return true
	}
	zone := enclosingZone(w, w.Place(a.Place))
	return zone != nil && zone.ID == place
}

// zoneID returns the id of the zone that a place lies in, which is the place itself where it lies
// in none.
func zoneID(w *world.World, place string) string {
	for p := range w.Around(place) {
		if p.Overland || p.Type == "zone" {
			return p.ID
		}
	}
	return place
}
