package chart

import "math"

// ink is a colour by its use.
type ink uint8

const (
	page     ink = iota
	text         // on the page and in rooms
	room         // the fill of a room
	here         // the fill of the current room
	hereText     // text in it
	edgeInk      // the edges of rooms, links and doors
	fogInk       // the edges of rooms that were not visited
	badge        // the fill of the party's marks
	badgeText
	inks
)

// colours returns the inks as 0xRRGGBB. They differ in lightness, so that they are told apart without telling hues apart;
// blue and orange are those of Okabe and Ito's palette (https://jfly.uni-koeln.de/color/).
func colours(dark bool) [inks]uint32 {
	if dark {
		return [inks]uint32{page: 0x15181c, text: 0xf2f2f2, room: 0x30363d, here: 0x56b4e9, hereText: 0x000000, edgeInk: 0xd0d5da,
			fogInk: 0x9aa3ad, badge: 0xe69f00, badgeText: 0x000000}
	}
	return [inks]uint32{page: 0xffffff, text: 0x111111, room: 0xeef1f4, here: 0x0072b2, hereText: 0xffffff, edgeInk: 0x30363d,
		fogInk: 0x6b7580, badge: 0xe69f00, badgeText: 0x000000}
}

// list is a display list: the shapes of a picture from the back to the front, in whole pixels from the upper left corner.
type list struct {
	w, h   int
	dark   bool
	title  string
	lang   string
	shapes []shape
}

// shape is an item of the list. Each has both writers, so that neither can forget one.
type shape interface {
	svg(*sheet)
	paint(*canvas)
}

type point struct{ x, y int }

// box is a rectangle with round corners. Its edge is stroke pixels wide and lies within it.
type box struct {
	x, y, w, h, round int
	fill, edge        ink
	stroke            int
	dashed            bool
}

// disc is a circle; its edge lies within it.
type disc struct {
	at         point
	r          int
	fill, edge ink
	stroke     int
	dashed     bool
}

// line goes through its points. Unless off is 0, it is drawn in pieces of on pixels with gaps of off pixels.
type line struct {
	points  []point
	ink     ink
	stroke  int
	on, off int
}

// wedge is a filled triangle.
type wedge struct {
	a, b, c point
	fill    ink
}

// label is one line of text. Its middle, or with start its beginning, is at the point, which lies on the baseline.
type label struct {
	at    point
	text  string
	size  int
	ink   ink
	start bool
}

// group is the shapes of one room, with a description for readers who cannot see it.
type group struct {
	about  string
	shapes []shape
}

// dashes returns the pieces of the way through points, each a pair of points in sixteenths of a pixel.
func dashes(points []point, on, off int) [][2]point {
	var out [][2]point
	for i := 1; i < len(points); i++ {
		a, b := toUnits(points[i-1]), toUnits(points[i])
		length := sqrt(square(b.x-a.x) + square(b.y-a.y))
		if off == 0 || length == 0 {
			out = append(out, [2]point{a, b})
			continue
		}
		for from := 0; from < length; from += (on + off) * unit {
			to := min(from+on*unit, length)
			out = append(out, [2]point{pointAlong(a, b, from, length), pointAlong(a, b, to, length)})
		}
	}
	return out
}

// pointAlong returns the point that is t of length on the way from a to b.
func pointAlong(a, b point, t, length int) point {
	return point{a.x + (b.x-a.x)*t/length, a.y + (b.y-a.y)*t/length}
}

func square(n int) int { return n * n }

// sqrt returns the largest integer whose square is at most n, which is less than 2 to the power of 52.
func sqrt(n int) int { return int(math.Sqrt(float64(n))) }
