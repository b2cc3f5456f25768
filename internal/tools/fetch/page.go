package fetch

import (
	"cmp"
	"errors"
	"io"
	"net/url"
	"runtime/metrics"
	"strconv"
	"strings"

	readability "codeberg.org/readeck/go-readability/v2"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	mdbase "github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"hob/internal/lazyregexp"
)

// Bounds on what a page can make of itself. HTML that is over one of them is read by its tokens, in linear time.
// golang.org/x/net/html itself ends with an error at a depth of 512.
const (
	maxParseAlloc  = 256 << 20 // bytes allocated in the whole process while one page is parsed; 2 MB of page take 30 MB
	parseStep      = 4 << 10   // bytes of page between two looks at that
	maxParsedNodes = 250_000
	maxReadNodes   = 60_000  // beyond, the main part is not searched for: the search is not linear
	maxHrefBytes   = 2 << 10 // of one link's target
	maxLinkBytes   = 2 << 20 // of all of them: a long <base> would multiply
	maxNesting     = 24      // of lists and quotes in Markdown: each level is paid on each line
	maxSpanned     = 100_000 // table cells after colspan and rowspan
	minArticle     = 200     // characters of a main part; less is a mistaken search
	articleShare   = 25      // a main part has at least a 25th of the page's text, or it is a mistaken search
)

// unread are the elements that hold nothing a person would read, and those that are not shown.
const unread = `script, style, noscript, template, iframe, frame, object, embed, applet, canvas, svg, audio, video, map,
input, button, select, textarea, datalist, progress, meter, link, meta, dialog:not([open]), [hidden], [aria-hidden="true"]`

// furniture are the elements that go where a page is read as a whole.
const furniture = `nav, [role="navigation"], [role="banner"], [role="search"], [role="contentinfo"], body > header nav, body > footer`

var invisible = lazyregexp.New(`(?i)(^|[;\s])(display\s*:\s*none|visibility\s*:\s*(hidden|collapse)|(font-size|opacity)\s*:\s*0*\.?0*\s*(px|pt|em|rem|%)?\s*(!|;|$))`)

// renderHTML returns a page as text or Markdown, its title first.
func renderHTML(page string, at *url.URL, markdown bool) string {
	root, err := parseHTML(page)
	if err != nil {
		return cmp.Or(tokenText(page), emptyPage(false))
	}
	doc := goquery.NewDocumentFromNode(root)
	title := squeeze(doc.Find("title").Not("svg title").First().Text())
	scripted := doc.Find("script").Length() > 0
	absolute(doc, baseOf(doc, at))
	clean(doc)
	main := mainPart(doc, at)
	text := nodeText(main)
	if text == "" {
		return withTitle(title, emptyPage(scripted), markdown)
	}
	if markdown {
		if md := nodeMarkdown(main); md != "" {
			text = md
		}
	}
	return withTitle(title, text, markdown)
}

func emptyPage(scripted bool) string {
	if scripted {
		return "(the page has no text: scripts draw it, and fetch runs none)"
	}
	return "(the page has no text)"
}

// withTitle puts the title before text that does not begin with it.
func withTitle(title, text string, markdown bool) string {
	first, _, _ := strings.Cut(text, "\n")
	if title == "" || strings.TrimSpace(strings.TrimLeft(first, "#")) == title {
		return text
	}
	if markdown {
		title = "# " + title
	}
	return title + "\n\n" + text
}

// parseHTML returns the tree of a page, or an error where the tree would be too big or too deep.
func parseHTML(page string) (*html.Node, error) {
	root, err := html.Parse(newBoundedReader(page))
	if err != nil {
		return nil, err
	}
	nodes := 0
	for range root.Descendants() {
		nodes++
	}
	if nodes > maxParsedNodes {
		return nil, errPageTooBig
	}
	return root, nil
}

var errPageTooBig = errors.New("the page has too many elements")

// boundedReader reads a page in small steps and ends with an error when memory runs away meanwhile: a few kilobytes of
// misnested formatting can make a parser build millions of nodes. It counts what the whole process allocates, because
// nothing counts less; being wrong costs a page its structure, not its text.
type boundedReader struct {
	r       io.Reader
	allocs  [1]metrics.Sample
	atStart uint64
}

func newBoundedReader(page string) *boundedReader {
	f := &boundedReader{r: strings.NewReader(page)}
	f.allocs[0].Name = "/gc/heap/allocs:bytes"
	f.atStart = f.allocated()
	return f
}

