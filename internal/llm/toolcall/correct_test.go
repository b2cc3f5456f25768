package toolcall

import (
	"encoding/json"
	"strings"
	"testing"

	"hob/internal/llm"
	"hob/internal/schema"
)

func TestMini(t *testing.T) {
	for parameters, want := range map[string]string{
		`{"type":"object","properties":{"path":{"type":"string"},"offset":{"type":"integer","minimum":0},"mode":{"enum":["create","append"]}},"required":["path"]}`: "f(path: string, offset?: integer 0.., mode?: create|append)",
		``: "f()",
		`{"type":"object","properties":{"z":{"type":"array","items":{"type":"string"}},"a":{"type":"number","minimum":0.5,"maximum":2},"m":{"type":"integer","maximum":9}},"required":["z","a"]}`: "f(z: string[], a: number 0.5..2, m?: integer ..9)",
		`{"type":"object","properties":{"when":{"type":"string","format":"date"},"on":{"type":"boolean"},"x":{},"n":{"type":["integer","null"]}}}`:                                                `f(when?: string date, on?: boolean, x?: any, n?: integer|null)`,
		`{"type":"object","properties":{"to":{"type":"object","properties":{"name":{"type":"string"},"at":{"type":"object","properties":{"x":{"type":"number"}}}},"required":["name"]}}}`:         "f(to?: {at?: {x?: number}, name: string})",
		`{"type":"object","properties":{"l":{"type":"array","items":{"enum":["a","b"]}},"o":{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer"}}}}}}`:                   "f(l?: (a|b)[], o?: {n?: integer}[])",
		`{"$ref":"#/$defs/a","$defs":{"a":{"properties":{"c":{"const":3},"b":{"anyOf":[{"type":"integer"},{"type":"string"}]}}}}}`:                                                                "f(b?: integer|string, c?: 3)",
		`{"type":"object","properties":{"e":{"enum":[1,2,3,4,5,6,7,8,9,10,11,12,13]}}}`:                                                                                                           "f(e?: 1|2|3|4|5|6|7|8|9|10|11|12|...)",
	} {
		o := NewOffer([]llm.ToolDefinition{{Name: "f", Parameters: json.RawMessage(parameters)}}, nil)
		if got := o.Mini("f"); got != want {
			t.Errorf("%s is %s, want %s", parameters, got, want)
		}
	}
	if got := kitchen().Mini("open_file"); got != "" {
		t.Errorf("a tool that there is not is %q", got)
	}
}

func TestCorrection(t *testing.T) {
	o := kitchen()
	call := func(tool, args string, whole bool) Call {
		return o.mend(found{name: tool, args: args, whole: whole}, !whole)
	}
	looks := Call{Call: llm.Call{Name: "write_file", Args: []byte(`{"path":"a"}`)}, Problems: []schema.Problem{{Text: AskedAgain}}}
	const form = "\nThe form, with an example:\n"
	const weather = `<tool_call>{"name": "get_weather", "arguments": {"city": "Paris", "days": 1}}</tool_call>`
	for _, test := range []struct {
		name    string
		call    Call
		mode    llm.Mode
		attempt int
		want    string
	}{
		{"a wrong value", call("get_weather", `{"days":"many"}`, true), "", 1,
			`error: city: is required; days: must be an integer, not "many". Nothing was done. ` +
				`Correct the arguments and call get_weather again.` + form + weather + ` (attempt 1 of 3)`},
		{"the same once more", call("get_weather", `{"days":"many"}`, true), "", 2,
			`error: city: is required; days: must be an integer, not "many". Nothing was done. ` +
				`Correct the arguments and call get_weather again.` + form + weather +
				"\nThe same arguments will fail again. Change what the error names. (attempt 2 of 3)"},
		{"the last time, in the prompt", call("get_weather", `{}`, true), llm.PromptMode, 3,
			`error: city: is required. Nothing was done. Correct the arguments and call get_weather again.` + form +
				`{"tool":"get_weather","arguments":{"city":"Paris"}}` +
				"\nThis is the last attempt. If you do not know a value, say so in plain words. (attempt 3 of 3)"},
		{"no JSON", call("read_file", `the file a`, true), "", 1,
			`error: the arguments are not JSON: invalid character 'h' in literal true (expecting 'r'), in the file a. Nothing was done. ` +
				`Correct the arguments and call read_file again.` + form +
				`<tool_call>{"name": "read_file", "arguments": {"path": "notes.txt"}}</tool_call> (attempt 1 of 3)`},
		{"cut off", call("write_file", `{"path":"a","content":"x`, false), "", 1,
			`error: the call was cut off before its end. Nothing was done. ` +
				`Call write_file again with shorter arguments. Do the rest with another call. (attempt 1 of 3)`},
		{"an unknown tool, by schema", call("open_file", `{"path":"a"}`, true), llm.SchemaMode, 2,
			`error: there is no tool "open_file"; the tools are read_file, write_file, search_files, now, store, forward, get_weather. ` +
				`Call one of these tools, or answer in plain words.` + form +
				`{"thought": "I call read_file.", "tool": "read_file", "arguments": {"path": "notes.txt"}} (attempt 2 of 3)`},
		{"what looks like a call that acts", looks, llm.PromptMode, 1,
			`error: your text looks like a call of write_file. It was not run. If you need the tool, call it in the right form. ` +
				`If not, answer in plain words.` + form + `{"tool":"write_file","arguments":{"path":"a","content":"<content>"}} (attempt 1 of 3)`},
	} {
		if got := o.Correction(Form{Mode: test.mode}, test.call, test.attempt); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
	none := NewOffer(nil, nil)
	if got, want := none.Correction(Form{}, none.mend(found{name: "x", args: "{}", whole: true}, false), 1),
		`error: there is no tool "x"; there are no tools. Nothing was done. Answer in plain words. (attempt 1 of 3)`; got != want {
		t.Errorf("without tools: %s", got)
	}
}

// A correction is short however much was wrong, and no two attempts get the same one.
func TestCorrectionIsShort(t *testing.T) {
	o := kitchen()
	args := `{"days":"` + strings.Repeat("é", 5_000) + `"`
	for i := range 50 {
		args += `,"x` + strings.Repeat("y", i) + `":1`
	}
	c := o.mend(found{name: "get_weather", args: args + "}", whole: true}, false)
	seen := map[string]bool{}
	for attempt := 1; attempt <= 5; attempt++ {
		text := o.Correction(Form{}, c, attempt)
		if seen[text] {
			t.Errorf("attempt %d is told what another one was: %s", attempt, text)
		}
		seen[text] = true
		if len(text) > 1_500 {
			t.Errorf("%d bytes: %s", len(text), text)
		}
		if !strings.Contains(text, "and 46 more") {
			t.Errorf("it does not say that there is more: %s", text)
		}
		if !json.Valid([]byte(quote(text))) || strings.ContainsRune(text, '\uFFFD') {
			t.Errorf("cut inside of a letter: %s", text)
		}
	}
}
