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

// fold breaks text of a size into lines of at most wide pixels: at spaces, and within words that are longer than a line.
func (l *letters) fold(s string, wide, size int) []string {
	var out []string
	for s != "" {
		end, used, space := len(s), 0, 0
		for i, r := range s {
			eighths, _ := l.advance(r, size)
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

// lineStep returns how far it is from one line of text to the next.
func lineStep(size int) int { return size*7/6 + 1 }

// fitLines returns the lines of a name of at most wide pixels and limit lines, as even as they can be, and whether it fits
// without breaking a word. Chinese breaks anywhere, and so do letters that are not ours.
func (a *artist) fitLines(name string, wide, limit, size int) ([]string, bool) {
	w, drawable := a.letters.measure(name, size)
	if !drawable && a.look.ownLetters {
		return nil, false
	}
	lines := a.letters.fold(name, wide, size)
	if len(lines) > limit {
		return nil, false
	}
	anywhere := !drawable || strings.ContainsFunc(name, isWide)
	if !anywhere && strings.Join(lines, " ") != name {
		return nil, false
	}
	for even := w / len(lines); even < wide && len(lines) > 1; even += 4 {
		if l := a.letters.fold(name, even, size); len(l) == len(lines) && (anywhere || strings.Join(l, " ") == name) {
			return l, true
		}
	}
	return lines, true
}

func isWide(r rune) bool { return columns(string(r)) > 1 }

// nameSizes are the sizes of names, the largest first.
func nameSizes() [4]int { return [4]int{22, 20, 18, small} }

// tagRooms decides what is written in each room: its name, or where that does not fit a number. The numbers count up in the
// order of the rooms. All names have one size: the largest in which the most of them fit.
func (a *artist) tagRooms() {
	a.assignInitials()
	best := -1
	for _, size := range nameSizes() {
		tags, numbers := a.tagsOf(size)
		if best < 0 || numbers < best {
			a.tags, best = tags, numbers
		}
		if numbers == 0 {
			break
		}
	}
}

// tagsOf returns the tags of rooms with names in a size, and how many of them are numbers.
func (a *artist) tagsOf(size int) (tags []tag, number int) {
	tags = make([]tag, len(a.places))
	for i := range a.m.Rooms {
		r := &a.m.Rooms[i]
		p := a.places[i]
		if r.Name == "" {
			tags[i] = tag{lines: []string{"?"}, size: a.numberSize("?", p)}
			continue
		}
		wide, high := 2*(p.hw-8-r.Kind.inset(p)), 2*p.hh-8
		if a.m.Layer == Zones {
			wide, high = 2*p.hw*7/8-8, min(p.hh, 2*lineStep(size))
		}
		if a.hasStrip(i) {
			high -= stripHigh
		}
		if r.Kind == Wood {
			high -= 8
		}
		if lines, ok := a.fitLines(r.Name, wide, high/lineStep(size), size); ok {
			tags[i] = tag{lines: lines, size: size}
			continue
		}
		if lines, ok := a.fitLines(r.Name, 2*p.hw-16, 1, size); ok && a.m.Layer != Zones { // one line misses the corners
			tags[i] = tag{lines: lines, size: size}
			continue
		}
		if a.m.Layer == Zones && a.fitsBelow(tags, i, size) {
			tags[i] = tag{lines: []string{r.Name}, size: size, below: true}
			continue
		}
		number++
		tags[i] = tag{lines: []string{strconv.Itoa(number)}, size: a.numberSize(strconv.Itoa(number), p), number: number}
	}
	return tags, number
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
	stripHigh  = 24 // of the row of marks at the bottom of a room
	stripRoom  = 34 // half the height from which a room has one; smaller ones carry their marks on their corners
	badgeRound = 11
	signWide   = 18
)

// hasStrip tells whether a room has a row of marks within it.
func (a *artist) hasStrip(i int) bool {
	r := &a.m.Rooms[i]
	return (r.Up || r.Down || len(r.Party) > 0 || r.People > 0 || r.Things > 0) && a.m.Layer != Zones && a.places[i].hh >= stripRoom
}

// drawRoom draws a room with what is written in it.
func (a *artist) drawRoom(i int) {
	r, p, t, over := &a.m.Rooms[i], a.places[i], a.tags[i], text
	d := r.Kind.dressing()
	switch {
	case r.Current:
		d.fill, over, d.edge, d.stroke = here, hereText, text, 7
	case !r.Visited:
		d.fill, d.edge, d.stroke = page, fogInk, 3
	}
	shape := path{outlines: [][]knot{a.outline(i)}, fill: d.fill, edge: d.edge, stroke: d.stroke}
	g := group{about: a.describe(i)}
	if r.Visited {
		g.shapes = append(append(g.shapes, shape), a.ornaments(i)...)
	} else {
		shape.on, shape.off = 8, 6
		g.shapes = append(g.shapes, shape)
	}
	g.shapes = append(g.shapes, a.roomLabels(i, over)...)
	if a.hasStrip(i) {
		g.shapes = append(g.shapes, a.stripMarks(i, over)...)
	} else {
		g.shapes = append(g.shapes, a.cornerMarks(i)...)
	}
	a.add(g)
	if t.below {
		a.add(label{point{p.at.x, p.at.y + p.hh + 3 + t.size}, t.lines[0], t.size, text, false})
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
		middle -= stripHigh/2 - 2
	}
	var out []shape
	step := lineStep(t.size)
	y := middle - (len(t.lines)-1)*step/2 + t.size*3/8
	for _, line := range t.lines {
		out = append(out, label{point{p.at.x, y}, line, t.size, over, false})
		y += step
	}
	return out
}

// stripMarks draws the party and others from the left, and things and the ways up and down from the right of the bottom of a
// room.
func (a *artist) stripMarks(i int, over ink) []shape {
	r, p := &a.m.Rooms[i], a.places[i]
	inset := r.Kind.inset(p)
	y, x := p.at.y+p.hh-stripHigh/2-6, p.at.x+p.hw-20-inset
	var out []shape
	if r.Down {
		out = append(out, newPointer(point{x, y}, false, over))
		x -= signWide
	}
	if r.Up {
		out = append(out, newPointer(point{x, y}, true, over))
		x -= signWide
	}
	if r.Things > 0 {
		if r.Things > 1 {
			out = append(out, newCount(&x, y, r.Things, over))
		}
		out = append(out, newChest(point{x, y}, over)...)
		x -= signWide
	}
	left := p.at.x - p.hw + 10 + badgeRound + inset
	if r.People > 0 && len(r.Party) == 0 {
		out = append(out, newPerson(point{left, y}, over))
		if left += signWide; r.People > 1 {
			left -= 3
			out = append(out, label{point{left, y + 6}, strconv.Itoa(min(r.People, 99)), small, over, false})
		}
		return out
	}
	if r.People > 0 {
		if r.People > 1 {
			out = append(out, newCount(&x, y, r.People, over))
		}
		out = append(out, newPerson(point{x, y}, over))
		x -= signWide
	}
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

// newCount writes how many there are of the sign to its left.
func newCount(x *int, y, n int, over ink) shape {
	at := point{*x + 2, y + 6}
	*x -= signWide - 3
	return label{at, strconv.Itoa(min(n, 99)), small, over, false}
}

func newBadge(at point, sign string) []shape {
	return []shape{edged(badge, badgeText, 2, circle(at, badgeRound)), label{point{at.x, at.y + 6}, sign, small, badgeText, false}}
}

// newPerson is the sign of somebody who is there.
func newPerson(at point, over ink) shape {
	return solid(over, circle(point{at.x, at.y - 5}, 4), []knot{{point{at.x - 6, at.y + 8}, false}, {point{at.x - 6, at.y}, true},
		{point{at.x, at.y}, false}, {point{at.x + 6, at.y}, true}, {point{at.x + 6, at.y + 8}, false}})
}

// newChest is the sign of things that are there.
func newChest(at point, over ink) []shape {
	return []shape{edged(wood, over, 2, []knot{{point{at.x - 6, at.y - 1}, false}, {point{at.x - 6, at.y - 7}, true}, {point{at.x, at.y - 7}, false},
		{point{at.x + 6, at.y - 7}, true}, {point{at.x + 6, at.y - 1}, false}}), edged(wood, over, 2, rectangle(at.x-6, at.y-1, 12, 8))}
}

// newPointer is the sign of a way up or down.
func newPointer(at point, up bool, over ink) shape {
	d := 6
	if !up {
		d = -6
	}
	return solid(over, polygon(point{at.x, at.y - d}, point{at.x - 6, at.y + d}, point{at.x + 6, at.y + d}))
}

// cornerMarks draws the marks of a room that has no space for them: on its corners, the party as one sign.
func (a *artist) cornerMarks(i int) []shape {
	r, p := &a.m.Rooms[i], a.places[i]
	dx, dy := p.hw, p.hh
	if a.m.Layer == Zones {
		dx, dy = dx*3/4, dy*3/4
	}
	var out []shape
	mark := func(x, y int, sign func(point) shape) {
		at := point{p.at.x + x, p.at.y + y}
		out = append(out, solid(page, circle(at, 11)), sign(at))
	}
	if r.Up {
		mark(dx, -dy, func(at point) shape { return newPointer(at, true, edgeInk) })
	}
	if r.Down {
		mark(dx, dy, func(at point) shape { return newPointer(at, false, edgeInk) })
	}
	if r.People > 0 {
		mark(-dx, -dy, func(at point) shape { return newPerson(at, edgeInk) })
	}
	switch n := len(r.Party); {
	case n == 1:
		out = append(out, newBadge(point{p.at.x - dx, p.at.y + dy}, a.initialOf(r.Party[0]))...)
	case n > 1:
		out = append(out, newBadge(point{p.at.x - dx, p.at.y + dy}, strconv.Itoa(min(n, 9)))...)
	}
	return out
}
