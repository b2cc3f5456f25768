package toolcall

import (
	"encoding/json"
	"strings"
	"testing"

	"hob/internal/llm"
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
	for _, test := range []struct {
		name    string
		call    Call
		attempt int
		want    string
	}{
		{"a wrong value", call("get_weather", `{"days":"many"}`, true), 1,
			`error: city: is required; days: must be an integer, not "many". Expected: get_weather(city: string, days?: integer, unit?: celsius|fahrenheit). ` +
				`Got: {"days":"many"}. Call get_weather again with corrected arguments (attempt 1 of 3).`},
		{"the same once more", call("get_weather", `{"days":"many"}`, true), 2,
			`error: city: is required; days: must be an integer, not "many". Expected: get_weather(city: string, days?: integer, unit?: celsius|fahrenheit). ` +
				`Got: {"days":"many"}. Call get_weather again with corrected arguments (attempt 2 of 3). ` +
				`The same arguments will be refused again: change what the error names.`},
		{"the last time", call("get_weather", `{}`, true), 3,
			`error: city: is required. Expected: get_weather(city: string, days?: integer, unit?: celsius|fahrenheit). ` +
				`Got: {}. Call get_weather again with corrected arguments (attempt 3 of 3). ` +
				`This is the last attempt: if you do not know a value, say so in plain words instead of calling.`},
		{"no JSON", call("read_file", `the file a`, true), 1,
			`error: the arguments are not JSON: invalid character 'h' in literal true (expecting 'r'), in the file a. Expected: read_file(path: string, offset?: integer 0..). ` +
				`Call read_file again with corrected arguments (attempt 1 of 3).`},
		{"cut off", call("write_file", `{"path":"a","content":"x`, false), 1,
			`error: the call was cut off before its end, and nothing was done. Expected: write_file(path: string, content: string, append?: boolean). ` +
				`Call write_file again with shorter arguments, and do the rest with another call (attempt 1 of 3).`},
		{"unknown", call("reads_file", `{}`, true), 1, ""}, // it resolves: nothing is wrong with the name
		{"unknown tool", call("open_file", `{}`, true), 2,
			`error: there is no tool "open_file"; the tools are read_file, write_file, search_files, now, store, forward, get_weather. ` +
				`Call one of these, or answer in plain words (attempt 2 of 3).`},
	} {
		if test.want == "" {
			if test.call.Name != "read_file" {
				t.Errorf("%s: got %s", test.name, test.call.Name)
			}
			continue
		}
		if got := o.Correction(test.call, test.attempt); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
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
		text := o.Correction(c, attempt)
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
		if _, got, _ := strings.Cut(text, "Got: "); len(got[:strings.Index(got, "... Call")]) > mostGot {
			t.Errorf("it repeats too much: %s", got)
		}
		if !json.Valid([]byte(quote(text))) || strings.ContainsRune(text, '\uFFFD') {
			t.Errorf("cut inside of a letter: %s", text)
		}
	}
}
