package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hob/internal/llm"
)

// fakeOllama answers like an Ollama whose model takes no time. What its model does is decided by the words of the last
// user message: "write FILE TEXT" appends to a file, "run COMMAND" runs one, "start COMMAND"
// does so in the background, "stay COMMAND" also never answers then, "linger COMMAND" runs one and never answers then, "fetch URL" fetches it, "wander PATH" fetches from
// this very server what nobody named, "call TOOL JSON" calls any tool, "insist TEXT" says it, to all that comes after it too, "hang" never answers, "empty" says nothing, anything else is
// answered in words. A result of a tool is always followed by the answer. It also serves a page, at /page.
type fakeOllama struct {
	*httptest.Server
	model string

	isMissing atomic.Bool // the model is not there until it is pulled

	mu       sync.Mutex
	requests []string    // bodies of /api/chat
	first    []time.Time // when they came
	look     func()      // called at each, before it is answered; nil: nothing is
	hanging  chan struct{}
}

func newFakeOllama(t testing.TB) *fakeOllama { return newFakeOllamaWith(t, "fake:1b") }

// newFakeOllamaWith is newFakeOllama with a model of another name.
func newFakeOllamaWith(t testing.TB, model string) *fakeOllama {
	f := &fakeOllama{model: model, hanging: make(chan struct{}, 100)}
	mux := http.NewServeMux()
	answer := func(path string, v any) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(v) })
	}
	entry := map[string]any{"name": f.model, "model": f.model, "size": 1_300_000_000, "context_length": 8192,
		"details": map[string]any{"family": "fake", "parameter_size": "1B", "quantization_level": "Q4_K_M"}}
	answer("/api/version", map[string]any{"version": "0.34.4"})
	answer("/api/tags", map[string]any{"models": []any{entry}})
	answer("/api/ps", map[string]any{"models": []any{entry}})
	mux.HandleFunc("/api/show", f.show)
	mux.HandleFunc("/api/pull", f.pull)
	mux.HandleFunc("/api/chat", f.chat)
	mux.HandleFunc("/v1/chat/completions", f.completions)
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintln(w, "What a stranger wrote.")
	})
	f.Server = httptest.NewServer(mux)
	t.Cleanup(f.Close)
	return f
}

func (f *fakeOllama) show(w http.ResponseWriter, r *http.Request) {
	var req struct{ Model string }
	_ = json.NewDecoder(r.Body).Decode(&req)
	if req.Model != f.model || f.isMissing.Load() {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprintf(w, `{"error":"model '%s' not found"}`, req.Model)
		return
	}
	fmt.Fprint(w, `{"capabilities":["completion","tools"],"model_info":{"general.architecture":"fake","fake.context_length":32768},"details":{"family":"fake"}}`)
}

func (f *fakeOllama) pull(w http.ResponseWriter, r *http.Request) {
	var req struct{ Model string }
	_ = json.NewDecoder(r.Body).Decode(&req)
	if req.Model != f.model {
		fmt.Fprintln(w, `{"error":"pull model manifest: file does not exist"}`)
		return
	}
	for _, done := range []int{0, 500, 1000} {
		fmt.Fprintf(w, `{"status":"pulling 1234","digest":"sha256:1234","total":1000,"completed":%d}`+"\n", done)
	}
	f.isMissing.Store(false)
	fmt.Fprintln(w, `{"status":"success"}`)
}

