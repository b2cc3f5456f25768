package toolcall

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
	"hob/internal/schema"
)

// office has tools that only look and tools that do something, some of whose arguments may be left out.
func office() *Offer {
	def := func(name, parameters string) llm.ToolDefinition {
		return llm.ToolDefinition{Name: name, Parameters: json.RawMessage(parameters)}
	}
	return NewOffer([]llm.ToolDefinition{
		def("get_weather", `{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["celsius","fahrenheit"]},"days":{"type":"integer"}},"required":["city"]}`),
		def("read_file", `{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`),
		def("write_file", `{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"},"mode":{"type":"string"}},"required":["path","content"]}`),
		def("delete_file", `{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`),
		def("send_email", `{"type":"object","properties":{"to":{"type":"array","items":{"type":"string"}},"subject":{"type":"string"},"body":{"type":"string"}},"required":["to","subject"]}`),
		def("set_timer", `{"type":"object","properties":{"minutes":{"type":"integer"}},"required":["minutes"]}`),
		def("list_files", `null`),
	}, func(tool string) bool {
		return strings.HasPrefix(tool, "write") || strings.HasPrefix(tool, "delete") || strings.HasPrefix(tool, "se")
	})
}

// Calls of the office, and how they are read.
const (
	paris     = `{"name":"get_weather","arguments":{"city":"Paris"}}`
	remove    = `{"name":"delete_file","arguments":{"path":"a"}}`
	inParis   = `get_weather {"city":"Paris"}`
	removed   = `delete_file {"path":"a"}`
	notGiven  = `!delete_file {"path":null}`
	notParis  = `!get_weather {}`
	notRemove = `!delete_file {}`
)

type rule struct {
	name string
	wire Wire
	want said
}

func keeps(t *testing.T, rules []rule) {
	t.Helper()
	for _, test := range rules {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, office().said(test.wire)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.wire.Message.Text, diff)
			}
			text := test.wire.Message.Text
			holds(t, office(), test.wire, text, strings.SplitAfter(text, ""))
		})
	}
}

func cut(text string) Wire { return Wire{Message: words(text).Message, Truncated: true} }

// None and null are nothing, also for a string: they are never its text.
func TestNone(t *testing.T) {
	one := said{Calls, []string{inParis}, ""}
	mail := said{Calls, []string{`send_email {"to":["a@b.c"],"subject":"Hi"}`}, ""}
	keeps(t, []rule{
		{"an optional one", words(`get_weather(city="Paris", unit=None)`), one},
		{"in a list", words(`[get_weather(city='Paris', unit=None, days=null)]`), one},
		{"an optional text", words(`send_email(to=['a@b.c'], subject='Hi', body=None)`), mail},
		{"with colons", words(`<tool_call>send_email(to: ['a@b.c'], subject: Hi, body: None)</tool_call>`), mail},
		{"gemma", words(`call:send_email{to:[<escape>a@b.c<escape>],subject:<escape>Hi<escape>,body:null}`), mail},
		{"a required one", words(`delete_file(path=None)`), said{Malformed, []string{notGiven}, ""}},
		{"a required null", words(`delete_file(path=null)`), said{Malformed, []string{notGiven}, ""}},
		{"a required one in a tag", words(`<tool_call>delete_file(path: None)</tool_call>`), said{Malformed, []string{notGiven}, ""}},
		{"a required one of gemma", words(`call:delete_file{path:null}`), said{Malformed, []string{notGiven}, ""}},
		{"a text in quotes", words(`get_weather(city="None")`), said{Calls, []string{`get_weather {"city":"None"}`}, ""}},
	})
}

