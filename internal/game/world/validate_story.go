package world

import "slices"

// checkStory checks quests, clocks and facts.
func (c *checker) checkStory() {
	for q := range all[*Quest](c.w) {
		c.checkReference(q, ActorKind, q.Giver, "giver")
		for objective, when := range q.When {
			if !slices.Contains(q.Objectives, objective) {
				c.add(3, "quest %q has a condition for an objective that it does not have: %q.", q.ID, objective)
			}
			c.checkCondition(q, when)
		}
	}
	for clock := range all[*Clock](c.w) {
		if clock.Filled < 0 || clock.Filled > clock.Segments {
			c.add(8, "clock %q has %d of %d segments filled.", clock.ID, clock.Filled, clock.Segments)
		}
		c.checkReference(clock, QuestKind, clock.Fails, "failure")
	}
	for f := range all[*Fact](c.w) {
		c.checkReference(f, PlaceKind, f.Place, "place")
		for _, id := range f.Witnesses {
			c.checkReference(f, ActorKind, id, "witness")
		}
	}
}

// checkCondition checks that a condition of r can be read, and that the records that it names exist.
func (c *checker) checkCondition(r Record, when string) {
	for _, t := range Condition(when).Terms() {
		subjects, ok := t.subjects()
		if !ok {
			c.add(3, "%s %q has a condition that cannot be read: %q.", r.Kind(), r.Key(), when)
		}
		for _, s := range subjects {
			if !c.w.hasAny(s) {
				c.add(3, "%s %q has a condition on %q, which does not exist: %q.", r.Kind(), r.Key(), s.id, when)
			}
		}
	}
}

// checkSelf checks the world as a whole.
func (c *checker) checkSelf() {
	s := c.w.self
	for i, id := range s.Party {
		if !c.w.has(ActorKind, id) {
			c.add(3, "The party has actor %q, who does not exist.", id)
		}
		if slices.Contains(s.Party[:i], id) {
			c.add(10, "The party has actor %q more than once.", id)
		}
	}
	if s.Active != "" && !c.w.has(ActorKind, s.Active) {
		c.add(3, "The active actor %q does not exist.", s.Active)
	}
	if s.Active != "" && len(s.Party) > 0 && !slices.Contains(s.Party, s.Active) {
		c.add(12, "The active actor %q is not in the party.", s.Active)
	}
	if s.Minute < 0 {
		c.add(7, "The clock stands at minute %d, before its beginning.", s.Minute)
	}
}

// checkEncounter compares the order of an encounter with its participants: the actors with an initiative, or, where nobody
// has one, those of the order itself.
func (c *checker) checkEncounter() {
	e := c.w.Encounter()
	if e == nil {
		return
	}
	for i, id := range e.Actors {
		if a := c.w.Actor(id); a == nil {
			c.add(3, "The encounter has actor %q, who does not exist.", id)
		} else if a.State == Dead {
			c.add(9, "The encounter has actor %q in its order, who is dead.", id)
		}
		if slices.Contains(e.Actors[:i], id) {
			c.add(9, "The encounter has actor %q in its order more than once.", id)
		}
		if _, ok := e.Initiative[id]; !ok && len(e.Initiative) > 0 {
			c.add(9, "The encounter has actor %q in its order, who does not take part.", id)
		}
	}
	for id := range e.Initiative {
		if a := c.w.Actor(id); a != nil && a.State != Dead && !slices.Contains(e.Actors, id) {
			c.add(9, "The encounter has actor %q among its participants and not in its order.", id)
		}
	}
	if e.Turn < 0 || e.Turn >= int64(len(e.Actors)) {
		c.add(9, "The encounter is at turn %d of an order of %d.", e.Turn, len(e.Actors))
	}
}

// checkIDs checks that every record has an id, and no other record the same.
func (c *checker) checkIDs() {
	kinds := idKinds()
	for n, kind := range kinds {
		for id := range c.w.records[kind] {
			if id == "" {
				c.add(10, "A record has no id: %s.", kind)
			}
			for _, other := range kinds[n+1:] {
				if c.w.has(other, id) {
					c.add(10, "%q is the id of two records: %s and %s.", id, kind, other)
				}
			}
		}
	}
}
