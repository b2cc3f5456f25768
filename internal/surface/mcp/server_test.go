package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"hob/internal/event"
	"hob/internal/surface/mcp"
	"hob/internal/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// kit are tools of all kinds.
func kit(t testing.TB) []tools.Tool {
	t.Helper()
	type in struct {
		City string `json:"city" jsonschema:"where"`
		Raw  string `json:"raw,omitempty" jsonschema:"for programs" quiet:"true"`
	}
	return []tools.Tool{
		tools.New(tools.Def{Name: "weather", Description: "Says the weather.", Capabilities: tools.Reads | tools.Untrusted},
			func(_ context.Context, in in) (tools.Result, error) {
				if in.City == "Nowhere" {
					return tools.Result{}, &tools.Error{Type: event.TypeNotFound, Code: "no_city", Message: "there is no such city", Suggestion: "look at a map"}
				}
				return tools.Result{Text: "rain in " + in.City, Data: map[string]int{"mm": 3}, Effects: []event.Effect{{Kind: "fetched", Target: "x"}}}, nil
			}),
		tools.New(tools.Def{Name: "wait", Description: "Waits.", Capabilities: tools.Writes},
			func(ctx context.Context, _ struct{}) (tools.Result, error) {
				<-ctx.Done()
				return tools.Result{}, context.Cause(ctx)
			}),
	}
}

// served is a server that runs, and a client of it.
type served struct {
	session *sdk.ClientSession
	in      io.Closer
	end     context.CancelCauseFunc
	result  chan error
	over    chan struct{} // closed when nothing of the server is left
}

