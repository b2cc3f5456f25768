package people

import (
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// The gates of this family: nobody is healed, hurt, won over, brought along or made by a call alone.

// mostByCheck is how many hit points a check gives back or takes.
const mostByCheck = 4

// tending is the difficulty of tending somebody, or of coming out of something unhurt.
func tending(t *rules.Attempt, target string) (int64, *rules.Verdict) {
	if who := t.World.Actor(target); who == nil || !t.Sees(target) {
		return 0, t.Unseen()
	}
	return rules.Least, nil
}

// judgeHP lets a check that succeeded heal a little, and one that failed hurt somebody of the party a little, but not to death.
func judgeHP(t *rules.Attempt, a rules.Args) *rules.Verdict {
	target, delta := t.World.Actor(a.Text("target_character_id")), a.Int("delta", 0)
	switch {
	case target == nil || delta == 0:
		return nil
	case !t.Sees(target.ID):
		return t.Unseen()
	case delta > mostByCheck || delta < -mostByCheck:
		return rules.Refuse(rules.NotByCall, "gate.much", mostByCheck)
	case delta > 0:
		return t.Need(target.ID)
	case !rules.InParty(t.World, target.ID) || target.HP.Or(target.HPMax.N)+delta < 1:
		return rules.Refuse(rules.NotByCall, "gate.harm")
	}
	return t.NeedFailure(target.ID)
}

// judgeHere lets a call be about somebody who is in sight.
func judgeHere(arg string) func(*rules.Attempt, rules.Args) *rules.Verdict {
	return func(t *rules.Attempt, a rules.Args) *rules.Verdict {
		if id := a.Text(arg); t.World.Actor(id) != nil && !t.Sees(id) {
			return t.Unseen()
		}
		return nil
	}
}

// judgeRest lets the party rest once a turn where nobody hostile is. A long rest does not end the story.
func judgeRest(t *rules.Attempt, a rules.Args) *rules.Verdict {
	for _, foe := range t.World.Occupants(t.Actor.Place) {
		if rules.CanAct(foe) && rules.Hostile(t.World, foe) {
			return rules.Refuse(rules.NotByCall, "gate.rest", foe)
		}
	}
	if a.Text("kind") == "long" {
		return t.Wait(longRest, 0)
	}
	return t.Once(t.Actor, "wait")
}

// judgeMeeting lets a check bring in somebody who is neither friend nor foe.
func judgeMeeting(t *rules.Attempt, a rules.Args) *rules.Verdict {
	place := rules.NameOrID(a.Text("place_id"), t.Actor.Place)
	attitude := a.Int("attitude", 0)
	if a.Text("role") == "monster" || attitude <= -3 || attitude > 0 {
		return t.Never()
	}
	return t.Need(place)
}

// judgeUpdate lets a check win somebody over by a step. Nobody becomes an enemy, or is elsewhere, by a call.
func judgeUpdate(t *rules.Attempt, a rules.Args) *rules.Verdict {
	npc, delta := t.World.Actor(a.Text("npc_id")), a.Int("attitude_delta", 0)
	switch {
	case npc == nil:
		return nil
	case !t.Sees(npc.ID):
		return t.Unseen()
	case a.Has("place_id") || delta > 1:
		return t.Never()
	case delta > 0:
		return t.Need(npc.ID)
	}
	next := *npc
	next.Attitude = max(-3, npc.Attitude+delta)
	if rules.Hostile(t.World, &next) && !rules.Hostile(t.World, npc) {
		return t.Never()
	}
	return nil
}

// judgeMemory lets those remember who are there, and nothing that is hidden.
func judgeMemory(t *rules.Attempt, a rules.Args) *rules.Verdict {
	unseen := func(id string) bool { return t.World.Actor(id) != nil && !t.Sees(id) && !rules.InParty(t.World, id) }
	hidden := func(id string) bool {
		o, p, f := t.World.Thing(id), t.World.Place(id), t.World.Fact(id)
		return o != nil && o.Hidden || p != nil && rules.Secret(p) || f != nil && f.Secret
	}
	if slices.ContainsFunc(a.List("witnesses"), unseen) || slices.ContainsFunc(a.List("about"), hidden) {
		return t.Unseen()
	}
	return nil
}

// joining is the difficulty of having somebody come along. Who has words, a secret or something hidden has a part of their own in the
// story: only the tale may let them.
func joining(t *rules.Attempt, target string) (int64, *rules.Verdict) {
	dc, no := rules.Winning(t, target)
	if no != nil {
		return 0, no
	}
	who := t.World.Actor(target)
	hides := slices.ContainsFunc(t.World.Contents(target), func(o *world.Thing) bool { return o.Hidden })
	if len(who.Talk) > 0 || who.Secret != "" || hides || rules.Hostile(t.World, who) {
		return 0, t.Never()
	}
	return max(dc, rules.Uncertain), nil
}

// judgeParty lets companions come and go; who plays a hero is for the people to say.
func judgeParty(t *rules.Attempt, a rules.Args) *rules.Verdict {
	who := t.World.Actor(a.Text("actor_id"))
	switch {
	case who == nil:
		return nil
	case who.Role == "pc" || who.Owner != "":
		return t.Never()
	case a.Text("action") == "join" && !rules.InParty(t.World, who.ID):
		return t.Need(who.ID)
	}
	return nil
}

// judgeTalk lets a topic that nobody is told of be asked for by the player's own words alone, and one that takes a check once a
// turn.
func judgeTalk(t *rules.Attempt, a rules.Args) *rules.Verdict {
	npc, topic := t.World.Actor(a.Text("npc_id")), strings.TrimSpace(a.Text("topic"))
	if npc == nil || topic == "" || !t.Sees(npc.ID) {
		return nil // the tool says so
	}
	open := t.World.OpenTalk(npc)
	at := rules.FindTopic(npc.Talk, open, topic)
	if at < 0 {
		return nil
	}
	said := npc.Talk[at]
	if said.Topic == "" && t.Words != "" && rules.FindTopic(npc.Talk, []int{at}, t.Words) < 0 {
		return t.Unseen()
	}
	if said.Skill != "" && said.DC > 0 && !said.Said {
		return t.Once(t.Actor, "talk")
	}
	return nil
}
