package people

import (
	"context"
	"strings"
	"unicode/utf8"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// runNpcUpdate runs the tool npc_update. Its result is {"npc":{"id","name","place_id","attitude","wants"?}}.
func runNpcUpdate(s *rules.Step, a rules.Args, npc *world.Actor) *rules.Verdict {
	if npc.Role == "pc" {
		return rules.Refuse(rules.InvalidArgs, "npc_update.player", npc)
	}
	if !a.Has("attitude_delta") && !a.Has("place_id") && !a.Has("wants") {
		return rules.Refuse(rules.InvalidArgs, "npc_update.nothing")
	}
	next := *npc
	next.Attitude = max(-3, min(3, npc.Attitude+max(-6, min(6, a.Int("attitude_delta", 0)))))
	if place := a.Text("place_id"); place != "" && place != npc.Place {
		if s.World.Place(place) == nil {
			return rules.Refuse(rules.PlaceNotFound, "people.no_place", place)
		}
		next.Place, next.Pos = place, nil
	}
	if wants := strings.TrimSpace(a.Text("wants")); wants != "" {
		next.Wants = wants
	}
	if next.Attitude != npc.Attitude || next.Place != npc.Place || next.Wants != npc.Wants {
		s.Put(&next)
	}
	o := rules.NewObj().Text("id", next.ID).Text("name", next.Name).Text("place_id", next.Place).
		Int("attitude", next.Attitude).Some("wants", next.Wants)
	return rules.Accept(rules.NewObj().Obj("npc", o), "npc_update.done", npc, next.Attitude,
		rules.PlaceName(s.World, next.Place))
}

// runNpcRemember runs the tool npc_remember. Its result is {"fact_id"}.
func runNpcRemember(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	text := strings.TrimSpace(a.Text("text"))
	if utf8.RuneCountInString(text) > maxText {
		return rules.Refuse(overLimit, "people.limit.text")
	}
	about := unique(a.List("about"))
	for _, id := range about {
		if !s.Known(id) {
			return rules.Refuse(rules.EntityNotFound, "npc_remember.no_subject", id)
		}
	}
	place := ""
	if actor := s.World.Actor(s.Actor); actor != nil {
		place = actor.Place
	}
	witnesses := unique(a.List("witnesses"))
	for _, id := range witnesses {
		if _, missing := findActor(s.World, id); missing != nil {
			return missing
		}
	}
	if len(witnesses) == 0 {
		witnesses = witnessesAt(s.World, place)
	}
	if len(witnesses) == 0 {
		return rules.Refuse(rules.InvalidArgs, "npc_remember.nobody")
	}
	fact := &world.Fact{
		ID: s.NewID("fact"), Order: s.NewOrder(), Text: text, Turn: s.Turn, Place: place, About: about,
		Witnesses: witnesses, Importance: a.Int("importance", 5),
	}
	s.Put(fact)
	return rules.Accept(rules.NewObj().Text("fact_id", fact.ID), "npc_remember.done", fact.ID, text, joinActorNames(s, witnesses))
}

// unique returns a list without blank and repeated strings.
func unique(list []string) []string {
	var out []string
	seen := make(map[string]bool, len(list))
	for _, id := range list {
		if id != "" && !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

// witnessesAt returns the actors at a place who can see what happens.
func witnessesAt(w *world.World, place string) []string {
	if place == "" {
		return nil
	}
	var list []string
	for _, a := range w.Occupants(place) {
		if a.State != world.Dead && a.State != world.Unconscious {
			list = append(list, a.ID)
		}
	}
	return list
}
