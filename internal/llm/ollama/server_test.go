package ollama

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ollama/ollama/api"
	"go.uber.org/goleak"

	"hob/internal/llm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is an Ollama in a box: strict about what it is asked, and as badly behaved in its answers as a test wants.
type fake struct {
	t    *testing.T
	chat http.HandlerFunc // nil: a short answer

	mu           sync.Mutex
	version      string   // "" is no Ollama
	loaded       []string // what /api/ps shows
	capabilities []string
	renderer     string // as /api/show has them
	template     string
	remote       string
	showStatus   int // not 0: /api/show fails with it and showError
	showError    string
	asked        []string
	bodies       [][]byte // of /api/chat
}

func newFake(t *testing.T, chat http.HandlerFunc) *fake {
	return &fake{t: t, chat: chat, version: "0.24.0", capabilities: []string{"completion", "tools"},
		renderer: "qwen3", template: "{{ range .Messages }}{{ .Content }}{{ end }}"}
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.asked = append(f.asked, r.Method+" "+r.URL.Path)
	f.mu.Unlock()
	switch r.Method + " " + r.URL.Path {
	case "GET /api/version":
		f.answer(w, map[string]string{"version": f.version})
	case "GET /api/ps":
		f.mu.Lock()
		var ps api.ProcessResponse
		for _, name := range f.loaded {
			ps.Models = append(ps.Models, api.ProcessModelResponse{Name: name, Model: name, ContextLength: 4096})
		}
		f.mu.Unlock()
		f.answer(w, ps)
	case "POST /api/show":
		if f.showStatus != 0 {
			http.Error(w, f.showError, f.showStatus)
			return
		}
		f.answer(w, map[string]any{
			"capabilities": f.capabilities, "remote_host": f.remote, "parser": "qwen3", "renderer": f.renderer, "template": f.template,
			"details":    map[string]string{"family": "qwen3", "parameter_size": "4.0B", "quantization_level": "Q4_K_M"},
			"model_info": map[string]any{"general.architecture": "qwen3", "qwen3.context_length": 40960},
		})
	case "POST /api/chat":
		f.serveChat(w, r)
	default:
		http.NotFound(w, r)
	}
}

// serveChat refuses what the real server would: it reads the body into the server's own type.
func (f *fake) serveChat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var req api.ChatRequest
	if err == nil {
		err = json.Unmarshal(body, &req)
	}
	if err != nil || req.Model == "" || r.Header.Get("Content-Type") != "application/json" {
		f.t.Errorf("the server cannot read the request: %v\n%s", err, body)
		http.Error(w, `{"error":"bad request"}`, http.StatusBadRequest)
		return
	}
	f.mu.Lock()
	f.bodies = append(f.bodies, body)
	f.mu.Unlock()
	if f.chat == nil {
		lines(`{"message":{"role":"assistant","content":"ok"},"done":true,"done_reason":"stop"}`)(w, r)
		return
	}
	f.chat(w, r)
}

func (f *fake) answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v) // the client may be gone
}

// requests returns what the fake was asked so far, as "GET /api/version".
func (f *fake) requests() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.asked)
}

func (f *fake) lastBody() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.bodies[len(f.bodies)-1]
}

func (f *fake) setLoaded(models ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.loaded = models
}

// lines answers with lines and then a clean end.
func lines(all ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		for _, l := range all {
			fmt.Fprintln(w, l)
			w.(http.Flusher).Flush()
		}
	}
}

// status answers with a status and a body.
func status(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

// text is a line with content.
func text(s string) string {
	return fmt.Sprintf(`{"model":"tiny:1b","message":{"role":"assistant","content":%q},"done":false}`, s)
}

const doneLine = `{"model":"tiny:1b","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}`

// start serves f over TCP and returns a client of it. Its call IDs are "new-1", "new-2", ...
func start(t *testing.T, f *fake, change ...func(*Config)) *Client {
	t.Helper()
	srv := httptest.NewServer(f)
	t.Cleanup(srv.Close)
	cfg := testConfig(srv.URL)
	cfg.Poll = time.Hour // however long a slow machine takes: what else is asked is told by the tests in bubbles
	for _, c := range change {
		c(&cfg)
	}
	return newClient(t, cfg)
}

// testConfig has the hosts, which are URLs, or names of machines that listen on Ollama's port.
func testConfig(hosts ...string) Config {
	n := 0
	for i, host := range hosts {
		if !strings.Contains(host, "://") {
			hosts[i] = "http://" + host + ":11434"
		}
	}
	return Config{Hosts: hosts, Model: "tiny:1b", Dial: new(net.Dialer).DialContext, NewID: func() string { n++; return fmt.Sprintf("new-%d", n) }}
}

func newClient(t *testing.T, cfg Config) *Client {
	t.Helper()
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// memory is a transport without a network: host names lead to handlers, and an unknown one refuses the connection. It works
// in a synctest bubble, where sockets do not.
type memory map[string]http.Handler

func (m memory) RoundTrip(req *http.Request) (*http.Response, error) {
	h, ok := m[req.URL.Host]
	if !ok {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	}
	in, out := io.Pipe()
	w := &memoryWriter{header: http.Header{}, out: out, sent: make(chan struct{})}
	if req.Body == nil {
		req.Body = http.NoBody
	}
	go func() {
		h.ServeHTTP(w, req)
		w.WriteHeader(http.StatusOK)
		out.Close()
	}()
	go func() {
		<-req.Context().Done()
		in.CloseWithError(req.Context().Err())
	}()
	select {
	case <-w.sent:
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
	return &http.Response{StatusCode: w.code, Header: w.header, Body: in, Request: req}, nil
}

type memoryWriter struct {
	header http.Header
	out    *io.PipeWriter
	once   sync.Once
	code   int
	sent   chan struct{}
}

func (w *memoryWriter) Header() http.Header { return w.header }
func (w *memoryWriter) Flush()              { w.WriteHeader(http.StatusOK) }
func (w *memoryWriter) WriteHeader(code int) {
	w.once.Do(func() {
		w.code = code
		close(w.sent)
	})
}

func (w *memoryWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.out.Write(p)
}

// shown gathers deltas.
type shown struct {
	text, thinking strings.Builder
	statuses       []string
}

func (s *shown) add(d llm.Delta) {
	s.text.WriteString(d.Text)
	s.thinking.WriteString(d.Thinking)
	if d.Status != "" {
		s.statuses = append(s.statuses, d.Status)
	}
}

// hello is the shortest request.
var hello = llm.Request{Messages: []llm.Message{{Role: llm.UserRole, Text: "hello"}}, Options: llm.Options{NumPredict: 100}}
