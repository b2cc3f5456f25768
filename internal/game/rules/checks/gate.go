package checks

import (
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// The gates of this family: the engine says how hard something is and who is at odds, and nobody fights but who acts and their foes.

// judgeCheck prepares a check for an act: see [rules.Attempt.Plan]. Without an act nothing comes of a check, so anybody may roll one.
func judgeCheck(t *rules.Attempt, a rules.Args) *rules.Verdict {
	act, actor := a.Has("act"), a.Text("actor_id")
	if !act && !a.Has("find") {
		return nil
	}
	if !rules.InParty(t.World, actor) {
		return t.Unseen()
	}
	t.Ignore("advantage")
	if helper := a.Text("help"); helper != "" && !rules.InParty(t.World, helper) {
		t.Ignore("help")
	}
	if !act {
		return nil
	}
	if a.Has("find") {
		return rules.Refuse(rules.InvalidArgs, "gate.act_or_find")
	}
	return t.Plan(a.Text("act"), a.Text("target"), a.Text("skill"))
}

// judgeAttack lets who acts attack somebody who is not of the party, and a foe somebody of the party, each once a turn.
func judgeAttack(t *rules.Attempt, a rules.Args) *rules.Verdict {
	attacker, target := t.World.Actor(a.Text("attacker_id")), t.World.Actor(a.Text("target_id"))
	if attacker == nil || target == nil {
		return nil // the tool says so
	}
	t.Ignore("advantage")
	ours, theirs := rules.InParty(t.World, attacker.ID), rules.InParty(t.World, target.ID)
	if ours == theirs || !ours && !rules.Hostile(t.World, attacker) {
		return t.Never()
	}
	return t.Once(attacker, "attack")
}

// judgeFight lets a fight begin among those who are there.
func judgeFight(t *rules.Attempt, a rules.Args) *rules.Verdict {
	unseen := func(id string) bool { return t.World.Actor(id) != nil && !t.Sees(id) }
	if slices.ContainsFunc(a.List("participants"), unseen) {
		return t.Unseen()
	}
	t.Ignore("surprise")
	return nil
}

// foes returns those who fight the party where who acts is.
func foes(t *rules.Attempt) (all []*world.Actor) {
	e := t.World.Encounter()
	if e == nil {
		return nil
	}
	for _, id := range e.Actors {
		if a := t.World.Actor(id); a != nil && rules.CanAct(a) && a.Place == t.Actor.Place && !rules.InParty(t.World, id) && rules.Hostile(t.World, a) {
			all = append(all, a)
		}
	}
	return all
}

// parting is the difficulty of having a foe let go.
func parting(t *rules.Attempt, target string) (int64, *rules.Verdict) {
	i := slices.IndexFunc(foes(t), func(a *world.Actor) bool { return a.ID == target })
	if i < 0 {
		return 0, t.Unseen()
	}
	return rules.Swayed(foes(t)[i]), nil
}

// judgeEnd lets a fight end that nobody fights any more. With foes there it wants a check of one of them.
func judgeEnd(t *rules.Attempt, _ rules.Args) *rules.Verdict {
	if all := foes(t); len(all) > 0 {
		return t.Need(all[0].ID)
	}
	return nil
}
