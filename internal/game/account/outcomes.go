package account

import (
	"slices"
	"strings"

	"hob/internal/game/rules"
	"hob/internal/game/spelling"
	"hob/internal/lists"
)

// outcome tells the result of a call, if no change tells it.
func (f *facts) outcome(o *rules.Outcome, r *rules.Result) {
	if !o.OK() {
		f.refusal(o)
		return
	}
	switch o.Call.Tool {
	case "skill_check":
		if r.Find != "" {
			f.search(o, r)
		} else if r.DC != nil {
			f.check(o.Call.Text("actor_id"), r)
		}
	case "attack":
		f.attack(o.Call.Text("attacker_id"), o.Call.Text("target_id"), r)
	case "opposed_check":
		f.opposed(r)
	case "roll_dice":
		if why := spelling.Line(o.Call.Text("reason"), 120); len(o.Result) > 0 {
			f.put(either(why == "", "roll", "roll.for"), number(r.Total), why)
		}
	case "oracle":
		f.put("oracle."+r.Answer, spelling.Line(o.Call.Text("question"), 200))
		if len(r.Twist) > 0 {
			f.put("oracle.twist", strings.Join(r.Twist, " / "))
		}
	case "encounter_start":
		names := lists.Map(r.Order, func(one struct{ Actor string }) string { return f.actorName(one.Actor) })
		f.put("fight.begin", strings.Join(names, f.words["list"]))
	case "encounter_end":
		f.put("fight.end")
	case "next_turn":
		f.put("round", number(r.Round))
	case "talk":
		if r.Check != nil && r.Check.Failed() {
			f.put("unsaid", f.actorName(o.Call.Text("npc_id")))
		}
	case "rest":
		f.put("rest." + o.Call.Text("kind"))
	}
}

// refusal tells that a call was refused. It says nothing of a tool that only reads, or if a failed check tells it.
func (f *facts) refusal(o *rules.Outcome) {
	if f.failedCheck(o) {
		return
	}
	if why := f.about(o); why != "" {
		f.put("refused.why", why)
	} else if o.Code == rules.RepeatIllegal {
		f.put("refused.again")
	} else if f.Book != nil && f.Book.Tool(o.Call.Tool) != nil && f.Book.Tool(o.Call.Tool).Class != rules.Reading {
		f.put("refused")
	}
}

// failedCheck reports whether a call was refused because its check was made in this turn and failed.
func (f *facts) failedCheck(o *rules.Outcome) bool {
	code := rules.Code(o.Detail())
	return (code == rules.CheckNeeded || code == rules.CheckSpent) && f.checked(func(c rules.Call) bool { return c.Text("act") == o.Call.Tool })
}

// stolen reports whether a check was for taking something.
func (f *facts) stolen(id string) bool {
	return f.checked(func(c rules.Call) bool { return c.Text("act") == "move_object" && c.Text("target") == id })
}

// checked reports whether this turn has a check that fits.
func (f *facts) checked(fits func(rules.Call) bool) bool {
	return slices.ContainsFunc(f.Outcomes, func(o rules.Outcome) bool { return o.OK() && o.Call.Tool == "skill_check" && fits(o.Call) })
}

// check tells a check. If it is told with the tale's words, only whether it succeeded.
func (f *facts) check(who string, r *rules.Result) {
	f.add("check", who, f.skill(r.Skill), number(r.Total), number(*r.DC), f.words["check."+r.Outcome])
	if s := f.last(); f.manner != plainly && f.you(who) {
		s.Key = either(r.Failed(), "check.fail", "check.success")
		s.Text = f.say(s.Key)
	}
}

func (f *facts) skill(name string) string {
	if word := f.words["skill."+name]; word != "" {
		return word
	}
	return spelling.Line(name, 40)
}

func (f *facts) attack(attacker, target string, r *rules.Result) {
	if r.ToHit == nil || !f.Seen[attacker] && !f.Seen[target] {
		return
	}
	key := either(r.Hit, "hit", "miss")
	if f.manner == summedUp {
		key = "combat"
	}
	f.add(key+either(f.you(target), ".me", ""), attacker, f.actorName(target), number(*r.ToHit), number(r.Defence))
	switch {
	case f.you(attacker):
		f.beat(target + either(r.Hit, ".hit", ".missed"))
	case f.you(target):
		f.beat(attacker + either(r.Hit, ".hits", ".misses"))
	}
}

func (f *facts) opposed(r *rules.Result) {
	one, two, ok := r.Sides()
	if !ok {
		return
	}
	if r.Winner == two.ID {
		one, two = two, one
	}
	f.put("opposed", f.actorName(one.ID), f.actorName(two.ID), number(one.Total), number(two.Total))
}

// search tells that somebody searched, for how long, and if nothing was found. What was found is told as a change.
func (f *facts) search(o *rules.Outcome, r *rules.Result) {
	what, who := "", o.Call.Text("actor_id")
	if t := f.After.Thing(r.Find); t != nil {
		what = f.thingName(t)
	} else if f.After.Actor(r.Find) != nil {
		what = f.actorName(r.Find)
	}
	key := "search" + either(what != "", ".at", "") + either(r.Minutes == 0, ".timeless", "")
	f.add(key, who, what, f.skill(r.Skill), number(r.Total), number(r.Minutes))
	if len(r.Found) == 0 {
		f.add("find.nothing", who)
		if r.Earlier > 0 {
			f.put("find.harder")
		}
	}
}

// found tells what has been found and by whom: an object (kind ""), or a way ("way.") to a place.
func (f *facts) found(kind, id, name string) {
	for i := range f.results {
		if slices.Contains(f.results[i].Found, id) {
			f.add(kind+"find", f.Outcomes[i].Call.Text("actor_id"), name)
			return
		}
	}
	f.put(kind+"shows", name)
}
