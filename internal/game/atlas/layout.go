// Package atlas generates the positions and the names of places: the topology of a map, its names, the spots of zones on the
// ground. It knows no campaign and no ids. Plain values go in and plain values come out; equal values in are equal bytes out, on
// any machine and with any release of Go. Nothing in it is a float.
//
// The compass is that of a map on paper: x and a grid's columns grow to the east, y and a grid's rows grow to the south, so
// the north of a room is the row before its own. Positions are whole metres.
package atlas

import (
	"fmt"
	"strconv"
)

// The limits of a layout.
const (
	MaxRooms     = 30
	DefaultLoops = 250  // game.md: a quarter of the possible loops
	allLoops     = 1000 // per mille
)

// DefaultTheme names a map that nobody gave a theme.
const DefaultTheme = "Generated"

// Plan describes a map to generate. Parent is "" for none.
type Plan struct {
	Campaign, Parent, Seed, Theme string

	Size          int  // rooms, 1 to [MaxRooms]
	LoopsPerMille int  // the chance of a link between two neighbours without one, 0 to 1000; usually [DefaultLoops]
	Hub           bool // every room is linked with the parent
	Locks         bool // there are doors, and some are locked
}

// Layout is a connected map on a grid. Room 0 lies at (0, 0) and is the entry.
type Layout struct {
	Key     Key // what its names are drawn from, see [Naming]
	Rooms   []Room
	Links   []Link // those of the tree first, in the order of the rooms they lead to; then the loops, by their rooms
	Outward []int  // the rooms that are linked with the parent, both ways: room 0, or all of them around a hub
}

// Room is one place of a layout.
type Room struct {
	GX, GY int      // its cell; no two rooms share one
	Depth  int      // links between it and room 0, at least
	Tags   []string // of [Entry], [Goal], [DeadEnd], [Treasure], [Secret], in this order
}

// The tags of rooms.
const (
	Entry    = "entry"    // room 0
	Goal     = "goal"     // the deepest room, and the first of several; a map of one room has none
	DeadEnd  = "dead_end" // has one link, and is neither of the former; it is also one of the following
	Treasure = "treasure"
	Secret   = "secret"
)

// Link joins two rooms in neighbouring cells, and is open in both directions. A is less than B.
type Link struct {
	A, B    int    // indices of rooms
	Dir     string // where B lies seen from A: n, e, s or w
	Tree    bool   // without the links that are not, there would still be a way to every room
	Door    string // see [NoDoor]
	KeyRoom int    // the room that holds the key of a locked door, else -1
}

// The doors of a link.
const (
	NoDoor     = "none"
	OpenDoor   = "open"
	ClosedDoor = "closed"
	LockedDoor = "locked"
)

// side is one of the four neighbours of a cell.
type side struct {
	dir    string
	dx, dy int
}

func sides() [4]side {
	return [4]side{{"n", 0, -1}, {"e", 1, 0}, {"s", 0, 1}, {"w", -1, 0}}
}

// Generate lays out a map. Rooms and links follow from the plan's texts, size and loops; Hub and Locks move no room. With a
// hub there are no doors, for the parent would be a way around them.
func Generate(p Plan) (Layout, error) {
	if p.Size < 1 || p.Size > MaxRooms {
		return Layout{}, fmt.Errorf("a map of %d rooms cannot be laid out: use a size of 1 to %d", p.Size, MaxRooms)
	}
	if p.LoopsPerMille < 0 || p.LoopsPerMille > allLoops {
		return Layout{}, fmt.Errorf("%d of 1000 loops cannot be laid out: use 0 to %d", p.LoopsPerMille, allLoops)
	}
	key := KeyOf("hob-map-v1", p.Campaign, p.Parent, p.Seed, p.Theme, strconv.Itoa(p.Size), strconv.Itoa(p.LoopsPerMille))
	s := newSketch(key, p.Size)
	s.addLoops(p.LoopsPerMille)
	s.tagRooms()
	if p.Locks && !p.Hub {
		s.hangDoors()
	}
	return s.layout(p.Hub), nil
}
