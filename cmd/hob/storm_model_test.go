package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// instant is where in a request to the model something is killed.
type instant int

const (
	beforeReply instant = iota // nothing was answered
	inReply                    // some words came
	afterCall                  // a call was answered, which is about to run
	inCommand                  // a command was called, has done its work, and runs on
)

// maxHits is how often a message is hit: after three times hob takes it for the cause.
const maxHits = 2

// stormModel is an Ollama that can be killed. Its model has one effect for each message, by a tool, and then answers with the
// messages that it has heard since its last answer.
type stormModel struct {
	address string
	plain   http.Handler
	walls   bool // commands run without a question

	mu     sync.Mutex
	server *http.Server
	steps  int // requests so far
	trap   *trap
	hits   map[string]int // of messages, by their token
}

// trap catches the next request at a moment that was not hit too often yet.
type trap struct {
	at     instant
	of     *stormModel
	token  string        // whose effect is called for; guarded by of.mu
	caught bool          // guarded by of.mu
	freed  chan struct{} // closed by disarm
}

func newStormModel(t *testing.T) *stormModel {
	t.Helper()
	m := &stormModel{plain: newFakeOllama(t).Config.Handler, address: freeAddress(t), hits: map[string]int{}}
	m.start(t)
	t.Cleanup(m.stop)
	return m
}

// start has the server listen, where it did before.
func (m *stormModel) start(t *testing.T) {
	t.Helper()
	l, err := net.Listen("tcp", m.address)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/api/chat", m.chat)
	mux.Handle("/", m.plain)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.server = &http.Server{Handler: mux}
	go func(s *http.Server) { _ = s.Serve(l) }(m.server)
}

// stop kills the server: nobody listens any more, and all connections are cut.
func (m *stormModel) stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	_ = m.server.Close()
}

// count is how many requests there were.
func (m *stormModel) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.steps
}

func (m *stormModel) arm(at instant) *trap {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.trap = &trap{at: at, of: m, freed: make(chan struct{})}
	return m.trap
}

// disarm lets a request go on, if one was caught.
func (m *stormModel) disarm(w *trap) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.trap = nil
	close(w.freed)
}

func (w *trap) is() bool {
	w.of.mu.Lock()
	defer w.of.mu.Unlock()
	return w.caught
}

// begun is the file that a command makes when it has done its work.
func (w *trap) begun() string {
	w.of.mu.Lock()
	defer w.of.mu.Unlock()
	return begunBy(w.token)
}

// catch counts a request, and returns the trap if it is for this one. Next is the message whose effect is called for, "" where
// all are and an answer comes.
func (m *stormModel) catch(heard []string, next string) *trap {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.steps++
	w := m.trap
	tired := slices.ContainsFunc(heard, func(f string) bool { return m.hits[f] >= maxHits })
	if w == nil || len(heard) == 0 || tired || next == "" && w.at >= afterCall {
		return nil
	}
	for _, f := range heard {
		m.hits[f]++
	}
	m.trap, w.token = nil, next
	return w
}

// spring says that the request is at the moment.
func (w *trap) spring() {
	w.of.mu.Lock()
	defer w.of.mu.Unlock()
	w.caught = true
}

// effectOf is the line that stands for a message where effects stand. It is no token: a receipt may show it.
func effectOf(token string) string { return strings.TrimSuffix(token, ".") }

var effects = regexp.MustCompile(`q\d+-\d+`)

func begunBy(token string) string { return "begun-" + effectOf(token) }

func (m *stormModel) chat(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Messages []struct {
			Role, Content string
			ToolCalls     json.RawMessage `json:"tool_calls"`
		}
		Tools []json.RawMessage
	}
	if json.NewDecoder(r.Body).Decode(&req) != nil {
		return
	}
	if len(req.Tools) == 0 { // it is asked for a summary
		say(w, "They talked.")
		return
	}
	var heard, called []string
	for _, msg := range req.Messages {
		switch msg.Role {
		case "user":
			heard = append(heard, tokens.FindAllString(msg.Content, -1)...)
		case "assistant":
			called = append(called, effects.FindAllString(string(msg.ToolCalls), -1)...)
			if len(msg.ToolCalls) == 0 {
				heard = nil
			}
		}
	}
	next := ""
	for _, f := range heard {
		if !slices.Contains(called, effectOf(f)) {
			next = f
			break
		}
	}
	trap := m.catch(heard, next)
	if trap != nil && trap.at < afterCall {
		if trap.at == inReply {
			line(w, map[string]any{"message": map[string]any{"role": "assistant", "content": "Ye"}})
		}
		trap.spring()
		select {
		case <-trap.freed:
		case <-r.Context().Done():
		}
		panic(http.ErrAbortHandler)
	}
	if next == "" {
		say(w, "Yes: ", strings.Join(heard, " "))
		return
	}
	var chat, number int
	_, _ = fmt.Sscanf(next, "q%d-%d.", &chat, &number)
	file := effectsOf(chat)
	switch command := "echo " + effectOf(next) + " >> " + file; {
	case trap != nil && trap.at == inCommand:
		b := begunBy(next)
		use(w, "run_command", map[string]any{"command": command + "; touch " + b + "; until [ -e " + b + ".go ]; do sleep 0.02; done"})
	case m.walls && number%4 == 3:
		use(w, "run_command", map[string]any{"command": command})
	default:
		use(w, "write_file", map[string]any{"path": file, "content": effectOf(next) + "\n", "mode": "append"})
	}
	if trap != nil {
		trap.spring()
	}
}
