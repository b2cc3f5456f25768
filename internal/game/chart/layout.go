package chart

import "strings"

// Cell is a place on a grid; X grows to the east and Y to the south.
type Cell struct {
	X, Y int64
	// Placed is false for rooms that are beyond the bound of Layout.
	Placed bool
}

// Arrange lays out the rooms of a map without positions, as areas around the current room. It removes the rooms that are not
// placed, with their links, and counts them in Beyond.
func Arrange(m Map) Map {
	cells := Layout(len(m.Rooms), m.Links, max(currentRoom(m.Rooms), 0))
	keep := make([]bool, len(cells))
	rooms := append([]Room(nil), m.Rooms...)
	for i, c := range cells {
		rooms[i].X, rooms[i].Y, keep[i] = c.X, c.Y, c.Placed
	}
	m.Rooms, m.Layer = rooms, Areas
	return keepRooms(m, keep)
}

// Layout places n rooms on a grid. The start is at (0,0). First come the rooms that links with directions lead to, each on the
// next cell in its direction or on the free cell nearest to that one. Then comes a room that another link leads to, beside the
// room where the link begins, and again all that directions lead to from there. Rooms that no link reaches begin anew to the
// east of all others. Equal arguments give equal cells, and no two rooms share one. At most MaxRooms rooms are placed: those
// that are fewest links away from the start, then the others in order.
func Layout(n int, links []Link, start int) []Cell {
	if n == 0 {
		return nil
	}
	start = max(0, min(start, n-1))
	l := layout{cells: make([]Cell, n), keep: nearestRooms(n, links, start, MaxRooms), next: neighbours(n, links), floor: newCellSet()}
	l.placeFrom(start, Cell{})
	for room := range n {
		if l.isWanted(room) {
			l.placeFrom(room, Cell{X: l.east + 2})
		}
	}
	return l.cells
}

// layout is a layout that is being made.
type layout struct {
	cells []Cell
	keep  []bool
	next  [][]step
	floor cellSet
	east  int64
}

func (l *layout) isWanted(room int) bool { return l.keep[room] && !l.cells[room].Placed }

func (l *layout) place(room int, want Cell) {
	at := l.floor.nearest(want.X, want.Y)
	at.Placed = true
	l.floor.take(at)
	l.cells[room] = at
	l.east = max(l.east, at.X)
}

// placeFrom places a room and all rooms that it is linked with, directly or not.
func (l *layout) placeFrom(first int, at Cell) {
	l.place(first, at)
	straight, other := []int{first}, []int{first} // rooms whose links with, and without, directions are still to be followed
	for len(other) > 0 {
		if len(straight) > 0 {
			room := straight[0]
			straight = straight[1:]
			for _, s := range l.next[room] {
				if dx, dy := offset(s.dir); l.isWanted(s.to) && (dx != 0 || dy != 0) {
					l.place(s.to, Cell{X: l.cells[room].X + dx, Y: l.cells[room].Y + dy})
					straight, other = append(straight, s.to), append(other, s.to)
				}
			}
			continue
		}
		room, found := other[0], false
		for _, s := range l.next[room] {
			if found = l.isWanted(s.to); found {
				l.place(s.to, l.floor.beside(l.cells[room]))
				straight, other = append(straight, s.to), append(other, s.to)
				break
			}
		}
		if !found {
			other = other[1:]
		}
	}
}

// step is a link seen from one of its rooms.
type step struct {
	to  int
	dir string
}

// neighbours returns the links of each room, in order, from both of their ends.
func neighbours(n int, links []Link) [][]step {
	next := make([][]step, n)
	for _, l := range links {
		if l.From < 0 || l.To < 0 || l.From >= n || l.To >= n || l.From == l.To {
			continue
		}
		next[l.From] = append(next[l.From], step{l.To, l.Dir})
		next[l.To] = append(next[l.To], step{l.From, opposite(l.Dir)})
	}
	return next
}

// offset returns the cells that a direction leads to the east and to the south; both are 0 where it leads nowhere on a map.
func offset(dir string) (dx, dy int64) {
	for _, c := range dir {
		switch c {
		case 'n':
			dy = -1
		case 's':
			dy = 1
		case 'e':
			dx = 1
		case 'w':
			dx = -1
		}
	}
	return dx, dy
}

func opposite(dir string) string {
	return strings.Map(func(c rune) rune {
		if at := strings.IndexRune("nsewud", c); at >= 0 {
			return rune("snwedu"[at])
		}
		return c
	}, dir)
}

// cellSet is the taken cells.
type cellSet struct {
	at   map[[2]int64]bool
	full map[[2]int64]int64 // the rings around a cell that are known to be taken
}

func newCellSet() cellSet { return cellSet{map[[2]int64]bool{}, map[[2]int64]int64{}} }

func (f cellSet) take(c Cell)             { f.at[[2]int64{c.X, c.Y}] = true }
func (f cellSet) isTaken(x, y int64) bool { return f.at[[2]int64{x, y}] }
func (f cellSet) countFree(x, y int64) (n int) {
	for _, d := range ring(1, nil) {
		if !f.isTaken(x+d[0], y+d[1]) {
			n++
		}
	}
	return n
}

// nearest returns the free cell that is the fewest orthogonal steps away from x, y. There is one within as many rings as
// there are cells taken, so it ends.
func (f cellSet) nearest(x, y int64) Cell {
	if !f.isTaken(x, y) {
		return Cell{X: x, Y: y}
	}
	var around [][2]int64
	for r := f.full[[2]int64{x, y}] + 1; ; r++ {
		f.full[[2]int64{x, y}] = r - 1
		around = ring(r, around[:0])
		for _, d := range around {
			if !f.isTaken(x+d[0], y+d[1]) {
				return Cell{X: x + d[0], Y: y + d[1]}
			}
		}
	}
}

// beside returns the free neighbour of c that has most room around itself, or c where all are taken.
func (f cellSet) beside(c Cell) Cell {
	best, most := c, -1
	for _, d := range ring(1, nil) {
		if x, y := c.X+d[0], c.Y+d[1]; !f.isTaken(x, y) && f.countFree(x, y) > most {
			best, most = Cell{X: x, Y: y}, f.countFree(x, y)
		}
	}
	return best
}

// ring appends the offsets that are r orthogonal steps long: first those straight to the east, north, west and south, then
// the others around.
func ring(r int64, into [][2]int64) [][2]int64 {
	for k := range r {
		into = append(into, [2]int64{r - k, -k}, [2]int64{-k, k - r}, [2]int64{k - r, k}, [2]int64{k, r - k})
	}
	return into
}
