package fetch

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"hob/internal/display"
)

// maxIndent bounds how many levels of a list are indented: each level is paid on each line.
const maxIndent = 8

// nodeText returns n as plain text. Blocks are lines, paragraphs have a blank line between them, list items begin with
// "- " or their number, cells of a row stand between bars, and a link's target follows its text: words <https://...>.
func nodeText(n *html.Node) string {
	var w textWriter
	w.node(n)
	return strings.TrimSpace(w.out.String())
}

// textWriter writes words, and the white space between them as late as it can.
type textWriter struct {
	out    strings.Builder
	breaks int    // line ends that are due before the next word
	space  bool   // a blank is due before the next word
	mark   string // of a list item, due before its first word
	lists  []textList
	pre    bool
}

// textList is a list that is being written.
type textList struct {
	numbered bool
	next     int
}

func (w *textWriter) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		w.text(n.Data)
		return
	case html.ElementNode, html.DocumentNode:
	default:
		return
	}
	around := linesAround(n.DataAtom)
	w.lineEnds(around)
	switch n.DataAtom {
	case atom.Br:
		w.breaks = max(w.breaks, 1)
	case atom.Head:
		return
	case atom.Ul, atom.Ol:
		w.list(n)
	case atom.Li:
		w.item(n)
	case atom.Td, atom.Th:
		if prev := n.PrevSibling; prev != nil && w.breaks == 0 {
			w.word("|")
			w.space = true
		}
		w.children(n)
		w.space = true
	case atom.Pre:
		was := w.pre
		w.pre = true
		w.children(n)
		w.pre = was
	case atom.A:
		w.link(n)
	default:
		w.children(n)
	}
	w.lineEnds(around)
}

// linesAround returns how many line ends stand before and after an element: 0 for what is part of a line, 1 for a
// line, 2 for a paragraph.
func linesAround(a atom.Atom) int {
	switch a {
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Table, atom.Pre, atom.Blockquote, atom.Hr,
		atom.Dl, atom.Figure, atom.Section, atom.Article, atom.Header, atom.Footer, atom.Main, atom.Aside, atom.Nav:
		return 2
	case atom.Div, atom.Tr, atom.Li, atom.Dt, atom.Dd, atom.Ul, atom.Ol, atom.Figcaption, atom.Caption, atom.Address,
		atom.Form, atom.Fieldset, atom.Legend, atom.Details, atom.Summary, atom.Center, atom.Option, atom.Title, atom.Body:
		return 1
	}
	return 0
}

func (w *textWriter) children(n *html.Node) {
	for c := range n.ChildNodes() {
		w.node(c)
	}
}

func (w *textWriter) lineEnds(n int) {
	if n > 0 {
		w.breaks = max(w.breaks, n)
		w.space = false
	}
}

func (w *textWriter) list(n *html.Node) {
	if len(w.lists) == 0 {
		w.lineEnds(2)
	}
	w.lists = append(w.lists, textList{numbered: n.DataAtom == atom.Ol, next: firstNumber(n)})
	w.children(n)
	w.lists = w.lists[:len(w.lists)-1]
	if len(w.lists) == 0 {
		w.lineEnds(2)
	}
}

// firstNumber returns the number that a list's first item has.
func firstNumber(n *html.Node) int {
	for _, a := range n.Attr {
		if a.Key == "start" {
			if start, err := strconv.ParseInt(a.Val, 10, 32); err == nil {
				return int(start)
			}
		}
	}
	return 1
}

func (w *textWriter) item(n *html.Node) {
	mark := "-"
	if len(w.lists) > 0 {
		if l := &w.lists[len(w.lists)-1]; l.numbered {
			mark = fmt.Sprintf("%d.", l.next)
			l.next++
		}
	}
	w.mark = mark + " "
	w.children(n)
	w.mark = "" // an empty item has none
}

func (w *textWriter) link(n *html.Node) {
	before := w.out.Len()
	w.children(n)
	if w.out.Len() == before {
		return // no words to follow
	}
	for _, a := range n.Attr {
		if a.Key != "href" || strings.HasSuffix(w.out.String()[before:], a.Val) {
			continue
		}
		w.breaks, w.space = 0, true
		w.word("<" + a.Val + ">")
	}
}

func (w *textWriter) text(s string) {
	if w.pre {
		w.verbatim(s)
		return
	}
	for s != "" {
		i := strings.IndexFunc(s, blank)
		if i == 0 {
			w.space = true
			s = strings.TrimLeftFunc(s, blank)
			continue
		}
		if i < 0 {
			i = len(s)
		}
		w.word(s[:i])
		s = s[i:]
	}
}

// verbatim writes preformatted text, its white space as it is.
func (w *textWriter) verbatim(s string) {
	for i, line := range strings.Split(strings.ReplaceAll(s, "\r", ""), "\n") {
		if i > 0 {
			w.breaks++
		}
		if line != "" {
			w.gap("")
			w.out.WriteString(line)
		}
	}
}

// word writes a word after the white space that is due.
func (w *textWriter) word(s string) {
	indent := ""
	if n := min(len(w.lists), maxIndent); n > 1 {
		indent = strings.Repeat("  ", n-1)
	}
	w.gap(indent)
	w.out.WriteString(s)
}

func (w *textWriter) gap(indent string) {
	switch {
	case w.out.Len() == 0:
	case w.breaks > 0:
		for range min(w.breaks, 3) {
			w.out.WriteByte('\n')
		}
		w.out.WriteString(indent)
	case w.space:
		w.out.WriteByte(' ')
	}
	w.out.WriteString(w.mark)
	w.breaks, w.space, w.mark = 0, false, ""
}

// blank reports whether r separates words on a page: the white space of HTML, and the no-break space.
func blank(r rune) bool {
	return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' || r == '\u00a0'
}

// visible takes out of s what is written for machines and not for eyes: control characters, and the tag characters of
// Unicode, which spell ASCII that no font shows.
func visible(s string) string {
	unseen := func(r rune) bool {
		return unicode.IsControl(r) && !blank(r) || 0xE0000 <= r && r <= 0xE007F || r == '\u00ad' || r == '\ufeff'
	}
	if !strings.ContainsFunc(s, unseen) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unseen(r) {
			return -1
		}
		return r
	}, s)
}

// squeeze puts single blanks where white space was.
func squeeze(s string) string { return display.Join(visible(s)) }

// tokenText returns the text of HTML that is not worth a tree, in one pass and without looking at what encloses what.
func tokenText(page string) string {
	var w textWriter
	z := html.NewTokenizer(strings.NewReader(page))
	skip := ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			return strings.TrimSpace(w.out.String())
		case html.TextToken:
			if skip == "" {
				w.text(visible(string(z.Text())))
			}
		case html.StartTagToken:
			name, _ := z.TagName()
			tag := atom.Lookup(name)
			switch tag {
			case atom.Script, atom.Style, atom.Noscript, atom.Iframe, atom.Textarea, atom.Svg, atom.Template:
				if skip == "" {
					skip = tag.String()
				}
			}
			w.tag(tag)
		case html.EndTagToken:
			name, _ := z.TagName()
			tag := atom.Lookup(name)
			if skip != "" && tag.String() == skip {
				skip = ""
			}
			w.tag(tag)
		case html.SelfClosingTagToken:
			name, _ := z.TagName()
			w.tag(atom.Lookup(name))
		}
	}
}

func (w *textWriter) tag(a atom.Atom) {
	w.lineEnds(linesAround(a))
	if a == atom.Br {
		w.breaks = max(w.breaks, 1)
	}
	if a == atom.Td || a == atom.Th {
		w.space = true
	}
}
