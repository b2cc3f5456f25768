package toolcall

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
	"hob/internal/schema"
)

// kitchen is an offer of tools to be called wrongly. Only read_file, search_files and get_weather are without side effects.
func kitchen() *Offer {
	def := func(name, parameters string) llm.ToolDefinition {
		return llm.ToolDefinition{Name: name, Parameters: json.RawMessage(parameters)}
	}
	defs := []llm.ToolDefinition{
		def("read_file", `{"type":"object","properties":{"path":{"type":"string"},"offset":{"type":"integer","minimum":0}},"required":["path"],"additionalProperties":false}`),
		def("write_file", `{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"},"append":{"type":"boolean"}},"required":["path","content"],"additionalProperties":false}`),
		def("search_files", `{"type":"object","properties":{"pattern":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"limit":{"type":"integer"}},"required":["pattern"]}`),
		def("get_weather", `{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"},"unit":{"enum":["celsius","fahrenheit"]}},"required":["city"]}`),
		def("now", `{"type":"object","properties":{}}`),
		def("forward", `{"type":"object","properties":{"input":{"type":"object","properties":{"text":{"type":"string"}}},"parameters":{"type":"array"}},"required":["input"]}`),
		def("store", `{"type":"object","properties":{},"additionalProperties":true}`),
	}
	return NewOffer(defs, func(tool string) bool {
		return tool != "read_file" && tool != "search_files" && tool != "get_weather"
	})
}

// mended is what came of a call, without what the tests do not vary.
type mended struct {
	Args     string
	Repairs  []string
	Problems []schema.Problem
}

func (o *Offer) mended(tool, args string, cut bool) mended {
	c := o.mend(found{name: tool, args: args, whole: !cut}, cut)
	return mended{string(c.Args), c.Repairs, c.Problems}
}

