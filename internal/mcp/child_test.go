package mcp_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/mcp"
	"hob/internal/sandbox"
	"hob/internal/tools"
)

// A real program is a skill: with walls and without.
func TestChild(t *testing.T) {
	ways(t, func(t *testing.T, start mcp.Start) {
		c := client(t, start, func(cfg *mcp.Config) { cfg.Command = myself(t, "good") })
		if got := c.Status(); got.Running || got.Starts != 0 {
			t.Errorf("it runs before it is needed: %+v", got)
		}
		s := begin(t, c)
		if diff := cmp.Diff([]string{"box_die", "box_echo", "box_environment", "box_huge", "box_look"}, names(s)); diff != "" {
			t.Error(diff)
		}
		res, bad := call(t, s, "box_echo", `{"text":"grüß dich"}`)
		want := tools.Result{Text: "grüß dich", Label: event.Label{Untrusted: true, Source: "mcp:box"}}
		if diff := cmp.Diff(want, res); diff != "" || bad != nil {
			t.Error(bad, diff)
		}
		if c.Status().Starts != 1 {
			t.Error("it was started twice")
		}
		c.Close()
		if c.Status().Running {
			t.Error("it still runs")
		}
		_, bad = call(t, s, "box_echo", `{"text":""}`)
		if bad == nil || bad.Message != "the MCP server box is not started: hob has ended it" {
			t.Error(bad)
		}
	})
}

// A server has of hob's environment only what it is given.
func TestChildsEnvironment(t *testing.T) {
	t.Setenv("HOB_TEST_SECRET", "hunter2")
	c := client(t, mcp.WithoutSandbox(sandbox.Limits{}), func(cfg *mcp.Config) { cfg.Command = myself(t, "good") })
	res, bad := call(t, begin(t, c), "box_environment", `{}`)
	if bad != nil || strings.Contains(res.Text, "hunter2") || !strings.Contains(res.Text, childVariable+"=good") {
		t.Error(bad, res.Text)
	}
}

// The walls keep a server from files that are not its own.
func TestWallsHold(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("hunter2"), 0o644); err != nil {
		t.Fatal(err)
	}
	ways(t, func(t *testing.T, start mcp.Start) {
		c := client(t, start, func(cfg *mcp.Config) { cfg.Command = myself(t, "good") })
		res, bad := call(t, begin(t, c), "box_look", `{"path":"`+secret+`"}`)
		if walled := strings.HasSuffix(t.Name(), "walled"); walled == (bad == nil) || walled == strings.Contains(res.Text, "hunter2") {
			t.Errorf("%+v, %v", res, bad)
		}
	})
}

// The walls keep a server from leaving a set-uid program.
func TestWallsRefuseSetuid(t *testing.T) {
	ways(t, func(t *testing.T, start mcp.Start) {
		command := myself(t, "setuid")
		c := client(t, start, func(cfg *mcp.Config) { cfg.Command = command })
		begin(t, c)
		info, err := os.Stat(filepath.Join(command.Dir, "b"))
		if walled := strings.HasSuffix(t.Name(), "walled"); err != nil || walled == (info.Mode()&os.ModeSetuid != 0) {
			t.Errorf("%v, %v", info, err)
		}
	})
}

