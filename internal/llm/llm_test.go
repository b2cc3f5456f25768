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

// Of a server that stays silent an error says so in the way of the standard library: tools that have a model write something
// know no kinds.
func TestTimeout(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{&llm.Error{Kind: llm.Silent, Message: "nothing came"}, true},
		{&llm.Error{Kind: llm.Cancelled, Message: "no time is left", Err: context.DeadlineExceeded}, true},
		{&llm.Error{Kind: llm.Cancelled, Message: "stopped", Err: context.Canceled}, false},
		{&llm.Error{Kind: llm.Unreachable, Message: "nobody is there", Err: io.EOF}, false},
		{&llm.Error{Kind: llm.Busy, Message: "busy"}, false},
	} {
		var late interface{ Timeout() bool }
		if got := errors.As(fmt.Errorf("chat: %w", c.err), &late) && late.Timeout(); got != c.want {
			t.Errorf("%v is a timeout: %v", c.err, got)
		}
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
