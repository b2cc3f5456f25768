package toolcall

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"hob/internal/llm"
)

// Each line: the schema of the optional argument x, the value it is given, the value it becomes ("same" is as it was, "-"
// is left out), and ! if the call does not fit then.
const coercions = `
integer                                   | "5"                     | 5
integer                                   | "-5"                    | -5
integer                                   | "0"                     | 0
integer                                   | "5.0"                   | 5
integer                                   | "5.000"                 | 5
integer                                   | 5.0                     | 5
integer                                   | 5e0                     | 5
integer                                   | 12345678901234567890    | same
integer                                   | "12345678901234567890"  | 12345678901234567890
integer                                   | "9007199254740993.0"    | 9007199254740993
integer                                   | 9007199254740993        | same
integer                                   | "5 apples"              | same !
integer                                   | "5.5"                   | same !
integer                                   | 5.5                     | same !
integer                                   | "5e3"                   | same !
integer                                   | "007"                   | same !
integer                                   | "+5"                    | same !
integer                                   | " 5"                    | same !
integer                                   | "0x10"                  | same !
integer                                   | "1,000"                 | same !
integer                                   | "five"                  | same !
integer                                   | "1e400"                 | same !
integer                                   | "5.00000000000000000001" | same !
integer                                   | true                    | same !
integer                                   | [5]                     | same !
integer                                   | ""                      | -
integer                                   | " "                     | same !
integer                                   | null                    | -
number                                    | "5.25"                  | 5.25
number                                    | "5"                     | 5
number                                    | "1e3"                   | 1000
number                                    | "0.1000000000000000001" | 0.1000000000000000001
number                                    | "1e400"                 | same !
number                                    | "NaN"                   | same !
number                                    | "Infinity"              | same !
number                                    | ".5"                    | same !
number                                    | "5."                    | same !
number                                    | "5%"                    | same !
number                                    | 5                       | same
boolean                                   | "true"                  | true
boolean                                   | "True"                  | true
boolean                                   | "false"                 | false
boolean                                   | "False"                 | false
boolean                                   | "yes"                   | same !
boolean                                   | "1"                     | same !
boolean                                   | 1                       | same !
boolean                                   | 0                       | same !
boolean                                   | ""                      | -
string                                    | 5                       | "5"
string                                    | 5.50                    | "5.50"
string                                    | 1e400                   | "1e400"
string                                    | 12345678901234567890123 | "12345678901234567890123"
string                                    | true                    | "true"
string                                    | ""                      | same
string                                    | " x "                   | same
string                                    | "2024-13-45"            | same
string                                    | "[1,2]"                 | same
string                                    | "null"                  | same
string                                    | null                    | -
string                                    | {"a":1}                 | same !
string                                    | ["a"]                   | same !
{"type":"string","format":"date"}         | "tomorrow"              | same
{"type":"string","format":"date"}         | "01/02/03"              | same
{"enum":["celsius","fahrenheit"]}         | "Celsius"               | "celsius"
{"enum":["celsius","fahrenheit"]}         | " CELSIUS\n"            | "celsius"
{"enum":["celsius","fahrenheit"]}         | "c"                     | same !
{"enum":["celsius","fahrenheit"]}         | ""                      | -
{"enum":["celsius","fahrenheit"]}         | null                    | -
{"enum":["celsius","fahrenheit",""]}      | ""                      | same
{"enum":["a","A"]}                        | "A"                     | same
{"enum":["aa","AA"]}                      | "Aa"                    | same !
{"type":"string","enum":["1","2"]}        | 1                       | "1"
{"type":"integer","enum":[1,2]}           | "2"                     | 2
{"enum":[true,"on"]}                      | "True"                  | true
{"const":"json"}                          | "JSON"                  | "json"
{"enum":["read-only"]}                    | "read_only"             | same !
[string]                                  | "a"                     | ["a"]
[string]                                  | 5                       | ["5"]
[integer]                                 | 5                       | [5]
[integer]                                 | "5"                     | [5]
[integer]                                 | "x"                     | same !
[string]                                  | "a, b"                  | same !
[string]                                  | "a;b"                   | same !
[string]                                  | "a\nb"                  | same !
[string]                                  | "a、b"                  | same !
[string]                                  | ""                      | -
[string]                                  | " "                     | same !
[string]                                  | "[\"a\",\"b, c\"]"      | ["a","b, c"]
[string]                                  | "['a', 'b',]"           | ["a","b"]
[string]                                  | "[]"                    | []
[string]                                  | "[a, b]"                | same !
[string]                                  | "[a"                    | same !
[string]                                  | "[1,true]"              | ["1","true"]
[integer]                                 | ["1","2.0",3]           | [1,2,3]
[integer]                                 | ["1","x"]               | [1,"x"] !
[string]                                  | {"a":"b"}               | same !
[string]                                  | null                    | -
{"type":"array"}                          | "a"                     | ["a"]
[{"type":"object","properties":{"n":{"type":"integer"}}}] | [{"n":"1"},{"n":2}] | [{"n":1},{"n":2}]
[{"type":"object","properties":{"n":{"type":"integer"}}}] | {"n":1}             | same !
object                                    | "{\"a\":1}"             | {"a":1}
object                                    | "{'a': True}"           | {"a":true}
object                                    | "{a}"                   | same !
object                                    | "{\"a\":1,\"a\":2}"     | same !
object                                    | "text"                  | same !
object                                    | ""                      | -
object                                    | [{"a":1}]               | same !
{"type":"object","properties":{"n":{"type":"integer"}}}                               | "{\"n\":\"1\"}"     | {"n":1}
{"type":"object","properties":{"n":{"type":"integer"}}}                               | {"n":"1","m":"2"}   | {"n":1,"m":"2"}
{"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":false}  | {"n":"1","m":"2"}   | {"n":1}
{"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":false}  | {"m":"2"}           | same !
{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}              | {"n":null}          | same !
{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}              | {"n":""}            | same !
{"type":"object","properties":{"n":{"type":"integer"}}}                               | {"n":""}            | {}
{"type":"object","additionalProperties":{"type":"integer"}}                           | {"a":"1"}           | {"a":1}
{"type":["integer","null"]}               | "5"                     | 5
{"type":["integer","null"]}               | null                    | same
{"type":["integer","null"]}               | ""                      | -
{"type":["string","null"]}                | ""                      | same
{"type":["string","integer"]}             | "5"                     | same
{"type":["string","integer"]}             | true                    | "true"
{"type":["integer","boolean"]}            | "true"                  | true
{"anyOf":[{"type":"integer"},{"type":"null"}]}    | "5"             | 5
{"anyOf":[{"type":"integer"},{"type":"null"}]}    | ""              | -
{"anyOf":[{"type":"integer"},{"type":"boolean"}]} | "x"             | same !
{"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"integer"}}]} | "5" | same !
{"oneOf":[{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]},{"type":"object","properties":{"m":{"type":"integer"}},"required":["m"]}]} | {"m":"1"} | {"m":1}
{"$ref":"#/$defs/count"}                  | "5"                     | 5
[{"$ref":"#/$defs/count"}]                | ["5"]                   | [5]
{"allOf":[{"$ref":"#/$defs/count"}]}      | "5"                     | 5
{"$ref":"#/$defs/tree"}                   | {"n":"1","below":[{"n":"2"},{"n":3,"below":"[]"}]} | {"n":1,"below":[{"n":2},{"n":3,"below":[]}]}
{}                                        | "5"                     | same
{}                                        | null                    | same
{"type":"integer","maximum":3}            | "5"                     | 5 !
`

