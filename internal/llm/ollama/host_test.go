package ollama

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
)

func TestHostAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"http://box:11434":            "http://box:11434",
		"https://box:1/ollama/":       "https://box:1/ollama",
		"http://[::1]:9":              "http://[::1]:9",
		"box:11434":                   `configure ollama: host "box:11434": it is not a URL such as http://127.0.0.1:11434`,
		"http://":                     `configure ollama: host "http://": it is not a URL such as http://127.0.0.1:11434`,
		"ftp://box":                   `configure ollama: host "ftp://box": it is not a URL such as http://127.0.0.1:11434`,
		"unix:///run/ollama":          `configure ollama: host "unix:///run/ollama": it is not a URL such as http://127.0.0.1:11434`,
		"http://me:hunter2@box":       `configure ollama: host "box": a user or password cannot be part of an address`,
		"http://me:hunter2@bo\x00x":   `configure ollama: a host is not a URL such as http://127.0.0.1:11434`,
		"http://box/?key=s":           `configure ollama: host "box": a question mark or hash sign cannot be part of an address`,
		"http://ollama.com:80":        `configure ollama: host "ollama.com" is Ollama's cloud: name a machine of your own`,
		"https://API.Ollama.com:443/": `configure ollama: host "API.Ollama.com" is Ollama's cloud: name a machine of your own`,
	} {
		c, err := New(Config{Hosts: []string{address}})
		got := fmt.Sprint(err)
		if err == nil {
			got = c.hosts[0].base.String()
		}
		if got != want {
			t.Errorf("%q gives %s, want %s", address, got, want)
		}
	}
}

func TestNewRefusesNegatives(t *testing.T) {
	for _, cfg := range []Config{{NumCtx: -1}, {FirstByte: -1}, {Idle: -1}, {Poll: -1}} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%+v was accepted", cfg)
		}
	}
}

// fleet is a client of three hosts, a, b and c, of which some are there.
func fleet(t *testing.T, there memory) *Client {
	cfg := testConfig("a", "b", "c")
	cfg.Transport, cfg.Poll = there, time.Hour
	return newClient(t, cfg)
}

func TestFirstHealthyHost(t *testing.T) {
	b, c := newFake(t, nil), newFake(t, nil)
	client := fleet(t, memory{"b:11434": b, "c:11434": c})
	for range 2 {
		if _, err := client.Chat(t.Context(), hello, nil); err != nil {
			t.Fatal(err)
		}
	}
	want := [][]string{{"GET /api/version", "POST /api/show", "POST /api/chat", "POST /api/chat"}, nil}
	if diff := cmp.Diff(want, [][]string{b.requests(), c.requests()}); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// A host that goes away between two chats is left for the next healthy one, which is then kept.
func TestFailover(t *testing.T) {
	a, c := newFake(t, nil), newFake(t, nil)
	b := newFake(t, nil)
	b.version = "" // answers, but is no Ollama
	hosts := memory{"a:11434": a, "b:11434": b, "c:11434": c}
	client := fleet(t, hosts)
	chat := func() string {
		if _, err := client.Chat(t.Context(), hello, nil); err != nil {
			return err.Error()
		}
		return client.current.base.Host
	}
	var got []string
	got = append(got, chat())
	delete(hosts, "a:11434")
	got = append(got, chat())
	hosts["a:11434"] = a
	got = append(got, chat())
	delete(hosts, "a:11434")
	delete(hosts, "c:11434")
	got = append(got, chat())
	hosts["a:11434"] = a
	got = append(got, chat())
	want := []string{
		"a:11434", "c:11434", "c:11434",
		"Ollama does not answer at http://a:11434 or http://b:11434 or http://c:11434: start it with `ollama serve`, or set [ollama] host",
		"a:11434",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("hosts (-want +got):\n%s", diff)
	}
}

// A chat moves to another host only while nothing has come from the first.
func TestNoFailoverAfterContent(t *testing.T) {
	second := newFake(t, nil)
	a := httptest.NewServer(newFake(t, hangUp(text("Hel"))))
	defer a.Close()
	b := httptest.NewServer(second)
	defer b.Close()
	var got shown
	_, err := newClient(t, testConfig(a.URL, b.URL)).Chat(t.Context(), hello, got.add)
	if llm.KindOf(err) != llm.Incomplete || got.text.String() != "Hel" || len(second.requests()) != 0 {
		t.Errorf("error %v, shown %q, the second host was asked %q", err, got.text.String(), second.requests())
	}
}

func TestFailoverWhenTheHostDropsTheRequest(t *testing.T) {
	a := httptest.NewServer(newFake(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer a.Close()
	b := httptest.NewServer(newFake(t, lines(text("from b"), doneLine)))
	defer b.Close()
	reply, err := newClient(t, testConfig(a.URL, b.URL)).Chat(t.Context(), hello, nil)
	if err != nil || reply.Message.Text != "from b" {
		t.Errorf("reply %v, error %v", reply, err)
	}
}

// A host that accepts and says nothing costs three seconds.
func TestHangingHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		cfg := testConfig("a", "b")
		cfg.Transport = memory{"a:11434": hang, "b:11434": newFake(t, nil)}
		start := time.Now()
		facts, err := newClient(t, cfg).Preflight(t.Context())
		if err != nil || facts.Host != "http://b:11434" || time.Since(start) != healthTimeout {
			t.Errorf("host %s after %v, error %v", facts.Host, time.Since(start), err)
		}
		cfg.Hosts = []string{"http://a:11434"}
		_, err = newClient(t, cfg).Version(t.Context())
		want := "unreachable Ollama at http://a:11434 did not answer in time: look at its log, or restart it"
		if got := fmt.Sprint(llm.KindOf(err), " ", err); got != want {
			t.Errorf("got %s", got)
		}
	})
}

