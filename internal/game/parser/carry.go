package parser

import (
	"slices"

	"hob/internal/game/world"
)

// carry takes a thing to a place, gives it to somebody, or puts it on a thing here: "take the letter to the miller".
func (r *reader) carry() (m Meaning, bad *refusal) {
	to := r.phrase(2)
	switch {
	case !r.options.NoModel || len(to) > mostName:
		return m, notPlain()
	case r.table.is("me", r.phrase(1)):
		r.slots[1] = r.slots[2]
		return r.goTo()
	}
	if e := r.beside(to); e != nil {
		return r.give()
	}
	called := func(e *entity) bool { return r.fitName(to, e.name) > noFit || r.findKnown(to) == nil } // the name of a place goes before a description
	if e, no := r.needWhere(2, called, near); no == nil {
		if e.holdsThings() {
			return r.put(world.In, nil)
		}
		return r.put(world.On, nil)
	}
	load, bad := r.load()
	if bad != nil {
		return m, bad
	}
	whom := r.findMet(to)
	for _, e := range load {
		if whom != nil && r.isNeededElsewhere(whom, e.id) {
			return m, r.refuse("keep", e.name, whom.Name)
		}
	}
	r.slots[1], r.forced[1] = r.slots[2], r.forced[2]
	way, bad := r.goTo()
	if bad != nil {
		return m, bad
	}
	if m, bad = r.along(load, way); bad == nil && whom != nil {
		given, no := r.moveTo(load, whom.ID, "", 0)
		m.Calls, bad = append(m.Calls, given.Calls...), no
	}
	return m, bad
}

// load returns the things that slot 1 names and that can be carried.
func (r *reader) load() ([]*entity, *refusal) {
	list, bad := r.list(nil, carried, near)
	for _, e := range list {
		if !loose(e.thing) {
			return nil, r.refuseAs([]string{e.id + ".no"}, "fixed", e.name)
		}
	}
	return list, bad
}

// along picks up the things of a load that lie about, and goes the way with it.
func (r *reader) along(load []*entity, way Meaning) (m Meaning, bad *refusal) {
	lying := slices.DeleteFunc(slices.Clone(load), func(e *entity) bool { return e.kind != near })
	m, bad = r.moveTo(lying, r.actor.ID, "", 0)
	m.Calls = append(m.Calls, way.Calls...)
	r.named = load[len(load)-1]
	return m, bad
}

// carryHome carries a thing to the place where the story began.
func (r *reader) carryHome() (m Meaning, bad *refusal) {
	load, bad := r.load()
	if bad != nil {
		return m, bad
	}
	way, bad := r.goHome()
	if bad != nil {
		return m, bad
	}
	return r.along(load, way)
}

// goInto goes to a place in a direction: "north into the yard". The direction counts only if the words name no place.
func (r *reader) goInto() (m Meaning, bad *refusal) {
	dir := r.table.which("dir.", r.phrase(3))
	if dir == "" {
		return m, notPlain()
	}
	if m, bad = r.goTo(); bad == nil || len(bad.many) > 0 {
		return m, bad
	}
	if _, no := r.need(1, way); no == nil { // a locked door
		return m, bad
	}
	return r.head(dir)
}

// nameExitsTowards answers a question about a direction with the exits.
func (r *reader) nameExitsTowards() (Meaning, *refusal) {
	if r.table.which("dir.", r.phrase(3)) == "" {
		return Meaning{}, notPlain()
	}
	return Meaning{}, r.nameExits("exits")
}

// leaveHere leaves the place that the slot names, if the actor is there. The next command may say where to.
func (r *reader) leaveHere() (Meaning, *refusal) {
	here := r.sight().place
	if here == nil || len(r.phrase(1)) > mostName || r.fitName(r.phrase(1), here.Name) <= beginning {
		return Meaning{}, notPlain()
	}
	if m, bad := r.leave(); bad == nil {
		return m, nil
	}
	return Meaning{}, r.nameExits("whither").settled()
}

// put puts a thing into or onto another one, or everything that the actor has and that fits.
func (r *reader) put(relation string, fits func(*entity) bool) (m Meaning, bad *refusal) {
	n := r.takeCount()
	to, bad := r.need(2, near|carried)
	if bad != nil {
		return m, bad
	}
	if fits != nil || r.table.is("all", r.phrase(1)) {
		switch {
		case relation == world.In && to.shut():
			return m, r.refuseShut(to)
		case relation == world.In && !to.holdsThings():
			return m, notPlain()
		}
		return r.moveAll(to.id, relation, func(e *entity) bool { return e.id != to.id && (fits == nil || fits(e)) })
	}
	e, bad := r.hand()
	switch {
	case bad != nil:
		return m, bad
	case e == to:
		return m, notPlain()
	case e.kind == near && e.thing.Parent == to.id:
		return m, r.refuse("there", e.name, to.name)
	case relation == world.In && to.shut():
		return m, r.refuseShut(to)
	case relation == world.In && !to.holdsThings():
		if !r.options.NoModel {
			return m, notPlain()
		}
		if e.kind != carried {
			r.guess = wild // nobody carries it as it is who does not have it
		}
		return m, r.refuseAs([]string{to.id + ".no"}, "unheld", to.name, e.name)
	}
	return r.moveTo([]*entity{e}, to.id, relation, n)
}
