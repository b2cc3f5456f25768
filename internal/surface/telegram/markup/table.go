package markup

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

const (
	columnGap = 2
	maxWidth  = 64 // columns; a phone shows some forty, and wraps the rest
)

// table lays a table out with letters of one width. Where it is so wide that a phone would tear it apart, each row becomes lines
// of the form "column: text".
func (r *renderer) table(n *east.Table) {
	var rows [][]string
	var widths []int
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			s := r.cell(c)
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
		r.records(n)
		return
	}
	b := &strings.Builder{}
	for i, row := range rows {
		writeRow(b, row, widths, n.Alignments)
		if i == 0 {
			rule := make([]string, len(widths))
			for j, w := range widths {
				rule[j] = strings.Repeat("-", w)
			}
			writeRow(b, rule, widths, nil)
		}
	}
	r.code(b.String(), "")
}

func writeRow(b *strings.Builder, row []string, widths []int, align []east.Alignment) {
	line := &strings.Builder{}
	for i, w := range widths {
		content := ""
		if i < len(row) {
			content = row[i]
		}
		free := w - columns(content)
		left := 0
		if i < len(align) {
			switch align[i] {
			case east.AlignRight:
				left = free
			case east.AlignCenter:
				left = free / 2
			}
		}
		if i > 0 {
			left += columnGap
			free += columnGap
		}
		line.WriteString(strings.Repeat(" ", left) + content + strings.Repeat(" ", free-left))
	}
	b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
}

// records writes each row as lines of its cells.
func (r *renderer) records(n *east.Table) {
	r.ownLine()
	head := n.FirstChild()
	for row := head.NextSibling(); row != nil; row = row.NextSibling() {
		name := head.FirstChild()
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			r.field(name, c)
			if name != nil {
				name = name.NextSibling()
			}
		}
		r.gap = 2
	}
}

func (r *renderer) field(name, c ast.Node) {
	if c.FirstChild() == nil {
		return
	}
	if name != nil && name.FirstChild() != nil {
		r.styled(name, Entity{Type: Bold})
		r.write(": ")
	}
	r.inline(c)
	r.gap = 1
}
