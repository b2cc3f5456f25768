package parser

import (
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// followDirection goes in a direction without a verb.
func (r *reader) followDirection() (Meaning, *refusal) {
	if e := r.forced[1]; e != nil {
		return r.travel(e)
	}
	if dir := r.table.which("dir.", r.phrase(1)); dir != "" {
		return r.head(dir)
	}
	return Meaning{}, notPlain()
}

// goTo goes in a direction, through an exit, or to a known place.
func (r *reader) goTo() (m Meaning, bad *refusal) {
	p := r.phrase(1)
	switch {
	case r.forced[1] != nil || r.table.which("dir.", p) != "":
		return r.followDirection()
	case len(p) == 0 && r.options.NoModel: // "go through"
		return r.head("in")
	case len(p) == 0:
		return m, notPlain()
	}
	if doors, _ := r.doors(p); len(doors) > 0 {
		return r.goThrough(doors)
	}
	if len(p) == 1 && !isHan(p[0].text) && r.isOdd(p) && !r.table.is("them", p) && !r.table.is("it", p) {
		return m, notPlain() // "go back" is no way to the Back Hall
	}
	e, bad := r.need(1, way)
	if far := r.findKnown(p); far != nil && r.is(p, far.Name) && (bad != nil || !r.is(p, e.name)) {
		return r.journey(far) // the Mill, and not the Mill Lane beside it
	}
	if bad == nil {
		return r.travel(e)
	}
	if len(bad.many) > 0 {
		return m, bad
	}
	if here := r.sight().place; here != nil && r.is(p, here.Name) {
		return m, r.already("here", here.Name)
	}
	if far := r.findKnown(p); far != nil {
		return r.journey(far)
	}
	if m, bad, found := r.seek(p); found {
		return m, bad
	}
	if r.options.NoModel {
		return m, r.refuseGoal(p, bad)
	}
	return m, r.refuseNoWay(p, bad)
}

// refuseGoal answers a name to which no way leads, in a game without a model. bad is the answer to the name as that of a
// way.
func (r *reader) refuseGoal(p []token, bad *refusal) *refusal {
	if some := r.findBest(p, nil, near|carried); len(some) > 0 {
		return r.refuseUnfit(some)
	}
	here, line := r.sight().place, r.scenery(p)
	p = r.withoutArticle(p)
	switch {
	case here != nil && (r.fitName(p, here.Name) > noFit || line == "" && fitsDescription(texts(p), opening(here.Desc))):
		return r.refuse("here", here.Name)
	case line != "": // who climbs a tree of the scenery looks at it
		return &refusal{text: line}
	}
	if seen := r.refuseSeen(p, near); seen != nil {
		return seen
	}
	bad = r.refuseNoWay(p, bad)
	if bad.text == "" && len(p) < 3 && !isHan(p[0].text) && !r.hasOdd(p) {
		return r.nameExits("noway")
	}
	return bad
}

// refuseNoWay answers a name to which no way leads. If bad has no text, it is no name.
func (r *reader) refuseNoWay(p []token, bad *refusal) *refusal {
	if isHan(p[0].text) && len(p) > mostHanVerb+1 {
		r.guess = wild // 爬上梨树摘个梨 has a second verb
	}
	if bad.text == "" {
		return bad
	}
	return r.nameExits("noway")
}

// goHome goes to the place where the story began.
func (r *reader) goHome() (m Meaning, bad *refusal) {
	places := r.w.Places()
	if len(places) == 0 || !places[0].Visited {
		return m, notPlain()
	}
	home := places[0]
	if home.ID == r.actor.Place {
		return m, r.already("here", home.Name)
	}
	return r.journey(home)
}

// goToName goes to the place that is named without a verb.
func (r *reader) goToName() (m Meaning, bad *refusal) {
	if e := r.forced[1]; e != nil {
		return r.travel(e)
	}
	p := r.phrase(1)
	if len(p) > mostName || r.isOdd(p) || len(r.findBest(p, nil, ^way)) > 0 {
		return m, notPlain()
	}
	if some := r.findBest(p, nil, way); len(some) > 0 {
		return r.goThrough(some)
	}
	preposed := r.slots[1].from > 0
	if far := r.findKnown(p); far != nil && (preposed || r.fitName(p, far.Name) > beginning) { // "pears" is no way to the orchard
		return r.journey(far)
	}
	if preposed && len(r.withoutArticle(p)) <= 2 && r.options.NoModel {
		r.guess = absent
		return m, r.nameExits("noway")
	}
	return m, notPlain()
}

// withoutArticle removes the article before tokens, if anything else is left.
func (r *reader) withoutArticle(list []token) []token {
	if n := r.table.leading("article", list); n < len(list) {
		return list[n:]
	}
	return list
}

// is reports whether tokens are a whole name, with or without its article.
func (r *reader) is(list []token, name string) bool {
	return r.fitName(list, name) >= allWords
}

// fitName returns how well tokens fit a name, with or without its article.
func (r *reader) fitName(list []token, name string) int {
	n := r.table.leading("article", list)
	if n >= len(list) {
		return noFit
	}
	e := &entity{name: name}
	if len(list) == n+1 && isGivenName(list[n].text, name) {
		return someWords
	}
	return max(fit(texts(list[n:]), e.words()), fit(texts(list[n:]), e.bareWords()))
}

// goThrough goes through one of some exits, or asks through which.
func (r *reader) goThrough(ways []*entity) (Meaning, *refusal) {
	if len(ways) > 1 {
		return Meaning{}, &refusal{many: ways, slot: 1}
	}
	return r.travel(ways[0])
}

// head goes in a direction.
func (r *reader) head(dir string) (Meaning, *refusal) {
	ways := r.exitsTowards(dir)
	if last := r.last; dir == "in" && r.options.NoModel && last != nil && last.kind == way {
		for e := range r.visible(way, func(e *entity) bool { return e.id == last.id }) {
			return r.travel(e) // "open the door and go through"
		}
	}
	if len(ways) == 0 && r.options.NoModel {
		ways = r.throughFloor(dir)
	}
	if len(ways) == 0 && dir == "in" && r.options.NoModel { // through the only open door
		ways = slices.DeleteFunc(r.ways(), func(e *entity) bool { return e.link.Door != world.OpenDoor })
		if len(ways) == 1 && ways[0].id == r.options.From && r.sight().place != nil { // the actor has just come through it
			return Meaning{}, r.refuse("here", r.sight().place.Name)
		}
	}
	if len(ways) > 0 {
		return r.goThrough(ways)
	}
	return Meaning{}, r.nameExits("noway")
}

// throughFloor returns the only door that leads down through an opening in the floor of this place, by its text, or up
// through one in the floor of the place behind it.
func (r *reader) throughFloor(dir string) []*entity {
	some := slices.DeleteFunc(r.ways(), func(e *entity) bool { return e.link.Door == world.NoDoor })
	here := r.sight().place
	if len(some) != 1 || here == nil {
		return nil
	}
	text := here.Desc
	if dir != "d" {
		behind := r.w.Place(some[0].id)
		if dir != "u" || behind == nil || !behind.Visited {
			return nil
		}
		text = some[0].desc
	}
	if r.opensFloor(tokens(text).tokens) {
		return some
	}
	return nil
}

// opensFloor reports whether one clause tells of an opening and of the floor that it is in.
func (r *reader) opensFloor(list []token) bool {
	hatch, floor := false, false
	for i, t := range list {
		if t.gap != noGap {
			hatch, floor = false, false
		}
		hatch = hatch || r.table.leading("hatch", list[i:]) > 0
		if floor = floor || r.table.leading("hatch.in", list[i:]) > 0; hatch && floor {
			return true
		}
	}
	return false
}

// exitsTowards returns the exits in a direction.
func (r *reader) exitsTowards(dir string) []*entity {
	return slices.Collect(r.visible(way, func(e *entity) bool { return e.link.Dir == dir }))
}

// ways returns all exits.
func (r *reader) ways() []*entity { return slices.Collect(r.visible(way, nil)) }

// leave takes the way out, or the only way.
func (r *reader) leave() (Meaning, *refusal) {
	if e := r.forced[1]; e != nil {
		return r.travel(e)
	}
	out := r.exitsTowards("out")
	if len(out) == 0 {
		out = r.ways()
	}
	if len(out) == 0 {
		return Meaning{}, r.nameExits("noway")
	}
	return r.goThrough(out)
}

// goBack goes back to the place that the actor came from.
func (r *reader) goBack() (Meaning, *refusal) {
	for _, e := range r.ways() {
		if e.id == r.options.From && r.forced[1] == nil {
			return r.travel(e)
		}
	}
	if r.options.From == "" && r.options.NoModel && r.forced[1] == nil && len(r.exitsTowards("out")) == 0 {
		return Meaning{}, r.nameExits("whither") // the actor has come from nowhere
	}
	return r.leave()
}

// goSomewhere goes the only way that there is, or asks where to.
func (r *reader) goSomewhere() (Meaning, *refusal) {
	if ways := r.ways(); len(ways) == 1 && r.options.NoModel {
		return r.travel(ways[0])
	}
	return Meaning{}, r.nameExits("whither")
}

// flee goes back to the place that the actor came from, or the only open way, or asks which.
func (r *reader) flee() (Meaning, *refusal) {
	open := slices.DeleteFunc(r.ways(), func(e *entity) bool { return e.link.Door == world.LockedDoor || e.link.Blocked != "" })
	if back := slices.IndexFunc(open, func(e *entity) bool { return e.id == r.options.From }); back >= 0 && r.forced[1] == nil {
		return r.travel(open[back])
	}
	if len(open) == 0 || !r.options.NoModel {
		return r.goSomewhere()
	}
	if e := r.forced[1]; e != nil {
		return r.travel(e)
	}
	return r.goThrough(open)
}

// goPast goes on past a person: by the only way that does not lead back.
func (r *reader) goPast() (Meaning, *refusal) {
	if _, bad := r.other(1); bad != nil {
		return Meaning{}, bad
	}
	on := slices.DeleteFunc(r.ways(), func(e *entity) bool { return e.id == r.options.From })
	if len(on) == 1 {
		return r.travel(on[0])
	}
	return Meaning{}, r.nameExits("whither")
}

// nameExits answers with the exits.
func (r *reader) nameExits(key string) *refusal {
	r.asked = r.asked || key == "exits"
	ways := r.ways()
	if len(ways) == 0 {
		return r.refuse("noways")
	}
	names := make([]string, 0, len(ways))
	for _, e := range ways {
		name := e.name
		if rules.HasDirectionName(e.link.Dir) && r.book.Tool("look") != nil {
			name = r.book.Text(r.lang, rules.Sentence{Key: "dir." + e.link.Dir}) + " — " + name
		}
		names = append(names, name)
	}
	return r.refuse(key, r.joinNames(names))
}

// travel takes a way. It opens a closed door that is not locked.
func (r *reader) travel(e *entity) (m Meaning, bad *refusal) {
	r.named = e
	l := e.link
	switch {
	case l.Blocked != "" || l.Needs != "" && !r.w.Carries(r.actor.ID, l.Needs): // the rules say why not
	case l.Door == world.LockedDoor && (l.Lock == "" || !r.w.Carries(r.actor.ID, l.Lock)):
		return m, r.refuseLocked(e, r.doorName(e))
	case l.Door == world.ClosedDoor:
		if bad := r.call("set_link", linkArgs(l, world.OpenDoor), &m); bad != nil {
			return Meaning{}, bad
		}
	}
	return m, r.addStep(e.id, &m)
}

// addStep adds a step to a neighbouring place.
func (r *reader) addStep(to string, m *Meaning) *refusal {
	if r.book.Tool("move_player") != nil && rules.Allowed(r.w.Self(), "move_player") || r.book.Tool("move") == nil {
		return r.call("move_player", rules.NewObj().Text("player_id", r.actor.ID).Text("target_location_id", to), m)
	}
	return r.call("move", rules.NewObj().Text("actor_id", r.actor.ID).Text("to_area_id", to), m)
}

func linkArgs(l *world.Link, state string) *rules.Obj {
	return rules.NewObj().Text("from", l.From).Text("to", l.To).Text("state", state)
}

// findKnown returns the place that tokens name. The party must have seen it, at least from a place beside it, or it lies
// across open country.
func (r *reader) findKnown(list []token) *world.Place {
	if len(list) == 0 {
		return nil
	}
	words, most := r.spellNumbers(texts(r.withoutArticle(list))), someWords
	var found, alias []*world.Place
	for _, p := range r.w.Places() {
		if !p.Visited && (!p.Overland || p.Secret) && !r.isGlimpsed(p) || p.ID == r.actor.Place {
			continue
		}
		switch best := fit(words, texts(tokens(p.Name).tokens)); {
		case len(words) == 1 && words[0] == p.ID:
			return p
		case best > most:
			most, found = best, append(found[:0], p)
		case best == most:
			found = append(found, p)
		case r.options.NoModel && (p.Visited && fitsDescription(words, opening(p.Desc)) || best == beginning || isSlipOf(words, texts(tokens(p.Name).tokens))):
			alias = append(alias, p)
		}
	}
	if len(found) == 0 {
		found = alias
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// journey goes to a place that is not next to this one: across country, or step by step on known ways.
func (r *reader) journey(to *world.Place) (m Meaning, bad *refusal) {
	r.named = &entity{kind: way, id: to.ID, name: to.Name}
	session := r.w.Self().Session
	if to.Overland && session != "" {
		return r.oneCall("move_to_zone", rules.NewObj().Text("session_id", session).Text("to_zone_id", to.ID))
	}
	steps := r.path(to.ID)
	if len(steps) == 0 && !to.Visited {
		return m, r.refuse("locked", rules.NameOrID(to.Name, to.ID)) // it is next to a visited place, so only a lock can bar the way
	} else if len(steps) == 0 || len(steps) >= MostCalls {
		return m, r.nameExits("noway")
	}
	at := r.actor.Place
	for _, step := range steps {
		if l := r.w.Link(at, step); l != nil && l.Door == world.ClosedDoor {
			if bad := r.call("set_link", linkArgs(l, world.OpenDoor), &m); bad != nil {
				return Meaning{}, bad
			}
		}
		if bad := r.addStep(step, &m); bad != nil {
			return Meaning{}, bad
		}
		at = step
	}
	return m, nil
}

// isGlimpsed reports whether a way leads to a place from one where the party was.
func (r *reader) isGlimpsed(p *world.Place) bool {
	return !p.Secret && slices.ContainsFunc(r.w.Ins(p.ID), func(l *world.Link) bool {
		from := r.w.Place(l.From)
		return from != nil && from.Visited && !l.Hidden
	})
}

// path returns the shortest path to a place, on open ways and through visited places. Only the last way may have a closed
// door.
func (r *reader) path(to string) (steps []string) {
	from := map[string]string{r.actor.Place: ""}
	for next := []string{r.actor.Place}; len(next) > 0 && from[to] == ""; next = next[1:] {
		for _, l := range r.w.Outs(next[0]) {
			p := r.w.Place(l.To)
			if _, was := from[l.To]; was || p == nil || l.Hidden || l.Blocked != "" || l.Needs != "" && !r.w.Carries(r.actor.ID, l.Needs) {
				continue
			}
			shut := l.Door == world.ClosedDoor || l.Door == world.LockedDoor && l.Lock != "" && r.w.Carries(r.actor.ID, l.Lock)
			if l.To != to && (!p.Visited || shut) || l.Door == world.LockedDoor && !shut {
				continue
			}
			from[l.To] = next[0]
			next = append(next, l.To)
		}
	}
	if from[to] == "" {
		return nil
	}
	for at := to; at != r.actor.Place; at = from[at] {
		steps = append(steps, at)
	}
	slices.Reverse(steps)
	return steps
}

// doors returns the exits whose doors tokens name: "the door", "the door to the hall", "the north door". If there is
// none, meant says that the tokens can only name a door.
func (r *reader) doors(list []token) (doors []*entity, meant bool) {
	if len(list) > mostName {
		return nil, false
	}
	hasDoor := func(e *entity) bool { return e.link.Door != world.NoDoor || e.link.DoorID != "" }
	inner := matching{tokens: list, end: len(list)}
	inner.fits = func() bool {
		at := inner.slots[3]
		part := list[at.from:at.to]
		if len(part) == 0 {
			doors, meant = slices.Collect(r.visible(way, hasDoor)), true
			return len(doors) > 0
		}
		if dir := r.table.which("dir.", part); dir != "" {
			doors, meant = r.exitsTowards(dir), true
		} else {
			doors = r.findBest(part, nil, way)
			meant = meant || r.mayBeName(part)
		}
		return len(doors) > 0
	}
	inner.patterns(r.table.word("door"))
	return doors, meant
}

// doorName returns the name of a way's door.
func (r *reader) doorName(e *entity) string {
	if door := r.w.Thing(e.link.DoorID); door != nil && !door.Hidden && door.Name != "" {
		return door.Name
	}
	return r.text("door", e.name)
}

// refuseLocked answers that a door or container is locked.
func (r *reader) refuseLocked(e *entity, name string) *refusal {
	if e.kind == way && name == r.text("door", e.name) {
		return r.refuseAs([]string{e.link.From + ".locked." + e.link.To, e.link.To + ".locked." + e.link.From}, "locked", e.name)
	}
	return r.refuseAs([]string{e.id + ".locked"}, "nokey", name)
}
