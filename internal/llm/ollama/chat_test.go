package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
)

func TestReply(t *testing.T) {
	c := start(t, newFake(t, lines(
		`{"message":{"role":"assistant","content":"","thinking":"hm"},"done":false}`,
		text("Hel"), ``, text("lo"),
		`{"message":{"role":"assistant","content":"!"},"done":true,"done_reason":"length","load_duration":1000,"prompt_eval_count":40,`+
			`"prompt_eval_cached_count":30,"prompt_eval_duration":2000,"eval_count":7,"eval_duration":3000}`,
		text("after the end"))))
	var got shown
	reply, err := c.Chat(t.Context(), hello, got.add)
	if err != nil {
		t.Fatal(err)
	}
	want := &llm.Reply{
		Message:   llm.Message{Role: llm.AssistantRole, Text: "Hello!", Thinking: "hm"},
		Truncated: true,
		Usage:     llm.Usage{PromptTokens: 40, CachedTokens: 30, EvalTokens: 7, Load: 1000, PromptEval: 2000, Eval: 3000},
	}
	if diff := cmp.Diff(want, reply); diff != "" {
		t.Errorf("reply (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Hello!", "hm"}, []string{got.text.String(), got.thinking.String()}); diff != "" {
		t.Errorf("deltas (-want +got):\n%s", diff)
	}
}

// A short chat asks the server which model it is once, and never what it is doing.
func TestRequestsOfTwoChats(t *testing.T) {
	f := newFake(t, nil)
	c := start(t, f)
	for range 2 {
		if _, err := c.Chat(t.Context(), hello, nil); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"GET /api/version", "POST /api/show", "POST /api/chat", "POST /api/chat"}
	if diff := cmp.Diff(want, f.requests()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func toolLine(done bool, calls string) string {
	return fmt.Sprintf(`{"message":{"role":"assistant","content":"","tool_calls":[%s]},"done":%v}`, calls, done)
}

func TestCalls(t *testing.T) {
	call := func(id, name, args string, repairs ...string) llm.Call {
		return llm.Call{ID: id, Name: name, Args: json.RawMessage(args), Repairs: repairs}
	}
	for _, tc := range []struct {
		name  string
		lines []string
		text  string
		calls []llm.Call
	}{
		{"in a line of its own", []string{toolLine(false, `{"id":"call_a","function":{"index":0,"name":"ls","arguments":{"b":1,"a":2}}}`), doneLine},
			"", []llm.Call{call("call_a", "ls", `{"b":1,"a":2}`)}},
		{"only in the last line", []string{text("Let me see."), toolLine(true, `{"id":"x","function":{"name":"ls","arguments":{}}},{"id":"y","function":{"name":"ls","arguments":{}}}`)},
			"Let me see.", []llm.Call{call("x", "ls", `{}`), call("y", "ls", `{}`)}},
		{"content and call together", []string{
			`{"message":{"content":"I look.","tool_calls":[{"id":"x","function":{"name":"ls","arguments":{}}}]},"done":false}`, doneLine},
			"I look.", []llm.Call{call("x", "ls", `{}`)}},
		{"no id", []string{toolLine(true, `{"function":{"name":"ls","arguments":{}}},{"id":"","function":{"name":"ls","arguments":{}}}`)},
			"", []llm.Call{call("new-1", "ls", `{}`), call("new-2", "ls", `{}`)}},
		{"an id twice in one reply", []string{toolLine(false, `{"id":"x","function":{"name":"ls","arguments":{}}}`), toolLine(true, `{"id":"x","function":{"name":"rm","arguments":{}}}`)},
			"", []llm.Call{call("x", "ls", `{}`), call("new-1", "rm", `{}`)}},
		{"an id that the conversation has already", []string{toolLine(true, `{"id":"old","function":{"name":"ls","arguments":{}}}`)},
			"", []llm.Call{call("new-1", "ls", `{}`)}},
		{"an id nobody can use", []string{toolLine(true, `{"id":"a\nb","function":{"name":"ls","arguments":{}}},{"id":"`+strings.Repeat("x", 65)+`","function":{"name":"ls","arguments":{}}}`)},
			"", []llm.Call{call("new-1", "ls", `{}`), call("new-2", "ls", `{}`)}},
		{"no arguments", []string{toolLine(true, `{"id":"x","function":{"name":"ls","arguments":null}},{"id":"y","function":{"name":"ls"}},{"id":"z","function":{"name":"ls","arguments":""}}`)},
			"", []llm.Call{call("x", "ls", `{}`), call("y", "ls", `{}`), call("z", "ls", `{}`)}},
		{"arguments as a string", []string{toolLine(true, `{"id":"x","function":{"name":"ls","arguments":"{\"path\": \"a\"}"}}`)},
			"", []llm.Call{call("x", "ls", `{"path": "a"}`, "the arguments came as a string")}},
		{"arguments of another shape", []string{toolLine(true, `{"id":"x","function":{"name":"ls","arguments":"path=a"}},{"id":"y","function":{"name":"ls","arguments":[1]}}`)},
			"", []llm.Call{call("x", "ls", `"path=a"`), call("y", "ls", `[1]`)}},
		{"digits and order", []string{toolLine(true, `{"id":"x","function":{"name":"ls","arguments":{"z":12345678901234567890,"a":1.0,"m":{"y":1,"b":2}}}}`)},
			"", []llm.Call{call("x", "ls", `{"z":12345678901234567890,"a":1.0,"m":{"y":1,"b":2}}`)}},
		{"no name", []string{toolLine(true, `{"id":"x","function":{"name":"","arguments":null}}`)},
			"", []llm.Call{call("x", "", `{}`)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := start(t, newFake(t, lines(tc.lines...)))
			req := hello
			req.Messages = append(req.Messages,
				llm.Message{Role: llm.AssistantRole, Calls: []llm.Call{call("old", "ls", `{}`)}},
				llm.Message{Role: llm.ToolRole, CallID: "old", ToolName: "ls", Text: "nothing"})
			reply, err := c.Chat(t.Context(), req, nil)
			if err != nil {
				t.Fatal(err)
			}
			want := &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: tc.text, Calls: tc.calls}}
			if diff := cmp.Diff(want, reply); diff != "" {
				t.Errorf("reply (-want +got):\n%s", diff)
			}
		})
	}
}

