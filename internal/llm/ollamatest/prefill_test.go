package ollamatest_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ollama/ollama/api"

	"hob/internal/llm"
	"hob/internal/llm/ollama"
	"hob/internal/llm/ollamatest"
)

// systemText is as long as hob's own, and like it names nothing that changes.
const systemText = `You are hob, the helpful spirit of this house: a personal agent on your owner's own machine.

Do what is asked with the tools, and do not say that you will. Look before you answer: what is in a file, a folder or a page you know from a tool's result only. Never say that something was done unless a result says so. If a tool fails, read its error, correct the call, or say plainly what went wrong.

Files live in the workspace; paths are relative to it. If no tool is needed, just answer.

The line in square brackets at the end of a message is the time; do not repeat it. Answer in the language of the question, briefly.`

// household is as many tools as hob offers by default.
func household() []llm.ToolDefinition {
	var all []llm.ToolDefinition
	for _, tool := range [][]string{
		{"edit_file", "Changes part of a file of the workspace.", "path", "old", "new"},
		{"fetch_page", "Fetches a page of the web and returns its text.", "address", "from"},
		{"list_files", "Lists the files of a folder of the workspace.", "path", "pattern"},
		{"move_file", "Moves a file of the workspace.", "path", "to"},
		{"read_file", "Reads a file of the workspace, or a part of it.", "path", "offset", "limit"},
		{"recall", "Searches what was said before in this house.", "words", "since"},
		{"run_command", "Runs a command in the workspace and returns what it prints.", "command", "input"},
		{"search_files", "Searches the files of the workspace for a text.", "text", "path"},
		{"write_file", "Writes a file of the workspace.", "path", "content"},
	} {
		var properties []string
		for _, name := range tool[2:] {
			properties = append(properties, fmt.Sprintf(`%q:{"type":"string","description":"the %s"}`, name, name))
		}
		all = append(all, llm.ToolDefinition{Name: tool[0], Description: tool[1], Parameters: json.RawMessage(
			fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%q]}`, strings.Join(properties, ","), tool[2]))})
	}
	return all
}

// chat is a chat such as hob has: what changes stands at the end of the newest message, and stays there.
type chat struct {
	t      *testing.T
	server *ollamatest.Server
	model  *ollama.Client
	render *ollama.Client // whose replies are prompts
	req    llm.Request
	seen   int // prompts so far
	clock  bool
}

func newChat(t *testing.T, server *ollamatest.Server, name string) *chat {
	t.Helper()
	cfg := ollama.Config{Hosts: []string{server.URL()}, Dial: new(net.Dialer).DialContext, Model: name, NumCtx: 4096}
	model, err := ollama.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Transport = renderer{http.DefaultTransport}
	renders, err := ollama.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	before, err := server.Prefills(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return &chat{t: t, server: server, model: model, render: renders, seen: len(before),
		req: llm.Request{System: systemText, Tools: household(), Options: llm.Options{NumPredict: 200}}}
}

// say plays a turn in which somebody says text at a time of the day, and returns what became of each of its prompts.
func (c *chat) say(text, at string) []ollamatest.Prefill {
	c.t.Helper()
	if c.clock { // what hob must not do
		c.req.System = "It is " + at + ".\n" + systemText
	}
	c.req.Messages = append(c.req.Messages, llm.Message{Role: llm.UserRole, Text: text + "\n\n[Friday, 20 November, " + at + "]"})
	prompts := c.seen
	for {
		reply, err := c.model.Chat(c.t.Context(), c.req, nil)
		if err != nil {
			c.t.Fatal(err)
		}
		prompts++
		c.req.Messages = append(c.req.Messages, reply.Message)
		for _, call := range reply.Message.Calls {
			c.req.Messages = append(c.req.Messages, llm.Message{
				Role: llm.ToolRole, CallID: call.ID, ToolName: call.Name, Text: "Buy milk.\nПокорми кота, 猫に餌を.\n"})
		}
		if len(reply.Message.Calls) == 0 {
			break
		}
	}
	all, err := c.server.Prefills(c.t.Context(), prompts)
	if err != nil {
		c.t.Fatal(err)
	}
	turn := all[c.seen:]
	c.seen = len(all)
	return turn
}

// systemFirst is OneTool with a template that prints the system text before the tools, as those of Gemma and LFM2 do. The
// others' templates have the tools first, as Qwen's do.
func systemFirst(t *testing.T, server *ollamatest.Server) string {
	t.Helper()
	const name = "system-first"
	client := server.Client()
	shown, err := client.Show(t.Context(), &api.ShowRequest{Model: ollamatest.OneTool})
	if err != nil {
		t.Fatal(err)
	}
	const system = `{{ if eq .Role "system" }}{{ .Content }}` + "\n"
	if strings.Count(shown.Template, system) != 1 {
		t.Fatalf("another template than expected: %s", shown.Template)
	}
	template := `{{ range .Messages }}` + system + `{{ end }}{{ end }}` + strings.Replace(shown.Template, system, `{{ if eq .Role "system" }}`, 1)
	err = client.Create(t.Context(), &api.CreateRequest{Model: name, From: ollamatest.OneTool, Template: template},
		func(api.ProgressResponse) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// A chat is read once: the next turn, a turn in another minute, and the step after a tool cost what is new in them. With a
// clock in the system text, all that comes after it is read again at every turn.
func TestPromptsAreReadOnce(t *testing.T) {
	server := ollamatest.RunDebugging(t)
	for layout, name := range map[string]string{"tools first": ollamatest.OneTool, "system text first": systemFirst(t, server)} {
		t.Run(layout, func(t *testing.T) {
			c := newChat(t, server, name)
			first := c.say("What do the notes say?", "09:30")
			if len(first) != 2 || first[0].Remaining < 500 {
				t.Fatalf("the first turn has prompts %+v; a call and a result were expected, and a chat that begins anew", first)
			}
			for what, turn := range map[string][]ollamatest.Prefill{
				"the step after a tool":     first[1:],
				"the second turn":           c.say("And what else?", "09:30"),
				"a turn in the next minute": c.say("Is that all? Точно?", "09:31"),
			} {
				for _, p := range turn {
					if 4*p.Remaining >= first[0].Remaining {
						t.Errorf("%s evaluates %d of %d tokens; the first prompt had %d", what, p.Remaining, p.Prompt, first[0].Remaining)
					}
				}
			}
		})
		t.Run(layout+", and a clock in the system text", func(t *testing.T) {
			c := newChat(t, server, name)
			c.clock = true
			c.say("What do the notes say?", "09:30")
			same := c.say("And what else?", "09:30")
			next := c.say("Is that all?", "09:31")
			if 4*same[0].Remaining >= same[0].Prompt {
				t.Errorf("the second turn in one minute evaluates %d of %d tokens", same[0].Remaining, same[0].Prompt)
			}
			system := next[0].Prompt / 10
			if layout == "system text first" {
				system = next[0].Prompt * 9 / 10
			}
			if next[0].Remaining < max(system, 3*same[0].Remaining) {
				t.Errorf("a clock in the system text costs %d of %d tokens only: this test would not notice one", next[0].Remaining, next[0].Prompt)
			}
		})
	}
}

// What may differ from request to request does not make the server load the model anew. What may not, does.
func TestOptionsDoNotReload(t *testing.T) {
	server := ollamatest.RunDebugging(t)
	c := newChat(t, server, ollamatest.Plain)
	c.say("Hello.", "09:30")
	for _, change := range []func(){
		func() { c.req.Options.NumPredict = 77 },
		func() { c.req.Options.Temperature = 0.7 },
		func() { c.req.Options.Think = llm.ThinkHigh },
		func() { c.req.Tools = c.req.Tools[:2] },
		func() {
			c.req.Tools, c.req.Format = nil, json.RawMessage(`{"type":"object","properties":{"answer":{"type":"string"}}}`)
		},
	} {
		change()
		c.say("Hello again.", "09:31")
	}
	if n := server.Loads(); n != 1 {
		t.Errorf("the model was loaded %d times", n)
	}
	c.model = c.model.For(ollamatest.Plain, 2048)
	c.req.Format = nil
	c.say("Hello again.", "09:32")
	if n := server.Loads(); n != 2 {
		t.Errorf("after another num_ctx the model was loaded %d times: this test would not notice it", n)
	}
}

// rendered returns the prompt that the server makes of the request, to the letter, without asking the model.
func (c *chat) rendered() string {
	c.t.Helper()
	reply, err := c.render.Chat(c.t.Context(), c.req, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	return reply.Message.Text
}

// renderer has the server render the prompt of a chat, which is a debugging aid of Ollama's, and makes the prompt the reply.
type renderer struct{ next http.RoundTripper }

func (r renderer) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Path != "/api/chat" {
		return r.next.RoundTrip(req)
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	body = append([]byte(`{"_debug_render_only":true,`), body[1:]...)
	req = req.Clone(req.Context())
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	resp, err := r.next.RoundTrip(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	defer resp.Body.Close()
	var answer api.ChatResponse
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || answer.DebugInfo == nil {
		return nil, fmt.Errorf("the server renders no prompt: %w", err)
	}
	answer.Done, answer.Message.Role, answer.Message.Content = true, "assistant", answer.DebugInfo.RenderedTemplate
	line, err := json.Marshal(answer)
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(append(line, '\n'))), -1
	return resp, err
}

// The rendered prompt of each request begins with that of the request before, byte for byte. The scripted models' prompts
// end with a marker that says who spoke last; it stays where it is when the reply is printed behind it.
func TestRenderedPromptsAreAppendOnly(t *testing.T) {
	server := ollamatest.Run(t)
	c := newChat(t, server, ollamatest.OneTool)
	var prompts []string
	for n, messages := 1, conversation(); n <= len(messages); n++ {
		if messages[n-1].Role == llm.AssistantRole {
			continue // there is nothing to ask for
		}
		c.req.Messages = messages[:n]
		prompts = append(prompts, c.rendered())
	}
	for i, prompt := range prompts[1:] {
		if !strings.HasPrefix(prompt, prompts[i]) {
			t.Errorf("prompt %d does not begin with prompt %d:\n%s", i+2, i+1, cmp.Diff(prompts[i], prompt))
		}
	}
	for _, words := range []string{systemText, "Покорми кота, 猫に餌を 🐈‍⬛ <&>", "[Friday, 20 November, 09:30]", "[Friday, 20 November, 09:31]"} {
		if !strings.Contains(prompts[len(prompts)-1], words) {
			t.Errorf("the last prompt lacks %q", words)
		}
	}
}

// conversation is two turns, the first with two steps of tools.
func conversation() []llm.Message {
	call := func(id, path string) llm.Message {
		return llm.Message{Role: llm.AssistantRole, Text: "I look.", Calls: []llm.Call{
			{ID: id, Name: "read_file", Args: json.RawMessage(`{"path":"` + path + `","limit":"10"}`)}}}
	}
	result := func(id, text string) llm.Message {
		return llm.Message{Role: llm.ToolRole, CallID: id, ToolName: "read_file", Text: text}
	}
	return []llm.Message{
		{Role: llm.UserRole, Text: "What do the notes say?\n\n[Friday, 20 November, 09:30]"},
		call("call_1", "notes.md"), result("call_1", "see заметки.md"),
		call("call_2", "заметки.md"), result("call_2", "Покорми кота, 猫に餌を 🐈‍⬛ <&>"),
		{Role: llm.AssistantRole, Text: "Feed the cat."},
		{Role: llm.UserRole, Text: "Is that all?\n\n[Friday, 20 November, 09:31]"},
	}
}

// TestFiguresPrefill prints the cost of a turn, for the Makefile to pick up.
func TestFiguresPrefill(t *testing.T) {
	server := ollamatest.RunDebugging(t)
	c := newChat(t, server, ollamatest.OneTool)
	first := c.say("What do the notes say?", "09:30")
	second := c.say("And what else?", "09:31")
	w := bufio.NewWriter(os.Stdout)
	for _, f := range []struct {
		name string
		ollamatest.Prefill
	}{{"first turn", first[0]}, {"step after a tool", first[1]}, {"second turn, in the next minute", second[0]}} {
		fmt.Fprintf(w, "figure: %s evaluates: %d of %d prompt tokens (%.1f %%)\n",
			f.name, f.Remaining, f.Prompt, 100*float64(f.Remaining)/float64(f.Prompt))
	}
	_ = w.Flush()
}
