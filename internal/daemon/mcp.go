package daemon

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"sync"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/surface/mcp"
	"hob/internal/tools"
)

// ServeMCP offers hob's tools to another agent, until that disconnects or ctx ends. Its calls
// belong to a chat.
func ServeMCP(ctx context.Context, l *app.Loader, chat event.Chat, in io.Reader, out io.Writer) error {
	s, err := l.Load()
	if err != nil {
		return err
	}
	caller, err := s.OpenToolCaller(ctx)
	if err != nil {
		return err
	}
	a := &agent{tools: caller, caller: tools.Caller{Chat: chat, User: "mcp", Principal: app.LocalOwner()}}
	a.caller.Unattended = true
	a.caller.Label = event.Label{Untrusted: true, Source: "another agent"}
	err = mcp.Serve(ctx, mcp.Config{
		Tools:   func(ctx context.Context) ([]tools.Tool, error) { return caller.ListTools(ctx, a.principal()) },
		Call:    a.call,
		Release: l.Version, In: io.NopCloser(in), Out: noClose{out},
	})
	return cmp.Or(err, caller.Close())
}

// agent is another agent. Its calls may contain anything that it has read here, so its label grows.
type agent struct {
	tools *app.ToolCaller

	mu     sync.Mutex
	caller tools.Caller
}

// principal returns the agent as a caller with its current label.
func (a *agent) principal() tools.Caller {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.caller
}

// call makes a call of the agent.
func (a *agent) call(ctx context.Context, name string, args json.RawMessage) (tools.Result, error) {
	done, err := a.tools.Call(ctx, app.Invocation{Tool: name, Args: args, Caller: a.principal()})
	if err != nil {
		return tools.Result{}, err
	}
	a.mu.Lock()
	a.caller.Label = a.caller.Label.Join(done.Result.Label)
	a.mu.Unlock()
	if done.Refusal != nil {
		return done.Result, done.Refusal
	}
	if done.Note != "" {
		done.Result.Text += "\n[" + done.Note + "]"
	}
	return done.Result, nil
}

// noClose is a stream that its user must not close.
type noClose struct{ io.Writer }

// Close implements [io.Closer].
func (noClose) Close() error { return nil }
