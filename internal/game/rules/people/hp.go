package people

import (
	"context"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// healsSelf lets the dying heal themselves.
func healsSelf(actor string, a rules.Args) bool {
	return a.Int("delta", 0) > 0 && strings.TrimSpace(a.Text("target_character_id")) == actor
}

// runHpDelta runs the tool hp_delta of seed 002. Its result is {"new_hp"}, with "state" where the call changed
// it. Who has never had hit points begins with the maximum, where there is one; who has none cannot
// lose or gain any.
func runHpDelta(s *rules.Step, a rules.Args, target *world.Actor) *rules.Verdict {
	delta, cause := a.Int("delta", 0), strings.TrimSpace(a.Text("cause"))
	if target.State == world.Dead && delta > 0 && s.World.Self().Rules[rules.Resurrection] == 0 {
		return rules.Refuse(targetDead, "hp_delta.dead", target)
	}
	if !target.HP.Known && !target.HPMax.Known {
		return rules.Refuse(noHitPoints, "hp_delta.none", target)
	}
	was := target.HP.Or(target.HPMax.N)
	next := s.ChangeHP(target, delta)
	result := rules.NewObj().Int("new_hp", next.HP.N)
	key := "hp_delta.changed"
	if next.State != target.State {
		result.Text("state", next.State)
		key = "hp_delta." + next.State
	}
	if cause != "" {
		key += "_why"
	}
	return rules.Accept(result, key, target, was, next.HP.N, cause)
}

// longRest is how many minutes a long rest takes.
const longRest = 8 * 60

// runRest runs the tool rest. Its result is
// {"minutes","actors":[{"actor_id","hp"?,"healed"?,"state"?}],"expired":[{"actor_id","condition"}],
// "ticked":[{"clock_id","by","full"}]}: how long it took, 0 in a world without a clock; the party,
// state where it changed; and what came of the time.
func runRest(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	self := s.World.Self()
	if s.World.Encounter() != nil || self.Mode == "combat" {
		return rules.Refuse(inFight, "rest.fight")
	}
	sleepers := self.Party
	if len(sleepers) == 0 && s.World.Actor(s.Actor) != nil {
		sleepers = []string{s.Actor}
	}
	if len(sleepers) == 0 {
		return rules.Refuse(rules.InvalidArgs, "rest.nobody")
	}
	kind, minutes := a.Text("kind"), int64(30)
	if kind == "long" {
		minutes = longRest
	}
	passed := s.PassTime(minutes) // before they recover: it changes actors, too
	actors := make([]*rules.Obj, 0, len(sleepers))
	words := make([]string, 0, len(sleepers))
	for _, id := range sleepers {
		o, word := recoverActor(s, id, kind == "long")
		if o != nil {
			actors = append(actors, o)
		}
		if word != "" {
			words = append(words, word)
		}
	}
	result := rules.NewObj().Int("minutes", passed.Minutes).Objs("actors", actors)
	if len(words) == 0 {
		return rules.Accept(passed.Add(result, "condition"), "rest."+kind+"_only")
	}
	return rules.Accept(passed.Add(result, "condition"), "rest."+kind, s.Join("people.list", words))
}

// recoverActor applies a rest to an actor. It returns the actor's result, and a sentence where hit
// points are known.
func recoverActor(s *rules.Step, id string, long bool) (*rules.Obj, string) {
	a := s.World.Actor(id)
	if a == nil {
		return nil, ""
	}
	next := *a
	if long {
		next = afterLongRest(a)
	} else if a.HP.Known && a.HPMax.Known && recoversQuickly(a.State) {
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

// recoversQuickly reports whether a short rest helps somebody in that state.
func recoversQuickly(state string) bool {
	return state == "" || state == world.Alive || state == world.Restrained
}

// afterLongRest returns an actor after a long rest.
func afterLongRest(a *world.Actor) world.Actor {
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
