package chart

import (
	"bytes"
	"strconv"
	"strings"

	"hob/internal/phrases"
)

const (
	textRows   = 100 // of rooms, at most
	textLinks  = 40  // that are listed because they could not be drawn
	leastInner = 6   // columns within a room: a number of two digits and its signs
	mostInner  = 18
	between    = 3  // columns between two rooms of a row
	leastWidth = 12 // a narrower terminal is taken for this wide
)

// textSigns returns how the signs look in Text, in the order of their constants.
func textSigns() [signCount]string {
	return [signCount]string{"@", "( )", "'", "+", "#", "> <", "...", "^", "v", "*", "", "", ""}
}

// Text returns m in letters: rooms are names or numbers in brackets, round ones where nobody has been, and what lies around
// them is ASCII. No line takes more than width columns of a terminal, where a Chinese letter takes two; each ends with a
// newline. What the numbers and signs mean, and links that could not be drawn, follow below. Where the rooms of a row do not
// fit, or there are more than textRows rows, what is around the current room is shown, and a line says so.
func Text(m Map, width int) string {
	width = max(width, leastWidth)
	p := newPlan(m)
	p = p.within(max((width+between)/(leastInner+2+between), 1), textRows)
	g := newGrid(p, min((width+between)/max(p.cols, 1)-2-between, mostInner))
	var b strings.Builder
	put := func(line string) {
		for line != "" {
			var head string
			head, line = breakLine(line, width)
			b.WriteString(head)
			b.WriteByte('\n')
		}
	}
	put(p.m.Title)
	last := ""
	for i, line := range g.lines() {
		if line != "" || last != "" || i == 0 { // empty rows are one
			b.WriteString(line)
			b.WriteByte('\n')
		}
		last = line
	}
	for _, line := range g.listed {
		put(line)
	}
	for _, line := range g.names {
		put(line)
	}
	put(strings.Join(explainSigns(g.words, g.signs(), textSigns()), "; "))
	for _, line := range countBeyond(&p.m, g.words) {
		put(line)
	}
	return b.String()
}

// grid is a map in letters: the rooms' cells, what stands between two cells of a row, and the lines between two rows.
type grid struct {
	plan
	words  phrases.Words
	inner  int      // columns within a room's brackets
	rooms  []string // by room, with brackets
	at     [][]int  // the room in each cell, by row and column; -1 where there is none
	ways   [][]byte // each row of rooms as it would be without them
	gaps   [][]byte // the line below each row
	listed []string // links that could not be drawn
	names  []string // of numbered rooms, and who is where
	labels []string // by room, as the list names them
}

func newGrid(p *plan, most int) *grid {
	g := &grid{plan: *p, words: wordsOf(p.m.Lang), rooms: make([]string, len(p.cells)), labels: make([]string, len(p.cells))}
	g.inner = 1
	for i := range p.m.Rooms {
		r := &p.m.Rooms[i]
		g.inner = max(g.inner, min(columns(withSigns(r.Name, r, " ")), most))
	}
	g.inner = max(g.inner, min(leastInner, most))
	g.labelRooms()
	wide := p.cols*(g.inner+2+between) - between
	for range p.rows {
		row := make([]int, p.cols)
		for c := range row {
			row[c] = -1
		}
		g.at = append(g.at, row)
		g.ways = append(g.ways, bytes.Repeat([]byte{' '}, max(wide, 0)))
		g.gaps = append(g.gaps, bytes.Repeat([]byte{' '}, max(wide, 0)))
	}
	for i, c := range p.cells {
		g.at[c.row][c.col] = i
	}
	left := 0
	for _, e := range p.edges {
		if g.draw(e) || g.labels[e.a] == "?" && g.labels[e.b] == "?" { // which two those are cannot be said
			continue
		}
		if len(g.listed) < textLinks {
			g.listed = append(g.listed, g.describeLink(e))
		} else {
			left++
		}
	}
	if left > 0 {
		g.listed = append(g.listed, g.words.Text("and")+" "+strconv.Itoa(left))
	}
	return g
}

// withSigns returns a name or a number with the signs of its room.
func withSigns(name string, r *Room, space string) string {
	if r.Current {
		name = "@" + name
	}
	signs := ""
	if r.Up {
		signs += "^"
	}
	if r.Down {
		signs += "v"
	}
	if len(r.Party) > 0 {
		signs += "*"
	}
	if signs != "" {
		name += space + signs
	}
	return name
}

// labelRooms writes the rooms: the name where it fits, else a number, whose name is told below.
func (g *grid) labelRooms() {
	number := 0
	for i := range g.m.Rooms {
		r := &g.m.Rooms[i]
		name := r.Name
		g.labels[i] = name
		if name == "" {
			name, g.labels[i] = "?", "?"
		}
		shown := withSigns(name, r, " ")
		if columns(shown) > g.inner || isRightToLeft(name) {
			number++
			g.labels[i] = strconv.Itoa(number)
			shown = withSigns(strconv.Itoa(number), r, "")
			g.names = append(g.names, strconv.Itoa(number)+" "+withSigns(name, r, " "))
		}
		shown = cutColumns(shown, g.inner) // what is cut are signs that the line of the number has too
		pad := g.inner - columns(shown)
		g.rooms[i] = "[" + strings.Repeat(" ", pad/2) + shown + strings.Repeat(" ", pad-pad/2) + "]"
		if !r.Visited {
			g.rooms[i] = "(" + g.rooms[i][1:len(g.rooms[i])-1] + ")"
		}
		if len(r.Party) > 0 {
			g.names = append(g.names, "* "+g.labels[i]+": "+strings.Join(r.Party, ", "))
		}
	}
}

// lines returns the rows, without spaces at their ends.
func (g *grid) lines() []string {
	var out []string
	for row := range g.at {
		line, from := "", 0
		for col, room := range g.at[row] {
			at := col * (g.inner + 2 + between)
			if room >= 0 {
				line += string(g.ways[row][from:at]) + g.rooms[room]
				from = at + g.inner + 2
			}
		}
		out = append(out, strings.TrimRight(line+string(g.ways[row][from:]), " "))
		if row < len(g.at)-1 {
			out = append(out, strings.TrimRight(string(g.gaps[row]), " "))
		}
	}
	return out
}
