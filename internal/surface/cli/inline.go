package cli

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"hob/internal/display"
	"hob/internal/markdown"
)

// inline returns the text in n, each part with its style over st.
func (r *renderer) inline(n ast.Node, st style) []span {
	var out []span
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		out = append(out, r.part(c, st)...)
	}
	return out
}

func (r *renderer) part(n ast.Node, st style) []span {
	switch n := n.(type) {
	case *ast.Text:
		out := []span{{decode(n.Value(r.src), n.IsRaw()), st}}
		switch {
		case n.HardLineBreak():
			out = append(out, span{"\n", st})
		case n.SoftLineBreak():
			out = append(out, span{" ", st})
		}
		return out
	case *ast.String:
		return []span{{decode(n.Value, n.IsRaw() || n.IsCode()), st}}
	case *ast.CodeSpan:
		return r.marked(n, st|codeColour, "`")
	case *ast.Emphasis:
		if n.Level == 1 {
			return r.inline(n, st|italic)
		}
		return r.inline(n, st|bold)
	case *east.Strikethrough:
		return r.marked(n, st|strike, "~~")
	case *ast.Link:
		return r.link(r.inline(n, st|underline), string(n.Destination), st)
	case *ast.Image:
		alt := append([]span{{"[image: ", st}}, r.inline(n, st)...)
		return r.link(append(alt, span{"]", st}), string(n.Destination), st)
	case *ast.AutoLink:
		return []span{address(string(n.Label(r.src)), st|underline)}
	case *ast.RawHTML:
		return rawHTML(n, r.src, st)
	case *east.TaskCheckBox:
		if n.IsChecked {
			return []span{{"[x] ", st}}
		}
		return []span{{"[ ] ", st}}
	}
	return r.inline(n, st)
}

// marked is a part whose style has to be told in words where there is no colour: struck text means its opposite.
func (r *renderer) marked(n ast.Node, st style, sign string) []span {
	if r.colour {
		return r.inline(n, st)
	}
	out := append([]span{{sign, st}}, r.inline(n, st)...)
	return append(out, span{sign, st})
}

// link shows where a link leads, whatever its text says.
func (r *renderer) link(text []span, destination string, st style) []span {
	to := address(destination, st)
	said := &strings.Builder{}
	for _, s := range text {
		said.WriteString(s.text)
	}
	if to.text == "" || to.text == said.String() || to.text == "mailto:"+said.String() {
		return text
	}
	return append(text, span{" (", st}, to, span{")", st})
}

// address is a link's target. A plain one is kept in one piece even where it is longer than a line.
func address(s string, st style) span {
	s = decode([]byte(s), true)
	if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return span{s, st | linkColour}
	}
	return span{s, st | linkColour | whole}
}

func rawHTML(n *ast.RawHTML, src []byte, st style) []span {
	tag := strings.ReplaceAll(display.Clean(string(n.Segments.Value(src))), "\n", " ")
	switch strings.ReplaceAll(strings.ToLower(tag), " ", "") {
	case "<br>", "<br/>": // the only way to end a line in a table's cell
		return []span{{"\n", st}}
	}
	return []span{{tag, st}}
}

// decode returns a text, its backslashes and entities resolved unless it is raw. An entity can be an escape: the result is made safe.
func decode(raw []byte, isRaw bool) string {
	if isRaw {
		return oneLineText(string(raw))
	}
	return oneLineText(markdown.Unescape(string(raw)))
}

// oneLineText makes s safe, its line ends blanks.
func oneLineText(s string) string {
	return display.Clean(strings.NewReplacer("\n", " ", "\t", " ").Replace(s))
}
