package http_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"iter"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/price"
	"hob/internal/llm/window"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/store/storetest"
	"hob/internal/surface/cli"
	local "hob/internal/surface/http"
	"hob/internal/surface/http/api"
	"hob/internal/tools"
)

// modelFunc is a model that calls a function with the newest message.
type modelFunc func(ctx context.Context, said string) (*llm.Reply, error)

func (f modelFunc) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	words, _, _ := strings.Cut(llm.Words(req.Messages[len(req.Messages)-1].Text), "\n")
	reply, err := f(ctx, words)
	if err == nil && reply.Message.Text != "" {
		onDelta(llm.Delta{Text: reply.Message.Text})
	}
	return reply, err
}

// textReply is a reply of a model.
func textReply(text string) (*llm.Reply, error) {
	return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: text}}, nil
}

// house is a hob whose sessions are real, and what it serves.
type house struct {
	*session.Sessions
	journal *storetest.Memory
	config  local.Config
	server  *local.Server
	path    string
	http    http.Client
}

func open(t *testing.T, journal *storetest.Memory, model llm.Model, change ...func(*session.Config)) *house {
	t.Helper()
	h := &house{journal: journal, Sessions: sessions(t, journal, model, change...), path: filepath.Join(t.TempDir(), "hob.sock")}
	h.config = local.Config{Sessions: h.Sessions, Journal: journal, NewID: rand.Text, Line: cli.JSONLine, ArgsHash: func(args json.RawMessage) string {
		sum := sha256.Sum256(args)
		return hex.EncodeToString(sum[:])
	}, Prices: func() price.Table { return price.Table{} }}
	h.listen(t)
	return h
}

func (h *house) listen(t *testing.T) {
	t.Helper()
	var err error
	if h.server, err = local.Listen(h.path, h.config); err != nil {
		t.Fatal(err)
	}
	h.http = http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", h.path)
	}}}
	t.Cleanup(func() { _ = h.server.Close(context.Background()) })
}

func sessions(t *testing.T, journal session.Journal, model llm.Model, change ...func(*session.Config)) *session.Sessions {
	type path struct {
		Path string `json:"path"`
	}
	do := func(name string, powers tools.Capabilities) tools.Tool {
		return tools.New(tools.Def{Name: name, Description: name, Capabilities: powers}, func(_ context.Context, in path) (tools.Result, error) {
			if in.Path == "nowhere" {
				return tools.Result{}, &tools.Error{Type: event.TypeNotFound, Code: event.CodeFileNotFound, Message: "there is no file nowhere"}
			}
			return tools.Result{
				Text: name + " " + in.Path + "\nand more", Data: map[string]any{"path": in.Path, "state_patch": []any{map[string]any{"op": "add"}}},
				Effects: []event.Effect{{Kind: "wrote", Target: in.Path, Detail: "3 bytes"}},
			}, nil
		})
	}
	all := []tools.Tool{do("write", tools.Writes), do("run", tools.Executes)}
	cfg := session.Config{
		Journal: journal, Model: model, Toolset: session.PlainToolset(all...), Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Policy: func(context.Context) (policy.Policy, error) { return policy.Policy{}, nil }, Random: rand.Reader,
		Limiter: policy.NewLimiter(policy.Limits{MaxText: 1000}, time.Now),
		Budget:  agent.Budget{Steps: 10, Calls: 10, Time: time.Hour, Output: 10_000},
		Settings: func(context.Context) session.Settings {
			return session.Settings{
				Budget:  agent.Budget{Steps: 10, Calls: 10, Time: time.Hour, Output: 10_000},
				Options: llm.Options{NumPredict: 500}, Window: window.Window{Size: 8192, Reserve: 500},
			}
		},
	}
	for _, c := range change {
		c(&cfg)
	}
	s := session.New(t.Context(), cfg)
	t.Cleanup(s.Close)
	return s
}

// post makes a chat request and returns the status and the body of the answer.
func (h *house) post(t *testing.T, ctx context.Context, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://hob/api/v1/chat", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := h.http.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err.Error()
	}
	return resp.StatusCode, string(text)
}