// xSchema is a schema for the argument x: a type, the type of a list's items in brackets, or a schema.
func xSchema(short string) string {
	switch {
	case strings.HasPrefix(short, "["):
		return `{"type":"array","items":` + xSchema(short[1:len(short)-1]) + `}`
	case !strings.HasPrefix(short, "{"):
		return `{"type":"` + short + `"}`
	}
	return short
}

func xOffer(x string, required bool) *Offer {
	parameters := `{"type":"object","properties":{"x":` + xSchema(x) + `},"$defs":{"count":{"type":"integer"},"tree":{"type":"object",` +
		`"properties":{"n":{"$ref":"#/$defs/count"},"below":{"type":"array","items":{"$ref":"#/$defs/tree"}}}}}`
	if required {
		parameters += `,"required":["x"]`
	}
	return NewOffer([]llm.ToolDefinition{{Name: "f", Parameters: json.RawMessage(parameters + "}")}}, nil)
}

func TestCoercions(t *testing.T) {
	for line := range strings.Lines(coercions) {
		fields := strings.Split(strings.TrimSpace(line), " | ")
		if len(fields) < 3 {
			continue
		}
		x, given := strings.TrimSpace(fields[0]), strings.TrimSpace(fields[1])
		becomes, bad := strings.CutSuffix(strings.TrimSpace(fields[2]), " !")
		want := `{"x":` + becomes + `}`
		switch becomes {
		case "same":
			want = `{"x":` + given + `}`
		case "-":
			want = `{}`
		}
		got := xOffer(x, false).mended("f", `{"x":`+given+`}`, false)
		if got.Args != want || (got.Problems == nil) == bad {
			t.Errorf("%s: %s became %s (%q, %v), want %s, fits: %t", x, given, got.Args, got.Repairs, got.Problems, want, !bad)
		}
		if changed := want != `{"x":`+given+`}`; changed != (len(got.Repairs) > 0) {
			t.Errorf("%s: %s became %s with repairs %q", x, given, got.Args, got.Repairs)
		}
	}
}

