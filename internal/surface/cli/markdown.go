package cli

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"hob/internal/display"
	"hob/internal/lists"
	"hob/internal/markdown"
)

// maxNesting bounds how deep quotes and lists go before they are shown without further indenting.
const maxNesting = 12

// Markdown renders CommonMark with GitHub's tables, task lists, strikethrough and bare links for a terminal of width
// columns. Code keeps its lines; all other text is wrapped. Without colour it renders for a terminal that has none, or
// a pipe. The result ends with a line end unless it is empty.
//
// Link reference definitions are shown, not followed: so a block looks the same whatever comes after it.
func Markdown(src string, width int, colour bool) string {
	b := &strings.Builder{}
	for i, block := range newRenderer(width, colour).blocks(display.Clean(strings.ReplaceAll(src, "\r\n", "\n"))) {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(block)
	}
	return b.String()
}

// renderer turns blocks into lines. A width of 0 wraps nothing.
type renderer struct {
	parser parser.Parser
	width  int
	colour bool
	src    []byte // of the text being rendered
}

func newRenderer(width int, colour bool) *renderer {
	return &renderer{parser: markdown.Parser(), width: width, colour: colour}
}

func (r *renderer) parse(src string) ast.Node {
	r.src = []byte(src)
	return r.parser.Parse(text.NewReader(r.src))
}

// blocks renders each block of src that shows anything; each ends with a line end.
func (r *renderer) blocks(src string) []string {
	var out []string
	for n := r.parse(src).FirstChild(); n != nil; n = n.NextSibling() {
		if lines := r.block(n, place{width: r.width, first: true}); len(lines) > 0 {
			out = append(out, strings.Join(lines, "\n")+"\n")
		}
	}
	return out
}

// place is where a block goes.
type place struct {
	width int
	first bool // in the first column
	depth int
	style style
}

// in returns the place behind a prefix of n columns, and whether there is room for one.
func (p place) in(n int) (place, bool) {
	const leastWidth = 12
	if p.depth >= maxNesting || p.width > 0 && p.width-n < leastWidth {
		return p, false
	}
	p.first = false
	p.depth++
	p.width = max(p.width-n, 0)
	return p, true
}

// block renders one block as lines.
func (r *renderer) block(n ast.Node, p place) []string {
	switch n := n.(type) {
	case *ast.Heading:
		return r.heading(n, p)
	case *ast.Paragraph, *ast.TextBlock:
		return r.text(r.inline(n, p.style), p)
	case *ast.ThematicBreak:
		return r.rule(p)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return r.code(n, p)
	case *ast.HTMLBlock:
		return r.html(n, p)
	case *ast.Blockquote:
		return r.quote(n, p)
	case *ast.List:
		return r.list(n, p)
	case *east.Table:
		return r.table(n, p)
	}
	return r.children(n, p, true)
}

// children renders the blocks in n, with empty lines between them when spaced.
func (r *renderer) children(n ast.Node, p place, spaced bool) []string {
	var lines []string
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		block := r.block(c, p)
		if spaced && len(lines) > 0 && len(block) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, block...)
	}
	return lines
}

func (r *renderer) text(spans []span, p place) []string {
	return lists.Map(wrap(cells(spans), p.width, p.first), func(line []cell) string { return paint(line, r.colour) })
}

func (r *renderer) heading(n *ast.Heading, p place) []string {
	st := p.style | bold
	if n.Level == 1 {
		st |= underline
	}
	spans := r.inline(n, st)
	if !r.colour && len(spans) > 0 {
		spans = append([]span{{strings.Repeat("#", n.Level) + " ", 0}}, spans...)
	}
	return r.text(spans, p)
}

func (r *renderer) rule(p place) []string {
	if !r.colour {
		return []string{"---"}
	}
	n := 40
	if p.width > 0 {
		n = min(n, p.width)
	}
	return r.text([]span{{strings.Repeat("─", n), dim}}, p)
}

// code renders code as it is, so that it can be copied: between fences, and not indented. In a terminal a tab is blanks: what a tab
// skips is not erased when the text is painted over.
func (r *renderer) code(n ast.Node, p place) []string {
	fence := paint([]cell{{"```", 0, dim}}, r.colour)
	lines := []string{fence}
	if f, ok := n.(*ast.FencedCodeBlock); ok {
		lines[0] = paint([]cell{{truncate("```"+display.OneLine(string(f.Language(r.src))), p.width), 0, dim}}, r.colour)
	}
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		line := strings.TrimRight(string(seg.Value(r.src)), "\n")
		if p.width > 0 {
			line = r.unmarked(display.ExpandTabs(line), p)
		}
		if line != "" {
			line = paint([]cell{{line, 0, codeColour}}, r.colour)
		}
		lines = append(lines, line)
	}
	for len(lines) > 1 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return append(lines, fence)
}

// unmarked puts a blank before each mark that a terminal would show in the first column, where it wraps the line.
func (r *renderer) unmarked(line string, p place) string {
	if !strings.ContainsAny(line, marks) {
		return line
	}
	b, column := &strings.Builder{}, r.width-p.width
	for column > r.width { // no room for what stands before the code
		column -= r.width
	}
	for _, c := range line {
		w := display.RuneWidth(c)
		if column+w > r.width {
			column = 0
		}
		if column == 0 && isMark(c) {
			b.WriteByte(' ')
			column++
		}
		b.WriteRune(c)
		column += w
	}
	return b.String()
}

// html shows HTML as the text it is.
func (r *renderer) html(n ast.Node, p place) []string {
	raw := n.Lines().Value(r.src)
	if h, ok := n.(*ast.HTMLBlock); ok && h.HasClosure() {
		raw = append(raw, h.ClosureLine.Value(r.src)...)
	}
	return r.text([]span{{strings.TrimRight(display.Clean(string(raw)), "\n"), p.style | dim}}, p)
}

func (r *renderer) quote(n ast.Node, p place) []string {
	inner, room := p.in(2)
	if !room {
		return r.children(n, p, true)
	}
	bar := "> "
	if r.colour {
		bar = paint([]cell{{"│ ", 2, dim}}, true)
	}
	lines := r.children(n, inner, true)
	for i, line := range lines {
		lines[i] = strings.TrimRight(bar+line, " ")
	}
	return lines
}

func (r *renderer) list(n *ast.List, p place) []string {
	var lines []string
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		marker := "- "
		if r.colour {
			marker = "• "
		}
		if n.IsOrdered() {
			marker = strconv.Itoa(number) + string(n.Marker) + " "
			number++
		}
		lead := strings.Repeat(" ", len([]rune(marker)))
		inner, room := p.in(len(lead))
		if len(lines) > 0 && !n.IsTight {
			lines = append(lines, "")
		}
		block := r.children(item, inner, !n.IsTight)
		if !room || len(block) == 0 {
			lead, block = "", append([]string{""}, block...)
		}
		for i, line := range block {
			switch {
			case i == 0:
				line = marker + line
			case line != "":
				line = lead + line
			}
			lines = append(lines, strings.TrimRight(line, " "))
		}
	}
	return lines
}
