package cli

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"hob/internal/lists"
	"hob/internal/markdown"
)

const (
	columnGap    = 2
	narrowColumn = 6 // a column is not made narrower than this, unless its text is
)

// table lays a table into columns. Where it is too wide, the widest columns are wrapped; where that makes them too
// narrow to read, each row becomes a list of its cells.
func (r *renderer) table(n *east.Table, p place) []string {
	var rows [][][]cell // row, column, text
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		st := p.style
		if row.Kind() == east.KindTableHeader {
			st |= bold
		}
		var columns [][]cell
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			columns = append(columns, cells(r.inline(c, st)))
		}
		rows = append(rows, columns)
	}
	if len(rows) == 0 || len(rows[0]) == 0 {
		return r.children(ast.Node(n), p, false)
	}
	widths := columnWidths(rows, p)
	if widths == nil {
		return r.records(rows, p)
	}
	var lines []string
	for i, row := range rows {
		lines = append(lines, r.row(row, widths, n.Alignments, p.first)...)
		if i == 0 {
			lines = append(lines, r.underline(widths))
		}
	}
	return lines
}

// columnWidths returns the columns' widths, together with their gaps at most p's; nil if that makes them too narrow.
func columnWidths(rows [][][]cell, p place) []int {
	widths, floor := make([]int, len(rows[0])), make([]int, len(rows[0]))
	for _, row := range rows {
		for i, c := range row {
			for _, line := range wrap(c, 0, p.first && i == 0) {
				widths[i] = max(widths[i], cellsWidth(line))
			}
		}
	}
	for i, w := range widths {
		widths[i] = max(w, 1)
		floor[i] = min(widths[i], narrowColumn)
	}
	total := func(list []int) int {
		sum := columnGap * (len(list) - 1)
		for _, w := range list {
			sum += w
		}
		return sum
	}
	switch {
	case p.width == 0 || total(widths) <= p.width:
		return widths
	case total(floor) > p.width:
		return nil
	}
	for over := total(widths) - p.width; over > 0; over-- {
		widest := -1
		for i, w := range widths {
			if w > floor[i] && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		widths[widest]--
	}
	return widths
}

func (r *renderer) row(row [][]cell, widths []int, align []east.Alignment, first bool) []string {
	columns, height := make([][][]cell, len(widths)), 1
	for i, w := range widths {
		if i < len(row) {
			columns[i] = wrap(soft(row[i]), w, first && i == 0)
		}
		height = max(height, len(columns[i]))
	}
	lines := make([]string, height)
	for y := range lines {
		var line []cell
		for i, w := range widths {
			var content []cell
			if y < len(columns[i]) {
				content = columns[i][y]
			}
			free := max(w-cellsWidth(content), 0)
			left := markdown.Indent(align, i, free)
			line = slices.Concat(line, pad(gapOf(i)+left), content, pad(free-left))
		}
		lines[y] = paint(trimRight(line), r.colour)
	}
	return lines
}

func gapOf(column int) int {
	if column > 0 {
		return columnGap
	}
	return 0
}

// soft lets addresses be broken: a column keeps its width.
func soft(in []cell) []cell {
	out := slices.Clone(in)
	for i := range out {
		out[i].style &^= whole
	}
	return out
}

func pad(n int) []cell {
	out := make([]cell, max(n, 0))
	for i := range out {
		out[i] = cell{" ", 1, 0}
	}
	return out
}

func (r *renderer) underline(widths []int) string {
	sign := "-"
	if r.colour {
		sign = "─"
	}
	parts := lists.Map(widths, func(w int) string { return strings.Repeat(sign, w) })
	return paint([]cell{{strings.Join(parts, strings.Repeat(" ", columnGap)), 0, dim}}, r.colour)
}

// records shows each row as lines of the form "column: text".
func (r *renderer) records(rows [][][]cell, p place) []string {
	if len(rows) == 1 { // nothing but names
		rows = append([][][]cell{nil}, rows...)
	}
	var lines []string
	for i, row := range rows[1:] {
		if i > 0 {
			lines = append(lines, "")
		}
		for j, c := range row {
			head := []cell{}
			if j < len(rows[0]) {
				head = slices.Concat(rows[0][j], []cell{{":", 1, bold}, {" ", 1, 0}})
			}
			for k, line := range wrap(slices.Concat(head, c), p.width, p.first) {
				if k > 0 && p.width > 4 && cellsWidth(line)+2 <= p.width {
					line = append(pad(2), line...)
				}
				lines = append(lines, paint(line, r.colour))
			}
		}
	}
	return lines
}
