package account

import (
	"cmp"
	"maps"
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/rules/story"
	"hob/internal/game/world"
	"hob/internal/lists"
)

// Digest is what happened in a turn, in the form that a text can be checked against.
type Digest struct {
	Turn
	words   wording
	hero    *world.Actor // who is "you", nil for nobody
	places  []string     // where the hero is and was during the turn; the last is where they are now
	walks   []walk
	results []rules.Result // of the outcomes
	known   *known         // nil until it is needed

	Seen   map[string]bool // what the hero can see, or could see during the turn: by id
	Passed []Passed
	Harms  []Harm
	Falls  map[string]string // the new state of each actor who fell
}

// Passed is an object that changed hands, or of which there is more or less now.
type Passed struct {
	ID, From, To string       // who or what holds it in the end: an actor or a place; the same if it moved within one
	Less         bool         // some of it is gone
	Thing        *world.Thing // as it is, or was if it is gone
}

// walk is a way that somebody went.
type walk struct{ actor, from, to string }

// Harm is a change of somebody's hit points.
type Harm struct {
	Actor    string
	From, To int64
	Most     world.Number
}

// Digest reads the turn.
func (t Turn) Digest() *Digest {
	if t.After == nil {
		t.After = world.Empty()
	}
	if t.Before == nil {
		t.Before = t.After.Clone()
		if t.Before.Revert(t.Events) != nil {
			t.Before = t.After
		}
	}
	d := &Digest{Turn: t, words: wordingFor("words", t.Language()), Falls: map[string]string{}}
	d.hero = rules.Viewpoint(t.After, t.Actor)
	if d.hero != nil {
		if was := t.Before.Actor(d.hero.ID); was != nil && was.Place != d.hero.Place {
			d.places = append(d.places, was.Place)
		}
		d.places = append(d.places, d.hero.Place)
	}
	for _, e := range t.Events {
		d.event(e)
	}
	d.results = lists.Map(t.Outcomes, rules.Outcome.Read)
	d.look()
	return d
}

// event reads one change.
func (d *Digest) event(e world.Event) {
	if was, is := both[*world.Thing](e); was != nil || is != nil {
		d.thing(was, is)
	} else if was, is := both[*world.Actor](e); was != nil && is != nil {
		d.actor(was, is)
	}
}

func (d *Digest) thing(was, is *world.Thing) {
	p := Passed{Thing: cmp.Or(is, was)}
	if p.ID = p.Thing.ID; was != nil {
		p.From = d.root(was.Parent)
	}
	if is != nil {
		p.To = d.root(is.Parent)
	}
	if p.Less = was != nil && is != nil && max(1, was.Qty) > max(1, is.Qty); was == nil || is == nil || was.Parent != is.Parent || was.Rel != is.Rel || was.Qty != is.Qty {
		d.Passed = append(d.Passed, p)
	}
}

// holds returns the parent's id, where that is an object.
func (d *Digest) holds(parent string) string {
	if d.After.Actor(parent) == nil && d.After.Place(parent) == nil {
		return parent
	}
	return ""
}

// root returns the actor or the place at the end of a chain of parents.
func (d *Digest) root(parent string) string {
	for _, w := range []*world.World{d.After, d.Before} {
		if w.Actor(parent) != nil || w.Place(parent) != nil {
			return parent
		}
		if kind, id := w.Holder(parent); kind != 0 {
			return id
		}
	}
	return parent
}

func (d *Digest) actor(was, is *world.Actor) {
	if was.Place != is.Place {
		d.walks = append(d.walks, walk{is.ID, was.Place, is.Place})
		if d.hero != nil && is.ID == d.hero.ID && !slices.Contains(d.places, is.Place) {
			d.places = append([]string{is.Place}, d.places...)
		}
	}
	if is.HP != was.HP && is.HP.Known {
		if from := was.HP.Or(was.HPMax.Or(is.HPMax.N)); from != is.HP.N {
			d.Harms = append(d.Harms, Harm{is.ID, from, is.HP.N, is.HPMax})
		}
	}
	if was.State != is.State {
		d.Falls[is.ID] = is.State
	}
}

// look finds what the hero can see, or could see during the turn.
func (d *Digest) look() {
	d.Seen = map[string]bool{}
	for _, w := range []*world.World{d.Before, d.After} {
		for _, id := range d.places {
			if w.Place(id) == nil {
				continue
			}
			s := story.SightFrom(w, w.Place(id), "")
			d.Seen[id] = true
			for _, l := range s.Exits {
				d.Seen[l.To] = true
			}
			for _, a := range s.Actors {
				d.Seen[a.ID] = true
				d.add(story.VisibleInside(w, a.ID, 1))
			}
			d.add(s.Things)
		}
		for _, id := range append(slices.Clone(w.Self().Party), d.HeroID()) {
			if id != "" && w.Actor(id) != nil {
				d.Seen[id] = true
				d.add(story.VisibleInside(w, id, 6))
			}
		}
	}
}

func (d *Digest) add(list []story.VisibleThing) {
	for _, s := range list {
		d.Seen[s.ID] = true
		d.add(s.Inside)
	}
}