func TestChat(t *testing.T) {
	model := llm.NewScript(
		llm.Do(llm.CallOf(1, "write", map[string]string{"path": "a"}), llm.CallOf(2, "write", map[string]string{"path": "nowhere"})),
		llm.Do(llm.CallOf(3, "run", map[string]string{"path": "b"}), llm.CallOf(4, "write", map[string]int{})),
		llm.Say("It is written."))
	h := open(t, storetest.NewMemory(time.Now), model)
	status, text := h.post(t, t.Context(), `{"session_id":"game/1","messages":[
		{"role":"user","content":"hello"},{"role":"assistant","content":"what?"},{"role":"user","content":"write a"}]}`)
	var got api.ChatReply
	if err := json.Unmarshal([]byte(text), &got); status != 200 || err != nil {
		t.Fatal(status, text, err)
	}
	hash := func(args string) string {
		sum := sha256.Sum256([]byte(args))
		return hex.EncodeToString(sum[:])
	}
	data := map[string]any{"path": "a", "state_patch": []any{map[string]any{"op": "add"}}}
	want := api.ChatReply{
		Session: "game/1",
		ToolEvents: []api.ToolEvent{
			{Tool: "write", OK: true, Summary: "wrote a (3 bytes)", Payload: data, CallID: got.ToolEvents[0].CallID, Status: "ok", ArgsHash: hash(`{"path":"a"}`)},
			{Tool: "write", Summary: "there is no file nowhere", CallID: got.ToolEvents[1].CallID, Status: "failed", ErrorCode: "file_not_found", ArgsHash: hash(`{"path":"nowhere"}`)},
			{Tool: "write", Summary: got.ToolEvents[2].Summary, CallID: got.ToolEvents[2].CallID, Status: "refused", ErrorCode: "required_field", ArgsHash: hash(`{}`)},
			{Tool: "run", Summary: got.ToolEvents[3].Summary, CallID: got.ToolEvents[3].CallID, Status: "denied", ErrorCode: "permission_denied", ArgsHash: hash(`{"path":"b"}`)},
		},
		Applied: []api.Applied{{Tool: "write", Args: json.RawMessage(`{"path":"a"}`), Result: data}},
		Failed: []api.FailedCall{
			{ID: got.ToolEvents[1].CallID, Tool: "write", Status: "error", Reason: "file_not_found"},
			{ID: got.ToolEvents[2].CallID, Tool: "write", Status: "error", Reason: "invalid_args"},
			{ID: got.ToolEvents[3].CallID, Tool: "run", Status: "rejected", Reason: "tool_not_allowed"},
		},
		StatePatch: []json.RawMessage{json.RawMessage(`{"op":"add"}`)},
		Usage:      api.Usage{Reason: "done", Steps: 3, Calls: 4, Stages: []api.Stage{{Stage: "simulation", Requests: 3}}},
	}
	diff := cmp.Diff(want, got, cmpopts.IgnoreFields(api.ToolEvent{}, "DurationMS"), cmpopts.IgnoreFields(api.Applied{}, "Timestamp"),
		cmpopts.IgnoreFields(api.Usage{}, "PromptTokens", "EvalTokens"),
		cmpopts.IgnoreFields(api.Stage{}, "PromptTokens", "EvalTokens", "DurationMS"), cmpopts.IgnoreFields(api.ChatReply{}, "Reply"))
	if diff != "" {
		t.Error(diff)
	}
	if !strings.HasPrefix(got.Reply, "It is written.") || got.ToolEvents[0].CallID == "" {
		t.Error(text)
	}
	if _, err := time.Parse(time.RFC3339, got.Applied[0].Timestamp); err != nil {
		t.Error(err)
	}
	if r := model.Requests()[0].Messages; len(r) != 1 || llm.Words(r[0].Text) != "write a" { // hob keeps the conversation itself
		t.Error(r)
	}
}