// A call whose end was not written is cut off where the reply was, however it is written.
func TestCutCalls(t *testing.T) {
	gone := said{Truncated, nil, ""}
	var rules []rule
	for _, text := range []string{
		"<function=write_file><parameter=path>a</parameter><parameter=content>b</parameter>",
		"<function=write_file><parameter=path>a</parameter><parameter=content>b</parameter><parameter=mo",
		"<function=write_file><parameter=path>a</parameter><parameter=content>b</parameter></fun",
		"<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\nb",
		`<invoke name="write_file"><parameter name="path">a</parameter><parameter name="content">b</parameter>`,
		`<invoke name="delete_file"><parameter name="path">a</parameter></inv`,
		"<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n<arg_key>content</arg_key>\n<arg_value>b</arg_value>",
		"<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n<arg_key>content</arg_key>\n<arg_value>b",
		`<function=delete_file>{"path":"a"}`,
		`delete_file(path="a"`, `write_file(path="a", content="b`, `[write_file(path="a", content="b`,
		`[delete_file(path="a")`, "<|tool_call_start|>[delete_file(path=\"a\")",
		`{"name":"delete_file","arguments":{"path":"a"}`, `{"name":"delete_file","arguments":{"path":"a"`, `[` + remove,
		`{"write_file":{"path":"a","content":"b`, "```json\n" + `{"name":"delete_file","arguments":{"path":"a"}`,
		"<tool_call>list_files", `call:delete_file{path:<escape>a<escape>`, `call:delete_file{path:a`, `{"tool_calls":[` + remove,
		"<function=get_weather>\n<parameter=city>\nParis", `get_weather(city="Paris"`, `<tool_call>get_weather(city: Paris`,
	} {
		rules = append(rules, rule{text, cut(text), gone})
	}
	keeps(t, append(rules,
		rule{"a whole one", cut("<tool_call>" + remove + "</tool_call>"), said{Calls, []string{removed}, ""}},
		rule{"a whole one without its tag's end", cut("<tool_call>" + remove), said{Calls, []string{removed}, ""}},
		rule{"words before", cut("I write.\ndelete_file(path=\"a\""), said{Truncated, nil, "I write."}},
	))
}

// A call that the server read of a reply that was cut off may be only its beginning.
func TestCutStructuredCalls(t *testing.T) {
	call := func(name, args string) llm.Call { return llm.Call{Name: name, Args: json.RawMessage(args)} }
	read := call("get_weather", `{"city":"Paris"}`)
	wire := func(calls ...llm.Call) Wire { return Wire{Message: llm.Message{Calls: calls}, Truncated: true} }
	keeps(t, []rule{
		{"a careful one", wire(call("delete_file", `{"path":"a"}`)), said{Truncated, nil, ""}},
		{"one that looks", wire(read), said{Calls, []string{inParis}, ""}},
		{"a careful one behind another", wire(read, call("delete_file", `{"path":"a"}`)), said{Calls, []string{inParis}, ""}},
	})
	const lost = "the call was cut off in the middle, at the limit of tokens: write less in one call"
	for _, w := range []Wire{wire(read, call("delete_file", `{"path":"a"}`)), wire(call("delete_file", `{"path":"a"}`)), cut("<tool_call>" + paris + "</tool_call><tool_call>" + remove[:20])} {
		if r := office().Read(w); r.Reason != lost {
			t.Errorf("%v: reason %q", w.Message, r.Reason)
		}
	}
}

