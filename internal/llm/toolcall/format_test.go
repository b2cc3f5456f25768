package toolcall

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
	"hob/internal/schema"
)

// Each tool has a branch of the format, with the schema of its arguments as far as a grammar can have it.
func TestFormat(t *testing.T) {
	const any = anything
	for _, c := range []struct{ name, parameters, want string }{
		{"no arguments", `{"type":"object","properties":{}}`, `{"type":"object","properties":{},"required":[]}`},
		{"in their order", `{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer","minimum":0}},"required":["z"]}`,
			`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer"}},"required":["z"]}`},
		{"no patterns, no formats", `{"type":"object","properties":{"d":{"type":"string","format":"date","pattern":"^x","maxLength":3}}}`,
			`{"type":"object","properties":{"d":{"type":"string"}},"required":[]}`},
		{"enum and const", `{"type":"object","properties":{"a":{"enum":["x",1,null]},"b":{"const":true}}}`,
			`{"type":"object","properties":{"a":{"enum":["x",1,null]},"b":{"enum":[true]}},"required":[]}`},
		{"one of several", `{"type":"object","properties":{"a":{"type":["integer","null"]},"b":{"oneOf":[{"type":"string"},{"type":"array","items":{"type":"number"}}]}}}`,
			`{"type":"object","properties":{"a":{"anyOf":[{"type":"integer"},{"type":"null"}]},"b":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"number"}}]}},"required":[]}`},
		{"anything", `{"type":"object","properties":{"a":{},"b":{"type":"array"},"c":{"type":"object"},"d":true}}`,
			`{"type":"object","properties":{"a":` + any + `,"b":{"type":"array","items":` + any + `},"c":{"type":"object"},"d":` + any + `},"required":[]}`},
		{"unknown names", `{"type":"object","properties":{},"additionalProperties":true}`, `{"type":"object"}`},
		{"references", `{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"b":{"$ref":"#/$defs/c"}},"required":["b"]},"c":{"type":"string"}}}`,
			`{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]}`},
	} {
		got := Render(llm.Request{Tools: []llm.ToolDefinition{{Name: "f", Parameters: json.RawMessage(c.parameters)}}}, llm.SchemaMode, nil)
		want := `{"anyOf":[{"type":"object","properties":{"thought":{"type":"string"},"tool":{"const":"f"},"arguments":` + c.want +
			`},"required":["thought","tool","arguments"]},` +
			`{"type":"object","properties":{"thought":{"type":"string"},"tool":{"const":"answer"},"answer":{"type":"string"}},"required":["thought","tool","answer"]}]}`
		if diff := cmp.Diff(want, string(got.Format)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if want := `{"type":"object","properties":{"thought":{"type":"string"},"tool":{"type":"string","enum":["f","answer"]},` +
			`"arguments":{"type":"object"},"answer":{"type":"string"}},"required":["thought","tool"]}`; string(got.SimpleFormat) != want {
			t.Errorf("simple: %s", got.SimpleFormat)
		}
	}
}

// What the format allows is what a reply needs: the name of a tool, all that it requires, and nothing else.
func TestFormatIsTyped(t *testing.T) {
	var branches struct{ AnyOf []json.RawMessage }
	if err := json.Unmarshal(kitchen().format(), &branches); err != nil {
		t.Fatal(err)
	}
	fits := func(reply string) bool {
		for _, b := range branches.AnyOf {
			if _, problems, err := schema.New(b).Check(json.RawMessage(reply)); err == nil && len(problems) == 0 {
				return true
			}
		}
		return false
	}
	call := func(tool, arguments string) string {
		return fmt.Sprintf(`{"thought":"x","tool":%q,"arguments":%s}`, tool, arguments)
	}
	for reply, want := range map[string]bool{
		call("read_file", `{"path":"a"}`):                       true,
		call("read_file", `{"path":"a","offset":3}`):            true,
		call("get_weather", `{"city":"a","unit":"celsius"}`):    true,
		call("now", `{}`):                                       true,
		`{"thought":"x","tool":"answer","answer":"It rains."}`:  true,
		`{"thought":"x","tool":"read_file"}`:                    false,
		call("read_file", `{}`):                                 false,
		call("read_file", `{"path":["a"]}`):                     false,
		call("read_file", `{"path":"a","offset":"3"}`):          false,
		call("read_file", `{"city":"a"}`):                       false,
		call("get_weather", `{"city":"a","unit":"kelvin"}`):     false,
		call("open_file", `{"path":"a"}`):                       false,
		`{"thought":"x","tool":"answer"}`:                       false,
		`{"tool":"answer","answer":"It rains."}`:                false,
		`{"thought":"x","tool":"answer","arguments":{"a":"b"}}`: false,
	} {
		if fits(reply) != want {
			t.Errorf("%s fits: %t", reply, !want)
		}
	}
}
