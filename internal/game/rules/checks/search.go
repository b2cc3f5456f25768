package checks

import (
	"cmp"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// The rules of searching.
const (
	defaultDifficulty = 15 // the difficulty of what states none
	placeMinutes      = 10 // minutes that a place takes
	thingMinutes      = 5  // minutes that one thing takes, or a body
	repeatPenalty     = 3  // what each earlier search of the same costs
	maxRepeats        = 5  // earlier searches that are counted
)

// inFight is the code of what a fight leaves no time for.
const inFight rules.Code = "in_fight"

// search is a check with find: actor searches a place, an object or somebody who cannot help it. Its result is
// {"roll","total","skill","outcome","roll_no","find","found":[ids],"earlier","minutes"}; earlier is how often the same was searched
// before. One throw is held against the difficulty of each hidden thing and way there, and whatever it reaches comes to light;
// what is within 3 below is found as well, in twice the time.
//
// Where nothing is found the result, the words and the time are the same whether there is anything
// or not: no difficulty stands in it, the outcome is fail whatever fell, and no progress clock
// ticks but for the time that passes. Each further search of the same is 3 harder than the one
// before, whoever of the party it is; a natural 20 is one step better even then, and finds it.
func search(s *rules.Step, actor *world.Actor, skill string, bonus int64, a rules.Args) *rules.Verdict {
	if s.World.Encounter() != nil || s.World.Self().Mode == "combat" {
		return rules.Refuse(inFight, "skill_check.fight")
	}
	h, bad := findSearchTarget(s.World, actor, a.Text("find"))
	if bad != nil {
		return bad
	}
	edge, bad := checkHelp(s, actor, a)
	if bad != nil {
		return bad
	}
	if h.takes == thingMinutes { // whoever knows where to look looks better
		edge = map[string]string{"": "adv", "adv": "adv", "dis": ""}[edge]
	}
	self := *s.World.Self()
	bonus -= repeatPenalty * min(self.Searched[h.id], maxRepeats)
	t, err := s.RollD20(bonus, edge, skill)
	if err != nil {
		return refuseDice(err)
	}
	self.Searched = world.With(self.Searched, h.id, self.Searched[h.id]+1)
	s.Put(&self)
	outcome, found, names := h.revealFound(s, t)
	minutes := h.takes
	if outcome == rules.Partial {
		minutes *= 2
	}
	minutes = s.PassTime(minutes).Minutes
	result := rules.NewObj().Int("roll", t.Natural).Int("total", t.Total).Text("skill", skill).Text("outcome", outcome).
		Int("roll_no", t.Roll.No).Text("find", h.id).List("found", found).Int("earlier", self.Searched[h.id]-1).Int("minutes", minutes)
	args := []any{actor, h.name, skill, t.Total}
	if len(found) == 0 {
		return rules.Accept(result, "skill_check.nothing", args...)
	}
	return rules.Accept(result, "skill_check.found", append(args, s.Join("skill_check.list", names))...)
}

// searchTarget is a place, an object or a body that is searched, with everything hidden in it.
type searchTarget struct {
	w        *world.World
	id, name string
	takes    int64
	things   []*world.Thing
	ways     []*world.Link
}

// findSearchTarget returns what an actor can search under an id. It refuses an id of something
// elsewhere or hidden like an id of nothing, so that nobody learns of it by asking.
func findSearchTarget(w *world.World, actor *world.Actor, id string) (*searchTarget, *rules.Verdict) {
	h := &searchTarget{w: w, id: id, takes: thingMinutes}
	far := rules.Refuse("not_here", "skill_check.far", actor)
	if p := w.Place(id); p != nil {
		if p.ID != actor.Place {
			return nil, far
		}
		h.name, h.takes = rules.NameOf(p), placeMinutes
		h.addHidden(id, false)
		h.addHiddenWays(id, func(*world.Link) bool { return true })
		return h, nil
	}
	if who := w.Actor(id); who != nil {
		switch {
		case who.Place != actor.Place:
			return nil, far
		case rules.CanAct(who):
			return nil, rules.Refuse("not_helpless", "skill_check.alive", who)
		}
		h.name = rules.NameOf(who)
		h.addHidden(id, false)
		return h, nil
	}
	t := w.Thing(id)
	if t == nil || !h.canSee(t, actor) {
		return nil, far
	}
	h.name = rules.NameOf(t)
	h.addHidden(id, t.Closed || t.Locked)
	h.addHiddenWays(actor.Place, func(l *world.Link) bool { return l.DoorID == id })
	return h, nil
}

// canSee reports whether an actor sees an object: it has it, or it lies where it is, and nothing
// hides or encloses it.
func (h *searchTarget) canSee(t *world.Thing, actor *world.Actor) bool {
	for t != nil && !t.Hidden {
		if h.w.Actor(t.Parent) != nil || h.w.Place(t.Parent) != nil {
			return t.Parent == actor.ID || t.Parent == actor.Place
		}
		within := rules.Encloses(t.Rel)
		if t = h.w.Thing(t.Parent); t != nil && within && (t.Closed || t.Locked) {
			return false
		}
	}
	return false
}

// addHidden collects the hidden objects with a parent, and those in open objects there. Of a shut
// parent it takes only the objects on it and its parts. It leaves out the contents of hidden
// objects.
func (h *searchTarget) addHidden(parent string, shut bool) {
	for _, t := range h.w.Contents(parent) {
		switch {
		case shut && rules.Encloses(t.Rel):
		case t.Hidden:
			h.things = append(h.things, t)
		case h.w.Actor(t.ID) == nil && h.w.Place(t.ID) == nil:
			h.addHidden(t.ID, t.Closed || t.Locked)
		}
	}
}

// addHiddenWays collects the hidden ways out of a place that so accepts.
func (h *searchTarget) addHiddenWays(place string, so func(*world.Link) bool) {
	for _, l := range h.w.Outs(place) {
		if to := h.w.Place(l.To); to != nil && so(l) && (l.Hidden || rules.Secret(to)) {
			h.ways = append(h.ways, l)
		}
	}
}

// revealFound reveals everything that a roll reaches. It returns the best outcome, [rules.Fail] for
// none, with the ids and the names of the objects found and of the places to which the ways found
// lead.
func (h *searchTarget) revealFound(s *rules.Step, t rules.D20) (outcome string, found, names []string) {
	outcome = rules.Fail
	reaches := func(dc int64) bool {
		switch t.Against(cmp.Or(dc, defaultDifficulty)) {
		case rules.Crit, rules.Success:
			outcome = rules.Success
		case rules.Partial:
			if outcome == rules.Fail {
				outcome = rules.Partial
			}
		default:
			return false
		}
		return true
	}
	for _, is := range h.things {
		if reaches(is.Find) {
			rules.Change(s, is, func(next *world.Thing) { next.Hidden = false })
			found, names = append(found, is.ID), append(names, rules.NameOf(is))
		}
	}
	for _, l := range h.ways {
		if reaches(l.Find) {
			h.revealWay(s, l)
			to := s.World.Place(l.To)
			found, names = append(found, to.ID), append(names, s.Say("skill_check.way", to))
		}
	}
	return outcome, found, names
}

// revealWay makes a way known in both directions, and the place that it leads to.
func (h *searchTarget) revealWay(s *rules.Step, way *world.Link) {
	for _, l := range [...]*world.Link{way, s.World.Link(way.To, way.From)} {
		if l != nil && l.Hidden {
			rules.Change(s, l, func(next *world.Link) { next.Hidden = false })
		}
	}
	if to := s.World.Place(way.To); to.Secret {
		rules.Change(s, to, func(next *world.Place) { next.Secret = false })
	}
}
