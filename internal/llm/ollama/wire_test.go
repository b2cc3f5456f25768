package ollama

import (
	"bytes"
	"encoding/json"
	"flag"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ollama/ollama/api"

	"hob/internal/golden"
	"hob/internal/llm"
)

var update = flag.Bool("update", false, "accept what is sent as the new testdata")

var (
	readFile = llm.ToolDefinition{Name: "read_file", Description: "Reads a file & shows <it>.", Parameters: json.RawMessage(
		`{"type":"object","properties":{"path":{"type":"string","description":"relative to the workspace"},"from":{"type":"integer","default":1,"minimum":1}},"required":["path"],"additionalProperties":false}`)}
	addEntity = llm.ToolDefinition{Name: "add_entity", Description: "Adds an entity.", Parameters: json.RawMessage(
		`{"type":"object","properties":{"zeta":{"type":"string","enum":["npc","object"]},"alpha":{"type":["null","array"],"items":{"type":"object","properties":{"z":{"type":"number"},"a":true},"required":["z"],"additionalProperties":false}},"anything":true,"nothing":false,"flag":{"type":"boolean","default":true}},"required":["zeta"],"additionalProperties":false}`)}
)

// wireCases are requests and the names of the files that hold their bytes on the wire.
var wireCases = []struct {
	file   string
	cfg    Config
	thinks bool
	req    llm.Request
}{
	{"minimal.json", Config{}, false, hello},
	{"frozen.json", Config{NumCtx: 4096, KeepAlive: -1, Shift: new(bool)}, false, llm.Request{
		System: "You are hob.", Options: llm.Options{Temperature: 0.2},
	}},
	{"tools.json", Config{}, false, llm.Request{
		System: "You are hob.", Tools: []llm.ToolDefinition{readFile, addEntity, {Name: "now", Description: "Tells the time."}},
		Messages: hello.Messages, Options: llm.Options{NumPredict: 512},
	}},
	{"conversation.json", Config{}, true, llm.Request{
		System: "You are hob.",
		Messages: []llm.Message{
			{Role: llm.UserRole, Text: "What is in <a> & b?\nПривет, 世界", Images: [][]byte{{0xff, 0xd8, 0xff}}},
			{Role: llm.AssistantRole, Text: "I look.", Thinking: "two files", Calls: []llm.Call{
				{ID: "call_1", Name: "read_file", Args: json.RawMessage(`{"path":"a","from":12345678901234567890,"nested":{"z":1,"a":[1.0,"<"]}}`)},
				{ID: "call_2", Name: "read_file", Args: json.RawMessage(`{}`), Repairs: []string{"never sent"}},
				{ID: "call_3", Name: "", Args: json.RawMessage(`"not an object"`)},
				{ID: "call_4", Name: "cut", Args: json.RawMessage(`{"path":`)},
				{ID: "call_5", Name: "none"},
				{ID: "call_6", Name: "no_float64", Args: json.RawMessage(`{"n":1e400}`)},
			}},
			{Role: llm.ToolRole, CallID: "call_1", ToolName: "read_file", Text: "contents"},
			{Role: llm.ToolRole, CallID: "call_2", ToolName: "read_file", Text: "error: /path is missing"},
			{Role: llm.AssistantRole, Text: "Done."},
		},
		Options: llm.Options{NumPredict: 1, Think: llm.ThinkHigh, Temperature: 1},
	}},
	{"sampling.json", Config{}, true, llm.Request{
		System: "You are hob.", Messages: hello.Messages, Options: llm.Options{NumPredict: 64, Think: llm.ThinkOn, Temperature: 0.6, Sampling: llm.Sampling{
			TopP: llm.Set(0.95), TopK: llm.Set(20), MinP: llm.Set(0), RepeatPenalty: llm.Set(1.05), PresencePenalty: llm.Set(1.5), FrequencyPenalty: llm.Set(-0.5),
		}},
	}},
	{"format.json", Config{}, false, llm.Request{
		System: "You are hob.", Messages: hello.Messages, Options: llm.Options{NumPredict: 64},
		Format: json.RawMessage(` {"type":"object", "required":["tool"], "properties":{"tool":{"enum":["read_file","<none>"]},"arguments":true}}`),
	}},
}

func TestWire(t *testing.T) {
	for _, tc := range wireCases {
		t.Run(tc.file, func(t *testing.T) {
			tc.cfg.Model = "tiny:1b"
			cfg := newClient(t, tc.cfg).cfg
			got, err := encode(cfg, tc.thinks, tc.req)
			if err != nil {
				t.Fatal(err)
			}
			golden.Check(t, *update, filepath.Join("testdata", tc.file), string(got))
			again, err := encode(cfg, tc.thinks, tc.req)
			if err != nil || !bytes.Equal(got, again) {
				t.Errorf("the same request gave other bytes the second time: %v", err)
			}
			// The server's own type reads what is sent.
			if err := json.Unmarshal(got, new(api.ChatRequest)); err != nil {
				t.Errorf("Ollama cannot read this: %v", err)
			}
		})
	}
}

