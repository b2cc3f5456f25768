package chart

import "slices"

const (
	zoneApart = 44      // pixels from one zone to the next, at least
	zoneEasy  = 120     // where there is room for it
	zoneLeast = 18      // radius
	zoneMost  = 64      // radius where a zone is alone
	zoneSheet = 8000    // sides of a sheet that has no bound of its own
	farMetres = 1 << 40 // coordinates beyond it are taken for it
)

// boundedMetres returns the coordinates of zones, with those cut that are too large to reckon with.
func boundedMetres(rooms []Room) (xs, ys []int64) {
	xs, ys = make([]int64, len(rooms)), make([]int64, len(rooms))
	for i := range rooms {
		r := &rooms[i]
		xs[i], ys[i] = max(min(r.X, farMetres), -farMetres), max(min(r.Y, farMetres), -farMetres)
	}
	return xs, ys
}

// spacing returns how far zones lie apart: of their distances to the nearest other one the first quarter, at least 1. Those
// that are nearer than most do not decide how large a map is.
func spacing(xs, ys []int64) int64 {
	var near []int64
	for i := range xs {
		least := int64(-1)
		for j := range xs {
			d := max(xs[i]-xs[j], xs[j]-xs[i], ys[i]-ys[j], ys[j]-ys[i])
			if j != i && d > 0 && (least < 0 || d < least) {
				least = d
			}
		}
		if least > 0 {
			near = append(near, least)
		}
	}
	if len(near) == 0 {
		return 1
	}
	slices.Sort(near)
	return near[len(near)/4]
}

// placeZones gives zones their places, true to scale except for those that would lie on each other.
func (a *artist) placeZones() point {
	if len(a.m.Rooms) == 0 {
		a.perM = [2]int64{1, 1}
		return point{}
	}
	xs, ys := boundedMetres(a.m.Rooms)
	near := spacing(xs, ys)
	room := a.bounds()
	if !a.look.bounded {
		room = point{zoneSheet, zoneSheet}
	}
	room = point{room.x - 2*zoneMost, room.y - 2*zoneMost}
	a.scale(slices.Max(xs)-slices.Min(xs), slices.Max(ys)-slices.Min(ys), near, room)
	at := a.separateZones(xs, ys, max(currentRoom(a.m.Rooms), 0))
	c := at[max(currentRoom(a.m.Rooms), 0)]
	left, wide := window(at, c.x, room.x, func(p point) int { return p.x })
	top, high := window(at, c.y, room.y, func(p point) int { return p.y })
	keep := make([]bool, len(at))
	var shown []point
	for i, p := range at {
		if keep[i] = left <= p.x && p.x <= left+wide && top <= p.y && p.y <= top+high; keep[i] {
			shown = append(shown, point{p.x - left + zoneMost, p.y - top + zoneMost})
		}
	}
	if len(shown) < len(at) {
		a.plan = *a.keep(keep)
	}
	for i, p := range shown {
		r := int(min(max(a.m.Rooms[i].Radius, 0), farMetres) * a.perM[0] / a.perM[1])
		r = max(min(r, zoneMost, nearest(shown, i)/2-4), zoneLeast)
		a.places = append(a.places, place{p, r, r})
	}
	return point{wide + 2*zoneMost, high + 2*zoneMost}
}

// scale decides how many pixels a metre is: as many as make the map fit, but zones are not drawn further apart than is easy
// to read, nor nearer than can be read.
func (a *artist) scale(wide, high, near int64, room point) {
	a.perM = [2]int64{zoneEasy, near}
	smaller := func(num, den int64) { // num/den where that is less
		if den > 0 && num*a.perM[1] < a.perM[0]*den {
			a.perM = [2]int64{num, den}
		}
	}
	smaller(int64(room.x), wide)
	smaller(int64(room.y), high)
	if a.perM[0]*near < zoneApart*a.perM[1] {
		a.perM = [2]int64{zoneApart, near}
	}
}

