package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"hob/internal/event"
	"hob/internal/store"
)

// otherServer makes the test binary a server of other people's tools, on standard input and output.
const otherServer = "HOB_TEST_MCP"

// manyTools is how many tools more the server has.
func manyTools(text string) int {
	n, _ := strconv.Atoi(text) // none
	return n
}

// beServer is such a server until its input ends.
func beServer() int {
	if os.Getenv(otherServer) == "gossip" {
		fmt.Fprintln(os.Stderr, "my token is", os.Getenv("TOLD"))
		return 1
	}
	if err := newOtherServer().Run(context.Background(), &sdk.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func newOtherServer() *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "other", Version: "1"}, nil)
	add := func(name, schema string, run func(text string) string) {
		server.AddTool(&sdk.Tool{Name: name, Description: "Does " + name + ".", InputSchema: json.RawMessage(schema)},
			func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				var in struct{ Text string }
				_ = json.Unmarshal(r.Params.Arguments, &in) // the schema was kept to
				return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: run(in.Text)}}}, nil
			})
	}
	add("say", `{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`, func(text string) string {
		return "echo: " + text
	})
	for n := range manyTools(os.Getenv(otherServer)) {
		add(fmt.Sprint("part_", n), `{"type":"object","properties":{"text":{"type":"string","description":"what is looked after"}}}`,
			strings.ToUpper)
	}
	add("look", `{"type":"object","properties":{"text":{"type":"string"}}}`, func(path string) string {
		raw, err := os.ReadFile(path)
		return fmt.Sprint(string(raw), err)
	})
	add("wait", `{"type":"object"}`, func(string) string {
		if err := os.WriteFile("waits", nil, 0o600); err != nil {
			return err.Error()
		}
		select {}
	})
	add("environment", `{"type":"object"}`, func(string) string { return strings.Join(os.Environ(), "\n") })
	return server
}

// theSecret is what a server is told and nobody else may know.
const theSecret = "s3cret-of-the-other-server"

// echo is the configuration of a server that reads within walls, and of one of which nothing is said. Their processes have mark
// in their command lines.
func (h *house) echo(mark string) string {
	h.t.Helper()
	more := fmt.Sprintf("reads = true\nkeywords = [\"parrot\"]\nenv_files = {TOLD = %q}", h.secret())
	return h.server("echo", mark, "some", more) + h.server("other", mark, "some", "")
}

// server is the configuration of a server.
func (h *house) server(name, mark, kind, more string) string {
	h.t.Helper()
	self, err := os.Executable()
	if err != nil {
		h.t.Fatal(err)
	}
	return fmt.Sprintf("[mcp.%s]\ncommand = [%q, %q]\nread = [%q]\nenv = {%s = %q}\n%s\n",
		name, self, mark, filepath.Dir(self), otherServer, kind, more)
}

// secret is a file that holds the secret.
func (h *house) secret() string {
	h.t.Helper()
	path := filepath.Join(h.t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(theSecret+"\n"), 0o600); err != nil {
		h.t.Fatal(err)
	}
	return path
}

// ends runs a command to its end and returns what it printed, and its exit status.
func (h *house) ends(args ...string) (out string, status int) {
	h.t.Helper()
	raw, err := h.command(args...).CombinedOutput()
	if ended := (*exec.ExitError)(nil); err != nil {
		if !asExit(err, &ended) {
			h.t.Fatalf("hob %q: %v", args, err)
		}
		status = ended.ExitCode()
	}
	return string(raw), status
}

func asExit(err error, to **exec.ExitError) (ok bool) {
	*to, ok = err.(*exec.ExitError)
	return ok
}

// good runs a command that ends well, and whose output has these words in it.
func (h *house) good(want string, args ...string) string {
	h.t.Helper()
	out, status := h.ends(args...)
	if status != 0 || !strings.Contains(out, want) {
		h.t.Errorf("hob %q ends with %d and without %q:\n%s", args, status, want, out)
	}
	return out
}

// bad runs a command that fails, and says these words.
func (h *house) bad(code int, want string, args ...string) {
	h.t.Helper()
	if out, status := h.ends(args...); status != code || !strings.Contains(out, want) {
		h.t.Errorf("hob %q ends with %d, not %d, or without %q:\n%s", args, status, code, want, out)
	}
}

// killAll kills the processes with mark in their command lines.
func killAll(t *testing.T, mark string) {
	t.Helper()
	killed := 0
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is a good one
	for _, path := range lines {
		line, err := os.ReadFile(path)
		pid, none := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && none == nil && strings.Contains(string(line), mark) && syscall.Kill(pid, syscall.SIGKILL) == nil {
			killed++
		}
	}
	if killed == 0 {
		t.Fatal("no server runs")
	}
}

// returned is what tools returned in a chat: name, success, source of strangers' words, and text.
func (h *house) returned(chat event.Chat) (all []string) {
	h.t.Helper()
	h.look(func(db *store.DB) {
		for e, err := range db.Chat(h.t.Context(), chat, 0) {
			if err != nil {
				h.t.Fatal(err)
			}
			if b, ok := e.Body.(event.Returned); ok {
				all = append(all, fmt.Sprintf("%s %t %s: %s", b.Tool, b.OK, b.Label.Source, b.Text))
			}
		}
	})
	return all
}

func (h *house) wantReturned(chat event.Chat, want string) {
	h.t.Helper()
	all := h.returned(chat)
	if len(all) == 0 || !strings.HasPrefix(all[len(all)-1], want) {
		h.t.Errorf("%s: want %q last of\n%s", chat, want, strings.Join(all, "\n"))
	}
}

// audited are the calls in a chat: who called what, what came of it, and by which rule.
func (h *house) audited(chat string) (rows []string) {
	h.t.Helper()
	h.look(func(db *store.DB) {
		all, err := db.Audits(h.t.Context(), store.AuditFilter{Chat: chat})
		if err != nil {
			h.t.Fatal(err)
		}
		for _, row := range slices.Backward(all) {
			rows = append(rows, fmt.Sprint(row.User, " ", row.Tool, " ", row.Status, " ", row.Rule))
		}
	})
	return rows
}
