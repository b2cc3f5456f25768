package chart

import (
	"image"
	"image/color"
	"slices"
)

const (
	unit = 16 // parts of a pixel, in which edges are reckoned
	rows = 4  // samples of a pixel, one below the other
	full = 8  // the cover of a whole pixel: text and edges are blended in that many steps
)

// canvas is a picture that is being painted, with one byte a pixel. Its palette begins with the inks. Blends are added when they
// are needed, in the order of painting, which is the same for the same list.
type canvas struct {
	picture *image.Paletted
	w       int
	pix     []byte // of picture
	blends  map[uint32]byte
	letters *letters
	cover   []uint8   // of a row that is being filled
	cross   [][]int   // where edges cross each sample: 2x, and one more where they go up
	outline [][]point // the space of what is being filled
}

func newCanvas(l list, letters *letters) *canvas {
	palette := make(color.Palette, 0, 256)
	for _, ink := range colours(l.dark) {
		palette = append(palette, color.RGBA{R: byte(ink >> 16), G: byte(ink >> 8), B: byte(ink), A: 255})
	}
	picture := image.NewPaletted(image.Rect(0, 0, l.w, l.h), palette)
	c := &canvas{picture: picture, w: l.w, pix: picture.Pix, blends: map[uint32]byte{},
		letters: letters, cover: make([]uint8, l.w), cross: make([][]int, l.h*rows)}
	for _, s := range l.shapes[1:] { // the first is the page, which is there
		s.paint(c)
	}
	return c
}

// sameColour is the square of how far colours lie apart that nobody tells apart.
const sameColour = 120

// mix returns the colour of a pixel of the colour under, of which an ink covers level parts of full. It is one of the palette
// that is near it, where there is one or the palette is full.
func (c *canvas) mix(under byte, over ink, level int) byte {
	switch {
	case level <= 0 || under == byte(over):
		return under
	case level >= full:
		return byte(over)
	}
	key := uint32(under)<<16 | uint32(over)<<8 | uint32(level)
	if known, ok := c.blends[key]; ok {
		return known
	}
	palette := c.picture.Palette
	from, to := palette[under].(color.RGBA), palette[over].(color.RGBA)
	blend := func(a, b byte) byte { return byte(int(a) + (int(b)-int(a))*level/full) }
	mixed := color.RGBA{R: blend(from.R, to.R), G: blend(from.G, to.G), B: blend(from.B, to.B), A: 255}
	best, least := 0, 1<<30
	for i := range palette {
		p := palette[i].(color.RGBA)
		if d := square(int(p.R)-int(mixed.R)) + square(int(p.G)-int(mixed.G)) + square(int(p.B)-int(mixed.B)); d < least {
			best, least = i, d
		}
	}
	if least > sameColour && len(palette) < 256 {
		best = len(palette)
		c.picture.Palette = append(palette, mixed)
	}
	c.blends[key] = byte(best)
	return byte(best)
}

// fill fills polygons whose points are in units. What lies within several that turn the same way is filled once.
func (c *canvas) fill(polygons [][]point, over ink) {
	top, low := len(c.cross), -1
	for _, points := range polygons {
		for i, p := range points {
			q := points[(i+1)%len(points)]
			up := 0
			if p.y > q.y {
				p, q, up = q, p, 1
			}
			const step = unit / rows
			first := max((p.y-step/2+step-1)/step, 0)
			for row := first; row < len(c.cross); row++ {
				y := row*step + step/2
				if y >= q.y {
					break
				}
				if y < p.y {
					continue
				}
				x := p.x + (q.x-p.x)*(y-p.y)/(q.y-p.y)
				c.cross[row] = append(c.cross[row], x*2+up)
				top, low = min(top, row), max(low, row)
			}
		}
	}
	for row := top / rows; row*rows <= low; row++ {
		left, right := c.w, -1
		for sample := row * rows; sample < (row+1)*rows; sample++ {
			list := c.cross[sample]
			slices.Sort(list)
			winding, from := 0, 0
			for _, at := range list {
				was := winding
				if winding++; at&1 == 1 {
					winding -= 2
				}
				if was == 0 {
					from = at >> 1
				} else if winding == 0 {
					l, r := c.span(from, at>>1)
					left, right = min(left, l), max(right, r)
				}
			}
			c.cross[sample] = list[:0]
		}
		for x := left; x <= right; x++ {
			at := &c.pix[row*c.w+x]
			*at = c.mix(*at, over, (int(c.cover[x])*full+unit*rows/2)/(unit*rows))
			c.cover[x] = 0
		}
	}
}