func serve(t testing.TB, change func(*mcp.Config)) *served {
	t.Helper()
	all := kit(t)
	inRead, in := io.Pipe()
	out, outWrite := io.Pipe()
	cfg := mcp.Config{
		In: inRead, Out: outWrite, Release: "test",
		Tools: func(context.Context) ([]tools.Tool, error) { return all, nil },
		Call: func(ctx context.Context, name string, args json.RawMessage) (tools.Result, error) {
			for _, tool := range all {
				if tool.Name() == name {
					return tools.Call(ctx, tool, args)
				}
			}
			return tools.Result{}, tools.NotFound(name, all)
		},
	}
	if change != nil {
		change(&cfg)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	s := &served{in: in, end: cancel, result: make(chan error, 1), over: make(chan struct{})}
	go func() {
		defer close(s.over)
		s.result <- mcp.Serve(ctx, cfg)
	}()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.IOTransport{Reader: out, Writer: in}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.session = session
	t.Cleanup(func() {
		cancel(nil)
		_ = session.Close()
		in.Close()
		<-s.over
	})
	return s
}

func (s *served) call(t testing.TB, name string, args any) *sdk.CallToolResult {
	t.Helper()
	res, err := s.session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func text(res *sdk.CallToolResult) string {
	var all []string
	for _, c := range res.Content {
		if c, ok := c.(*sdk.TextContent); ok {
			all = append(all, c.Text)
		}
	}
	return strings.Join(all, "\n")
}

func wire(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// Others see hob's tools as they are, with what its own models are not told, and what calls did.
func TestServe(t *testing.T) {
	s := serve(t, nil)
	list, err := s.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for _, tool := range list.Tools {
		seen = append(seen, fmt.Sprint(tool.Name, " ", tool.Description, " ", tool.Annotations.ReadOnlyHint, " ", *tool.Annotations.DestructiveHint, " ", *tool.Annotations.OpenWorldHint))
		if schema := wire(t, tool.InputSchema); tool.Name == "weather" && (!strings.Contains(schema, `"raw"`) || !strings.Contains(schema, `"city"`)) {
			t.Error(schema)
		}
	}
	if diff := cmp.Diff([]string{"wait Waits. false false false", "weather Says the weather. true false true"}, seen); diff != "" {
		t.Error(diff)
	}
	res := s.call(t, "weather", map[string]any{"city": "Kiel"})
	want := `{"data":{"mm":3},"effects":[{"kind":"fetched","target":"x"}],"label":{"untrusted":true},"text":"rain in Kiel"}`
	if got := wire(t, res.StructuredContent); text(res) != "rain in Kiel" || res.IsError || got != want {
		t.Error(text(res), got)
	}
	res = s.call(t, "weather", map[string]any{"city": "Nowhere"})
	want = `{"error":{"code":"no_city","message":"there is no such city","retryable":false,"suggestion":"look at a map","type":"not_found"}}`
	if got := wire(t, res.StructuredContent); text(res) != "there is no such city; look at a map" || !res.IsError || got != want {
		t.Error(text(res), got)
	}
	res = s.call(t, "weather", map[string]any{"town": "Kiel"})
	if !res.IsError || !strings.Contains(text(res), "city: is required") {
		t.Error(text(res))
	}
	if _, err := s.session.CallTool(t.Context(), &sdk.CallToolParams{Name: "nothing"}); err == nil {
		t.Error("a tool that is not there was called")
	}
	s.in.Close()
	if err := <-s.result; err != nil {
		t.Error(err)
	}
}

// Hob's own failure is an error of the protocol.
func TestOwnFailure(t *testing.T) {
	s := serve(t, func(cfg *mcp.Config) {
		cfg.Call = func(context.Context, string, json.RawMessage) (tools.Result, error) {
			return tools.Result{}, errors.New("the journal is full")
		}
	})
	_, err := s.session.CallTool(t.Context(), &sdk.CallToolParams{Name: "weather", Arguments: map[string]any{"city": "x"}})
	if err == nil || !strings.Contains(err.Error(), "the journal is full") {
		t.Error(err)
	}
}

// A tool that is switched off meanwhile is gone, and one that comes is there.
func TestToolsChange(t *testing.T) {
	all := kit(t)
	var now atomic.Pointer[[]tools.Tool]
	now.Store(&all)
	s := serve(t, func(cfg *mcp.Config) {
		cfg.Tools = func(context.Context) ([]tools.Tool, error) { return *now.Load(), nil }
	})
	s.call(t, "weather", map[string]any{"city": "x"})
	one := all[1:]
	now.Store(&one)
	if _, err := s.session.CallTool(t.Context(), &sdk.CallToolParams{Name: "weather", Arguments: map[string]any{"city": "x"}}); err == nil {
		t.Error("it was called although it is switched off")
	}
	now.Store(&all)
	s.call(t, "weather", map[string]any{"city": "x"})
}

// At most 8 calls run at once, at most 100 wait, and a cancel reaches them.
func TestManyCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most, ended atomic.Int32
		s := serve(t, func(cfg *mcp.Config) {
			cfg.Call = func(ctx context.Context, _ string, _ json.RawMessage) (tools.Result, error) {
				if n := running.Add(1); n > most.Load() {
					most.Store(n)
				}
				<-ctx.Done()
				running.Add(-1)
				ended.Add(1)
				return tools.Result{}, context.Cause(ctx)
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		var calls sync.WaitGroup
		var refused atomic.Int32
		for range 120 {
			calls.Go(func() {
				res, err := s.session.CallTool(ctx, &sdk.CallToolParams{Name: "wait"})
				if err == nil && res.IsError && strings.Contains(text(res), "100 calls wait already") {
					refused.Add(1)
				}
			})
		}
		synctest.Wait()
		if running.Load() != 8 || refused.Load() != 12 {
			t.Error(running.Load(), refused.Load())
		}
		cancel()
		calls.Wait()
		synctest.Wait()
		if running.Load() != 0 || most.Load() != 8 {
			t.Error(running.Load(), most.Load())
		}
		s.in.Close()
		if err := <-s.result; err != nil {
			t.Error(err)
		}
		_ = s.session.Close()
	})
}

// When whoever asked is gone, and when hob is stopped, calls end and so does Serve.
func TestEnds(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(s *served)
		want string
	}{
		"input": {func(s *served) { s.in.Close() }, ""},
		"stop":  {func(s *served) { s.end(errors.New("stopped")) }, "stopped"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := serve(t, nil)
				done := make(chan struct{})
				go func() {
					defer close(done)
					_, _ = s.session.CallTool(t.Context(), &sdk.CallToolParams{Name: "wait"})
				}()
				<-time.After(time.Second)
				c.end(s)
				since := time.Now()
				err := <-s.result
				if took := time.Since(since); took > 6*time.Second || (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
					t.Error(err, took)
				}
				<-done
				_ = s.session.Close()
			})
		})
	}
}

// A short call that is under way when the input ends is answered: this is how a script asks.
func TestScript(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // else the moment that the call has might pass, on a machine that stands still
		in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"sh","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"weather","arguments":{"city":"Kiel"}}}
`)
		all, out := kit(t), &page{}
		err := mcp.Serve(t.Context(), mcp.Config{
			In: io.NopCloser(in), Out: out,
			Tools: func(context.Context) ([]tools.Tool, error) { return all, nil },
			Call: func(ctx context.Context, _ string, args json.RawMessage) (tools.Result, error) {
				return tools.Call(ctx, all[0], args)
			},
		})
		if err != nil {
			t.Error(err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(lines) != 2 || !strings.Contains(lines[1], "rain in Kiel") {
			t.Errorf("%q", lines)
		}
		for _, line := range lines {
			if !json.Valid([]byte(line)) {
				t.Errorf("no message: %q", line)
			}
		}
	})
}

// page is an output that is read afterwards.
type page struct {
	mu sync.Mutex
	strings.Builder
}

func (p *page) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.Builder.Write(b)
}

func (p *page) Close() error { return nil }
