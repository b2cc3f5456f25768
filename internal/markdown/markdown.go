// Package markdown is what all who show Markdown share: which Markdown it is, how the cells of tables stand, which blocks of a
// text that grows are settled, and how plain text is written in it.
package markdown

import (
	"sync"

	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// Parser returns the parser of CommonMark with GitHub's tables, task lists, strikethrough and bare links. Each
// block depends on its own lines only: definitions of links are shown, not followed. It is safe for concurrent use.
var Parser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
			util.Prioritized(extension.NewStrikethroughParser(), 500),
			util.Prioritized(extension.NewLinkifyParser(), 999))...),
		parser.WithParagraphTransformers(util.Prioritized(extension.NewTableParagraphTransformer(), 200)),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
})
