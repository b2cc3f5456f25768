package http_test

import (
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/llm/price"
	"hob/internal/policy"
	"hob/internal/session"
	"hob/internal/store/storetest"
	"hob/internal/surface/http/api"
)

// replayTurn returns the answer of the API to a turn with these events, which follow its input.
func (h *house) replayTurn(t *testing.T, bodies ...event.Body) (api.ChatReply, string) {
	t.Helper()
	events := []event.Event{{Seq: 5, Turn: 5, Body: event.Said{InputID: "x"}}}
	for i, b := range bodies {
		events = append(events, event.Event{Seq: int64(6 + i), Turn: 5, Time: time.Date(2026, 11, 22, 9, 0, i, 0, time.UTC), Body: b})
	}
	return h.replay(t, events)
}

// replay returns the answer of the API to a request with these events.
func (h *house) replay(t *testing.T, events []event.Event) (api.ChatReply, string) {
	t.Helper()
	_ = h.server.Close(t.Context())
	h.config.Sessions = recordedSessions{events: events}
	h.listen(t)
	status, text := h.post(t, t.Context(), `{"session_id":"a","messages":[{"role":"user","content":"hello"}]}`)
	var got api.ChatReply
	if err := json.Unmarshal([]byte(text), &got); status != 200 || err != nil {
		t.Fatal(status, text, err)
	}
	return got, text
}

// world is what a game's tool hands over, as the journal has it.
func world(t *testing.T, text string) any {
	t.Helper()
	var data any
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatal(err)
	}
	return data
}

func called(id, tool, args string) event.Called {
	return event.Called{ID: id, Tool: tool, Args: json.RawMessage(args), Repairs: []string{}}
}

// What a program can say next stands in the reply, in the order in which the events offer it.
func TestChoicesAreInTheReply(t *testing.T) {
	h := open(t, storetest.NewMemory(time.Now), llm.NewScript())
	later := event.Choice{Label: "+1 h", Text: "/reminder 1 +1h", Trusted: true}
	east := event.Choice{Label: "Go east", Text: "Go east", Pick: "1.0.pc_001"}
	got, text := h.replayTurn(t,
		called("1", "remind", "{}"), event.Returned{ID: "1", Tool: "remind", OK: true, Choices: []event.Choice{later}},
		event.Replied{Text: "Well.", Choices: []event.Choice{east}}, event.Ended{Reason: event.Done},
	)
	if diff := cmp.Diff([]event.Choice{later, east}, got.Choices); diff != "" {
		t.Error(diff, text)
	}
	if _, text := h.replayTurn(t, event.Replied{Text: "Well."}, event.Ended{Reason: event.Done}); strings.Contains(text, "choices") {
		t.Error(text)
	}
}

