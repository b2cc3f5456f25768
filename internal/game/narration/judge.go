package narration

import (
	"slices"

	"hob/internal/game/world"
)

// who is who does something in a sentence.
type who struct {
	sort whoSort
	ids  []string // of an actor: those who may be meant
}

type whoSort int

const (
	nobody  whoSort = iota
	player          // "you"
	actor           // somebody by name
	pronoun         // he, she, it, they
	other           // anything else
)

// any reports whether f holds of one of those who may be meant. Of a pronoun it may be anybody; "you" is who acts, or anybody of
// the party where nobody does.
func (c *checker) any(w who, f func(id string) bool) bool {
	switch w.sort {
	case player:
		if c.d.Actor == "" && slices.ContainsFunc(c.d.After.Self().Party, f) {
			return true
		}
		return f(c.d.heroID())
	case actor:
		return slices.ContainsFunc(w.ids, f)
	}
	return f("")
}

// took reports whether somebody came by one of some objects in this turn; by any, where ids is nil. "" is anybody.
func (c *checker) took(id string, ids []string) bool {
	fits := func(p passed) bool {
		return !p.gone && !p.less && (id == "" || p.to == id) && (p.from != p.to || p.made || p.more || p.into == "")
	}
	return c.anyThing(ids, fits)
}

// gave reports whether one of some objects left somebody, or was put somewhere, in this turn.
func (c *checker) gave(id string, ids []string) bool {
	fits := func(p passed) bool {
		return (id == "" || p.from == id) && (p.gone || p.less || p.from != p.to || p.into != "") || p.made && p.to != id
	}
	return c.anyThing(ids, fits)
}

func (c *checker) anyThing(ids []string, fits func(passed) bool) bool {
	if ids == nil {
		return slices.ContainsFunc(c.d.passed, fits)
	}
	return slices.ContainsFunc(ids, func(id string) bool { return c.d.with(id, fits) })
}

// has reports whether somebody has one of some objects, or had.
func (c *checker) has(id string, ids []string) bool {
	return slices.ContainsFunc(ids, func(thing string) bool {
		if id == "" {
			return c.d.seen[thing]
		}
		return c.d.After.Carries(id, thing) || c.d.Before.Carries(id, thing) || c.took(id, []string{thing})
	})
}

// harmed reports whether somebody lost hit points in this turn, or fell; "" is anybody.
func (c *checker) harmed(id string) bool {
	for _, h := range c.d.harms {
		if (id == "" || h.actor == id) && h.to < h.from {
			return true
		}
	}
	return c.fell(id)
}

// hurt reports whether somebody is hurt, or was.
func (c *checker) hurt(id string) bool {
	if c.harmed(id) {
		return true
	}
	for _, a := range c.d.After.Actors() {
		if (id == a.ID || id == "" && c.d.seen[a.ID]) && (a.HP.Known && a.HPMax.Known && a.HP.N < a.HPMax.N || a.State == world.Dying || dead(a)) {
			return true
		}
	}
	was := c.d.Before.Actor(id)
	return was != nil && was.HP.Known && was.HPMax.Known && was.HP.N < was.HPMax.N
}

// healed reports whether somebody gained hit points in this turn.
func (c *checker) healed(id string) bool {
	return slices.ContainsFunc(c.d.harms, func(h harm) bool { return (id == "" || h.actor == id) && h.to > h.from })
}

// fell reports whether somebody came to die in this turn.
func (c *checker) fell(id string) bool {
	if id != "" {
		return c.d.falls[id] == world.Dead || c.d.falls[id] == world.Dying
	}
	for _, state := range c.d.falls {
		if state == world.Dead || state == world.Dying {
			return true
		}
	}
	return slices.ContainsFunc(c.d.harms, func(h harm) bool { return h.to == 0 })
}

// down reports whether somebody is dead or dying, or has come to be.
func (c *checker) down(id string) bool {
	if id == "" {
		return c.fell("")
	}
	a := c.d.After.Actor(id)
	return a == nil || dead(a) || a.State == world.Dying || a.HP.Known && a.HP.N == 0 || c.fell(id)
}

// struck reports whether an attack hit somebody in this turn, or something harmed them.
func (c *checker) struck(id string) bool {
	for i := range c.d.Outcomes {
		o := &c.d.Outcomes[i]
		if o.OK() && o.Call.Tool == "attack" && c.d.results[i].Hit && (id == "" || text(o, "target_id") == id) {
			return true
		}
	}
	return c.harmed(id)
}

// went reports whether somebody's way in this turn led to or from one of some places, or they are there; anywhere, where there are
// none.
func (c *checker) went(id string, places []string) bool {
	if len(places) == 0 {
		return c.d.moved(id, "")
	}
	return slices.ContainsFunc(places, func(place string) bool {
		a := c.d.After.Actor(id)
		return c.d.moved(id, place) || a != nil && a.Place == place || id == "" && c.d.at(place)
	})
}

// still reports whether all who may be meant are dead, and were before this turn; gone, whether all of them are elsewhere.
func (c *checker) still(ids []string) (still, gone bool) {
	if len(ids) == 0 {
		return false, false
	}
	still, gone = true, true
	for _, id := range ids {
		a, was := c.d.After.Actor(id), c.d.Before.Actor(id)
		if a == nil {
			return false, false
		}
		lifeless := func(a *world.Actor) bool { return a != nil && (dead(a) || a.State == world.Unconscious) }
		still = still && lifeless(a) && lifeless(was)
		gone = gone && c.absent(a)
	}
	return still, gone
}
