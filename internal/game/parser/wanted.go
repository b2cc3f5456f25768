package parser

import (
	"slices"

	"hob/internal/game/world"
)

// showTo shows something to somebody: whoever waits for it is given it, and whoever does not is spoken to.
func (r *reader) showTo() (m Meaning, bad *refusal) {
	to, bad := r.whom(2)
	if bad != nil {
		return m, bad
	}
	e, bad := r.hand()
	if bad != nil || r.awaits(to.actor, e.id) || !r.options.Alone {
		return r.give()
	}
	r.slots[1] = r.slots[2]
	return r.talk(false)
}

// awaits reports whether somebody waits for something: what they say, or what a quest asks for, depends on their having it.
func (r *reader) awaits(a *world.Actor, thing string) bool {
	for i := range a.Talk {
		if asksFor(a.Talk[i].When, "in", thing, a.ID) {
			return true
		}
	}
	return slices.ContainsFunc(r.wanted(), func(when string) bool { return asksFor(when, "in", thing, a.ID) })
}

// kept reports whether something is still needed elsewhere, so that who gives it away for nothing cannot go on: nobody gives back
// what they were given.
func (r *reader) kept(to *world.Actor, thing string) bool {
	if !r.options.Alone || to.Role == "pc" || r.ours(to) || r.awaits(to, thing) {
		return false
	}
	return slices.ContainsFunc(r.wanted(), func(when string) bool {
		return asksFor(when, "in", thing, "") || asksFor(when, "has", thing, "")
	})
}

// wanted returns the conditions of all objectives of quests that are open.
func (r *reader) wanted() (list []string) {
	for _, q := range r.w.Quests() {
		if q.State == world.Done || q.State == world.Failed {
			continue
		}
		for _, o := range q.Objectives {
			if !slices.Contains(q.Met, o) {
				list = append(list, q.When[o])
			}
		}
	}
	return list
}

// asksFor reports whether a condition has a term of that kind on a thing, and, unless who is "", on whoever is to have it.
func asksFor(when, kind, thing, who string) bool {
	return slices.ContainsFunc(world.Condition(when).Terms(), func(t world.Term) bool {
		return !t.Not && len(t.Words) > 1 && t.Words[0] == kind && t.Words[1] == thing && (who == "" || len(t.Words) == 3 && t.Words[2] == who)
	})
}
