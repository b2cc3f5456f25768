package markup

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"hob/internal/display"
	"hob/internal/markdown"
)

const (
	maxNesting = 12   // nested quotes and lists; deeper ones are shown at this level
	maxMarkers = 100  // of quotes and lists at the start of a line
	maxTargets = 2000 // "](", which begins the address of a link
)

// isTangled reports whether parsing s would take far longer than its length suggests. Only an
// attacker writes ten thousand nested quotes.
func isTangled(s string) bool {
	if strings.Count(s, "](") > maxTargets {
		return true
	}
	for line := range strings.Lines(s) {
		markers := 0
		for i := 0; i < len(line) && strings.IndexByte("> \t-+*.)0123456789", line[i]) >= 0; i++ {
			if line[i] == '>' || line[i] == ' ' && i > 0 && strings.IndexByte("-+*.)", line[i-1]) >= 0 {
				markers++
			}
		}
		if markers > maxMarkers {
			return true
		}
	}
	return false
}

// Render renders CommonMark with GitHub's tables, task lists, strikethrough and bare links, of any
// length.
//
// A line end stays a line end, although CommonMark joins lines: Telegram wraps lines itself, and a
// line end in a message for a phone is meant. Definitions of links are shown and not followed, as
// in the terminal.
func Render(words string) Message {
	src := clean(words)
	if isTangled(src) {
		return tidy(Message{Text: src})
	}
	r := &renderer{src: []byte(src)}
	r.writeBlocks(markdown.Parser().Parse(text.NewReader(r.src)), false)
	if m := r.message(); m.Text != "" {
		return m
	}
	return tidy(Message{Text: src}) // better to show the markup than nothing
}

// renderer walks through a document.
type renderer struct {
	writer
	src   []byte
	depth int // of quotes and lists
}

// writeBlocks renders the blocks in n, those of a tight list without empty lines.
func (r *renderer) writeBlocks(n ast.Node, tight bool) {
	var before ast.Node
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if before != nil {
			r.gap = max(r.gap, gapBetween(before, c, tight))
		}
		was := r.units
		r.writeBlock(c)
		if r.units > was {
			before = c
		}
	}
}

// gapBetween returns the number of line ends between two blocks: as many as the author wrote, if a
// reader can tell the blocks apart without an empty line.
func gapBetween(before, n ast.Node, tight bool) int {
	_, afterText := before.(*ast.Paragraph)
	_, text := n.(*ast.Paragraph)
	_, table := n.(*east.Table) // it does not know what was before it
	if tight || !n.HasBlankPreviousLines() && !table && !(afterText && text) {
		return 1
	}
	return 2
}

func (r *renderer) writeBlock(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		r.writeStyled(n, Entity{Type: Bold})
	case *ast.Paragraph, *ast.TextBlock:
		r.writeInline(n)
	case *ast.ThematicBreak:
		r.write("———")
	case *ast.FencedCodeBlock:
		r.writeCode(string(n.Lines().Value(r.src)), language(string(n.Language(r.src))))
	case *ast.CodeBlock:
		r.writeCode(string(n.Lines().Value(r.src)), "")
	case *ast.HTMLBlock:
		s := string(n.Lines().Value(r.src))
		if n.HasClosure() {
			s += string(n.ClosureLine.Value(r.src))
		}
		r.write(strings.TrimRight(clean(s), "\n"))
	case *ast.Blockquote:
		r.writeQuote(n)
	case *ast.List:
		r.writeList(n)
	case *east.Table:
		r.writeTable(n)
	default:
		r.writeBlocks(n, false)
	}
}

// writeCode writes lines unchanged, because people copy them with their indent.
func (r *renderer) writeCode(lines, language string) {
	lines = strings.TrimRight(display.ExpandTabs(clean(lines)), " \n")
	for first, rest, ok := strings.Cut(lines, "\n"); ok && strings.TrimSpace(first) == ""; first, rest, ok = strings.Cut(lines, "\n") {
		lines = rest
	}
	if isBlank(lines) {
		return
	}
	r.endMarkerLine()
	outer := r.prefix
	r.prefix = ""
	r.writeAlone(Entity{Type: Pre, Language: language}, lines)
	r.prefix = outer
}

// endMarkerLine ends the line of an item's marker.
func (r *renderer) endMarkerLine() {
	if r.units > 0 && r.gap == 0 && !r.fresh {
		r.gap = 1
	}
}

// language returns the language of a code block if it looks like a name.
func language(s string) string {
	const longest = 32
	if len(s) > longest || strings.ContainsFunc(s, func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("+-#._", c))
	}) {
		return ""
	}
	return s
}

// writeQuote writes a quotation: as Telegram's, or with marks inside another block, which Telegram
// does not support.
func (r *renderer) writeQuote(n ast.Node) {
	if r.depth >= maxNesting {
		r.writeBlocks(n, false)
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	if r.depth == 1 && n.FirstChild() != nil {
		r.begin(Entity{Type: Quote})
		r.writeBlocks(n, false)
		r.end()
		return
	}
	const mark = "> "
	if r.units > 0 && r.gap == 0 && !r.fresh {
		r.write(mark)
	}
	r.withPrefix(mark, func() { r.writeBlocks(n, false) })
}

// withPrefix makes do write lines with a further prefix.
func (r *renderer) withPrefix(more string, do func()) {
	outer := r.prefix
	r.prefix += more
	do()
	r.prefix = outer
}

func (r *renderer) writeList(n *ast.List) {
	number, nests := n.Start, r.depth < maxNesting
	if nests {
		r.depth++
		defer func() { r.depth-- }()
	}
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		if item != n.FirstChild() {
			r.gap = max(r.gap, 1)
			if !n.IsTight {
				r.gap = 2
			}
		}
		marker := "•"
		if n.IsOrdered() {
			marker = strconv.Itoa(number) + string(n.Marker)
			number++
		}
		if box := taskBox(item); box != nil {
			sign := "☐"
			if box.IsChecked {
				sign = "☑"
			}
			if marker += " " + sign; !n.IsOrdered() {
				marker = sign
			}
		}
		r.write(marker)
		pad := strings.Repeat(" ", columns(marker)+1)
		if !nests {
			pad = ""
		}
		if startsWithText(item) {
			r.write(" ")
		}
		r.withPrefix(pad, func() { r.writeBlocks(item, n.IsTight) })
	}
}

// taskBox returns the box of an item of a task list, or nil for other items.
func taskBox(item ast.Node) *east.TaskCheckBox {
	if item.FirstChild() == nil {
		return nil
	}
	box, _ := item.FirstChild().FirstChild().(*east.TaskCheckBox)
	return box
}

// startsWithText reports whether an item has text in the line of its marker.
func startsWithText(item ast.Node) bool {
	switch item.FirstChild().(type) {
	case nil, *ast.FencedCodeBlock, *ast.CodeBlock, *east.Table:
		return false
	}
	return true
}
