package rules

import (
	"context"

	"hob/internal/game/world"
)

// Run runs a call of a tool.
type Run func(ctx context.Context, s *Step, a Args) *Verdict

// OnActor runs a tool on the actor that an argument names. If there is no such actor it refuses with the text of the
// key unknown.
func OnActor(arg, unknown string, run func(s *Step, a Args, actor *world.Actor) *Verdict) Run {
	return on((*world.World).Actor, arg, unknown, run)
}

// OnThing is [OnActor] for an object.
func OnThing(arg, unknown string, run func(s *Step, a Args, t *world.Thing) *Verdict) Run {
	return on((*world.World).Thing, arg, unknown, run)
}

func on[T comparable](find func(*world.World, string) T, arg, unknown string, run func(s *Step, a Args, found T) *Verdict) Run {
	return func(_ context.Context, s *Step, a Args) *Verdict {
		var none T
		found := find(s.World, a.Text(arg))
		if found == none {
			return Refuse(EntityNotFound, unknown, a.Text(arg))
		}
		return run(s, a, found)
	}
}

// OnAnyActor is [OnActor] with the optional argument actor_id, which is the acting actor by default. If nobody acts it
// refuses with the text of the key nobody.
func OnAnyActor(nobody, unknown string, run func(s *Step, a Args, actor *world.Actor) *Verdict) Run {
	return func(_ context.Context, s *Step, a Args) *Verdict {
		id := NameOrID(a.Text("actor_id"), s.Actor)
		actor := s.World.Actor(id)
		switch {
		case id == "":
			return Refuse(InvalidArgs, nobody)
		case actor == nil:
			return Refuse(EntityNotFound, unknown, id)
		}
		return run(s, a, actor)
	}
}
