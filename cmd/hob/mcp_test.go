package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"hob/internal/exit"
)

// A server of the configuration is a skill: its tools are there once it has said what they are, run within walls and are judged by
// what the owner said of it, not by what it says.
func TestServerByHand(t *testing.T) {
	notShort(t)
	needsWalls(t)
	fake := newFakeOllama(t)
	h := newHouse(t, fake.URL)
	mark := "byhand-" + strconv.Itoa(os.Getpid())
	h.configure(h.echo(mark))
	if out := h.good("", "tool"); strings.Contains(out, "echo_say") {
		t.Errorf("a server that nobody needed was asked for its tools:\n%s", out)
	}
	h.good("echo: hi", "tool", "echo_say", "text=hi")
	h.good("The skill echo is open in main: echo_environment, echo_look, echo_say, echo_wait.", "skill", "open", "echo")
	h.good("echo_say <text:string> ENABLED from mcp:echo\n", "tool")
	out := h.good("TOLD=[secret]", "tool", "echo_environment")
	if strings.Contains(out, theSecret) || strings.Contains(out, "OLLAMA_HOST=") || !strings.Contains(out, otherServer+"=some") {
		t.Errorf("the environment of the server is\n%s", out)
	}
	h.good("The skill other is open", "skill", "open", "other")
	h.bad(exit.Denied, "add --yes if it shall run", "tool", "other_say", "text=hi")
	h.good("echo: hi", "tool", "--yes", "other_say", "text=hi")
	h.bad(exit.Usage, "text: is required", "tool", "echo_say")

	// It sees neither what the owner's files hold nor the workspace, unless it is to.
	h.good("", "tool", "write_file", "path=a.txt", "content=mine")
	for _, path := range []string{h.config, filepath.Join(h.state, "journal.db"), h.path("a.txt")} {
		h.good("no such file or directory", "tool", "echo_look", "text="+path)
	}
	h.configure(h.server("echo", mark, "some", "reads = true\nworkspace = true\n"))
	h.good("mine", "tool", "echo_look", "text="+h.path("a.txt"))
	h.configure(h.server("echo", mark, "some", "reads = true\nsandbox = false\n"))
	h.bad(exit.Denied, "add --yes if it shall run", "tool", "echo_look", "text="+h.config) // what has no walls may send
	h.good("[mcp.echo]", "tool", "--yes", "echo_look", "text="+h.config)
	if out := h.good("echo_say", "audit"); strings.Contains(out, theSecret) || !strings.Contains(out, "echo_say from mcp:echo ") {
		t.Errorf("the audit says\n%s", out)
	}
	if runs(mark) {
		t.Error("a server runs on when the command has ended")
	}
}

// What a server says where it breaks off may be what nobody may know, also where its words count as the owner's own.
func TestAServerThatGossips(t *testing.T) {
	needsWalls(t)
	fake := newFakeOllama(t)
	h := newHouse(t, fake.URL)
	more := fmt.Sprintf("trust = true\nkeywords = [\"neighbour\"]\nenv_files = {TOLD = %q}", h.secret())
	h.configure(h.server("gossip", "gossip", "gossip", more))
	s := h.serve()
	h.bad(exit.Failed, "did not start", "skill", "open", "gossip")
	h.good("", "ask", "what does the neighbour say?")
	out := h.good("[mcp.gossip] does not run: ", "skill", "list") + h.good("", "skill", "list", "--json")
	out += h.good("did not start", "log", "main")
	s.stop()
	out += s.said()
	open, _ := h.ends("skill", "open", "gossip") // and without a daemon
	last, _ := h.ends("tool", "gossip_say", "text=hi")
	if out += open + last; strings.Contains(out, theSecret) || !strings.Contains(out, "my token is [secret]") {
		t.Errorf("what is said of it is\n%s", out)
	}
}