// A server that does not start because the walls do not show its program says what they show.
func TestAProgramThatTheWallsHide(t *testing.T) {
	box := sandbox.New(sandbox.Config{Scratch: t.TempDir()})
	if box.Tier(t.Context()) == sandbox.T4 {
		t.Skip("this machine gives no sandbox")
	}
	c := client(t, mcp.InSandbox(box, sandbox.Rules{}), func(cfg *mcp.Config) { cfg.Command = myself(t, "good") })
	_, err := c.Begin(t.Context())
	if want := "it ended by itself; in its sandbox it sees the programs of the system, its own folder and what read names"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// A server that dies in a call fails the call once, and is there again after a pause.
func TestChildDies(t *testing.T) {
	ways(t, func(t *testing.T, start mcp.Start) {
		c := client(t, start, func(cfg *mcp.Config) { cfg.Command, cfg.Times.Pause = myself(t, "good"), 5*time.Minute })
		s := begin(t, c)
		res, bad := call(t, s, "box_die", `{}`)
		if bad == nil || !res.Label.Untrusted || bad.Message != "the MCP server box has ended before it answered: it ended by itself (it said: I am dying)" ||
			!strings.Contains(bad.Suggestion, "is unknown") {
			t.Errorf("%+v %v", bad, res.Label)
		}
		soon := regexp.MustCompile(`is not started again for (5m0s|4m\d+s): it has ended: it ended by itself`)
		if _, bad := call(t, s, "box_echo", `{"text":"a"}`); bad == nil || !soon.MatchString(bad.Message) {
			t.Error(bad)
		}
		if got := c.Status(); got.Starts != 1 || got.Next.IsZero() {
			t.Errorf("%+v", got)
		}
	})
}

// What a server does wrong ends it, and is said in a sentence.
func TestHostileChildren(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for kind, want := range map[string]string{
		"silent": "the MCP server box did not start: it was not ready within 1s",
		"deaf":   "the MCP server box did not start: it was not ready within ",
		"flood":  "the MCP server box did not start: it sent more than 5000 messages that nobody had asked for",
		"long":   "the MCP server box did not start: it sent a message of more than 8 MiB",
		"crash":  "the MCP server box did not start: ",
	} {
		t.Run(kind, func(t *testing.T) {
			ways(t, func(t *testing.T, start mcp.Start) {
				told := map[string]string{"deaf": " (it said: deaf as a post)", "crash": " (it said: cannot open the database)"}[kind]
				c, err := beginHostile(t, start, kind, told)
				if err == nil || !strings.HasPrefix(err.Error(), strings.TrimSuffix(want, ": ")) {
					t.Errorf("%v", err)
				}
				if shown := " (hob skill list has what it wrote)"; kind == "deaf" && !strings.HasSuffix(err.Error(), shown) {
					t.Errorf("%v, want %q", err, shown)
				}
				if strings.Contains(err.Error(), "said") || strings.Contains(err.Error(), "database") {
					t.Errorf("a stranger's words without a label: %v", err)
				}
				if got := c.Status().Error; !strings.HasPrefix(got, want) || !strings.HasSuffix(got, told) {
					t.Errorf("%q", got)
				}
			})
		})
	}
}

// beginHostile starts a child that does not become ready. One that says something first has the time for that, be it on a
// busy machine or on one that stands still.
func beginHostile(t *testing.T, start mcp.Start, kind, told string) (*mcp.Client, error) {
	t.Helper()
	for limit := 5 * time.Second; ; limit *= 2 {
		c := client(t, start, func(cfg *mcp.Config) {
			cfg.Command = myself(t, kind)
			switch kind {
			case "silent":
				cfg.Times.Start = time.Second
			case "deaf":
				cfg.Times.Start = limit
			}
		})
		_, err := c.Begin(t.Context())
		if kind != "deaf" || strings.HasSuffix(c.Status().Error, told) || limit > 2*time.Minute {
			return c, err
		}
	}
}

// An answer that is too long ends the server, and what came of the call is unknown.
func TestHugeAnswer(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	ways(t, func(t *testing.T, start mcp.Start) {
		c := client(t, start, func(cfg *mcp.Config) { cfg.Command = myself(t, "good") })
		_, bad := call(t, begin(t, c), "box_huge", `{}`)
		if bad == nil || !strings.Contains(bad.Message, "has ended before it answered: it sent a message of more than 8 MiB") {
			t.Error(bad)
		}
	})
}

// What stands on standard output beside the messages is passed over.
func TestChattyChild(t *testing.T) {
	c := client(t, mcp.WithoutSandbox(sandbox.Limits{}), func(cfg *mcp.Config) { cfg.Command = myself(t, "chatty") })
	if res, bad := call(t, begin(t, c), "box_echo", `{"text":"a"}`); bad != nil || res.Text != "a" {
		t.Error(bad, res)
	}
}

// A program that is not there is said so.
func TestNoProgram(t *testing.T) {
	ways(t, func(t *testing.T, start mcp.Start) {
		c := client(t, start, func(cfg *mcp.Config) {
			cfg.Command, cfg.Rights.Trusted = mcp.Command{Args: []string{"/nothing/here"}, Dir: t.TempDir()}, true
		})
		_, err := c.Begin(t.Context())
		if err == nil || !strings.HasPrefix(err.Error(), "the MCP server box did not start: ") || !strings.Contains(err.Error(), "not found") {
			t.Error(err)
		}
	})
}
