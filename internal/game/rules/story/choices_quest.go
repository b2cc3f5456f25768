package story

import (
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// questChoices returns one step for each open quest: the one towards its next objective that is sure to help, if there
// is one. It uses only conditions that players know, what the actor sees from here, and known ways.
func (c chooser) questChoices() (list []Choice) {
	for _, q := range c.w.Quests() {
		if rules.Over(q) {
			continue
		}
		for _, o := range q.Objectives {
			if slices.Contains(q.Met, o) || q.When[o] == "" {
				continue
			}
			if step := c.stepForTerms(world.Condition(q.When[o])); len(step) > 0 {
				list = append(list, step...)
				break
			}
		}
	}
	return list
}

// stepForTerms returns a step towards the first open term that has one. The term "at" comes last, because the actor has
// to bring everything else there.
func (c chooser) stepForTerms(when world.Condition) []Choice {
	var there []string
	blocked := false // going there would not help yet
	for _, t := range when.Terms() {
		switch {
		case t.Not || len(t.Words) < 2 || c.w.TermHolds(t):
		case t.Words[0] == "at":
			there = t.Words
		default:
			blocked = true
			if step := c.stepForTerm(t.Words); len(step) > 0 {
				return step
			}
		}
	}
	if there == nil || blocked {
		return nil
	}
	return c.stepForTerm(there)
}

// stepForTerm returns a step towards one term.
func (c chooser) stepForTerm(words []string) []Choice {
	id := words[1]
	switch {
	case words[0] == "at":
		return c.stepTo(id)
	case words[0] == "has":
		return c.stepToGet(id)
	case words[0] == "in" && len(words) == 3:
		return c.stepToBring(id, words[2])
	case words[0] == "dead":
		for _, a := range c.sight.Actors {
			if a.ID == id && canHear(a) {
				return c.attack(a)
			}
		}
	case words[0] == "knows":
		return c.stepToLearn(id)
	case words[0] == "opened":
		if t := findSeen(c.sight.Things, id); t != nil {
			return c.openLid(t.Thing)
		}
	case words[0] == "open" && len(words) == 3:
		if l := c.w.Link(id, words[2]); l != nil && id == c.sight.Place.ID && slices.Contains(c.sight.Exits, l) {
			return c.way(l)
		}
		return c.stepTo(id)
	}
	return nil
}

// stepTo returns the first step of the shortest way to a place, through places that the party knows and doors that can
// be opened.
func (c chooser) stepTo(to string) []Choice {
	if c.w.Place(to) == nil || to == c.sight.Place.ID {
		return nil
	}
	type reached struct {
		place string
		first *world.Link
	}
	seen := map[string]bool{c.sight.Place.ID: true}
	for queue := []reached{{place: c.sight.Place.ID}}; len(queue) > 0; queue = queue[1:] {
		for _, l := range SightFrom(c.w, c.w.Place(queue[0].place), c.actor.ID).Exits {
			if seen[l.To] || !c.canPass(l) {
				continue
			}
			seen[l.To] = true
			first := queue[0].first
			if first == nil {
				first = l
			}
			if l.To == to {
				return c.way(first)
			}
			if c.w.Place(l.To).Visited {
				queue = append(queue, reached{place: l.To, first: first})
			}
		}
	}
	return nil
}

// stepToGet returns the step to get an object: take it if it is in sight, ask somebody here who gives it, or go to
// where it was last seen.
func (c chooser) stepToGet(id string) []Choice {
	if t := findSeen(c.sight.Things, id); t != nil {
		return c.take(t.Thing)
	}
	if asked := c.findQuestion(func(t *world.Talk) bool { return t.Gives == id }); len(asked) > 0 {
		return asked
	}
	kind, holder := c.w.Holder(id)
	if p := c.w.Place(holder); kind == world.PlaceKind && p.Visited && findSeen(SightFrom(c.w, p, c.actor.ID).Things, id) != nil {
		return c.stepTo(holder)
	}
	return nil
}

// stepToBring returns the step that brings an object to a place, to somebody, or into another object.
func (c chooser) stepToBring(id, holder string) []Choice {
	t := c.w.Thing(id)
	if t == nil {
		return nil
	}
	if t.Parent != c.actor.ID {
		return c.stepToGet(id)
	}
	args := rules.NewObj().Text("object_id", id).Text("target_id", holder)
	switch a, p := c.w.Actor(holder), c.w.Place(holder); {
	case t.Fixed:
		return nil
	case a != nil && a.Place == c.sight.Place.ID && a.ID != c.actor.ID && rules.Greeting(a, c.w.OpenTalk(a)) >= 0 && isStranger(a):
		return c.greet(a)
	case a != nil && a.Place == c.sight.Place.ID && a.ID != c.actor.ID:
		return c.choice("move_object", args, "choices.give", thingName(t), a)
	case a == nil && p != nil && p.ID == c.sight.Place.ID:
		return c.choice("move_object", args, "choices.leave", thingName(t))
	case a == nil && p != nil:
		return c.stepTo(holder)
	case a != nil && c.wasVisited(a.Place):
		return c.stepTo(a.Place)
	case a != nil:
		return nil
	}
	if into := findSeen(c.sight.Things, holder); into != nil && !into.Closed && !into.Locked && c.hasRoom(into.Thing, t) {
		return c.choice("move_object", args, "choices.put", thingName(t), thingName(into.Thing))
	}
	if kind, at := c.w.Holder(holder); kind == world.PlaceKind {
		return c.stepTo(at)
	}
	return nil
}

// hasRoom reports whether an object is sure to fit into another.
func (c chooser) hasRoom(into, t *world.Thing) bool {
	if into.Capacity == 0 {
		return true
	}
	n := max(1, t.Qty)
	for _, other := range c.w.Contents(into.ID) {
		n += max(1, other.Qty)
	}
	return n <= into.Capacity
}

// wasVisited reports whether one of the party has been at a place.
func (c chooser) wasVisited(place string) bool {
	p := c.w.Place(place)
	return p != nil && p.Visited
}

// stepToLearn returns the question to somebody here that reveals a fact.
func (c chooser) stepToLearn(fact string) []Choice {
	return c.findQuestion(func(t *world.Talk) bool { return t.Reveals == fact })
}

// findQuestion returns the question to somebody here that leads to what is wanted. Somebody new is greeted first.
func (c chooser) findQuestion(wanted func(*world.Talk) bool) []Choice {
	for _, a := range c.sight.Actors {
		open := c.w.OpenTalk(a)
		for _, i := range open {
			t := &a.Talk[i]
			switch {
			case !wanted(t) || t.Said || len(t.Keys) == 0 || !canHear(a):
			case rules.Greeting(a, open) >= 0 && isStranger(a):
				return c.greet(a)
			default:
				return c.askChoice(a, open, i)
			}
		}
	}
	return nil
}
