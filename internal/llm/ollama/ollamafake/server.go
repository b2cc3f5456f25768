package ollamafake

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Config is the server and its one model. The zero value of every field has a default.
type Config struct {
	Model        string   // "tiny:1b"
	Version      string   // of the server, "0.34.4"
	Context      int      // tokens that the model was trained on; 0 is no limit but the request's num_ctx
	Capabilities []string // completion and tools
	Parameters   string   // "1.0B"

	Family, Parser, Renderer, Template string // as in /api/show; the default is a family "fake" with a template

	// TruncateSilently drops the oldest messages of a prompt that is too long, as Ollama does where truncate is not
	// false, and as its MLX models do even then. Only a smaller prompt_eval_count shows it.
	TruncateSilently bool
	ReportCached     bool // as prompt_eval_cached_count
}

// Server plays one script. It is safe for concurrent use.
type Server struct {
	t   testing.TB
	cfg Config

	mu           sync.Mutex
	steps        []Step
	forever      bool // the last step that was played comes again
	requests     []Request
	prompt       string // of the last chat
	loaded       int    // context of the loaded model; 0: it is not loaded
	calls        int    // numbers of the IDs given to calls
	active, most int    // chats at once, now and at most
	tcp          *httptest.Server

	silences, departures chan struct{}
}

// New returns a server that answers chats with steps, one each. It ends with the test.
func New(t testing.TB, cfg Config, steps ...Step) *Server {
	cfg.Model, cfg.Version = cmp.Or(cfg.Model, "tiny:1b"), cmp.Or(cfg.Version, "0.34.4")
	cfg.Family, cfg.Parameters = cmp.Or(cfg.Family, "fake"), cmp.Or(cfg.Parameters, "1.0B")
	if cfg.Template == "" && cfg.Parser == "" && cfg.Renderer == "" {
		cfg.Template = "{{ range .Messages }}{{ .Content }}{{ end }}"
	}
	if cfg.Capabilities == nil {
		cfg.Capabilities = []string{"completion", "tools"}
	}
	s := &Server{t: t, cfg: cfg, steps: steps, silences: make(chan struct{}, 64), departures: make(chan struct{}, 64)}
	t.Cleanup(s.end)
	return s
}

func (s *Server) end() {
	s.mu.Lock()
	tcp := s.tcp
	s.mu.Unlock()
	if tcp != nil {
		tcp.CloseClientConnections()
		tcp.Close()
	}
	if n := s.StepsLeft(); n > 0 && !s.t.Failed() {
		s.t.Errorf("fake Ollama: %d steps of its script were not asked for", n)
	}
}

// URL is the address of the server, which listens on the loopback interface from the first call on.
func (s *Server) URL() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tcp == nil {
		s.tcp = httptest.NewServer(s)
	}
	return s.tcp.URL
}

// StepsLeft is how many steps have not been asked for. A [Forever] that was asked once is not one of them.
func (s *Server) StepsLeft() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.forever {
		return len(s.steps) - 1
	}
	return len(s.steps)
}

// Requests are the chats that the script answered, and those that were too long for the context.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// AtOnce is how many chats were under way at the same time, at most.
func (s *Server) AtOnce() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

// SilenceBegan has a value for each time that a [Silence] began.
func (s *Server) SilenceBegan() <-chan struct{} { return s.silences }

// ClientLeft has a value for each time that the client of a [Silence] left.
func (s *Server) ClientLeft() <-chan struct{} { return s.departures }

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Connection", "close")
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	switch r.Method + " " + r.URL.Path {
	case "GET /api/version":
		answer(w, http.StatusOK, map[string]string{"version": s.cfg.Version})
	case "GET /api/tags":
		answer(w, http.StatusOK, map[string]any{"models": []any{map[string]any{
			"name": s.cfg.Model, "model": s.cfg.Model, "size": 1 << 30, "digest": strings.Repeat("fa4e", 16), "details": s.details()}}})
	case "GET /api/ps":
		answer(w, http.StatusOK, map[string]any{"models": s.running()})
	case "POST /api/show":
		s.show(w, body)
	case "POST /api/chat":
		s.chat(w, r, body)
	default:
		s.refuse(w, body, "%s %s is nothing that hob asks", r.Method, r.URL.Path)
	}
}

func (s *Server) details() map[string]any {
	return map[string]any{"family": s.cfg.Family, "parameter_size": s.cfg.Parameters, "quantization_level": "Q4_K_M"}
}

func (s *Server) running() []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loaded == 0 {
		return []any{}
	}
	return []any{map[string]any{"name": s.cfg.Model, "model": s.cfg.Model, "context_length": s.loaded}}
}

func (s *Server) show(w http.ResponseWriter, body []byte) {
	var asked struct{ Model, Name string }
	if err := json.Unmarshal(body, &asked); err != nil {
		s.refuse(w, body, "show: %v", err)
		return
	}
	if !s.has(asked.Model + asked.Name) {
		s.answerMissing(w, asked.Model+asked.Name)
		return
	}
	info := map[string]any{"general.architecture": s.cfg.Family}
	if s.cfg.Context > 0 {
		info[s.cfg.Family+".context_length"] = s.cfg.Context
	}
	answer(w, http.StatusOK, map[string]any{
		"capabilities": s.cfg.Capabilities, "parser": s.cfg.Parser, "renderer": s.cfg.Renderer, "template": s.cfg.Template,
		"details": s.details(), "model_info": info,
	})
}

// has reports whether name is the model's: without a tag it is the latest.
func (s *Server) has(name string) bool {
	full := func(name string) string {
		if !strings.Contains(name, ":") {
			name += ":latest"
		}
		return strings.ToLower(name)
	}
	return full(name) == full(s.cfg.Model)
}

func (s *Server) answerMissing(w http.ResponseWriter, model string) {
	answer(w, http.StatusNotFound, map[string]string{"error": fmt.Sprintf("model '%s' not found", model)})
}

// refuse fails the test for a request that hob must not make.
func (s *Server) refuse(w http.ResponseWriter, body []byte, format string, args ...any) {
	const most = 4000
	why := fmt.Sprintf(format, args...)
	shown := body
	if len(shown) > most {
		shown = append(append(bytes.Clone(body[:most/2]), " ... "...), body[len(body)-most/2:]...)
	}
	s.t.Errorf("fake Ollama: %s\n%s", why, shown)
	answer(w, http.StatusBadRequest, map[string]string{"error": "refused by the test: " + why})
}

// answer sends v; the client may be gone.
func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
