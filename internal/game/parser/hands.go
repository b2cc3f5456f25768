package parser

import (
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
)

// take takes things, wherever they are, or from something.
func (r *reader) take(from bool) (m Meaning, bad *refusal) {
	fits := func(*entity) bool { return true }
	if from {
		fits, bad = r.inSource(2)
		if inside := fits; !r.table.is("all", r.phrase(1)) && r.isSurface(2) {
			fits, bad = func(e *entity) bool { return inside != nil && inside(e) || e.kind == near && e.depth == 0 }, nil
		}
		if bad != nil {
			return m, bad
		}
	}
	if r.table.is("all", r.phrase(1)) {
		return r.takeAll(fits, from)
	}
	n := r.takeCount()
	list, bad := r.list(fits, near|held, carried)
	if bad != nil {
		if has := r.findBest(r.phrase(1), nil, carried); from && r.options.NoModel && len(has) == 1 {
			return m, r.refuse("have", has[0].name)
		}
		return m, bad
	}
	for _, e := range list {
		switch line := r.scenery(r.phrase(1)); {
		case e.kind == carried && line != "" && !r.namesKind(r.phrase(1), e) && !fitsDescription(texts(r.withoutArticle(r.phrase(1))), r.firstWords(e)):
			return m, &refusal{text: line} // a pear-wood spoon is no pear; a salt herring is a fish
		case e.kind == carried && !(from && fits(e) && e.depth > 0):
			return m, r.already("have", e.name)
		case e.kind == held && rules.CanAct(e.actor):
			return m, r.refuseUnfit([]*entity{e}) // people keep what they hold
		case !loose(e.thing):
			return m, r.refuseAs([]string{e.id + ".no"}, "fixed", e.name)
		}
	}
	return r.moveTo(list, r.actor.ID, "", n)
}

// allBut does something with all things but those that slot 1 names.
func (r *reader) allBut(do func(fits func(*entity) bool) (Meaning, *refusal)) (m Meaning, bad *refusal) {
	but, bad := r.list(nil, near|held, carried)
	if bad != nil {
		return m, bad
	}
	return do(func(e *entity) bool { return !slices.Contains(but, e) })
}

// takeAllOf takes everything that fits.
func (r *reader) takeAllOf(fits func(*entity) bool) (Meaning, *refusal) {
	return r.takeAll(fits, false)
}

// takeAll takes everything that lies about or in open things, but not what a quest wants where it is. Behind a command
// about a container ("open the crate and take all") it takes what is in it.
func (r *reader) takeAll(fits func(*entity) bool, from bool) (m Meaning, bad *refusal) {
	within := r.last != nil && r.last.thing != nil && r.last.holdsThings()
	every := r.all(near, func(e *entity) bool {
		return fits(e) && !story.IsInPlace(r.w, e.thing) && (from || !within && !r.comesWith(e) || within && r.holds(r.last.id, e.thing))
	})
	switch len(every) {
	case 0:
		return m, r.already("empty")
	case 1:
		r.named = every[0] // "take all and look at it"
	}
	return r.moveTo(every, r.actor.ID, "", 0)
}

// comesWith reports whether a thing lies in another one that can be taken, and comes along with it.
func (r *reader) comesWith(e *entity) bool {
	box := r.w.Thing(e.thing.Parent)
	return box != nil && loose(box)
}

// inSource returns a filter for things in the container or with the person that a slot names.
func (r *reader) inSource(slot int) (func(*entity) bool, *refusal) {
	e, bad := r.box(), (*refusal)(nil)
	if r.isGiven(slot) {
		e, bad = r.need(slot, near|carried|person)
	}
	switch {
	case e == nil && bad == nil:
		return nil, notPlain()
	case bad != nil:
		return nil, bad
	case e.kind == person && rules.CanAct(e.actor) && !r.options.NoModel:
		return nil, notPlain()
	case e.shut():
		return nil, r.refuseShut(e)
	}
	return func(t *entity) bool { return t.thing != nil && r.holds(e.id, t.thing) }, nil
}

// isSurface reports whether slot 2 names a fixed thing or scenery on which other things may lie: "take the note from the
// oven".
func (r *reader) isSurface(slot int) bool {
	if !r.options.NoModel || len(r.phrase(slot)) == 0 || r.forced[slot] != nil {
		return false
	}
	e, bad := r.need(slot, near)
	return bad == nil && e.thing.Fixed || bad != nil && r.scenery(r.phrase(slot)) != ""
}

// box returns the thing that was named last and holds things, or nil: "look inside".
func (r *reader) box() *entity {
	if r.last != nil && r.last.holdsThings() {
		return r.last
	}
	return r.latest(slices.Collect(r.visible(near|carried, (*entity).holdsThings)))
}

// lookInside looks at the thing that was named last and holds things.
func (r *reader) lookInside() (Meaning, *refusal) {
	e := r.box()
	if e == nil && r.last != nil && r.last.thing != nil {
		e = r.last // an empty bag is looked at
	}
	if e == nil {
		return Meaning{}, notPlain()
	}
	return r.look(e)
}

