package people

import (
	"maps"
	"slices"
	"unicode/utf8"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// runCondition runs the tool condition. Its result is {"conditions":[{"name","minutes"?,"rounds"?}]}: all that
// the actor has, by name, with how many minutes or rounds are left of each; one with neither holds
// until it is removed. Adding one that is there sets anew how long it holds.
func runCondition(s *rules.Step, a rules.Args, actor *world.Actor) *rules.Verdict {
	name := a.Text("name")
	if a.Text("action") == "add" {
		return addCondition(s, actor, name, a)
	}
	_, timed := actor.Conditions[name]
	if _, counted := actor.Rounds[name]; !timed && !counted {
		return rules.Refuse(noCondition, "condition.none", name, actor)
	}
	next := withoutCondition(actor, name)
	s.Put(next)
	return rules.Accept(rules.NewObj().Objs("conditions", conditionObjs(s, next)), "condition.removed", name, actor)
}

// addCondition adds a condition.
func addCondition(s *rules.Step, actor *world.Actor, name string, a rules.Args) *rules.Verdict {
	self := s.World.Self()
	next := withoutCondition(actor, name)
	switch {
	case utf8.RuneCountInString(name) > maxName:
		return rules.Refuse(overLimit, "condition.long")
	case len(next.Conditions)+len(next.Rounds) >= maxEach:
		return rules.Refuse(overLimit, "condition.many", actor)
	case a.Has("minutes") && a.Has("rounds"):
		return rules.Refuse(rules.InvalidArgs, "condition.both")
	case a.Has("minutes") && !self.ClockSet:
		return rules.Refuse(noClock, "condition.no_clock")
	case a.Has("rounds") && s.World.Encounter() == nil:
		return rules.Refuse(notInFight, "condition.no_fight")
	}
	key, left := "condition.added", int64(0)
	switch {
	case a.Has("rounds"):
		n := a.Int("rounds", 1)
		next.Rounds = world.With(next.Rounds, name, n)
		key, left = "condition.added_rounds", n
	case a.Has("minutes"):
		n := a.Int("minutes", 1)
		next.Conditions = world.With(next.Conditions, name, self.Minute+n)
		key, left = "condition.added_minutes", n
	default:
		next.Conditions = world.With(next.Conditions, name, 0)
	}
	s.Put(next)
	return rules.Accept(rules.NewObj().Objs("conditions", conditionObjs(s, next)), key, name, actor, left)
}

// withoutCondition returns a copy of an actor that does not have a condition.
func withoutCondition(a *world.Actor, name string) *world.Actor {
	next := *a
	if _, ok := a.Conditions[name]; ok {
		next.Conditions = world.Without(a.Conditions, name)
	}
	if _, ok := a.Rounds[name]; ok {
		next.Rounds = world.Without(a.Rounds, name)
	}
	return &next
}

// conditionObjs lists an actor's conditions by name.
func conditionObjs(s *rules.Step, a *world.Actor) []*rules.Obj {
	names := slices.AppendSeq(slices.Collect(maps.Keys(a.Conditions)), maps.Keys(a.Rounds))
	slices.Sort(names)
	list := make([]*rules.Obj, 0, len(names))
	for _, name := range slices.Compact(names) {
		o := rules.NewObj().Text("name", name)
		if until := a.Conditions[name]; until > 0 {
			o.Int("minutes", max(0, until-s.World.Self().Minute))
		}
		list = append(list, o.Some("rounds", max(0, a.Rounds[name])))
	}
	return list
}
