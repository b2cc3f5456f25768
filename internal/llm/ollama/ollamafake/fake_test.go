package ollamafake_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hob/internal/llm"
	"hob/internal/llm/ollama"
	"hob/internal/llm/ollama/ollamafake"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func clientOf(t *testing.T, fake *ollamafake.Server, change ...func(*ollama.Config)) *ollama.Client {
	t.Helper()
	cfg := ollama.Config{Hosts: []string{fake.URL()}, Model: "tiny:1b", Dial: new(net.Dialer).DialContext}
	for _, c := range change {
		c(&cfg)
	}
	return newClient(t, cfg)
}

func newClient(t *testing.T, cfg ollama.Config) *ollama.Client {
	t.Helper()
	c, err := ollama.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func wireMessage(text string) llm.Message { return llm.Message{Role: llm.UserRole, Text: text} }

var readFile = llm.ToolDefinition{Name: "read_file", Description: "Reads a file.",
	Parameters: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)}

func hello() llm.Request {
	return llm.Request{System: "You are hob.", Messages: []llm.Message{wireMessage("Hello.")}, Tools: []llm.ToolDefinition{readFile}}
}

// story is all that a caller sees of one chat: a line for what streamed, one for the reply or the error.
func story(ctx context.Context, model llm.Model, req llm.Request) string {
	var streamed strings.Builder
	reply, err := model.Chat(ctx, req, func(d llm.Delta) { streamed.WriteString(d.Text + d.Thinking) })
	show := func(s string) string {
		if len(s) > 100 {
			return fmt.Sprintf("%.20q and so on, %d bytes", s, len(s))
		}
		return s
	}
	if e := (*llm.Error)(nil); errors.As(err, &e) {
		return fmt.Sprintf("%s|%s retry %t raw %q", streamed.String(), e.Kind, e.Retry, e.Raw)
	}
	m := reply.Message
	out := show(streamed.String()) + "|"
	if m.Text != "" {
		out += "says " + show(m.Text)
	}
	if m.Thinking != "" {
		out += "thinks " + m.Thinking
	}
	for i, c := range m.Calls {
		if c.ID == "" || i > 0 && c.ID == m.Calls[i-1].ID {
			out += " NO ID OF ITS OWN"
		}
		out += fmt.Sprintf(" calls %q %s", c.Name, show(string(c.Args)))
	}
	if reply.Truncated {
		out += " (cut)"
	}
	return out
}

var path = map[string]string{"path": "notes.md"}

