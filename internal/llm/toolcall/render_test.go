package toolcall

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/llm"
)

// talk is a request in which everything occurs that has another form in words.
func talk() llm.Request {
	return llm.Request{
		System: "You are hob.\n",
		Messages: []llm.Message{
			{Role: llm.UserRole, Text: "What is in a and b?", Images: [][]byte{{1}}},
			{Role: llm.AssistantRole, Text: "I look.", Thinking: "two files", Calls: []llm.Call{
				{ID: "1", Name: "read_file", Args: json.RawMessage(`{"path": "a<b>"}`)},
				{ID: "2", Name: "read_file", Args: json.RawMessage(`{"path":"b"}`)},
			}},
			{Role: llm.ToolRole, CallID: "1", ToolName: "read_file", Text: "one"},
			{Role: llm.ToolRole, CallID: "2", Text: "error: no such file"},
			{Role: llm.AssistantRole, Calls: []llm.Call{{ID: "3", Name: "now"}}},
			{Role: llm.ToolRole, CallID: "3", ToolName: "now", Text: "noon"},
			{Role: llm.AssistantRole, Text: "a is one."},
		},
		Tools: []llm.ToolDefinition{
			{Name: "read_file", Description: "Reads a file.\n  Lines have numbers.", Parameters: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)},
			{Name: "now"},
		},
		Options: llm.Options{NumPredict: 7},
	}
}

const promptSystem = `You are hob.

You can use tools. To call one, write one JSON object on a line of its own. Write nothing after it. For example:
{"tool":"read_file","arguments":{"path":"<path>"}}
The result comes back in a message that begins with [result of name]. Never write a result yourself.
If you need no tool, answer in plain words without JSON.
The tools, with ? behind what may be left out:
- read_file(path: string): Reads a file. Lines have numbers.
- now()`

const schemaSystem = `You are hob.

You can use tools. Reply with one JSON object, for example:
{"thought": "I call read_file.", "tool": "read_file", "arguments": {"path": "<path>"}}
"thought" is one short sentence on what to do next. "tool" is the name of one tool. "arguments" are the arguments of that tool.
If you need no tool, or have seen enough, set "tool" to "answer". Then write what you have to say in "answer", in plain words.
The result of a tool comes back in a message that begins with [result of name]. Never write a result yourself.
The tools, with ? behind what may be left out:
- read_file(path: string): Reads a file. Lines have numbers.
- now()`

func TestRender(t *testing.T) {
	before := talk()
	want := llm.Request{
		System: promptSystem,
		Messages: []llm.Message{
			before.Messages[0],
			{Role: llm.AssistantRole, Thinking: "two files", Text: "I look.\n" +
				`{"tool":"read_file","arguments":{"path":"a<b>"}}` + "\n" + `{"tool":"read_file","arguments":{"path":"b"}}`},
			{Role: llm.UserRole, Text: "[result of read_file]\none"},
			{Role: llm.UserRole, Text: "[result of read_file]\nerror: no such file"},
			{Role: llm.AssistantRole, Text: `{"tool":"now","arguments":{}}`},
			{Role: llm.UserRole, Text: "[result of now]\nnoon"},
			{Role: llm.AssistantRole, Text: "a is one."},
		},
		Options: llm.Options{NumPredict: 7},
	}
	if diff := cmp.Diff(want, Render(talk(), llm.PromptMode, nil)); diff != "" {
		t.Errorf("prompt (-want +got):\n%s", diff)
	}
	o := NewOffer(talk().Tools, nil)
	want.System, want.Format, want.SimpleFormat = schemaSystem, o.format(), o.simpleFormat()
	if diff := cmp.Diff(want, Render(talk(), llm.SchemaMode, nil)); diff != "" {
		t.Errorf("schema (-want +got):\n%s", diff)
	}
	for _, mode := range []llm.Mode{llm.NativeMode, ""} {
		if diff := cmp.Diff(talk(), Render(talk(), mode, nil)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", mode, diff)
		}
	}
	req := talk()
	Render(req, llm.PromptMode, nil)
	if diff := cmp.Diff(talk(), req); diff != "" {
		t.Errorf("the request was changed (-want +got):\n%s", diff)
	}
}