// Every class of damage of section 2.2 of the study of local models, and what becomes of it.
func TestDamage(t *testing.T) {
	type test struct {
		name, tool, args string
		cut              bool
		want             mended
	}
	format := func(text string) []schema.Problem { return []schema.Problem{{Kind: schema.Format, Text: text}} }
	required := func(path string) []schema.Problem {
		return []schema.Problem{{Path: path, Kind: schema.Required, Text: "is required"}}
	}
	tests := []test{
		{"clean", "get_weather", `{"city":"Paris","days":3}`, false, mended{Args: `{"city":"Paris","days":3}`}},
		{"clean but for blanks", "get_weather", "{ \"days\" : 3,\n \"city\":\"P\\u0061ris\" }\n", false,
			mended{Args: `{"days":3,"city":"P\u0061ris"}`}},
		{"single quotes", "get_weather", `{'city': 'Val d\'Isère "1850"', 'days': 3}`, false,
			mended{Args: `{"city":"Val d'Isère \"1850\"","days":3}`, Repairs: []string{"its quotes were '"}}},
		{"single quotes around an apostrophe", "get_weather", `{'city': 'Val d'Isère', 'days': 3}`, false,
			mended{Args: `{"city":"Val d'Isère","days":3}`, Repairs: []string{"its quotes were '", "quotes inside of a text were not escaped"}}},
		{"typographic quotes", "get_weather", `{“city”: “Paris”}`, false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{"its quotes were “"}}},
		{"three quotes", "write_file", "{\"path\": \"a.py\", \"content\": \"\"\"print(\"hi\")\nprint('ho')\n\"\"\"}", false,
			mended{Args: `{"path":"a.py","content":"print(\"hi\")\nprint('ho')\n"}`,
				Repairs: []string{`its quotes were """`, "line breaks inside of a text were not escaped"}}},
		{"Python literals", "write_file", `{"path": "a", "content": "None", "append": True}`, false,
			mended{Args: `{"path":"a","content":"None","append":true}`, Repairs: []string{"it wrote True as Python does"}}},
		{"None for an optional", "get_weather", `{"city": "Paris", "days": None}`, false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{"it wrote None as Python does", "days: null was left out"}}},
		{"trailing commas", "search_files", `{"pattern": "x,}", "tags": ["a", "b",],}`, false,
			mended{Args: `{"pattern":"x,}","tags":["a","b"]}`, Repairs: []string{"a comma stood before a closing bracket"}}},
		{"missing comma", "get_weather", "{\"city\": \"Paris\"\n \"days\": 3}", false,
			mended{Args: `{"city":"Paris","days":3}`, Repairs: []string{"commas were missing"}}},
		{"missing comma in a list", "search_files", `{"pattern": "C:\\x", "tags": ["a" "b"]}`, false,
			mended{Args: `{"pattern":"C:\\x","tags":["a","b"]}`, Repairs: []string{"its JSON was mended"}}},
		{"a bracket of the other sort", "search_files", `{"pattern": "\\d", "tags": ["a", "b"}`, false,
			mended{Args: `{"pattern":"\\d","tags":["a","b"]}`, Repairs: []string{"its JSON was mended"}}},
		{"a bracket of the other sort in a call that was cut off", "search_files", `{"pattern": "x", "tags": ["a"}`, true,
			mended{Args: `{}`, Problems: format("the arguments are not JSON: invalid character '}' after array element, in {\"pattern\": \"x\", \"tags\": [\"a\"}")}},
		{"names without quotes", "get_weather", `{city: "Paris", days: 3}`, false,
			mended{Args: `{"city":"Paris","days":3}`, Repairs: []string{"its names had no quotes"}}},
		{"texts without quotes", "get_weather", `{"city": New York, "days": 3}`, false,
			mended{Args: `{"city":"New York","days":3}`, Repairs: []string{"its JSON was mended"}}},
		{"comments", "get_weather", "{\"city\": \"Paris\", // the capital\n \"days\": 3 /* at most */}", false,
			mended{Args: `{"city":"Paris","days":3}`, Repairs: []string{"its JSON had comments"}}},
		{"a sum of texts", "write_file", `{"path": "a", "content": "one\n" + "two \\d"}`, false,
			mended{Args: `{"path":"a","content":"one\ntwo \\d"}`, Repairs: []string{"its JSON was mended"}}},
		{"raw newlines and tabs", "write_file", "{\"path\": \"a\", \"content\": \"one\n\ttwo\r\n\"}", false,
			mended{Args: `{"path":"a","content":"one\n\ttwo\r\n"}`, Repairs: []string{"line breaks inside of a text were not escaped"}}},
		{"a path of Windows", "read_file", `{"path": "C:\users\new\file.txt"}`, false,
			mended{Args: `{"path":"C:\\users\\new\\file.txt"}`, Repairs: []string{"backslashes were not escaped"}}},
		{"a pattern", "search_files", `{"pattern": "\bfoo\d+\.\w\n"}`, false,
			mended{Args: `{"pattern":"\\bfoo\\d+\\.\\w\n"}`, Repairs: []string{"backslashes were not escaped"}}},
		{"half a unicode escape", "search_files", `{"pattern": "\u12 \ud83d\ude00"}`, false,
			mended{Args: `{"pattern":"\\u12 \ud83d\ude00"}`, Repairs: []string{"backslashes were not escaped"}}},
		{"good escapes beside other damage stay", "write_file", `{"path": "/usr/bin/x", "content": "C:\\temp\n\u00e9\/",}`, false,
			mended{Args: `{"path":"/usr/bin/x","content":"C:\\temp\n\u00e9\/"}`, Repairs: []string{"a comma stood before a closing bracket"}}},
		{"escaped apostrophes", "get_weather", `{"city": "Val d\'Isère"}`, false,
			mended{Args: `{"city":"Val d'Isère"}`, Repairs: []string{"apostrophes were escaped"}}},
		{"unescaped quotes", "write_file", `{"path": "a", "content": "he said "no", and left"}`, false,
			mended{Args: `{"path":"a","content":"he said \"no\", and left"}`, Repairs: []string{"quotes inside of a text were not escaped"}}},
		{"unescaped JSON", "write_file", `{"content": "x = {"k": "v"}", "path": "a"}`, false,
			mended{Args: `{"content":"x = {\"k\": \"v\"}","path":"a"}`, Repairs: []string{"quotes inside of a text were not escaped"}}},
		{"unescaped code", "write_file", "{\"path\": \"a.go\", \"content\": \"if a {\n\tprint(\"x\")\n}\"}", false,
			mended{Args: `{"path":"a.go","content":"if a {\n\tprint(\"x\")\n}"}`,
				Repairs: []string{"quotes inside of a text were not escaped", "line breaks inside of a text were not escaped"}}},
		{"missing final braces of a call that has an end", "search_files", `{"pattern": "x", "tags": ["a"`, false,
			mended{Args: `{"pattern":"x","tags":["a"]}`, Repairs: []string{"its closing brackets were missing"}}},
		{"missing final braces of one that was cut off", "search_files", `{"pattern": "x", "tags": ["a"`, true,
			mended{Args: `{}`, Problems: format(cutOff)}},
		{"missing final brace of one that was cut off", "get_weather", `{"city": "Paris"`, true, mended{Args: `{}`, Problems: format(cutOff)}},
		{"a text without an end", "get_weather", `{"city": "Paris}`, false, mended{Args: `{}`, Problems: format(cutOff)}},
		{"a file that was cut off", "write_file", `{"path":"a","content":"half a fi`, true, mended{Args: `{}`, Problems: format(cutOff)}},
		{"a damaged file that was cut off", "write_file", `{'path': 'a', 'content': 'print("x") } `, true, mended{Args: `{}`, Problems: format(cutOff)}},
		{"complete arguments of a reading call that was cut off", "get_weather", `{"city":"Paris"}`, true, mended{Args: `{"city":"Paris"}`}},
		{"complete arguments of a writing call that was cut off", "write_file", `{"path":"a","content":""}`, true,
			mended{Args: `{"path":"a","content":""}`, Problems: format(cutOff)}},
		{"a stray bracket behind", "get_weather", `{"city":"Paris"}]`, false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{"after its JSON stood ]"}}},
		{"a stray brace behind", "get_weather", `{"city":"Paris"}}`, false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{"after its JSON stood }"}}},
		{"a stray brace before", "get_weather", "}\n{\"city\":\"Paris\"}", false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{"before its JSON stood }"}}},
		{"a fence around", "get_weather", "```json\n{\"city\":\"Paris\"}\n```", false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{"before its JSON stood ```json", "after its JSON stood ```"}}},
		{"a blank of another sort behind", "get_weather", "{\"city\":\"Paris\"}\v", false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{"its JSON had blanks of another sort"}}},
		{"two objects", "get_weather", `{"city":"Paris"} {"city":"Rome"}`, false, mended{Args: `{}`,
			Problems: format(`there is something after the arguments' closing brace, in {"city":"Paris"} {"city":"Rome"}`)}},
		{"encoded twice", "get_weather", `"{\"city\":\"Paris\"}"`, false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{"its arguments were JSON in a string"}}},
		{"encoded three times", "get_weather", `"\"{\\\"city\\\":\\\"Paris\\\"}\""`, false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{"its arguments were JSON in a string", "its arguments were JSON in a string"}}},
		{"encoded twice and damaged", "get_weather", `"{'city': 'Paris'}"`, false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{"its arguments were JSON in a string", "its quotes were '"}}},
		{"in quotes", "get_weather", `"{"city":"Paris"}"`, false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{"its arguments were in quotes"}}},
		{"leaves encoded twice", "search_files", `{"pattern":"x","tags":"['Jan', 'Feb']"}`, false,
			mended{Args: `{"pattern":"x","tags":["Jan","Feb"]}`, Repairs: []string{`tags: "['Jan', 'Feb']" became ["Jan","Feb"]`}}},
		{"numbers as texts", "get_weather", `{"city":"Paris","days":"3"}`, false,
			mended{Args: `{"city":"Paris","days":3}`, Repairs: []string{`days: "3" became 3`}}},
		{"booleans as texts", "write_file", `{"path":"a","content":"b","append":"True"}`, false,
			mended{Args: `{"path":"a","content":"b","append":true}`, Repairs: []string{`append: "True" became true`}}},
		{"a scalar for a list", "search_files", `{"pattern":"x","tags":"Jan"}`, false,
			mended{Args: `{"pattern":"x","tags":["Jan"]}`, Repairs: []string{`tags: "Jan" became ["Jan"]`}}},
		{"no arguments where some are required", "get_weather", `{}`, false, mended{Args: `{}`, Problems: required("/city")}},
		{"nothing where some are required", "get_weather", "", false, mended{Args: `{}`, Problems: required("/city")}},
		{"nothing where none are", "now", "", false, mended{Args: `{}`}},
		{"null where none are", "now", "null", false, mended{Args: `{}`, Repairs: []string{"its arguments were null"}}},
		{"nested parameters", "get_weather", `{"parameters":{"city":"Paris"}}`, false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{`its arguments were inside "parameters"`}}},
		{"nested arguments", "get_weather", `{"arguments":{"city":"Paris"}}`, false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{`its arguments were inside "arguments"`}}},
		{"nested input, as a text", "get_weather", `{"input":"{\"city\":\"Paris\"}"}`, false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{`its arguments were inside "input"`, "its arguments were JSON in a string"}}},
		{"nested twice", "get_weather", `{"args":{"kwargs":{"city":"Paris"}}}`, false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{`its arguments were inside "args"`, `its arguments were inside "kwargs"`}}},
		{"the whole call as arguments", "get_weather", `{"name":"get_weather","arguments":{"city":"Paris"}}`, false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{`its arguments were inside "arguments"`}}},
		{"a wrapper that is an argument", "forward", `{"input":{"text":"hi"}}`, false, mended{Args: `{"input":{"text":"hi"}}`}},
		{"a wrapper that is an argument and does not fit", "forward", `{"parameters":{"input":{"text":"hi"}}}`, false,
			mended{Args: `{"parameters":{"input":{"text":"hi"}}}`, Problems: []schema.Problem{
				{Path: "/input", Kind: schema.Required, Text: "is required"},
				{Path: "/parameters", Kind: schema.Format, Text: `must be an array, not {"input":{"text":"hi"}}`}}}},
		{"a wrapper that anything fits", "store", `{"parameters":{"city":"Paris"}}`, false, mended{Args: `{"parameters":{"city":"Paris"}}`}},
		{"a list of one", "get_weather", `[{"city":"Paris"}]`, false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{"its arguments were in a list"}}},
		{"the schema echoed", "get_weather", `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`, false,
			mended{Args: `{}`, Problems: format("the arguments are the schema of the tool, not values for it")}},
		{"the schema echoed where anything fits", "store", `{"type":"object","properties":{"city":{"type":"string"}}}`, false,
			mended{Args: `{}`, Problems: format("the arguments are the schema of the tool, not values for it")}},
		{"the schema echoed with values", "get_weather", `{"type":"object","properties":{"city":"Paris","days":"3"}}`, false,
			mended{Args: `{"city":"Paris","days":3}`, Repairs: []string{"its arguments were inside the tool's schema", `days: "3" became 3`}}},
		{"properties with values", "get_weather", `{"properties":{"city":"Paris"}}`, false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{`its arguments were inside "properties"`}}},
		{"the capitals of an enum", "get_weather", `{"city":"Paris","unit":"Celsius"}`, false,
			mended{Args: `{"city":"Paris","unit":"celsius"}`, Repairs: []string{`unit: "Celsius" became "celsius"`}}},
		{"null for what is optional", "get_weather", `{"city":"Paris","days":null,"unit":""}`, false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{"days: null was left out", `unit: "" was left out`}}},
		{"relative dates stay", "get_weather", `{"city":"tomorrow"}`, false, mended{Args: `{"city":"tomorrow"}`}},
		{"an argument that there is not", "get_weather", `{"city":"Paris","country":"FR"}`, false,
			mended{Args: `{"city":"Paris"}`, Repairs: []string{`country: is unknown and was left out: "FR"`}}},
		{"only arguments that there are not", "get_weather", `{"place":"Paris"}`, false, mended{Args: `{"place":"Paris"}`, Problems: []schema.Problem{
			{Path: "/city", Kind: schema.Required, Text: "is required"},
			{Path: "/place", Kind: schema.Value, Text: "unknown argument; the arguments are city, days, unit"}}}},
		{"another word for it, in a tool that only looks", "read_file", `{"file":"a"}`, false, mended{Args: `{"path":"a"}`, Repairs: []string{"path: was called file"}}},
		{"a name in another style", "read_file", `{"Path":"a","off_set":2}`, false,
			mended{Args: `{"path":"a","offset":2}`, Repairs: []string{"path: was called Path", "offset: was called off_set"}}},
		{"a name that stands twice", "get_weather", `{"city":"Paris","city":"Rome","days":"3"}`, false, mended{Args: `{"city":"Paris","city":"Rome","days":"3"}`,
			Problems: []schema.Problem{{Path: "/city", Kind: schema.Format, Text: "stands twice"}}}},
		{"several problems at once", "get_weather", `{"days":"many","unit":"kelvin"}`, false, mended{Args: `{"days":"many","unit":"kelvin"}`, Problems: []schema.Problem{
			{Path: "/city", Kind: schema.Required, Text: "is required"},
			{Path: "/days", Kind: schema.Format, Text: `must be an integer, not "many"`},
			{Path: "/unit", Kind: schema.Value, Text: `must be one of "celsius", "fahrenheit", not "kelvin"`}}}},
		{"words", "get_weather", `Paris`, false, mended{Args: `{}`,
			Problems: format("the arguments are not JSON: invalid character 'P' looking for beginning of value, in Paris")}},
		{"a bare text", "get_weather", `"Paris"`, false, mended{Args: `{}`, Problems: format(`the arguments must be a JSON object, not "Paris"`)}},
	}
	o := kitchen()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, o.mended(test.tool, test.args, test.cut)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.args, diff)
			}
		})
	}
}

