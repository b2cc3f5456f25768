package chart

// Kind is the kind of a place, which decides its shape. No kind is a plain room, and so is any other text.
type Kind string

// The kinds. The first three have walls.
const (
	Hall   Kind = "hall"   // with pillars
	Tower  Kind = "tower"  // with eight sides
	Cave   Kind = "cave"   // of rock
	Field  Kind = "field"  // open ground
	Wood   Kind = "wood"   // with trees
	Water  Kind = "water"  // with waves
	Street Kind = "street" // paved
)

// Kinds returns the kinds.
func Kinds() []Kind { return []Kind{Hall, Tower, Cave, Field, Wood, Water, Street} }

// dressing is how a kind is drawn.
type dressing struct {
	fill, edge   ink
	stroke       int
	walled, wavy bool // whether it has walls, and whether its edge is uneven
}

func (k Kind) dressing() dressing {
	switch k {
	case Cave:
		return dressing{stone, edgeInk, 5, true, true}
	case Field, Wood:
		return dressing{grass, leaf, 2, false, true}
	case Water:
		return dressing{water, wave, 2, false, true}
	case Street:
		return dressing{stone, road, 3, false, false}
	}
	return dressing{floor, edgeInk, 5, true, false}
}

// inset returns how far the edge of a place may lie inside its box: 0 for a straight edge.
func (k Kind) inset(p place) int {
	if !k.dressing().wavy {
		return 0
	}
	return max(min(p.hw, p.hh)/7, 1)
}

// chance is a small generator that gives each place its own lines, the same in every picture.
type chance uint64

func newChance(seed ...int64) *chance {
	c := chance(0x9e3779b97f4a7c15)
	for _, s := range seed {
		c = (c ^ chance(s)) * 6364136223846793005
		c ^= c >> 29
	}
	return &c
}

// below returns a number from 0 to n-1.
func (c *chance) below(n int) int {
	*c = *c*6364136223846793005 + 1442695040888963407
	return int(uint64(*c)>>33) % n
}

// outline returns the edge of a place of a kind: within its box, in zones round.
func (a *artist) outline(i int) []knot {
	p, k := a.places[i], a.m.Rooms[i].Kind
	x, y, w, h := p.at.x-p.hw, p.at.y-p.hh, 2*p.hw, 2*p.hh
	switch {
	case a.m.Layer == Zones:
		return circle(p.at, p.hw)
	case k == Tower:
		c := min(p.hw, p.hh) * 2 / 5
		return polygon(point{x + c, y}, point{x + w - c, y}, point{x + w, y + c}, point{x + w, y + h - c}, point{x + w - c, y + h},
			point{x + c, y + h}, point{x, y + h - c}, point{x, y + c})
	case k.inset(p) > 0:
		return smooth(a.wavyCorners(i))
	case k == Street:
		return rectangle(x, y, w, h)
	}
	r := min(6, h/6)
	return []knot{{point{x + r, y}, false}, {point{x + w - r, y}, false}, {point{x + w, y}, true}, {point{x + w, y + r}, false},
		{point{x + w, y + h - r}, false}, {point{x + w, y + h}, true}, {point{x + w - r, y + h}, false}, {point{x + r, y + h}, false},
		{point{x, y + h}, true}, {point{x, y + h - r}, false}, {point{x, y + r}, false}, {point{x, y}, true}}
}

// wavyCorners returns points along the box of a place, some of them a little within it. None is beyond it.
func (a *artist) wavyCorners(i int) []point {
	p, random := a.places[i], a.chanceOf(i)
	deep, step := a.m.Rooms[i].Kind.inset(p), max(min(p.hw, p.hh)/3, 8)
	var out []point
	side := func(from, to point, in point) {
		n := length(from, to)
		for at := step; at <= n-step/2; at += step {
			d := random.below(deep + 1)
			q := pointAlong(from, to, at, n)
			out = append(out, point{q.x + in.x*d, q.y + in.y*d})
		}
	}
	l, t, r, b := p.at.x-p.hw, p.at.y-p.hh, p.at.x+p.hw, p.at.y+p.hh
	side(point{l, t}, point{r, t}, point{0, 1})
	side(point{r, t}, point{r, b}, point{-1, 0})
	side(point{r, b}, point{l, b}, point{0, -1})
	side(point{l, b}, point{l, t}, point{1, 0})
	return out
}

func (a *artist) chanceOf(i int) *chance {
	r := &a.m.Rooms[i]
	return newChance(r.X, r.Y, int64(len(r.Name)))
}