// steps is each step as it is seen through hob's own client.
var steps = map[string]struct {
	step ollamafake.Step
	want string
}{
	"say":                   {ollamafake.Say("Good evening."), "Good evening.|says Good evening."},
	"chunks":                {ollamafake.Chunks("Good ", "evening", "."), "Good evening.|says Good evening."},
	"call":                  {ollamafake.CallTool("read_file", path), `| calls "read_file" {"path":"notes.md"}`},
	"calls":                 {ollamafake.CallTool("read_file", path, ollamafake.CallOf("ls", struct{}{})), `| calls "read_file" {"path":"notes.md"} calls "ls" {}`},
	"call in the last line": {ollamafake.CallOnlyInLast("read_file", path), `| calls "read_file" {"path":"notes.md"}`},
	"content and call":      {ollamafake.ContentAndCall("I look.", "read_file", path), `I look.|says I look. calls "read_file" {"path":"notes.md"}`},
	"no name":               {ollamafake.EmptyName(), `| calls "" {}`},
	"null":                  {ollamafake.ArgumentsNull("now"), `| calls "now" {}`},
	"arguments in a string": {ollamafake.CallTool("read_file", `{"path":"a"}`), `| calls "read_file" {"path":"a"}`},
	"arguments as they are": {ollamafake.CallTool("read_file", json.RawMessage(`{"z":1.0,"a":12345678901234567890}`)), `| calls "read_file" {"z":1.0,"a":12345678901234567890}`},
	"one ID for two calls":  {ollamafake.DuplicateIDs(ollamafake.CallOf("a", struct{}{}), ollamafake.CallOf("b", struct{}{})), `| calls "a" {} calls "b" {}`},
	"swallowed":             {ollamafake.Swallowed(), "|"},
	"empty":                 {ollamafake.Empty(), "|"},
	"thinking":              {ollamafake.ThinkingOnly("hm", "stop"), "hm|thinks hm"},
	"thinking, cut":         {ollamafake.ThinkingOnly("hm", "length"), "hm|thinks hm (cut)"},
	"cut":                   {ollamafake.Cut("Good eve"), "Good eve|says Good eve (cut)"},
	"a long line":           {ollamafake.LongLine(9 << 20), `"long long long long " and so on, 9437033 bytes|says "long long long long " and so on, 9437033 bytes`},
	"an error":              {ollamafake.ErrorLine("something broke", ""), `|failed retry true raw ""`},
	"an error after text":   {ollamafake.ErrorLine("something broke", "Good"), `Good|failed retry true raw ""`},
	"an unreadable call":    {ollamafake.ErrorLine(`error parsing tool call: raw='{"path": ', err=unexpected end of JSON input`, ""), `|malformed retry false raw "{\"path\": "`},
	"500 before a byte":     {ollamafake.Error(500, "something broke"), `|failed retry true raw ""`},
	"502, empty":            {ollamafake.Status(502, ""), `|failed retry true raw ""`},
	"400":                   {ollamafake.Error(400, "bad option"), `|failed retry false raw ""`},
	"no end":                {ollamafake.CloseAfter("Good ", "eve"), `Good eve|incomplete retry true raw ""`},
	"nothing":               {ollamafake.CloseAfter(), `|incomplete retry true raw ""`},
	"half a line":           {ollamafake.CutLine("Good "), `Good |incomplete retry true raw ""`},
	"reset":                 {ollamafake.Reset("Good "), `Good |incomplete retry true raw ""`},
	"reset before a byte":   {ollamafake.Reset(), `|incomplete retry true raw ""`},
	"chosen": {ollamafake.Choose(func(r ollamafake.Request) ollamafake.Step {
		return ollamafake.Say("You said " + r.Messages[len(r.Messages)-1].Content)
	}), "You said Hello.|says You said Hello."},
	"of its own": {ollamafake.Do(func(x *ollamafake.Exchange) {
		x.Line(ollamafake.Message{Thinking: "hm"}, x.Number(ollamafake.CallOf("a", path))...)
		x.Stream("done")
		x.End("stop", 1)
	}), `hmdone|says donethinks hm calls "a" {"path":"notes.md"}`},
}

