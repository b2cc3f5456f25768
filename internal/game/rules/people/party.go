package people

import (
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// runParty runs the tool party. Its result is {"party":[ids],"active_actor":id or null}.
func runParty(s *rules.Step, a rules.Args, actor *world.Actor) *rules.Verdict {
	in := rules.InParty(s.World, actor.ID)
	join := a.Text("action") == "join"
	switch {
	case join && in:
		return rules.AcceptNoting(alreadyInParty, partyResult(s), "party.already", actor)
	case join && actor.State == world.Dead:
		return rules.Refuse(targetDead, "party.dead", actor)
	case join:
		joinParty(s, actor.ID)
		return rules.Accept(partyResult(s), "party.joined", actor, joinActorNames(s, s.World.Self().Party))
	case !in:
		return rules.Refuse(notInParty, "party.not_in", actor)
	}
	leaveParty(s, actor.ID)
	if left := s.World.Self().Party; len(left) > 0 {
		return rules.Accept(partyResult(s), "party.left", actor, joinActorNames(s, left))
	}
	return rules.Accept(partyResult(s), "party.left_empty", actor)
}

// partyResult returns the party as a result.
func partyResult(s *rules.Step) *rules.Obj {
	self := s.World.Self()
	return rules.NewObj().List("party", self.Party).TextOrNull("active_actor", self.Active)
}

// joinParty puts an actor at the end of the party. A party of nobody has whoever acts in it first,
// so that who acts is always of the party; and who joins acts if nobody does.
func joinParty(s *rules.Step, id string) {
	now := *s.World.Self()
	if len(now.Party) == 0 && now.Active != "" && now.Active != id && s.World.Actor(now.Active) != nil {
		now.Party = []string{now.Active}
	}
	now.Party = world.Append(now.Party, id)
	if !slices.Contains(now.Party, now.Active) {
		now.Active = id
	}
	s.Put(&now)
}

// leaveParty removes an actor from the party. If it was the active one, the next in the party is
// active.
func leaveParty(s *rules.Step, id string) {
	now := *s.World.Self()
	at := slices.Index(now.Party, id)
	now.Party = world.Remove(now.Party, id)
	if now.Active == id {
		now.Active = ""
		if n := len(now.Party); n > 0 {
			now.Active = now.Party[at%n]
		}
	}
	s.Put(&now)
}

// runSetActiveActor runs the tool set_active_actor. Its result is {"active_actor"}.
func runSetActiveActor(s *rules.Step, a rules.Args, actor *world.Actor) *rules.Verdict {
	result := rules.NewObj().Text("active_actor", actor.ID)
	now := s.World.Self()
	if !slices.Contains(now.Party, actor.ID) {
		return rules.Refuse(notInParty, "party.not_in", actor)
	}
	if now.Active == actor.ID {
		return rules.AcceptNoting(alreadyActive, result, "set_active_actor.already", actor)
	}
	rules.Change(s, now, func(next *world.Self) { next.Active = actor.ID })
	return rules.Accept(result, "set_active_actor.done", actor)
}