// A server at an address is told what the owner has it told, and nothing is reached but it.
func TestServerAtAnAddress(t *testing.T) {
	var told atomic.Value
	inner := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return newOtherServer() }, nil)
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		told.Store(r.Header.Get("Authorization"))
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(far.Close)
	away := httptest.NewServer(http.RedirectHandler(far.URL, http.StatusTemporaryRedirect))
	t.Cleanup(away.Close)
	h := newHouse(t, nowhereToAsk)
	server := func(name, address string) string {
		return fmt.Sprintf("[mcp.%s]\nurl = %q\nheader_files = {Authorization = %q}\n", name, address, h.secret())
	}
	h.configure(server("away", away.URL) + server("far", far.URL))
	h.bad(exit.Failed, "the MCP server away did not start", "tool", "--yes", "away_say", "text=hi")
	if got := told.Load(); got != nil {
		t.Errorf("another server than that of the configuration was told %v", got)
	}
	h.bad(exit.Denied, "add --yes if it shall run", "tool", "far_say", "text=hi")
	if out := h.good("echo: [secret]", "tool", "--yes", "far_say", "text="+theSecret); told.Load() != theSecret {
		t.Errorf("the server was told %v\n%s", told.Load(), out)
	}
	h.good("mcp far", "privacy")
}

// The model finds a server by the owner's words, calls its tools in every way, and what it says counts as a stranger's.
func TestServe_Servers(t *testing.T) {
	notShort(t)
	needsWalls(t)
	fake := newFakeOllama(t)
	h := newHouse(t, fake.URL)
	mark := "serve-" + strconv.Itoa(os.Getpid())
	h.configure(h.echo(mark) + fmt.Sprintf("\n[fetch]\nallow = [%q]\n", strings.TrimPrefix(fake.URL, "http://")))
	s := h.serve()
	h.good("That is all.", "ask", `call echo_say {"text":"to a parrot"}`)
	h.good("That is all.", "ask", "--chat", "two", `call use_skill {"name":"echo"}`)
	h.good("That is all.", "ask", "--chat", "two", `call call_tool {"name":"echo_say","args":{"text":"relayed"}}`)
	h.wantReturned("main", "echo_say true mcp:echo: echo: to a parrot")
	h.wantReturned("two", "echo_say true mcp:echo: echo: relayed")

	h.bad(exit.Denied, "rule constructed-address", "ask", "--chat", "two", "wander /page?stolen=1") // made up after a stranger's words
	h.wantReturned("two", "fetch false : ")
	h.good("", "ask", "--chat", "two", `call use_skill {"name":"other"}`)
	h.bad(exit.Denied, "rule destroys", "ask", "--chat", "two", `call other_say {"text":"asks"}`)
	h.wantReturned("two", "other_say false : ")

	h.good("That is all.", "ask", "--chat", "secrets", "call echo_environment {} of the parrot")
	if raw, err := os.ReadFile(filepath.Join(h.state, "journal.db")); err != nil || strings.Contains(string(raw), theSecret) {
		t.Errorf("the secret is in the journal, %v", err)
	}
	if all := strings.Join(fake.requests, "\n"); strings.Contains(all, theSecret) || !strings.Contains(all, "TOLD=[secret]") {
		t.Error("the model was told the secret, or nothing of it")
	}

	// One that is killed is started again. It may be told to wait a second: nothing here is too early for that.
	killAll(t, mark)
	h.until("it is there again", func() bool {
		_, _ = h.ends("ask", "--chat", "killed", `call echo_say {"text":"again"} of the parrot`)
		return strings.Contains(strings.Join(h.returned("killed"), "\n"), "echo: again")
	})

	h.configure("[skills]\noff = [\"memory\"]\n")
	s.signal(syscall.SIGHUP)
	s.hear("RELOADING=1")
	s.hear("READY=1")
	if runs(mark) {
		t.Error("a server that was taken out of the configuration runs on")
	}
	if out := h.good("web", "skill", "list"); strings.Contains(out, "echo") {
		t.Errorf("it is still a skill:\n%s", out)
	}
	h.configure(h.echo(mark))
	s.signal(syscall.SIGHUP)
	s.hear("RELOADING=1")
	s.hear("READY=1")
	h.good("That is all.", "ask", "--chat", "back", `call echo_say {"text":"back"} of the parrot`)
	h.wantReturned("back", "echo_say true mcp:echo: echo: back")
	if !runs(mark) {
		t.Error("no server runs: the test shows nothing")
	}
	s.stop()
	if runs(mark) {
		t.Error("a server runs on when hob has ended")
	}
}

