package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"syscall"
	"time"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
)

const (
	maxAnswer  = 2 << 20 // bytes of what a server answers
	maxQuery   = 400     // bytes
	someShown  = 5       // results, where nobody says how many
	mostShown  = 10
	shownQuery = 60 // bytes of a query that a receipt shows
)

// searcher asks a SearXNG server.
type searcher struct {
	base    *url.URL
	client  *http.Client
	timeout time.Duration
}

type searchIn struct {
	Query string `json:"query" jsonschema:"a few words"`
	N     int    `json:"n,omitempty" jsonschema:"results, 1 to 10"`
}

func (s *searcher) tool() tools.Tool {
	return tools.New(tools.Def{
		Name: "web_search", Description: "Search the web for pages.",
		Capabilities: tools.Reads | tools.Sends | tools.Untrusted, Timeout: -1, // its own
		Command: "search <query:string...>", Examples: []string{"search ferry to Texel", "search n=10 ferry to Texel"},
		ResourcesOf: s.resourcesOf, Check: tools.CheckArgs(searchIn.check),
	}, s.search)
}

// address is what is asked for in a search.
func (s *searcher) address(query string) string {
	u := *s.base
	u.Path += "/search"
	u.RawQuery = url.Values{"q": {query}, "format": {"json"}, "pageno": {"1"}}.Encode()
	return u.String()
}

func (s *searcher) resourcesOf(args json.RawMessage) []tools.Resource {
	var in searchIn
	if json.Unmarshal(args, &in) != nil {
		return nil
	}
	if aim, ok := fetch.ResourceOf(s.address(plain(in.Query))); ok {
		return []tools.Resource{aim}
	}
	return nil
}

// check says what is wrong with the words.
func (in searchIn) check() error {
	if query := plain(in.Query); query == "" || len(query) > maxQuery {
		return tools.Invalid(event.CodeInvalidValue, "query: must have 1 to %d bytes", maxQuery).Suggest("search for a few words")
	}
	return nil
}

func (s *searcher) search(ctx context.Context, in searchIn) (tools.Result, error) {
	query := plain(in.Query)
	if in.N <= 0 {
		in.N = someShown
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.timeout, errSlow)
	defer cancel()
	asked := event.Effect{Kind: "fetched", Target: s.base.Host + s.base.Path + "/search?q=" + display.TruncateBytes(url.QueryEscape(query), shownQuery)}
	res := tools.Result{Label: event.Label{Untrusted: true, Source: "web:search"}}
	status, body, err := s.ask(ctx, query)
	var found answer
	if err == nil {
		found, err = read(body)
	}
	asked.Status, asked.Bytes = status, int64(len(body))
	if err != nil {
		if status != 0 {
			asked.Failed, asked.Detail = true, fmt.Sprintf("%d, not read", status)
			res.Effects = []event.Effect{asked}
		}
		return res, err
	}
	text, links := found.render(min(in.N, mostShown))
	asked.Detail = fmt.Sprintf("%d, %d bytes", status, len(body))
	res.Text, res.Data, res.Effects = text, fetch.FoundPages{Links: links}, []event.Effect{asked}
	return res, nil
}

// errSlow is why the context of a search ended when its time was up.
var errSlow = errors.New("the search took too long")

// ask returns what the server answers. A status beside an error says that it did.
func (s *searcher) ask(ctx context.Context, query string) (status int, body []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address(query), nil)
	if err != nil {
		return 0, nil, fmt.Errorf("make the request: %w", err)
	}
	// A server that is on its guard turns away what would not read HTML.
	req.Header = http.Header{"Accept": {"application/json, text/html;q=0.1"}, "User-Agent": {fetch.DefaultUserAgent}}
	resp, err := s.client.Do(req)
	if err != nil {
		return 0, nil, s.unreachableError(ctx, err)
	}
	defer resp.Body.Close()
	if bad := s.checkResponse(resp); bad != nil {
		return resp.StatusCode, nil, bad
	}
	body, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return resp.StatusCode, nil, s.unreachableError(ctx, err)
	case len(body) > maxAnswer:
		return resp.StatusCode, nil, tools.Failed("the search server answered with more than %s", display.Limit(maxAnswer)).
			Suggest("search for something narrower")
	}
	return resp.StatusCode, body, nil
}

// checkResponse is nil where the server answered with JSON, and says why it did not.
func (s *searcher) checkResponse(resp *http.Response) error {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch code := resp.StatusCode; {
	case code == http.StatusForbidden:
		return noJSON("the search server does not answer programs")
	case code == http.StatusTooManyRequests:
		return tools.RateLimited("the search server has had too many searches").Retry().
			Suggest("wait some minutes; where it happens always, its owner turns off server.limiter in SearXNG's settings.yml")
	case code == http.StatusNotFound:
		return tools.Failed("there is no SearXNG at %s", s.base).Suggest("the owner corrects its address")
	case code >= http.StatusInternalServerError:
		return tools.Failed("the search server has failed (status %d)", code).Suggest("try once more later").Retry()
	case code != http.StatusOK:
		return tools.Failed("the search server answered with status %d", code).Suggest("the owner looks after " + s.base.String())
	case kind == "text/html" || kind == "application/xhtml+xml":
		return noJSON("the search server answered with a page for people")
	}
	return nil
}

// noJSON is the error for a server that is not set up for programs.
func noJSON(what string) *tools.Error {
	return tools.Disabled("%s, because JSON is off there", what).
		Suggest("tell the user: add json to search.formats in SearXNG's settings.yml and restart it")
}

// unreachableError says in words why there was no answer.
func (s *searcher) unreachableError(ctx context.Context, err error) error {
	host := s.base.Host
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errSlow) {
		return fmt.Errorf("search with %s: %w", host, context.Cause(ctx)) // the turn has ended
	}
	if e := (*url.Error)(nil); errors.As(err, &e) {
		err = e.Err // without the address, which has the query
	}
	gone, slow := (*net.DNSError)(nil), net.Error(nil)
	switch {
	case ctx.Err() != nil, errors.As(err, &slow) && slow.Timeout():
		return tools.TimedOut("the search server %s did not answer within %s", host, s.timeout).Suggest("try once more, or do without").Retry()
	case errors.As(err, &gone):
		err = errors.New("its name is not known")
	case errors.Is(err, syscall.ECONNREFUSED):
		err = errors.New("it refuses the connection; is it running?")
	}
	return tools.Failed("the search server %s cannot be reached: %s", host, display.TruncateBytes(plain(err.Error()), 300)).
		Suggest("tell the user; pages can still be read by address").Retry()
}
