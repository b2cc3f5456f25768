package markup

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"hob/internal/lists"
	"hob/internal/markdown"
)

const (
	columnGap = 2
	maxWidth  = 64 // columns; a phone shows some forty, and wraps the rest
)

// writeTable lays a table out in a monospaced font. If it is too wide for a phone, each row becomes
// lines of the form "column: text".
func (r *renderer) writeTable(n *east.Table) {
	var rows [][]string
	var widths []int
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			s := r.cellText(c)
			if i := len(cells); i == len(widths) {
				widths = append(widths, columns(s))
			} else {
				widths[i] = max(widths[i], columns(s))
			}
			cells = append(cells, s)
		}
		rows = append(rows, cells)
	}
	total := -columnGap
	for i, w := range widths {
		widths[i] = max(w, 1)
		total += widths[i] + columnGap
	}
	if total > maxWidth && len(rows) > 1 {
		r.writeRecords(n)
		return
	}
	b := &strings.Builder{}
	for i, row := range rows {
		writeRow(b, row, widths, n.Alignments)
		if i == 0 {
			writeRow(b, rule(widths), widths, nil)
		}
	}
	r.writeCode(b.String(), "")
}

// rule returns the row below the column names.
func rule(widths []int) []string {
	return lists.Map(widths, func(w int) string { return strings.Repeat("-", w) })
}

func writeRow(b *strings.Builder, row []string, widths []int, align []east.Alignment) {
	line := ""
	for i, cell := range row {
		if i > 0 {
			line += strings.Repeat(" ", columnGap)
		}
		free := widths[i] - columns(cell)
		left := markdown.Indent(align, i, free)
		line += strings.Repeat(" ", left) + cell + strings.Repeat(" ", free-left)
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}

// writeRecords writes each row as lines of its cells.
func (r *renderer) writeRecords(n *east.Table) {
	r.endMarkerLine()
	head := n.FirstChild()
	for row := head.NextSibling(); row != nil; row = row.NextSibling() {
		name := head.FirstChild()
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			r.writeField(name, c)
			if name != nil {
				name = name.NextSibling()
			}
		}
		r.gap = 2
	}
}

func (r *renderer) writeField(name, c ast.Node) {
	if c.FirstChild() == nil {
		return
	}
	if name != nil && name.FirstChild() != nil {
		r.writeStyled(name, Entity{Type: Bold})
		r.write(": ")
	}
	r.writeInline(c)
	r.gap = 1
}
