package markup

import (
	"net/url"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// inline renders the text in n.
func (r *renderer) inline(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		r.part(c)
	}
}

func (r *renderer) part(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		if n.IsRaw() {
			r.write(clean(string(n.Value(r.src))))
		} else {
			r.write(decode(n.Value(r.src)))
		}
		if n.HardLineBreak() || n.SoftLineBreak() {
			r.write("\n")
		}
	case *ast.String:
		r.write(clean(string(n.Value)))
	case *ast.CodeSpan:
		r.alone(Entity{Type: Code}, r.codeText(n))
	case *ast.Emphasis:
		switch {
		case r.isProduct(n):
			r.marked(n, strings.Repeat("*", n.Level))
		case n.Level == 1:
			r.styled(n, Entity{Type: Italic})
		default:
			r.styled(n, Entity{Type: Bold})
		}
	case *east.Strikethrough:
		r.struck(n)
	case *ast.Link:
		r.link(n, n.Destination)
	case *ast.Image:
		r.link(n, n.Destination)
	case *ast.AutoLink:
		r.write(clean(string(n.Label(r.src))))
	case *ast.RawHTML:
		r.html(n)
	case *east.TaskCheckBox: // it is the marker of its item
	default:
		r.inline(n)
	}
}

// styled renders what is in n as an entity.
func (r *renderer) styled(n ast.Node, e Entity) {
	if r.begin(e) {
		defer r.end()
	}
	r.inline(n)
}

// marked renders what is in n between the marks that its author wrote.
func (r *renderer) marked(n ast.Node, mark string) {
	r.write(mark)
	r.inline(n)
	r.write(mark)
}

// codeText is the text of a piece of code within a line.
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

// inner returns where the text in n begins and ends in the source; ok is false where it begins or ends with other markup.
func (r *renderer) inner(n ast.Node) (from, to int, ok bool) {
	first, begins := n.FirstChild().(*ast.Text)
	last, ends := n.LastChild().(*ast.Text)
	if !begins || !ends {
		return 0, 0, false
	}
	return first.Segment.Start, last.Segment.Stop, true
}

// isProduct reports whether emphasis is none for a reader: in 2*3*4, a*b*c and 2**8**2 the asterisks stand between numbers,
// or names of one letter. CommonMark has no such exception.
func (r *renderer) isProduct(n *ast.Emphasis) bool {
	from, to, ok := r.inner(n)
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

// struck renders struck text. Between single tildes it is not struck: they are written for "about" and "up to".
func (r *renderer) struck(n ast.Node) {
	from, _, ok := r.inner(n)
	switch {
	case ok && from > 0 && r.src[from-1] == '~' && (from == 1 || r.src[from-2] != '~'):
		r.marked(n, "~")
	case r.flat: // struck text means its opposite
		r.marked(n, "~~")
	default:
		r.styled(n, Entity{Type: Strike})
	}
}

// link renders the text of a link or a picture so that it leads to the address. Where Telegram would not lead there, the
// address stands behind the text.
func (r *renderer) link(n ast.Node, destination []byte) {
	to := strings.Join(strings.Fields(decode(destination)), "")
	cell := r.cell(n)
	_, picture := n.(*ast.Image)
	switch {
	case blank(cell):
		r.write(to)
	case to == "" || to == cell || to == "mailto:"+cell, // Telegram finds such addresses itself
		picture && r.within(Link):
		r.inline(n)
	case !r.flat && leads(to) && !misleads(cell, to) && !r.within(Link):
		r.styled(n, Entity{Type: Link, URL: to})
	default:
		r.inline(n)
		r.write(" (" + to + ")")
	}
}

// leads reports whether Telegram takes an address for that of a link. It leaves out links to hosts without a dot, such as
// those of a home's network, and takes an address of mail for a host.
func leads(address string) bool {
	const longest = 2048
	u, err := url.Parse(address)
	if err != nil || len(address) > longest {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return strings.Contains(strings.Trim(u.Hostname(), "."), ".") || strings.Contains(u.Hostname(), ":")
	}
	return false // tg: calls people by name, or does something in the app
}

// misleads reports whether the text of a link looks like the address of another host than the one that it leads to.
func misleads(text, to string) bool {
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

// cell is the text in n without entities, in one line.
func (r *renderer) cell(n ast.Node) string {
	flat := &renderer{src: r.src, writer: writer{flat: true}}
	flat.inline(n)
	return strings.TrimSpace(flat.text.String())
}

// html shows HTML as the text it is, but for a line end: there is no other way to write one in a table.
func (r *renderer) html(n *ast.RawHTML) {
	b := &strings.Builder{}
	for i := range n.Segments.Len() {
		seg := n.Segments.At(i)
		b.Write(seg.Value(r.src))
	}
	tag := clean(b.String())
	switch strings.ReplaceAll(strings.ToLower(tag), " ", "") {
	case "<br>", "<br/>":
		tag = "\n"
	}
	r.write(tag)
}