func (f *fakeOllama) chat(w http.ResponseWriter, r *http.Request) {
	at := time.Now()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	f.mu.Lock()
	f.requests, f.first = append(f.requests, string(body)), append(f.first, at)
	if f.look != nil {
		f.look()
	}
	f.mu.Unlock()
	var req struct {
		Messages []struct{ Role, Content string }
	}
	if err := json.Unmarshal(body, &req); err != nil || len(req.Messages) == 0 {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	last := req.Messages[len(req.Messages)-1]
	for _, m := range req.Messages {
		words, _, _ := strings.Cut(llm.Words(m.Content), "\n")
		if text, ok := strings.CutPrefix(words, "insist "); ok && m.Role == "user" {
			say(w, text)
			return
		}
	}
	stays := slices.ContainsFunc(req.Messages, func(m struct{ Role, Content string }) bool {
		words := llm.Words(m.Content)
		return strings.HasPrefix(words, "stay ") || strings.HasPrefix(words, "linger ")
	})
	if last.Role == "tool" && !stays {
		say(w, "That is all.")
		return
	}
	for i := len(req.Messages) - 1; i > 0 && strings.HasPrefix(last.Content, "[note: "); i-- {
		last = req.Messages[i-1] // what hob itself adds is no one's words
	}
	words, _, _ := strings.Cut(llm.Words(last.Content), "\n")
	verb, rest, _ := strings.Cut(words, " ")
	if last.Role == "tool" {
		verb = "hang"
	}
	switch verb {
	case "write":
		file, text, _ := strings.Cut(rest, " ")
		use(w, "write_file", map[string]any{"path": file, "content": text + "\n", "mode": "append"})
	case "peruse": // "read FILE" is a chore, and needs no model
		use(w, "read_file", map[string]any{"path": rest})
	case "run", "linger":
		use(w, "run_command", map[string]any{"command": rest})
	case "start", "stay":
		use(w, "run_command", map[string]any{"command": rest, "background": true})
	case "fetch":
		use(w, "fetch", map[string]any{"url": rest})
	case "wander":
		use(w, "fetch", map[string]any{"url": f.URL + rest})
	case "call":
		tool, raw, _ := strings.Cut(rest, " ")
		var args map[string]any
		_ = json.NewDecoder(strings.NewReader(raw)).Decode(&args) // what follows is only words; without any the tool says what is missing
		use(w, tool, args)
	case "process":
		use(w, "process", map[string]any{"id": 1})
	case "hang":
		w.(http.Flusher).Flush()
		f.hanging <- struct{}{}
		<-r.Context().Done()
	case "empty":
		say(w, "")
	default:
		say(w, "Good ", "evening.")
	}
}

func say(w io.Writer, parts ...string) {
	for _, p := range parts {
		line(w, map[string]any{"message": map[string]any{"role": "assistant", "content": p}})
	}
	line(w, map[string]any{"message": map[string]any{"role": "assistant", "content": ""}, "done": true, "done_reason": "stop",
		"prompt_eval_count": 700, "eval_count": 5})
}

func use(w io.Writer, tool string, args map[string]any) {
	line(w, map[string]any{"message": map[string]any{"role": "assistant", "content": "", "tool_calls": []any{
		map[string]any{"function": map[string]any{"name": tool, "arguments": args}}}}})
	say(w)
}

func line(w io.Writer, v map[string]any) {
	v["model"], v["created_at"] = "fake:1b", "2026-01-02T15:04:05Z"
	_ = json.NewEncoder(w).Encode(v)
	if fl, ok := w.(http.Flusher); ok {
		fl.Flush()
	}
}

func (f *fakeOllama) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests, f.first = nil, nil
}

// onRequest has a function called at each request to the model, before it is answered.
func (f *fakeOllama) onRequest(look func()) { f.locked(func() { f.look = look }) }

func (f *fakeOllama) locked(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}

// listenAt has a handler answer at an address until the test ends.
func listenAt(t *testing.T, address string, handler http.Handler) {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
}

// completions answers as OpenAI's chat completions do, for another agent than hob: a call of write_file, and after that words.
func (f *fakeOllama) completions(w http.ResponseWriter, r *http.Request) {
	at := time.Now()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	n := 0
	f.locked(func() {
		f.requests, f.first = append(f.requests, string(body)), append(f.first, at)
		n = len(f.requests)
		if f.look != nil {
			f.look()
		}
	})
	message, why := map[string]any{"role": "assistant", "content": "That is all."}, "stop"
	if n == 1 {
		why = "tool_calls"
		message = map[string]any{"role": "assistant", "content": "", "tool_calls": []any{map[string]any{"id": "call_1", "type": "function",
			"function": map[string]any{"name": "write_file", "arguments": `{"path":"figures.txt","content":"1\n"}`}}}}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"id": "1", "object": "chat.completion", "created": 1, "model": f.model,
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": why}},
		"usage":   map[string]any{"prompt_tokens": 700, "completion_tokens": 5, "total_tokens": 705}})
}
