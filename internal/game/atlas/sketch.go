package atlas

import "math/bits"

// set is a set of rooms: the bit 1<<i is room i.
type set uint32

func (s set) has(room int) bool { return s>>room&1 == 1 }
func (s set) size() int         { return bits.OnesCount32(uint32(s)) }

// setOf returns the set of one room.
func setOf(room int) set { return 1 << room }

// first returns the room with the smallest index. s is not empty.
func (s set) first() int { return bits.TrailingZeros32(uint32(s)) }

// sketch is a layout in the making.
type sketch struct {
	key    Key
	rooms  []Room
	links  []Link
	beside [MaxRooms]set // the rooms that a room is linked with
	inside [MaxRooms]set // the room and what hangs on it in the tree
}

func (s *sketch) degree(room int) int { return s.beside[room].size() }

func (s *sketch) link(a, b int, dir string, tree bool) {
	s.links = append(s.links, Link{A: a, B: b, Dir: dir, Tree: tree, Door: NoDoor, KeyRoom: -1})
	s.beside[a] |= setOf(b)
	s.beside[b] |= setOf(a)
}

// newSketch grows a tree: each step lists every room with every free cell beside it, and chooses one.
func newSketch(key Key, size int) *sketch {
	const width = 2*MaxRooms - 1 // a branch straight to any side fits
	var taken [width][width]bool
	type bud struct {
		room int
		side side
	}
	buds, weights := make([]bud, 0, 4*MaxRooms), make([]int, 0, 4*MaxRooms)
	s := &sketch{key: key, rooms: make([]Room, 1, size), links: make([]Link, 0, 2*size)}
	random := key.stream(forRooms)
	compass := sides()
	taken[MaxRooms-1][MaxRooms-1] = true
	for len(s.rooms) < size {
		buds, weights = buds[:0], weights[:0]
		for i, r := range s.rooms {
			for _, to := range compass {
				if !taken[r.GY+to.dy+MaxRooms-1][r.GX+to.dx+MaxRooms-1] {
					buds, weights = append(buds, bud{i, to}), append(weights, growthWeight(s.degree(i)))
				}
			}
		}
		chosen := buds[random.weighted(weights)]
		from, to := chosen.room, chosen.side
		r := Room{GX: s.rooms[from].GX + to.dx, GY: s.rooms[from].GY + to.dy}
		taken[r.GY+MaxRooms-1][r.GX+MaxRooms-1] = true
		s.rooms = append(s.rooms, r)
		s.link(from, len(s.rooms)-1, to.dir, true)
	}
	s.collectSubtrees()
	return s
}

// growthWeight is how readily a room with that many links grows another: game.md's 1 + 8/(1+links²), five times, which is whole.
// It makes long branches and few hubs. A room with four links has no free cell beside it.
func growthWeight(links int) int {
	return 5 + 40/(1+links*links)
}

// collectSubtrees finds what hangs on each room. A room of the tree comes after the one that it hangs on.
func (s *sketch) collectSubtrees() {
	for i := len(s.links) - 1; i >= 0; i-- {
		l := s.links[i]
		s.inside[l.B] |= setOf(l.B)
		s.inside[l.A] |= s.inside[l.B]
	}
	s.inside[0] |= setOf(0)
}

// addLoops links neighbours that the tree left apart, each pair with the same likelihood.
func (s *sketch) addLoops(perMille int) {
	random := s.key.stream(forLoops)
	for a := range s.rooms {
		for b := a + 1; b < len(s.rooms); b++ {
			if dir := directionTo(s.rooms[a], s.rooms[b]); dir != "" && !s.beside[a].has(b) && random.below(allLoops) < perMille {
				s.link(a, b, dir, false)
			}
		}
	}
}

// directionTo returns where b lies seen from a, or "" where they are not in neighbouring cells.
func directionTo(a, b Room) string {
	for _, to := range sides() {
		if b.GX-a.GX == to.dx && b.GY-a.GY == to.dy {
			return to.dir
		}
	}
	return ""
}

// tagRooms measures the depth of the rooms and says what they are.
func (s *sketch) tagRooms() {
	goal := 0
	found, edge := setOf(0), setOf(0)
	for depth := 0; edge != 0; depth++ {
		goal = edge.first()
		var next set
		for rest := edge; rest != 0; rest &= rest - 1 {
			s.rooms[rest.first()].Depth = depth
			next |= s.beside[rest.first()]
		}
		edge = next &^ found
		found |= edge
	}
	random := s.key.stream(forTags)
	for i := range s.rooms {
		switch {
		case i == 0:
			s.rooms[i].Tags = []string{Entry}
		case i == goal:
			s.rooms[i].Tags = []string{Goal}
		case s.degree(i) == 1:
			s.rooms[i].Tags = []string{DeadEnd, [2]string{Treasure, Secret}[random.below(2)]}
		}
	}
}

func (s *sketch) layout(hub bool) Layout {
	l := Layout{Key: s.key, Rooms: s.rooms, Links: s.links, Outward: []int{0}}
	for i := 1; hub && i < len(s.rooms); i++ {
		l.Outward = append(l.Outward, i)
	}
	return l
}
