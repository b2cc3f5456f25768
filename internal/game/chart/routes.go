package chart

import "cmp"

const (
	linkWide = 4
	dotOn    = 4 // the dots of stairs
	dotOff   = 5
	laneStep = 7 // from the middle between two rows or columns, where doors are, to links that run along there
)

// drawEdges draws the links from room to room. They are drawn before the rooms, which hide their ends.
func (a *artist) drawEdges() {
	for i, e := range a.edges {
		way := []point{a.places[e.a].at, a.places[e.b].at}
		if a.m.Layer != Zones && a.isBlocked(e) {
			way = a.detour(e, i)
		}
		way[0] = a.edgePoint(e.a, way[1])
		last := len(way) - 1
		way[last] = a.edgePoint(e.b, way[last-1])
		l := line{points: way, ink: edgeInk, stroke: linkWide}
		if e.stairs {
			l.on, l.off = dotOn, dotOff
			a.used[signStairs] = true
		}
		a.add(l)
		a.drawDoor(e, way)
		if e.oneWay {
			a.used[signOneWay] = true
			p, q := way[last-1], way[last]
			if last > 1 { // its end is too short for an arrow
				p, q = longest(way)
				q = pointAlong(p, q, 3, 4)
			}
			a.add(arrowhead(p, q, min(14, length(p, q)/2)))
		}
	}
}

func length(a, b point) int { return sqrt(square(b.x-a.x) + square(b.y-a.y)) }

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
	shift := (i%2*2 - 1) * min(laneStep, min(w/2-p.hw, h/2-p.hh)-4)
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
	at, r := n/2, max(3, min(8, n/2-2))
	if e.oneWay && n < 40 {
		at, r = n/4, max(3, n/4)
	}
	mid := pointAlong(p, q, at, n)
	bar := func(from, to int) shape { // across the way, this far from it
		return line{points: []point{{mid.x - (q.y-p.y)*from/n, mid.y + (q.x-p.x)*from/n},
			{mid.x - (q.y-p.y)*to/n, mid.y + (q.x-p.x)*to/n}}, ink: edgeInk, stroke: min(6, r)}
	}
	a.used[sign] = true
	switch sign {
	case signOpen:
		a.add(bar(6, 13), bar(-13, -6))
	case signClosed:
		a.add(bar(-11, 11))
	case signLocked:
		a.add(bar(-13, 13), disc{mid, r, page, edgeInk, min(3, r/2), false}, disc{mid, max(r-5, 2), edgeInk, edgeInk, 0, false})
	}
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
	return wedge{q, point{back.x - dy*half/n, back.y + dx*half/n}, point{back.x + dy*half/n, back.y - dx*half/n}, edgeInk}
}
