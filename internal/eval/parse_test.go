package eval

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"hob/internal/llm/profile"
)

// Ten thousand lines of what no model should write, and of what models do write broken to pieces: each has its answer, in
// order, and no answer contradicts itself.
func TestParseTenThousandLines(t *testing.T) {
	const lines = 10_000
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{`{"name": "read_file", "arguments": {"path": "a"}}`, `<tool_call>`, `</tool_call>`, `<function=read_file>`, `<parameter=path>`,
		`</parameter>`, `[TOOL_CALLS]`, `[read_file(path="a")]`, "```json\n", "```", `<think>`, `</think>`, `{`, `}`, `[`, `]`, `"`, `\`, "\n", `<|im_end|>`,
		"Action: read_file\nAction Input: ", "call:read_file{path:<escape>a<escape>}", "\x00\xff", "你好", "🙂", strings.Repeat("{[", 500), `"arguments":`, " and then "}
	tools := `[{"type":"function","function":{"name":"read_file","parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}}]`
	var in bytes.Buffer
	for i := range lines {
		var raw strings.Builder
		for range random.IntN(12) {
			piece := pieces[random.IntN(len(pieces))]
			raw.WriteString(piece[random.IntN(len(piece)):])
		}
		text, err := json.Marshal(raw.String())
		if err != nil {
			t.Fatal(err)
		}
		in.WriteString(`{"raw":` + string(text) + `,"tools":` + tools)
		switch i % 7 {
		case 0:
			in.WriteString(`,"done_reason":"length"`)
		case 1:
			in.WriteString(`,"thinking":` + string(text))
		case 2:
			in.WriteString(`,"error":` + string(text))
		case 3:
			in.WriteString(`,"profile":"schema","tool_calls":[{"function":{"name":"read_file","arguments":` + string(text) + `}}]`)
		case 4:
			in.WriteString(`,"user":7,"tools":null,"unknown":{}`)
		}
		in.WriteString("}\n")
	}
	book, err := profile.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := ParseLines(t.Context(), &in, &out, book); err != nil {
		t.Fatal(err)
	}
	answers := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	if len(answers) != lines {
		t.Fatalf("%d answers to %d lines", len(answers), lines)
	}
	for i, line := range answers {
		var p ParsedLine
		if err := json.Unmarshal(line, &p); err != nil {
			t.Fatalf("answer %d: %v", i+1, err)
		}
		valid := len(p.Calls) > 0
		for _, c := range p.Calls {
			valid = valid && c.Valid
		}
		if p.Class == "calls" && !valid || p.Class == "malformed" && len(p.Errors) == 0 || strings.Contains(p.Text, "<think>") {
			t.Errorf("answer %d: %s", i+1, line)
		}
	}
}