// What Python would have to compute is no value.
func TestExpressions(t *testing.T) {
	bad := func(call string) said { return said{Malformed, []string{"!" + call}, ""} }
	keeps(t, []rule{
		{"a call", words(`write_file(path="a", content=read_file(path="b.txt"))`), bad(`write_file {"path":"a","content":"read_file(path=\"b.txt\")"}`)},
		{"a sum", words(`delete_file(path="a" + ".txt")`), bad(`delete_file {"path":"a\" + \".txt"}`)},
		{"a sum with a name", words(`read_file(path=base + name)`), bad(`read_file {"path":"base + name"}`)},
		{"a text that is formatted", words(`read_file(path=f"{x}.txt")`), bad(`read_file {"path":"f\"{x}.txt\""}`)},
		{"in a tag", words(`<tool_call>read_file(path=f"{x}.txt")</tool_call>`), bad(`read_file {"path":"f\"{x}.txt\""}`)},
		{"a piece of a list", words(`[read_file(path=files[0])]`), bad(`read_file {"path":"files[0]"}`)},
		{"a product", words(`set_timer(minutes=5*60)`), bad(`set_timer {"minutes":"5*60"}`)},
		{"a call behind a colon", words(`<tool_call>read_file(path: get_path(1))</tool_call>`), bad(`read_file {"path":"get_path(1)"}`)},
		{"behind Action", words("Action: delete_file(path=some_path)"), bad(`delete_file {"path":"some_path"}`)},
		{"two texts, one of them", words(`read_file(path="a" if x else "b")`), bad(`read_file {"path":"a\" if x else \"b"}`)},
		{"a name, careful", words(`delete_file(path=some_path)`), bad(`delete_file {"path":"some_path"}`)},
		{"a name", words(`read_file(path=some_path)`), said{Calls, []string{`read_file {"path":"some_path"}`}, ""}},
		{"the name of a variable", words(`read_file(path=user_input)`), bad(`read_file {"path":"user_input"}`)},
		{"a part of a variable", words(`read_file(path=result.text)`), bad(`read_file {"path":"result.text"}`)},
		{"a name in JSON, careful", words(`{"name":"delete_file","arguments":{"path":some_path}}`), bad(`delete_file {"path":"some_path"}`)},
		{"a word", words(`get_weather(city=Paris)`), said{Calls, []string{inParis}, ""}},
		{"words behind a colon, careful", words(`<tool_call>delete_file(path: a)</tool_call>`), said{Calls, []string{removed}, ""}},
		{"an apostrophe", words(`get_weather(city=St. John's)`), said{Calls, []string{`get_weather {"city":"St. John's"}`}, ""}},
	})
}

// Arguments without names are taken by none but a tool with one, or that needs one: the model is asked for their names.
func TestArgumentsWithoutNames(t *testing.T) {
	r := office().Read(words(`write_file("a.txt", "hello")`))
	if len(r.Calls) != 1 || r.Class != Malformed {
		t.Fatalf("%s %v", r.Class, r.Calls)
	}
	want := []schema.Problem{{Kind: schema.Required, Text: "each argument needs its name; the arguments are path, content, mode"}}
	if diff := cmp.Diff(want, r.Calls[0].Problems); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	keeps(t, []rule{
		{"one of one", words(`get_weather("Paris")`), said{Calls, []string{inParis}, ""}},
		{"one of two", words(`write_file("a.txt")`), said{Malformed, []string{`!write_file {"":"a.txt"}`}, ""}},
		{"some", words(`write_file("a.txt", content="x")`), said{Malformed, []string{`!write_file {"":"a.txt","content":"x"}`}, ""}},
	})
}

// Of several fences the first with a call counts: what stands behind it was written without its result.
func TestFences(t *testing.T) {
	two := "```json\n" + paris + "\n```\nor\n```json\n" + remove + "\n```"
	other := "```json\n" + paris + "\n```\n```sh\nls\n```"
	keeps(t, []rule{
		{"two with calls", words(two), said{Calls, []string{inParis}, ""}},
		{"one and another", words(other), said{Calls, []string{inParis}, ""}},
		{"two that are marked", words("```tool_call\n" + paris + "\n```\n```tool_call\n" + remove + "\n```"), said{Calls, []string{inParis, removed}, ""}},
		{"tool", words("```tool\n" + paris + "\n```"), said{Calls, []string{inParis}, ""}},
	})
}

// A tag that a sentence speaks of is a word of it.
func TestSpokenTags(t *testing.T) {
	for _, text := range []string{
		"The tag <tool_call> begins a call.", "Use [TOOL_CALLS] to call.", "Mistral uses [TOOL_CALLS] before the JSON array.", "See <function=name> for details.",
		"The model writes <tool_call> and then </tool_call>.", "It ends its calls with <tool_call>, or not.", "<|python_tag|> is a special token.",
	} {
		keeps(t, []rule{{text, words(text), said{Text, nil, text}}})
	}
	keeps(t, []rule{
		{"a call in a sentence", words("I call <tool_call> " + paris + " </tool_call>"), said{Calls, []string{inParis}, "I call"}},
		{"a name in a sentence", words("I call <tool_call> get_weather(city=\"Paris\") </tool_call>"), said{Calls, []string{inParis}, "I call"}},
	})
}

