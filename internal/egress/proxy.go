package egress

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// What a command may ask of the proxy.
const (
	proxyAtOnce      = 64               // connections; more wait
	proxyHeaderBytes = 64 << 10         // of a request and of an answer
	proxyHeaderTime  = 10 * time.Second // for a request's header
	proxyIdle        = 5 * time.Minute  // without a byte in a direction that somebody waits for
)

// Proxy returns a server for what commands ask of the network: an HTTP proxy that reaches the hosts that d reaches. It knows CONNECT
// and absolute http:// addresses, serves one request a connection, and follows nothing. What d refuses is answered with
// 403 and a sentence that is also the status line's reason, where more programs show it.
//
// The server returns when its context ends or its listener is closed; then all connections, tunnels included, are closed.
func Proxy(d *Dialer) func(ctx context.Context, l net.Listener) {
	p := &proxy{dialer: d, transport: &http.Transport{
		Proxy:                  nil,
		DialContext:            d.DialContext,
		DisableKeepAlives:      true,
		DisableCompression:     true,
		MaxResponseHeaderBytes: proxyHeaderBytes,
		ResponseHeaderTimeout:  proxyIdle,
	}}
	return p.serve
}

type proxy struct {
	dialer    *Dialer
	transport *http.Transport
}

func (p *proxy) serve(ctx context.Context, l net.Listener) {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	slots := make(chan struct{}, proxyAtOnce)
	for {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		client, err := l.Accept()
		if err != nil {
			return
		}
		all.Go(func() {
			defer func() { <-slots }()
			defer client.Close()
			defer context.AfterFunc(ctx, func() { _ = client.Close() })()
			p.handle(ctx, client)
		})
	}
}

// handle answers the one request of a connection.
func (p *proxy) handle(ctx context.Context, client net.Conn) {
	if client.SetReadDeadline(time.Now().Add(proxyHeaderTime)) != nil {
		return
	}
	limit := &io.LimitedReader{R: client, N: proxyHeaderBytes}
	in := bufio.NewReader(limit)
	req, err := http.ReadRequest(in)
	switch {
	case err != nil && limit.N <= 0:
		reply(client, http.StatusRequestHeaderFieldsTooLarge, "the request's header is too large")
		return
	case err != nil:
		reply(client, http.StatusBadRequest, "that is not a request to a proxy")
		return
	}
	limit.N = math.MaxInt64
	patient := newIdle(client)
	limit.R = patient
	switch {
	case req.Method == http.MethodConnect:
		p.tunnel(ctx, patient, in, req.Host)
	case req.URL.Scheme == "http" && req.URL.Host != "":
		p.forward(ctx, patient, req)
	default:
		reply(client, http.StatusBadRequest, "this is a proxy: ask for http://host/ or CONNECT host:port")
	}
}

// tunnel connects client with target until one of them is gone, or both have sent all.
func (p *proxy) tunnel(ctx context.Context, client *idleConn, in io.Reader, target string) {
	server, err := p.dialer.DialContext(ctx, "tcp", target)
	if err != nil {
		replyRefused(client, err)
		return
	}
	defer server.Close()
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if _, err := io.WriteString(client, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	far := client.beside(server)
	var both sync.WaitGroup
	both.Go(func() { copyUntilEnd(far, in, client) })
	both.Go(func() { copyUntilEnd(client, far, far) })
	both.Wait()
}

// copyUntilEnd copies what comes from one end to the other. Its end is passed on; a failure ends both directions.
func copyUntilEnd(to *idleConn, from io.Reader, end *idleConn) {
	if _, err := io.Copy(to, from); err != nil || to.CloseWrite() != nil {
		_ = to.Close()
		_ = end.Close()
	}
}

// forward makes a request for a command and hands the answer on.
func (p *proxy) forward(ctx context.Context, client *idleConn, req *http.Request) {
	out := req.WithContext(ctx)
	out.RequestURI, out.Close = "", true
	out.URL.User = nil
	removeHopHeaders(out.Header)
	out.Header.Del("Expect") // a client that waits for a word does not wait long
	if out.Header.Get("User-Agent") == "" {
		out.Header.Set("User-Agent", "") // else net/http has one of its own
	}
	resp, err := p.transport.RoundTrip(out)
	if err != nil {
		replyRefused(client, err)
		return
	}
	defer resp.Body.Close()
	if resp.StatusCode < http.StatusOK {
		reply(client, http.StatusBadGateway, "the server wants to speak another protocol")
		return
	}
	removeHopHeaders(resp.Header)
	resp.Close = true
	if !req.ProtoAtLeast(1, 1) {
		resp.TransferEncoding = nil
	}
	resp.Proto, resp.ProtoMajor, resp.ProtoMinor = "HTTP/1.1", 1, 1
	_ = resp.Write(client) // what is missing the client sees
}

// removeHopHeaders removes from a header what concerns one connection only. (Of a Connection header that also says close net/http
// shows nothing, so what such a one lists goes on; no harm comes of that.)
func removeHopHeaders(h http.Header) {
	for _, list := range h["Connection"] {
		for name := range strings.SplitSeq(list, ",") {
			h.Del(strings.TrimSpace(name))
		}
	}
	for _, name := range []string{"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization",
		"Te", "Trailer", "Transfer-Encoding", "Upgrade"} {
		h.Del(name)
	}
}

// replyRefused answers a request whose server was not reached.
func replyRefused(client io.Writer, err error) {
	refused, unrecorded, dns := (*Refused)(nil), (*Unrecorded)(nil), (*net.DNSError)(nil)
	switch {
	case errors.As(err, &refused):
		reply(client, http.StatusForbidden, target{refused.Host, refused.Port}.String()+": "+refused.Message())
	case errors.As(err, &unrecorded):
		reply(client, http.StatusServiceUnavailable, "the network is closed: what is contacted could not be recorded")
	case errors.As(err, &dns):
		reply(client, http.StatusBadGateway, "that host could not be looked up")
	default:
		reply(client, http.StatusBadGateway, "that host could not be reached")
	}
}

// reply writes a whole answer. That the client is gone is its own affair.
func reply(client io.Writer, status int, sentence string) {
	_, _ = fmt.Fprintf(client, "HTTP/1.1 %d %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s\n",
		status, sentence, len(sentence)+1, sentence)
}

// idleConn is a connection that fails when nothing moves for proxyIdle, on it or on the one that it shares moved with.
type idleConn struct {
	net.Conn
	moved *atomic.Int64 // when something came, in Unix nanoseconds
}

func newIdle(c net.Conn) *idleConn { return &idleConn{c, new(atomic.Int64)} }

// beside returns other as the far end of the tunnel that c is the near end of.
func (c *idleConn) beside(other net.Conn) *idleConn { return &idleConn{other, c.moved} }

func (c *idleConn) Read(p []byte) (int, error) {
	for {
		begin := time.Now()
		if err := c.SetReadDeadline(begin.Add(proxyIdle)); err != nil {
			return 0, err
		}
		n, err := c.Conn.Read(p)
		if n == 0 && errors.Is(err, os.ErrDeadlineExceeded) && c.moved.Load() > begin.UnixNano() {
			continue // the other direction is busy
		}
		if n > 0 {
			c.moved.Store(time.Now().UnixNano())
		}
		return n, err
	}
}

func (c *idleConn) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(proxyIdle)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

// CloseWrite ends one direction, or both where the connection cannot do less.
func (c *idleConn) CloseWrite() error {
	return closeWrite(c.Conn, c.Close)
}
