package rules

import (
	"slices"
	"strings"

	"hob/internal/game/world"
)

// checkActor finds the acting actor and checks that they can act. Nil: they can.
func (t *Turn) checkActor(s *Step, tool *Tool, a *Args) *Verdict {
	self := t.World.Self()
	named := ""
	if a.Has("actor_id") {
		named = strings.TrimSpace(a.Text("actor_id"))
		if raw := a.Raw("actor_id"); raw[0] != '"' || named == "" {
			return Refuse(ArgsRejected, "arg_actor")
		}
		a.set("actor_id", world.AppendString(nil, named))
	}
	s.Actor = NameOrID(s.Actor, named)
	if named != "" && named != s.Actor {
		return Refuse(ActorMismatch, "actor_context_mismatch", named, s.Actor)
	}
	if s.Actor == "" {
		if tool.Unled {
			return nil
		}
		return Refuse(InvalidArgs, "actor_none")
	}
	actor := t.World.Actor(s.Actor)
	if actor == nil {
		return Refuse(EntityNotFound, "actor_not_found", s.Actor)
	}
	if len(self.Party) > 0 && !slices.Contains(self.Party, s.Actor) {
		return Refuse(InvalidArgs, "actor_no_party", s.Actor)
	}
	return checkState(actor, tool, *a)
}

// checkState checks the state of the acting actor (game.md, points settled, 2).
func checkState(actor *world.Actor, tool *Tool, a Args) *Verdict {
	switch actor.State {
	case "", world.Alive:
		return nil
	case world.Dying:
		if tool.Dying != nil && tool.Dying(actor.ID, a) {
			return nil
		}
	case world.Unconscious, world.Restrained, world.Dead:
	default:
		return Refuse(ActorInvalid, "invalid_actor_state", actor.ID, actor.State)
	}
	return Refuse(ActorRestricted, "actor_state_restricted", actor.ID, actor.State)
}