// What came is sent back byte for byte.
func TestCallsAreReplayedAsTheyCame(t *testing.T) {
	const args = `{"z":12345678901234567890,"a":1.0,"t":"<\u00e9>"}`
	f := newFake(t, lines(toolLine(true, `{"id":"x","function":{"name":"ls","arguments":`+args+`}}`)))
	c := start(t, f)
	reply, err := c.Chat(t.Context(), hello, nil)
	if err != nil {
		t.Fatal(err)
	}
	req := hello
	req.Messages = append(req.Messages, reply.Message)
	if _, err := c.Chat(t.Context(), req, nil); err != nil {
		t.Fatal(err)
	}
	if body := string(f.lastBody()); !strings.Contains(body, `"arguments":`+args+`}`) {
		t.Errorf("the arguments changed on their way back: %s", body)
	}
}

// hangUp sends lines and then closes the connection in the middle of the answer.
func hangUp(all ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		lines(all...)(w, r)
		panic(http.ErrAbortHandler)
	}
}

// TestFailures is the table of what servers do wrong, and of what the caller gets.
func TestFailures(t *testing.T) {
	const host = "http://HOST"
	for _, tc := range []struct {
		name    string
		chat    http.HandlerFunc
		kind    llm.Kind
		message string
		raw     string
		shown   string
	}{
		{"an error after content", lines(text("Hel"), `{"error":"something broke"}`),
			llm.Failed, "Ollama at " + host + " failed: something broke", "", "Hel"},
		{"an error as an object", lines(`{"error":{"message":"something broke","code":5}}`),
			llm.Failed, "Ollama at " + host + " failed: something broke", "", ""},
		{"the connection closes after content", hangUp(text("Hel")), llm.Incomplete,
			"Ollama at " + host + " broke off before the model was done: ask again; if it happens again, look at its log", "", "Hel"},
		{"the connection closes before anything", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, llm.Incomplete,
			"Ollama at " + host + " closed the connection without an answer: look at its log, or restart it", "", ""},
		{"a clean end without done", lines(text("Hel")), llm.Incomplete,
			"Ollama at " + host + " broke off before the model was done: ask again; if it happens again, look at its log", "", "Hel"},
		{"a reason, but no done", lines(`{"message":{"content":"Hel"},"done":false,"done_reason":"stop"}`), llm.Incomplete,
			"Ollama at " + host + " broke off before the model was done: ask again; if it happens again, look at its log", "", "Hel"},
		{"nothing at all", lines(), llm.Incomplete,
			"Ollama at " + host + " broke off before the model was done: ask again; if it happens again, look at its log", "", ""},
		{"a line cut in two", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text("Hel")+"\n"+text("lo")[:30]) }, llm.Incomplete,
			"Ollama at " + host + " broke off before the model was done: ask again; if it happens again, look at its log", "", "Hel"},
		{"a call cut by the end", lines(toolLine(false, `{"id":"x","function":{"name":"rm","arguments":{}}}`)), llm.Incomplete,
			"Ollama at " + host + " broke off before the model was done: ask again; if it happens again, look at its log", "", ""},
		{"the model repeats itself", lines(text("x"), `{"error":"prediction aborted, token repeat limit reached"}`), llm.Repeats,
			"tiny:1b repeated itself and Ollama stopped it: ask in other words, or try another model with `hob model use NAME`", "", "x"},
		{"the model repeats itself, and an older server says nothing", lines(slices.Repeat([]string{text("the ")}, 32)...), llm.Repeats,
			"tiny:1b repeated itself and Ollama stopped it: ask in other words, or try another model with `hob model use NAME`", "",
			strings.Repeat("the ", 32)},
		{"a request that was cancelled", lines(text("x"), `{"error":"request canceled"}`), llm.Incomplete,
			"Ollama stopped tiny:1b in the middle of its answer (request canceled): ask again", "", "x"},
		{"404, no model", status(404, `{"error":"model 'tiny:1b' not found"}`), llm.ModelMissing,
			"Ollama at " + host + " does not have tiny:1b: run `hob model pull tiny:1b`", "", ""},
		{"404, of no Ollama", status(404, `404 page not found`), llm.Failed,
			host + " has no such address (HTTP 404): check that [ollama] host is an Ollama of this year", "", ""},
		{"500", status(500, `{"error":"llama runner process has terminated: exit status 2"}`), llm.Failed,
			"the process that ran tiny:1b died, often for lack of memory (llama runner process has terminated: exit status 2): try again, then a smaller model or [ollama] num_ctx", "", ""},
		{"500, no memory", status(500, `{"error":"model requires more system memory (9.9 GiB) than is available (1.2 GiB)"}`), llm.Failed,
			"tiny:1b does not fit into this machine's memory (model requires more system memory (9.9 GiB) than is available (1.2 GiB)): choose a smaller model or a smaller [ollama] num_ctx", "", ""},
		{"502, empty", status(502, ""), llm.Failed,
			"Ollama at " + host + " failed with HTTP 502 and no words: look at its log", "", ""},
		{"502, a web page", status(502, "<html>\n<body>Bad Gateway</body>\n</html>"), llm.Failed,
			host + " answers with a web page (HTTP 502): something stands between hob and Ollama; check [ollama] host", "", ""},
		{"200, a web page", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>\nhello") }, llm.Failed,
			host + " answers with a web page (HTTP 200): something stands between hob and Ollama; check [ollama] host", "", ""},
		{"200, other words", lines("data: {}"), llm.Failed,
			"what " + host + " answers cannot be read as Ollama's: check [ollama] host", "", ""},
		{"204", status(204, ""), llm.Failed,
			"Ollama at " + host + " failed with HTTP 204 and no words: look at its log", "", ""},
		{"401 of a proxy", status(401, "Unauthorized"), llm.Failed,
			host + " wants a sign-in that hob does not have: let hob reach Ollama itself, or set [ollama] host", "", ""},
		{"401 of the cloud", status(401, `{"error":"unauthorized","signin_url":"https://ollama.com/connect?key=secret"}`), llm.ModelRefused,
			"tiny:1b runs in Ollama's cloud and wants somebody to sign in: choose a model that runs on this machine", "", ""},
		{"403 of the cloud", status(403, `{"error":"ollama cloud is disabled: remote inference is unavailable"}`), llm.ModelRefused,
			"tiny:1b runs in the cloud, which this Ollama does not allow: choose a model that runs on this machine", "", ""},
		{"307", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "http://elsewhere.example/", 307) }, llm.Failed,
			host + " sends hob to another address, which hob does not follow: set [ollama] host to that address itself", "", ""},
		{"400, no tools", status(400, `{"error":"registry.ollama.ai/library/tiny:1b does not support tools"}`), llm.NoTools,
			"tiny:1b cannot do tools: choose another model with `hob model use NAME`", "", ""},
		{"400, no thinking", status(400, `{"error":"\"tiny:1b\" does not support thinking"}`), llm.Unable,
			"tiny:1b cannot do thinking: choose another model with `hob model use NAME`", "", ""},
		{"400, too long, llama-server", status(400, `{"error":"request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it"}`), llm.ContextExceeded,
			"the conversation is longer than the context of tiny:1b: shorten it, or set a larger [ollama] num_ctx", "", ""},
		{"500, too long, older", status(500, `{"error":"the input length exceeds the context length"}`), llm.ContextExceeded,
			"the conversation is longer than the context of tiny:1b: shorten it, or set a larger [ollama] num_ctx", "", ""},
		{"400, too long, newer", status(400, `{"error":"prompt is too long: 9000 tokens"}`), llm.ContextExceeded,
			"the conversation is longer than the context of tiny:1b: shorten it, or set a larger [ollama] num_ctx", "", ""},
		{"harmony, before the first byte", status(500, `{"error":"error parsing tool call: raw='{\"path\": \"a'b\"\n{}', err=invalid character '{' after top-level value"}`), llm.Malformed,
			"Ollama could not read a tool call that tiny:1b wrote (error parsing tool call: invalid character '{' after top-level value): ask again, or choose another model",
			"{\"path\": \"a'b\"\n{}", ""},
		{"harmony, after content", lines(text("I write."), `{"error":"error parsing tool call: raw='{\"secret\": 1', err=unexpected end of JSON input"}`), llm.Malformed,
			"Ollama could not read a tool call that tiny:1b wrote (error parsing tool call: unexpected end of JSON input): ask again, or choose another model",
			`{"secret": 1`, "I write."},
		{"harmony of 0.11.3", lines(`{"error parsing tool call":"raw='{', err=unexpected end of JSON input"}`), llm.Malformed,
			"Ollama could not read a tool call that tiny:1b wrote (error parsing tool call: unexpected end of JSON input): ask again, or choose another model", "{", ""},
		{"qwen3", lines(text(""), `{"error":"failed to parse JSON: invalid character 'x' looking for beginning of value"}`), llm.Malformed,
			"Ollama could not read a tool call that tiny:1b wrote (failed to parse JSON: invalid character 'x' looking for beginning of value): ask again, or choose another model", "", ""},
		{"qwen3-coder", lines(`{"error":"XML syntax error on line 3: element <parameter> closed by </function>"}`), llm.Malformed,
			"Ollama could not read a tool call that tiny:1b wrote (XML syntax error on line 3: element <parameter> closed by </function>): ask again, or choose another model", "", ""},
		{"ministral", lines(`{"error":"tool 'x' not found"}`), llm.Malformed,
			"Ollama could not read a tool call that tiny:1b wrote (tool 'x' not found): ask again, or choose another model", "", ""},
		{"glm", lines(`{"error":"mismatched arg_key and arg_value counts: 2 keys, 1 values"}`), llm.Malformed,
			"Ollama could not read a tool call that tiny:1b wrote (mismatched arg_key and arg_value counts: 2 keys, 1 values): ask again, or choose another model", "", ""},
		{"400 about hob's own request", status(400, `{"error":"invalid character 'x' in request"}`), llm.Failed,
			"Ollama at " + host + " failed with HTTP 400: invalid character 'x' in request", "", ""},
		{"an object of no meaning", lines(text("Hel"), `{"status":"pulling"}`), llm.Failed,
			"what " + host + " answers cannot be read as Ollama's: check [ollama] host", "", "Hel"},
		{"an empty object", lines(`{}`), llm.Failed,
			"Ollama at " + host + " failed: a line that is no part of an answer", "", ""},
		{"an empty error", lines(`{"error":""}`), llm.Failed,
			"Ollama at " + host + " failed: a line that is no part of an answer", "", ""},
		{"a line without end", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, strings.Repeat("x", maxLine+1)) }, llm.Failed,
			host + " sends a line of more than 16 MiB: no model writes that; check [ollama] host", "", ""},
		{"the model runs elsewhere after all", lines(`{"remote_host":"https://ollama.com:443","message":{"content":"x"},"done":false}`, doneLine), llm.ModelRefused,
			"tiny:1b runs at https://ollama.com:443, and what you say would leave this machine: choose a model that runs here, or set [ollama] allow_remote", "", ""},
		{"control characters and length", status(500, `{"error":"\u001b[31m\u0000evil\u202e `+strings.Repeat("long ", 200)+`"}`), llm.Failed,
			"Ollama at " + host + " failed with HTTP 500: [31mevil " + strings.Repeat("long ", 57) + "long…", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := start(t, newFake(t, tc.chat))
			var got shown
			reply, err := c.Chat(t.Context(), hello, got.add)
			var failure *llm.Error
			if reply != nil || !errors.As(err, &failure) {
				t.Fatalf("reply %v, error %v", reply, err)
			}
			message := strings.ReplaceAll(tc.message, host, c.hosts[0].base.String())
			want := llm.Error{Kind: tc.kind, Message: message, Raw: tc.raw, Err: failure.Err, Retry: failure.Retry} // TestRetry is about the last
			if diff := cmp.Diff(fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", *failure)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if got.text.String() != tc.shown {
				t.Errorf("shown %q, want %q", got.text.String(), tc.shown)
			}
		})
	}
}

