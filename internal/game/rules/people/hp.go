package people

import (
	"context"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// hpDelta is hp_delta of seed 002. Its result is {"new_hp"}, with "state" where the call changed it. Who has never had hit
// points begins with the maximum, where there is one; who has none cannot lose or gain any.
func hpDelta() rules.Tool {
	return rules.Tool{
		Name: "hp_delta",
		Doc: "Changes the hit points of an actor: delta is negative for harm and positive for healing. At 0 an actor is dying. " +
			"The dying can do nothing but heal themselves.",
		Class: rules.Acting,
		Unled: true,
		Params: []rules.Param{
			{Name: "target_character_id", Type: rules.ID, Need: true, Doc: "Whose hit points."},
			{Name: "delta", Type: rules.Int, Need: true, Doc: "How many: -3 is harm, 3 is healing."},
			{Name: "cause", Type: rules.Any0, Need: true, Doc: "Why; it is told with it."},
		},
		Dying: func(actor string, a rules.Args) bool {
			return a.Int("delta", 0) > 0 && strings.TrimSpace(a.Text("target_character_id")) == actor
		},
		Run: func(_ context.Context, s *rules.Step, a rules.Args) *rules.Done {
			target, missing := actorOf(s.World, a.Text("target_character_id"))
			if missing != nil {
				return missing
			}
			return hurt(s, target, a.Int("delta", 0), strings.TrimSpace(a.Text("cause")))
		},
	}
}

// hurt changes an actor's hit points.
func hurt(s *rules.Step, target *world.Actor, delta int64, cause string) *rules.Done {
	if target.State == world.Dead && delta > 0 && s.World.Self().Rules[rules.Resurrection] == 0 {
		return rules.Not(targetDead, "hp_delta.dead", target)
	}
	if !target.HP.Known && !target.HPMax.Known {
		return rules.Not(noHitPoints, "hp_delta.none", target)
	}
	was := target.HP.Or(target.HPMax.N)
	next := s.Hurt(target, delta)
	result := rules.NewObj().Int("new_hp", next.HP.N)
	key := "hp_delta.changed"
	if next.State != target.State {
		result.Text("state", next.State)
		key = "hp_delta." + next.State
	}
	if cause != "" {
		key += "_why"
	}
	return rules.Did(result, key, target, was, next.HP.N, cause)
}
