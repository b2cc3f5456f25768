package chart

import (
	"strconv"
	"strings"
	"unicode"
)

// tag is what is written in a room, or below it.
type tag struct {
	lines  []string
	size   int
	number int // with the name in the legend
	below  bool
}

// mark is the sign of one of the party.
type mark struct{ sign, name string }

// fold breaks small text into lines of at most wide pixels: at spaces, and within words that are longer than a line.
func (l *letters) fold(s string, wide int) []string {
	var out []string
	for s != "" {
		end, used, space := len(s), 0, 0
		for i, r := range s {
			eighths, _ := l.advance(r, small)
			if r == ' ' {
				space = i
			}
			if used += eighths; used > wide*8 && i > 0 && r != ' ' {
				if end = i; space > 0 {
					end = space
				}
				break
			}
		}
		out = append(out, strings.TrimRight(s[:end], " "))
		s = strings.TrimLeft(s[end:], " ")
	}
	return out
}

// withoutLast returns s without its last letter.
func withoutLast(s string) string {
	r := []rune(s)
	return strings.TrimRight(string(r[:len(r)-1]), " ")
}

// fitLines returns the lines of a name of at most wide pixels and limit lines, and whether it fits without breaking a word.
func (a *artist) fitLines(name string, wide, limit int) ([]string, bool) {
	if _, drawable := a.letters.measure(name, small); !drawable && a.look.ownLetters {
		return nil, false
	}
	lines := a.letters.fold(name, wide)
	if len(lines) > limit {
		return nil, false
	}
	for _, l := range lines {
		if w, _ := a.letters.measure(l, small); w > wide {
			return nil, false
		}
	}
	if strings.Join(lines, " ") == name {
		return lines, true
	}
	_, drawable := a.letters.measure(name, small)
	return lines, !drawable // scripts without spaces break anywhere
}

// tagRooms decides what is written in each room: its name, or where that does not fit a number. The numbers count up in the
// order of the rooms.
func (a *artist) tagRooms() {
	a.assignInitials()
	a.tags = make([]tag, len(a.places))
	number := 0
	for i := range a.m.Rooms {
		r := &a.m.Rooms[i]
		p := a.places[i]
		if r.Name == "" {
			a.tags[i] = tag{lines: []string{"?"}, size: a.numberSize("?", p)}
			continue
		}
		wide, limit := 2*p.hw-12, (2*p.hh-6)/lineStep
		if a.m.Layer == Zones {
			wide, limit = 2*p.hw*7/8-8, min(p.hh/lineStep, 2)
		}
		if a.hasStrip(i) {
			limit = (2*p.hh - 6 - stripHigh) / lineStep
		}
		if lines, ok := a.fitLines(r.Name, wide, limit); ok {
			a.tags[i] = tag{lines: lines, size: small}
			continue
		}
		if a.m.Layer == Zones && a.fitsBelow(i) {
			a.tags[i] = tag{lines: []string{r.Name}, size: small, below: true}
			continue
		}
		number++
		a.tags[i] = tag{lines: []string{strconv.Itoa(number)}, size: a.numberSize(strconv.Itoa(number), p), number: number}
	}
}

// numberSize returns the size in which a number fits into a room.
func (a *artist) numberSize(s string, p place) int {
	if w, _ := a.letters.measure(s, large); w > 2*p.hw-8 || p.hh < 20 {
		return small
	}
	return large
}

// assignInitials gives each of the party a sign of one letter, the first of the name where it is free and can be drawn.
func (a *artist) assignInitials() {
	names, used := map[string]bool{}, map[string]bool{}
	for i := range a.m.Rooms {
		r := &a.m.Rooms[i]
		for _, name := range r.Party {
			if names[name] {
				continue
			}
			names[name] = true
			sign := ""
			for _, c := range name + "ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
				sign = string(unicode.ToUpper(c))
				_, drawable := a.letters.measure(sign, small)
				if drawable && unicode.IsLetter(c) && !used[sign] {
					break
				}
				sign = "*"
			}
			used[sign] = true
			a.marks = append(a.marks, mark{sign, name})
		}
	}
}

func (a *artist) initialOf(name string) string {
	for _, m := range a.marks {
		if m.name == name {
			return m.sign
		}
	}
	return "*"
}

const (
	stripHigh  = 22 // of the row of marks at the bottom of a room
	stripRoom  = 30 // half the height from which a room has one; smaller ones carry their marks on their corners
	badgeRound = 11
	arrowWide  = 16
)

// hasStrip tells whether a room has a row of marks within it.
func (a *artist) hasStrip(i int) bool {
	r := &a.m.Rooms[i]
	return (r.Up || r.Down || len(r.Party) > 0) && a.m.Layer != Zones && a.places[i].hh >= stripRoom
}

