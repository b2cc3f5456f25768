package things

import (
	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// notContainer is the code of set_container for what nothing is or could be in.
const notContainer rules.Code = "no_container"

// runSetContainer opens, closes and locks what things can be in. With an actor, the actor does it; without one it happens.
func runSetContainer(s *rules.Step, a rules.Args, box *world.Thing) *rules.Verdict {
	if !box.Container && box.Capacity == 0 && len(s.World.Contents(box.ID)) == 0 {
		return rules.Refuse(notContainer, "set_container.none", box.Name)
	}
	next, state := *box, a.Text("state")
	if key := a.Text("key_id"); key != "" {
		if s.World.Thing(key) == nil {
			return rules.Refuse(rules.EntityNotFound, "set_container.unknown", key)
		}
		next.Lock = key
	}
	if id := a.Text("actor_id"); id != "" {
		actor := s.World.Actor(id)
		if actor == nil {
			return rules.Refuse(rules.EntityNotFound, "actor_not_found", id)
		}
		if !rules.CanAct(actor) {
			return rules.Refuse(rules.ActorRestricted, "actor_state_restricted", actor.Name, actor.State)
		}
	}
	next.Container = true
	next.Closed, next.Locked = state != world.OpenDoor, state == world.LockedDoor
	s.Put(&next)
	return rules.Accept(rules.NewObj().Text("object_id", box.ID).Text("state", state), "set_container."+state, box.Name)
}
