package chart

import (
	"slices"
	"strings"

	"hob/internal/display"
)

// plan is a map that can be drawn: its names are clean, it has at most MaxRooms rooms, its links join two of them each, and
// areas have a cell of their own.
type plan struct {
	m          Map
	cells      []spot // of areas, by room
	edges      []edge
	cols, rows int
}

// spot is a cell counted from the upper left corner.
type spot struct{ col, row int }

// edge is one line of a map; one way it leads from a to b.
type edge struct {
	a, b   int
	oneWay bool
	stairs bool
	up     bool // the stairs lead up from a to b
	door   Door
	walked bool // the trail goes along it
}

// newPlan returns the plan of m. It moves rooms of areas apart that share a cell, and makes one of several empty rows or
// columns, so that no coordinate makes a picture large.
func newPlan(m Map) *plan {
	if len(m.Rooms) > MaxRooms {
		m = keepRooms(m, nearestRooms(len(m.Rooms), m.Links, max(currentRoom(m.Rooms), 0), MaxRooms))
	}
	rooms := append([]Room(nil), m.Rooms...)
	here := currentRoom(rooms)
	for i := range rooms {
		r := &rooms[i]
		r.Name = display.Name(r.Name, nameRunes)
		if r.Name == "" {
			r.Name = display.Name(r.ID, nameRunes)
		}
		r.Current = i == here
		r.Visited = r.Visited || r.Current
		if !r.Visited && (!r.Known || r.Name == "") {
			r.Name, r.Known = "", false
		}
		party := make([]string, 0, len(r.Party))
		for _, name := range r.Party {
			if name = display.Name(name, nameRunes); name != "" {
				party = append(party, name)
			}
		}
		r.Party = party
	}
	m.Rooms, m.Title = rooms, display.Name(m.Title, nameRunes)
	p := &plan{m: m}
	p.mergeLinks()
	p.followTrail()
	p.assignCells()
	return p
}

// mergeLinks makes the edges from the links, in the order in which their pairs first come, and marks the stairs.
func (p *plan) mergeLinks() {
	index := map[[2]int]int{}
	rooms := p.m.Rooms
	for _, l := range p.m.Links {
		if l.From < 0 || l.To < 0 || l.From >= len(rooms) || l.To >= len(rooms) || l.From == l.To {
			continue
		}
		up, down := strings.Contains(l.Dir, "u"), strings.Contains(l.Dir, "d")
		rooms[l.From].Up, rooms[l.From].Down = rooms[l.From].Up || up, rooms[l.From].Down || down
		if !l.OneWay {
			rooms[l.To].Up, rooms[l.To].Down = rooms[l.To].Up || down, rooms[l.To].Down || up
		}
		key := [2]int{min(l.From, l.To), max(l.From, l.To)}
		at, known := index[key]
		if !known {
			index[key] = len(p.edges)
			p.edges = append(p.edges, edge{a: l.From, b: l.To, oneWay: l.OneWay, stairs: up || down, up: up, door: l.Door})
			continue
		}
		e := &p.edges[at]
		e.oneWay = e.oneWay && l.OneWay && e.a == l.From
		if !e.stairs && (up || down) {
			e.stairs, e.up = true, up == (e.a == l.From)
		}
		if doorStrength(l.Door) > doorStrength(e.door) {
			e.door = l.Door
		}
	}
}

// followTrail marks the edges that the trail goes along. Between two rooms that no edge joins it goes through as few rooms as it
// can that were visited.
func (p *plan) followTrail() {
	if len(p.m.Trail) < 2 {
		return
	}
	index := map[[2]int]int{}
	next := make([][]int, len(p.m.Rooms))
	for i, e := range p.edges {
		index[[2]int{e.a, e.b}], index[[2]int{e.b, e.a}] = i, i
		next[e.a], next[e.b] = append(next[e.a], e.b), append(next[e.b], e.a)
	}
	for k := 1; k < len(p.m.Trail); k++ {
		from, to := p.m.Trail[k-1], p.m.Trail[k]
		if min(from, to) < 0 || max(from, to) >= len(next) {
			continue
		}
		back := map[int]int{to: to}
		for queue := []int{to}; len(queue) > 0; queue = queue[1:] {
			for _, room := range next[queue[0]] {
				if _, known := back[room]; !known && p.m.Rooms[room].Visited {
					back[room] = queue[0]
					queue = append(queue, room)
				}
			}
		}
		if _, reached := back[from]; !reached {
			continue
		}
		for at := from; at != to; at = back[at] {
			p.edges[index[[2]int{at, back[at]}]].walked = true
		}
	}
}

// doorStrength is 0 for no door.
func doorStrength(d Door) int { return 1 + slices.Index([]Door{Open, Closed, Locked}, d) }