// A number becomes a whole one only where it is one.
func TestWhole(t *testing.T) {
	for number, want := range map[string]string{
		"5": "5", "5.0": "5", "-5.00": "-5", "5e2": "500", "500e-2": "5", "-0.0": "0", "0e9": "0", "5.5": "5.5", "1e400": "1e400",
		"1e-399": "1e-399", "5.00000000000000000001": "5.00000000000000000001", "9007199254740993.0": "9007199254740993.0", "1e-999999999": "1e-999999999",
	} {
		if got := whole(number); got != want {
			t.Errorf("%s is %s, want %s", number, got, want)
		}
	}
}

// What may be left out is not left out where it is required.
func TestRequiredIsNeverLeftOut(t *testing.T) {
	for _, test := range []struct{ x, given string }{
		{"string", "null"}, {"integer", "null"}, {"integer", `""`}, {"boolean", `""`}, {"[string]", `""`}, {`{"enum":["a"]}`, `""`},
		{`{"type":"string","minLength":1}`, `""`},
	} {
		got := xOffer(test.x, true).mended("f", `{"x":`+test.given+`}`, false)
		if got.Args != `{"x":`+test.given+`}` || len(got.Problems) != 1 || got.Repairs != nil {
			t.Errorf("a required %s: %s became %+v", test.x, test.given, got)
		}
	}
	if got := xOffer("string", true).mended("f", `{"x":""}`, false); got.Problems != nil || got.Args != `{"x":""}` {
		t.Errorf("an empty text for a required text: %+v", got)
	}
}

