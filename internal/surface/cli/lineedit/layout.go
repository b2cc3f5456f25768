package lineedit

import "strings"

// A Layout is a line in rows of columns.
type Layout struct {
	Rows []string
	X, Y int // of the cursor: column and row

	places []place // of each cluster, and of the end
}

type place struct{ row, column int }

const tabWidth = 4 // columns

// Lay lays the line out in rows of width columns, wrapped at words. widthOf measures a cluster in columns.
func (l *Line) Lay(width int, widthOf func(string) int) Layout {
	width = max(width, 2)
	var out Layout
	var row strings.Builder
	column, breakAt := 0, -1 // the cluster behind the last blank of the row, or -1
	end := func() {
		out.Rows = append(out.Rows, strings.TrimRight(row.String(), " "))
		row.Reset()
		column, breakAt = 0, -1
	}
	put := func(i int) {
		cluster := l.text[i]
		if cluster == "\t" {
			cluster = strings.Repeat(" ", tabWidth-column%tabWidth)
		}
		w := widthOf(cluster)
		out.places = append(out.places[:i], place{len(out.Rows), column})
		row.WriteString(cluster)
		column += w
		if strings.TrimSpace(l.text[i]) == "" {
			breakAt = i + 1
		}
	}
	begin := 0 // the first cluster of the row
	for i := 0; i < len(l.text); i++ {
		if l.text[i] == "\n" {
			out.places = append(out.places[:i], place{len(out.Rows), column})
			end()
			begin = i + 1
			continue
		}
		w := widthOf(l.text[i])
		if l.text[i] == "\t" {
			w = tabWidth - column%tabWidth
		}
		// The last column is left free: the cursor stands there behind the last character.
		if column+w > width-1 && i > begin && l.text[i] != " " {
			if breakAt > begin { // the word goes down as a whole
				i = breakAt
				row.Reset()
				for _, c := range l.text[begin:i] {
					row.WriteString(c)
				}
			}
			begin = i
			end()
		}
		put(i)
	}
	out.places = append(out.places[:len(l.text)], place{len(out.Rows), column})
	end()
	out.X, out.Y = min(out.places[l.at].column, width-1), out.places[l.at].row
	return out
}

// Up moves the cursor a row up and reports whether there is one.
func (l *Line) Up(o Layout) bool { return l.toRow(o, o.Y-1) }

// Down moves the cursor a row down and reports whether there is one.
func (l *Line) Down(o Layout) bool { return l.toRow(o, o.Y+1) }

func (l *Line) toRow(o Layout, row int) bool {
	if row < 0 || row >= len(o.Rows) {
		return false
	}
	best := -1
	for i, p := range o.places {
		if p.row == row && (best < 0 || p.column <= o.X) {
			best = i
		}
	}
	if best < 0 {
		return false
	}
	l.move(best)
	return true
}