func TestReplyWithoutEnd(t *testing.T) {
	part := text(strings.Repeat("x", 1<<20))
	c := start(t, newFake(t, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			fmt.Fprintln(w, part)
		}
	}))
	_, err := c.Chat(t.Context(), hello, nil)
	want := "tiny:1b writes without end: its reply was stopped at 16 MiB; set a smaller num_predict"
	if err == nil || err.Error() != want || !errors.Is(err, llm.Failed) {
		t.Errorf("error %v", err)
	}
}

// A long line is no failure: path-C models send a whole file in one call.
func TestLongLine(t *testing.T) {
	content := strings.Repeat("x", 9<<20)
	c := start(t, newFake(t, lines(toolLine(true, `{"id":"x","function":{"name":"write_file","arguments":{"content":"`+content+`"}}}`))))
	reply, err := c.Chat(t.Context(), hello, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(reply.Message.Calls[0].Args); n != len(content)+len(`{"content":""}`) {
		t.Errorf("%d bytes of arguments", n)
	}
}

// Cancelling ends the request on the server, and the error tells why.
func TestCancelInTheMiddle(t *testing.T) {
	gone := make(chan struct{})
	c := start(t, newFake(t, func(w http.ResponseWriter, r *http.Request) {
		lines(text("Hel"))(w, r)
		<-r.Context().Done()
		close(gone)
	}))
	why := errors.New("the user said stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	var got shown
	_, err := c.Chat(ctx, hello, func(d llm.Delta) {
		got.add(d)
		cancel(why)
	})
	<-gone
	if diff := cmp.Diff("Hel the request was cancelled", got.text.String()+" "+fmt.Sprint(err)); diff != "" {
		t.Error(diff)
	}
	if !errors.Is(err, llm.Cancelled) || !errors.Is(err, why) {
		t.Errorf("error %v is not Cancelled because of %v", err, why)
	}
}

// due is a context whose time is up when now is closed, and not by a clock.
type due struct {
	context.Context
	now chan struct{}
}

func (d due) Done() <-chan struct{} { return d.now }

func (d due) Err() error {
	select {
	case <-d.now:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func TestCancelBeforeAndAtADeadline(t *testing.T) {
	late := due{context.Background(), make(chan struct{})}
	f := newFake(t, func(w http.ResponseWriter, r *http.Request) {
		close(late.now) // it is asked once
		<-r.Context().Done()
	})
	c := start(t, f)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, before := c.Chat(ctx, hello, nil)
	_, during := c.Chat(late, hello, nil)
	got := []string{fmt.Sprint(llm.KindOf(before), " ", before), fmt.Sprint(llm.KindOf(during), " ", during)}
	want := []string{"cancelled the request was cancelled", "cancelled the request ran out of the time it was given"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

func TestConcurrentChats(t *testing.T) {
	c := start(t, newFake(t, lines(text("a"), toolLine(true, `{"function":{"name":"ls"}}`))), func(cfg *Config) { cfg.NewID = nil })
	var wg sync.WaitGroup
	ids := make(chan string, 20)
	for range cap(ids) {
		wg.Go(func() {
			if reply, err := c.Chat(t.Context(), hello, nil); err != nil {
				t.Error(err)
			} else {
				ids <- reply.Message.Calls[0].ID
			}
		})
	}
	wg.Wait()
	close(ids)
	seen := map[string]bool{}
	for id := range ids {
		if seen[id] || len(id) != len("call_")+16 {
			t.Errorf("id %q", id)
		}
		seen[id] = true
	}
}

// A model that cannot think is never asked to; what it can do is asked once.
func TestThinkFollowsTheModel(t *testing.T) {
	for _, tc := range []struct {
		name         string
		capabilities []string
		showStatus   int
		want         string
	}{
		{"it can", []string{"completion", "tools", "thinking"}, 0, `"think":"low"`},
		{"it cannot", []string{"completion", "tools"}, 0, `"think":false`},
		{"nobody knows", nil, http.StatusNotImplemented, `"think":false`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFake(t, nil)
			f.capabilities, f.showStatus = tc.capabilities, tc.showStatus
			c := start(t, f)
			req := hello
			req.Options.Think = llm.ThinkLow
			if _, err := c.Chat(t.Context(), req, nil); err != nil {
				t.Fatal(err)
			}
			if body := string(f.lastBody()); !strings.Contains(body, tc.want) {
				t.Errorf("body without %s: %s", tc.want, body)
			}
		})
	}
}