// Names are only matched where there is no doubt.
func TestNames(t *testing.T) {
	parameters := `{"type":"object","properties":{"file_path":{"type":"string"},"max_lines":{"type":"integer"},"maxlines":{"type":"integer"}},"required":["file_path"]%s}`
	for _, test := range []struct{ more, args, want string }{
		{"", `{"filePath":"a"}`, `{"file_path":"a"}`},
		{"", `{"File-Path":"a","max_lines":"3"}`, `{"file_path":"a","max_lines":3}`},
		{"", `{"file_path":"a","maxLines":3}`, `{"file_path":"a"}`},                // two names are alike
		{"", `{"file_path":"a","filePath":"b"}`, `{"file_path":"a"}`},              // it is given already
		{"", `{"filePath":"a","FilePath":"b"}`, `{"filePath":"a","FilePath":"b"}`}, // which one?
		{"", `{"path":"a"}`, `{"path":"a"}`},
		{"", `{"file_pat":"a"}`, `{"file_pat":"a"}`},
		{`,"additionalProperties":true`, `{"filePath":"a"}`, `{"filePath":"a"}`},
		{`,"additionalProperties":true`, `{"file_path":"a","mode":1}`, `{"file_path":"a","mode":1}`},
		{`,"additionalProperties":{"type":"integer"}`, `{"file_path":"a","mode":"1"}`, `{"file_path":"a","mode":1}`},
		{`,"patternProperties":{"^x-":{}},"additionalProperties":false`, `{"file_path":"a","mode":1}`, `{"file_path":"a","mode":1}`},
	} {
		o := NewOffer([]llm.ToolDefinition{{Name: "f", Parameters: json.RawMessage(strings.Replace(parameters, "%s", test.more, 1))}}, nil)
		if got := o.mended("f", test.args, false); got.Args != test.want {
			t.Errorf("%s %s became %s by %q, want %s", test.more, test.args, got.Args, got.Repairs, test.want)
		}
	}
}

// Choices within choices are given up, not tried for ever.
func TestChoicesWithinChoices(t *testing.T) {
	branch := `{"type":"object","properties":{"left":{"$ref":"#/$defs/n"},"op":{"const":"OP"}},"required":["left","op"]}`
	var branches []string
	for _, op := range []string{"a", "b", "c", "d"} {
		branches = append(branches, strings.Replace(branch, "OP", op, 1))
	}
	raw := `{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":{"anyOf":[{"type":"integer"},` + strings.Join(branches, ",") + `]}}}`
	deep := `"1"`
	for range 12 {
		deep = `{"left":` + deep + `,"op":"d"}`
	}
	s := shapeOf(json.RawMessage(raw))
	v, _ := parse(`{"n":` + deep + `}`)
	c := coercer{}
	c.object("", v, s)
	if *s.left >= 0 {
		t.Errorf("it took %d steps: the test tries nothing", mostSteps-*s.left)
	}
	if *s.left < -100_000 {
		t.Errorf("it went on for %d steps after the last one", -*s.left)
	}
}

// Schemas that refer to themselves or to nothing end.
func TestOddSchemas(t *testing.T) {
	for _, raw := range []string{
		``, `null`, `[]`, `true`, `{"$ref":"#"}`, `{"$ref":"#/nowhere"}`, `{"$ref":"other.json"}`, `{"properties":7}`,
		`{"properties":{"x":7}}`, `{"properties":{"x":{"$ref":"#/properties/x"}}}`, `{"properties":{"x":{"anyOf":[]}}}`,
		`{"properties":{"x":{"anyOf":[{"$ref":"#/properties/x"}]}}}`, `{"properties":{"x":{"allOf":[{"$ref":"#/properties/x"}]}}}`,
		`{"required":"x","type":7,"enum":7}`, `{"properties":{"x":{"type":[]}}}`, `{"properties":{"x":{"items":[{}]}}}`,
	} {
		o := NewOffer([]llm.ToolDefinition{{Name: "f", Parameters: json.RawMessage(raw)}}, nil)
		o.Mini("f")
		m := mender{tool: o.byName["f"], end: endWritten}
		m.mend(`{'x':['1',{}]}`, nil)
		if !json.Valid(m.args) {
			t.Errorf("%s: %s", raw, m.args)
		}
	}
}

// Nothing that may stand between two items of a list is taken into one.
func TestSeparators(t *testing.T) {
	if i := slices.IndexFunc([]rune(separators), func(r rune) bool {
		return xOffer("[string]", true).mended("f", `{"x":`+quote("a"+string(r)+"b")+`}`, false).Problems == nil
	}); i >= 0 {
		t.Errorf("%q became an item", []rune(separators)[i])
	}
}
