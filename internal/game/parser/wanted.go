package parser

import (
	"slices"

	"hob/internal/game/world"
)

// showTo shows something to somebody: it gives it to somebody who waits for it, and talks to
// anybody else.
func (r *reader) showTo() (m Meaning, bad *refusal) {
	to, bad := r.whom(2)
	if bad != nil {
		return m, bad
	}
	e, bad := r.hand()
	if bad != nil || r.isAwaited(to.actor, e.id) || !r.options.Alone {
		return r.give()
	}
	r.slots[1] = r.slots[2]
	return r.talk(false)
}

// isAwaited reports whether somebody waits for something: one of their lines, or a quest, depends
// on their having it.
func (r *reader) isAwaited(a *world.Actor, thing string) bool {
	for i := range a.Talk {
		if asksFor(a.Talk[i].When, "in", thing, a.ID) {
			return true
		}
	}
	return slices.ContainsFunc(r.openConditions(), func(when string) bool { return asksFor(when, "in", thing, a.ID) })
}

// isNeededElsewhere reports whether a quest needs something that somebody would get for nothing:
// nobody gives things back.
func (r *reader) isNeededElsewhere(to *world.Actor, thing string) bool {
	if !r.options.Alone || to.Role == "pc" || r.isOurs(to) || r.isAwaited(to, thing) {
		return false
	}
	return slices.ContainsFunc(r.openConditions(), func(when string) bool {
		return asksFor(when, "in", thing, "") || asksFor(when, "has", thing, "")
	})
}

// openConditions returns the conditions of all open objectives.
func (r *reader) openConditions() (list []string) {
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

// asksFor reports whether a condition has a term of that kind on a thing, and, unless who is "", on
// its owner.
func asksFor(when, kind, thing, who string) bool {
	return slices.ContainsFunc(world.Condition(when).Terms(), func(t world.Term) bool {
		return !t.Not && len(t.Words) > 1 && t.Words[0] == kind && t.Words[1] == thing && (who == "" || len(t.Words) == 3 && t.Words[2] == who)
	})
}
