package markup

import (
	"net/url"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"hob/internal/markdown"
)

// writeInline renders the inline content of n.
func (r *renderer) writeInline(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		r.writePart(c)
	}
}

func (r *renderer) writePart(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		if n.IsRaw() {
			r.write(clean(string(n.Value(r.src))))
		} else {
			r.write(clean(markdown.Unescape(string(n.Value(r.src)))))
		}
		if n.HardLineBreak() || n.SoftLineBreak() {
			r.write("\n")
		}
	case *ast.String:
		r.write(clean(string(n.Value)))
	case *ast.CodeSpan:
		r.writeAlone(Entity{Type: Code}, r.codeText(n))
	case *ast.Emphasis:
		switch {
		case r.isProduct(n):
			r.writeMarked(n, strings.Repeat("*", n.Level))
		case n.Level == 1:
			r.writeStyled(n, Entity{Type: Italic})
		default:
			r.writeStyled(n, Entity{Type: Bold})
		}
	case *east.Strikethrough:
		r.writeStruck(n)
	case *ast.Link:
		r.writeLink(n, n.Destination)
	case *ast.Image:
		r.writeLink(n, n.Destination)
	case *ast.AutoLink:
		r.write(clean(string(n.Label(r.src))))
	case *ast.RawHTML:
		r.writeHTML(n)
	case *east.TaskCheckBox: // the marker of its item
	default:
		r.writeInline(n)
	}
}

// writeStyled renders the content of n as an entity.
func (r *renderer) writeStyled(n ast.Node, e Entity) {
	if r.begin(e) {
		defer r.end()
	}
	r.writeInline(n)
}

// writeMarked renders the content of n between the author's own marks.
func (r *renderer) writeMarked(n ast.Node, mark string) {
	r.write(mark)
	r.writeInline(n)
	r.write(mark)
}

// codeText returns the text of inline code.
func (r *renderer) codeText(n ast.Node) string {
	b := &strings.Builder{}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Value(r.src))
		case *ast.String:
			b.Write(c.Value)
		}
	}
	return strings.NewReplacer("\n", " ", "\t", " ").Replace(clean(b.String()))
}

// innerRange returns where the text in n begins and ends in the source; ok is false if it begins or
// ends with other markup.
func (r *renderer) innerRange(n ast.Node) (from, to int, ok bool) {
	first, begins := n.FirstChild().(*ast.Text)
	last, ends := n.LastChild().(*ast.Text)
	if !begins || !ends {
		return 0, 0, false
	}
	return first.Segment.Start, last.Segment.Stop, true
}

// isProduct reports whether emphasis is really multiplication: in 2*3*4, a*b*c and 2**8**2 the
// asterisks are between numbers or names of one letter. CommonMark has no such exception.
func (r *renderer) isProduct(n *ast.Emphasis) bool {
	from, to, ok := r.innerRange(n)
	before, after := from-n.Level-1, to+n.Level
	if !ok || from >= to || before < 0 || after >= len(r.src) || r.src[before+1] != '*' {
		return false
	}
	around := []byte{r.src[before], r.src[from], r.src[to-1], r.src[after]}
	digits := 0
	for _, c := range around {
		switch {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		default:
			return false
		}
	}
	return digits > 0 || to-from == 1
}

// writeStruck renders struck text. Text between single tildes is not struck, because people write
// them for "about" and "up to".
func (r *renderer) writeStruck(n ast.Node) {
	from, _, ok := r.innerRange(n)
	switch {
	case ok && from > 0 && r.src[from-1] == '~' && (from == 1 || r.src[from-2] != '~'):
		r.writeMarked(n, "~")
	case r.flat: // without strikethrough the text would mean its opposite
		r.writeMarked(n, "~~")
	default:
		r.writeStyled(n, Entity{Type: Strike})
	}
}

// writeLink renders the text of a link or a picture with its address. If Telegram would not link
// there, the address follows the text.
func (r *renderer) writeLink(n ast.Node, destination []byte) {
	to := strings.Join(strings.Fields(clean(markdown.Unescape(string(destination)))), "")
	cell := r.cellText(n)
	_, picture := n.(*ast.Image)
	switch {
	case isBlank(cell):
		r.write(to)
	case to == "" || to == cell || to == "mailto:"+cell, // Telegram finds such addresses itself
		picture && r.isOpen(Link):
		r.writeInline(n)
	case !r.flat && canLinkTo(to) && !isMisleading(cell, to) && !r.isOpen(Link):
		r.writeStyled(n, Entity{Type: Link, URL: to})
	default:
		r.writeInline(n)
		r.write(" (" + to + ")")
	}
}

// canLinkTo reports whether Telegram accepts an address for a link. It drops links to hosts without
// a dot, such as those of a home network, and takes a mail address for a host.
func canLinkTo(address string) bool {
	const longest = 2048
	u, err := url.Parse(address)
	if err != nil || len(address) > longest {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return strings.Contains(strings.Trim(u.Hostname(), "."), ".") || strings.Contains(u.Hostname(), ":")
	}
	return false // tg: mentions people, or acts in the app
}

// isMisleading reports whether the text of a link looks like the address of another host than its
// target.
func isMisleading(text, to string) bool {
	text = strings.ToLower(text)
	if strings.ContainsAny(text, " \n") && !strings.Contains(text, "://") || !strings.Contains(text, ".") {
		return false
	}
	if i := strings.Index(text, "://"); i >= 0 {
		text = text[i+3:]
	}
	host := func(s string) string { return strings.TrimPrefix(strings.ToLower(s), "www.") }
	u, err := url.Parse(to)
	shown, bad := url.Parse("//" + text)
	return err != nil || bad != nil || host(shown.Hostname()) != host(u.Hostname())
}

// cellText returns the text in n without entities, in one line.
func (r *renderer) cellText(n ast.Node) string {
	flat := &renderer{src: r.src, writer: writer{flat: true}}
	flat.writeInline(n)
	return strings.TrimSpace(flat.text.String())
}

// writeHTML shows HTML as text, except for a line break, for which a table has no other markup.
func (r *renderer) writeHTML(n *ast.RawHTML) {
	tag := clean(string(n.Segments.Value(r.src)))
	switch strings.ReplaceAll(strings.ToLower(tag), " ", "") {
	case "<br>", "<br/>":
		tag = "\n"
	}
	r.write(tag)
}
