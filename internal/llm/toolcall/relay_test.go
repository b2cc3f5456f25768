package toolcall_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"hob/internal/llm"
	"hob/internal/llm/toolcall"
)

// What the relay calls is read as a call of the other tool, in whatever form a model gives it.
func TestRelay(t *testing.T) {
	def := func(name, params string) llm.ToolDefinition {
		return llm.ToolDefinition{Name: name, Parameters: json.RawMessage(params)}
	}
	reads := func(name string) bool { return name == "pay" }
	told := []llm.ToolDefinition{
		def("read_file", `{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}`),
		def("call_tool", `{"type":"object","properties":{"name":{"type":"string"},"args":{"type":"object"}},"required":["name"],"additionalProperties":false}`),
	}
	weather := def("get_weather",
		`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"],"additionalProperties":false}`)
	offer := toolcall.NewOffer(told, reads).Beyond(always(weather, def("pay", `{"type":"object","properties":{}}`)), reads, "call_tool")
	const city = `{"city":"Bonn"}`
	for given, want := range map[string]string{
		`{"name":"get_weather","args":{"city":"Bonn"}}`:                                    city,
		`{"name":"get_weather","arguments":{"city":"Bonn"}}`:                               city,
		`{"tool":"get_weather","parameters":{"city":"Bonn","days":"2"}}`:                   `{"city":"Bonn","days":2}`,
		`{"name":"get_weather","args":"{\"city\":\"Bonn\"}"}`:                              city,
		`{"name":"get_weather","city":"Bonn"}`:                                             city,
		`{"name":"get_weather","args":{"name":"get_weather","arguments":{"city":"Bonn"}}}`: city,
		`"{\"name\":\"get_weather\",\"args\":{\"city\":\"Bonn\"}}"`:                        city,
		`{"name":"get_weather","args":{"town":"Bonn"}}`:                                    "",
		`{"name":"get_weather"}`:                                                           "",
		`{"name":"getweather","args":{"city":"Bonn"}}`:                                     "",
		`{"name":"call_tool","args":{"name":"get_weather","args":{"city":"Bonn"}}}`:        city,
		`{"args":{"city":"Bonn"}}`:                                                         "",
		`{"name":"read_file","args":{"path":"a"}}`:                                         `{"path":"a"}`,
	} {
		got := offer.Read(toolcall.Wire{Message: llm.Message{Calls: []llm.Call{{ID: "1", Name: "call_tool", Args: json.RawMessage(given)}}}})
		if len(got.Calls) != 1 || got.Calls[0].ID != "1" {
			t.Errorf("%s: %+v", given, got)
			continue
		}
		c := got.Calls[0]
		if c.Valid() != (want != "") || want != "" && string(c.Args) != want {
			t.Errorf("%s: %s(%s) %v", given, c.Name, c.Args, c.Problems)
		}
	}
	// A model that has read of a tool calls it by its name, also where it was not told of it.
	got := offer.Read(toolcall.Wire{Message: llm.Message{Calls: []llm.Call{{Name: "get_weather", Args: json.RawMessage(city)}}}})
	if len(got.Calls) != 1 || !got.Calls[0].Valid() || got.Calls[0].Name != "get_weather" {
		t.Errorf("%+v", got)
	}
	// Nothing merely resembles one.
	got = offer.Read(toolcall.Wire{Message: llm.Message{Calls: []llm.Call{{Name: "get_weathr", Args: json.RawMessage(city)}}}})
	if len(got.Calls) != 1 || got.Calls[0].Valid() {
		t.Errorf("%+v", got)
	}
}

// Calls within calls are read as far as models write them.
func TestRelayInDepth(t *testing.T) {
	def := func(name, params string) llm.ToolDefinition {
		return llm.ToolDefinition{Name: name, Parameters: json.RawMessage(params)}
	}
	offer := toolcall.NewOffer([]llm.ToolDefinition{def("call_tool", `{"type":"object","properties":{"name":{"type":"string"},"args":{"type":"object"}},"required":["name"]}`)}, nil).
		Beyond(always(def("now", `{"type":"object","properties":{}}`)), nil, "call_tool")
	for depth, valid := range map[int]bool{1: true, 3: true, 2000: false} {
		args := strings.Repeat(`{"name":"call_tool","args":`, depth) + `{"name":"now"}` + strings.Repeat("}", depth)
		got := offer.Read(toolcall.Wire{Message: llm.Message{Calls: []llm.Call{{ID: "1", Name: "call_tool", Args: json.RawMessage(args)}}}})
		if len(got.Calls) != 1 || (got.Calls[0].Valid() && got.Calls[0].Name == "now") != valid {
			t.Errorf("%d calls deep it is %.100v", depth, got.Calls)
		}
	}
}

func always(defs ...llm.ToolDefinition) func(name string) (llm.ToolDefinition, bool) {
	return func(name string) (llm.ToolDefinition, bool) {
		i := slices.IndexFunc(defs, func(def llm.ToolDefinition) bool { return def.Name == name })
		if i < 0 {
			return llm.ToolDefinition{}, false
		}
		return defs[i], true
	}
}
