// Package checks has the tools that leave something to chance: dice, checks, fights and the oracle.
//
// The rules in short. An actor has skills, usually from -1 to 5: force, finesse, wits, charm and
// lore, and others that it has numbers for. A check is a twenty-sided die plus the skill against a
// difficulty that was chosen before: 5 trivial, 10 easy, 15 medium, 20 hard, 25 extreme. At the
// difficulty or above it succeeds, up to 3 below it succeeds at a cost, below that it fails. A natural
// 20 makes the result one step better, a natural 1 one step worse.
//
// An attack is a twenty-sided die plus force, or finesse with a weapon for it, against the target's
// defence: 10 plus its finesse unless it has another. A natural 20 hits with twice the dice, a natural
// 1 misses. Damage takes hit points (see [rules.Step.ChangeHP]) and kills an actor who is dying
// already. The dead leave the order of an encounter.
package checks

import (
	"embed"
	"maps"
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
	"hob/internal/lists"
)

//go:embed words tools.json
var files embed.FS

// Family returns the tools of this package with their words.
func Family() rules.Family {
	return rules.Family{
		Tools: []rules.Tool{
			{Name: "roll_dice", Gate: rules.Gate{Judge: rules.Open}, Run: runRollDice},
			{Name: "skill_check", Gate: rules.Gate{Judge: judgeCheck}, Run: onAble("actor_id", runSkillCheck)},
			{Name: "opposed_check", Gate: rules.Gate{Judge: rules.Open}, Run: onAble("actor_id", runOpposedCheck)},
			{Name: "attack", Gate: rules.Gate{Judge: judgeAttack}, Run: onAble("attacker_id", runAttack)},
			{Name: "oracle", Gate: rules.Gate{Judge: rules.Open}, Run: runOracle},
			{Name: "oracle_spark", Gate: rules.Gate{Judge: rules.Open}, Run: runOracleSpark},
			{Name: "encounter_start", Gate: rules.Gate{Judge: judgeFight}, Run: runEncounterStart},
			{Name: "next_turn", Gate: rules.Gate{Judge: rules.Open}, Run: runNextTurn},
			{Name: "encounter_end", Gate: rules.Gate{Judge: judgeEnd, Difficulty: parting}, Run: runEncounterEnd},
		},
		Files: files,
	}
}

// onAble runs a tool on the actor whom an argument names, who must be able to act.
func onAble(arg string, run func(s *rules.Step, a rules.Args, actor *world.Actor) *rules.Verdict) rules.Run {
	return rules.OnActor(arg, "actor_not_found", func(s *rules.Step, a rules.Args, actor *world.Actor) *rules.Verdict {
		if bad := checkAble(s, actor); bad != nil {
			return bad
		}
		return run(s, a, actor)
	})
}

// findAble returns an actor who is able to act, or refuses the call.
func findAble(s *rules.Step, id string) (*world.Actor, *rules.Verdict) {
	a := s.World.Actor(id)
	if a == nil {
		return nil, rules.Refuse(rules.EntityNotFound, "actor_not_found", id)
	}
	return a, checkAble(s, a)
}

// checkAble refuses a call of an actor who cannot act.
func checkAble(s *rules.Step, a *world.Actor) *rules.Verdict {
	if rules.CanAct(a) {
		return nil
	}
	code, key := rules.ActorRestricted, "checks.restricted"
	switch a.State {
	case world.Dying, world.Unconscious, world.Restrained, world.Dead:
	default:
		code, key = rules.ActorInvalid, "checks.state"
	}
	return rules.Refuse(code, key, a, stateName(s, a))
}

// stateName returns the word for an actor's state.
func stateName(s *rules.Step, a *world.Actor) string {
	switch a.State {
	case "", world.Alive, world.Dying, world.Unconscious, world.Restrained, world.Dead:
		return s.Say("state." + rules.StateOf(a))
	}
	return a.State
}

// refuseSkill refuses a check with a skill that an actor does not have, and says which there are.
func refuseSkill(a *world.Actor, skill string) *rules.Verdict {
	all := rules.Skills()
	for _, own := range slices.Sorted(maps.Keys(a.Stats)) {
		if !slices.Contains(all, own) {
			all = append(all, own)
		}
	}
	return rules.Refuse("no_such_skill", "skill_check.skill", a, skill, strings.Join(all, ", "))
}

// diceObjs returns dice as a result has them.
func diceObjs(r rules.Roll) []*rules.Obj {
	return lists.Map(r.Dice, func(d rules.Die) *rules.Obj {
		return rules.NewObj().Int("size", d.Size).Int("value", d.Value).Flag("kept", d.Kept)
	})
}

// refuseDice refuses a call whose own dice cannot be rolled: there are no dice, or the numbers of
// the world are absurd.
func refuseDice(err error) *rules.Verdict {
	return rules.Refuse(rules.Internal, "roll_dice.refused", err.Error())
}
