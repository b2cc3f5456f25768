package atlas

import "slices"

// Point is a spot, in whole metres. What is beyond [Farthest] on an axis counts as being there.
type Point struct {
	X, Y, Z int64
}

// Farthest is the largest coordinate: with more, the square of a distance would not fit an int64.
const Farthest = 1_000_000_000

// The distances that zones keep, in metres between centres unless said.
const (
	Spacing = 60   // between any two zones, always
	Close   = 80   // from the player to the border of one zone at least, where zones are wanted near
	Near    = 300  // from the player to each zone, where they are wanted near
	Box     = 1000 // from the player to each zone on each axis, otherwise
)

// Circle is the ground of a zone.
type Circle struct {
	Centre Point
	Radius int64 // metres
}

// Ground is the surroundings in which [Place] places zones.
type Ground struct {
	Around   Point    // where the player is
	Near     bool     // the zones are wanted near the player
	Existing []Circle // the zones that are there and stay
}

// Place returns where the wanted zones go, in their order, and which of them could not stay where they were wanted. Z is the
// player's. The rules, each of which gives way to those before it:
//
//  1. No two centres are closer than [Spacing]. This always holds.
//  2. Zones lie within [Box] of the player; wanted near, all centres lie within [Near], and one zone has its border within
//     [Close] of the player or touches a zone that the player stands in. A zone that is moved for this has its centre within
//     [Close].
//  3. Circles do not overlap: neither those of two new zones nor those of a new and an existing one. When zones are wanted
//     near, the zones that the player stands in are excepted, for near the player their ground is everywhere.
//
// A zone that breaks no rule stays. Any other goes to the closest spot, of a net as fine as the ground searched is small, that
// keeps the most rules; of equally close ones to the northernmost, then the westernmost. So two zones wanted at one spot both
// find a place.
func Place(g Ground, wanted []Circle) (spots []Point, moved []bool) {
	p := newPlacing(g, len(wanted))
	anchor := -1
	if g.Near && len(wanted) > 0 {
		anchor = p.closest(wanted)
		p.placeZone(anchor, wanted[anchor], true)
	}
	for i, w := range wanted {
		if i != anchor {
			p.placeZone(i, w, false)
		}
	}
	return p.spots, p.moved
}

// clampCircle returns c with coordinates and a radius that do not overflow.
func clampCircle(c Circle) Circle {
	return Circle{clamp(c.Centre), min(max(c.Radius, 0), Farthest)}
}

// obstacle is a zone that others keep away from. A home is a zone around the player, if zones are wanted near.
type obstacle struct {
	Circle
	home bool
}

type placing struct {
	ground Ground
	fixed  []obstacle
	spots  []Point
	moved  []bool
}

func newPlacing(g Ground, count int) *placing {
	g.Around, count = clamp(g.Around), max(count, 0)
	p := &placing{ground: g, spots: make([]Point, count), moved: make([]bool, count)}
	for _, c := range g.Existing {
		c = clampCircle(c)
		p.fixed = append(p.fixed, obstacle{c, g.Near && isWithin(c.Centre, g.Around, c.Radius)})
	}
	return p
}

// closest returns the zone whose border is wanted closest to the player: it is the one that is brought near, if none is.
func (p *placing) closest(wanted []Circle) int {
	best, gap := 0, int64(0)
	for i, w := range wanted {
		w = clampCircle(w)
		if g := sqrtDown(squaredDistance(w.Centre, p.ground.Around)) - w.Radius; i == 0 || g < gap {
			best, gap = i, g
		}
	}
	return best
}

// placeZone finds the spot of one zone. The anchor is the one that has to be close to the player.
func (p *placing) placeZone(i int, w Circle, anchor bool) {
	w.Centre.Z = p.ground.Around.Z
	asked := w.Centre
	w = clampCircle(w)
	spot := w.Centre
	if !p.isInReach(spot) || !p.keepsApart(w) || anchor && !p.isClose(w) {
		spot = p.search(w, anchor)
	}
	p.spots[i], p.moved[i] = spot, spot != asked
	p.fixed = append(p.fixed, obstacle{Circle{spot, w.Radius}, false})
}

// isInReach is rule 2 for every zone.
func (p *placing) isInReach(spot Point) bool {
	if p.ground.Near {
		return isWithin(spot, p.ground.Around, Near)
	}
	dx, dy := spot.X-p.ground.Around.X, spot.Y-p.ground.Around.Y
	return max(dx, -dx) <= Box && max(dy, -dy) <= Box
}

