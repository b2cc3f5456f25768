package game

import (
	"slices"

	"hob/internal/game/rules"
	"hob/internal/game/world"
)

// Keeps returns the changes by which an undo leaves the settings of the players as they are (see [eventlog.Options]): the mode of turns,
// lines and veils, the tools, and who plays whom. Lines and veils only grow. A hero who joined after that moment is as at the joining,
// with the things of that time, and stands where the party is: the later deeds are undone as for everybody. A hero who has left the
// party stays out of it. Others whom the story brings into the party or takes out of it follow the story.
//
// left has the events in which heroes are found who are not in the world of then. A hero without such an event cannot be kept.
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

// keptRules returns the names of the rules that the table sets.
func keptRules() []string { return []string{"no_teller", "round_minutes"} }

// unite returns the items of both lists, in the order of the first one.
func unite(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = world.Append(a, s)
		}
	}
	return a
}

// joiningHeroes returns the events that bring the players' heroes, with the things of their joining, into a world that lacks them.
// Heroes who have left the party come, too: else a world without them could not say that they left.
func joiningHeroes(now, then *world.World, left []world.Event) (events []world.Event) {
	place := rules.PartyPlace(then)
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

// mergedParty returns the party: players as they are now, all others as they were then.
func mergedParty(now, then *world.World, born []world.Event) (ids []string) {
	played := func(id string) bool {
		a, b := now.Actor(id), then.Actor(id)
		return a != nil && a.Owner != "" || a != nil && b != nil && b.Owner != ""
	}
	there := func(id string) bool {
		return then.Actor(id) != nil || slices.ContainsFunc(born, func(e world.Event) bool { return e.New.Key() == id })
	}
	for _, id := range now.Self().Party {
		if played(id) && there(id) || !played(id) && rules.InParty(then, id) {
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

// ownerChanges returns the events that give the actors of then the players and the names of now.
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
