// Package people has the tools about actors: hit points and conditions, who they are, what they know,
// and the party.
//
// # Hit points
//
// Only hp_delta changes hit points and states; create_character and npc_create set their start, and
// rest restores them. Words such as the attribute "health" are prose, and no tool reads them. Hit
// points stay from 0 to the actor's maximum, where that is known. With the rule hp_zero_ends_game an
// actor at 0 is dying, and a dying one above 0 is alive. The dead stay dead, with whatever hit points
// they have, unless the rule allow_resurrection is on.
//
// # Rest
//
// A short rest takes 30 minutes and gives each of the party half of the missing hit points, rounded
// up, but none to the dying. A long one takes 8 hours and gives all of them; the dying and the
// unconscious come to. The dead stay dead, the restrained restrained, and nobody rests in a fight.
//
// # Talk
//
// The tool talk asks an actor who has [world.Talk]. It finds a topic by its keys in the question, in
// any form of the words. A topic that may not be said yet gets the same answer as an unknown one. Some
// topics need a check. When somebody says a topic for the first time, it may reveal a fact and give
// away an object.
//
// # Memory
//
// Only its witnesses remember a fact. No tool shows the secrets of actors or secret facts, unless
// somebody who was asked reveals one: then it is no secret any more, and those of the party who are
// there become witnesses.
package people

import (
	"embed"

	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/lists"
)

//go:embed words tools.json
var files embed.FS

// The codes of this family: with all of them the arguments do not fit the world.
const (
	targetDead     rules.Code = "target_dead"
	noHitPoints    rules.Code = "no_hit_points"
	overLimit      rules.Code = "limit"
	notInParty     rules.Code = "not_in_party"
	alreadyInParty rules.Code = "already_in_party" // a notice
	alreadyActive  rules.Code = "already_active"   // a notice
	noCondition    rules.Code = "no_such_condition"
	noClock        rules.Code = "no_clock"
	inFight        rules.Code = "in_combat"
	notInFight     rules.Code = "not_in_combat"
)

// The bounds of what people are and know.
const (
	maxName   = 64  // runes of the name of a stat or a condition
	maxText   = 500 // runes of a fact
	maxEach   = 32  // stats and conditions of an actor
	maxStat   = 1000
	defaultHP = 10
)

// Family returns the tools and their words.
func Family() rules.Family {
	return rules.Family{
		Tools: []rules.Tool{
			{
				Name: "hp_delta", Dying: healsSelf, Gate: rules.Gate{Judge: judgeHP, Difficulty: tending},
				Run: rules.OnActor("target_character_id", "people.no_actor", runHpDelta),
			},
			{Name: "get_player_state", Run: runGetPlayerState},
			{Name: "create_character", Gate: rules.Gate{Judge: rules.Closed}, Run: runCreateCharacter},
			{Name: "npc_create", Gate: rules.Gate{Judge: judgeMeeting, Difficulty: rules.Finding}, Run: runNpcCreate},
			{
				Name: "npc_update", Gate: rules.Gate{Judge: judgeUpdate, Difficulty: rules.Winning},
				Run: rules.OnActor("npc_id", "people.no_actor", runNpcUpdate),
			},
			{Name: "npc_remember", Gate: rules.Gate{Judge: judgeMemory}, Run: runNpcRemember},
			{Name: "npc_recall", Run: rules.OnActor("npc_id", "people.no_actor", runNpcRecall)},
			{
				Name: "talk", Gate: rules.Gate{Judge: judgeTalk},
				Run: rules.OnAnyActor("people.nobody", "people.no_actor", runTalk),
			},
			{
				Name: "party", Gate: rules.Gate{Judge: judgeParty, Difficulty: joining},
				Run: rules.OnActor("actor_id", "people.no_actor", runParty),
			},
			{
				Name: "set_active_actor", Gate: rules.Gate{Judge: rules.Open},
				Run: rules.OnActor("actor_id", "people.no_actor", runSetActiveActor),
			},
			{
				Name: "condition", Gate: rules.Gate{Judge: judgeHere("actor_id")},
				Run: rules.OnActor("actor_id", "people.no_actor", runCondition),
			},
			{Name: "rest", Gate: rules.Gate{Judge: judgeRest}, Run: runRest},
			{Name: "sheet", Run: rules.OnAnyActor("people.nobody", "people.no_actor", runSheet)},
		},
		Files: files,
	}
}

// findActor finds an actor. A nil result means that there is one.
func findActor(w *world.World, id string) (*world.Actor, *rules.Verdict) {
	if a := w.Actor(id); a != nil {
		return a, nil
	}
	return nil, rules.Refuse(rules.EntityNotFound, "people.no_actor", id)
}

// joinActorNames lists actors by their names.
func joinActorNames(s *rules.Step, ids []string) string {
	names := lists.Map(ids, func(id string) string { return s.Say("people.name", rules.ActorName(s.World, id)) })
	return s.Join("people.list", names)
}
