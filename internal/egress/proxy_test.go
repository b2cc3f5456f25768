package egress_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/egress"
)

// proxied is a proxy under test, and the network behind it: "site.lan" is the site and may be reached, "other.lan" is
// the site too and may not.
type proxied struct {
	addr string // of the proxy
	port string // of the site
	book *notebook
	stop context.CancelFunc
	done chan struct{} // closed when the proxy has returned
	l    net.Listener
}

func newProxy(t *testing.T, site http.Handler) *proxied {
	t.Helper()
	srv := httptest.NewServer(site)
	t.Cleanup(srv.Close)
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	return proxyTo(t, port)
}

func proxyTo(t *testing.T, port string) *proxied {
	t.Helper()
	p := &proxied{port: port, book: new(notebook), done: make(chan struct{})}
	g := gate(t, p.book, &names{answers: map[string][][]string{
		"site.lan": {{"127.0.0.1"}}, "other.lan": {{"127.0.0.1"}}, "rebound.lan": {{"169.254.169.254"}}}})
	d := must[*egress.Dialer](t)(g.Commands([]string{"site.lan:" + port, "rebound.lan:80", "absent.lan:80"}, "[shell] network"))
	p.l = must[net.Listener](t)(net.Listen("tcp", "127.0.0.1:0"))
	p.addr = p.l.Addr().String()
	ctx, cancel := context.WithCancel(t.Context())
	p.stop = cancel
	go func() { defer close(p.done); egress.Proxy(d)(ctx, p.l) }()
	t.Cleanup(func() { cancel(); <-p.done })
	return p
}

// client is a program that believes http_proxy.
func (p *proxied) client(t *testing.T) *http.Client {
	tr := &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: p.addr}), TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

// says sends bytes to the proxy and returns all that comes back.
func (p *proxied) says(t *testing.T, raw string) string {
	t.Helper()
	c := must[net.Conn](t)(net.Dial("tcp", p.addr))
	defer c.Close()
	io.WriteString(c, strings.ReplaceAll(raw, "PORT", p.port))
	back, _ := io.ReadAll(c) // reset, where the proxy has not read everything
	return string(back)
}

func TestProxy_ForwardsToWhomTheListNames(t *testing.T) {
	p := newProxy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Site", "yes")
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprintf(w, "%s %s%s %q", r.Method, r.Host, r.URL, body)
	}))
	client := p.client(t)
	for range 2 { // a second request on what was kept alive would be a second one on one connection
		resp, err := client.Post("http://site.lan:"+p.port+"/a?b=c", "text/plain", strings.NewReader("hello"))
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if want := `POST site.lan:` + p.port + `/a?b=c "hello"`; string(body) != want || resp.StatusCode != http.StatusTeapot || resp.Header.Get("X-Site") != "yes" || !resp.Close {
			t.Errorf("%d %v close %v\n%s", resp.StatusCode, resp.Header, resp.Close, body)
		}
	}
	if got := p.book.begun; !slices.Equal(got, []string{"command site.lan:" + p.port}) {
		t.Errorf("recorded: %v", got)
	}
}

func TestProxy_TunnelsToWhomTheListNames(t *testing.T) {
	srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "over TLS") }))
	defer srv.Close()
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	p := proxyTo(t, port)
	resp, err := p.client(t).Get("https://site.lan:" + port + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); string(body) != "over TLS" || err != nil {
		t.Errorf("%q, %v", body, err)
	}
}

