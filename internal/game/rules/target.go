package rules

import (
	"context"

	"hob/internal/game/world"
)

// Run runs a call of a tool.
type Run func(ctx context.Context, s *Step, a Args) *Done

// OnActor runs a tool on the actor whom an argument names. It refuses the id of nobody with the
// text of the key unknown.
func OnActor(arg, unknown string, run func(s *Step, a Args, actor *world.Actor) *Done) Run {
	return func(_ context.Context, s *Step, a Args) *Done {
		actor := s.World.Actor(a.Text(arg))
		if actor == nil {
			return Not(EntityNotFound, unknown, a.Text(arg))
		}
		return run(s, a, actor)
	}
}

// OnThing is [OnActor] for an object.
func OnThing(arg, unknown string, run func(s *Step, a Args, t *world.Thing) *Done) Run {
	return func(_ context.Context, s *Step, a Args) *Done {
		t := s.World.Thing(a.Text(arg))
		if t == nil {
			return Not(EntityNotFound, unknown, a.Text(arg))
		}
		return run(s, a, t)
	}
}

// OnAnyActor is [OnActor] with the optional argument actor_id: without it the actor is who acts. It
// refuses a call in which nobody acts with the text of the key nobody.
func OnAnyActor(nobody, unknown string, run func(s *Step, a Args, actor *world.Actor) *Done) Run {
	return func(_ context.Context, s *Step, a Args) *Done {
		id := Called(a.Text("actor_id"), s.Actor)
		actor := s.World.Actor(id)
		switch {
		case id == "":
			return Not(InvalidArgs, nobody)
		case actor == nil:
			return Not(EntityNotFound, unknown, id)
		}
		return run(s, a, actor)
	}
}