func (f *boundedReader) allocated() uint64 {
	metrics.Read(f.allocs[:])
	if f.allocs[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return f.allocs[0].Value.Uint64()
}

func (f *boundedReader) Read(p []byte) (int, error) {
	if f.allocated()-f.atStart > maxParseAlloc {
		return 0, errPageTooBig
	}
	return f.r.Read(p[:min(len(p), parseStep)])
}

// baseOf returns what a page's relative links are relative to.
func baseOf(doc *goquery.Document, at *url.URL) *url.URL {
	href, ok := doc.Find("base[href]").First().Attr("href")
	if !ok || len(href) > maxHrefBytes { // every link would pay for a long one
		return at
	}
	base, err := at.Parse(strings.TrimSpace(href))
	if err != nil || base.Scheme != "http" && base.Scheme != "https" {
		return at
	}
	return base
}

// absolute gives links their whole address, and makes plain words of those that lead nowhere a reader could go: into the
// page itself, to a script, to data in the link.
func absolute(doc *goquery.Document, base *url.URL) {
	doc.Find("base").Remove()
	left := maxLinkBytes
	doc.Find("a").Each(func(_ int, a *goquery.Selection) {
		n := a.Nodes[0]
		target := linkTarget(base, a.AttrOr("href", ""))
		n.Attr = []html.Attribute{{Key: "href", Val: target}}
		if target == "" || len(target) > left {
			n.Data, n.DataAtom, n.Attr = "span", atom.Span, nil
			return
		}
		left -= len(target)
	})
}

// linkTarget returns the whole address of a link that stands on base, or "".
func linkTarget(base *url.URL, href string) string {
	href = strings.TrimSpace(href)
	if href == "" || len(href) > maxHrefBytes || strings.HasPrefix(href, "#") {
		return ""
	}
	to, err := base.Parse(href)
	if err != nil {
		return ""
	}
	switch to.Scheme {
	case "http", "https", "mailto", "tel", "ftp", "magnet":
	default:
		return ""
	}
	if target := to.String(); len(target) <= maxHrefBytes {
		return target
	}
	return ""
}

// clean takes out of a page what nobody reads, and puts a picture's description in its place.
func clean(doc *goquery.Document) {
	doc.Find(unread).Not("html, body, main, article").Remove()
	doc.Find("[style]").Not("html, body, main, article").FilterFunction(func(_ int, s *goquery.Selection) bool {
		return invisible().MatchString(s.AttrOr("style", ""))
	}).Remove()
	var comments []*html.Node
	for _, root := range doc.Nodes {
		for n := range root.Descendants() {
			switch n.Type {
			case html.CommentNode:
				comments = append(comments, n)
			case html.TextNode:
				n.Data = visible(n.Data)
			}
		}
	}
	for _, n := range comments {
		n.Parent.RemoveChild(n)
	}
	doc.Find("img, picture > source").Each(func(_ int, img *goquery.Selection) {
		n := img.Nodes[0]
		if alt := squeeze(img.AttrOr("alt", "")); alt != "" {
			n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: " (image: " + alt + ") "}, n)
		}
		n.Parent.RemoveChild(n)
	})
}

// mainPart returns the node that holds what the page is about: the article if there is one, else the page without its
// navigation.
func mainPart(doc *goquery.Document, at *url.URL) *html.Node {
	root := doc.Nodes[0]
	nodes := 0
	for range root.Descendants() {
		nodes++
	}
	whole := len(nodeText(root))
	if nodes <= maxReadNodes {
		if article := article(root, at); article != nil {
			if n := len(nodeText(article)); n >= minArticle && n >= whole/articleShare {
				return article
			}
		}
	}
	doc.Find(furniture).Remove()
	if body := doc.Find("body"); body.Length() > 0 {
		return body.Nodes[0]
	}
	return root
}

// article returns the main part of a page that looks like an article, or nil. The search is other people's code on a
// stranger's page: a panic in it means that there is none.
func article(root *html.Node, at *url.URL) (found *html.Node) {
	defer func() {
		if recover() != nil {
			found = nil
		}
	}()
	p := readability.NewParser()
	p.DisableJSONLD = true
	if !p.CheckDocument(root) {
		return nil
	}
	a, err := p.ParseDocument(root, at)
	if err != nil {
		return nil
	}
	return a.Node
}

// nodeMarkdown returns n as Markdown, or "" where that would be more markup than text.
func nodeMarkdown(n *html.Node) (md string) {
	defer func() {
		if recover() != nil { // other people's code on a stranger's page
			md = ""
		}
	}()
	if nesting(n, 0) > maxNesting {
		return ""
	}
	if spanned(n) > maxSpanned {
		goquery.NewDocumentFromNode(n).Find("td, th").RemoveAttr("colspan").RemoveAttr("rowspan")
	}
	conv := converter.NewConverter(
		// A model reads "[1]" better than "\[1\]", and looking for what to escape takes quadratic time.
		converter.WithEscapeMode(converter.EscapeModeDisabled),
		converter.WithPlugins(
			mdbase.NewBasePlugin(),
			commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false)),
			// Aligned columns cost tokens, and one wide cell would widen all.
			table.NewTablePlugin(table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal)),
		),
	)
	out, err := conv.ConvertNode(n)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(out), "\uFFFD")) // the converter can split a rune
}

// nesting returns how deep lists and quotes nest below n.
func nesting(n *html.Node, depth int) int {
	deepest := depth
	for c := range n.ChildNodes() {
		at := depth
		switch c.DataAtom {
		case atom.Ul, atom.Ol, atom.Dl, atom.Blockquote:
			at++
		}
		deepest = max(deepest, nesting(c, at))
	}
	return deepest
}

// spanned returns how many cells the tables below n have when every span is written out.
func spanned(n *html.Node) int {
	total := 0
	for c := range n.Descendants() {
		if c.DataAtom != atom.Td && c.DataAtom != atom.Th {
			continue
		}
		cells := 1
		for _, a := range c.Attr {
			if a.Key == "colspan" || a.Key == "rowspan" {
				by, err := strconv.Atoi(strings.TrimSpace(a.Val))
				if err != nil || by > maxSpanned {
					return maxSpanned + 1
				}
				cells *= max(by, 1)
			}
		}
		if total += cells; total > maxSpanned {
			return total
		}
	}
	return total
}
