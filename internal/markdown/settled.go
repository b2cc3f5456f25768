package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// Settled returns how many bytes of a text that is being written are blocks which nothing that follows can change.
func Settled(src string) int {
	src = src[:strings.LastIndexByte(src, '\n')+1]
	last := lastBlock(src)
	switch last.(type) {
	case nil:
		return 0
	case *ast.Paragraph, *ast.Heading, *ast.ThematicBreak, *ast.FencedCodeBlock, *east.Table:
		// They are complete if a line of text that follows is another block.
		if after := lastBlock(src + "x\n"); after.Kind() == ast.KindParagraph && after.Pos() == len(src) {
			return len(src)
		}
	}
	return strings.LastIndexByte(src[:max(last.Pos(), 0)], '\n') + 1
}

// lastBlock returns the last block of a text, nil if it has none.
func lastBlock(src string) ast.Node { return Parser().Parse(text.NewReader([]byte(src))).LastChild() }
