package atlas

// Rooms to each lock a map has at most, and the least rooms a map with a lock has: with fewer, the key would lie before the
// door.
const (
	roomsPerLock = 10
	leastLocked  = 4
)

// doors hangs doors in a third of the links, half of them closed, and locks some that cannot be walked around.
func (s *sketch) doors() {
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
		s.lock(&random)
	}
}

// lock locks one more link, if there is one to lock, and lays its key where one comes without it. The map was solvable
// without this lock; so once the key is found, which needs no room behind the lock, it is as it was: solvable.
func (s *sketch) lock(random *chance) {
	bridges, weights, total := make([]int, 0, len(s.links)), make([]int, 0, len(s.links)), 0
	goal := s.goal()
	for i := range s.links {
		if s.worthLocking(i) {
			weight := 1
			if s.inside[s.links[i].B].has(goal) {
				weight = 3 // a lock on the way to the goal is a story
			}
			bridges, weights, total = append(bridges, i), append(weights, weight), total+weight
		}
	}
	if total == 0 {
		return
	}
	pick, chosen := random.below(total), 0
	for pick >= weights[chosen] {
		pick -= weights[chosen]
		chosen++
	}
	l := &s.links[bridges[chosen]]
	l.Door = LockedDoor
	before := reached(len(s.rooms), s.links)
	// A key at the very entry, or in the door's own room, is no search.
	if away := before &^ only(0) &^ only(l.A); away != 0 {
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
	for _, around := range s.links {
		if !around.Tree && behind.has(around.A) != behind.has(around.B) {
			return false
		}
	}
	return true
}

// Solvable reports whether every room can be reached from room 0 with the keys that are found on the way. Open and closed
// doors hold nobody up; a locked door without a key is never passed.
func Solvable(l Layout) bool {
	if len(l.Rooms) == 0 || len(l.Rooms) > MaxRooms {
		return false
	}
	for _, link := range l.Links {
		if min(link.A, link.B) < 0 || max(link.A, link.B) >= len(l.Rooms) {
			return false
		}
	}
	return reached(len(l.Rooms), l.Links).size() == len(l.Rooms)
}

// reached walks from room 0 until nothing more opens.
func reached(rooms int, links []Link) set {
	found := only(0)
	for range rooms {
		before := found
		for _, l := range links {
			if l.Door == LockedDoor && (l.KeyRoom < 0 || !found.has(l.KeyRoom)) {
				continue
			}
			if found.has(l.A) || found.has(l.B) {
				found |= only(l.A) | only(l.B)
			}
		}
		if found == before {
			break
		}
	}
	return found
}
