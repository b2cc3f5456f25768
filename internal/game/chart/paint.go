package chart

import "image"

// The dashes of edges, in pixels.
const (
	dashOn  = 8
	dashOff = 6
)

func (b box) paint(c *canvas) {
	switch {
	case b.dashed:
		c.rect(b.x, b.y, b.w, b.h, b.fill)
		in := b.stroke / 2
		x, y, right, low := b.x+in, b.y+in, b.x+b.w-in, b.y+b.h-in
		corners := []point{{x, y}, {right, y}, {right, low}, {x, low}, {x, y}}
		for _, d := range dashes(corners, dashOn, dashOff) {
			c.strokeLine(d[0], d[1], b.stroke, b.edge, false)
		}
	case b.round == 0:
		c.rect(b.x, b.y, b.w, b.h, b.edge)
		c.rect(b.x+b.stroke, b.y+b.stroke, b.w-2*b.stroke, b.h-2*b.stroke, b.fill)
	default:
		c.rounded(b.x, b.y, b.w, b.h, b.round, b.edge)
		c.rounded(b.x+b.stroke, b.y+b.stroke, b.w-2*b.stroke, b.h-2*b.stroke, max(b.round-b.stroke, 1), b.fill)
	}
}

// rounded fills a rectangle with round corners.
func (c *canvas) rounded(x, y, w, h, r int, fill ink) {
	points := make([]point, 0, 64)
	corners := [4]point{{x + w - r, y + h - r}, {x + r, y + h - r}, {x + r, y + r}, {x + w - r, y + r}}
	for i, centre := range corners {
		for k := range 16 {
			points = append(points, circlePoint(toUnits(centre), r*unit, i*15+k))
		}
	}
	// Most of it is whole pixels; only the rows of the corners need looking at.
	c.rect(x, y+r, w, h-2*r, fill)
	c.fillRows(points, y, y+r, fill)
	c.fillRows(points, y+h-r, y+h, fill)
}

// fillRows fills the part of a convex polygon that lies in some rows.
func (c *canvas) fillRows(points []point, from, to int, over ink) {
	var part []point
	low, high := from*unit, to*unit
	for i, p := range points {
		q := points[(i+1)%len(points)]
		if p.y >= low && p.y <= high {
			part = append(part, p)
		}
		for _, y := range [2]int{low, high} {
			if min(p.y, q.y) < y && y < max(p.y, q.y) {
				part = append(part, point{p.x + (q.x-p.x)*(y-p.y)/(q.y-p.y), y})
			}
		}
	}
	if len(part) > 2 {
		c.fill(part, over)
	}
}

func (d disc) paint(c *canvas) {
	at, r := toUnits(d.at), d.r*unit
	if d.dashed {
		c.fill(circlePoints(at, r), d.fill)
		step := max(1, 60*(dashOn+dashOff)/(6*d.r+1)/2)
		for k := 0; k+step <= 60; k += 2 * step {
			c.strokeLine(circlePoint(at, r-d.stroke*unit/2, k), circlePoint(at, r-d.stroke*unit/2, k+step), d.stroke, d.edge, false)
		}
		return
	}
	if d.stroke > 0 {
		c.fill(circlePoints(at, r), d.edge)
	}
	c.fill(circlePoints(at, r-d.stroke*unit), d.fill)
}

func (l line) paint(c *canvas) {
	for _, d := range dashes(l.points, l.on, l.off) {
		c.strokeLine(d[0], d[1], l.stroke, l.ink, l.off == 0)
	}
}

func (w wedge) paint(c *canvas) {
	c.fill([]point{toUnits(w.a), toUnits(w.b), toUnits(w.c)}, w.fill)
}

func (l label) paint(c *canvas) {
	pen := l.at.x * 8
	if !l.start {
		w, _ := c.letters.measure(l.text, l.size)
		pen -= w * 4
	}
	for _, r := range l.text {
		eighths, known := c.letters.advance(r, l.size)
		if !known { // it has no picture
			continue
		}
		c.letters.draw(r, l.size, func(x, y, level int) {
			if at := (image.Point{(pen+4)/8 + x, l.at.y + y}); at.In(c.picture.Rect) {
				pixel := &c.pix[at.Y*c.w+at.X]
				*pixel = c.mix(*pixel, l.ink, level*full/3)
			}
		})
		pen += eighths
	}
}

func (g group) paint(c *canvas) {
	for _, s := range g.shapes {
		s.paint(c)
	}
}
