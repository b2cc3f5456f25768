package toolcall

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/schema"
)

func TestStructured(t *testing.T) {
	type result struct {
		Name, Args, Answer string
		Repairs            []string
		Problems           []schema.Problem
		OK                 bool
	}
	o := kitchen()
	for _, test := range []struct {
		name, text string
		want       result
	}{
		{"a call", `{"thought":"I look","tool":"get_weather","arguments":{"city":"Paris"}}`,
			result{Name: "get_weather", Args: `{"city":"Paris"}`, OK: true}},
		{"an answer", `{"thought":"done","tool":"answer","arguments":{},"answer":"It \"rains\"."}`, result{Answer: `It "rains".`, OK: true}},
		{"an answer without a tool", `{"answer":"It rains."}`, result{Answer: "It rains.", OK: true}},
		{"an answer beside no tool", `{"tool":"none","answer":"It rains."}`, result{Answer: "It rains.", OK: true}},
		{"an answer as an argument", `{"thought":"","tool":"Answer","arguments":{"text":"It rains."}}`, result{Answer: "It rains.", OK: true}},
		{"an answer that is data", `{"tool":"answer","answer":{"rain":true}}`, result{Answer: `{"rain":true}`, OK: true}},
		{"nothing said", `{"thought":"hm","tool":"answer"}`, result{OK: true}},
		{"a call beside an answer", `{"tool":"get_weather","arguments":{"city":"Paris"},"answer":"It rains."}`,
			result{Name: "get_weather", Args: `{"city":"Paris"}`, OK: true}},
		{"arguments beside the tool", `{"thought":"","tool":"get_weather","city":"Paris","days":"2"}`,
			result{Name: "get_weather", Args: `{"city":"Paris","days":2}`, Repairs: []string{`days: "2" became 2`}, OK: true}},
		{"arguments as a text", `{"tool":"get_weather","arguments":"{\"city\":\"Paris\"}"}`,
			result{Name: "get_weather", Args: `{"city":"Paris"}`, Repairs: []string{"its arguments were JSON in a string"}, OK: true}},
		{"other names", `{"name":"get_weather","parameters":{"city":"Paris"}}`, result{Name: "get_weather", Args: `{"city":"Paris"}`, OK: true}},
		{"names of a chain of thought", `{"action":"get_weather","action_input":{"city":"Paris"}}`, result{Name: "get_weather", Args: `{"city":"Paris"}`, OK: true}},
		{"no arguments", `{"thought":"","tool":"now"}`, result{Name: "now", Args: `{}`, OK: true}},
		{"in a fence, damaged", "```json\n{'tool': 'get_weather', 'arguments': {'city': 'Paris'},}\n```", result{Name: "get_weather", Args: `{"city":"Paris"}`,
			Repairs: []string{"its quotes were '", "a comma stood before a closing bracket", "before its JSON stood ```json", "after its JSON stood ```"}, OK: true}},
		{"cut off in the arguments", `{"thought":"","tool":"get_weather","arguments":{"city":"Par`,
			result{Name: "get_weather", Args: `{}`, Problems: []schema.Problem{{Kind: schema.Format, Text: cutOff}}, OK: true}},
		{"cut off behind the arguments", `{"tool":"write_file","arguments":{"path":"a","content":"b"}`,
			result{Name: "write_file", Args: `{}`, Problems: []schema.Problem{{Kind: schema.Format, Text: cutOff}}, OK: true}},
		{"an unknown tool", `{"tool":"open_file","arguments":{}}`, result{Name: "open_file", Args: `{}`, OK: true, Problems: []schema.Problem{{Kind: schema.Value,
			Text: `there is no tool "open_file"; the tools are read_file, write_file, search_files, now, store, forward, get_weather`}}}},
		{"words", `It rains.`, result{}},
		{"a list", `[1]`, result{}},
		{"another object", `{"city":"Paris"}`, result{}},
		{"nothing", ``, result{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			calls, answer, ok := o.structured(test.text)
			got := result{Answer: answer, OK: ok}
			for _, f := range calls {
				c := o.mend(f, false)
				got.Name, got.Args, got.Repairs, got.Problems = c.Name, string(c.Args), c.Repairs, c.Problems
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.text, diff)
			}
		})
	}
}
