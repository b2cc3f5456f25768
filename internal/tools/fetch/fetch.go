// Package fetch is the tools that read pages of the web: fetch, and ask_page, which has a page read in quarantine. It also
// knows which links they have told a model of.
package fetch

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"hob/internal/display"
	"hob/internal/egress"
	"hob/internal/event"
	"hob/internal/excerpt"
	"hob/internal/jsonl"
	"hob/internal/tools"
)

// Config is what a [FetchTool] is made of.
type Config struct {
	Timeout         time.Duration  // for the whole fetch, redirects and a dripping body included; 0 means 30 s
	MaxResponseSize int64          // bytes of a page after decompression; 0 means 5 MiB (5 << 20), the reading of "5 MB"
	UserAgent       string         // "" means DefaultUserAgent
	Share           func() int     // bytes of content in one result, asked for each; nil and 0 mean 12,000, about 3,000 tokens of English
	Dialer          *egress.Dialer // nil reaches public addresses only
	// PDF returns the text of a PDF. What it returns as an error is a sentence for the model. Nil refuses them.
	PDF func(ctx context.Context, file []byte) (string, error)
}

// What fetch does where its configuration does not say.
const (
	DefaultUserAgent     = "Mozilla/5.0 (compatible; hob)"
	defaultFetchTimeout  = 30 * time.Second
	defaultFetchResponse = 5 << 20
	defaultFetchShare    = 12_000
)

// FetchTool reads web pages: one GET a call, no cookies, no scripts, nothing kept between calls.
//
// It answers with the JSON of a [Page]. HTML becomes text with its main part only, or Markdown, or stays as it
// is, and a PDF becomes text where Config says how. What else is not text is refused, and so is every address that
// is not public unless the owner made an exception; the owner's exceptions are also the only ports besides 80 and 443.
//
// Everything in a result was written by a stranger, an error's words included: they name hosts and addresses that a
// redirect has led to. And the request itself tells that stranger what was asked for.
type FetchTool struct {
	timeout time.Duration
	limit   int64
	agent   string
	share   func() int
	dialer  *egress.Dialer
	client  *http.Client
	pdf     func(ctx context.Context, file []byte) (string, error)
}

// Page is what fetch found. It is the Text of a result, as JSON, and its Data.
type Page struct {
	URL         string `json:"url"`         // where it was found, after redirects
	Status      int    `json:"status"`      // of HTTP; an error page is a page
	ContentType string `json:"contentType"` // as the server declares it
	Length      int    `json:"length"`      // of the whole content in the format asked for, in characters
	Content     string `json:"content"`     // from the offset on; where it is cut, its last line says how to read on
}

// New returns the tool.
func New(c Config) *FetchTool {
	f := &FetchTool{
		timeout: cmp.Or(c.Timeout, defaultFetchTimeout),
		limit:   cmp.Or(c.MaxResponseSize, defaultFetchResponse),
		agent:   cmp.Or(c.UserAgent, DefaultUserAgent),
		share:   c.Share,
		dialer:  c.Dialer,
		pdf:     c.PDF,
	}
	if f.share == nil {
		f.share = func() int { return defaultFetchShare }
	}
	if f.dialer == nil {
		f.dialer = new(egress.Dialer)
	}
	f.client = f.newClient()
	return f
}

type fetchIn struct {
	URL    string `json:"url"`
	Format string `json:"format,omitempty" enum:"text,html,markdown" default:"text" quiet:"true"`
	Offset int    `json:"offset,omitempty" min:"0" quiet:"true"`
}

// Tools returns fetch.
func (f *FetchTool) Tools() []tools.Tool {
	return []tools.Tool{tools.New(tools.Def{
		Name:         "fetch",
		Description:  "Read a web page by its URL.",
		Capabilities: tools.Reads | tools.Sends | tools.Untrusted,
		Timeout:      -1, // Config.Timeout
		Check:        tools.CheckArgs(func(in fetchIn) error { return f.checkAddress(in.URL) }),
		ResourcesOf:  resourcesOfURL,
		Examples:     []string{"fetch https://example.org"},
	}, f.fetch)}
}

