package chart

import (
	"strconv"
	"strings"

	"hob/internal/lists"
	"hob/internal/phrases"
)

// signs returns which signs the map has.
func (p *plan) signs() (used [signCount]bool) {
	for i := range p.m.Rooms {
		r := &p.m.Rooms[i]
		for sign, has := range map[sign]bool{signHere: r.Current, signFog: !r.Visited, signUp: r.Up, signDown: r.Down,
			signParty: len(r.Party) > 0, signPeople: r.People > 0, signThings: r.Things > 0 && p.m.Layer != Zones} {
			used[sign] = used[sign] || has
		}
	}
	for _, e := range p.edges {
		if sign, ok := doorSign(e.door); ok {
			used[sign] = true
		}
		used[signOneWay], used[signStairs] = used[signOneWay] || e.oneWay, used[signStairs] || e.stairs
		used[signTrail] = used[signTrail] || e.walked
	}
	return used
}

// drawKey draws the signs that the map has, each with what it means, below y, and returns how high that is.
func (a *artist) drawKey(y int) int {
	const signSpace, after = 36, 14
	x, lines := margin, 0
	for s, used := range a.signs() {
		meaning := meaningOf(sign(s), a.words)
		if w, drawable := a.letters.measure(meaning, small); used && (drawable || !a.look.ownLetters) {
			if x+signSpace+w > a.list.w-margin && x > margin || lines == 0 {
				x = margin
				lines++
			}
			middle := y + lines*keyHigh - keyHigh/2
			a.add(a.keySign(sign(s), point{x + signSpace/2 - 4, middle})...)
			a.add(label{point{x + signSpace, middle + 6}, meaning, small, text, true})
			x += signSpace + w + after
		}
	}
	return lines*keyHigh + min(lines, 1)*margin/2
}

// keySign returns a sign as it is on the map.
func (a *artist) keySign(s sign, at point) []shape {
	way := []point{{at.x - 11, at.y}, {at.x + 11, at.y}}
	switch s {
	case signHere:
		return []shape{edged(here, text, 4, rectangle(at.x-11, at.y-7, 22, 14))}
	case signFog:
		return []shape{path{outlines: [][]knot{rectangle(at.x-11, at.y-7, 22, 14)}, fill: page, edge: fogInk, stroke: 2, on: 5, off: 4}}
	case signOpen, signClosed, signLocked:
		return append([]shape{line(road, linkWide, way...)}, newDoor(s, at, point{64, 0}, 8)...)
	case signOneWay:
		return []shape{line(road, linkWide, way...), arrowhead(way[0], way[1], 15)}
	case signStairs:
		return append([]shape{line(road, linkWide, way...)}, stairs(edge{up: true}, way)...)
	case signUp, signDown:
		return []shape{newPointer(at, s == signUp, edgeInk)}
	case signParty:
		sign := "*"
		if len(a.marks) > 0 {
			sign = a.marks[0].sign
		}
		return newBadge(at, sign)
	case signPeople:
		return []shape{newPerson(at, edgeInk)}
	case signThings:
		return newChest(at, edgeInk)
	case signTrail:
		l := line(trailInk, 4, way...)
		l.on, l.off = 7, 5
		return []shape{l}
	}
	return nil
}

// describe describes a room to those who do not see it.
func (a *artist) describe(i int) string {
	r := &a.m.Rooms[i]
	if r.Name == "" {
		return a.words.Text("unknown")
	}
	out := r.Name
	if t := a.tags[i]; t.number > 0 {
		out = strconv.Itoa(t.number) + " " + out
	}
	if r.Current {
		out += ", " + meaningOf(signHere, a.words)
	}
	if !r.Visited {
		out += ", " + meaningOf(signFog, a.words)
	}
	if len(r.Party) > 0 {
		out += ": " + strings.Join(r.Party, ", ")
	}
	return out
}

// legend returns the lines that belong below the picture.
func (a *artist) legend() []string {
	var out []string
	if a.cut {
		out = append(out, a.m.Title)
	}
	for i, t := range a.tags {
		if t.number > 0 {
			out = append(out, strconv.Itoa(t.number)+" "+a.m.Rooms[i].Name)
		}
	}
	if party := lists.Map(a.marks, func(m mark) string { return m.sign + " " + m.name }); len(party) > 0 {
		out = append(out, strings.Join(party, ", "))
	}
	if a.apart {
		out = append(out, a.words.Text("apart"))
	}
	return append(out, countBeyond(&a.m, a.words)...)
}

// countBeyond says how much of a map is shown, where that is not all.
func countBeyond(m *Map, w phrases.Words) []string {
	if m.Beyond == 0 {
		return nil
	}
	return []string{w.Text("shown", strconv.Itoa(len(m.Rooms)), strconv.Itoa(len(m.Rooms)+m.Beyond))}
}