// refuseShut answers that something is closed.
func (r *reader) refuseShut(e *entity) *refusal {
	if e.thing.Locked && (e.thing.Lock == "" || !r.w.Carries(r.actor.ID, e.thing.Lock)) {
		return r.refuseAs([]string{e.id + ".locked"}, "nokey", e.name)
	}
	return r.refuse("shut", e.name)
}

// moveTo moves things.
func (r *reader) moveTo(list []*entity, to, relation string, n int64) (m Meaning, bad *refusal) {
	for _, e := range list {
		args := rules.NewObj().Text("object_id", e.id).Text("target_id", to)
		if relation != "" {
			args.Text("relation", relation)
		}
		if n > 0 && len(list) == 1 && n != max(1, e.thing.Qty) {
			args.Int("qty", n)
		}
		if bad := r.call("move_object", args, &m); bad != nil {
			return Meaning{}, bad
		}
	}
	return m, nil
}

// drop puts things down.
func (r *reader) drop() (m Meaning, bad *refusal) {
	if r.sight().place == nil {
		return m, notPlain()
	}
	if r.table.is("all", r.phrase(1)) {
		return r.dropAll(func(*entity) bool { return true })
	}
	n := r.takeCount()
	list, bad := r.list(nil, carried)
	if bad != nil {
		return m, bad
	}
	return r.moveTo(list, r.actor.Place, "", n)
}

// dropAll puts down everything that fits.
func (r *reader) dropAll(fits func(*entity) bool) (Meaning, *refusal) {
	return r.moveAll(r.actor.Place, "", fits)
}

// moveAll moves everything that the actor has and does not wear, and that fits.
func (r *reader) moveAll(to, relation string, fits func(*entity) bool) (m Meaning, bad *refusal) {
	every := r.all(carried, func(e *entity) bool { return fits(e) && e.depth == 0 && e.thing.Rel != world.Worn })
	if len(every) == 0 {
		return m, r.refuse("bare")
	}
	return r.moveTo(every, to, relation, 0)
}

// hand returns the thing that slot 1 names, if the actor has it or can pick it up.
func (r *reader) hand() (*entity, *refusal) {
	e, bad := r.need(1, carried, near)
	if bad == nil && !loose(e.thing) {
		return nil, r.refuseAs([]string{e.id + ".no"}, "fixed", e.name)
	}
	return e, bad
}

// holdsThings reports whether a thing is known to hold things.
func (e *entity) holdsThings() bool {
	return e.thing != nil && (e.thing.Container || e.thing.Capacity > 0 || e.inside)
}

// shut reports whether something is closed.
func (e *entity) shut() bool { return e.thing != nil && (e.thing.Closed || e.thing.Locked) }

// give gives something to somebody, or several things.
func (r *reader) give() (m Meaning, bad *refusal) {
	n := r.takeCount()
	to, bad := r.whom(2)
	if bad != nil {
		return m, bad
	}
	list, bad := r.list(nil, carried, near)
	if bad != nil {
		return m, bad
	}
	for _, e := range list {
		switch {
		case !loose(e.thing):
			return m, r.refuseAs([]string{e.id + ".no"}, "fixed", e.name)
		case r.isNeededElsewhere(to.actor, e.id):
			return m, r.refuse("keep", e.name, to.name)
		}
	}
	if p := r.phrase(1); r.options.NoModel && len(list) == 1 && n == 0 && r.forced[1] == nil && r.namesPart(p, list[0]) && !r.isAwaited(to.actor, list[0].id) {
		m, bad = r.moveTo(list, to.id, "", 0) // "bandages" is not the whole bag
		label := r.text("hand", list[0].name, to.name)
		return Meaning{Problem: r.text("meant", label), Options: []Option{{Label: label, Calls: m.Calls}}}, bad
	}
	return r.moveTo(list, to.id, "", n)
}

// giveLast gives what was named last to the person that slot 2 names: "take the bell, give to Tam".
func (r *reader) giveLast() (Meaning, *refusal) {
	e := r.last
	if e == nil {
		e = r.latestThing(slices.Collect(r.visible(carried, nil)))
	}
	if _, bad := r.need(2, person); bad != nil || e == nil || e.thing == nil {
		return Meaning{}, notPlain()
	}
	r.forced[1] = e
	return r.give()
}

// namesPart reports whether tokens do not name a thing, but have a word of its description: "bandages" for a bag of them.
func (r *reader) namesPart(list []token, e *entity) bool {
	return !r.table.is("it", list) && len(r.findBest(list, nil, e.kind)) == 0 && slices.Contains(r.findAlias(list, nil, e.kind), e)
}

// wear puts something on.
func (r *reader) wear() (m Meaning, bad *refusal) {
	e, bad := r.hand()
	if bad != nil {
		return m, bad
	}
	if e.kind == carried && e.depth == 0 && e.thing.Rel == world.Worn {
		return m, r.refuse("worn", e.name)
	}
	return r.moveTo([]*entity{e}, r.actor.ID, world.Worn, 0)
}

