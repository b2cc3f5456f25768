package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/campaigns"
	"hob/internal/event"
	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/llm/ollamatest"
	"hob/internal/store"
)

// heardChat is a request to chat as a server heard it.
type heardChat struct {
	Messages []struct{ Role, Content string }
	Tools    []struct{ Function struct{ Name string } }
	Options  struct{ Temperature float64 }
}

func (c heardChat) last() string { return c.Messages[len(c.Messages)-1].Content }

// names are the tools that it offers.
func (c heardChat) names() (all []string) {
	for _, tool := range c.Tools {
		all = append(all, tool.Function.Name)
	}
	return all
}

// stage is how a request of a story's turn is told from the others: by what came last.
func (c heardChat) stage() string {
	switch last := c.last(); {
	case c.Messages[len(c.Messages)-1].Role == "tool":
		return "result"
	case strings.HasPrefix(last, "Tell what just happened"):
		return "tell"
	case strings.HasPrefix(last, "[note: "):
		return "again"
	}
	return "words"
}

// listener stands before a server and notes the requests to chat.
type listener struct {
	mu    sync.Mutex
	chats []heardChat
}

func listen(t *testing.T, server string) (*listener, string) {
	t.Helper()
	to, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	l, proxy := &listener{}, &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }, FlushInterval: -1}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/chat" {
			raw, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(raw))
			var c heardChat
			if err := json.Unmarshal(raw, &c); err == nil && len(c.Messages) > 0 {
				l.mu.Lock()
				l.chats = append(l.chats, c)
				l.mu.Unlock()
			}
		}
		proxy.ServeHTTP(w, r)
	}))
	front.Config.SetKeepAlivesEnabled(false) // the proxy breaks a connection off that hob has read all of, and may use again
	t.Cleanup(front.Close)
	return l, front.URL
}

// take returns what was heard since it was asked last.
func (l *listener) take() []heardChat {
	l.mu.Lock()
	defer l.mu.Unlock()
	chats := l.chats
	l.chats = nil
	return chats
}

// A turn on a real server: the call of its model changes the world, and that is in the state, in the turn's receipt, in what is told,
// and in what the server was asked: first for calls, then once for words. A tale of what did not happen is told by nobody.
func TestAStoryOnARealServer(t *testing.T) {
	server := ollamatest.Run(t)
	heard, at := listen(t, server.URL())
	h := newHouse(t, at)
	var offered [][]string
	for model, stages := range map[string][]string{
		ollamatest.GameMaster:    {"words", "tell"},
		ollamatest.FalseNarrator: {"words", "tell", "again"},
	} {
		t.Run(model, func(t *testing.T) {
			out := h.plays("I stroll over to the green, whistling, to see who is about\n", model, "--tale", "cosy", "--model", model)
			if !strings.Contains(out, "\n"+ollamatest.GameMasterNarration+"\n") || strings.Contains(out, "falls dead") {
				t.Errorf("told:\n%s", out)
			}
			chats := heard.take()
			var got []string
			for i, c := range chats {
				got, offered = append(got, c.stage()), append(offered, c.names())
				if telling := i >= 1; (c.Options.Temperature == 0.8) != telling {
					t.Errorf("request %d has a temperature of %v", i, c.Options.Temperature)
				}
			}
			if diff := cmp.Diff(stages, got); diff != "" {
				t.Fatalf("the requests (-want +got):\n%s", diff)
			}
			if ask := chats[1].last(); !strings.Contains(ask, "The Green") {
				t.Errorf("what happened is not in what it was told:\n%s", ask)
			}
			if strings.Contains(fmt.Sprint(chats), "bought its teahouse") { // what Mr. Voss hides
				t.Error("a secret was told to the server")
			}
			h.look(func(db *store.DB) { movedOnce(t, db, model) })
			if receipt := h.lastReply("game/" + event.Chat(model)).Receipt; !strings.Contains(receipt, "14:02") { // two minutes' walk
				t.Errorf("the receipt is %q", receipt)
			}
		})
	}
	if out := h.good("stories   2 turns told: to find out what happens ", "status"); strings.Contains(out, " 0 tokens") || strings.Contains(out, "it 0 and") {
		t.Errorf("stages took nothing:\n%s", out)
	}
	h.good("1 of 1 turn as they should be", "game", "eval", "--model", ollamatest.GameMaster, "--tale", "cosy", "--turns", "1")
	for _, c := range heard.take() {
		offered = append(offered, c.names())
	}
	for i, names := range offered { // in a measured story as in a real one, and in each stage
		if diff := cmp.Diff(offered[0], names); diff != "" || len(names) < 12 {
			t.Errorf("request %d is offered other tools (-first +this):\n%s", i, diff)
		}
	}
}

// movedOnce checks that the hero of a story has moved, in its only turn.
func movedOnce(t *testing.T, db *store.DB, id string) {
	t.Helper()
	book := game.Rules()
	s, err := eventlog.Load(t.Context(), campaigns.New(db).Log(id), game.Options(book, time.Now))
	if err != nil {
		t.Fatal(err)
	}
	if place := s.World().Actor("pc_001").Place; place != "area_green" || s.Turns() != 1 {
		t.Errorf("after %d turns the hero is at %s", s.Turns(), place)
	}
}

// lastReply is the last reply in a chat.
func (h *house) lastReply(chat event.Chat) (reply event.Replied) {
	h.t.Helper()
	h.look(func(db *store.DB) {
		for e, err := range db.Chat(h.t.Context(), chat, 0) {
			if err != nil {
				h.t.Fatal(err)
			}
			if b, ok := e.Body.(event.Replied); ok {
				reply = b
			}
		}
	})
	return reply
}

// plays plays a story with lines from a person, and returns all that they see.
func (h *house) plays(lines string, args ...string) string {
	h.t.Helper()
	cmd := h.command(append([]string{"game", "play"}, args...)...)
	cmd.Stdin = strings.NewReader(lines)
	raw, err := cmd.CombinedOutput()
	if err != nil {
		h.t.Fatalf("hob %q: %v\n%s", cmd.Args, err, raw)
	}
	return string(raw)
}
