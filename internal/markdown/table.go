package markdown

import east "github.com/yuin/goldmark/extension/ast"

// Indent returns how many of the free columns of a cell stand before its text.
func Indent(alignments []east.Alignment, column, free int) int {
	if column >= len(alignments) {
		return 0
	}
	switch alignments[column] {
	case east.AlignRight:
		return free
	case east.AlignCenter:
		return free / 2
	}
	return 0
}
