package rules

import (
	"slices"

	"hob/internal/game/world"
)

// StateOf returns an actor's state; one of whom no state is known is alive.
func StateOf(a *world.Actor) string {
	if a.State == "" {
		return world.Alive
	}
	return a.State
}

// Over reports whether a quest is done or has failed.
func Over(q *world.Quest) bool { return q.State == world.Done || q.State == world.Failed }

// Secret reports whether players do not know of a place yet.
func Secret(p *world.Place) bool { return p.Secret && !p.Visited }

// Shut reports whether the door of a way is closed or locked.
func Shut(l *world.Link) bool { return l.Door == world.ClosedDoor || l.Door == world.LockedDoor }

// Encloses reports whether an object with that relation to another one is within it, not merely on it or a part of it.
func Encloses(rel string) bool { return rel != world.On && rel != world.Part }

// Greeting returns the index of the words with which somebody greets: of those that may be said (open), the first without keys;
// -1 for none.
func Greeting(a *world.Actor, open []int) int {
	for _, i := range open {
		if len(a.Talk[i].Keys) == 0 {
			return i
		}
	}
	return -1
}

// InParty reports whether an actor is of the party.
func InParty(w *world.World, id string) bool { return slices.Contains(w.Self().Party, id) }

// Opposite returns the direction back, "" for a word that is no direction.
func Opposite(dir string) string {
	for _, pair := range [...][2]string{{"n", "s"}, {"e", "w"}, {"u", "d"}, {"ne", "sw"}, {"nw", "se"}, {"in", "out"}} {
		switch dir {
		case pair[0]:
			return pair[1]
		case pair[1]:
			return pair[0]
		}
	}
	return ""
}