// What is not repaired, because more than one thing may have been meant or something would have to be made up.
func TestNotRepaired(t *testing.T) {
	o := kitchen()
	for _, args := range []string{
		`{"city": "Paris", "days": 1,000}`,
		`{"city": }`,
		`{"city": "Paris", "days": range(3)}`,
		`{"city": "Paris", "days": 5 apples}`,
		`{"city": "Paris", "days": .5}`,
		`{"city": "Paris", "tags": [1, 2, ...]}`,
		`{"city": C:\temp}`,
		`{"city": "Paris", "days"}`,
		`{"city"}`,
		`{"city": "Paris", 3}`,
		`{"city": "Paris", days`,
		`{"city": 5 th Avenue}`,
		`{"city": "Paris", "x": [5 apples]}`,
		`{"city": True Love}`,
		`{"city": "Paris", "x": ` + strings.Repeat("[", deepest) + `"a" "b"` + strings.Repeat("]", deepest) + `}`,
		`{{"city": "Paris"}}`,
		"{\"city\": \uE000 0\uE001 }",
		strings.Repeat(`{"a":`, 100) + `'x'` + strings.Repeat(`}`, 100),
		`{'city': 'Paris', 'x': '` + strings.Repeat("x", largest) + `'}`,
	} {
		if c := o.mend(found{name: "get_weather", args: args, whole: true}, false); c.Valid() {
			t.Errorf("%.60s became %.60s by %q", args, c.Args, c.Repairs)
		} else if len(c.Problems) != 1 || !json.Valid(c.Args) {
			t.Errorf("%.60s became %.60s with %v, want JSON and one problem", args, c.Args, c.Problems)
		}
	}
}