// separateZones returns where zones are drawn, from the first on. A zone that would come to lie on another one moves to the nearest
// place around it that is free.
func (a *artist) separateZones(xs, ys []int64, first int) []point {
	at := make([]point, len(xs))
	taken := map[point][]point{} // by squares of zoneApart
	lot := func(p point) point {
		return point{int(floorDiv(int64(p.x), zoneApart)), int(floorDiv(int64(p.y), zoneApart))}
	}
	free := func(p point) bool {
		s := lot(p)
		for k := range 9 {
			for _, q := range taken[point{s.x + k%3 - 1, s.y + k/3 - 1}] {
				if max(abs(p.x-q.x), abs(p.y-q.y)) < zoneApart-4 {
					return false
				}
			}
		}
		return true
	}
	tried := map[point]int64{}
	for k := -1; k < len(xs); k++ {
		i := k
		if k < 0 {
			i = first
		} else if k == first {
			continue
		}
		want := point{int((xs[i] - xs[first]) * a.perM[0] / a.perM[1]), int((ys[i] - ys[first]) * a.perM[0] / a.perM[1])}
		p, s := want, lot(want)
		for r := max(tried[s], 1); !free(p); r++ {
			for _, d := range ring(r, nil) {
				if p = (point{want.x + int(d[0])*zoneApart, want.y + int(d[1])*zoneApart}); free(p) {
					break
				}
			}
			a.apart, tried[s] = true, max(r-1, 1) // zones of one square may want places a little beside each other
		}
		at[i] = p
		taken[lot(p)] = append(taken[lot(p)], p)
	}
	return at
}

// window returns where on one axis the part begins that is shown, about the middle one, and how long it is.
func window(at []point, middle, most int, of func(point) int) (from, size int) {
	low, high := of(at[0]), of(at[0])
	for _, p := range at {
		low, high = min(low, of(p)), max(high, of(p))
	}
	if high-low <= most {
		return low, high - low
	}
	return max(low, min(middle-most/2, high-most)), most
}

// nearest returns how far, along the longer axis, the zone nearest to i is.
func nearest(at []point, i int) int {
	out := 4 * zoneMost
	for j, p := range at {
		if j != i {
			out = min(out, max(abs(p.x-at[i].x), abs(p.y-at[i].y)))
		}
	}
	return out
}

// fitsBelow tells whether the name of a zone can stand below it: within the picture, and on no other zone and no name that
// stands already.
func (a *artist) fitsBelow(tags []tag, i, size int) bool {
	name := a.m.Rooms[i].Name
	w, drawable := a.letters.measure(name, size)
	if !drawable && a.look.ownLetters {
		return false
	}
	p := a.places[i]
	x0, x1, y0, y1 := p.at.x-w/2-4, p.at.x+w/2+4, p.at.y+p.hh+2, p.at.y+p.hh+2+lineStep(size)
	if x0 < 4 || x1 > a.list.w-4 {
		return false
	}
	for j, q := range a.places {
		if j == i {
			continue
		}
		if x0 < q.at.x+q.hw && q.at.x-q.hw < x1 && y0 < q.at.y+q.hh && q.at.y-q.hh < y1 {
			return false
		}
		if j < i && tags[j].below {
			w, _ := a.letters.measure(a.m.Rooms[j].Name, size)
			if top := q.at.y + q.hh + 2; x0 < q.at.x+w/2+4 && q.at.x-w/2-4 < x1 && y0 < top+lineStep(size) && top < y1 {
				return false
			}
		}
	}
	return true
}

// eraseBehindNames takes the links away from where names stand below their zones.
func (a *artist) eraseBehindNames() {
	for i, t := range a.tags {
		if t.below {
			p := a.places[i]
			w, _ := a.letters.measure(t.lines[0], t.size)
			a.add(solid(page, rectangle(p.at.x-w/2-2, p.at.y+p.hh+3, w+4, lineStep(t.size))))
		}
	}
}