// drawRock hatches the rock around walls: short lines in threes, each three another way.
func (a *artist) drawRock() {
	for i := range a.m.Rooms {
		r, p := &a.m.Rooms[i], a.places[i]
		if a.m.Layer == Zones || !r.Visited || !r.Kind.dressing().walled || p.hh < stripRoom {
			continue
		}
		random := a.chanceOf(i)
		ways := [4]point{{5, 2}, {2, 5}, {-2, 5}, {-5, 2}}
		l, t, r2, b := p.at.x-p.hw, p.at.y-p.hh, p.at.x+p.hw, p.at.y+p.hh
		most := 3 * 2 * (2*p.hw/13 + 2*p.hh/13 + 2)
		lines, knots := make([][]knot, 0, most), make([]knot, 0, 2*most)
		three := func(at point) {
			d := ways[random.below(4)]
			for k := -1; k <= 1; k++ {
				m := point{at.x + d.y*k*4/5, at.y - d.x*k*4/5}
				knots = append(knots, knot{point{m.x - d.x, m.y - d.y}, false}, knot{point{m.x + d.x, m.y + d.y}, false})
				lines = append(lines, knots[len(knots)-2:])
			}
		}
		for x := l; x <= r2; x += 13 {
			three(point{x, t - 5 - random.below(3)})
			three(point{x, b + 5 + random.below(3)})
		}
		for y := t + 12; y < b-6; y += 13 {
			three(point{l - 5 - random.below(3), y})
			three(point{r2 + 5 + random.below(3), y})
		}
		a.add(path{outlines: lines, fill: none, edge: hatch, stroke: 1, open: true})
	}
}

// ornaments returns what grows and stands at the edges of a place, clear of its name.
func (a *artist) ornaments(i int) []shape {
	r, p := &a.m.Rooms[i], a.places[i]
	if a.m.Layer == Zones || p.hh < stripRoom {
		return nil
	}
	random := a.chanceOf(i)
	l, t, right, b := p.at.x-p.hw, p.at.y-p.hh, p.at.x+p.hw, p.at.y+p.hh
	var lines [][]knot
	switch r.Kind {
	case Hall:
		for _, at := range [4]point{{l + 11, t + 11}, {right - 11, t + 11}, {l + 11, b - 11}, {right - 11, b - 11}} {
			if at.y < p.at.y || !a.hasStrip(i) {
				lines = append(lines, circle(at, 4))
			}
		}
		return []shape{solid(edgeInk, lines...)}
	case Cave:
		for _, x := range [3]int{l + 20, p.at.x + 8, right - 26} {
			lines = append(lines, polygon(point{x, t + 9}, point{x + 3, t + 14}, point{x + 6, t + 9}))
		}
	case Street:
		for k, x := range [4]int{l + 12, l + 26, right - 22, right - 36} {
			y := [2]int{t + 8, b - 12}[k%2]
			lines = append(lines, rectangle(x, y, 9, 5), rectangle(x+5, y+5, 9, 5))
		}
		return []shape{edged(none, road, 1, lines...)}
	case Field:
		for x := l + 14; x < right-14; x += 26 {
			for _, y := range [2]int{t + 13, b - 7} {
				g := point{x + random.below(12), y + random.below(3)}
				lines = append(lines, polygon(point{g.x - 3, g.y - 5}, point{g.x, g.y}, point{g.x + 1, g.y - 7}),
					polygon(point{g.x, g.y}, point{g.x + 4, g.y - 5}))
			}
		}
		return []shape{path{outlines: lines, fill: none, edge: leaf, stroke: 1, open: true}}
	case Wood:
		var trees, trunks [][]knot
		for k, x := 0, l+6; x < right-4; k, x = k+1, x+17 {
			for j, y := range [2]int{t + 9, b + 3} {
				if at := (point{x + random.below(7), y + random.below(3)}); j == 0 || k%3 == 0 {
					trees = append(trees, polygon(point{at.x - 7, at.y}, point{at.x, at.y - 17}, point{at.x + 7, at.y}))
					trunks = append(trunks, rectangle(at.x-1, at.y, 3, 4))
				}
			}
		}
		return []shape{solid(wood, trunks...), edged(leaf, grass, 1, trees...)}
	case Water:
		for k, y := range [3]int{t + 9, b - 13, b - 7} {
			for x := l + 14 + 9*(k%2); x < right-34; x += 30 {
				lines = append(lines, []knot{{point{x, y}, false}, {point{x + 5, y - 5}, true}, {point{x + 10, y}, false},
					{point{x + 15, y + 5}, true}, {point{x + 20, y}, false}})
			}
		}
		return []shape{path{outlines: lines, fill: none, edge: wave, stroke: 2, open: true}}
	}
	if r.Kind == Cave {
		return []shape{edged(none, hatch, 2, lines...)}
	}
	return nil
}
