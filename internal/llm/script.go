package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
)

// Step answers one request of a [Script]. It may call onDelta, block until ctx ends, or fail.
type Step func(ctx context.Context, req Request, onDelta func(Delta)) (*Reply, error)

// Script is a fake model that answers requests with prepared steps, in order. A test that asks more
// often than there are steps gets an error.
type Script struct {
	mu       sync.Mutex
	steps    []Step
	requests []Request
}

// NewScript returns a model that answers with the steps, one a request.
func NewScript(steps ...Step) *Script { return &Script{steps: steps} }

// Say is a step that streams text and ends.
func Say(text string) Step {
	return func(_ context.Context, req Request, onDelta func(Delta)) (*Reply, error) {
		onDelta(Delta{Text: text})
		return &Reply{Message: Message{Role: AssistantRole, Text: text}, Usage: scriptUsage(req, text)}, nil
	}
}

// Do is a step that calls tools.
func Do(calls ...Call) Step {
	return func(_ context.Context, req Request, _ func(Delta)) (*Reply, error) {
		return &Reply{Message: Message{Role: AssistantRole, Calls: calls}, Usage: scriptUsage(req, "")}, nil
	}
}

// Fail is a step that fails.
func Fail(kind Kind, message string) Step {
	return func(context.Context, Request, func(Delta)) (*Reply, error) {
		return nil, &Error{Kind: kind, Message: message}
	}
}

// CallOf returns a call with an ID made of name and n, and with args marshalled.
func CallOf(n int, name string, args any) Call {
	raw, err := json.Marshal(args)
	if err != nil {
		panic(err) // a mistake in the test
	}
	return Call{ID: fmt.Sprintf("%s-%d", name, n), Name: name, Args: raw}
}

// Chat implements [Model].
func (s *Script) Chat(ctx context.Context, req Request, onDelta func(Delta)) (*Reply, error) {
	if err := ctx.Err(); err != nil {
		return nil, &Error{Kind: Cancelled, Message: "the request was cancelled", Err: err}
	}
	s.mu.Lock()
	n := len(s.requests)
	s.requests = append(s.requests, req)
	s.mu.Unlock()
	if n >= len(s.steps) {
		return nil, &Error{Kind: Failed, Message: fmt.Sprintf("the script has %d steps and was asked for step %d", len(s.steps), n+1)}
	}
	return s.steps[n](ctx, req, onDelta)
}

// Requests returns the requests so far.
func (s *Script) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// scriptUsage counts four bytes as a token, so that budgets have something to count.
func scriptUsage(req Request, text string) Usage {
	n := len(req.System)
	for _, m := range req.Messages {
		n += len(m.Text)
		for _, c := range m.Calls {
			n += len(c.Name) + len(c.Args)
		}
	}
	return Usage{PromptTokens: n/4 + 1, EvalTokens: len(text)/4 + 1}
}