// assignCells gives each room of an area its cell.
func (p *plan) assignCells() {
	rooms := p.m.Rooms
	xs, ys := make([]int64, len(rooms)), make([]int64, len(rooms))
	for i := range rooms {
		xs[i], ys[i] = rooms[i].X, rooms[i].Y
	}
	if p.m.Layer == Zones { // cells as large as zones lie apart
		xs, ys = boundedMetres(rooms)
		step := spacing(xs, ys)
		for i := range xs {
			xs[i], ys[i] = floorDiv(xs[i], step), floorDiv(ys[i], step)
		}
	}
	rank(xs)
	rank(ys)
	taken := newCellSet()
	for i := range rooms {
		c := taken.nearest(xs[i], ys[i])
		taken.take(c)
		xs[i], ys[i] = c.X, c.Y
	}
	p.cells = make([]spot, len(rooms))
	p.cols = shiftToZero(xs, func(i, v int) { p.cells[i].col = v })
	p.rows = shiftToZero(ys, func(i, v int) { p.cells[i].row = v })
}

// floorDiv rounds down.
func floorDiv(a, b int64) int64 {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

// rank replaces values by small ones that keep their order; neighbours stay neighbours, and gaps become one.
func rank(values []int64) {
	sorted := slices.Sorted(slices.Values(values))
	to := map[int64]int64{}
	next := int64(0)
	for i, v := range sorted {
		if i > 0 && v != sorted[i-1] {
			next++
			if uint64(v)-uint64(sorted[i-1]) > 1 {
				next++
			}
		}
		to[v] = next
	}
	for i, v := range values {
		values[i] = to[v]
	}
}

// shiftToZero sets each value counted from the least one, and returns the number of values up to the greatest.
func shiftToZero(values []int64, set func(i, v int)) int {
	if len(values) == 0 {
		return 0
	}
	low := slices.Min(values)
	for i, v := range values {
		set(i, int(v-low))
	}
	return int(slices.Max(values)-low) + 1
}

// within returns the part of p that lies in a window of at most cols times rows cells which has the current room, or the
// first one, as near to its middle as the edges of the map allow.
func (p *plan) within(cols, rows int) *plan {
	if p.cols <= cols && p.rows <= rows {
		return p
	}
	c := p.cells[max(currentRoom(p.m.Rooms), 0)]
	left := max(0, min(c.col-cols/2, p.cols-cols))
	top := max(0, min(c.row-rows/2, p.rows-rows))
	keep := make([]bool, len(p.cells))
	for i, c := range p.cells {
		keep[i] = left <= c.col && c.col < left+cols && top <= c.row && c.row < top+rows
	}
	return p.keep(keep)
}

// keep returns p with those rooms only.
func (p *plan) keep(keep []bool) *plan {
	xs, ys := []int64{}, []int64{}
	for i, c := range p.cells {
		if keep[i] {
			xs, ys = append(xs, int64(c.col)), append(ys, int64(c.row))
		}
	}
	out := &plan{m: keepRooms(p.m, keep), cells: make([]spot, len(xs))}
	out.cols = shiftToZero(xs, func(i, v int) { out.cells[i].col = v })
	out.rows = shiftToZero(ys, func(i, v int) { out.cells[i].row = v })
	to := renumber(keep)
	for _, e := range p.edges {
		if keep[e.a] && keep[e.b] {
			e.a, e.b = to[e.a], to[e.b]
			out.edges = append(out.edges, e)
		}
	}
	return out
}

// keepRooms returns m with the rooms that keep names and the links between them; the others are counted in Beyond.
func keepRooms(m Map, keep []bool) Map {
	to := renumber(keep)
	var rooms []Room
	for i := range m.Rooms {
		if keep[i] {
			rooms = append(rooms, m.Rooms[i])
		}
	}
	var links []Link
	for _, l := range m.Links {
		if l.From >= 0 && l.To >= 0 && l.From < len(keep) && l.To < len(keep) && keep[l.From] && keep[l.To] {
			l.From, l.To = to[l.From], to[l.To]
			links = append(links, l)
		}
	}
	var trail []int
	for _, r := range m.Trail {
		if r >= 0 && r < len(keep) && keep[r] {
			trail = append(trail, to[r])
		}
	}
	m.Beyond, m.Trail = m.Beyond+len(m.Rooms)-len(rooms), trail
	m.Rooms, m.Links = rooms, links
	return m
}

// renumber returns the new index of each room that is kept.
func renumber(keep []bool) []int {
	to, next := make([]int, len(keep)), 0
	for i, k := range keep {
		to[i] = next
		if k {
			next++
		}
	}
	return to
}

// nearestRooms marks the rooms that are the fewest links away from start, up to a limit. If the links reach fewer, it goes on with
// the first others.
func nearestRooms(n int, links []Link, start, limit int) []bool {
	next := neighbours(n, links)
	keep, count := make([]bool, n), 0
	for k := -1; k < n && count < limit; k++ {
		first := k
		if k < 0 {
			first = start
		}
		if keep[first] {
			continue
		}
		keep[first] = true
		count++
		for queue := []int{first}; len(queue) > 0; queue = queue[1:] {
			for _, s := range next[queue[0]] {
				if !keep[s.to] && count < limit {
					keep[s.to] = true
					count++
					queue = append(queue, s.to)
				}
			}
		}
	}
	return keep
}

// currentRoom returns the index of the room where the reader is, or -1.
func currentRoom(rooms []Room) int {
	return slices.IndexFunc(rooms, func(r Room) bool { return r.Current })
}