// A call that does not come to its end ends with its turn, with its server, and with hob, and no server is left.
func TestServe_ACallThatHangs(t *testing.T) {
	needsWalls(t)
	fake := newFakeOllama(t)
	h := newHouse(t, fake.URL)
	mark := "hangs-" + strconv.Itoa(os.Getpid())
	h.configure(h.echo(mark) + "[serve]\ndrain = \"100ms\"\n")
	s := h.serve()
	waits := filepath.Join(h.state, "mcp", "echo", "waits")
	begin := func(chat string) *exec.Cmd {
		t.Helper()
		_ = os.Remove(waits) // it may not be there
		cmd := h.command("ask", "--chat", chat, "call echo_wait {} of the parrot")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		h.until("the call runs", func() bool { _, err := os.Stat(waits); return err == nil })
		return cmd
	}
	asks := begin("one")
	h.good("Stopped the turn in one.", "stop", "one")
	_ = asks.Wait() // its status says that it was stopped
	h.wantReturned("one", "echo_wait false ")
	asks = begin("two")
	killAll(t, mark)
	_ = asks.Wait() // likewise that it failed
	if all := h.returned("two"); len(all) != 1 || !strings.Contains(all[0], "has ended before it answered") {
		t.Errorf("of a server that was killed it is said\n%s", all)
	}
	h.until("it is there again", func() bool {
		_, _ = h.ends("ask", "--chat", "three", `call echo_say {"text":"again"} of the parrot`)
		return strings.Contains(strings.Join(h.returned("three"), "\n"), "echo: again")
	})
	asks = begin("four")
	s.stop()
	_ = asks.Wait()
	if runs(mark) {
		t.Error("a server runs on when hob has ended")
	}
}

// Another agent sees the tools, calls them through the same policy, and what one call told it counts in the next.
func TestOtherAgentsUseHob(t *testing.T) {
	fake := newFakeOllama(t)
	h := newHouse(t, fake.URL)
	h.configure(fmt.Sprintf("[fetch]\nallow = [%q]\n", strings.TrimPrefix(fake.URL, "http://")))
	client := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil)
	agent, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: h.command("mcp")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := agent.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	offered := map[string]bool{}
	for _, tool := range list.Tools {
		offered[tool.Name] = true
	}
	for name, want := range map[string]bool{
		"write_file": true, "read_file": true, "fetch": true, "recall": true, "send_file": false, "use_skill": false,
	} {
		if offered[name] != want {
			t.Errorf("%s is offered: %t, in %v", name, offered[name], offered)
		}
	}
	call := func(want, name string, args map[string]any) {
		t.Helper()
		res, err := agent.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, c := range res.Content {
			if c, ok := c.(*sdk.TextContent); ok {
				text += c.Text
			}
		}
		if got := fmt.Sprint(!res.IsError, " ", text); !strings.HasPrefix(got, want) {
			t.Errorf("%s %v: %s, want %s", name, args, got, want)
		}
	}
	call("true ", "write_file", map[string]any{"path": "a.txt", "content": "mine"})
	call("false denied by rule constructed-address: ", "fetch", map[string]any{"url": fake.URL + "/page?made=up"})
	call("true FILE a.txt (4 B)\n1 item\n[list_files: dir is called path now; the next release no longer takes dir]", "list_files", map[string]any{"dir": "."})
	call("true mine", "read_file", map[string]any{"path": "a.txt"})
	call("false denied by rule rule-of-two: ", "fetch", map[string]any{"url": fake.URL + "/page?told=mine"})
	call("false ", "delete_file", map[string]any{"path": "../a.txt"})
	call("false ", "read_file", map[string]any{"name": "a.txt"})
	if err := agent.Close(); err != nil {
		t.Error(err)
	}
	want := []string{
		"mcp write_file ok workspace", "mcp fetch denied constructed-address", "mcp list_files ok reads", "mcp read_file ok reads",
		"mcp fetch denied rule-of-two", "mcp delete_file failed workspace", "mcp read_file failed ",
	}
	if diff := cmp.Diff(want, h.audited("mcp")); diff != "" {
		t.Error(diff)
	}
}
