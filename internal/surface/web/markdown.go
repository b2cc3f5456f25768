package web

import (
	"bytes"
	"html/template"
	"net"
	"net/url"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/idna"

	"hob/internal/display"
	"hob/internal/markdown"
	"hob/internal/recent"
)

// maxMarkdown is the longest text that is read as Markdown, in bytes. A longer one is shown as it is.
const maxMarkdown = 256 << 10

// markdownCache keeps texts as HTML.
type markdownCache struct {
	kept *recent.Map[string, template.HTML]
}

func newMarkdownCache() *markdownCache {
	return &markdownCache{recent.NewMap[string, template.HTML](maxCached)}
}

// maxCachedText is the longest text that a [markdownCache] keeps, in bytes.
const maxCachedText = 16 << 10

func (c *markdownCache) render(src string) template.HTML {
	if src == "" || len(src) > maxCachedText {
		return renderMarkdown(src)
	}
	return c.kept.Make(src, func() template.HTML { return renderMarkdown(src) })
}

// renderMarkdown returns Markdown as HTML: without raw HTML, without pictures, which are links, and without styles. A link names its
// host.
func renderMarkdown(src string) template.HTML {
	src = display.Clean(strings.ReplaceAll(src, "\r\n", "\n"))
	if len(src) > maxMarkdown {
		return template.HTML("<pre>" + template.HTMLEscapeString(src) + "</pre>") //nolint:gosec // it is escaped
	}
	raw := []byte(src)
	var out bytes.Buffer
	if err := newRenderer().Render(&out, raw, markdown.Parser().Parse(text.NewReader(raw))); err != nil {
		return template.HTML("<pre>" + template.HTMLEscapeString(src) + "</pre>") //nolint:gosec // it is escaped
	}
	return template.HTML(out.String()) //nolint:gosec // the renderer escapes what it does not make
}

func newRenderer() renderer.Renderer {
	return renderer.NewRenderer(renderer.WithNodeRenderers(
		util.Prioritized(html.NewRenderer(html.WithHardWraps()), 1000),
		util.Prioritized(extension.NewTableHTMLRenderer(extension.WithTableCellAlignMethod(extension.TableCellAlignNone)), 500),
		util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
		util.Prioritized(carefulRenderer{}, 100),
	))
}

// carefulRenderer renders what could hide something: links, pictures, HTML; and headings below those of the page.
type carefulRenderer struct{}

// RegisterFuncs implements [renderer.NodeRenderer].
func (carefulRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindLink, renderLink)
	r.Register(ast.KindImage, renderImage)
	r.Register(ast.KindAutoLink, renderAutoLink)
	r.Register(ast.KindRawHTML, renderRawHTML)
	r.Register(ast.KindHTMLBlock, renderHTMLBlock)
	r.Register(ast.KindHeading, renderHeading)
	r.Register(ast.KindFencedCodeBlock, renderCode)
	r.Register(ast.KindCodeBlock, renderCode)
	r.Register(east.KindTaskCheckBox, renderCheckBox)
}

// linkTo returns an address that a link may lead to, and its host as it really is. ok is false for any other, such as one of
// the page itself.
func linkTo(address string) (href, host string, ok bool) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return "", "", false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		if u.Host == "" || u.Opaque != "" {
			return "", "", false
		}
		u.User = nil // it only looks like a host
		return u.String(), display.Visible(asciiHost(u.Host)), true
	case "mailto":
		return u.String(), display.Visible(u.Opaque), true
	}
	return "", "", false
}

// asciiHost writes a host as it is looked up: other alphabets have letters that look alike.
func asciiHost(host string) string {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = host, ""
	}
	if ascii, err := idna.Punycode.ToASCII(name); err == nil {
		name = ascii
	}
	if port != "" {
		name = net.JoinHostPort(name, port)
	}
	return name
}

func openLink(w util.BufWriter, href string) {
	_, _ = w.WriteString(`<a rel="noreferrer noopener nofollow" target="_blank" href="`)
	_, _ = w.WriteString(template.HTMLEscapeString(href))
	_, _ = w.WriteString(`">`)
}

func closeLink(w util.BufWriter, host string) {
	_, _ = w.WriteString("</a>")
	if host != "" {
		_, _ = w.WriteString(` <span class="host" dir="ltr">(` + template.HTMLEscapeString(host) + ")</span>")
	}
}

func renderLink(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	return renderAddress(w, string(node.(*ast.Link).Destination), "", entering)
}

// renderImage renders a picture as a link: to load it would tell its server who reads.
func renderImage(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	return renderAddress(w, string(node.(*ast.Image).Destination), "🖼 ", entering)
}

func renderAddress(w util.BufWriter, address, mark string, entering bool) (ast.WalkStatus, error) {
	href, host, ok := linkTo(address)
	switch {
	case ok && entering:
		openLink(w, href)
		_, _ = w.WriteString(mark)
	case ok:
		closeLink(w, host)
	}
	return ast.WalkContinue, nil
}

func renderAutoLink(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.AutoLink)
	label, address := string(n.Label(source)), string(n.URL(source))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(address), "mailto:") {
		address = "mailto:" + address
	}
	href, host, ok := linkTo(address)
	if !ok {
		_, _ = w.WriteString(template.HTMLEscapeString(label))
		return ast.WalkContinue, nil
	}
	if href == label && host == hostIn(label) {
		host = "" // it stands there
	}
	openLink(w, href)
	_, _ = w.WriteString(template.HTMLEscapeString(label))
	closeLink(w, host)
	return ast.WalkContinue, nil
}

// hostIn returns the host of an address as it is written.
func hostIn(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	return rest[:len(rest)-len(strings.TrimLeftFunc(rest, func(r rune) bool { return !strings.ContainsRune("/?#", r) }))]
}

func renderRawHTML(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		for i := range node.(*ast.RawHTML).Segments.Len() {
			seg := node.(*ast.RawHTML).Segments.At(i)
			_, _ = w.WriteString(template.HTMLEscapeString(string(seg.Value(source))))
		}
	}
	return ast.WalkSkipChildren, nil
}

func renderHTMLBlock(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.HTMLBlock)
	if entering {
		_, _ = w.WriteString("<pre>")
		writeLines(w, source, n)
		if n.HasClosure() {
			_, _ = w.WriteString(template.HTMLEscapeString(string(n.ClosureLine.Value(source))))
		}
		_, _ = w.WriteString("</pre>\n")
	}
	return ast.WalkSkipChildren, nil
}

func renderHeading(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	tag := "h" + string(rune('0'+min(node.(*ast.Heading).Level+2, 6)))
	if entering {
		_, _ = w.WriteString("<" + tag + ">")
	} else {
		_, _ = w.WriteString("</" + tag + ">\n")
	}
	return ast.WalkContinue, nil
}

func renderCode(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<pre tabindex="0" dir="ltr"><code>`)
		writeLines(w, source, node)
		_, _ = w.WriteString("</code></pre>\n")
	}
	return ast.WalkSkipChildren, nil
}

func writeLines(w util.BufWriter, source []byte, node ast.Node) {
	for i := range node.Lines().Len() {
		line := node.Lines().At(i)
		_, _ = w.WriteString(template.HTMLEscapeString(string(line.Value(source))))
	}
}

func renderCheckBox(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering && node.(*east.TaskCheckBox).IsChecked {
		_, _ = w.WriteString("☑ ")
	} else if entering {
		_, _ = w.WriteString("☐ ")
	}
	return ast.WalkContinue, nil
}
