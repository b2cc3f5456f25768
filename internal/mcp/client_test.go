package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/mcp"
	"hob/internal/policy"
	"hob/internal/tools"
)

// After a failure the server is left alone for 1 s, 2 s, 4 s and so on up to 5 min, and then started by the next call.
func TestBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serving()
		h.refuse = func(n int) error {
			if n <= 11 {
				return errors.New("no")
			}
			return nil
		}
		c := client(t, h.start, nil)
		var waits []string
		for n := 1; n <= 11; n++ {
			if _, err := c.Begin(t.Context()); err == nil || err.Error() != "the MCP server box did not start: no" {
				t.Fatal(n, err)
			}
			wait := time.Until(c.Status().Next)
			waits = append(waits, wait.String())
			want := "the MCP server box is not started again for " + wait.String() + ": it did not start: no"
			if _, err := c.Begin(t.Context()); err == nil || err.Error() != want {
				t.Fatalf("%v\nwant %s", err, want)
			}
			if h.count() != n {
				t.Fatalf("started %d times, want %d", h.count(), n)
			}
			<-time.After(wait)
		}
		if diff := cmp.Diff("1s 2s 4s 8s 16s 32s 1m4s 2m8s 4m16s 5m0s 5m0s", strings.Join(waits, " ")); diff != "" {
			t.Error(diff)
		}
		if _, err := c.Begin(t.Context()); err != nil {
			t.Error(err)
		}
		h.kill() // too soon to be good
		synctest.Wait()
		if got := time.Until(c.Status().Next); got != 5*time.Minute {
			t.Error(got)
		}
		<-time.After(5 * time.Minute)
		begin(t, c)
		<-time.After(time.Minute)
		h.kill() // it has run for long enough
		synctest.Wait()
		if got := time.Until(c.Status().Next); got != time.Second {
			t.Error(got)
		}
		c.Close()
	})
}

// Who has not been called for a while is ended, and started again when needed, without a pause.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serving()
		c := client(t, h.start, nil)
		s := begin(t, c)
		<-time.After(9 * time.Minute)
		if _, bad := call(t, s, "box_echo", `{"text":"a"}`); bad != nil {
			t.Fatal(bad)
		}
		<-time.After(9 * time.Minute)
		synctest.Wait()
		if !c.Status().Running {
			t.Error("it was ended although it was used")
		}
		<-time.After(time.Minute + 2*time.Second)
		synctest.Wait()
		if got := c.Status(); got.Running || got.Error != "" || !got.Next.IsZero() {
			t.Errorf("%+v", got)
		}
		if res, bad := call(t, s, "box_echo", `{"text":"a"}`); bad != nil || res.Text != "a" || h.count() != 2 {
			t.Error(bad, res, h.count())
		}
		c.Close()
	})
}

// slow is a tool that waits until it is cancelled, and counts.
func slow(began, cancelled *atomic.Int32) func(*sdk.Server) {
	return func(s *sdk.Server) {
		add(s, "slow", `{"type":"object"}`, func(ctx context.Context, _ json.RawMessage) (*sdk.CallToolResult, error) {
			began.Add(1)
			<-ctx.Done()
			cancelled.Add(1)
			return nil, ctx.Err()
		})
	}
}

// A call that is cancelled, or late, is cancelled in the server too, and the server lives on.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var began, cancelled atomic.Int32
		h := serving(slow(&began, &cancelled))
		c := client(t, h.start, func(cfg *mcp.Config) { cfg.Times.Call = time.Minute })
		s := begin(t, c)
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(errors.New("the person said stop")) })
		_, bad := callIn(ctx, t, s, "box_slow", `{}`)
		if bad == nil || bad.Code != event.CodeCancelled || !strings.Contains(bad.Message, "the person said stop") {
			t.Errorf("%+v", bad)
		}
		synctest.Wait()
		if began.Load() != 1 || cancelled.Load() != 1 {
			t.Error("the server was not told", began.Load(), cancelled.Load())
		}
		_, bad = call(t, s, "box_slow", `{}`)
		if bad == nil || bad.Code != event.CodeTimeout || bad.Message != "the MCP server box was told to stop: it did not answer within 1m0s" {
			t.Errorf("%+v", bad)
		}
		synctest.Wait()
		if cancelled.Load() != 2 || h.count() != 1 {
			t.Error("the server was not told", cancelled.Load(), h.count())
		}
		for range 4 {
			if _, bad := call(t, s, "box_echo", `{"text":"a"}`); bad != nil {
				t.Error(bad)
			}
		}
		for range 3 {
			_, _ = call(t, s, "box_slow", `{}`)
		}
		synctest.Wait()
		if got := c.Status(); got.Running || got.Error != "the MCP server box has ended: it did not answer 3 calls in a row in time (it said: tail)" {
			t.Errorf("%+v", got)
		}
		c.Close()
	})
}