func TestUnreachable(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	url := srv.URL
	notOllama := newClient(t, testConfig(url))
	_, other := notOllama.Chat(t.Context(), hello, nil)
	srv.Close()
	const nobody = "http://127.0.0.1:1" // a port that nobody is given who asks for any
	_, refused := newClient(t, testConfig(nobody)).Chat(t.Context(), hello, nil)
	secure := newClient(t, testConfig(strings.Replace(tlsServer(t), "127.0.0.1", "localhost", 1)))
	_, cert := secure.Chat(t.Context(), hello, nil)
	for errors.Is(cert, context.DeadlineExceeded) { // a machine under load takes longer over a handshake than a probe has time
		_, cert = secure.Chat(t.Context(), hello, nil)
	}
	got := []string{fmt.Sprint(llm.KindOf(other), ": ", other), fmt.Sprint(llm.KindOf(refused), ": ", refused), fmt.Sprint(llm.KindOf(cert))}
	want := []string{
		"unreachable: " + url + " has no such address (HTTP 404): check that [ollama] host is an Ollama of this year",
		"unreachable: Ollama does not answer at " + nobody + ": start it with `ollama serve`, or set [ollama] host",
		"unreachable",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
	if !strings.Contains(fmt.Sprint(cert), "certificate") {
		t.Errorf("a bad certificate is reported as: %v", cert)
	}
}

func tlsServer(t *testing.T) string {
	srv := httptest.NewUnstartedServer(newFake(t, nil))
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	t.Cleanup(srv.Close)
	return srv.URL
}

// The environment's proxy is not asked: what is said to Ollama goes to the address in the configuration. (The environment
// is read once a process, so the test looks at the transport itself.)
func TestNoProxy(t *testing.T) {
	if plainTransport(nil).Proxy != nil {
		t.Error("the transport asks for a proxy")
	}
}

// What is not handed out cannot be dialed: there is no way to a host but the one that the client was given.
func TestNoWayOutOfItsOwn(t *testing.T) {
	srv := httptest.NewServer(newFake(t, nil))
	defer srv.Close()
	if _, err := newClient(t, Config{Hosts: []string{srv.URL}}).Version(t.Context()); !errors.Is(err, errNoWay) {
		t.Errorf("a client that was given nothing to dial with: %v", err)
	}
	var asked []string
	cfg := testConfig("http://gpu.lan:11434", "http://127.0.0.1:9")
	cfg.Dial = func(_ context.Context, network, address string) (net.Conn, error) {
		asked = append(asked, network+" "+address)
		return nil, errors.New("not on the list")
	}
	_, err := newClient(t, cfg).Version(t.Context())
	if diff := cmp.Diff([]string{"tcp gpu.lan:11434", "tcp 127.0.0.1:9"}, asked); diff != "" || llm.KindOf(err) != llm.Unreachable {
		t.Errorf("error %v, asked for (-want +got):\n%s", err, diff)
	}
}

// A connection that the server closes at the moment it is used again is replaced without a word.
func TestStaleConnection(t *testing.T) {
	type served struct{}
	var dropped atomic.Int32
	f := newFake(t, nil)
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := r.Context().Value(served{}).(*int)
		if *n++; *n > 1 && r.URL.Path == "/api/chat" {
			dropped.Add(1)
			panic(http.ErrAbortHandler)
		}
		f.ServeHTTP(w, r)
	}))
	srv.Config.ConnContext = func(ctx context.Context, _ net.Conn) context.Context {
		return context.WithValue(ctx, served{}, new(int))
	}
	srv.Start()
	defer srv.Close()
	c := newClient(t, testConfig(srv.URL))
	for range 10 { // the transport does not keep a connection on which a machine that stood still was slow to write
		if _, err := c.Chat(t.Context(), hello, nil); err != nil {
			t.Fatal(err)
		}
		if dropped.Load() > 0 {
			break
		}
	}
	if dropped.Load() != 1 {
		t.Errorf("%d connections were dropped", dropped.Load())
	}
}