// span covers a sample of a row from one x to another, in units, and returns the pixels that were touched.
func (c *canvas) span(from, to int) (left, right int) {
	from, to = max(from, 0), min(to, c.w*unit)
	for x := from / unit; x*unit < to; x++ {
		c.cover[x] += uint8(min(to, (x+1)*unit) - max(from, x*unit))
		right = x
	}
	if from >= to {
		return c.w, -1
	}
	return from / unit, right
}

// flatten appends the points of an outline, each scaled by num/den and moved, in units.
func flatten(into []point, outline []knot, num, den int, move point) []point {
	at := func(p point) point { return point{p.x*num/den + move.x, p.y*num/den + move.y} }
	for i, k := range outline {
		p := at(k.point)
		if !k.bends {
			into = append(into, p)
			continue
		}
		from := into[len(into)-1]
		next := outline[(i+1)%len(outline)]
		to := at(next.point)
		if next.bends {
			to = point{(p.x + to.x) / 2, (p.y + to.y) / 2}
		}
		n := min(2+(abs(from.x-2*p.x+to.x)+abs(from.y-2*p.y+to.y))/(4*unit), 8)
		for t := 1; t <= n; t++ {
			if u := n - t; t < n || next.bends {
				into = append(into, point{(u*u*from.x + 2*u*t*p.x + t*t*to.x) / (n * n), (u*u*from.y + 2*u*t*p.y + t*t*to.y) / (n * n)})
			}
		}
	}
	return into
}

func (p path) paint(c *canvas) {
	polygons := c.outline[:0]
	for _, o := range p.outlines {
		polygons = append(polygons, flatten(nil, o, unit, 1, point{}))
	}
	c.outline = polygons
	if p.fill != none {
		c.fill(polygons, p.fill)
	}
	if p.stroke == 0 {
		return
	}
	var pen [][]point
	for _, points := range polygons {
		if !p.open {
			points = append(points, points[0])
		}
		pen = p.stroked(pen, points)
	}
	c.fill(pen, p.edge)
}

// stroked appends what a pen covers that goes along points in units: a box for each piece, and where the line is not broken a
// circle for each point. All turn the same way.
func (p path) stroked(pen [][]point, points []point) [][]point {
	half := p.stroke * unit / 2
	left, down := p.on*unit, true // of the piece, or the gap
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		n := length(a, b)
		if n == 0 {
			continue
		}
		ex, ey := (b.x-a.x)*half/n, (b.y-a.y)*half/n
		for from := 0; from < n; {
			to := n
			if p.off > 0 {
				to = min(n, from+left)
			}
			if u, v := pointAlong(a, b, from, n), pointAlong(a, b, to, n); down {
				pen = append(pen, []point{{u.x - ey, u.y + ex}, {u.x + ey, u.y - ex}, {v.x + ey, v.y - ex}, {v.x - ey, v.y + ex}})
			}
			if left -= to - from; left <= 0 && p.off > 0 {
				down = !down
				if left = p.off * unit; down {
					left = p.on * unit
				}
			}
			from = to
		}
	}
	if p.off == 0 && p.stroke > 1 {
		for _, at := range points {
			pen = append(pen, flatten(nil, circle(at, half), 1, 1, point{}))
		}
	}
	return pen
}

func (l label) paint(c *canvas) {
	pen := l.at.x * 8
	if !l.start {
		w, _ := c.letters.measure(l.text, l.size)
		pen -= w * 4
	}
	var polygons [][]point
	for _, r := range l.text {
		eighths, known := c.letters.advance(r, l.size)
		if !known { // it has no picture
			continue
		}
		for _, outline := range c.letters.outlines(r) {
			polygons = append(polygons, flatten(nil, outline, l.size*unit, em, point{pen * unit / 8, l.at.y * unit}))
		}
		pen += eighths
	}
	c.fill(polygons, l.ink)
}

func (g group) paint(c *canvas) {
	for _, s := range g.shapes {
		s.paint(c)
	}
}