// takeOff takes something off.
func (r *reader) takeOff() (m Meaning, bad *refusal) {
	e, bad := r.needWhere(1, func(e *entity) bool { return e.depth == 0 && e.thing.Rel == world.Worn }, carried)
	if bad != nil {
		if other, no := r.need(1, carried); no == nil {
			return m, r.refuse("notworn", other.name)
		}
		return m, bad
	}
	return r.moveTo([]*entity{e}, r.actor.ID, world.Held, 0)
}

// turn opens, closes or locks a door or a container.
func (r *reader) turn(state string) (m Meaning, bad *refusal) {
	e, bad := r.openable(1)
	if bad != nil {
		return m, bad
	}
	return r.turnEntity(e, state)
}

// openable returns the door or container that a slot names.
func (r *reader) openable(slot int) (*entity, *refusal) {
	if e := r.forced[slot]; e != nil {
		return e, nil
	}
	p := r.phrase(slot)
	if e := r.lockedThen(p); e != nil {
		r.named = e
		return e, nil
	}
	if some := r.findBest(p, nil, near|carried); len(some) == 1 && r.doorOf(some[0]) == nil && fit(texts(p), some[0].words()) == exactly {
		return r.need(slot, near|carried)
	}
	doors, meant := r.doors(p)
	if len(doors) == 1 {
		r.named = doors[0]
		return doors[0], nil
	} else if len(doors) > 1 {
		return nil, &refusal{many: doors, slot: slot}
	}
	e, bad := r.need(slot, near|carried, way)
	if bad != nil {
		if meant && len(bad.many) == 0 {
			r.guess = wild // the name may be of the key, and not of the place behind the door
			return nil, r.refuse("nodoor")
		}
		if here := r.sight().place; r.options.NoModel && here != nil && r.is(p, here.Name) {
			bad = r.refuse("here", here.Name)
		}
		return nil, bad
	}
	if door := r.doorOf(e); door != nil {
		return door, nil
	}
	return e, nil
}

// lockedThen returns the only locked way here for the word "it", if nothing that was named just before can be opened.
func (r *reader) lockedThen(p []token) *entity {
	if !r.options.NoModel || !r.table.is("it", p) || r.last != nil {
		return nil
	}
	if e := r.latest(slices.Collect(r.visible(near|carried, nil))); e != nil && e.holdsThings() {
		return nil
	}
	locked := slices.Collect(r.visible(way, func(e *entity) bool { return e.link.Door == world.LockedDoor }))
	if len(locked) != 1 {
		return nil
	}
	return locked[0]
}

// doorOf returns the way whose door a thing is, or nil.
func (r *reader) doorOf(e *entity) *entity {
	for _, w := range r.ways() {
		if e.thing != nil && w.link.DoorID == e.id {
			return w
		}
	}
	return nil
}

// turnEntity opens, closes or locks e.
func (r *reader) turnEntity(e *entity, state string) (m Meaning, bad *refusal) {
	name, now, key := r.lockOf(e)
	keyed := key != "" && r.w.Carries(r.actor.ID, key)
	switch {
	case now == world.NoDoor:
		return m, r.refuse("nodoor")
	case e.kind != way && !e.holdsThings() && now == world.OpenDoor:
		return m, r.already("nolid", e.name)
	case now == state && e.kind == way:
		return m, r.already("state."+state, e.name)
	case now == state:
		return m, r.already("already."+state, name)
	case now == world.LockedDoor && !keyed:
		return m, r.refuseLocked(e, name)
	case state == world.LockedDoor && !keyed:
		return m, r.refuse("nolock", name)
	case e.kind == way:
		return r.oneCall("set_link", linkArgs(e.link, state))
	}
	return r.oneCall("set_container", rules.NewObj().Text("object_id", e.id).Text("state", state).Text("actor_id", r.actor.ID))
}

// lockOf returns the name, the state and the key of a door or container.
func (r *reader) lockOf(e *entity) (name, state, key string) {
	switch {
	case e.kind == way:
		return r.doorName(e), e.link.Door, e.link.Lock
	case e.thing.Locked:
		state = world.LockedDoor
	case e.thing.Closed:
		state = world.ClosedDoor
	default:
		state = world.OpenDoor
	}
	return e.name, state, e.thing.Lock
}

// turnWithKey opens or locks something with a key.
func (r *reader) turnWithKey(state string) (m Meaning, bad *refusal) {
	e, bad := r.openable(2)
	if bad != nil {
		return m, bad
	}
	name, now, lock := r.lockOf(e)
	if _, bad := r.needWhere(1, func(k *entity) bool { return lock != "" && k.id == lock }, carried); bad == nil {
		r.named = e
		return r.turnEntity(e, state)
	}
	key, bad := r.need(1, carried)
	if bad != nil {
		return m, bad
	}
	if lock == "" && now != world.LockedDoor {
		if !r.options.NoModel {
			return m, notPlain()
		}
		return r.turnEntity(e, state)
	}
	return m, r.refuse("wrongkey", key.name, name)
}