// The next request of a conversation begins with the bytes of the one before: Ollama reads only what is new.
func TestWireIsAppendOnly(t *testing.T) {
	cfg := newClient(t, Config{Model: "tiny:1b"}).cfg
	req := wireCases[3].req
	var before []byte
	for n := range req.Messages {
		part := req
		part.Messages = req.Messages[:n+1]
		body, err := encode(cfg, true, part)
		if err != nil {
			t.Fatal(err)
		}
		if prefix := bytes.TrimSuffix(before, []byte("]}\n")); !bytes.HasPrefix(body, prefix) {
			t.Errorf("request %d does not begin with request %d", n+1, n)
		}
		before = body
	}
}

func TestThink(t *testing.T) {
	type row struct {
		Thinks bool
		Level  llm.Think
		Wire   any
	}
	want := []row{
		{true, "", false}, {true, llm.ThinkOff, false}, {true, llm.ThinkOn, true}, {true, llm.ThinkLow, "low"},
		{true, llm.ThinkMedium, "medium"}, {true, llm.ThinkHigh, "high"},
		{false, llm.ThinkOff, false}, {false, llm.ThinkOn, false}, {false, llm.ThinkHigh, false},
	}
	var got []row
	for _, r := range want {
		got = append(got, row{r.Thinks, r.Level, thinkValue(r.Thinks, r.Level)})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("think (-want +got):\n%s", diff)
	}
}

func TestNumPredictIsAlwaysBounded(t *testing.T) {
	got := []int{numPredict(8192, 0), numPredict(8192, -1), numPredict(8192, 77), numPredict(131072, 0), numPredict(2, 0)}
	if diff := cmp.Diff([]int{2048, 2048, 77, 4096, 1}, got); diff != "" {
		t.Errorf("num_predict (-want +got):\n%s", diff)
	}
}

// A tool that Ollama could not read is named, before it spoils every request.
func TestEncodeRefuses(t *testing.T) {
	cfg := newClient(t, Config{Model: "tiny:1b"}).cfg
	for schema, want := range map[string]string{
		`{"type":`: `encode tool "x": its parameters are not a schema that Ollama can read: it is not a JSON object`,
		`true`:     `encode tool "x": its parameters are not a schema that Ollama can read: it is not a JSON object`,
		`{"type":"object","required":"path"}`: `encode tool "x": its parameters are not a schema that Ollama can read: ` +
			`json: cannot unmarshal string into Go struct field ToolFunctionParameters.required of type []string`,
	} {
		_, err := encode(cfg, false, llm.Request{Tools: []llm.ToolDefinition{{Name: "x", Parameters: json.RawMessage(schema)}}})
		if err == nil || err.Error() != want {
			t.Errorf("schema %s: error %v", schema, err)
		}
	}
}

// A format is JSON Schema, for replies in which no tool can be called.
func TestEncodeRefusesFormats(t *testing.T) {
	cfg := newClient(t, Config{Model: "tiny:1b"}).cfg
	for name, c := range map[string]struct {
		req  llm.Request
		want string
	}{
		"with tools": {llm.Request{Format: json.RawMessage(`{"type":"object"}`), Tools: []llm.ToolDefinition{readFile}},
			"encode format: a reply cannot have both tools and a format; leave one of them out"},
		"a word":     {llm.Request{Format: json.RawMessage(`"json"`)}, "encode format: it is not a JSON object"},
		"half of it": {llm.Request{Format: json.RawMessage(`{"type":`)}, "encode format: it is not a JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := encode(cfg, false, c.req); err == nil || err.Error() != c.want {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}

// Whatever a schema is, its rewriting is JSON, keeps everything but boolean subschemas, and is stable.
func FuzzPlainSchema(f *testing.F) {
	f.Add([]byte(addEntity.Parameters))
	f.Add([]byte(`{"properties":{"a":true,"a":false},"anyOf":[true,{"items":{"properties":{"x":false}}}],"default":true}`))
	f.Add([]byte(`{"properties":[true],"anyOf":{"x":true},"items":[false],"$defs":{"d":true}}`))
	f.Fuzz(func(t *testing.T, schema []byte) {
		once, err := plainSchema(schema)
		if err != nil {
			return
		}
		if err := json.Unmarshal(once, new(api.ToolFunctionParameters)); err != nil {
			t.Fatalf("Ollama cannot read it: %v\n%s", err, once)
		}
		twice, err := plainSchema(once)
		if err != nil || !bytes.Equal(compact(t, once), compact(t, twice)) {
			t.Fatalf("not stable: %v\n%s\n%s", err, once, twice)
		}
	})
}

func compact(t *testing.T, raw []byte) []byte {
	var out bytes.Buffer
	if err := json.Compact(&out, raw); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