// drawRoom draws a room with what is written in it.
func (a *artist) drawRoom(i int) {
	r, p, t := &a.m.Rooms[i], a.places[i], a.tags[i]
	fill, edge, ink, stroke, dashed := room, edgeInk, text, 3, false
	switch {
	case r.Current:
		fill, edge, ink, stroke = here, text, hereText, 6
		a.used[signHere] = true
	case !r.Visited:
		fill, edge, stroke, dashed = page, fogInk, 3, true
		a.used[signFog] = true
	}
	g := group{about: a.describe(i)}
	if a.m.Layer == Zones {
		g.shapes = append(g.shapes, disc{p.at, p.hw, fill, edge, stroke, dashed})
	} else {
		b := box{p.at.x - p.hw, p.at.y - p.hh, 2 * p.hw, 2 * p.hh, min(10, p.hh/3), fill, edge, stroke, dashed}
		if dashed {
			b.round = 0
		}
		g.shapes = append(g.shapes, b)
	}
	g.shapes = append(g.shapes, a.roomLabels(i, ink)...)
	if a.hasStrip(i) {
		g.shapes = append(g.shapes, a.stripMarks(i, ink)...)
	} else {
		g.shapes = append(g.shapes, a.cornerMarks(i)...)
	}
	a.used[signUp], a.used[signDown] = a.used[signUp] || r.Up, a.used[signDown] || r.Down
	a.used[signParty] = a.used[signParty] || len(r.Party) > 0
	a.add(g)
	if t.below {
		a.add(label{point{p.at.x, p.at.y + p.hh + 19}, t.lines[0], small, text, false})
	}
}

// roomLabels returns the labels of a room.
func (a *artist) roomLabels(i int, over ink) []shape {
	p, t := a.places[i], a.tags[i]
	if t.below {
		return nil
	}
	middle := p.at.y
	if a.hasStrip(i) {
		middle -= stripHigh/2 - 1
	}
	if t.size == large {
		return []shape{label{point{p.at.x, middle + 10}, t.lines[0], large, over, false}}
	}
	var out []shape
	y := middle - len(t.lines)*lineStep/2 + lineStep/2 + 6
	for _, line := range t.lines {
		out = append(out, label{point{p.at.x, y}, line, small, over, false})
		y += lineStep
	}
	return out
}

// stripMarks draws the party from the left and the ways up and down from the right of the bottom of a room.
func (a *artist) stripMarks(i int, over ink) []shape {
	r, p := &a.m.Rooms[i], a.places[i]
	y, x := p.at.y+p.hh-stripHigh/2-5, p.at.x+p.hw-6
	var out []shape
	if r.Down {
		out = append(out, newPointer(point{x - 7, y}, false, over))
		x -= arrowWide
	}
	if r.Up {
		out = append(out, newPointer(point{x - 7, y}, true, over))
		x -= arrowWide
	}
	left := p.at.x - p.hw + 6 + badgeRound
	places := max((x-left+badgeRound)/(2*badgeRound+1), 1)
	for k, name := range r.Party {
		sign := a.initialOf(name)
		if k == places-1 && len(r.Party) > places {
			sign = "+" + strconv.Itoa(min(len(r.Party)-k, 9))
		}
		if k < places {
			out = append(out, newBadge(point{left + k*(2*badgeRound+1), y}, sign)...)
		}
	}
	return out
}

func newBadge(at point, sign string) []shape {
	return []shape{disc{at, badgeRound, badge, badgeText, 2, false}, label{point{at.x, at.y + 6}, sign, small, badgeText, false}}
}

// newPointer is the sign of a way up or down.
func newPointer(at point, up bool, over ink) shape {
	d := 7
	if !up {
		d = -7
	}
	return wedge{point{at.x, at.y - d}, point{at.x - 7, at.y + d}, point{at.x + 7, at.y + d}, over}
}

// cornerMarks draws the marks of a room that has no space for them: on its corners, the party as one sign.
func (a *artist) cornerMarks(i int) []shape {
	r, p := &a.m.Rooms[i], a.places[i]
	dx, dy := p.hw, p.hh
	if a.m.Layer == Zones {
		dx, dy = dx*3/4, dy*3/4
	}
	var out []shape
	back := func(at point) shape { return disc{at: at, r: 10, fill: page, edge: page} }
	if r.Up {
		at := point{p.at.x + dx, p.at.y - dy}
		out = append(out, back(at), newPointer(at, true, edgeInk))
	}
	if r.Down {
		at := point{p.at.x + dx, p.at.y + dy}
		out = append(out, back(at), newPointer(at, false, edgeInk))
	}
	switch n := len(r.Party); {
	case n == 1:
		out = append(out, newBadge(point{p.at.x - dx, p.at.y + dy}, a.initialOf(r.Party[0]))...)
	case n > 1:
		out = append(out, newBadge(point{p.at.x - dx, p.at.y + dy}, strconv.Itoa(min(n, 9)))...)
	}
	return out
}
