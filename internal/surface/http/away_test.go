package http_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/queue"
	"hob/internal/session"
	"hob/internal/store/storetest"
	"hob/internal/surface/cli"
)

// A request whose model is away is answered with the id of its input, again and again, and with the
// reply when it has come.
func TestChatWhileTheModelIsAway(t *testing.T) {
	back := make(chan struct{})
	away := true
	model := chatFunc(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
		if away {
			return nil, &llm.Error{Kind: llm.Unreachable, Message: "nothing answers"}
		}
		return llm.Say("It is written.")(ctx, req, onDelta)
	})
	h := open(t, storetest.NewMemory(time.Now), queue.New(model), func(cfg *session.Config) {
		cfg.Server = session.Server{
			Answered: func(context.Context) bool { return true },
			Patience: func(*llm.Error, bool) time.Duration { return 48 * time.Hour },
			Back: func(ctx context.Context) error {
				select {
				case <-back:
					return nil
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			},
		}
	})
	body := `{"session_id":"a","request_id":"1","messages":[{"role":"user","content":"hello"}]}`
	for range 3 {
		status, text := h.post(t, t.Context(), body)
		var got struct {
			Input string `json:"input_id"`
			Turn  int64  `json:"turn"`
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil || status != 503 || got.Input != "api/1" || got.Turn == 0 {
			t.Fatal(status, text, err)
		}
	}
	if status, text := h.post(t, t.Context(), strings.Replace(body, `"1"`, `"2"`, 1)); status != 503 || !strings.Contains(text, `"input_id":"api/2"`) {
		t.Fatal(status, text)
	}
	away = false
	close(back)
	for e, err := range h.Follow(t.Context(), "a", 0) {
		if _, over := e.Body.(event.Ended); over || err != nil {
			break
		}
	}
	for _, id := range []string{`"1"`, `"2"`} { // the second has joined the first
		status, text := h.post(t, t.Context(), strings.Replace(body, `"1"`, id, 1))
		if status != 200 || !strings.Contains(text, "It is written.") {
			t.Error(status, text)
		}
	}
}

// chatFunc is a model that is a function.
type chatFunc func(context.Context, llm.Request, func(llm.Delta)) (*llm.Reply, error)

// Chat implements [llm.Model].
func (a chatFunc) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	return a(ctx, req, onDelta)
}

// A wait is told as it goes, without a number, and is nothing that happened.
func TestAWaitIsALineWithoutANumber(t *testing.T) {
	line, err := cli.JSONLine(event.Event{
		Time: time.Unix(1, 0).UTC(), Chat: "a", Turn: 3, Body: event.Waiting{Ahead: 2, Seconds: 5, Text: "waiting: 2 before you, about 5 s"},
	})
	want := `{"type":"waiting","time":"1970-01-01T00:00:01Z","chat":"a","ahead":2,"seconds":5,"text":"waiting: 2 before you, about 5 s"}`
	if err != nil || string(line) != want {
		t.Errorf("%s, %v", line, err)
	}
}
