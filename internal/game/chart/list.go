package chart

import "math"

// ink is a colour by its use.
type ink uint8

const (
	page     ink = iota
	text         // on the page and in rooms
	floor        // the fill of a room
	stone        // of a cave or a street
	grass        // of open ground
	water        // of water
	here         // of the current room
	hereText     // text in it
	edgeInk      // walls, signs and ways with walls
	fogInk       // the edges of rooms that were not visited
	hatch        // the rock around walls
	leaf         // trees, grass, and the edges of open ground
	wave         // waves, and the edges of water
	road         // ways without walls
	wood         // doors
	trailInk     // where the party went
	badge        // the fill of the party's marks
	badgeText
	inks
	none // no ink at all
)

// colours returns the inks as 0xRRGGBB. Signs differ in shape and lightness, so that nobody needs to tell hues apart; the
// trail, the marks and the dark scheme's waves are of Okabe and Ito's palette (https://jfly.uni-koeln.de/color/).
func colours(dark bool) [inks]uint32 {
	if dark {
		return [inks]uint32{page: 0x14171b, text: 0xf2efe8, floor: 0x2b3138, stone: 0x34373b, grass: 0x25362b, water: 0x1c3a4d,
			here: 0xf0c060, hereText: 0x000000, edgeInk: 0xd3d0c8, fogInk: 0x98a0a8, hatch: 0x4a525b, leaf: 0x77a46c, wave: 0x56b4e9,
			road: 0x5a5040, wood: 0xb07a3c, trailInk: 0xff8a3d, badge: 0xe69f00, badgeText: 0x000000}
	}
	return [inks]uint32{page: 0xf6eedb, text: 0x241c15, floor: 0xfffcf4, stone: 0xe8e0d2, grass: 0xe0eac6, water: 0xc6e2ec,
		here: 0xffd880, hereText: 0x000000, edgeInk: 0x3a2e26, fogInk: 0x7d705c, hatch: 0xb7a78a, leaf: 0x5f8746, wave: 0x3f86a3,
		road: 0xcfb78a, wood: 0xb87e3e, trailInk: 0xd55e00, badge: 0xe69f00, badgeText: 0x000000}
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

// knot is a point of an outline: on it, or, as TrueType has it, one that bends it. Between two that bend lies one in their
// middle. The first of an outline is on it.
type knot struct {
	point
	bends bool
}

// path is outlines that are filled, and drawn by a pen. An open one is not filled. Unless off is 0, the pen draws pieces of on
// pixels with gaps of off pixels.
type path struct {
	outlines   [][]knot
	fill, edge ink
	stroke     int
	on, off    int
	open       bool
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

// polygon returns the outline through points.
func polygon(points ...point) []knot {
	out := make([]knot, len(points))
	for i, p := range points {
		out[i].point = p
	}
	return out
}

// rectangle returns an outline from the upper left corner.
func rectangle(x, y, w, h int) []knot {
	return polygon(point{x, y}, point{x + w, y}, point{x + w, y + h}, point{x, y + h})
}

// smooth returns the outline that runs through the middles of the sides of a polygon, and is bent by its corners.
func smooth(corners []point) []knot {
	a, b := corners[len(corners)-1], corners[0]
	out := make([]knot, 1, len(corners)+1)
	out[0].point = point{(a.x + b.x) / 2, (a.y + b.y) / 2}
	for _, c := range corners {
		out = append(out, knot{c, true})
	}
	return out
}

// circle returns an outline of eight bends.
func circle(at point, r int) []knot {
	long, short := r*1082/1000, r*448/1000 // of an octagon around it
	if r < 8 {
		long, short = r, max(r*414/1000, 1)
	}
	corners := make([]point, 0, 8)
	for _, d := range [8]point{{long, -short}, {long, short}, {short, long}, {-short, long}, {-long, short}, {-long, -short}, {-short, -long}, {short, -long}} {
		corners = append(corners, point{at.x + d.x, at.y + d.y})
	}
	return smooth(corners)
}

// solid fills outlines.
func solid(fill ink, outlines ...[]knot) shape {
	return path{outlines: outlines, fill: fill, edge: none}
}

// edged fills an outline and draws it.
func edged(fill, edge ink, stroke int, outlines ...[]knot) shape {
	return path{outlines: outlines, fill: fill, edge: edge, stroke: stroke}
}

// line draws along points.
func line(ink ink, stroke int, points ...point) path {
	return path{outlines: [][]knot{polygon(points...)}, fill: none, edge: ink, stroke: stroke, open: true}
}

// pointAlong returns the point that is t of length on the way from a to b.
func pointAlong(a, b point, t, length int) point {
	return point{a.x + (b.x-a.x)*t/length, a.y + (b.y-a.y)*t/length}
}

func square(n int) int { return n * n }

// sqrt returns the largest integer whose square is at most n, which is less than 2 to the power of 52.
func sqrt(n int) int { return int(math.Sqrt(float64(n))) }

func length(a, b point) int { return sqrt(square(b.x-a.x) + square(b.y-a.y)) }
