package chart

import (
	"strconv"

	"hob/internal/game/spelling"
	"hob/internal/phrases"
)

// The measures of a picture, in pixels.
const (
	margin    = 24
	leastSide = 320  // the least side of a photo in Telegram
	mostSide  = 1280 // Telegram shrinks a photo with a longer side
	cellHigh  = 132
	cellWide  = 184 // of maps of few columns, so that more names fit
	cellLeast = 104 // of others, where there is room
	wideMap   = 960 // up to which cells are widened
	leastCell = 48  // below it the number of a room cannot be read
	keyHigh   = 26  // of a line of the key
	keyLines  = 6   // for which a bounded picture has room
)

// look is the purpose of a list.
type look struct {
	ownLetters bool // only letters of the font can be drawn
	bounded    bool // both sides are at most mostSide
	caption    bool // the legend is drawn too
}

func svgLook() look { return look{caption: true} }

func pngLook() look { return look{ownLetters: true, bounded: true} }

// artist makes a list of a plan.
type artist struct {
	plan
	look    look
	words   phrases.Words
	letters *letters
	places  []place // by room
	tags    []tag   // by room
	marks   []mark
	pitch   point    // the size of a cell of areas
	perM    [2]int64 // of zones: so many pixels are so many metres
	apart   bool     // zones were moved apart
	list    list
	top     int // below the title
	cut     bool
}

// place is where a room is drawn.
type place struct {
	at     point
	hw, hh int // half its width and height; of circles both are the radius
}

func newArtist(p *plan, k look) *artist {
	a := &artist{plan: *p, look: k, words: wordsOf(p.m.Lang), letters: newLetters()}
	a.list.dark, a.list.lang = p.m.Dark, spelling.Language(p.m.Lang)
	if a.list.title = p.m.Title; a.list.title == "" {
		a.list.title = a.words.Text("title")
	}
	size := a.placeRooms()
	a.list.w = max(leastSide, size.x+2*margin)
	a.add(nil, nil) // the page and its frame, once their size is known
	a.header()
	inner := max(size.y, leastSide-2*margin-a.top-a.footer())
	for i := range a.places {
		at := &a.places[i].at
		at.x += (a.list.w - size.x) / 2
		at.y += margin + a.top + (inner-size.y)/2
	}
	a.tagRooms()
	ways := a.ways()
	a.drawRock()
	a.drawWays(ways)
	a.eraseBehindNames()
	for i := range a.places {
		a.drawRoom(i)
	}
	a.drawSigns(ways)
	y := margin + a.top + inner
	if a.footer() > 0 {
		a.drawScale(y + a.footer() - 6)
	}
	a.list.h = y + a.footer() + a.drawKey(y+a.footer()+margin/2) + margin
	if k.caption {
		a.drawLegend()
	}
	a.list.shapes[0] = solid(page, rectangle(0, 0, a.list.w, a.list.h))
	a.list.shapes[1] = edged(none, road, 2, rectangle(7, 7, a.list.w-14, a.list.h-14))
	return a
}

func (a *artist) add(s ...shape) { a.list.shapes = append(a.list.shapes, s...) }

// bounds returns how far the rooms may spread, without margins, title and scale.
func (a *artist) bounds() point {
	return point{mostSide - 2*margin, mostSide - 2*margin - 64 - a.footer() - keyLines*keyHigh}
}

// placeRooms gives the rooms their places, from (0,0), and returns their common size. If they do not fit, it keeps only those
// around the current one.
func (a *artist) placeRooms() point {
	if a.m.Layer == Zones {
		return a.placeZones()
	}
	room := a.bounds()
	if a.look.bounded {
		a.plan = *a.within(room.x/leastCell, room.y/leastCell)
	}
	cols, rows := max(a.cols, 1), max(a.rows, 1)
	w, h := min(max(wideMap/cols, cellLeast), cellWide), cellHigh
	if a.look.bounded {
		w, h = min(w, room.x/cols), min(h, room.y/rows)
	}
	hw, hh := (w-min(max(w/4, 10), 38))/2, (h-min(max(h/4, 10), 36))/2
	for _, c := range a.cells {
		a.places = append(a.places, place{point{c.col*w + w/2, c.row*h + h/2}, hw, hh})
	}
	a.pitch = point{w, h}
	return point{cols * w, rows * h}
}

// header draws the title and the arrow to the north.
func (a *artist) header() {
	wide := a.list.w - 2*margin
	if a.m.North {
		a.drawNorth(point{a.list.w - margin - 12, margin - 6})
		wide -= 44
		a.top = 50
	}
	title := a.m.Title
	w, drawable := a.letters.measure(title, large)
	if title == "" || !drawable && a.look.ownLetters {
		a.cut = title != ""
		return
	}
	a.top = max(a.top, 48)
	if w <= wide {
		a.add(label{point{margin, margin + 22}, title, large, text, true})
		return
	}
	lines := a.letters.fold(title, wide, small)
	if len(lines) > 2 {
		a.cut = true
		for w, _ := a.letters.measure(lines[1]+"…", small); w > wide; w, _ = a.letters.measure(lines[1]+"…", small) {
			lines[1] = withoutLast(lines[1])
		}
		lines[1] += "…"
	}
	for i, line := range lines[:min(len(lines), 2)] {
		a.add(label{point{margin, margin + 12 + i*lineStep(small)}, line, small, text, true})
	}
}

func (a *artist) drawNorth(at point) {
	a.add(solid(edgeInk, polygon(point{at.x, at.y}, point{at.x - 9, at.y + 26}, point{at.x, at.y + 20})),
		edged(page, edgeInk, 1, polygon(point{at.x, at.y}, point{at.x, at.y + 20}, point{at.x + 9, at.y + 26})))
	letter := a.words.Text("north")
	if _, drawable := a.letters.measure(letter, small); !drawable && a.look.ownLetters {
		letter = "N"
	}
	a.add(label{point{at.x, at.y + 43}, letter, small, text, false})
}

// footer returns the height of the scale.
func (a *artist) footer() int {
	if a.m.Layer == Zones && len(a.m.Rooms) > 1 {
		return 34
	}
	return 0
}

// drawScale draws the scale on the baseline y: a bar of a round number of metres.
func (a *artist) drawScale(y int) {
	metres := int64(1)
	for step := int64(0); metres*a.perM[0]/a.perM[1] < 60 && metres < 1<<50; step++ {
		metres = metres * [3]int64{2, 5, 2}[step%3] / [3]int64{1, 2, 1}[step%3]
	}
	w := int(metres * a.perM[0] / a.perM[1])
	if w > a.list.w-2*margin-100 {
		return
	}
	a.add(line(edgeInk, 3, point{margin + 2, y - 12}, point{margin + 2, y - 2}, point{margin + 2 + w, y - 2}, point{margin + 2 + w, y - 12}))
	unit := a.words.Text("metres")
	if _, drawable := a.letters.measure(unit, small); !drawable && a.look.ownLetters {
		unit = "m"
	}
	a.add(label{point{margin + w + 12, y}, strconv.Itoa(int(metres)) + " " + unit, small, text, true})
}

// drawLegend writes the legend below the map.
func (a *artist) drawLegend() {
	y := a.list.h
	for _, entry := range a.legend() {
		for _, line := range a.letters.fold(entry, a.list.w-2*margin, small) {
			a.add(label{point{margin, y + 10}, line, small, text, true})
			y += lineStep(small)
		}
		a.list.h = y + margin
	}
}
