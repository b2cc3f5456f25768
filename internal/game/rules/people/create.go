package people

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// runCreateCharacter runs the tool create_character. Its result is {"actor_id"}. Whoever is created is where the
// active actor is, joins the party, and acts if nobody did.
func runCreateCharacter(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	stats, wrong := readStats(a.Raw("stats"))
	if wrong != nil {
		return wrong
	}
	place := startPlace(s)
	if place == "" {
		return rules.Refuse(rules.InvalidArgs, "people.nowhere")
	}
	hp := world.Known(a.Int("hp_max", defaultHP))
	actor := &world.Actor{
		ID: s.NewID("pc"), Order: s.NewOrder(), Role: "pc", Name: a.Text("name"), Place: place, Owner: a.Text("user_id"),
		Desc: strings.TrimSpace(a.Text("concept")),
		HP:   hp, HPMax: hp, State: world.Alive, Stats: stats, Speed: world.Known(world.WalkingPace),
	}
	s.Put(actor)
	joinParty(s, actor.ID)
	return rules.Accept(rules.NewObj().Text("actor_id", actor.ID), "create_character.done", actor.Name, actor.ID,
		hp.N).With(actor.ID)
}

// runNpcCreate runs the tool npc_create. Its result is {"actor_id"}.
func runNpcCreate(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	place := a.Text("place_id")
	if place == "" {
		place = startPlace(s)
	} else if s.World.Place(place) == nil {
		return rules.Refuse(rules.PlaceNotFound, "people.no_place", place)
	}
	if place == "" {
		return rules.Refuse(rules.InvalidArgs, "people.nowhere")
	}
	stats, wrong := readStats(a.Raw("stats"))
	if wrong != nil {
		return wrong
	}
	actor := &world.Actor{
		ID: s.NewID("npc"), Order: s.NewOrder(), Role: cmp.Or(a.Text("role"), "npc"), Name: a.Text("name"), Place: place, State: world.Alive,
		Desc: strings.TrimSpace(a.Text("desc")), Wants: strings.TrimSpace(a.Text("wants")),
		Secret: strings.TrimSpace(a.Text("secret")), Stats: stats, Attitude: a.Int("attitude", 0),
	}
	if a.Has("hp_max") {
		actor.HP = world.Known(a.Int("hp_max", 0))
		actor.HPMax = actor.HP
	}
	s.Put(actor)
	return rules.Accept(rules.NewObj().Text("actor_id", actor.ID), "npc_create.done", actor.Name, actor.ID,
		rules.PlaceName(s.World, place)).With(actor.ID)
}

// startPlace returns the place of somebody new: the place of the active actor, or of the first of
// the party, or the first place that is no secret; "" where there is no place.
func startPlace(s *rules.Step) string {
	for _, id := range append([]string{s.Actor}, s.World.Self().Party...) {
		if a := s.World.Actor(id); a != nil && s.World.Place(a.Place) != nil {
			return a.Place
		}
	}
	for _, p := range s.World.Places() {
		if !p.Secret {
			return p.ID
		}
	}
	return ""
}

// readStats reads an object of whole numbers.
func readStats(raw json.RawMessage) (map[string]int64, *rules.Verdict) {
	if raw == nil {
		return nil, nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return nil, rules.Refuse(rules.InvalidArgs, "people.stats")
	}
	stats := make(map[string]int64, len(members))
	for _, given := range slices.Sorted(maps.Keys(members)) {
		n, err := strconv.ParseInt(string(members[given]), 10, 64)
		name := strings.TrimSpace(given)
		switch {
		case err != nil:
			return nil, rules.Refuse(rules.InvalidArgs, "people.stats")
		case name == "" || utf8.RuneCountInString(name) > maxName || n < -maxStat || n > maxStat:
			return nil, rules.Refuse(overLimit, "people.limit.stat")
		}
		stats[name] = n
	}
	if len(stats) > maxEach {
		return nil, rules.Refuse(overLimit, "people.limit.stats")
	}
	return stats, nil
}
