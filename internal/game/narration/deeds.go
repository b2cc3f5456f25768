package narration

import (
	"cmp"
	"slices"

	"hob/internal/game/account"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// away reports whether somebody who did not leave is said to be gone.
func (c *checker) away(_ int, s who) bool {
	return s.id != "" && !s.your && !s.far && !c.d.Moved(s.id, "")
}

// went holds that somebody went somewhere.
func (c *checker) went(i int, k class, s who) {
	if k&cWay == 0 || s.id == "" || s.your || s.far {
		return
	}
	if to := c.destination(i, s.id, c.d.Moved(s.id, "")); to > i {
		c.doubt(Move, c.between(i, to), "nobody went there")
	}
}

// attacks counts what somebody of whom a verb is said hit and missed; nobody is the hero.
func (c *checker) attacks(s who) (hits, misses int) { return c.d.Attacks(cmp.Or(s.id, c.d.HeroID())) }

func (c *checker) missed(i int, s who) bool {
	hits, _ := c.attacks(s)
	return hits > 0 && (s.id != "" || c.shot(i))
}

func (c *checker) hit(_ int, s who) bool {
	hits, misses := c.attacks(s)
	return misses > hits
}

// changed reports whether somebody's hit points rose, or fell.
func (c *checker) changed(id string, rose bool) bool {
	return slices.ContainsFunc(c.d.Harms, func(h account.Harm) bool { return h.Actor == id && h.To > h.From == rose })
}

// hurtable returns whom a verb at i may hurt or heal.
func (c *checker) hurtable(i int, s who) []string {
	if s.mild {
		return nil
	}
	return c.persons(i, s)
}

func (c *checker) healed(i int, s who) bool {
	people := c.hurtable(i, s)
	return len(people) > 0 && !slices.ContainsFunc(people, func(id string) bool { return c.changed(id, true) })
}

// treated reports whether somebody was hurt or healed. Whoever is healed may be in pain.
func (c *checker) treated(id string) bool { return c.changed(id, false) || c.changed(id, true) }

func (c *checker) wounded(i int, s who) bool {
	people := c.hurtable(i, s)
	near := c.lang != "zh" || len(c.persons(i, who{})) > 0 // else it may be said of whoever was hurt
	return len(people) > 0 && !c.toOther(i, s) && !c.treated(people[0]) && !c.d.IsThere(c.toks[i].word) && (near || !c.hurtAny())
}

// pained reports whether there is blood or pain where nobody was hurt.
func (c *checker) pained(i int, s who) bool {
	return !c.hurtAny() && !slices.ContainsFunc(c.persons(i, s), c.treated) && !c.d.IsThere(c.toks[i].stem)
}

// shot reports whether what is said at i is said of a weapon of the hero's, as in "your arrow misses".
func (c *checker) shot(i int) bool {
	before := c.toks[c.start(i, false):i]
	return !slices.ContainsFunc(before, func(t token) bool { return c.lex.lists.has("theirs", t) }) && slices.ContainsFunc(before, func(t token) bool {
		return t.class&cGoods != 0 || len(t.names) > 0 && t.names[0].kind == world.ThingKind
	})
}

// toOther reports whether what the hero does at i is done to something that nobody knows: "you graze the wall".
func (c *checker) toOther(i int, s who) bool {
	return s.id == c.d.HeroID() && !has(c.toks[i+1:c.end(i, false)], cYour) &&
		(c.lang == "en" && c.toks[i+1].class&cDet != 0 || c.lang == "ru" && c.toks[i].phrase == 0 && !spelling.HasEnd(c.toks[i].word, "сь", "ся"))
}

// died reports whether somebody who lives is said to die: whom a verb kills stands behind it, or is the last that was named; a beast or a
// boy without a name is somebody there.
func (c *checker) died(i int, s who) bool {
	id, people, k := s.id, c.persons(i, s), c.toks[i].class
	unnamed := has(c.toks[c.start(i, false):i], cPeople)
	switch {
	case len(people) > 0 && (k&cDead != 0 && len(c.toks[i+1].names) > 0 || k&cKill != 0 && people[0] != s.id): // the dead hound
		id = people[0]
	case k&cKill != 0 || id == "" && !unnamed && !s.other:
		id = c.last(i).id
	case s.other && slices.ContainsFunc(c.toks[i+1:c.end(i, false)], func(t token) bool { return c.lex.lists.has("theirs", t) }):
		id = c.last(i).id // "there is no breath in him"
	case s.your, s.other && !unnamed:
		return false
	}
	a := c.d.After.Actor(id)
	return unnamed && a == nil && !slices.ContainsFunc(c.d.After.Actors(), func(a *world.Actor) bool { return a.State == world.Dead }) ||
		a != nil && a.State != world.Dead && c.d.Falls[id] == "" && c.d.Seen[id]
}

// stuck reports whether what was opened is said to be shut.
func (c *checker) stuck(i int, _ who) bool {
	ways, boxes, doors := c.closable(i, true)
	opened := c.d.Unlocked()
	now := func(id string) bool { return slices.Contains(opened, id) }
	return len(opened) > 0 && !slices.ContainsFunc(boxes, c.d.Closed) && (len(doors) > 0 || slices.ContainsFunc(append(boxes, ways...), now))
}

// slammed reports whether something is said to be shut, and nothing was.
func (c *checker) slammed(i int, s who) bool {
	ways, boxes, doors := c.closable(i, true)
	return (len(boxes) > 0 || len(ways)+len(doors) > 0 && (s.id != "" && s.id != c.d.HeroID() || !c.d.Moved(c.d.HeroID(), ""))) && len(c.d.Shut()) == 0
}

// alive reports whether somebody who has died is said to live.
func (c *checker) alive(i int, s who) bool {
	return slices.ContainsFunc(c.persons(i, s), func(id string) bool { return c.d.Falls[id] == world.Dead })
}

// unhurt reports whether the hero is hurt and is said not to be.
func (c *checker) unhurt(i int, s who) bool {
	hero, people := c.d.HeroID(), c.persons(i, s)
	return (len(people) == 0 || people[0] == hero) &&
		slices.ContainsFunc(c.d.Harms, func(h account.Harm) bool { return h.Actor == hero && h.To < h.Most.Or(h.To) })
}

// openClosed reports whether a lid or a way that is closed is said to be open.
func (c *checker) openClosed(i int, _ who) bool {
	ways, boxes, _ := c.closable(i, c.lang != "zh")
	return slices.ContainsFunc(boxes, func(id string) bool { return c.d.Closed(id) && c.d.Seen[id] }) || c.d.ClosedTo(ways)
}

// opened reports whether a door, or something that can be opened and is not there, is said to be open, and nothing was opened.
func (c *checker) opened(i int, _ who) bool {
	_, boxes, doors := c.closable(i, c.lang != "zh")
	open, gate := c.d.Unlocked(), func(j int) bool { return c.lex.lists.has("gates", c.toks[j]) } // not of the box that was opened
	return len(open) > 0 && len(boxes) == 0 && slices.ContainsFunc(doors, gate) && !slices.ContainsFunc(open, func(id string) bool { return c.d.After.Thing(id) == nil }) && !c.d.Moved("", "") ||
		len(open) == 0 && (len(doors) > 0 && !c.d.Moved("", "") ||
			len(boxes) == 0 && slices.ContainsFunc(c.clause(i), func(t token) bool { return t.class&cChest != 0 && !c.d.IsThere(t.stem) }))
}

// hurtAny reports whether anybody was hurt in this turn.
func (c *checker) hurtAny() bool {
	return slices.ContainsFunc(c.d.Harms, func(h account.Harm) bool { return h.To < h.From })
}
