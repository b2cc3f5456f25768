package chart

import "cmp"

const (
	linkWide = 10 // of the floor of a way
	wallWide = 3  // on each side of it, between places with walls
	laneStep = 5  // from the middle between two rows or columns, where doors are, to links that run along there
)

// ways returns the way of each link, from room to room.
func (a *artist) ways() [][]point {
	out := make([][]point, len(a.edges))
	for i, e := range a.edges {
		way := []point{a.places[e.a].at, a.places[e.b].at}
		if a.m.Layer != Zones && a.isBlocked(e) {
			way = a.detour(e, i)
		}
		way[0] = a.edgePoint(e.a, way[1])
		last := len(way) - 1
		way[last] = a.edgePoint(e.b, way[last-1])
		out[i] = way
	}
	return out
}

// hasWalls tells whether a link is a passage between two places with walls. Others are paths.
func (a *artist) hasWalls(e edge) bool {
	return a.m.Layer != Zones && a.m.Rooms[e.a].Kind.dressing().walled && a.m.Rooms[e.b].Kind.dressing().walled
}

// drawWays draws the ways between rooms, below these.
func (a *artist) drawWays(ways [][]point) {
	for i, e := range a.edges {
		if a.hasWalls(e) {
			a.add(line(edgeInk, wideOf(ways[i])+2*wallWide, ways[i]...))
		}
	}
	for i, e := range a.edges {
		a.add(line(a.groundOf(e), wideOf(ways[i]), ways[i]...))
	}
}

// wideOf returns how wide a way is: one that goes round rooms has to be narrow.
func wideOf(way []point) int {
	if len(way) > 2 {
		return linkWide / 2
	}
	return linkWide
}

// groundOf returns the ink of the ground of a way.
func (a *artist) groundOf(e edge) ink {
	if a.hasWalls(e) {
		return floor
	}
	return road
}

// drawSigns draws what is on the ways: the trail, stairs, doors and arrows, above the rooms.
func (a *artist) drawSigns(ways [][]point) {
	for i, e := range a.edges { // the walls of its rooms end at a way
		way := ways[i]
		last := len(way) - 1
		for _, end := range [2][2]point{{way[0], way[1]}, {way[last], way[last-1]}} {
			if n := length(end[0], end[1]); n > 8 && a.m.Layer != Zones {
				a.add(solid(a.groundOf(e), across(end[0], end[1], n, -3, 4, wideOf(way)/2)))
			}
		}
	}
	for i, e := range a.edges {
		way := ways[i]
		last := len(way) - 1
		if e.walked {
			l := line(trailInk, 4, way...)
			l.on, l.off = 7, 5
			a.add(l)
		}
		if e.stairs {
			a.add(stairs(e, way)...)
		}
		a.drawDoor(e, way)
		if e.oneWay {
			p, q := way[last-1], way[last]
			if last > 1 { // its end is too short for an arrow
				p, q = longest(way)
				q = pointAlong(p, q, 3, 4)
			}
			a.add(arrowhead(p, q, min(15, length(p, q)/2)))
		}
	}
}

// across returns a box on the way from p to q, n pixels long: from one to another length of it, half its width to each side.
func across(p, q point, n, from, to, half int) []knot {
	u, v := pointAlong(p, q, from, n), pointAlong(p, q, to, n)
	dx, dy := (q.x-p.x)*half/n, (q.y-p.y)*half/n
	return polygon(point{u.x - dy, u.y + dx}, point{u.x + dy, u.y - dx}, point{v.x + dy, v.y - dx}, point{v.x - dy, v.y + dx})
}

// stairs returns steps across the longest piece of a way. They become wider towards the upper end.
func stairs(e edge, way []point) []shape {
	p, q := longest(way)
	n := length(p, q)
	var steps [][]knot
	for at := 5; at < n-3; at += 6 {
		t := at
		if !e.up {
			t = n - at
		}
		half, mid := 4+5*t/n, pointAlong(p, q, at, n)
		dx, dy := (q.x-p.x)*half/n, (q.y-p.y)*half/n
		steps = append(steps, polygon(point{mid.x - dy, mid.y + dx}, point{mid.x + dy, mid.y - dx}))
	}
	return []shape{path{outlines: steps, fill: none, edge: edgeInk, stroke: 2, open: true}}
}

