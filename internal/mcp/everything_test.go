package mcp_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/mcp"
	"hob/internal/sandbox"
)

// The reference server of the protocol's authors, which has something of everything, within walls and without.
func TestEverything(t *testing.T) {
	script := os.Getenv("HOB_TEST_MCP_EVERYTHING")
	if script == "" {
		t.Skip("set HOB_TEST_MCP_EVERYTHING to dist/index.js of npm's @modelcontextprotocol/server-everything to run this")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	modules := filepath.Clean(strings.SplitAfter(script, "/node_modules/")[0])
	box := sandbox.New(sandbox.Config{Scratch: t.TempDir()})
	for name, start := range map[string]mcp.Start{
		"plain":  mcp.WithoutSandbox(sandbox.Limits{}),
		"walled": mcp.InSandbox(box, sandbox.Rules{Read: []string{modules}}),
	} {
		t.Run(name, func(t *testing.T) {
			if name == "walled" && box.Tier(t.Context()) == sandbox.T4 {
				t.Skip("this machine gives no sandbox")
			}
			dir := t.TempDir()
			c := client(t, start, func(cfg *mcp.Config) {
				cfg.Command = mcp.Command{Args: []string{node, script, "stdio"}, Dir: dir, Env: mcp.Environ(os.Environ(), dir, nil)}
				cfg.Name, cfg.Rights.Trusted = "everything", true
			})
			s := begin(t, c)
			t.Logf("%d tools: %v", len(s.Tools), names(s))
			for _, tool := range s.Tools {
				if strings.Contains(tool.Description(), "takes any arguments") {
					t.Errorf("%s: %s", tool.Name(), tool.Description())
				}
			}
			for _, one := range []struct{ tool, args, want string }{
				{"everything_echo", `{"message":"grüß dich"}`, "Echo: grüß dich"},
				{"everything_get_sum", `{"a":2,"b":40}`, "The sum of 2 and 40 is 42."},
				{"everything_get_tiny_image", `{}`, "[a picture, image/png, "},
			} {
				res, bad := call(t, s, one.tool, one.args)
				if bad != nil || !strings.Contains(res.Text, one.want) {
					t.Errorf("%s: %v %q", one.tool, bad, res.Text)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			_, bad := callIn(ctx, t, s, "everything_trigger_long_running_operation", `{"duration":30,"steps":3}`)
			if bad == nil || bad.Code != event.CodeTimeout {
				t.Errorf("%+v", bad)
			}
			if res, bad := call(t, s, "everything_echo", `{"message":"still there"}`); bad != nil || res.Text != "Echo: still there" {
				t.Error(bad, res.Text)
			}
			if c.Status().Starts != 1 {
				t.Errorf("%+v", c.Status())
			}
		})
	}
}
