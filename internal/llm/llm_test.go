package llm_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"hob/internal/llm"
)

// An error is decided about by its kind, and keeps its cause.
func TestError(t *testing.T) {
	err := fmt.Errorf("chat: %w", &llm.Error{Kind: llm.Busy, Message: "busy", Err: io.ErrUnexpectedEOF})
	if !errors.Is(err, llm.Busy) || errors.Is(err, llm.Incomplete) || !errors.Is(err, io.ErrUnexpectedEOF) || llm.KindOf(err) != llm.Busy {
		t.Errorf("%v is of kind %q", err, llm.KindOf(err))
	}
	if llm.KindOf(io.EOF) != llm.Failed {
		t.Error("an error of no kind should count as failed")
	}
}

// A script answers in order, remembers what it was asked, and fails when it has no more to say.
func TestScript(t *testing.T) {
	s := llm.NewScript(llm.Say("one"), llm.Do(llm.CallOf(1, "look", map[string]int{"n": 1})), llm.Fail(llm.Busy, "busy"))
	var streamed string
	ask := func() (*llm.Reply, error) {
		return s.Chat(t.Context(), llm.Request{System: "x"}, func(d llm.Delta) { streamed += d.Text })
	}
	if r, err := ask(); err != nil || r.Message.Text != "one" || streamed != "one" {
		t.Errorf("%+v, %v, streamed %q", r, err, streamed)
	}
	if r, err := ask(); err != nil || len(r.Message.Calls) != 1 || string(r.Message.Calls[0].Args) != `{"n":1}` {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := ask(); !errors.Is(err, llm.Busy) {
		t.Error(err)
	}
	if _, err := ask(); !errors.Is(err, llm.Failed) {
		t.Error("a script that was asked too often should fail:", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Chat(ctx, llm.Request{}, nil); !errors.Is(err, llm.Cancelled) || len(s.Requests()) != 4 {
		t.Errorf("%v after %d requests", err, len(s.Requests()))
	}
}