// edgePoint returns where the way from the middle of a room towards a point comes out of the room.
func (a *artist) edgePoint(i int, to point) point {
	p := a.places[i]
	dx, dy := to.x-p.at.x, to.y-p.at.y
	switch n := length(p.at, to); {
	case n == 0:
		return p.at
	case a.m.Layer == Zones:
		if n <= p.hw {
			return p.at
		}
		return point{p.at.x + dx*p.hw/n, p.at.y + dy*p.hw/n}
	case abs(dx)*p.hh > abs(dy)*p.hw:
		return point{p.at.x + cmp.Compare(dx, 0)*p.hw, p.at.y + dy*p.hw/abs(dx)}
	default:
		return point{p.at.x + dx*p.hh/abs(dy), p.at.y + cmp.Compare(dy, 0)*p.hh}
	}
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// isBlocked tells whether the straight way between two rooms touches a third.
func (a *artist) isBlocked(e edge) bool {
	from, to := a.cells[e.a], a.cells[e.b]
	if abs(from.col-to.col) <= 1 && abs(from.row-to.row) <= 1 {
		return false
	}
	p, q := a.places[e.a].at, a.places[e.b].at
	for i, c := range a.cells {
		if i == e.a || i == e.b || c.col < min(from.col, to.col) || c.col > max(from.col, to.col) ||
			c.row < min(from.row, to.row) || c.row > max(from.row, to.row) {
			continue
		}
		if isNear(p, q, a.places[i]) {
			return true
		}
	}
	return false
}

// isNear tells whether the line from p to q, which lies among the rooms of a map, comes within a few pixels of a room: then
// not all of its corners lie on one side.
func isNear(p, q point, r place) bool {
	w, h := r.hw+laneStep, r.hh+laneStep
	left, right := false, false
	for _, c := range [4]point{{-w, -h}, {w, -h}, {-w, h}, {w, h}} {
		turn := (q.x-p.x)*(r.at.y+c.y-p.y) - (q.y-p.y)*(r.at.x+c.x-p.x)
		left, right = left || turn <= 0, right || turn >= 0
	}
	return left && right
}

// detour returns a way between two rooms through the space between rows and columns, where no room is. Links take turns in
// two lanes.
func (a *artist) detour(e edge, i int) []point {
	p, q := a.places[e.a], a.places[e.b]
	w, h := a.pitch.x, a.pitch.y
	shift := (i%2*2 - 1) * min(laneStep, min(w/2-p.hw, h/2-p.hh)-7)
	from, to := p.at, q.at
	dx, dy := cmp.Compare(to.x-from.x, 0), cmp.Compare(to.y-from.y, 0)
	if dx == 0 { // both leave to the same side
		dx, to.x = 1, to.x+w
	}
	if dy == 0 {
		dy, to.y = 1, to.y+h
	}
	out := point{from.x + dx*w/2 + shift, from.y + dy*h/2 + shift}
	in := point{to.x - dx*w/2 + shift, to.y - dy*h/2 + shift}
	return []point{p.at, out, {in.x, out.y}, in, q.at}
}

// drawDoor draws the door of a link in the middle of the longest piece of its way; where an arrow stands too, nearer to the
// beginning.
func (a *artist) drawDoor(e edge, way []point) {
	sign, ok := doorSign(e.door)
	if !ok {
		return
	}
	p, q := longest(way)
	n := length(p, q)
	if n == 0 {
		return
	}
	at := n / 2
	if e.oneWay && n < 44 {
		at = n / 4
	}
	a.add(newDoor(sign, pointAlong(p, q, at, n), point{(q.x - p.x) * 64 / n, (q.y - p.y) * 64 / n}, min(8, max(n/3, 3)))...)
}

// newDoor is the sign of a door across a way that leads along the vector of length 64.
func newDoor(sign sign, at, along point, thick int) []shape {
	spot := func(forth, aside int) point { // pixels along the way and to its right
		return point{at.x + (along.x*forth-along.y*aside)/64, at.y + (along.y*forth+along.x*aside)/64}
	}
	leaf := func(forth, from, to int) []knot {
		return polygon(spot(-forth, from), spot(forth, from), spot(forth, to), spot(-forth, to))
	}
	half := thick / 2
	switch sign {
	case signOpen: // two posts, and the leaf swung aside
		return []shape{edged(wood, edgeInk, 2, polygon(spot(-half, -9), spot(half-1, -8), spot(9, -17), spot(6, -19))),
			edged(edgeInk, edgeInk, 1, leaf(half, -10, -6), leaf(half, 6, 10))}
	case signLocked:
		lock := point{at.x, at.y + 1}
		return []shape{edged(wood, edgeInk, 2, leaf(half, -12, 12)),
			path{outlines: [][]knot{circle(point{lock.x, lock.y - 5}, 4)}, fill: none, edge: edgeInk, stroke: 2},
			edged(badge, edgeInk, 2, rectangle(lock.x-6, lock.y-4, 12, 10)), solid(edgeInk, rectangle(lock.x-1, lock.y-1, 2, 4))}
	}
	return []shape{edged(wood, edgeInk, 2, leaf(half, -12, 12))}
}

// longest returns the ends of the longest straight piece of a way.
func longest(way []point) (p, q point) {
	p, q = way[0], way[1]
	for i := 2; i < len(way); i++ {
		if length(way[i-1], way[i]) > length(p, q) {
			p, q = way[i-1], way[i]
		}
	}
	return p, q
}

// arrowhead returns an arrowhead of size pixels at the end of the way from p to q.
func arrowhead(p, q point, size int) shape {
	n := max(length(p, q), 1)
	dx, dy := q.x-p.x, q.y-p.y
	back := point{q.x - dx*size/n, q.y - dy*size/n}
	half := size * 2 / 3
	return solid(edgeInk, polygon(q, point{back.x - dy*half/n, back.y + dx*half/n}, point{back.x + dy*half/n, back.y - dx*half/n}))
}
