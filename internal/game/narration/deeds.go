package narration

import (
	"slices"

	"hob/internal/game/account"
	"hob/internal/game/spelling"
	"hob/internal/game/world"
)

// went holds that somebody went somewhere.
func (c *checker) went(i int, k class, s who) {
	if s.id == "" || s.your || c.d.Falls[s.id] != "" {
		return
	}
	moved := c.d.Moved(s.id, "")
	if k&cAway != 0 && !moved {
		c.flag(Move, c.toks[i].span, "nobody went away")
	} else if to := c.destination(i, s.id, moved); to > i {
		c.flag(Move, c.between(i, to), "nobody went there")
	}
}

// hurt holds that somebody was hurt or healed, hit or missed.
func (c *checker) hurt(i int, k class, s who) {
	d, hero := c.d, c.d.HeroID()
	changed := func(won bool) func(string) bool {
		return func(id string) bool {
			return slices.ContainsFunc(d.Harms, func(h account.Harm) bool { return h.Actor == id && h.To > h.From == won })
		}
	}
	attacker := hero
	if s.id != "" {
		attacker = s.id
	}
	hits, misses := d.Attacks(attacker)
	people := c.persons(i, s)
	switch {
	case k&cMiss != 0 && hits > 0 && (s.id != "" || c.shot(i)):
		c.flag(Outcome, c.toks[i].span, "this hit")
	case k&cHit != 0 && misses > hits:
		c.flag(Outcome, c.toks[i].span, "this missed")
	case s.mild || len(people) == 0:
	case k&cHeal != 0 && !slices.ContainsFunc(people, changed(true)):
		c.flag(HP, c.toks[i].span, "nobody was healed")
	case k&cStrike != 0 && s.id != hero && has(c.toks[i+1:min(i+2, c.end(i, false))], cYou|cYour) && !changed(false)(hero),
		k&cHurt != 0 && !c.toOther(i, s) && !changed(false)(people[0]):
		c.flag(HP, c.toks[i].span, "nobody was hurt like this")
	}
}

// pained holds that there is blood or pain: where nobody was hurt, there is none.
func (c *checker) pained(i int, _ class, _ who) {
	if !slices.ContainsFunc(c.d.Harms, func(h account.Harm) bool { return h.To < h.From }) && !c.d.IsThere(c.toks[i].stem) {
		c.flag(HP, c.toks[i].span, "nobody was hurt")
	}
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

// died holds that somebody died: whom a verb kills stands behind it, or is the last that was named; a beast or a boy without a name is
// somebody there.
func (c *checker) died(i int, k class, s who) {
	id, people := s.id, c.persons(i, s)
	unnamed := has(c.toks[c.start(i, c.lang == "zh"):i], cPeople)
	switch {
	case k&cDead != 0 && len(c.toks[i+1].names) > 0, k&cKill != 0 && len(people) > 0 && people[0] != s.id: // the dead hound
		id = people[0]
	case k&cKill != 0 || id == "" && !unnamed && !s.other:
		id = c.last(i).id
	case s.your, s.other && c.lang != "zh" && !unnamed:
		return
	}
	a := c.d.After.Actor(id)
	if unnamed && a == nil && !slices.ContainsFunc(c.d.After.Actors(), func(a *world.Actor) bool { return a.State == world.Dead }) ||
		a != nil && a.State != world.Dead && c.d.Falls[id] == "" && c.d.Seen[id] {
		c.flag(Death, c.toks[i].span, "nobody died")
	}
}

// stuck holds that what was opened is shut.
func (c *checker) stuck(i int, _ class, _ who) {
	ways, boxes, doors := c.closable(i, true)
	opened := c.d.Unlocked()
	now := func(id string) bool { return slices.Contains(opened, id) }
	if len(opened) > 0 && !slices.ContainsFunc(boxes, c.d.Closed) && (len(doors) > 0 || slices.ContainsFunc(append(boxes, ways...), now)) {
		c.flag(State, c.toks[i].span, "this was opened in this turn")
	}
}

// slammed holds that something was shut.
func (c *checker) slammed(i int, _ class, _ who) {
	if ways, boxes, doors := c.closable(i, c.lang != "zh"); len(ways)+len(boxes)+len(doors) > 0 && len(c.d.Shut()) == 0 {
		c.flag(State, c.toks[i].span, "nothing was shut in this turn")
	}
}

// alive holds that somebody lives.
func (c *checker) alive(i int, _ class, s who) {
	if slices.ContainsFunc(c.persons(i, s), func(id string) bool { return c.d.Falls[id] == world.Dead }) {
		c.flag(Death, c.toks[i].span, "this one is dead")
	}
}

// unhurt holds that the hero is not hurt.
func (c *checker) unhurt(i int, _ class, s who) {
	hero, people := c.d.HeroID(), c.persons(i, s)
	if (len(people) == 0 || people[0] == hero) && slices.ContainsFunc(c.d.Harms, func(h account.Harm) bool { return h.Actor == hero && h.To < h.Most.Or(h.To) }) {
		c.flag(HP, c.toks[i].span, "you are hurt")
	}
}

// opened holds that a door, a lid or a lock is open.
func (c *checker) opened(i int, _ class, _ who) {
	d := c.d
	ways, boxes, doors := c.closable(i, c.lang != "zh")
	unlocked := len(d.Unlocked()) > 0
	switch {
	case slices.ContainsFunc(boxes, func(id string) bool { return d.Closed(id) && d.Seen[id] }):
		c.flag(State, c.toks[i].span, "this is closed")
	case d.ClosedTo(ways):
		c.flag(State, c.toks[i].span, "this way is closed")
	case !unlocked && (len(doors) > 0 && !d.Moved("", "") || len(boxes) == 0 && slices.ContainsFunc(c.clause(i), func(t token) bool { return t.class&cChest != 0 && !c.d.IsThere(t.stem) })):
		c.flag(State, c.toks[i].span, "nothing was opened in this turn")
	}
}