// What a program sees of a refusal: the status, and a sentence.
func TestProxy_RefusesInOneSentence(t *testing.T) {
	var hits atomic.Int64
	p := newProxy(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	const unlisted = ": that host and port is not on the list of what may be reached"
	for _, c := range []struct{ name, raw, status string }{
		{"another host", "GET http://other.lan:PORT/ HTTP/1.1\r\nHost: other.lan\r\n\r\n", "403 other.lan:PORT" + unlisted},
		{"another port", "CONNECT site.lan:22 HTTP/1.1\r\n\r\n", "403 site.lan:22" + unlisted},
		{"an address", "CONNECT 127.0.0.1:PORT HTTP/1.1\r\n\r\n", "403 127.0.0.1:PORT" + unlisted},
		{"a listed name in the Host header alone", "GET http://other.lan:PORT/ HTTP/1.1\r\nHost: site.lan:PORT\r\n\r\n", "403 other.lan:PORT" + unlisted},
		{"a name that leads to a cloud's metadata", "GET http://rebound.lan/ HTTP/1.1\r\nHost: rebound.lan\r\n\r\n",
			"403 rebound.lan:80: that address is not public, so it is out of reach"},
		{"a listed name that does not exist", "CONNECT absent.lan:80 HTTP/1.1\r\n\r\n", "502 that host could not be looked up"},
		{"no port", "CONNECT site.lan HTTP/1.1\r\n\r\n", "502 that host could not be reached"},
		{"a NUL in a name", "CONNECT site.lan\x00.evil.example:443 HTTP/1.1\r\n\r\n", "400 that is not a request to a proxy"},
		{"a path", "GET / HTTP/1.1\r\nHost: site.lan\r\n\r\n", "400 this is a proxy: ask for http://host/ or CONNECT host:port"},
		{"https without a tunnel", "GET https://site.lan:PORT/ HTTP/1.1\r\nHost: site.lan\r\n\r\n", "400 this is a proxy: ask for http://host/ or CONNECT host:port"},
		{"a file", "GET file:///etc/passwd HTTP/1.1\r\nHost: site.lan\r\n\r\n", "400 this is a proxy: ask for http://host/ or CONNECT host:port"},
		{"no request", "\x16\x03\x01\r\n\r\n", "400 that is not a request to a proxy"},
		{"a header without end", "GET http://site.lan:PORT/ HTTP/1.1\r\nX: " + strings.Repeat("x", 70<<10), "431 the request's header is too large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, rest, _ := strings.Cut(p.says(t, c.raw), "\r\n")
			want := strings.ReplaceAll(c.status, "PORT", p.port)
			if status != "HTTP/1.1 "+want || !strings.HasSuffix(rest, "\r\n\r\n"+want[4:]+"\n") {
				t.Errorf("status line %q and %q, want %q", status, rest, want)
			}
		})
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("the site was reached %d times", n)
	}
}

// What concerns one connection goes no further, in either direction, and a password for the proxy least of all.
func TestProxy_HopByHopHeadersStay(t *testing.T) {
	got := make(chan http.Header, 1)
	p := newProxy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got <- r.Header
		w.Header().Set("Keep-Alive", "timeout=5")
		w.Header().Set("Proxy-Authenticate", "Basic")
		w.Header().Set("Upgrade", "h2c")
		w.Header().Set("X-Public", "1")
	}))
	back := p.says(t, "GET http://me:hunter2@site.lan:PORT/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic c2VjcmV0\r\nProxy-Connection: keep-alive\r\n"+
		"Connection: keep-alive, X-Mine\r\nX-Mine: 1\r\nKeep-Alive: 300\r\nTE: trailers\r\nUpgrade: websocket\r\nX-Theirs: 1\r\n\r\n")
	want := http.Header{"X-Theirs": {"1"}, "Connection": {"close"}} // the connection to the site is for one request
	if diff := cmp.Diff(want, <-got); diff != "" {
		t.Errorf("the site was told (-want +got):\n%s", diff)
	}
	resp, err := http.ReadResponse(bufio.NewReader(strings.NewReader(back)), nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Header.Del("Date")
	if diff := cmp.Diff(http.Header{"X-Public": {"1"}, "Content-Length": {"0"}}, resp.Header); diff != "" || !resp.Close {
		t.Errorf("the client was told (-want +got):\n%s", diff)
	}
}

// A connection is for one request: what is sent behind it is not read as another, or handed to the site.
func TestProxy_OneRequestAConnection(t *testing.T) {
	var asked []string
	p := newProxy(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = append(asked, r.URL.Path) }))
	one := "GET http://site.lan:PORT/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
	back := p.says(t, one+strings.ReplaceAll(one, "/1", "/2"))
	if n := strings.Count(back, "HTTP/1.1"); n != 1 || !slices.Equal(asked, []string{"/1"}) {
		t.Errorf("%d answers, and the site was asked for %v\n%s", n, asked, back)
	}
}

// A body of unknown length that breaks off must not look like a whole one.
func TestProxy_ABrokenBodyIsSeen(t *testing.T) {
	p := newProxy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "half")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}))
	resp, err := p.client(t).Get("http://site.lan:" + p.port + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); string(body) != "half" || err == nil {
		t.Errorf("%q, %v", body, err)
	}
}