// Which ends may be missing where the model itself came to an end.
func TestMissingEnds(t *testing.T) {
	both := func(name, read, act string, reads, acts said) []rule {
		return []rule{{name, words(read), reads}, {name + ", careful", words(act), acts}}
	}
	yes, did := said{Calls, []string{inParis}, ""}, said{Calls, []string{removed}, ""}
	no, never := said{Malformed, []string{notParis}, ""}, said{Malformed, []string{notRemove}, ""}
	half := said{Malformed, []string{`!` + removed}, ""}
	for _, rules := range [][]rule{
		both("the last brace", paris[:len(paris)-1], remove[:len(remove)-1], yes, did),
		both("the last brace in a tag", "<tool_call>"+paris[:len(paris)-1], "<tool_call>"+remove[:len(remove)-1], yes, did),
		both("the last brace in a fence", "```json\n"+paris[:len(paris)-1]+"\n```", "```json\n"+remove[:len(remove)-1]+"\n```", yes, did),
		both("the last brace of a list", `{"tool_calls":[`+paris+`]`, `{"tool_calls":[`+remove+`]`, yes, did),
		both("the list's end", `[`+paris, `[`+remove, yes, did),
		both("both braces", paris[:len(paris)-2], remove[:len(remove)-2], yes, never),
		both("both braces in a fence", "```json\n"+paris[:len(paris)-2]+"\n```", "```json\n"+remove[:len(remove)-2]+"\n```", yes, half),
		both("both braces in a tag", "<tool_call>"+paris[:len(paris)-2]+"</tool_call>", "<tool_call>"+remove[:len(remove)-2]+"</tool_call>", yes, half),
		both("a parenthesis", `get_weather(city="Paris"`, `delete_file(path="a"`, yes, never),
		both("a parenthesis behind a dict", `get_weather({'city':'Paris'}`, `delete_file({'path':'a'}`, yes, half),
		both("a quote", paris[:len(paris)-3], remove[:len(remove)-3], no, never),
		both("a comma and more", paris[:len(paris)-2]+",", remove[:len(remove)-2]+",", no, never),
		both("gemma's brace", `call:get_weather{city:<escape>Paris<escape>`, `call:delete_file{path:<escape>a<escape>`, yes, never),
		both("a tag", "<function=get_weather><parameter=city>Paris</parameter>", "<function=delete_file><parameter=path>a</parameter>", yes, did),
		both("flat", `{"name":"get_weather","city":"Paris"`, `{"name":"delete_file","path":"a"`, yes, never),
	} {
		keeps(t, rules)
	}
	for _, text := range []string{paris[:len(paris)-1], paris[:len(paris)-2], "[" + paris, `get_weather(city="Paris"`, `call:get_weather{city:<escape>Paris<escape>`, "<function=get_weather><parameter=city>Paris</parameter>", "<tool_call>get_weather\n<arg_key>city</arg_key><arg_value>Paris</arg_value>"} {
		r := office().Read(words(text))
		if len(r.Calls) != 1 || !strings.Contains(strings.Join(r.Calls[0].Repairs, "; "), "missing") {
			t.Errorf("%s: nobody is told in %+v", text, r.Calls)
		}
	}
}