func TestSteps(t *testing.T) {
	for name, c := range steps {
		t.Run(name, func(t *testing.T) {
			fake := ollamafake.New(t, ollamafake.Config{}, c.step)
			if diff := cmp.Diff(c.want, story(t.Context(), clientOf(t, fake), hello())); diff != "" {
				t.Errorf("over TCP (-want +got):\n%s", diff)
			}
		})
		t.Run(name+", without a socket", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				fake := ollamafake.New(t, ollamafake.Config{}, c.step)
				client := newClient(t, ollama.Config{Model: "tiny:1b", Transport: fake.Transport()})
				if diff := cmp.Diff(c.want, story(t.Context(), client, hello())); diff != "" {
					t.Errorf("without a socket (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// Silence lasts until the client leaves, and tells so.
func TestSilence(t *testing.T) {
	fake := ollamafake.New(t, ollamafake.Config{}, ollamafake.Silence("Good "))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := clientOf(t, fake).Chat(ctx, hello(), func(d llm.Delta) {
		if d.Text == "Good " {
			<-fake.SilenceBegan()
			cancel()
		}
	})
	<-fake.ClientLeft()
	if !errors.Is(err, llm.Cancelled) {
		t.Errorf("error %v", err)
	}
}

// In a bubble the client's watchdogs ring at their time.
func TestSilenceAndBusyInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := ollamafake.New(t, ollamafake.Config{}, ollamafake.Busy(), ollamafake.Busy(), ollamafake.Say("at last"), ollamafake.Silence())
		client := newClient(t, ollama.Config{Model: "tiny:1b", Transport: fake.Transport()})
		start := time.Now()
		got := []string{
			fmt.Sprint(story(t.Context(), client, hello()), " after ", time.Since(start)),
			fmt.Sprint(story(t.Context(), client, hello()), " after ", time.Since(start)),
		}
		<-fake.ClientLeft()
		want := []string{"at last|says at last after 3s", `|silent retry false raw "" after 5m3s`}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("chats (-want +got):\n%s", diff)
		}
	})
}

func TestForever(t *testing.T) {
	fake := ollamafake.New(t, ollamafake.Config{}, ollamafake.Say("once"), ollamafake.Forever(ollamafake.CallTool("read_file", path)))
	client := clientOf(t, fake)
	ids := map[string]bool{}
	for range 5 {
		reply, err := client.Chat(t.Context(), hello(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range reply.Message.Calls {
			ids[c.ID] = true
		}
	}
	if len(ids) != 4 || fake.StepsLeft() != 0 {
		t.Errorf("%d IDs, %d steps left", len(ids), fake.StepsLeft())
	}
}

// A whole turn, as the server saw it: what is sent again was read already.
func TestTurn(t *testing.T) {
	fake := ollamafake.New(t, ollamafake.Config{ReportCached: true}, ollamafake.CallTool("read_file", path), ollamafake.Say("It says hello."))
	client := clientOf(t, fake)
	req := hello()
	first, err := client.Chat(t.Context(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	call := first.Message.Calls[0]
	req.Messages = append(req.Messages, first.Message, llm.Message{Role: llm.ToolRole, CallID: call.ID, ToolName: call.Name, Text: "hello"})
	second, err := client.Chat(t.Context(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := fake.Requests()
	const prompt = `<tool>read_file: Reads a file. {"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}` +
		"\n<system>You are hob.\n<user>Hello.\n<assistant>"
	const result = `<call>read_file {"path":"notes.md"}` + "\n<tool>hello\n<assistant>"
	if diff := cmp.Diff([]string{prompt, prompt + result}, []string{seen[0].Rendered, seen[1].Rendered}); diff != "" {
		t.Errorf("prompts (-want +got):\n%s", diff)
	}
	type usage struct{ Prompt, Cached, Eval int }
	want := []usage{{(len(prompt) + 3) / 4, 0, 20}, {(len(prompt+result) + 3) / 4, len(prompt) / 4, 4}}
	got := []usage{
		{first.Usage.PromptTokens, first.Usage.CachedTokens, first.Usage.EvalTokens},
		{second.Usage.PromptTokens, second.Usage.CachedTokens, second.Usage.EvalTokens},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
	if tokens, err := client.Context(t.Context()); err != nil || tokens != ollama.DefaultNumCtx {
		t.Errorf("error %v, a context of %d", err, tokens)
	}
}

// A prompt that is too long is refused as Ollama refuses it.
func TestContext(t *testing.T) {
	fake := ollamafake.New(t, ollamafake.Config{Context: 100}, ollamafake.Say("ok"))
	client := clientOf(t, fake)
	long := hello()
	long.Messages[0].Text = strings.Repeat("word ", 100)
	got := []string{story(t.Context(), client, long), story(t.Context(), client, hello())}
	if diff := cmp.Diff([]string{`|context_exceeded retry false raw ""`, "ok|says ok"}, got); diff != "" {
		t.Errorf("chats (-want +got):\n%s", diff)
	}
	facts, err := client.Preflight(t.Context())
	if err != nil || facts.TrainedContext != 100 || !facts.Template || facts.Family != "fake" {
		t.Errorf("error %v, facts %+v", err, facts)
	}
}

// A server that cuts in silence keeps system text and the last message, and only the count tells.
func TestTruncateSilently(t *testing.T) {
	fake := ollamafake.New(t, ollamafake.Config{Context: 100, TruncateSilently: true}, ollamafake.Say("ok"), ollamafake.Say("ok"))
	client := clientOf(t, fake)
	req := llm.Request{System: "You are hob.", Messages: []llm.Message{
		wireMessage("first " + strings.Repeat("word ", 50)), {Role: llm.AssistantRole, Text: strings.Repeat("so ", 50)}, wireMessage("second " + strings.Repeat("word ", 20)),
	}}
	reply, err := client.Chat(t.Context(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := fake.Requests()[0]
	if seen.Dropped != 1 || reply.Usage.PromptTokens != seen.Prompt || seen.Prompt > 100 ||
		!strings.HasPrefix(seen.Rendered, "<system>You are hob.\n<assistant>so ") || len(seen.Messages) != 4 {
		t.Errorf("usage %+v of %+v", reply.Usage, seen)
	}
	req.Messages = []llm.Message{wireMessage(strings.Repeat("word ", 200))}
	if reply, err = client.Chat(t.Context(), req, nil); err != nil || reply.Usage.PromptTokens != 100 {
		t.Errorf("error %v, reply %+v", err, reply)
	}
}

// What the model cannot do is refused as Ollama does, and is no failure of the test.
func TestCapabilities(t *testing.T) {
	fake := ollamafake.New(t, ollamafake.Config{Capabilities: []string{"completion"}})
	got := []string{
		story(t.Context(), clientOf(t, fake), hello()),
		story(t.Context(), clientOf(t, fake, func(c *ollama.Config) { c.Model = "other:7b" }), hello()),
	}
	if diff := cmp.Diff([]string{`|no_tools retry false raw ""`, `|model_missing retry false raw ""`}, got); diff != "" {
		t.Errorf("chats (-want +got):\n%s", diff)
	}
	models, err := clientOf(t, fake).Models(t.Context())
	if err != nil || len(models) != 1 || models[0].Name != "tiny:1b" {
		t.Errorf("error %v, models %+v", err, models)
	}
}

func TestAtOnce(t *testing.T) {
	fake := ollamafake.New(t, ollamafake.Config{}, ollamafake.Silence(), ollamafake.Silence(), ollamafake.Say("ok"))
	client := clientOf(t, fake)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { story(ctx, client, hello()) })
	}
	<-fake.SilenceBegan()
	<-fake.SilenceBegan()
	cancel()
	wg.Wait()
	<-fake.ClientLeft()
	<-fake.ClientLeft()
	story(t.Context(), client, hello())
	if n := fake.AtOnce(); n != 2 {
		t.Errorf("%d chats at once", n)
	}
}

// recorder is a test that may fail.
type recorder struct {
	testing.TB
	mu    sync.Mutex
	said  []string
	clean []func()
}

func (r *recorder) Cleanup(f func()) { r.clean = append(r.clean, f) }
func (r *recorder) Failed() bool     { return len(r.said) > 0 }
func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	first, _, _ := strings.Cut(fmt.Sprintf(format, args...), "\n")
	r.said = append(r.said, strings.TrimPrefix(first, "fake Ollama: "))
}

// end runs what the test has left to do, and returns what it complained of.
func (r *recorder) end() []string {
	for _, f := range r.clean {
		f()
	}
	return r.said
}

// What hob must not send fails the test.
func TestRefusals(t *testing.T) {
	const frame = `"model":"tiny:1b","stream":true,"keep_alive":"30m0s","truncate":false,"think":false,"options":{"num_ctx":512,"num_predict":9,"temperature":0}`
	const ask = `{"role":"user","content":"x"}`
	with := func(messages string) string { return `{` + frame + `,"messages":[` + messages + `]}` }
	without := func(field string) string { return strings.Replace(with(ask), field, "", 1) }
	const call = `{"role":"assistant","content":"","tool_calls":[{"id":"a","function":{"index":0,"name":"ls","arguments":{}}}]}`
	const result = `{"role":"tool","content":"x","tool_name":"ls","tool_call_id":"a"}`
	const tool = `{"type":"function","function":{"name":"ls","description":"","parameters":{"type":"object"}}}`
	for _, c := range []struct{ body, want string }{
		{`{`, "chat: unexpected EOF"},
		{with(ask) + "{}", "chat: there is more than one JSON value"},
		{strings.Replace(with(ask), `{`, `{"top_k":1,`, 1), `chat: json: unknown field "top_k"`},
		{without(`"stream":true,`), "chat: stream is not true"},
		{without(`"keep_alive":"30m0s",`), "chat: keep_alive is missing: a model would be unloaded after five minutes"},
		{without(`"truncate":false,`), "chat: truncate is not false: a conversation that is too long would be cut without a word"},
		{without(`"think":false,`), `chat: think is "": models that can think would`},
		{without(`"num_ctx":512,`), "chat: options.num_ctx is missing: the model would be loaded with the server's default"},
		{without(`"num_predict":9,`), "chat: options.num_predict is missing: a reply would have no end"},
		{without(`,"temperature":0`), "chat: options.temperature is missing"},
		{strings.Replace(with(ask), `{`, `{"format":{},"tools":[`+tool+`],`, 1), "chat: tools and format together: no tool would be called"},
		{strings.Replace(with(ask), `{`, `{"format":"json",`, 1), "chat: format is no schema"},
		{strings.Replace(with(ask), `{`, `{"tools":[`+tool+`,`+tool+`],`, 1), `chat: tool "ls" is offered twice`},
		{strings.Replace(with(ask), `{`, `{"tools":[{"type":"function","function":{"name":"ls","parameters":{}}}],`, 1), `chat: tool "ls" is not the definition of a function with an object as its argument`},
		{with(`{"role":"developer","content":"x"}`), "chat: message 1 (developer): there is no such role"},
		{with(ask + `,{"role":"system","content":"x"}`), "chat: message 2 (system): system text is the first message only"},
		{with(ask + `,{"role":"assistant","content":"x"}`), "chat: the last message is the assistant's: there is nothing to answer"},
		{with(ask + `,` + call), "chat: 1 calls of the last message are unanswered"},
		{with(ask + `,` + call + `,` + ask), "chat: message 3 (user): 1 calls before it are unanswered"},
		{with(ask + `,` + result), `chat: message 2 (tool): it answers call "a" of tool "ls", which is not open`},
		{with(ask + `,` + call + `,` + result + `,` + result), `chat: message 4 (tool): it answers call "a" of tool "ls", which is not open`},
		{with(ask + `,` + call + `,` + strings.Replace(result, "ls", "rm", 1)), `chat: message 3 (tool): it answers call "a" of tool "rm", which is not open`},
		{with(ask + `,` + call + `,` + result + `,` + call + `,` + result), `chat: message 4 (assistant): the ID "a" of call "ls" is not its own`},
		{with(ask + `,` + strings.Replace(call, "{}", `"x"`, 1) + `,` + result), `chat: message 2 (assistant): the arguments of call "ls" are no object`},
		{with(strings.Replace(ask, `{`, `{"tool_name":"ls",`, 1)), "chat: message 1 (user): it has fields of another role"},
		{with(ask + `,` + call + `,` + result), "the script has no step for this chat, number 1"},
	} {
		test := &recorder{TB: t}
		fake := ollamafake.New(test, ollamafake.Config{})
		resp, err := http.Post(fake.URL()+"/api/chat", "application/json", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if diff := cmp.Diff([]string{c.want}, test.end()); diff != "" || resp.StatusCode != http.StatusBadRequest {
			t.Errorf("%s\nanswered %s, complaints (-want +got):\n%s", c.body, resp.Status, diff)
		}
	}
}

func TestOtherRefusals(t *testing.T) {
	test := &recorder{TB: t}
	fake := ollamafake.New(test, ollamafake.Config{}, ollamafake.Say("a"), ollamafake.Forever(ollamafake.Say("b")))
	resp, err := http.Get(fake.URL() + "/api/embed")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	if diff := cmp.Diff([]string{"GET /api/embed is nothing that hob asks"}, test.end()); diff != "" {
		t.Errorf("complaints (-want +got):\n%s", diff)
	}
	test = &recorder{TB: t}
	ollamafake.New(test, ollamafake.Config{}, ollamafake.Say("a"), ollamafake.Forever(ollamafake.Say("b")))
	if diff := cmp.Diff([]string{"2 steps of its script were not asked for"}, test.end()); diff != "" {
		t.Errorf("complaints (-want +got):\n%s", diff)
	}
}

// A reset before the first byte is one without a socket too: there is no answer at all.
func TestResetInsideAProcess(t *testing.T) {
	fake := ollamafake.New(t, ollamafake.Config{}, ollamafake.Reset())
	const body = `{"model":"tiny:1b","stream":true,"keep_alive":"30m0s","truncate":false,"think":false,` +
		`"options":{"num_ctx":512,"num_predict":9,"temperature":0},"messages":[{"role":"user","content":"x"}]}`
	resp, err := (&http.Client{Transport: fake.Transport()}).Post("http://box/api/chat", "application/json", strings.NewReader(body))
	if err == nil {
		resp.Body.Close()
	}
	if !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("error %v", err)
	}
}
