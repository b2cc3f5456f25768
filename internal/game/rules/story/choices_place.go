package story

import (
	"cmp"
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// attackChoices returns attacks on the hostile people here.
func (c chooser) attackChoices() (list []Choice) {
	for _, a := range c.sight.Actors {
		if rules.Hostile(c.w, a) && rules.CanAct(a) {
			list = append(list, c.attack(a)...)
		}
	}
	return list
}

// talkChoices returns the people here who have more to say. Once they have greeted the actor, the choices are the
// topics to ask about.
func (c chooser) talkChoices() (list []Choice) {
	for _, a := range c.sight.Actors {
		if !canHear(a) || rules.InParty(c.w, a.ID) {
			continue
		}
		open := c.w.OpenTalk(a)
		if i := rules.Greeting(a, open); i >= 0 && !a.Talk[i].Said {
			list = append(list, c.greet(a)...)
			if isStranger(a) {
				continue // they have not greeted, so their topics are not known
			}
		}
		for _, i := range open {
			if len(a.Talk[i].Keys) > 0 && !a.Talk[i].Said {
				list = append(list, c.askChoice(a, open, i)...)
			}
		}
	}
	return list
}

// greet returns the choice to talk to somebody without asking anything.
func (c chooser) greet(a *world.Actor) []Choice {
	return c.choice("talk", rules.NewObj().Text("npc_id", a.ID).Text("actor_id", c.actor.ID), "choices.talk", a)
}

// isStranger reports whether somebody has not greeted the actor yet.
func isStranger(a *world.Actor) bool {
	return !slices.ContainsFunc(a.Talk, func(t world.Talk) bool { return len(t.Keys) == 0 && t.Said })
}

// giftChoices returns the actor's objects that somebody here waits for, because what they say or a quest depends on it.
func (c chooser) giftChoices() (list []Choice) {
	for _, a := range c.sight.Actors {
		if !canHear(a) || rules.InParty(c.w, a.ID) {
			continue
		}
		for _, t := range c.wantedTerms(a) {
			if thing := c.w.Thing(t.Words[1]); thing != nil && thing.Parent == c.actor.ID && !thing.Fixed {
				list = append(list, c.stepToBring(thing.ID, a.ID)...)
			}
		}
	}
	return list
}

// wantedTerms returns the terms of conditions by which somebody waits for an object.
func (c chooser) wantedTerms(a *world.Actor) (list []world.Term) {
	add := func(when world.Condition) {
		for _, t := range when.Terms() {
			if !t.Not && len(t.Words) == 3 && t.Words[0] == "in" && t.Words[2] == a.ID && !c.w.TermHolds(t) {
				list = append(list, t)
			}
		}
	}
	for i := range a.Talk {
		add(world.Condition(a.Talk[i].When))
	}
	for _, q := range c.w.Quests() {
		if !rules.Over(q) {
			for _, o := range q.Objectives {
				add(world.Condition(q.When[o]))
			}
		}
	}
	return list
}

// fixtureChoices returns what can be looked at here but not taken.
func (c chooser) fixtureChoices() (list []Choice) {
	for _, t := range c.sight.Things {
		if t.Fixed && t.Desc != "" {
			list = append(list, c.choice("look", rules.NewObj().Text("target_id", t.ID), "choices.look", thingName(t.Thing))...)
		}
	}
	return list
}

// searchChoices returns the search of a place that invites one and that the party has not searched. It does not depend
// on whether anything is hidden, so it gives nothing away.
func (c chooser) searchChoices() []Choice {
	place := c.sight.Place
	if place.Search == "" || c.w.Self().Searched[place.ID] > 0 || c.w.Self().Mode == "combat" {
		return nil
	}
	if _, known := rules.Skill(c.actor, place.Search); !known {
		return nil
	}
	args := rules.NewObj().Text("actor_id", c.actor.ID).Text("skill", place.Search).Text("find", place.ID)
	return c.choice("skill_check", args, "choices.search", place)
}

// canHear reports whether somebody can be talked to.
func canHear(a *world.Actor) bool {
	return a.State != world.Dead && a.State != world.Dying && a.State != world.Unconscious
}

// askChoice returns a question for something that somebody can say, if its topic cannot mean anything else.
func (c chooser) askChoice(a *world.Actor, open []int, i int) []Choice {
	topic := a.Talk[i].Topic
	if topic == "" || rules.FindTopic(a.Talk, open, topic) != i {
		return nil
	}
	return c.choice("talk", rules.NewObj().Text("npc_id", a.ID).Text("topic", topic).Text("actor_id", c.actor.ID),
		"choices.ask", a, topic)
}

// lidChoices returns the closed things here that the actor can open, at once or with a key.
func (c chooser) lidChoices() (list []Choice) {
	var walk func(things []VisibleThing)
	walk = func(things []VisibleThing) {
		for _, t := range things {
			list = append(list, c.openLid(t.Thing)...)
			walk(t.Inside)
		}
	}
	walk(c.sight.Things)
	return list
}

// openLid returns the choice to open something in sight.
func (c chooser) openLid(t *world.Thing) []Choice {
	if !t.Container || !t.Closed && !t.Locked {
		return nil
	}
	args := rules.NewObj().Text("object_id", t.ID).Text("state", world.OpenDoor).Text("actor_id", c.actor.ID)
	if !t.Locked {
		return c.choice("set_container", args, "choices.lid", thingName(t))
	}
	key := c.w.Thing(t.Lock)
	if key == nil || !c.w.Carries(c.actor.ID, key.ID) {
		return nil
	}
	return c.choice("set_container", args, "choices.unlock", thingName(t), thingName(key))
}

// maxSearched is how many places are searched for something that is left to do.
const maxSearched = 40

// wayChoices returns the exits that can be taken: first those to new places, with the doors that the actor can open;
// then those to places where somebody has been. Of the latter, onwards of them come first: they lead to something that
// is left to do, the nearest first.
func (c chooser) wayChoices() (fresh, known []Choice, onwards int) {
	var back []*world.Link
	far := map[*world.Link]int{}
	for _, l := range c.sight.Exits {
		if rules.Shut(l) || !c.wasVisited(l.To) {
			fresh = append(fresh, c.way(l)...)
			continue
		}
		if !c.canPass(l) {
			continue
		}
		if far[l] = c.distanceToGoal(l.To); far[l] < maxSearched {
			onwards++
		}
		back = append(back, l)
	}
	slices.SortStableFunc(back, func(a, b *world.Link) int { return cmp.Compare(far[a], far[b]) })
	for _, l := range back {
		known = append(known, c.way(l)...)
	}
	return fresh, known, onwards
}

// zoneChoices returns journeys across country, those to new places first.
func (c chooser) zoneChoices() (list []Choice) {
	session := c.w.Self().Session
	for _, fresh := range []bool{true, false} {
		for _, z := range rules.Zones(c.w, c.actor) {
			if z.Visited != fresh {
				args := rules.NewObj().Text("session_id", session).Text("to_zone_id", z.ID)
				list = append(list, c.choice("move_to_zone", args, "choices.go", z.Place)...)
			}
		}
	}
	return list
}

// distanceToGoal returns how many steps beyond a place, leading away from the actor, something is left to do;
// mostSearched if there is nothing.
func (c chooser) distanceToGoal(from string) int {
	type reached struct {
		place string
		steps int
	}
	seen := map[string]bool{c.sight.Place.ID: true, from: true}
	for queue := []reached{{place: from}}; len(queue) > 0 && len(seen) < maxSearched; queue = queue[1:] {
		there := c
		there.sight = SightFrom(c.w, c.w.Place(queue[0].place), c.actor.ID)
		if there.hasGoal() {
			return queue[0].steps
		}
		for _, l := range there.sight.Exits {
			if !seen[l.To] && c.canPass(l) {
				seen[l.To] = true
				queue = append(queue, reached{l.To, queue[0].steps + 1})
			}
		}
	}
	return maxSearched
}

// hasGoal reports whether a known place has something left to do: somebody to talk to or to give something to,
// something to open or to take, or a way to a new place.
func (c chooser) hasGoal() bool {
	if !c.sight.Place.Visited {
		return true
	}
	away := func(l *world.Link) bool { return c.canPass(l) && !c.wasVisited(l.To) }
	return slices.ContainsFunc(c.sight.Exits, away) || len(c.talkChoices())+len(c.lidChoices())+len(c.thingChoices()) > 0 || slices.ContainsFunc(c.sight.Actors,
		func(a *world.Actor) bool {
			return slices.ContainsFunc(c.wantedTerms(a), func(t world.Term) bool { return c.w.Carries(c.actor.ID, t.Words[1]) })
		})
}
