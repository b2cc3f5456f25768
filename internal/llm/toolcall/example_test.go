package toolcall

import (
	"encoding/json"
	"strings"
	"testing"

	"hob/internal/llm"
	"hob/internal/llm/profile"
)

// An example is in the form in which the model is asked, with what the call had that was right.
func TestExample(t *testing.T) {
	o := kitchen()
	call := func(tool, args string) Call { return o.mend(found{name: tool, args: args, whole: true}, false) }
	const tag, xml = "<tool_call>", `<tool_call><function=get_weather><parameter=city>Paris</parameter></function></tool_call>`
	for _, test := range []struct {
		name string
		form Form
		call Call
		want string
	}{
		{"no tool", Form{}, Call{}, tag + `{"name": "read_file", "arguments": {"path": "notes.txt"}}</tool_call>`},
		{"what was right stays", Form{}, call("search_files", `{"pattern":"egg","limit":"x"}`),
			tag + `{"name": "search_files", "arguments": {"pattern": "egg", "limit": 1}}</tool_call>`},
		{"unknown arguments go", Form{}, call("read_file", `{"speed":"a"}`), tag + `{"name": "read_file", "arguments": {"path": "notes.txt"}}</tool_call>`},
		{"an enum", Form{}, call("get_weather", `{"city":"Rome","unit":"k"}`),
			tag + `{"name": "get_weather", "arguments": {"city": "Rome", "unit": "celsius"}}</tool_call>`},
		{"a tool that acts", Form{}, call("write_file", `{"content":"`+strings.Repeat("x", 200)+`"}`),
			tag + `{"name": "write_file", "arguments": {"path": "<path>", "content": "<content>"}}</tool_call>`},
		{"in the prompt", Form{Mode: llm.PromptMode, Own: xml}, Call{}, `{"tool":"read_file","arguments":{"path":"notes.txt"}}`},
		{"by schema", Form{Mode: llm.SchemaMode, Own: xml}, Call{}, `{"thought": "I call read_file.", "tool": "read_file", "arguments": {"path": "notes.txt"}}`},
		{"its own XML", Form{Own: xml}, call("get_weather", `{"days":3,"city":"Rome"}`),
			`<tool_call><function=get_weather><parameter=city>Rome</parameter><parameter=days>3</parameter></function></tool_call>`},
		{"its own Python", Form{Own: `[get_weather(city="Paris")]`}, call("get_weather", `{"days":3,"city":"Ro\"me"}`), `[get_weather(city="Ro\"me", days=3)]`},
		{"its own quotes", Form{Own: `<|tool_call>call:get_weather{city:<|"|>Paris<|"|>}<tool_call|>`}, call("get_weather", `{"days":3,"city":"Rome"}`),
			`<|tool_call>call:get_weather{city:<|"|>Rome<|"|>,days:3}<tool_call|>`},
		{"a form of its own that names no get_weather", Form{Own: "call:x{}"}, Call{}, tag + `{"name": "read_file", "arguments": {"path": "notes.txt"}}</tool_call>`},
	} {
		if got := o.Example(test.form, test.call); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

// The tool that an example calls only looks, and is not the one that calls others.
func TestExampleIsHarmless(t *testing.T) {
	none := json.RawMessage(`{"type":"object","properties":{}}`)
	defs := []llm.ToolDefinition{{Name: "call_tool", Parameters: none}, {Name: "delete", Parameters: none}, {Name: "list", Parameters: none}}
	looks := func(names ...string) *Offer {
		return NewOffer(defs, func(tool string) bool { return !strings.Contains(strings.Join(names, " "), tool) }).Beyond(
			func(string) (llm.ToolDefinition, bool) { return llm.ToolDefinition{}, false }, nil, "call_tool")
	}
	if got, want := looks("call_tool", "list").Example(Form{Mode: llm.PromptMode}, Call{}), `{"tool":"list","arguments":{}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := looks("call_tool").Example(Form{}, Call{}); got != "" {
		t.Errorf("no tool only looks, and the example is %s", got)
	}
}

// Each form of the profiles that come with hob can be filled in with any tool, and hob itself reads the call that it shows.
func TestExampleOfEachProfile(t *testing.T) {
	book, err := profile.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	o := kitchen()
	for _, model := range []string{"qwen3:4b", "qwen3-coder:30b", "qwen3.5:4b", "gemma4:e4b", "functiongemma:270m", "lfm2.5:1.2b", "ministral-3:8b", "glm-4.7:9b", "olmo3:7b", "gpt-oss:20b"} {
		own := book.For(profile.Facts{Model: model, Tools: true}).Example
		call := o.mend(found{name: "search_files", args: `{"pattern":"egg","limit":3}`, whole: true}, false)
		text := o.Example(Form{Own: own}, call)
		r := o.Read(Wire{Message: llm.Message{Role: llm.AssistantRole, Text: text}})
		if len(r.Calls) != 1 || !r.Calls[0].Valid() || r.Calls[0].Name != "search_files" || string(r.Calls[0].Args) != `{"pattern":"egg","limit":3}` {
			t.Errorf("%s: hob reads %s as %+v", model, text, r)
		}
	}
}