// isClose is rule 2 for one zone.
func (p *placing) isClose(w Circle) bool {
	return isWithin(w.Centre, p.ground.Around, w.Radius+Close) || slices.ContainsFunc(p.fixed, func(o obstacle) bool {
		return o.home && isWithin(w.Centre, o.Centre, w.Radius+o.Radius)
	})
}

// reach is how far from an obstacle's centre that of a zone has to be: for rule 1, or where strict for rule 3 too.
func (o obstacle) reach(radius int64, strict bool) int64 {
	if o.home || !strict {
		return Spacing
	}
	return max(Spacing, o.Radius+radius)
}

// keepsApart is rules 1 and 3 for a zone where it is.
func (p *placing) keepsApart(w Circle) bool {
	for _, o := range p.fixed {
		if reach := o.reach(w.Radius, true); squaredDistance(w.Centre, o.Centre) < reach*reach {
			return false
		}
	}
	return true
}

// search tries the ground in circles around the player, the smallest that is allowed first and the strictest rules in each.
// Each circle that fails is followed by one of twice the size; some circle is larger than all zones together, so it ends.
func (p *placing) search(w Circle, anchor bool) Point {
	radius := int64(Box)
	if p.ground.Near {
		radius = Near
	}
	if anchor {
		if spot, ok := p.best(w, Close); ok {
			return spot
		}
	}
	for ; ; radius *= 2 {
		if spot, ok := p.best(w, radius); ok {
			return spot
		}
	}
}

// best returns the spot within radius of the player that is closest to where the zone was wanted: one that keeps rules 1 and
// 3, or else one that keeps rule 1. It looks at a net of 81 by 81 points.
func (p *placing) best(w Circle, radius int64) (Point, bool) {
	for _, strict := range []bool{true, false} {
		var bans []Circle // from which the centre has to stay away; the rest of the world is too far to matter
		for _, o := range p.fixed {
			reach := o.reach(w.Radius, strict)
			if isWithin(o.Centre, p.ground.Around, radius+reach) {
				bans = append(bans, Circle{o.Centre, reach})
			}
		}
		if spot, ok := p.searchNet(w.Centre, radius, bans); ok {
			return spot, true
		}
	}
	return Point{}, false
}

func (p *placing) searchNet(wanted Point, radius int64, bans []Circle) (best Point, found bool) {
	const half = 40
	distance := int64(0)
	for j := int64(-half); j <= half; j++ {
		for i := int64(-half); i <= half; i++ {
			spot := Point{p.ground.Around.X + i*radius/half, p.ground.Around.Y + j*radius/half, wanted.Z}
			d := squaredDistance(spot, wanted)
			if (!found || d < distance) && isWithin(spot, p.ground.Around, radius) && isAllowed(spot, bans) {
				best, distance, found = spot, d, true
			}
		}
	}
	return best, found
}

func isAllowed(spot Point, bans []Circle) bool {
	return !slices.ContainsFunc(bans, func(ban Circle) bool {
		return squaredDistance(spot, ban.Centre) < ban.Radius*ban.Radius
	})
}

// isWithin reports whether a and b are at most that many metres apart, seen from above.
func isWithin(a, b Point, metres int64) bool {
	return metres >= 0 && squaredDistance(a, b) <= metres*metres
}

// squaredDistance returns the square of the distance from a to b, seen from above.
func squaredDistance(a, b Point) int64 {
	dx, dy := a.X-b.X, a.Y-b.Y
	return dx*dx + dy*dy
}

// sqrtDown returns the square root of n, rounded down. n is not negative.
func sqrtDown(n int64) int64 {
	root := int64(0)
	for bit := int64(1) << 31; bit > 0; bit >>= 1 {
		if next := root | bit; next*next <= n {
			root = next
		}
	}
	return root
}

// Within returns an offset from a zone's centre drawn in along its own line, up and down too, where it is longer than the
// zone's radius; it is whole metres and at most the radius long.
func Within(offset Point, radius int64) Point {
	o, radius := clamp(offset), min(max(radius, 0), Farthest)
	squares := o.X*o.X + o.Y*o.Y + o.Z*o.Z
	if squares <= radius*radius {
		return o
	}
	length := sqrtDown(squares-1) + 1 // rounded up
	return Point{o.X * radius / length, o.Y * radius / length, o.Z * radius / length}
}

// clamp limits coordinates so that the sum of three squares fits an int64.
func clamp(p Point) Point {
	in := func(n int64) int64 { return min(max(n, -Farthest), Farthest) }
	return Point{in(p.X), in(p.Y), in(p.Z)}
}
