package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"hob/internal/llm"
)

const (
	healthTimeout = 3 * time.Second  // for /api/version, which needs no model
	askTimeout    = 15 * time.Second // for what reads a file or two: show, tags, ps
	maxAnswer     = 32 << 20         // bytes of an answer that is not a stream
	maxErrorBody  = 1 << 20          // bytes of an error's body; harmony's holds what the model wrote
)

// withHost runs do on the host in use, and on the next healthy one where do could not reach it, or was dropped by it. Of
// several failures it returns that of a host which was there.
func (c *Client) withHost(ctx context.Context, do func(*host) error) error {
	var lost []*host
	var drop error
	for {
		h, err := c.pick(ctx, lost)
		switch {
		case err != nil && drop != nil && llm.KindOf(err) == llm.Unreachable:
			return drop
		case err != nil:
			return err
		}
		err = do(h)
		switch {
		case errors.Is(err, errDropped):
			drop = err
		case err == nil || llm.KindOf(err) != llm.Unreachable:
			return err
		}
		c.forgetHost(h)
		if lost = append(lost, h); len(lost) < len(c.hosts) {
			continue
		}
		if drop != nil {
			return drop
		}
		return c.noHost([]error{err})
	}
}

// pick returns the host in use, or the first healthy one that is not among lost.
func (c *Client) pick(ctx context.Context, lost []*host) (*host, error) {
	c.mu.Lock()
	h := c.current
	c.mu.Unlock()
	if h != nil && !slices.Contains(lost, h) {
		if other := c.spareHost(ctx, h, lost); other != nil {
			return other, nil
		}
		return h, nil
	}
	h, err := c.firstHealthy(ctx, lost)
	if c.cfg.Start == nil || llm.KindOf(err) != llm.Unreachable {
		return h, err
	}
	if failed := c.cfg.Start(ctx); failed != nil {
		return nil, &llm.Error{Kind: llm.Unreachable, Err: failed, Message: fmt.Sprintf("Ollama does not answer, and the one of hob's own did not start: %v", failed)}
	}
	return c.firstHealthy(ctx, lost)
}

// firstHealthy makes the first healthy host that is not among lost the one in use.
func (c *Client) firstHealthy(ctx context.Context, lost []*host) (*host, error) {
	var reasons []error
	for _, h := range c.hosts {
		if slices.Contains(lost, h) {
			continue
		}
		version, err := c.health(ctx, h)
		if err == nil {
			h.mu.Lock()
			h.found.at, h.found.version = time.Now(), version
			h.mu.Unlock()
			c.mu.Lock()
			defer c.mu.Unlock()
			c.current = h
			return h, nil
		}
		if llm.KindOf(err) == llm.Cancelled {
			return nil, err
		}
		reasons = append(reasons, err)
	}
	return nil, c.noHost(reasons)
}

// silentAfter is how long nothing may have come of a chat before others go to another host, if there is one.
const silentAfter = time.Minute

// spareHost returns a host that has the model, for as long as the one in use has taken a chat and says nothing; nil if there is none.
func (c *Client) spareHost(ctx context.Context, h *host, lost []*host) *host {
	if !h.isSilent() {
		return nil
	}
	for _, other := range c.hosts {
		if other == h || slices.Contains(lost, other) || other.isSilent() {
			continue
		}
		if _, err := c.health(ctx, other); err != nil {
			continue
		}
		if _, err := c.modelOn(ctx, other); err == nil {
			return other
		}
	}
	return nil
}

// Spare reports whether there is a host that could take a chat while another says nothing.
func (c *Client) Spare() bool {
	return slices.ContainsFunc(c.hosts, (*host).isSilent) && slices.ContainsFunc(c.hosts, func(h *host) bool { return !h.isSilent() })
}

// startWaiting notes a chat of which nothing has come yet.
func (h *host) startWaiting(x *exchange) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waiting == nil {
		h.waiting = map[*exchange]time.Time{}
	}
	h.waiting[x] = time.Now()
}

func (h *host) stopWaiting(x *exchange) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.waiting, x)
}

