package chart

// draw draws a link where it is straight and nothing is in its way, and says whether it did.
func (g *grid) draw(e edge) bool {
	a, b := g.cells[e.a], g.cells[e.b]
	switch {
	case a.row == b.row:
		return g.drawAcross(e, a.row, min(a.col, b.col), max(a.col, b.col))
	case a.col == b.col:
		return g.drawDown(e, a.col, min(a.row, b.row), max(a.row, b.row))
	case abs(a.row-b.row) == 1 && abs(a.col-b.col) == 1 && !e.oneWay && doorStrength(e.door) == 0 && !e.stairs:
		at := &g.gaps[min(a.row, b.row)][max(a.col, b.col)*(g.inner+2+between)-2]
		slope := byte('/')
		if (a.row < b.row) == (a.col < b.col) {
			slope = '\\'
		}
		if *at != ' ' {
			slope = 'X'
		}
		*at = slope
		return true
	}
	return false
}

// drawAcross draws a link between two columns of a row.
func (g *grid) drawAcross(e edge, row, left, right int) bool {
	from, to := left*(g.inner+2+between)+g.inner+2, right*(g.inner+2+between)
	for col := left + 1; col < right; col++ {
		if g.at[row][col] >= 0 {
			return false
		}
	}
	way := g.ways[row][from:to]
	for _, c := range way {
		if c != ' ' {
			return false
		}
	}
	for i := range way {
		way[i] = '-'
		if e.stairs {
			way[i] = '.'
		}
	}
	if c := g.doorLetter(e); c != 0 {
		way[len(way)/2] = c
	}
	if e.oneWay && g.cells[e.a].col == left {
		way[len(way)-1] = '>'
	} else if e.oneWay {
		way[0] = '<'
	}
	return true
}

// drawDown draws a link between two rows of a column; its arrow stands beside it.
func (g *grid) drawDown(e edge, col, top, low int) bool {
	x := col*(g.inner+2+between) + (g.inner+2)/2
	for row := top + 1; row < low; row++ {
		if g.at[row][col] >= 0 || g.ways[row][x] != ' ' {
			return false
		}
	}
	for row := top; row < low; row++ {
		if row > top {
			g.ways[row][x] = '|'
		}
		g.gaps[row][x] = '|'
		if e.stairs {
			g.gaps[row][x] = ':'
		}
	}
	if c := g.doorLetter(e); c != 0 {
		g.gaps[top][x] = c
	}
	if e.oneWay && g.cells[e.a].row == top {
		g.gaps[low-1][x+1] = 'v'
	} else if e.oneWay {
		g.gaps[top][x+1] = '^'
	}
	return true
}

// doorLetter returns the letter of a door, or 0.
func (g *grid) doorLetter(e edge) byte {
	if s, ok := doorSign(e.door); ok {
		return textSigns()[s][0]
	}
	return 0
}

// describeLink returns a link as a line: its rooms with its signs between them.
func (g *grid) describeLink(e edge) string {
	way := []byte("---")
	if e.stairs {
		way = []byte("...")
	}
	if c := g.doorLetter(e); c != 0 {
		way[1] = c
	}
	if e.oneWay {
		way[2] = '>'
	}
	return g.labels[e.a] + " " + string(way) + " " + g.labels[e.b]
}
