package chart

import (
	"image"
	"image/color"
)

// unit is the number of parts of a pixel, for shapes that do not lie on whole ones.
const unit = 16

// full is the cover of a whole pixel: text and edges are blended in that many steps.
const full = 6

// canvas is a picture that is being painted, with one byte a pixel. Its palette begins with the inks. Blends are added when they
// are needed, in the order of painting, which is the same for the same list.
type canvas struct {
	picture *image.Paletted
	w, h    int
	pix     []byte // of picture
	blends  map[uint32]byte
	letters *letters
	cover   []uint8 // of a row that is being filled
}

func newCanvas(l list, letters *letters) *canvas {
	palette := make(color.Palette, 0, 256)
	for _, ink := range colours(l.dark) {
		palette = append(palette, color.RGBA{R: byte(ink >> 16), G: byte(ink >> 8), B: byte(ink), A: 255})
	}
	picture := image.NewPaletted(image.Rect(0, 0, l.w, l.h), palette)
	c := &canvas{picture: picture, w: l.w, h: l.h, pix: picture.Pix, blends: map[uint32]byte{},
		letters: letters, cover: make([]uint8, l.w)}
	for _, s := range l.shapes {
		s.paint(c)
	}
	return c
}

func toUnits(p point) point { return point{p.x * unit, p.y * unit} }

// mix returns the colour of a pixel of the colour under, of which an ink covers level parts of full. If the palette is full,
// it is the nearer of the two.
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
	out := under
	if level*2 >= full {
		out = byte(over)
	}
	if palette := c.picture.Palette; len(palette) < 256 {
		from, to := color.RGBAModel.Convert(palette[under]).(color.RGBA), color.RGBAModel.Convert(palette[over]).(color.RGBA)
		blend := func(a, b byte) byte { return byte(int(a) + (int(b)-int(a))*level/full) }
		out = byte(len(palette))
		c.picture.Palette = append(palette, color.RGBA{R: blend(from.R, to.R), G: blend(from.G, to.G), B: blend(from.B, to.B), A: 255})
	}
	c.blends[key] = out
	return out
}

// rect fills whole pixels.
func (c *canvas) rect(x, y, w, h int, fill ink) {
	x0, x1 := max(x, 0), min(x+w, c.w)
	for row := max(y, 0); row < min(y+h, c.h) && x0 < x1; row++ {
		span := c.pix[row*c.w+x0 : row*c.w+x1]
		for i := range span {
			span[i] = byte(fill)
		}
	}
}

// fill fills a convex polygon whose points are in units. It samples each row four times, and counts the cover of a pixel in
// units.
func (c *canvas) fill(points []point, over ink) {
	top, bottom := points[0].y, points[0].y
	for _, p := range points {
		top, bottom = min(top, p.y), max(bottom, p.y)
	}
	for row := max(top/unit, 0); row <= min(bottom/unit, c.h-1); row++ {
		left, right := c.w, -1
		for sub := range 4 {
			a, b, ok := crossing(points, row*unit+sub*4+2)
			if !ok {
				continue
			}
			a, b = max(a, 0), min(b, c.w*unit)
			for x := a / unit; x*unit < b; x++ {
				c.cover[x] += uint8(min(b, (x+1)*unit) - max(a, x*unit))
				left, right = min(left, x), max(right, x)
			}
		}
		for x := left; x <= right; x++ {
			at := &c.pix[row*c.w+x]
			*at = c.mix(*at, over, (int(c.cover[x])*full+2*unit)/(4*unit))
			c.cover[x] = 0
		}
	}
}

// crossing returns where the row at y enters and leaves a convex polygon.
func crossing(points []point, y int) (from, to int, ok bool) {
	for i, p := range points {
		q := points[(i+1)%len(points)]
		if p.y > q.y {
			p, q = q, p
		}
		if y < p.y || y >= q.y {
			continue
		}
		x := p.x + (q.x-p.x)*(y-p.y)/(q.y-p.y)
		if !ok {
			from, to, ok = x, x, true
		}
		from, to = min(from, x), max(to, x)
	}
	return from, to, ok && from < to
}

// strokeLine draws a line between two points in units, width pixels wide. Its ends are square; a joined
// line is half its width longer at both, so that corners are closed.
func (c *canvas) strokeLine(a, b point, width int, over ink, joined bool) {
	dx, dy := b.x-a.x, b.y-a.y
	length := sqrt(dx*dx + dy*dy)
	if length == 0 {
		return
	}
	half := width * unit / 2
	ex, ey := dx*half/length, dy*half/length
	if joined {
		a, b = point{a.x - ex, a.y - ey}, point{b.x + ex, b.y + ey}
	}
	c.fill([]point{{a.x - ey, a.y + ex}, {b.x - ey, b.y + ex}, {b.x + ey, b.y - ex}, {a.x + ey, a.y - ex}}, over)
}

// quarter returns the sines of 0, 6, 12 to 90 degrees in parts of 1024.
func quarter() [16]int {
	return [16]int{0, 107, 213, 316, 416, 512, 602, 685, 761, 828, 887, 935, 974, 1002, 1018, 1024}
}

// circlePoint returns the point of a circle about the centre that lies k sixtieths around, in units where centre and r are.
func circlePoint(centre point, r, k int) point {
	q, i := quarter(), k%15
	x, y := q[15-i], q[i]
	switch k / 15 % 4 {
	case 1:
		x, y = -y, x
	case 2:
		x, y = -x, -y
	case 3:
		x, y = y, -x
	}
	return point{centre.x + x*r/1024, centre.y + y*r/1024}
}

func circlePoints(centre point, r int) []point {
	out := make([]point, 0, 60)
	for k := range 60 {
		out = append(out, circlePoint(centre, r, k))
	}
	return out
}