// The example in the system text is of a tool that only looks and takes arguments, filled in.
func TestRender_Example(t *testing.T) {
	req := llm.Request{Tools: append([]llm.ToolDefinition{{Name: "drop_file", Parameters: talk().Tools[0].Parameters}}, talk().Tools...)}
	for mode, want := range map[llm.Mode]string{
		llm.PromptMode: `{"tool":"read_file","arguments":{"path":"notes.txt"}}`,
		llm.SchemaMode: `{"thought": "I call read_file.", "tool": "read_file", "arguments": {"path": "notes.txt"}}`,
	} {
		got := Render(req, mode, func(tool string) bool { return tool == "drop_file" }).System
		if !strings.Contains(got, "\n"+want+"\n") {
			t.Errorf("%s: no example %s in\n%s", mode, want, got)
		}
	}
}

// Without tools there is nothing to tell of, but the calls of before still have no other form.
func TestRenderWithoutTools(t *testing.T) {
	req := talk()
	req.Tools, req.Format = nil, json.RawMessage(`{"type":"object"}`)
	got := Render(req, llm.SchemaMode, nil)
	if got.System != "You are hob.\n" || string(got.Format) != `{"type":"object"}` || got.Messages[2].Role != llm.UserRole {
		t.Errorf("got %+v", got)
	}
	req.System, req.Tools = "", talk().Tools
	if got := Render(req, llm.PromptMode, nil).System; got != promptSystem[len("You are hob.\n\n"):] {
		t.Errorf("an empty system text became %q", got)
	}
}

// A tool may be called answer.
func TestRenderToolCalledAnswer(t *testing.T) {
	req := llm.Request{Tools: []llm.ToolDefinition{{Name: "answer"}}}
	o := NewOffer(req.Tools, nil)
	var format struct {
		Properties struct{ Tool struct{ Enum []string } }
	}
	if err := json.Unmarshal(Render(req, llm.SchemaMode, nil).SimpleFormat, &format); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"answer", "answer_"}, format.Properties.Tool.Enum); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if calls, _, ok := o.structured(`{"thought":"","tool":"answer","arguments":{"to":"her"}}`); !ok || len(calls) != 1 {
		t.Errorf("the tool is not called: %+v", calls)
	}
	if _, answer, ok := o.structured(`{"thought":"","tool":"answer_","answer":"hi"}`); !ok || answer != "hi" {
		t.Errorf("the answer is %q", answer)
	}
}

// What the server has read of a conversation it need not read again when the conversation goes on.
func TestRenderKeepsThePrefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		req := llm.Request{System: rapid.String().Draw(t, "system"), Tools: talk().Tools, Messages: []llm.Message{}}
		mode := rapid.SampledFrom([]llm.Mode{llm.PromptMode, llm.SchemaMode, llm.NativeMode}).Draw(t, "mode")
		last := Render(req, mode, nil)
		for i := range rapid.IntRange(1, 8).Draw(t, "n") {
			m := llm.Message{Text: rapid.String().Draw(t, "text"), Role: rapid.SampledFrom([]llm.Role{llm.UserRole, llm.AssistantRole, llm.ToolRole}).Draw(t, "role")}
			switch m.Role {
			case llm.AssistantRole:
				for j := range rapid.IntRange(0, 2).Draw(t, "calls") {
					m.Calls = append(m.Calls, llm.Call{ID: fmt.Sprint(i, j%2), Name: "now", Args: json.RawMessage(`{}`)})
				}
			case llm.ToolRole:
				m.CallID = fmt.Sprint(rapid.IntRange(0, 8).Draw(t, "call"), rapid.IntRange(0, 1).Draw(t, "nth"))
			}
			req.Messages = append(req.Messages, m)
			now := Render(req, mode, nil)
			if diff := cmp.Diff(last.Messages, now.Messages[:len(last.Messages)]); diff != "" || now.System != last.System || string(now.Format) != string(last.Format) {
				t.Fatalf("(-before +after):\n%s", diff)
			}
			last = now
		}
	})
}
