package atlas

import "slices"

// Rooms to each lock a map has at most, and the least rooms a map with a lock has: with fewer, the key would lie before the
// door.
const (
	roomsPerLock = 10
	leastLocked  = 4
)

// hangDoors hangs doors in a third of the links, half of them closed, and locks some that cannot be walked around.
func (s *sketch) hangDoors() {
	random := s.key.stream(forDoors)
	for i := range s.links {
		switch random.below(6) {
		case 0:
			s.links[i].Door = OpenDoor
		case 1:
			s.links[i].Door = ClosedDoor
		}
	}
	for range 1 + len(s.rooms)/roomsPerLock {
		s.lockOne(&random)
	}
}

// lockOne locks one more link, if there is one to lock, and lays its key where one comes without it. The map was solvable
// without this lock; so once the key is found, which needs no room behind the lock, it is as it was: solvable.
func (s *sketch) lockOne(random *chance) {
	var bridges, weights []int
	goal := s.goal()
	for i := range s.links {
		if s.worthLocking(i) {
			weight := 1
			if s.inside[s.links[i].B].has(goal) {
				weight = 3 // a lock on the way to the goal is a story
			}
			bridges, weights = append(bridges, i), append(weights, weight)
		}
	}
	if len(bridges) == 0 {
		return
	}
	l := &s.links[bridges[random.weighted(weights)]]
	l.Door = LockedDoor
	before := reachableRooms(len(s.rooms), s.links)
	// A key at the very entry, or in the door's own room, is no search.
	if away := before &^ setOf(0) &^ setOf(l.A); away != 0 {
		before = away
	}
	for skip := random.below(before.size()); skip > 0; skip-- {
		before &= before - 1
	}
	l.KeyRoom = before.first()
}

// goal returns the room that tag called so, or 0 on a map of one room.
func (s *sketch) goal() int {
	for i, r := range s.rooms {
		if len(r.Tags) > 0 && r.Tags[0] == Goal {
			return i
		}
	}
	return 0
}

// worthLocking is true of a bridge: a link of the tree that no loop leads around. There are two rooms at least on the side of
// the entry, so that the key need not lie where one begins.
func (s *sketch) worthLocking(link int) bool {
	l := s.links[link]
	if len(s.rooms) < leastLocked || !l.Tree || l.Door == LockedDoor {
		return false
	}
	behind := s.inside[l.B]
	if len(s.rooms)-behind.size() < 2 {
		return false
	}
	return !slices.ContainsFunc(s.links, func(around Link) bool {
		return !around.Tree && behind.has(around.A) != behind.has(around.B)
	})
}

// reachableRooms walks from room 0 until nothing more opens.
func reachableRooms(rooms int, links []Link) set {
	found := setOf(0)
	for range rooms {
		before := found
		for _, l := range links {
			if l.Door == LockedDoor && (l.KeyRoom < 0 || !found.has(l.KeyRoom)) {
				continue
			}
			if found.has(l.A) || found.has(l.B) {
				found |= setOf(l.A) | setOf(l.B)
			}
		}
		if found == before {
			break
		}
	}
	return found
}