// What was begun as a call and has no end is never shown.
func TestHalfCalls(t *testing.T) {
	for _, text := range []string{
		`write_file(path="a", content="line one`, `[write_file(path="a", content="line one`, `{"write_file":{"path":"a","content":"line`, `get_weather(city="Par`,
		`{"name":"write_file","arguments":{"path":"a","content":"line`, "<function=get_weather>\n<parameter=city>\nPar", `call:write_file{path:<escape>a<escape>,content:<escape>line`,
		`{"name":"get_weather","arguments":{"city":"Paris","days": 1`, `get_weather(city="Paris", days=1`, `{"name":"get_weather","city":"Paris","days":1`, `call:get_weather{city:<escape>Paris<escape>,days:1`,
		`{"name":"wri`, `{"name"`,
	} {
		for _, before := range []string{"", "I will.\n"} {
			if r := office().Read(words(before + text)); r.Class != Malformed || r.Text != strings.TrimSpace(before) || len(r.Calls) > 0 && r.Calls[0].Valid() {
				t.Errorf("%s: %s %q %v", before+text, r.Class, r.Text, r.Calls)
			}
			if r := office().Read(cut(before + text)); r.Class != Truncated || r.Text != strings.TrimSpace(before) || len(r.Calls) > 0 {
				t.Errorf("%s, cut off: %s %q %v", before+text, r.Class, r.Text, r.Calls)
			}
		}
	}
}

// Half a call behind a whole one is lost, and somebody is told.
func TestWholeAndHalf(t *testing.T) {
	for _, text := range []string{paris + `{"name"`, paris + "\n" + `{"name":"wri`, paris + "; " + `{"name":"wri`, paris + "\n" + remove[:30]} {
		if r := office().Read(words(text)); r.Class != Malformed || r.Text != "" || !r.Calls[0].Valid() {
			t.Errorf("%s: %s %q %v", text, r.Class, r.Text, r.Calls)
		}
		if r := office().Read(cut(text)); r.Class != Calls || r.Text != "" || len(r.Calls) != 1 || r.Reason != cutCall {
			t.Errorf("%s, cut off: %s %q %v %q", text, r.Class, r.Text, r.Calls, r.Reason)
		}
	}
}

// What stands in a tag beside a call is dropped, and told.
func TestLitterInTags(t *testing.T) {
	for _, text := range []string{
		paris + " // call the tool", paris + " # x", paris + "\nThis calls the weather.", paris + "}", paris + "]]", paris + ",", paris + " ok", "Here: " + paris, paris + "\n```",
		"json\n" + paris, paris + "<|im_end|>", paris + "</s>",
	} {
		keeps(t, []rule{{text, words("<tool_call>\n" + text + "\n</tool_call>"), said{Calls, []string{inParis}, ""}}})
	}
	r := office().Read(words("<tool_call>" + paris + " // now</tool_call>"))
	if diff := cmp.Diff([]string{"a call in a <tool_call> tag", "after it stood // now"}, r.Calls[0].Repairs); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, text := range []string{"<tool_call>" + paris + "\n{\"name\"</tool_call>", "<tool_call>" + paris + "</tool_call>\n<tool_call>{\"name\" broken</tool_call>"} {
		if r := office().Read(words(text)); r.Class != Malformed || len(r.Calls) != 1 || r.Reason == "" {
			t.Errorf("%s: %s %v %q", text, r.Class, r.Calls, r.Reason)
		}
	}
}

