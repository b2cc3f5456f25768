package fetch_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"hob/internal/egress"
	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
)

// fetchWorld is a web of one server. Its pages are handlers by path; "page.lan", "other.lan" and the address itself
// lead to it by the owner's exception, all other names that resolve lead to it without one.
type fetchWorld struct {
	t     *testing.T
	srv   *httptest.Server
	port  string
	pages *fetch.FetchTool
	tool  tools.Tool
	mu    sync.Mutex
	asked []string // the requests, as they came
}

func newFetchWorld(t *testing.T, pages map[string]http.HandlerFunc, adjust ...func(*fetch.Config)) *fetchWorld {
	t.Helper()
	w := &fetchWorld{t: t}
	w.srv = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		raw, err := httputil.DumpRequest(r, true)
		if err != nil {
			t.Error(err)
		}
		w.mu.Lock()
		w.asked = append(w.asked, string(raw))
		w.mu.Unlock()
		page, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(rw, r)
			return
		}
		page(rw, r)
	}))
	t.Cleanup(w.srv.Close)
	_, port, err := net.SplitHostPort(w.srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	w.port = port
	dialer, err := egress.New(egress.Config{
		Allow:    []string{"127.0.0.1:" + port, "page.lan:" + port, "other.lan:" + port, "dead.lan:9"},
		Setting:  "[fetch] allow",
		Resolver: fetchNames{},
	})
	if err != nil {
		t.Fatal(err)
	}
	cfg := fetch.Config{Dialer: dialer, Timeout: time.Hour} // a machine may stand still for a while
	for _, f := range adjust {
		f(&cfg)
	}
	w.pages = fetch.New(cfg)
	w.tool = w.pages.Tools()[0]
	return w
}

// fetchNames resolves every name to loopback, but those that say what they are.
type fetchNames struct{}

func (fetchNames) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	switch {
	case strings.HasPrefix(host, "absent."):
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	case strings.HasPrefix(host, "broken."):
		return nil, &net.DNSError{Err: "server misbehaving", Server: "192.168.1.1:53", Name: host, IsTemporary: true}
	case strings.HasPrefix(host, "metadata."):
		return []netip.Addr{netip.MustParseAddr("169.254.169.254")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

// at is the address of a page.
func (w *fetchWorld) at(path string) string { return "http://page.lan:" + w.port + path }

// requests returns what the server was asked since the last time.
func (w *fetchWorld) requests() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	asked := w.asked
	w.asked = nil
	return asked
}

func (w *fetchWorld) call(args map[string]any) (tools.Result, error) {
	w.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		w.t.Fatal(err)
	}
	return tools.Call(w.t.Context(), w.tool, raw)
}

// page fetches and returns what the model is told, decoded.
func (w *fetchWorld) page(args map[string]any) fetch.Page {
	w.t.Helper()
	res, err := w.call(args)
	if err != nil {
		w.t.Fatalf("fetch %v: %v", args, err)
	}
	var p fetch.Page
	if err := json.Unmarshal([]byte(res.Text), &p); err != nil {
		w.t.Fatalf("fetch %v: its text is no JSON: %v", args, err)
	}
	if res.Data != p {
		w.t.Errorf("fetch %v: data %v and text %v differ", args, res.Data, p)
	}
	return p
}

// fails fetches and returns the error, without its suggestion's words.
func (w *fetchWorld) fails(args map[string]any) (tools.Result, event.Error) {
	w.t.Helper()
	res, err := w.call(args)
	var e *tools.Error
	if !errors.As(err, &e) {
		w.t.Fatalf("fetch %v: want an error, got %v, %v", args, res.Text, err)
	}
	return res, *e
}

// fetchSends serves body with a content type.
func fetchSends(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = []string{contentType}
		if contentType == "" {
			w.Header()["Content-Type"] = nil
		}
		io.WriteString(w, body)
	}
}

func fetchRedirects(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusFound)
	}
}