// HeroID is the id of the actor who is "you", "" if nobody is.
func (d *Digest) HeroID() string {
	if d.hero == nil {
		return ""
	}
	return d.hero.ID
}

// Here is where the story is.
func (d *Digest) Here() string {
	if d.hero == nil {
		return ""
	}
	return d.hero.Place
}

// Moved reports whether somebody went from one place to another in this turn. "" is any place.
func (d *Digest) Moved(actor, place string) bool {
	return slices.ContainsFunc(d.walks, func(w walk) bool {
		return (actor == "" || w.actor == actor) && (place == "" || w.from == place || w.to == place)
	})
}

// With reports whether an object, or what holds it, changed hands in this turn in a way that fits.
func (d *Digest) With(id string, fits func(Passed) bool) bool {
	for range 8 {
		for _, p := range d.Passed {
			if (p.ID == id || id == "") && fits(p) {
				return true
			}
		}
		t := d.After.Thing(id)
		if t == nil || d.After.Thing(t.Parent) == nil {
			return false
		}
		id = t.Parent
	}
	return false
}

// dead reports whether somebody can do nothing any more.
func dead(a *world.Actor) bool { return a.State == world.Dead }

// refused reports whether a call was refused for a reason of the story, and not for a mistake in the call.
func refused(o *rules.Outcome) bool {
	switch o.Code {
	case "closed_container", "fixed", "fixed_object", "over_capacity", "door_closed", "needs_object", "blocked", "wrong_key",
		"no_link", "target_dead", "not_here", "not_carried", "not_enough", rules.NotReachable, rules.SamePlace, rules.ActorRestricted,
		"in_fight", "not_visible":
		return true
	}
	return false
}

// At reports whether the hero was at a place in this turn.
func (d *Digest) At(place string) bool { return slices.Contains(d.places, place) }

// Rolled returns what the checks of the turn came to and what they had to reach, and the damage that was rolled.
func (d *Digest) Rolled() (checks [][2]int64, damage []int64) {
	for i := range d.results {
		if r := d.results[i].Check; r != nil && r.DC != nil {
			checks = append(checks, [2]int64{r.Total, *r.DC})
		}
		if r := &d.results[i]; r.ToHit != nil {
			damage = append(damage, r.Damage)
		}
	}
	return checks, damage
}

// Attacks counts what somebody hit and what they missed in this turn.
func (d *Digest) Attacks(attacker string) (hits, misses int) {
	for i := range d.results {
		o := &d.Outcomes[i]
		if o.Call.Tool != "attack" || !o.OK() || d.results[i].ToHit == nil || o.Call.Text("attacker_id") != attacker {
			continue
		}
		if d.results[i].Hit {
			hits++
		} else {
			misses++
		}
	}
	return hits, misses
}

// Unlocked returns what was opened in this turn, and Shut returns what was shut: boxes, and the places to which doors lead.
func (d *Digest) Unlocked() []string { return d.turned(func(was, is bool) bool { return was && !is }) }
func (d *Digest) Shut() []string     { return d.turned(func(was, is bool) bool { return !was && is }) }

// turned returns what changed in this turn from shut or open to what fits wants.
func (d *Digest) turned(fits func(was, is bool) bool) (ids []string) {
	for _, e := range d.Events {
		switch is := e.New.(type) {
		case *world.Thing:
			if was, ok := e.Old.(*world.Thing); ok && (fits(was.Closed, is.Closed) || fits(was.Locked, is.Locked)) {
				ids = append(ids, is.ID)
			}
		case *world.Link:
			if was, ok := e.Old.(*world.Link); ok && was.Door != is.Door && fits(rules.Shut(was), rules.Shut(is)) {
				ids = append(ids, is.To)
			}
		}
	}
	return ids
}

// Closed reports whether an object is shut.
func (d *Digest) Closed(id string) bool {
	t := d.After.Thing(id)
	return t != nil && (t.Closed || t.Locked)
}

// seenTexts passes on the texts of what the hero can see, in no order.
func (d *Digest) seenTexts(put func(...string)) {
	w := d.After
	all := func(attrs map[string]string, texts ...string) {
		put(slices.AppendSeq(texts, maps.Values(attrs))...)
	}
	for id := range d.Seen {
		if a := w.Actor(id); a != nil {
			if all(a.Attrs, a.Name); a.Role != "pc" { // a hero's past is about nobody here
				put(a.Desc)
			}
			for _, talk := range a.Talk {
				if talk.Said {
					put(talk.Text)
				}
			}
		}
		if t := w.Thing(id); t != nil {
			all(t.Attrs, t.Name, t.Desc)
		}
	}
	for _, p := range w.Places() {
		if p.Visited || slices.Contains(d.places, p.ID) {
			all(p.Attrs, p.Name, p.Desc, p.Situation)
		} else if d.Seen[p.ID] {
			put(p.Name)
		}
	}
}

// ClosedTo reports whether a way to one of these places is closed.
func (d *Digest) ClosedTo(places []string) bool {
	for _, place := range d.After.Places() {
		for _, l := range d.After.Outs(place.ID) {
			if slices.Contains(places, l.To) && !d.At(l.To) && rules.Shut(l) {
				return true
			}
		}
	}
	return false
}