func TestChatIsStrict(t *testing.T) {
	model := llm.NewScript()
	h := open(t, storetest.NewMemory(time.Now), model)
	user := `"messages":[{"role":"user","content":"hello"}]`
	for body, want := range map[string]string{
		``:    "the body is no whole JSON object",
		`[]`:  "the body is not what is asked for: it cannot be an array",
		`nul`: "the body is no whole JSON object", `null`: "the body cannot be null",
		`{"session_id":"a",` + user + `} {}`:                                                            "the body goes on after its JSON object",
		`{"session_id":"a",` + user + `,"model":"x"}`:                                                   `the body has a field that there is not: "model"`,
		`{"Session_ID":"a",` + user + `}`:                                                               `the body has a field that there is not, or has it twice: "Session_ID"`,
		`{"session_id":"a","session_id":"b",` + user + `}`:                                              `the body has a field that there is not, or has it twice: "session_id"`,
		`{"session_id":5,` + user + `}`:                                                                 "the body is not what is asked for: session_id cannot be a number",
		`{"session_id":"a","messages":{}}`:                                                              "the body is not what is asked for: messages cannot be an object",
		`{"session_id":"a","messages":null}`:                                                            "messages cannot be null",
		`{"session_id":"a",` + user + `,"request_id":null}`:                                             "request_id cannot be null",
		`{"session_id":"a",` + user + `,"request_id":" "}`:                                              "request_id has 1 to 256 bytes, and not only blanks: leave it out, or make one",
		`{` + user + `}`:                                                                                `session_id: "" is no name for a chat: it is 1 to 128 bytes long and has no blanks`,
		`{"session_id":"a b",` + user + `}`:                                                             `session_id: "a b" is no name for a chat: it is 1 to 128 bytes long and has no blanks`,
		`{"session_id":"a","messages":[]}`:                                                              "messages: there is none with the role user",
		`{"session_id":"a","messages":[{"role":"assistant","content":"x"}]}`:                            "messages: there is none with the role user",
		`{"session_id":"a","messages":[{"role":"owner","content":"x"}]}`:                                `messages[0]: role is user, assistant, system or tool, and not "owner"`,
		`{"session_id":"a","messages":[{"role":"user","content":" \n"}]}`:                               "messages: the content of the last one of a user is empty",
		`{"session_id":"a","messages":[{"role":"user","content":["x"]}]}`:                               "the body is not what is asked for: messages.content cannot be an array",
		`{"session_id":"a","messages":[{"role":"user","content":"x","command":true}]}`:                  `the body has a field that there is not in this place: "command" stands at the top`,
		`{"session_id":"a","messages":[{"role":"user","content":"x","name":"y"}]}`:                      `the body has a field that there is not: "name"`,
		`{"session_id":"a","messages":[{"role":"user","content":null}]}`:                                "content cannot be null",
		`{"session_id":"a","messages":[{"role":"user","content":"` + strings.Repeat("x", 1001) + `"}]}`: "at most 1000 characters a message: this one has 1001",
		strings.Repeat(" ", 1<<20) + `{}`:                                                               "the body is longer than 1 MiB",
	} {
		status, text := h.post(t, t.Context(), body)
		var p struct{ Error string }
		if err := json.Unmarshal([]byte(text), &p); status != 400 || err != nil || p.Error != want {
			t.Errorf("%.80s: %d %s, want %q", body, status, text, want)
		}
	}
	if last, err := h.journal.Last(t.Context(), "a"); last != 0 || err != nil || len(model.Requests()) > 0 {
		t.Error("something was done", last, err)
	}
}

// The same request made again answers the same and does nothing, also after a restart; another
// under its id is an error.
func TestChatAgain(t *testing.T) {
	journal := storetest.NewMemory(time.Now)
	model := llm.NewScript(llm.Do(llm.CallOf(1, "write", map[string]string{"path": "a"})), llm.Say("once"), llm.Say("other"), llm.Say("elsewhere"))
	h := open(t, journal, model)
	body := `{"session_id":"a","messages":[{"role":"user","content":"hello"}],"request_id":"r"}`
	status, first := h.post(t, t.Context(), body)
	if status != 200 {
		t.Fatal(status, first)
	}
	for _, c := range []struct {
		body   string
		status int
		want   string
	}{
		{body, 200, first},
		{strings.Replace(body, "hello", "hullo", 1), 409, `{"error":"the input id \"api/r\" was used for another message: give this one an id of its own","code":"other_input","subject":"api/r"}` + "\n"},
		{strings.Replace(body, `"r"`, `"s"`, 1), 200, ""},
		{strings.Replace(body, `"session_id":"a"`, `"session_id":"b"`, 1), 200, ""}, // ids are those of a session
		{body, 200, first},
	} {
		if status, text := h.post(t, t.Context(), c.body); status != c.status || c.want != "" && text != c.want {
			t.Errorf("%s: %d %s", c.body, status, text)
		}
	}
	h.Close()
	after := open(t, journal, llm.NewScript())
	if status, text := after.post(t, t.Context(), body); status != 200 || text != first {
		t.Error(status, text)
	}
	if n := len(model.Requests()); n != 4 {
		t.Errorf("the model was asked %d times", n)
	}
}