// How it was found and what the finding mended stand before what the mending did.
func TestRepairsInOrder(t *testing.T) {
	c := kitchen().mend(found{id: "7", name: "functions.get_weather", args: `{'city': 5}`, form: "a call in words",
		repairs: []string{"its tag had no end"}, whole: true}, false)
	want := Call{Call: llm.Call{ID: "7", Name: "get_weather", Args: json.RawMessage(`{"city":"5"}`), Repairs: []string{
		"a call in words", "its tag had no end", "the tool's name was functions.get_weather", "its quotes were '", `city: 5 became "5"`,
	}}}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A list of changes that nobody would read to its end is cut.
func TestManyRepairs(t *testing.T) {
	args := `{"pattern":"x","tags":[` + strings.Repeat("1,", 99) + `1]}`
	got := kitchen().mended("search_files", args, false).Repairs
	if len(got) != mostRepairs+1 || got[19] != `tags/19: 1 became "1"` || got[20] != "and 80 more" {
		t.Errorf("got %d repairs: %q", len(got), got)
	}
}

// A schema that cannot be compiled calls nothing.
func TestBrokenSchema(t *testing.T) {
	o := NewOffer([]llm.ToolDefinition{{Name: "odd", Parameters: json.RawMessage(`{"type":"sausage"}`)}}, nil)
	if c := o.mend(found{name: "odd", args: `{}`, whole: true}, false); c.Valid() || !strings.HasPrefix(c.Problems[0].Text, "the tool cannot be called: ") {
		t.Errorf("got %+v", c)
	}
}
