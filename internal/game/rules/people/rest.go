package people

import (
	"context"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// rest is rest. Its result is
// {"minutes","actors":[{"actor_id","hp"?,"healed"?,"state"?}],"expired":[{"actor_id","condition"}],
// "ticked":[{"clock_id","by","full"}]}: how long it took, 0 in a world without a clock; the party, state where it changed; and
// what came of the time.
func rest() rules.Tool {
	return rules.Tool{
		Name: "rest",
		Doc: "Lets the party rest: short is half an hour and gives back half of the hit points that are missing, long is " +
			"8 hours and gives back all. Not in a fight.",
		Params: []rules.Param{
			{Name: "kind", Type: rules.ID, Need: true, Enum: []string{"short", "long"}, Doc: "How long."},
		},
		Run: func(_ context.Context, s *rules.Step, a rules.Args) *rules.Done {
			self := s.World.Self()
			if s.World.Encounter() != nil || self.Mode == "combat" {
				return rules.Not(inFight, "rest.fight")
			}
			sleepers := self.Party
			if len(sleepers) == 0 && s.World.Actor(s.Actor) != nil {
				sleepers = []string{s.Actor}
			}
			if len(sleepers) == 0 {
				return rules.Not(rules.InvalidArgs, "rest.nobody")
			}
			kind, minutes := a.Text("kind"), int64(30)
			if kind == "long" {
				minutes = 8 * 60
			}
			passed := s.Pass(minutes) // before they recover: it changes actors, too
			actors := make([]*rules.Obj, 0, len(sleepers))
			words := make([]string, 0, len(sleepers))
			for _, id := range sleepers {
				o, word := restored(s, id, kind == "long")
				if o != nil {
					actors = append(actors, o)
				}
				if word != "" {
					words = append(words, word)
				}
			}
			result := rules.NewObj().Int("minutes", passed.Minutes).Objs("actors", actors)
			if len(words) == 0 {
				return rules.Did(passed.Add(result, "condition"), "rest."+kind+"_only")
			}
			return rules.Did(passed.Add(result, "condition"), "rest."+kind, s.Join("people.list", words))
		},
	}
}

// restored gives an actor back what a rest does, and returns how the actor is then, in words
// where there are hit points to tell of.
func restored(s *rules.Step, id string, long bool) (*rules.Obj, string) {
	a := s.World.Actor(id)
	if a == nil {
		return nil, ""
	}
	next := *a
	if long {
		next = awake(a)
	} else if a.HP.Known && a.HPMax.Known && mends(a.State) {
		next.HP.N = max(a.HP.N, a.HPMax.N-(a.HPMax.N-a.HP.N)/2)
	}
	if next.HP != a.HP || next.State != a.State {
		s.Put(&next)
	}
	o := rules.NewObj().Text("actor_id", id)
	if next.HP.Known {
		o.Int("hp", next.HP.N).Int("healed", next.HP.N-a.HP.N)
	}
	if next.State != a.State {
		o.Text("state", next.State)
	}
	switch {
	case a.State == world.Dead:
		return o, s.Say("rest.dead", a)
	case next.HP.Known && next.HPMax.Known:
		return o, s.Say("rest.of", a, next.HP, next.HPMax)
	case next.HP.Known:
		return o, s.Say("rest.hp", a, next.HP)
	}
	return o, ""
}

// mends reports whether a short rest helps somebody in that state.
func mends(state string) bool {
	return state == "" || state == world.Alive || state == world.Restrained
}

// awake returns an actor after a long rest.
func awake(a *world.Actor) world.Actor {
	next := *a
	if a.State == world.Dead {
		return next
	}
	if a.HPMax.Known {
		next.HP = world.Known(max(a.HP.N, a.HPMax.N))
	}
	if a.State == world.Dying || a.State == world.Unconscious {
		next.State = world.Alive
		if next.HP.Known && next.HP.N == 0 { // of whom the maximum is not known
			next.HP.N = 1
		}
	}
	return next
}