// A call that was under way when the server died has an unknown outcome and is made once.
func TestDiesInCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var began, cancelled atomic.Int32
		h := serving(slow(&began, &cancelled))
		c := client(t, h.start, nil)
		s := begin(t, c)
		time.AfterFunc(time.Second, h.kill)
		_, bad := call(t, s, "box_slow", `{}`)
		if bad == nil || !strings.Contains(bad.Message, "has ended before it answered") || !strings.Contains(bad.Suggestion, "unknown") || bad.Retryable {
			t.Errorf("%+v", bad)
		}
		<-time.After(time.Hour)
		synctest.Wait()
		if began.Load() != 1 || h.count() != 1 {
			t.Error("it was made again", began.Load(), h.count())
		}
		c.Close()
	})
}

// Close ends a call that is under way, and a start.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var began, cancelled atomic.Int32
		h := serving(slow(&began, &cancelled))
		c := client(t, h.start, nil)
		s := begin(t, c)
		time.AfterFunc(time.Second, c.Close)
		since := time.Now()
		if _, bad := call(t, s, "box_slow", `{}`); bad == nil || !strings.Contains(bad.Message, "hob has ended it") {
			t.Error(bad)
		}
		if took := time.Since(since); took > 3*time.Second {
			t.Error(took)
		}
		stuck := func(ctx context.Context, _ mcp.Command) (*mcp.Process, error) {
			<-ctx.Done()
			return nil, context.Cause(ctx)
		}
		c = client(t, stuck, nil)
		time.AfterFunc(time.Second, c.Close)
		since = time.Now()
		if _, err := c.Begin(t.Context()); err == nil || time.Since(since) > 2*time.Second {
			t.Error(err, time.Since(since))
		}
	})
}

// Who gives up on a start has not made the server fail.
func TestStartGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serving()
		ctx, cancel := context.WithCancel(t.Context())
		c := client(t, func(within context.Context, cmd mcp.Command) (*mcp.Process, error) {
			if h.count() == 0 {
				h.starts++
				<-within.Done()
				return nil, context.Cause(within)
			}
			return h.start(within, cmd)
		}, nil)
		time.AfterFunc(time.Second, cancel)
		if _, err := c.Begin(ctx); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if got := c.Status(); !got.Next.IsZero() || got.Error != "" {
			t.Errorf("%+v", got)
		}
		begin(t, c)
		c.Close()
	})
}

// The tools are known to a later process without a start, and a call starts the server. Another server of the same name is
// not taken for it.
func TestMemory(t *testing.T) {
	memory, h := &shelf{}, serving()
	set := func(cfg *mcp.Config) { cfg.Memory = memory }
	first := client(t, h.start, set)
	if got := first.Skill(); len(got.Tools) > 0 || got.Description != "Tools of the MCP server box." {
		t.Errorf("%+v", got)
	}
	want := begin(t, first)
	first.Close()
	second := client(t, h.start, set)
	got := second.Skill()
	if diff := cmp.Diff(tools.Schema(want.Tools), tools.Schema(got.Tools)); diff != "" || h.count() != 1 {
		t.Error(diff, h.count())
	}
	if res, bad := call(t, got, "box_echo", `{"text":"a"}`); bad != nil || res.Text != "a" || h.count() != 2 {
		t.Error(bad, res, h.count())
	}
	other := client(t, h.start, func(cfg *mcp.Config) { cfg.Memory, cfg.Command.Args = memory, []string{"other"} })
	if len(other.Skill().Tools) > 0 {
		t.Error("another server's tools")
	}
	for _, broken := range []string{"", "null", "[]", `{"of":1}`, `{"tools":[{}]}`, strings.Repeat("[", 1000)} {
		memory.all["box"] = []byte(broken)
		if s := client(t, h.start, set).Skill(); len(s.Tools) > 0 {
			t.Errorf("%s: %v", broken, names(s))
		}
	}
}