// reportingSessions are sessions that report each input.
type reportingSessions struct {
	local.Sessions
	entered chan<- struct{}
}

func (c reportingSessions) Submit(ctx context.Context, in session.Input) (int64, error) {
	c.entered <- struct{}{}
	return c.Sessions.Submit(ctx, in)
}

// A chat does one thing at a time; the same request waits for its own turn; a client that leaves
// does not stop it.
func TestChatBusy(t *testing.T) {
	asked, goOn := make(chan string), make(chan struct{})
	h := open(t, storetest.NewMemory(time.Now), modelFunc(func(ctx context.Context, said string) (*llm.Reply, error) {
		asked <- said
		select {
		case <-goOn:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		return textReply("so it is")
	}))
	h.server.Close(t.Context())
	entered := make(chan struct{}, 10)
	h.config.Sessions = reportingSessions{h.Sessions, entered}
	h.listen(t)
	slow := `{"session_id":"a","messages":[{"role":"user","content":"slow"}],"request_id":"r"}`
	leaving, leave := context.WithCancel(t.Context())
	left := make(chan int)
	go func() { status, _ := h.post(t, leaving, slow); left <- status }()
	if said := <-asked; said != "slow" {
		t.Error(said)
	}
	<-entered
	if status, text := h.post(t, t.Context(), strings.Replace(slow, `"r"`, `"s"`, 1)); status != 409 || !strings.Contains(text, "a turn runs or waits in this session") {
		t.Error(status, text)
	}
	leave()
	if status := <-left; status != 0 {
		t.Error(status)
	}
	again := make(chan string)
	go func() { _, text := h.post(t, t.Context(), slow); again <- text }()
	select {
	case <-entered:
	case text := <-again:
		t.Fatal("it did not wait for its turn", text)
	}
	close(goOn)
	if text := <-again; !strings.Contains(text, `"reply":"so it is"`) || !strings.Contains(text, `"reason":"done"`) {
		t.Error(text)
	}
}

// recordedSessions are sessions with events that have happened already.
type recordedSessions struct {
	local.Sessions
	events []event.Event
}

func (recordedSessions) Parked(context.Context, event.Chat) ([]event.ParkedTurn, error) {
	return nil, nil
}

func (s recordedSessions) IsBusy(context.Context, event.Chat) (bool, error)     { return false, nil }
func (s recordedSessions) Submit(context.Context, session.Input) (int64, error) { return 5, nil }
func (s recordedSessions) Follow(_ context.Context, _ event.Chat, after int64) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		for _, e := range s.events {
			if e.Seq > after && !yield(e, nil) {
				return
			}
		}
	}
}

// Words that joined another turn are answered there, and what that did before is not theirs.
func TestChatThatJoined(t *testing.T) {
	returned := func(id string) event.Returned { return event.Returned{ID: id, Tool: "write", OK: true, Text: id} }
	h := open(t, storetest.NewMemory(time.Now), llm.NewScript())
	h.server.Close(t.Context())
	h.config.Sessions = recordedSessions{events: []event.Event{
		{Seq: 5, Turn: 5, Body: event.Said{InputID: "x"}},
		{Seq: 6, Turn: 1, Body: returned("before")},
		{Seq: 7, Turn: 1, Body: event.Joined{Said: 4}},
		{Seq: 8, Turn: 1, Body: event.Joined{Said: 5}},
		{Seq: 9, Turn: 1, Body: event.Called{ID: "after", Tool: "write", Args: json.RawMessage(`{"n":1}`)}},
		{Seq: 10, Turn: 1, Body: returned("after")},
		{Seq: 11, Turn: 1, Body: event.Replied{Text: "both"}},
		{Seq: 12, Turn: 2, Body: event.Ended{Reason: event.Broken}},
		{Seq: 13, Turn: 1, Body: event.Ended{Reason: event.Done, Calls: 2}},
	}}
	h.listen(t)
	status, text := h.post(t, t.Context(), `{"session_id":"a","messages":[{"role":"user","content":"hello"}]}`)
	var got api.ChatReply
	if err := json.Unmarshal([]byte(text), &got); status != 200 || err != nil {
		t.Fatal(status, text)
	}
	if got.Reply != "both" || len(got.ToolEvents) != 1 || got.ToolEvents[0].CallID != "after" || got.Usage.Reason != "done" ||
		!bytes.Equal(got.Applied[0].Args, []byte(`{"n":1}`)) {
		t.Error(text)
	}
}