// When the command's time is up, or the listener is gone, so are its tunnels.
func TestProxy_EndsWithItsContextAndItsListener(t *testing.T) {
	for name, end := range map[string]func(*proxied){
		"context":  func(p *proxied) { p.stop() },
		"listener": func(p *proxied) { p.l.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			_, port := echo(t)
			p := proxyTo(t, port)
			c := must[net.Conn](t)(net.Dial("tcp", p.addr))
			defer c.Close()
			io.WriteString(c, "CONNECT site.lan:"+port+" HTTP/1.1\r\n\r\nearly ")
			in := bufio.NewReader(c)
			resp, err := http.ReadResponse(in, &http.Request{Method: http.MethodConnect})
			if err != nil || resp.StatusCode != http.StatusOK {
				t.Fatal(resp, err)
			}
			silent := must[net.Conn](t)(net.Dial("tcp", p.addr))
			defer silent.Close()
			io.WriteString(c, "words")
			said := make([]byte, len("early words"))
			if _, err := io.ReadFull(in, said); string(said) != "early words" || err != nil {
				t.Fatalf("%q, %v", said, err)
			}
			end(p)
			<-p.done
			if back, _ := io.ReadAll(silent); len(back) > 0 {
				t.Errorf("who had not asked for anything yet was waited for and told %q", back)
			}
			if n, err := in.Read(said); n > 0 || err == nil {
				t.Errorf("the tunnel still gives %q", said[:n])
			}
		})
	}
}

// One side may end while the other goes on.
func TestProxy_HalfOfATunnelMayEnd(t *testing.T) {
	l := must[net.Listener](t)(net.Listen("tcp", "127.0.0.1:0"))
	defer l.Close()
	var served sync.WaitGroup
	defer served.Wait()
	served.Go(func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		all, _ := io.ReadAll(c)
		fmt.Fprintf(c, "you said %q", all)
	})
	_, port, _ := net.SplitHostPort(l.Addr().String())
	p := proxyTo(t, port)
	c := must[net.Conn](t)(net.Dial("tcp", p.addr))
	defer c.Close()
	io.WriteString(c, "CONNECT site.lan:"+port+" HTTP/1.1\r\n\r\nall")
	c.(*net.TCPConn).CloseWrite()
	back, err := io.ReadAll(c)
	if !strings.HasSuffix(string(back), `you said "all"`) || err != nil {
		t.Errorf("%q, %v", back, err)
	}
}

// More than it serves at once wait, and are served then.
func TestProxy_ManyAtOnce(t *testing.T) {
	var now, most atomic.Int64
	full := make(chan struct{}) // closed when as many as may be are here
	fill := sync.OnceFunc(func() { close(full) })
	p := newProxy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := now.Add(1)
		if n == 64 {
			fill()
		}
		if <-full; most.Load() == 0 {
			for range 10_000 { // time for one too many
				runtime.Gosched()
			}
		}
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		now.Add(-1)
		io.WriteString(w, "ok")
	}))
	var all sync.WaitGroup
	var served atomic.Int64
	for range 128 { // twice as many as it serves at once: nobody waits alone
		all.Go(func() {
			resp, err := p.client(t).Get("http://site.lan:" + p.port + "/")
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			if body, _ := io.ReadAll(resp.Body); string(body) == "ok" {
				served.Add(1)
			}
		})
	}
	all.Wait()
	if served.Load() != 128 || most.Load() > 64 {
		t.Errorf("%d were served, %d at once", served.Load(), most.Load())
	}
}

// Whoever says nothing is let go; a long download is not cut for what the client does not say.
func TestProxy_Idle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nearClient, nearProxy := net.Pipe()
		farProxy, farServer := net.Pipe()
		defer nearClient.Close()
		near, far := egress.Patient(nearProxy, farProxy)
		begin := time.Now()
		silent := make(chan error)
		go func() { _, err := near.Read(make([]byte, 1)); silent <- err }()
		go func() {
			for range 9 {
				<-time.After(egress.Idle / 3)
				farServer.Write([]byte("x"))
			}
		}()
		go io.Copy(io.Discard, far)
		err := <-silent
		if took := time.Since(begin); !errors.Is(err, os.ErrDeadlineExceeded) || took < 3*egress.Idle || took > 5*egress.Idle {
			t.Errorf("it was cut after %s: %v", took, err)
		}
	})
}