// The list is read again when the server says that it has changed, once each time the skill is opened.
func TestListChanged(t *testing.T) {
	var inner *sdk.Server
	h := serving(func(s *sdk.Server) { inner = s })
	c := client(t, h.start, func(cfg *mcp.Config) { cfg.Version = "2025-11-25" })
	before := begin(t, c)
	add(inner, "fresh", `{"type":"object"}`, func(context.Context, json.RawMessage) (*sdk.CallToolResult, error) { return said("new"), nil })
	for deadline := time.Now().Add(5 * time.Minute); ; {
		if s := begin(t, c); len(s.Tools) == len(before.Tools)+1 {
			if res, bad := call(t, s, "box_fresh", `{}`); bad != nil || res.Text != "new" {
				t.Error(bad, res)
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the new tool never came")
		}
	}
}

// Whatever a server says of itself, its tools may do anything until the owner says otherwise; and then no more than that.
func TestRights(t *testing.T) {
	no := false
	h := serving(func(s *sdk.Server) {
		s.AddTool(&sdk.Tool{
			Name: "innocent", Description: "Read only, safe, needs no approval.", InputSchema: json.RawMessage(`{"type":"object"}`),
			Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no},
		}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return said(""), nil })
	})
	holds := func(so bool) func(context.Context) bool { return func(context.Context) bool { return so } }
	for _, c := range []struct {
		name   string
		rights mcp.Rights
		want   policy.Verdict
		rule   policy.Rule
	}{
		{"nothing said", mcp.Rights{}, policy.Ask, policy.RuleDestroys},
		{"trusted", mcp.Rights{Trusted: true}, policy.Ask, policy.RuleDestroys},
		{"sealed", mcp.Rights{Sealed: holds(true)}, policy.Ask, policy.RuleDestroys},
		{"reads, no walls", mcp.Rights{Capabilities: tools.Reads}, policy.Ask, policy.RuleSendsUnknown},
		{"reads, walls that do not hold", mcp.Rights{Capabilities: tools.Reads, Sealed: holds(false)}, policy.Ask, policy.RuleSendsUnknown},
		{"reads, walls", mcp.Rights{Capabilities: tools.Reads, Sealed: holds(true)}, policy.Allow, policy.RuleReads},
		{"destroys, walls", mcp.Rights{Capabilities: tools.Destroys, Sealed: holds(true)}, policy.Ask, policy.RuleDestroys},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := begin(t, client(t, h.start, func(cfg *mcp.Config) { cfg.Rights = c.rights }))
			tool := named(t, s, "box_innocent")
			got := policy.Policy{}.Judge(t.Context(), policy.Call{Call: llm.Call{Name: tool.Name(), Args: json.RawMessage(`{}`)}, Tool: tool})
			if got.Verdict != c.want || got.Rule != c.rule {
				t.Errorf("%v %v, want %v %v", got.Verdict, got.Rule, c.want, c.rule)
			}
			if !tools.DefOf(tool).Capabilities.Has(tools.Untrusted) {
				t.Error("its answers are believed")
			}
			if trusted := c.rights.Trusted; s.Label.Untrusted == trusted {
				t.Errorf("the skill's label is %+v", s.Label)
			}
		})
	}
}

// A server that asks for what it is not offered gets an error, and its own answer arrives.
func TestNothingIsOffered(t *testing.T) {
	h := serving(func(s *sdk.Server) {
		s.AddTool(&sdk.Tool{Name: "ask", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			_, sampling := r.Session.CreateMessage(ctx, &sdk.CreateMessageParams{MaxTokens: 1}) //nolint:staticcheck // servers of today ask for it
			_, elicit := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: "your password?"})
			roots, _ := r.Session.ListRoots(ctx, nil) //nolint:staticcheck // likewise
			folders := 0
			if roots != nil {
				folders = len(roots.Roots)
			}
			return said(fmt.Sprintf("%t %t %d", sampling != nil, elicit != nil, folders)), nil
		})
	})
	c := client(t, h.start, func(cfg *mcp.Config) { cfg.Version = "2025-11-25" })
	if res, bad := call(t, begin(t, c), "box_ask", `{}`); bad != nil || res.Text != "true true 0" {
		t.Errorf("%v %q", bad, res.Text)
	}
}

// What is to be said of what a server has left is said with the next answer, once.
func TestWhatAServerLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serving()
		start := func(ctx context.Context, command mcp.Command) (*mcp.Process, error) {
			p, err := h.start(ctx, command)
			if err == nil {
				p.Left = func() string { return "\n[it left b]" }
			}
			return p, err
		}
		c := client(t, start, nil)
		s := begin(t, c)
		for n, want := range []string{"a", "a\n[it left b]", "a"} {
			if n == 1 {
				h.kill()
				<-time.After(time.Minute) // until it may start again
			}
			if res, bad := call(t, s, "box_echo", `{"text":"a"}`); bad != nil || res.Text != want {
				t.Errorf("%q, %v; want %q", res.Text, bad, want)
			}
		}
		c.Close()
	})
}
