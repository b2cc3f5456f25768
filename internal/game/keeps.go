package game

import (
	"slices"

	"hob/internal/game/world"
)

// Keeps is what those who play have set and undo leaves as it is (see [saga.Options]): how they take turns, what is never to be in
// the story, which tools it has, and who plays whom. Lines and veils only ever grow. A hero who joined later than that moment is what
// they were when they joined, with what they had then, and stands where the party is: what they did since is undone as for everybody.
// A hero who has left the party stays out of it. Whom the story itself brings into the party or takes out of it follows the story.
//
// left is where heroes are found who are not in the world of then; one whose joining is not in it cannot be kept.
func Keeps(now, then *world.World, left []world.Event) ([]world.Event, error) {
	was, self := now.Self(), *then.Self()
	self.TurnMode, self.Allow, self.AllowAll = was.TurnMode, was.Allow, was.AllowAll
	self.Lines, self.Veils = unite(self.Lines, was.Lines), unite(self.Veils, was.Veils)
	for _, name := range keptRules() {
		if n, set := was.Rules[name]; set {
			self.Rules = world.With(self.Rules, name, n)
		} else if _, set := self.Rules[name]; set {
			self.Rules = world.Without(self.Rules, name)
		}
	}
	events := joiningHeroes(now, then, left)
	self.Party = mergedParty(now, then, events)
	if len(self.Party) > 0 && !slices.Contains(self.Party, self.Active) {
		self.Active = self.Party[0]
	}
	events = append(events, ownerChanges(now, then)...)
	if e := (world.Event{Old: then.Self(), New: &self}); len(e.Changes()) > 0 {
		events = append(events, e)
	}
	return events, nil
}

// keptRules are the names of the rules that the table sets.
func keptRules() []string { return []string{"no_teller", "round_minutes"} }

// unite is what either list has, in the order of the first one.
func unite(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = world.Append(a, s)
		}
	}
	return a
}

// joiningHeroes are the events by which players' heroes, and what they had when they joined, come into a world in which they are not yet. So do
// those who have left the party: else a world that does not know them could not tell that they did.
func joiningHeroes(now, then *world.World, left []world.Event) (events []world.Event) {
	place := ""
	for _, id := range append([]string{then.Self().Active}, then.Self().Party...) {
		if a := then.Actor(id); a != nil && place == "" {
			place = a.Place
		}
	}
	var born []string
	for _, e := range left {
		if e.Old != nil || e.New == nil {
			continue
		}
		switch r := e.New.(type) {
		case *world.Actor:
			is := now.Actor(r.ID)
			if is == nil || is.Owner == "" || then.Actor(r.ID) != nil || slices.Contains(born, r.ID) {
				continue
			}
			hero := *r
			if place != "" {
				hero.Place, hero.Pos = place, nil
			}
			if hero.Owner != is.Owner {
				hero.Owner, hero.Name = is.Owner, is.Name
			}
			born, events = append(born, r.ID), append(events, world.Event{New: &hero})
		case *world.Thing:
			if slices.Contains(born, r.Parent) && then.Thing(r.ID) == nil {
				events = append(events, e)
			}
		}
	}
	return events
}

// mergedParty is who is in the party: players as they are now, all others as they were then.
func mergedParty(now, then *world.World, born []world.Event) (ids []string) {
	played := func(id string) bool {
		a, b := now.Actor(id), then.Actor(id)
		return a != nil && a.Owner != "" || a != nil && b != nil && b.Owner != ""
	}
	there := func(id string) bool {
		return then.Actor(id) != nil || slices.ContainsFunc(born, func(e world.Event) bool { return e.New.Key() == id })
	}
	for _, id := range now.Self().Party {
		if played(id) && there(id) || !played(id) && slices.Contains(then.Self().Party, id) {
			ids = append(ids, id)
		}
	}
	for _, id := range then.Self().Party {
		if !played(id) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// ownerChanges are the events by which whoever is there then is played by whom they are played now, by the name that those gave them.
func ownerChanges(now, then *world.World) (events []world.Event) {
	for _, a := range then.Actors() {
		if is := now.Actor(a.ID); is != nil && is.Owner != a.Owner {
			next := *a
			next.Owner, next.Name = is.Owner, is.Name
			events = append(events, world.Event{Old: a, New: &next})
		}
	}
	return events
}