// A host that was lost is asked for its health before it is trusted with a conversation again.
func TestLostHostIsProbed(t *testing.T) {
	var dropped atomic.Bool
	f := newFake(t, func(w http.ResponseWriter, r *http.Request) {
		if !dropped.Swap(true) {
			panic(http.ErrAbortHandler)
		}
		lines(text("ok"), doneLine)(w, r)
	})
	c := start(t, f, func(cfg *Config) { cfg.Transport = &http.Transport{DisableKeepAlives: true} })
	_, first := c.Chat(t.Context(), hello, nil)
	_, second := c.Chat(t.Context(), hello, nil)
	if llm.KindOf(first) != llm.Incomplete || second != nil {
		t.Errorf("errors %v, %v", first, second)
	}
	want := []string{"GET /api/version", "POST /api/show", "POST /api/chat", "GET /api/version", "POST /api/chat"}
	if diff := cmp.Diff(want, f.requests()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// A client for another model goes on with the host that was found, and asks nobody anew.
func TestForKeepsTheHost(t *testing.T) {
	first, second := newFake(t, nil), newFake(t, nil)
	cfg := testConfig("dead", "box", "spare")
	cfg.Transport = memory{"box:11434": first, "spare:11434": second}
	c := newClient(t, cfg)
	if _, err := c.Version(t.Context()); err != nil {
		t.Fatal(err)
	}
	asked := len(first.requests())
	if _, err := c.For(" tiny:1b ", 4096).Chat(t.Context(), hello, nil); err != nil {
		t.Fatal(err)
	}
	for _, r := range first.requests()[asked:] {
		if r == "GET /api/version" {
			t.Error("it looked for a host again")
		}
	}
	if len(second.requests()) > 0 {
		t.Errorf("it asked another host: %v", second.requests())
	}
}

// While a host has taken a chat and says nothing, another chat goes to the next host that has the model; where none has it waits
// at the first, and later ones go there as before.
func TestAnotherHostWhileOneSaysNothing(t *testing.T) {
	for has, want := range map[bool]string{true: "second", false: "first"} {
		synctest.Test(t, func(t *testing.T) {
			release := make(chan struct{})
			var asked atomic.Int64
			first := newFake(t, func(w http.ResponseWriter, r *http.Request) {
				if asked.Add(1) == 1 {
					<-release
				}
				lines(text("first"), doneLine)(w, r)
			})
			second := newFake(t, lines(text("second"), doneLine))
			cfg := testConfig("a", "b")
			cfg.Transport = memory{"a:11434": first, "b:11434": second}
			if !has {
				cfg.Transport = memory{"a:11434": first, "b:11434": status(http.StatusNotFound, `{"error":"model not found"}`)}
			}
			c := newClient(t, cfg)
			ended := make(chan struct{})
			go func() { defer close(ended); _, _ = c.Chat(t.Context(), hello, nil) }()
			<-time.After(silentAfter / 2)
			if c.Spare() {
				t.Error("there is a spare host before anything is wrong")
			}
			<-time.After(silentAfter)
			if !c.Spare() {
				t.Error("there is no spare host")
			}
			reply, err := c.Chat(t.Context(), hello, nil)
			if err != nil || reply.Message.Text != want {
				t.Errorf("it was answered with %+v, %v", reply, err)
			}
			close(release)
			<-ended
			if reply, err = c.Chat(t.Context(), hello, nil); err != nil || reply.Message.Text != "first" || c.Spare() {
				t.Errorf("afterwards it is answered with %+v, %v", reply, err)
			}
		})
	}
}