// fetch reads one page. A Result beside an error tells what was reached before it failed.
func (f *FetchTool) fetch(ctx context.Context, in fetchIn) (tools.Result, error) {
	u, err := f.parse(in.URL)
	if err != nil {
		return failedFetch(nil, nil, err)
	}
	page, err := f.get(ctx, u)
	if err != nil {
		return failedFetch(u, page, err)
	}
	content := page.render(in.Format)
	length := utf8.RuneCountInString(content)
	piece, err := cutContent(content, in.Offset, length, f.most(), tools.TaskFrom(ctx).Words)
	if err != nil {
		return failedFetch(u, page, err)
	}
	found := Page{URL: page.url.String(), Status: page.status, ContentType: page.contentType, Length: length, Content: piece}
	text, err := jsonl.Marshal(found)
	if err != nil {
		return failedFetch(u, page, fmt.Errorf("marshal the page: %w", err))
	}
	return tools.Result{Text: string(text), Data: found, Effects: page.effects(""), Label: labelOf(page.url)}, nil
}

// most is how many bytes of a page fit the model now.
func (f *FetchTool) most() int { return cmp.Or(max(f.share(), 0), defaultFetchShare) }

// failedFetch is what comes with an error: page is what was reached of u, nil for nothing; u is nil where nobody was
// asked. Of the words of such an error some may be those of whoever was asked.
func failedFetch(u *url.URL, page *fetched, err error) (tools.Result, error) {
	var res tools.Result
	switch {
	case page != nil:
		res.Effects, res.Label = page.effects("not read"), labelOf(page.url)
	case u != nil:
		res.Label = labelOf(u)
	}
	return res, err
}

// labelOf is the label of what came from u.
func labelOf(u *url.URL) event.Label {
	return event.Label{Untrusted: true, Source: "web:" + u.Hostname()}
}

// fetched is a page as it came.
type fetched struct {
	url         *url.URL // after redirects
	status      int
	contentType string // as declared, or as sniffed where nothing was declared
	size        int    // bytes after decompression
	text        string // UTF-8
	html        bool
}

// shownQuery is how many bytes of a query a receipt shows.
const shownQuery = 60

// effects is the receipt for a page; but says what was not to be had of it.
func (p *fetched) effects(but string) []event.Effect {
	detail := fmt.Sprintf("%d, %d bytes", p.status, p.size)
	if but != "" {
		detail = fmt.Sprintf("%d, %s", p.status, but)
	}
	target := p.url.Host + p.url.EscapedPath()
	if query := p.url.RawQuery; query != "" {
		target += "?" + display.TruncateBytes(query, shownQuery)
	}
	return []event.Effect{{
		Kind: "fetched", Target: target, Detail: detail,
		Bytes: int64(p.size), Status: p.status, Failed: but != "" || p.status >= http.StatusBadRequest,
	}}
}

// render returns the page in a format.
func (p *fetched) render(format string) string {
	if !p.html || format == "html" {
		return p.text
	}
	return renderHTML(p.text, p.url, format == "markdown")
}

// cutContent returns what of content begins at character offset and fits share bytes. Pieces put together, without the
// sentence that says how to read on, are the content. Of a page that is read from its beginning the passages further on that
// the task is about stand before that sentence.
func cutContent(content string, offset, length, share int, task excerpt.Query) (string, error) {
	if offset > 0 && offset >= length {
		return "", tools.Invalid(event.CodeInvalidValue, "offset %d is past the end: the page has %s characters", offset, thousands(length))
	}
	rest := content
	for range offset {
		_, n := utf8.DecodeRuneInString(rest)
		rest = rest[n:]
	}
	if len(rest) <= share {
		return rest, nil
	}
	piece := rest[:boundary(rest, share)]
	further := ""
	if offset == 0 {
		if further = task.Passages(rest[len(piece):], share*2/5); further != "" {
			piece = rest[:boundary(rest, share-len(further))]
			further = "[further on:]\n" + further
		}
	}
	next := offset + utf8.RuneCountInString(piece)
	gap := "\n"
	if strings.HasSuffix(piece, "\n") {
		gap = ""
	}
	return fmt.Sprintf("%s%s%s… %s more characters: call fetch with offset=%d", piece, gap, further, thousands(length-next), next), nil
}

// boundary returns where to cut s so that at most share bytes, and at least one rune, stand before: after a line where
// one ends in the second half, else after a word, else between two runes.
func boundary(s string, share int) int {
	if share >= len(s) {
		return len(s)
	}
	end := display.CutAt(s, share)
	if end == 0 {
		_, end = utf8.DecodeRuneInString(s)
		return end
	}
	for _, mark := range []string{"\n", " "} {
		if i := strings.LastIndex(s[:end], mark); i >= end/2 {
			return i + 1
		}
	}
	return end
}

// thousands writes n with a comma between groups of three digits.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
