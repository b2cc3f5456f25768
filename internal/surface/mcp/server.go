// Package mcp offers hob's tools to other agents over the Model Context Protocol, with the official SDK, on standard input and
// output. An agent that starts `hob mcp` may call what its user may call, through the same policy.
//
// The package judges nothing. Its caller provides two functions: one lists the tools, one makes a call. The package translates
// between them and the protocol. The failure of a tool is a result with IsError, so that a model can read it; only a fault of
// the protocol is an error of the protocol. The output gets nothing but messages.
package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hob/internal/event"
	"hob/internal/retry"
	"hob/internal/tools"
)

const (
	maxCalls   = 8       // at once
	maxWaiting = 100     // further ones; beyond that they are refused
	maxMessage = 8 << 20 // bytes of one message
	lingerTime = 2 * time.Second
)

// Config is what a server is made of.
type Config struct {
	// Tools are those that are offered to whoever asks, as they are now.
	Tools func(ctx context.Context) ([]tools.Tool, error)
	// Call makes a call: it validates, judges, runs and records it. An error that is no [*tools.Error] is hob's own, and says
	// nothing about the call. It is called by several goroutines at once.
	Call func(ctx context.Context, name string, args json.RawMessage) (tools.Result, error)

	Release string // hob's own
	In      io.ReadCloser
	Out     io.WriteCloser
}

// outcome is the data of an answer: what `hob tool NAME --json` prints, without what the answer itself says.
type outcome struct {
	Text    string         `json:"text"`
	Data    any            `json:"data"`
	Effects []event.Effect `json:"effects"`
	Label   event.Label    `json:"label,omitzero"` // where the text came from
}

// Serve answers until In ends, which is no error, or ctx does. Calls that are under way then may end within a moment, and are
// cancelled and waited for after it. It closes In and Out.
func Serve(ctx context.Context, cfg Config) error {
	over, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s := &server{
		Config: cfg, slots: make(chan struct{}, maxCalls), have: map[string][]byte{},
		// It logs nothing, and says that its list changes: what is offered depends on what the owner switches off meanwhile.
		inner: mcp.NewServer(&mcp.Implementation{Name: "hob", Version: cfg.Release}, &mcp.ServerOptions{
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
		}),
	}
	s.handle = func(call context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return s.call(call, over, r)
	}
	s.inner.AddReceivingMiddleware(s.refreshTools)
	if err := s.sync(ctx); err != nil {
		return fmt.Errorf("list the tools: %w", err)
	}
	session, err := s.inner.Connect(over, &lingeringTransport{
		next: &mcp.IOTransport{Reader: cfg.In, Writer: cfg.Out, MaxLineLength: maxMessage}, ended: stop,
	}, nil)
	if err != nil {
		return fmt.Errorf("serve tools: %w", err)
	}
	done := make(chan error, 1)
	go func() { done <- session.Wait() }()
	<-over.Done()
	closed := make(chan struct{})
	go func() { defer close(closed); _ = session.Close() }() // what it says comes out of done
	if !retry.Within(done, lingerTime) {
		cfg.Out.Close() // nobody reads the answers
		<-done          //nolint:errcheck // over says why
	}
	<-closed
	switch why := context.Cause(over); {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(why, io.EOF) || errors.Is(why, io.ErrClosedPipe):
		return nil
	default:
		return fmt.Errorf("read a message of the Model Context Protocol: %w", why)
	}
}

// server is the state of one [Serve].
type server struct {
	Config
	inner   *mcp.Server
	handle  mcp.ToolHandler
	slots   chan struct{}
	waiting atomic.Int32

	mu   sync.Mutex
	have map[string][]byte // the definitions that the SDK has, by name
}

// refreshTools is a middleware that updates the tools of the SDK before each request about them.
func (s *server) refreshTools(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		if method == "tools/list" || method == "tools/call" {
			if err := s.sync(ctx); err != nil {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
			}
		}
		return next(ctx, method, r)
	}
}

// sync adds new and changed tools to the SDK, and removes the others.
func (s *server) sync(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, err := s.Tools(ctx)
	if err != nil {
		return err
	}
	gone := maps.Clone(s.have)
	for _, t := range all {
		def := definition(t)
		raw, err := json.Marshal(def)
		if err != nil {
			return err
		}
		delete(gone, def.Name)
		if bytes.Equal(s.have[def.Name], raw) {
			continue
		}
		s.have[def.Name] = raw
		s.inner.AddTool(def, s.handle)
	}
	for name := range gone {
		delete(s.have, name)
		s.inner.RemoveTools(name)
	}
	return nil
}

// definition returns a tool for other agents, with the parameters that hob's own models do not see.
func definition(t tools.Tool) *mcp.Tool {
	d := tools.Schema([]tools.Tool{t})[0]
	schema := d.Parameters
	if len(d.Accepts) > 0 {
		schema = d.Accepts
	}
	caps := tools.DefOf(t).Capabilities
	destroys, open := caps.Has(tools.Destroys), caps&(tools.Sends|tools.Untrusted) != 0
	return &mcp.Tool{
		Name: d.Name, Description: d.Description, InputSchema: schema,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: caps.Repeatable(), DestructiveHint: &destroys, OpenWorldHint: &open},
	}
}

// call answers one call, which ends with over too. Only so many run at once, and only so many wait.
func (s *server) call(ctx, over context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(over, func() { cancel(context.Cause(over)) })()
	defer s.waiting.Add(-1)
	if s.waiting.Add(1) > maxCalls+maxWaiting {
		return failureResult(tools.RateLimited("%d calls wait already", maxWaiting).
			Suggest("wait for the answers to some of them")), nil
	}
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-s.slots }()
	args := r.Params.Arguments
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	res, err := s.Call(ctx, r.Params.Name, args)
	if err == nil {
		return toolResult(res), nil
	}
	if refusal := (*tools.Error)(nil); errors.As(err, &refusal) && refusal != nil {
		return failureResult(refusal), nil
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
}

// toolResult returns the result of a call.
func toolResult(res tools.Result) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: res.Text}},
		StructuredContent: outcome{res.Text, res.Data, append([]event.Effect{}, res.Effects...), res.Label},
	}
}

// failureResult returns a failure for a model, and the same for programs.
func failureResult(e *tools.Error) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: e.Sentence()}},
		StructuredContent: map[string]any{"error": e},
	}
}
