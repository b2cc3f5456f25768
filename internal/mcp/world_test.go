package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"hob/internal/mcp"
	"hob/internal/sandbox"
	"hob/internal/skills"
	"hob/internal/tools"
)

// host starts servers of the SDK within the test's process.
type host struct {
	make   func() *sdk.Server
	refuse func(n int) error // why the start of that number fails; may be nil

	mu     sync.Mutex
	starts int
	now    *mcp.Process
}

func (h *host) start(_ context.Context, _ mcp.Command) (*mcp.Process, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.starts++
	if h.refuse != nil {
		if err := h.refuse(h.starts); err != nil {
			return nil, err
		}
	}
	inRead, in := io.Pipe()
	out, outWrite := io.Pipe()
	done := make(chan struct{})
	session, err := h.make().Connect(context.Background(), &sdk.IOTransport{Reader: inRead, Writer: outWrite}, nil)
	if err != nil {
		return nil, err
	}
	stop := sync.OnceFunc(func() {
		in.Close()
		out.Close()
		inRead.Close()
		outWrite.Close()
		_ = session.Wait()
	})
	go func() {
		_ = session.Wait()
		outWrite.Close()
		close(done)
	}()
	h.now = &mcp.Process{In: in, Out: out, Done: done, Stop: func() { stop(); <-done }, Tail: func() string { return "tail" }}
	return h.now, nil
}

// kill ends the server that runs, as a crash does.
func (h *host) kill() {
	h.mu.Lock()
	p := h.now
	h.mu.Unlock()
	p.Stop()
}

func (h *host) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.starts
}

// serving is a host of a server with the child's tools.
func serving(more ...func(*sdk.Server)) *host {
	return &host{make: func() *sdk.Server {
		server := sdk.NewServer(&sdk.Implementation{Name: "inner", Version: "1"}, nil)
		addChild(server)
		for _, f := range more {
			f(server)
		}
		return server
	}}
}

// client is a client of a server that h starts.
func client(t testing.TB, start mcp.Start, change func(*mcp.Config)) *mcp.Client {
	t.Helper()
	cfg := mcp.Config{Start: start, Server: mcp.Server{Name: "box", Command: mcp.Command{Args: []string{"box"}}}}
	cfg.Times.Start, cfg.Times.Call = 5*time.Minute, 5*time.Minute // a busy machine takes its time, and one may stand still
	if change != nil {
		change(&cfg)
	}
	c, err := mcp.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// begin opens the skill.
func begin(t testing.TB, c *mcp.Client) skills.Skill {
	t.Helper()
	s, err := c.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func named(t testing.TB, s skills.Skill, name string) tools.Tool {
	t.Helper()
	for _, tool := range s.Tools {
		if tool.Name() == name {
			return tool
		}
	}
	t.Fatalf("there is no %s among %v", name, names(s))
	return nil
}

func names(s skills.Skill) []string {
	all := []string{}
	for _, tool := range s.Tools {
		all = append(all, tool.Name())
	}
	return all
}

// call calls a tool of a skill as the runtime does.
func call(t testing.TB, s skills.Skill, name, args string) (tools.Result, *tools.Error) {
	t.Helper()
	return callIn(t.Context(), t, s, name, args)
}

func callIn(ctx context.Context, t testing.TB, s skills.Skill, name, args string) (tools.Result, *tools.Error) {
	t.Helper()
	res, err := tools.Call(ctx, named(t, s, name), json.RawMessage(args))
	refusal := (*tools.Error)(nil)
	if err != nil && !errors.As(err, &refusal) {
		t.Fatalf("not a *tools.Error: %v", err)
	}
	return res, refusal
}

// shelf is a memory.
type shelf struct {
	mu  sync.Mutex
	all map[string][]byte
}

func (s *shelf) Get(_ context.Context, server string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[server], nil
}

func (s *shelf) Set(_ context.Context, server string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[string][]byte{}
	}
	s.all[server] = data
	return nil
}

// myself is the test's program as a server of that kind, in a folder of its own.
func myself(t testing.TB, kind string) mcp.Command {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	return mcp.Command{Args: []string{exe}, Dir: dir, Env: mcp.Environ(os.Environ(), dir, []string{childVariable + "=" + kind})}
}

// ways are the ways in which children are started: without walls, and within the strongest that there are.
func ways(t *testing.T, f func(t *testing.T, start mcp.Start)) {
	t.Run("plain", func(t *testing.T) { f(t, mcp.WithoutSandbox(sandbox.Limits{})) })
	t.Run("walled", func(t *testing.T) {
		box := sandbox.New(sandbox.Config{Scratch: t.TempDir()})
		if box.Tier(t.Context()) == sandbox.T4 {
			t.Skip("this machine gives no sandbox")
		}
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		f(t, mcp.InSandbox(box, sandbox.Rules{Read: []string{filepath.Dir(exe)}}))
	})
}