// What a game's tools hand over is answered in the words of the seeds, also where no model was
// asked: a turn without one has its calls like any other. A result of another tool is told as it
// is, whatever its fields are called.
func TestGame(t *testing.T) {
	h := open(t, storetest.NewMemory(time.Now), llm.NewScript())
	h.config.ArgsHash = func(args json.RawMessage) string { return "hash of " + string(args) }
	move := `{"actor_id":"pc_001","from_area_id":"area_001","to_area_id":"area_002"}`
	hurt := `{"target_character_id":"pc_001","delta":-2,"cause":"a fall"}`
	zone := `{"session_id":"s","to_zone_id":"zone_9_9_0"}`
	moved := `{"result":{"to_area_id":"area_002"},"game":{"campaign":"c","turn":1,"status":"applied","reason":"","detail":"","error_code":"",
		"state_hash":"ab"},"state_patch":[{"op":"replace","path":"/actors/pc_001/area","value":"area_002"},{"op":"add","path":"/n","value":1}],
		"text":"You are in the cellar now.\nIt is dark."}`
	restricted := `{"result":{},"game":{"campaign":"c","turn":2,"status":"rejected","reason":"actor_state_restricted","detail":"not_your_turn",
		"error_code":""},"state_patch":[],"text":"It is not your turn."}`
	lost := `{"result":{"ok":false,"error_code":"ZONE_NOT_FOUND","message":"there is none"},"game":{"campaign":"c","turn":3,"status":"error",
		"reason":"invalid_args","detail":"no_zone","error_code":"ZONE_NOT_FOUND"},"text":"There is no such zone."}`
	state := `{"result":{"ok":true,"player_static_data":{"player_id":"player_001"}},"game":{"campaign":"c","turn":3,"status":"applied"},"text":"You are well."}`
	other := `{"result":5,"game":{"status":"won"},"state_patch":[{"op":"test"}],"text":"chess"}`
	failed := func(typ, code, text string) *event.Error { return &event.Error{Type: typ, Code: code, Message: text} }
	got, text := h.replayTurn(t,
		event.Generated{Message: llm.Message{Role: llm.AssistantRole}, Class: "direct"},
		called("c1", "move", move), event.Started{CallID: "c1"},
		event.Returned{ID: "c1", Tool: "move", OK: true, Text: "You are in the cellar now.\nIt is dark.", Data: world(t, moved), DurationMS: 3},
		called("c2", "hp_delta", hurt),
		event.Returned{ID: "c2", Tool: "hp_delta", Text: "error", Data: world(t, restricted), Error: failed(event.TypePermission, event.CodePermissionDenied, "It is not your turn.")},
		called("c3", "move_to_zone", zone),
		event.Returned{ID: "c3", Tool: "move_to_zone", Data: world(t, lost), Error: failed(event.TypeNotFound, event.CodeInvalidValue, "no zone")},
		called("c4", "get_player_state", `{"session_id":"s"}`),
		event.Returned{ID: "c4", Tool: "get_player_state", OK: true, Data: world(t, state)},
		called("c5", "move", move),
		event.Returned{ID: "c5", Tool: "move", OK: true, By: "cache", Data: world(t, moved)},
		called("c6", "chess", ``),
		event.Returned{ID: "c6", Tool: "chess", OK: true, Text: "mate", Data: world(t, other)},
		called("c7", "attack", `{}`),
		event.Returned{ID: "c7", Tool: "attack", By: "gate", Error: failed(event.TypePermission, event.CodePermissionDenied, "not here")},
		event.Replied{Text: "You are in the cellar now."},
		event.Ended{Reason: event.Done, Calls: 7},
	)
	result := func(text string) any { return world(t, text).(map[string]any)["result"] }
	patch := []json.RawMessage{json.RawMessage(`{"op":"replace","path":"/actors/pc_001/area","value":"area_002"}`),
		json.RawMessage(`{"op":"add","path":"/n","value":1}`), json.RawMessage(`{"op":"test"}`)}
	want := api.ChatReply{
		Session: "a", Reply: "You are in the cellar now.",
		ToolEvents: []api.ToolEvent{
			{Tool: "move", OK: true, Summary: "You are in the cellar now.", Payload: result(moved), CallID: "c1", Status: "ok", ArgsHash: "hash of " + move, DurationMS: 3},
			{Tool: "hp_delta", Summary: "It is not your turn.", Payload: map[string]any{}, CallID: "c2", Status: "failed", ErrorCode: "permission_denied", ArgsHash: "hash of " + hurt},
			{Tool: "move_to_zone", Summary: "There is no such zone.", Payload: result(lost), CallID: "c3", Status: "failed", ErrorCode: "ZONE_NOT_FOUND", ArgsHash: "hash of " + zone},
			{Tool: "get_player_state", OK: true, Summary: "You are well.", Payload: result(state), CallID: "c4", Status: "ok", ArgsHash: `hash of {"session_id":"s"}`},
			{Tool: "move", OK: true, Summary: "You are in the cellar now.", Payload: result(moved), CallID: "c5", Status: "ok", ArgsHash: "hash of " + move},
			{Tool: "chess", OK: true, Summary: "mate", Payload: world(t, other), CallID: "c6", Status: "ok", ArgsHash: "hash of {}"},
			{Tool: "attack", Summary: "not here", CallID: "c7", Status: "denied", ErrorCode: "permission_denied", ArgsHash: "hash of {}"},
		},
		Applied: []api.Applied{
			{Tool: "move", Args: json.RawMessage(move), Result: result(moved), Timestamp: "2026-11-22T09:00:03Z"},
			{Tool: "get_player_state", Args: json.RawMessage(`{"session_id":"s"}`), Result: result(state), Timestamp: "2026-11-22T09:00:09Z"},
			{Tool: "chess", Args: json.RawMessage(`{}`), Result: world(t, other), Timestamp: "2026-11-22T09:00:13Z"},
		},
		Failed: []api.FailedCall{
			{ID: "c2", Tool: "hp_delta", Status: "rejected", Reason: "actor_state_restricted", Detail: "not_your_turn"},
			{ID: "c3", Tool: "move_to_zone", Status: "error", Reason: "invalid_args", Detail: "no_zone"},
			{ID: "c7", Tool: "attack", Status: "rejected", Reason: "tool_not_allowed"},
		},
		StatePatch: patch,
		Usage:      api.Usage{Reason: "done", Calls: 7, Stages: []api.Stage{}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	t.Run("turn-engine-16", func(t *testing.T) {
		var raw struct {
			Events []map[string]json.RawMessage `json:"tool_events"`
		}
		if err := json.Unmarshal([]byte(text), &raw); err != nil {
			t.Fatal(err)
		}
		fields := []string{"args_hash", "call_id", "duration_ms", "error_code", "ok", "payload", "status", "summary", "tool_name"}
		for _, e := range raw.Events {
			for _, f := range fields {
				if _, ok := e[f]; !ok || len(e) != len(fields) {
					t.Errorf("%s of %v", f, e)
				}
			}
			if strings.Contains(string(e["summary"]), `\n`) {
				t.Errorf("a summary of several lines: %s", e["summary"])
			}
		}
		if len(raw.Events) != 7 {
			t.Error(text)
		}
	})
}

// Whatever a result holds, the answer has it.
func TestGameOfAnotherShape(t *testing.T) {
	h := open(t, storetest.NewMemory(time.Now), llm.NewScript())
	for _, data := range []string{
		`5`, `"text"`, `[1,2]`, `{}`, `{"game":5,"result":1}`, `{"game":{"status":5}}`, `{"game":"applied"}`, `{"state_patch":{"op":"add"}}`,
		`{"game":{"status":"applied","reason":7},"text":["x"],"state_patch":"none","result":{"a":1}}`, `{"game":{"status":"applied"}}`,
	} {
		got, text := h.replayTurn(t, called("c", "x", `{}`), event.Returned{ID: "c", Tool: "x", OK: true, Text: "done", Data: world(t, data)}, event.Ended{})
		want := world(t, data)
		if strings.Contains(data, `"applied",`) {
			want = map[string]any{"a": 1.0}
		} else if strings.Contains(data, `"status":"applied"`) {
			want = nil
		}
		if diff := cmp.Diff(want, got.ToolEvents[0].Payload); diff != "" || got.ToolEvents[0].Summary != "done" || got.StatePatch != nil {
			t.Error(data, diff, text)
		}
	}
}

func words(class, text string, prompt, eval int, ms int64) event.Generated {
	return event.Generated{
		Message: llm.Message{Role: llm.AssistantRole, Text: text}, Class: class, DurationMS: ms,
		Usage: llm.Usage{PromptTokens: prompt, EvalTokens: eval, Model: "qwen3:8b"},
	}
}

// The state is written by tools alone, so that nothing in it has to be put back: what disagrees
// with it are words. The model is told what is wrong with them, twice at most; then others stand in
// their place, and nobody hears the wrong ones.
func TestConflict(t *testing.T) {
	t.Run("turn-engine-23", func(t *testing.T) {
		h := open(t, storetest.NewMemory(time.Now), llm.NewScript())
		untrue := func(text string) event.Nudged {
			return event.Nudged{Why: event.ForUntrue, Text: "[note: " + text + "]"}
		}
		lie := func(class string) event.Generated {
			g := words(class, "", 1, 1, 1)
			g.Raw = "The dragon dies."
			return g
		}
		silence := func(class string) event.Generated { // the engine's words stand in its place
			g := words(class, "You stand in the hall.", 1, 0, 1)
			g.Raw = event.NoWords
			return g
		}
		end := []event.Body{event.Replied{Text: "You stand in the hall."}, event.Ended{Reason: event.Done}}
		narration := event.Nudged{Why: event.ForNarration, Text: "[note: tell it]"}
		for _, c := range []struct {
			name   string
			bodies []event.Body
			want   *api.ConflictReport
		}{
			{"true at once", []event.Body{narration, words("narration", "You stand in the hall.", 1, 1, 1)}, nil},
			{"a chore that was nudged", []event.Body{words("text", "Done.", 1, 1, 1), event.Nudged{Why: event.ForClaimed, Text: "[note: no]"}, words("text", "No.", 1, 1, 1)}, nil},
			{"the second is true", []event.Body{narration, words("narration", "The dragon dies.", 1, 1, 1), untrue("the dragon lives"),
				words("rewrite", "You stand in the hall.", 1, 1, 1)}, &api.ConflictReport{Retries: 1, Problems: []string{"the dragon lives"}, Resolved: true}},
			{"told twice in vain", []event.Body{narration, words("narration", "The dragon dies.", 1, 1, 1), untrue("the dragon lives"),
				words("rewrite", "The dragon dies.", 1, 1, 1), untrue("it lives; there is no sword"), lie("rewrite")},
				&api.ConflictReport{Retries: 2, Problems: []string{"the dragon lives", "it lives; there is no sword"}}},
			{"nothing comes of it", []event.Body{narration, words("narration", "The dragon dies.", 1, 1, 1), untrue("the dragon lives"),
				words("transport", "", 0, 0, 1)}, &api.ConflictReport{Retries: 1, Problems: []string{"the dragon lives"}}},
			{"replaced at once", []event.Body{narration, lie("narration")}, &api.ConflictReport{Problems: []string{}}},
			{"without a narration of its own", []event.Body{lie("text")}, &api.ConflictReport{Problems: []string{}}},
			{"the second has no words", []event.Body{narration, words("narration", "The dragon dies.", 1, 1, 1), untrue("the dragon lives"), silence("rewrite")},
				&api.ConflictReport{Retries: 1, Problems: []string{"the dragon lives"}}},
			{"the first has no words", []event.Body{narration, silence("narration")}, nil},
			{"no words at all", []event.Body{narration, words("empty", "", 1, 0, 1)}, nil},
		} {
			t.Run(c.name, func(t *testing.T) {
				got, text := h.replayTurn(t, append(c.bodies, end...)...)
				if diff := cmp.Diff(c.want, got.Conflict); diff != "" {
					t.Error(diff)
				}
				if strings.Contains(text, "dragon dies") || got.Reply != "You stand in the hall." || got.StatePatch != nil {
					t.Error(text)
				}
				if has := strings.Contains(text, `"conflict_report":`); has != (c.want != nil) {
					t.Error(text)
				}
			})
		}
	})
}

// chronicle is a turn with all its stages.
func chronicle() []event.Body {
	return []event.Body{
		words("calls", "", 1000, 20, 300), words("transport", "", 0, 0, 50), words("malformed", "", 1100, 5, 100), words("draft", "I go.", 1200, 10, 200),
		words("summary", "", 1250, 40, 400), event.Nudged{Why: event.ForNarration}, words("calls", "", 600, 1, 10), words("narration", "The dragon dies.", 610, 90, 900),
		event.Nudged{Why: event.ForUntrue, Text: "[note: it lives]"}, words("rewrite", "It lives.", 700, 60, 600),
		event.Joined{Said: 99}, words("text", "Yes, it does.", 100, 4, 40),
		event.Replied{Text: "Yes, it does."}, event.Ended{Reason: event.Done, Steps: 8, PromptTokens: 100, EvalTokens: 230},
	}
}

func TestUsage(t *testing.T) {
	h := open(t, storetest.NewMemory(time.Now), llm.NewScript())
	prices := price.Table{Currency: "EUR", Models: map[string]price.Price{"qwen3:8b": {Prompt: 50_000, Eval: 200_000}}}
	want := api.Usage{Reason: "done", Steps: 8, PromptTokens: 100, EvalTokens: 230, Stages: []api.Stage{
		{Stage: "simulation", Requests: 4, PromptTokens: 3400, EvalTokens: 39, DurationMS: 690},
		{Stage: "narration", Requests: 2, PromptTokens: 1210, EvalTokens: 91, DurationMS: 910},
		{Stage: "rewrite", Requests: 1, PromptTokens: 700, EvalTokens: 60, DurationMS: 600},
		{Stage: "summary", Requests: 1, PromptTokens: 1250, EvalTokens: 40, DurationMS: 400},
	}}
	t.Run("turn-engine-29", func(t *testing.T) {
		unknown := price.Table{Currency: "EUR", Models: map[string]price.Price{"llama": {Prompt: 1, Eval: 1}}}
		for name, c := range map[string]struct {
			prices func() price.Table
			want   *price.Cost
		}{
			"by the table":     {func() price.Table { return prices }, &price.Cost{Amount: "0.000374", Currency: "EUR"}}, // 6560 and 230 tokens
			"an unknown model": {func() price.Table { return unknown }, nil},
			"no table":         {func() price.Table { return price.Table{} }, nil},
		} {
			h.config.Prices = c.prices
			got, text := h.replayTurn(t, chronicle()...)
			want := want
			want.Cost = c.want
			if diff := cmp.Diff(want, got.Usage); diff != "" {
				t.Error(name, diff)
			}
			if has := strings.Contains(text, `"cost"`); has != (c.want != nil) {
				t.Error(name, text)
			}
			requests, eval := 0, 0
			for _, s := range got.Usage.Stages {
				requests, eval = requests+s.Requests, eval+s.EvalTokens
			}
			if requests != got.Usage.Steps || eval != got.Usage.EvalTokens {
				t.Errorf("%s: the stages have %d requests and %d tokens: %s", name, requests, eval, text)
			}
		}
	})
	t.Run("joined", func(t *testing.T) { // the totals are those of the whole turn, and so are the stages and the cost
		h.config.Prices = func() price.Table { return prices }
		events := []event.Event{{Turn: 1, Body: event.Said{}}}
		for _, b := range chronicle() {
			events = append(events, event.Event{Turn: 1, Body: b})
		}
		events = slices.Insert(events, 4, event.Event{Turn: 5, Body: event.Said{InputID: "x"}}, event.Event{Turn: 1, Body: event.Joined{Said: 5}})
		for i := range events {
			events[i].Seq = int64(i + 1)
		}
		got, _ := h.replay(t, events)
		want := want
		want.Cost = &price.Cost{Amount: "0.000374", Currency: "EUR"}
		if diff := cmp.Diff(want, got.Usage); diff != "" {
			t.Error(diff)
		}
	})
}

// Of one person twenty messages are taken in any minute. The next is told in seconds when to come
// back, and what is asked again with its request_id is no message.
func TestTooMany(t *testing.T) {
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	model := make([]llm.Step, 21)
	for i := range model {
		model[i] = llm.Say("yes")
	}
	h := open(t, storetest.NewMemory(time.Now), llm.NewScript(model...), func(c *session.Config) {
		c.Limiter = policy.NewLimiter(policy.Limits{TurnsPerMinute: 20}, func() time.Time { return now })
	})
	ask := func(id string) (int, string, string) {
		t.Helper()
		body := `{"session_id":"story","request_id":"` + id + `","messages":[{"role":"user","content":"go north"}]}`
		resp, err := h.http.Post("http://hob/api/v1/chat", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, resp.Header.Get("Retry-After"), string(text)
	}
	t.Run("turn-engine-28", func(t *testing.T) {
		for i := range 20 {
			if status, _, text := ask(strconv.Itoa(i)); status != 200 {
				t.Fatal(i, status, text)
			}
			if i == 0 {
				now = now.Add(49500 * time.Millisecond)
			}
		}
		now = now.Add(500 * time.Millisecond)
		type answer struct {
			Status      int
			Again, Text string
		}
		var got []answer
		say := func(id string) {
			status, again, text := ask(id)
			got = append(got, answer{status, again, text})
		}
		say("20")
		now = now.Add(9001 * time.Millisecond)
		say("20")
		say("0")
		now = now.Add(time.Second)
		say("20")
		got[2].Text, got[3].Text = "", ""
		want := []answer{
			{429, "10", `{"error":"at most 20 messages a minute: try again in 10 s"}` + "\n"},
			{429, "1", `{"error":"at most 20 messages a minute: try again in 1 s"}` + "\n"}, {Status: 200}, {Status: 200},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}