// Other marks that models write.
func TestOtherMarks(t *testing.T) {
	one := said{Calls, []string{inParis}, ""}
	keeps(t, []rule{
		{"tool_calls", words("<tool_calls>\n" + paris + "\n</tool_calls>"), one},
		{"MiniMax", words("<minimax:tool_call>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Paris</parameter>\n</invoke>\n</minimax:tool_call>"), one},
		{"Glimmer, with a token in the name", words("<atem:function_calls>\n<atem:invoke name=\"get_weather<|message|>\">\n<atem:parameter name=\"city\">Paris</atem:parameter>\n</atem:invoke>\n</atem:function_calls>"), one},
		{"Glimmer, with a token for the last quote", words("<atem:invoke name=\"get_weather<|message|><atem:parameter name=\"city\">Paris</atem:parameter></atem:invoke>"), one},
		{"Glimmer, with a token within the name", words("<atem:invoke name=\"get_<|message|>weather\"><atem:parameter name=\"city\">Paris</atem:parameter></atem:invoke>"), one},
		{"curly quotes", words("<tool_call>\n{“name”: “get_weather”, “arguments”: {“city”: “Paris”}}\n</tool_call>"), one},
		{"curly quotes, bare", words("{“name”: “get_weather”, “arguments”: {“city”: “Paris”}}"), one},
		{"curly quotes within", words("{“name”: “delete_file”, “arguments”: {“path”: “it’s \"a“b”.txt”}}"), said{Calls, []string{`delete_file {"path":"it’s \"a“b”.txt"}`}, ""}},
		{"no parameters", words(`{"name":"list_files","arguments":{}}`), said{Calls, []string{"list_files {}"}, ""}},
		{"reasoning", words("<reasoning>hm</reasoning>Hi"), said{Text, nil, "Hi"}},
		{"Seed", words("<seed:think>hm</seed:think>Hi"), said{Text, nil, "Hi"}},
		{"Kimi", words("◁think▷hm◁/think▷Hi"), said{Text, nil, "Hi"}},
		{"an error with a broken call behind a good one", Wire{Err: &llm.Error{Kind: llm.Malformed, Raw: paris + `{"name"`}}, one},
		{"a careful one before a broken one", Wire{Err: &llm.Error{Kind: llm.Malformed, Raw: remove + `{"name"`}}, said{Malformed, nil, ""}},
	})
}

// A reply ends where its turn does.
func TestEndOfTurn(t *testing.T) {
	for _, token := range []string{"<|im_end|>", "<|im_start|>", "<|eot_id|>", "<|end_of_text|>", "<|endoftext|>", "<end_of_turn>", "<start_of_turn>"} {
		keeps(t, []rule{
			{token, words("It rains." + token + "user\nAnd then?"), said{Text, nil, "It rains."}},
			{token + " on a line", words("It rains.\n" + token + "\n" + paris), said{Text, nil, "It rains."}},
			{token + " in backticks", words("Write `" + token + "` at the end."), said{Text, nil, "Write `" + token + "` at the end."}},
			{token + " in quotes", words("Write \"" + token + "\" at the end."), said{Text, nil, "Write \"" + token + "\" at the end."}},
			{token + " in an argument", words(`{"name":"get_weather","arguments":{"city":"` + token + `"}}`), said{Calls, []string{`get_weather {"city":"` + token + `"}`}, ""}},
		})
	}
}

// What a model wrote that could write nothing but an object is for nobody, unless it holds an answer.
func TestSchemaMode(t *testing.T) {
	wire := func(text string) Wire { return Wire{Message: words(text).Message, Mode: llm.SchemaMode} }
	for _, text := range []string{`{"city":"Paris"}`, `{"thought":"hm","tool":"answer"}`, `{"answer":""}`, `{"thought":"hm","tool":"none","arguments":{}}`, `[1]`, "```json\n{\"city\":1}\n```", `{"thought":"hm`} {
		if r := office().Read(wire(text)); r.Class != Malformed || r.Text != "" || r.Raw != text {
			t.Errorf("%s: %s %q, raw %q", text, r.Class, r.Text, r.Raw)
		}
	}
	keeps(t, []rule{{"prose", wire("It rains."), said{Text, nil, "It rains."}}})
}

// An object in which something stands that is no pair is no call without arguments: what they were is not known.
func TestLostArgumentsAreNotNone(t *testing.T) {
	for _, text := range []string{
		`<tool_call>{"name": "list_files", "arguments" oh no</tool_call>`,
		`<tool_call>{"name": "list_files", "arguments" oh no}</tool_call>`,
		"```json\n" + `{"name": "list_files", "arguments" => {"dir": "a"}}` + "\n```",
	} {
		r := office().Read(words(text))
		if r.Class == Calls {
			t.Errorf("%s: a call with %s", text, r.Calls[0].Args)
		}
	}
}