// isSilent reports whether the host has taken a chat and has said nothing for long.
func (h *host) isSilent() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, since := range h.waiting {
		if time.Since(since) >= silentAfter {
			return true
		}
	}
	return false
}

// noHost is the error for when no host is left. reasons are those of the last attempts, at least one.
func (c *Client) noHost(reasons []error) error {
	if len(c.hosts) == 1 {
		return reasons[0]
	}
	names := make([]string, len(c.hosts))
	for i, h := range c.hosts {
		names[i] = h.base.String()
	}
	return &llm.Error{Kind: llm.Unreachable, Err: errors.Join(reasons...), Message: unreachableMessage(strings.Join(names, " or "))}
}

// forgetHost forgets that h is the host in use.
func (c *Client) forgetHost(h *host) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == h {
		c.current = nil
	}
}

// health returns the version of h, quickly. Whatever does not answer as Ollama does is unreachable.
func (c *Client) health(ctx context.Context, h *host) (string, error) {
	probe, done := context.WithTimeout(ctx, healthTimeout)
	defer done()
	version, err := h.api.Version(probe)
	if ctx.Err() != nil {
		return "", cancelledError(ctx)
	}
	if err == nil && version != "" {
		return version, nil
	}
	if err == nil {
		err = &json.UnmarshalTypeError{Value: "an answer without a version"}
	}
	return "", &llm.Error{Kind: llm.Unreachable, Err: err, Message: c.callError(ctx, h, "", err).Error()}
}

func unreachableMessage(where string) string {
	return fmt.Sprintf("Ollama does not answer at %s: start it with `ollama serve`, or set [ollama] host", where)
}

// parseBase reads the base URL of a server, as config.HostURL writes it.
func parseBase(address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(address, "/"))
	switch {
	case err != nil:
		return nil, errors.New("a host is not a URL such as http://127.0.0.1:11434")
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, fmt.Errorf("host %q: it is not a URL such as http://127.0.0.1:11434", address)
	case u.User != nil:
		return nil, fmt.Errorf("host %q: a user or password cannot be part of an address", u.Host)
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("host %q: a question mark or hash sign cannot be part of an address", u.Host)
	}
	if name := strings.ToLower(u.Hostname()); name == "ollama.com" || strings.HasSuffix(name, ".ollama.com") {
		return nil, fmt.Errorf("host %q is Ollama's cloud: name a machine of your own", u.Hostname())
	}
	return u, nil
}

// plainTransport reaches through dial the address it is given and nothing else: no proxy from the environment.
func plainTransport(dial Dial) *http.Transport {
	if dial == nil {
		dial = func(context.Context, string, string) (net.Conn, error) { return nil, errNoWay }
	}
	return &http.Transport{
		Proxy:                  nil,
		DialContext:            dial,
		TLSHandshakeTimeout:    10 * time.Second,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        30 * time.Second,
		DisableCompression:     true,
		MaxResponseHeaderBytes: 64 << 10,
	}
}

var errNoWay = errors.New("nothing was given to dial with")

// guard is a transport whose answers cannot surprise: a redirect, which would take a conversation to another address, is
// an error; a failure has a text; and only streams are longer than maxAnswer.
type guard struct{ next http.RoundTripper }

var errRedirect = errors.New("the server answers with a redirect")

func (g guard) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := g.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		resp.Body.Close()
		return nil, errRedirect
	case resp.StatusCode >= 400:
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		resp.Body.Close()
		if text := strings.TrimSpace(string(body)); err != nil || text == "" {
			body = []byte(`{"error":""}`)
		}
		resp.Body = io.NopCloser(strings.NewReader(oneLine(body)))
	case !strings.HasSuffix(req.URL.Path, "/api/chat") && !strings.HasSuffix(req.URL.Path, "/api/pull"):
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, maxAnswer), resp.Body}
	}
	return resp, nil
}

// oneLine keeps the api client, which reads streams by line, from seeing only the first line of a web page.
func oneLine(body []byte) string {
	return strings.NewReplacer("\r", " ", "\n", " ").Replace(strings.TrimSpace(string(body)))
}
