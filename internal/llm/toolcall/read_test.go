package toolcall

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
)

// workshop is an offer of tools to be called in words. Those that write, run or send are careful.
func workshop() *Offer {
	def := func(name, parameters string) llm.ToolDefinition {
		return llm.ToolDefinition{Name: name, Parameters: json.RawMessage(parameters)}
	}
	defs := []llm.ToolDefinition{
		def("read_file", `{"type":"object","properties":{"path":{"type":"string"},"offset":{"type":"integer"}},"required":["path"]}`),
		def("write_file", `{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"},"mode":{"type":"string","enum":["create","append"]}},"required":["path","content"]}`),
		def("get_weather", `{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["celsius","fahrenheit"]}},"required":["city"]}`),
		def("search_files", `{"type":"object","properties":{"pattern":{"type":"string"},"max_results":{"type":"integer"}},"required":["pattern"]}`),
		def("create_event", `{"type":"object","properties":{"title":{"type":"string"},"attendees":{"type":"array","items":{"type":"string"}},`+
			`"when":{"type":"object","properties":{"date":{"type":"string"},"time":{"type":"string"}},"required":["date"]}},"required":["title"]}`),
		def("list_files", `{"type":"object","properties":{"dir":{"type":"string"}}}`),
		def("run_command", `{"type":"object","properties":{"command":{"type":"string"},"timeout":{"type":"integer"}},"required":["command"]}`),
		def("roll", `{"type":"object","properties":{"sides":{"type":"integer"},"count":{"type":"integer"}},"required":["sides"]}`),
	}
	return NewOffer(defs, func(tool string) bool {
		return tool == "write_file" || tool == "create_event" || tool == "run_command"
	})
}

// said is a reading in short.
type said struct {
	Class Class
	Calls []string // name and arguments; those that do not fit with a ! before
	Text  string
}

func (o *Offer) said(w Wire) said {
	r := o.Read(w)
	out := said{Class: r.Class, Text: r.Text}
	for _, c := range r.Calls {
		line := c.Name + " " + string(c.Args)
		if !c.Valid() {
			line = "!" + line
		}
		out.Calls = append(out.Calls, line)
	}
	return out
}

func words(text string) Wire { return Wire{Message: llm.Message{Role: llm.AssistantRole, Text: text}} }

// shapeCase is a way in which models write calls as text.
type shapeCase struct {
	name  string
	text  string
	calls []string
	words string // what is left for a person
}

const (
	weather = `get_weather {"city":"Antwerp"}`
	notes   = `read_file {"path":"notes.md"}`
	dice    = `roll {"sides":6}`
)

// shapes are all ways of section 2.1 of the study of local models, by their numbers there.
func shapes() []shapeCase {
	one, two := []string{weather}, []string{weather, notes}
	return []shapeCase{
		{"01 name and arguments", `{"name":"get_weather","arguments":{"city":"Antwerp"}}`, one, ""},
		{"01 over several lines", "{\n  \"name\": \"get_weather\",\n  \"arguments\": {\n    \"city\": \"Antwerp\"\n  }\n}", one, ""},
		{"01 after prose", "Let me look.\n{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Antwerp\"}}", one, "Let me look."},
		{"01 before a sentence", "{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Antwerp\"}}\nThis will tell us.", one, ""},
		{"02 name and parameters", `{"name": "get_weather", "parameters": {"city": "Antwerp"}}`, one, ""},
		{"03 args", `{"tool":"get_weather","args":{"city":"Antwerp"}}`, one, ""},
		{"03 input", `{"function":"get_weather","input":{"city":"Antwerp"}}`, one, ""},
		{"03 kwargs", `{"tool_name":"get_weather","kwargs":{"city":"Antwerp"}}`, one, ""},
		{"03 action", `{"action":"get_weather","action_input":{"city":"Antwerp"}}`, one, ""},
		{"04 function in an object", `{"function":{"name":"get_weather","arguments":{"city":"Antwerp"}}}`, one, ""},
		{"04 function with arguments beside it", `{"function":{"name":"get_weather"},"arguments":{"city":"Antwerp"}}`, one, ""},
		{"04 tool_calls", `{"tool_calls":[{"name":"get_weather","arguments":{"city":"Antwerp"}},{"function":{"name":"read_file","arguments":{"path":"notes.md"}}}]}`, two, ""},
		{"05 type function", `{"type":"function","name":"get_weather","parameters":{"city":"Antwerp"}}`, one, ""},
		{"05 type function, nested", `{"type":"function","id":"x","function":{"name":"get_weather","arguments":"{\"city\":\"Antwerp\"}"}}`, one, ""},
		{"06 the name is the key", `{"get_weather":{"city":"Antwerp"}}`, one, ""},
		{"06 two names are keys", `{"get_weather":{"city":"Antwerp"},"read_file":{"path":"notes.md"}}`, two, ""},
		{"07 flattened", `{"name":"get_weather","city":"Antwerp","unit":"celsius"}`, []string{`get_weather {"city":"Antwerp","unit":"celsius"}`}, ""},
		{"08 on two lines", "{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Antwerp\"}}\n{\"name\":\"read_file\",\"arguments\":{\"path\":\"notes.md\"}}", two, ""},
		{"08 with a semicolon", `{"name":"get_weather","parameters":{"city":"Antwerp"}}; {"name":"read_file","parameters":{"path":"notes.md"}}`, two, ""},
		{"08 with a blank", `{"name":"get_weather","parameters":{"city":"Antwerp"}} {"name":"read_file","parameters":{"path":"notes.md"}}`, two, ""},
		{"09 a list", `[{"name":"get_weather","arguments":{"city":"Antwerp"}},{"name":"read_file","arguments":{"path":"notes.md"}}]`, two, ""},
		{"10 json fence", "```json\n{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Antwerp\"}}\n```", one, ""},
		{"10 json fence after prose", "I will look it up:\n\n```json\n{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Antwerp\"}}\n```\n", one, "I will look it up:"},
		{"10 fence without a language", "```\n{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Antwerp\"}}\n```", one, ""},
		{"10 tool_call fence", "```tool_call\n{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Antwerp\"}}\n```", one, ""},
		{"10 tool_code fence", "```tool_code\nget_weather(city=\"Antwerp\")\n```", one, ""},
		{"10 tool_code fence with print", "```tool_code\nprint(get_weather(city='Antwerp'))\nprint(read_file(path='notes.md'))\n```", two, ""},
		{"10 fence on one line", "```json {\"name\":\"get_weather\",\"arguments\":{\"city\":\"Antwerp\"}}```", one, ""},
		{"10 fence without an end", "```json\n{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Antwerp\"}}", one, ""},
		{"11 tag", "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Antwerp\"}}\n</tool_call>", one, ""},
		{"11 tag after prose on its line", "Let me look.<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Antwerp\"}}</tool_call>", one, "Let me look."},
		{"11 two tags", "<tool_call>{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Antwerp\"}}</tool_call>\n<tool_call>{\"name\":\"read_file\",\"arguments\":{\"path\":\"notes.md\"}}</tool_call>", two, ""},
		{"11 two in one tag", "<tool_call>\n{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Antwerp\"}}\n{\"name\":\"read_file\",\"arguments\":{\"path\":\"notes.md\"}}\n</tool_call>", two, ""},
		{"11 a list in a tag", `<tool_call>[{"name":"get_weather","arguments":{"city":"Antwerp"}}]</tool_call>`, one, ""},
		{"11 without the opening tag", "{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Antwerp\"}}\n</tool_call>", one, ""},
		{"11 without the closing tag", "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Antwerp\"}}", one, ""},
		{"11 closed by an opening tag", `<tool_call>{"name": "get_weather", "arguments": {"city": "Antwerp"}}<tool_call>`, one, ""},
		{"11 no opening tag, closed by one", `{"name": "get_weather", "arguments": {"city": "Antwerp"}}<tool_call>`, one, ""},
		{"11 a fence in a tag", "<tool_call>\n```json\n{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Antwerp\"}}\n```\n</tool_call>", one, ""},
		{"11 the closing tag in an argument", `<tool_call>{"name":"search_files","arguments":{"pattern":"</tool_call>"}}</tool_call>`, []string{`search_files {"pattern":"</tool_call>"}`}, ""},
		{"12 tools", `<tools>{"name":"get_weather","arguments":{"city":"Antwerp"}}</tools>`, one, ""},
		{"12 function_call", `<function_call> {"name":"get_weather","arguments":{"city":"Antwerp"}}`, one, ""},
		{"12 python_tag", `<|python_tag|>get_weather.call(city="Antwerp")`, one, ""},
		{"12 python_tag with JSON", `<|python_tag|>{"name":"get_weather","parameters":{"city":"Antwerp"}}; {"name":"read_file","parameters":{"path":"notes.md"}}<|eom_id|>`, two, ""},
		{"13 function with JSON", `<function=get_weather>{"city":"Antwerp"}</function>`, one, ""},
		{"13 two functions with JSON", `<function=get_weather>{"city":"Antwerp"}</function><function=read_file>{"path":"notes.md"}</function>`, two, ""},
		{"14 function with parameters", "<tool_call>\n<function=get_weather>\n<parameter=city>\nAntwerp\n</parameter>\n</function>\n</tool_call>", one, ""},
		{"14 without the wrapper", "<function=get_weather><parameter=city>Antwerp</parameter></function>", one, ""},
		{"14 a parameter without an end", "<tool_call>\n<function=get_weather>\n<parameter=city>\nAntwerp\n<parameter=unit>\ncelsius\n</function>\n</tool_call>",
			[]string{`get_weather {"city":"Antwerp","unit":"celsius"}`}, ""},
		{"14 text stays what it is", "<function=write_file>\n<parameter=path>\n007\n</parameter>\n<parameter=content>\n{\"a\": 1}\n\n  2024-01-02\n</parameter>\n</function>",
			[]string{`write_file {"path":"007","content":"{\"a\": 1}\n\n  2024-01-02"}`}, ""},
		{"14 numbers and lists", "<function=create_event><parameter=title>12</parameter><parameter=attendees>[\"Jan\"]</parameter><parameter=when>{\"date\":\"2024-01-02\"}</parameter></function>",
			[]string{`create_event {"title":"12","attendees":["Jan"],"when":{"date":"2024-01-02"}}`}, ""},
		{"15 invoke", `<invoke name="get_weather"><parameter name="city">Antwerp</parameter></invoke>`, one, ""},
		{"15 invoke in function_calls", "<function_calls>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Antwerp</parameter>\n</invoke>\n<invoke name=\"read_file\">\n<parameter name=\"path\">notes.md</parameter>\n</invoke>\n</function_calls>", two, ""},
		{"15 text stays what it is", "<invoke name=\"write_file\"><parameter name=\"path\">a</parameter><parameter name=\"content\"><p>Hi & bye</p>\n</parameter></invoke>",
			[]string{`write_file {"path":"a","content":"<p>Hi & bye</p>\n"}`}, ""},
		{"16 arg_key and arg_value", "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Antwerp</arg_value>\n</tool_call>", one, ""},
		{"16 two of them", "<tool_call>search_files\n<arg_key>pattern</arg_key>\n<arg_value>007</arg_value>\n<arg_key>max_results</arg_key>\n<arg_value>5</arg_value>\n</tool_call>",
			[]string{`search_files {"pattern":"007","max_results":5}`}, ""},
		{"17 TOOL_CALLS", `[TOOL_CALLS]get_weather{"city":"Antwerp"}`, one, ""},
		{"17 TOOL_CALLS and ARGS", `[TOOL_CALLS]get_weather[ARGS]{"city":"Antwerp"}[TOOL_CALLS]read_file[ARGS]{"path":"notes.md"}`, two, ""},
		{"17 CALL_ID", `Let me see.[TOOL_CALLS]get_weather[CALL_ID]abc123[ARGS]{"city":"Antwerp"}`, one, "Let me see."},
		{"17 ARGS alone", `get_weather[ARGS]{"city":"Antwerp"}`, one, ""},
		{"17 TOOL_CALLS and a list", `[TOOL_CALLS] [{"name":"get_weather","arguments":{"city":"Antwerp"}},{"name":"read_file","arguments":{"path":"notes.md"}}]`, two, ""},
		{"18 a list of Python", `[get_weather(city="Antwerp"), roll(sides=6, count=3)]`, []string{weather, `roll {"sides":6,"count":3}`}, ""},
		{"18 Python", `get_weather(city='Antwerp')`, one, ""},
		{"18 Python in a list of strings", `['get_weather(city="Antwerp")', "read_file(path='notes.md')"]`, two, ""},
		{"18 Python with a dict", `get_weather({'city': 'Antwerp'})`, one, ""},
		{"18 Python literals", `[create_event(title="a, b", attendees=['Jan', "O'Neill"], when={'date': '2024-01-02'})]`,
			[]string{`create_event {"title":"a, b","attendees":["Jan","O'Neill"],"when":{"date":"2024-01-02"}}`}, ""},
		{"18 Python without names", `get_weather("Antwerp")`, one, ""},
		{"18 a list of names", `[list_files]`, []string{`list_files {}`}, ""},
		{"19 colons", `<tool_call>get_weather(city: Antwerp)</tool_call>`, one, ""},
		{"19 colons, two", `<tool_call>get_weather(city: Antwerp, Belgium, unit: celsius)</tool_call>`, []string{`get_weather {"city":"Antwerp, Belgium","unit":"celsius"}`}, ""},
		{"20 the name on a line", "get_weather\n{\"city\":\"Antwerp\"}", one, ""},
		{"21 gemma4", `<|tool_call>call:get_weather{city:<|"|>Antwerp<|"|>}<tool_call|>`, one, ""},
		{"21 gemma4, nested", `call:create_event{attendees:[<|"|>Jan<|"|>,<|"|>a, b}<|"|>],title:<|"|>x "y"<|"|>,when:{date:<|"|>2024-01-02<|"|>}}`,
			[]string{`create_event {"attendees":["Jan","a, b}"],"title":"x \"y\"","when":{"date":"2024-01-02"}}`}, ""},
		{"21 functiongemma", `<start_function_call>call:get_weather{city:<escape>Antwerp<escape>}<end_function_call>`, one, ""},
		{"21 functiongemma, a date without quotes", `<start_function_call>call:search_files{pattern:2024-01-02,max_results:5}<end_function_call>`,
			[]string{`search_files {"pattern":"2024-01-02","max_results":5}`}, ""},
		{"21 functiongemma, a line break", "<start_function_call>call:write_file{path:<escape>a<escape>,content:<escape>1\n2<escape>}<end_function_call>",
			[]string{`write_file {"path":"a","content":"1\n2"}`}, ""},
		{"22 tool_call_start", `<|tool_call_start|>[get_weather(city="Antwerp"), read_file(path="notes.md")]<|tool_call_end|>`, two, ""},
		{"22 tool_call_start and JSON", `<|tool_call_start|>[{"name":"get_weather","arguments":{"city":"Antwerp"}}]<|tool_call_end|>`, one, ""},
		{"23 DeepSeek", `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city":"Antwerp"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path":"notes.md"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`, two, ""},
		{"23 DeepSeek R1", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{\"city\":\"Antwerp\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>", one, ""},
		{"23 DSML", "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"search_files\">\n<｜DSML｜parameter name=\"pattern\" string=\"true\">5</｜DSML｜parameter>\n<｜DSML｜parameter name=\"max_results\" string=\"false\">5</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
			[]string{`search_files {"pattern":"5","max_results":5}`}, ""},
		{"24 harmony", `<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city":"Antwerp"}<|call|>`, one, ""},
		{"24 harmony after thoughts", `<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city":"Antwerp"}<|call|>`, one, ""},
		{"24 harmony without its tokens", `to=functions.get_weather <|constrain|>json<|message|>{"city":"Antwerp"}`, one, ""},
		{"24 harmony, bare", `commentary to=functions.get_weather json{"city":"Antwerp"}`, one, ""},
		{"25 Kimi", `<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city":"Antwerp"}<|tool_call_end|><|tool_call_begin|>functions.read_file:1<|tool_call_argument_begin|>{"path":"notes.md"}<|tool_call_end|><|tool_calls_section_end|>`, two, ""},
		{"25 Kimi without the section", `<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city":"Antwerp"}<|tool_call_end|>`, one, ""},
		{"26 ReAct", "Action: get_weather\nAction Input: {\"city\":\"Antwerp\"}", one, ""},
		{"26 ReAct with a thought", "Thought: I need the weather.\nAction: get_weather\nAction Input: {\"city\":\"Antwerp\"}\nObservation: 20 degrees\nFinal Answer: 20", one, ""},
		{"26 ReAct with a plain input", "Action: get_weather\nAction Input: Antwerp", one, ""},
		{"27 escaped name", `{"name":"get\_weather","arguments":{"city":"Antwerp"}}`, one, ""},
		{"27 escaped names in Python", `[search\_files(pattern="x", max\_results=3)]`, []string{`search_files {"pattern":"x","max_results":3}`}, ""},
		{"27 escaped argument", `{"name":"search\_files","arguments":{"pattern":"x","max\_results":3}}`, []string{`search_files {"pattern":"x","max_results":3}`}, ""},
	}
}

func TestShapes(t *testing.T) {
	o := workshop()
	for _, test := range shapes() {
		t.Run(test.name, func(t *testing.T) {
			want := said{Class: Calls, Calls: test.calls, Text: test.words}
			if diff := cmp.Diff(want, o.said(words(test.text))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

// Every class, and what decides for it.
func TestClasses(t *testing.T) {
	o := workshop()
	const call = `{"name":"get_weather","arguments":{"city":"Antwerp"}}`
	const write = `{"name":"write_file","arguments":{"path":"a","content":"b"}}`
	structured := func(text string, calls ...llm.Call) llm.Message {
		return llm.Message{Role: llm.AssistantRole, Text: text, Calls: calls}
	}
	fail := func(e llm.Error) Wire { return Wire{Err: fmt.Errorf("ask the model: %w", &e)} }
	one := []string{weather}
	for _, test := range []struct {
		name string
		wire Wire
		want said
	}{
		{"words", words("It rains."), said{Text, nil, "It rains."}},
		{"nothing", words(""), said{Empty, nil, ""}},
		{"blanks", words(" \n"), said{Empty, nil, ""}},
		{"control tokens and nothing else", words("<|im_end|>\n<unused50><unused50>"), said{Empty, nil, ""}},
		{"control tokens around words", words("<|im_start|>assistant\nIt rains.<|eot_id|></s>"), said{Text, nil, "It rains."}},
		{"control tokens within words", words("Then <unused5> comes."), said{Text, nil, "Then <unused5> comes."}},
		{"thoughts", words("<think>hm</think>"), said{Thinking, nil, ""}},
		{"thoughts without an end", words("<think>hm"), said{Thinking, nil, ""}},
		{"thoughts beside the text", Wire{Message: llm.Message{Thinking: "hm"}}, said{Thinking, nil, ""}},
		{"thoughts, cut off", Wire{Message: llm.Message{Thinking: "hm"}, Truncated: true}, said{Thinking, nil, ""}},
		{"thoughts and words", words("<think>hm</think>\n\nIt rains."), said{Text, nil, "It rains."}},
		{"thoughts and a call", words("<think>hm</think>\n" + call), said{Calls, one, ""}},
		{"thoughts without a beginning", words("hm\n</think>\nIt rains."), said{Text, nil, "It rains."}},
		{"a tag at the end of thoughts", words("<think>I call <tool_call>" + call + "</tool_call></think>"), said{Calls, one, ""}},
		{"a tag at the end of thoughts beside the text", Wire{Message: llm.Message{Thinking: "hm\n<tool_call>" + call + "</tool_call>"}}, said{Calls, one, ""}},
		{"a tag within thoughts", Wire{Message: llm.Message{Thinking: "<tool_call>" + call + "</tool_call>, or not?"}}, said{Thinking, nil, ""}},
		{"JSON in thoughts", Wire{Message: llm.Message{Thinking: "hm\n" + call}}, said{Thinking, nil, ""}},
		{"a tag in thoughts and words", Wire{Message: llm.Message{Text: "It rains.", Thinking: "<tool_call>" + call + "</tool_call>"}}, said{Text, nil, "It rains."}},
		{"a call that the server read", Wire{Message: structured("Let me look.", llm.Call{ID: "1", Name: "get_weather", Args: json.RawMessage(`{"city":"Antwerp"}`)})}, said{Calls, one, "Let me look."}},
		{"arguments null", Wire{Message: structured("", llm.Call{Name: "list_files", Args: json.RawMessage("null")})}, said{Calls, []string{"list_files {}"}, ""}},
		{"arguments that are an empty string", Wire{Message: structured("", llm.Call{Name: "list_files", Args: json.RawMessage(`""`)})}, said{Calls, []string{"list_files {}"}, ""}},
		{"no arguments", Wire{Message: structured("", llm.Call{Name: "list_files"})}, said{Calls, []string{"list_files {}"}, ""}},
		{"a call that the server read and an unknown one", Wire{Message: structured("", llm.Call{Name: "get_weather", Args: json.RawMessage(`{"city":"Antwerp"}`)}, llm.Call{Name: "fly", Args: json.RawMessage(`{}`)})},
			said{Malformed, []string{weather, "!fly {}"}, ""}},
		{"the same call in the text once more", Wire{Message: structured("Look:\n"+call, llm.Call{Name: "get_weather", Args: json.RawMessage(`{"city":"Antwerp"}`)})}, said{Calls, one, "Look:"}},
		{"an empty call", Wire{Message: structured("", llm.Call{ID: "1"})}, said{Malformed, nil, ""}},
		{"an empty call and one in the text", Wire{Message: structured(call, llm.Call{ID: "1"})}, said{Calls, one, ""}},
		{"an empty call and words", Wire{Message: structured("It rains.", llm.Call{ID: "1"})}, said{Malformed, nil, "It rains."}},
		{"words, cut off", Wire{Message: words("It rai").Message, Truncated: true}, said{Truncated, nil, "It rai"}},
		{"nothing, cut off", Wire{Truncated: true}, said{Truncated, nil, ""}},
		{"a call, cut off in its content", Wire{Message: words(`I write.` + "\n" + `{"name":"write_file","arguments":{"path":"a","content":"b`).Message, Truncated: true}, said{Truncated, nil, "I write."}},
		{"a call, cut off in its name", Wire{Message: words(`I write.` + "\n" + `{"name":"wri`).Message, Truncated: true}, said{Truncated, nil, "I write."}},
		{"a call, cut off in its first word", Wire{Message: words(`[{"na`).Message, Truncated: true}, said{Truncated, nil, ""}},
		{"a tag, cut off", Wire{Message: words("I write.\n<tool_ca").Message, Truncated: true}, said{Truncated, nil, "I write."}},
		{"a tagged call, cut off", Wire{Message: words("I write.\n<tool_call>" + write[:len(write)-4]).Message, Truncated: true}, said{Truncated, nil, "I write."}},
		{"elements, cut off", Wire{Message: words("<function=write_file><parameter=path>a</parameter><parameter=content>b").Message, Truncated: true}, said{Truncated, nil, ""}},
		{"a whole call and a half one", Wire{Message: words(call + "\n" + write[:len(write)-4]).Message, Truncated: true}, said{Calls, one, ""}},
		{"a whole call, cut off behind it", Wire{Message: words("<tool_call>" + write + "</tool_call>").Message, Truncated: true}, said{Calls, []string{`write_file {"path":"a","content":"b"}`}, ""}},
		{"a careful call without an end", words("<tool_call>" + write[:len(write)-2]), said{Malformed, []string{`!write_file {}`}, ""}},
		{"a tag and nothing in it", words("<tool_call>\n</tool_call>"), said{Malformed, nil, ""}},
		{"a tag and words in it", words("Well.\n<tool_call>I would like to know</tool_call>"), said{Malformed, nil, "Well."}},
		{"a closing tag alone", words("</tool_call>"), said{Malformed, nil, ""}},
		{"a closing tag behind words", words("It rains.\n</tool_call>"), said{Text, nil, "It rains."}},
		{"JSON that is no call in a tag", words(`<tool_call>{"city":"Antwerp"}</tool_call>`), said{Malformed, nil, ""}},
		{"broken JSON in a tag", words(`<tool_call>{"name":"get_weather", "arguments": {'city': 'Antwerp',}}</tool_call>`), said{Calls, one, ""}},
		{"a brace missing in a tag", words(`<tool_call>{"name":"get_weather","arguments":{"city":"Antwerp"}</tool_call>`), said{Calls, one, ""}},
		{"incomplete", fail(llm.Error{Kind: llm.Incomplete, Message: "x", Retry: true}), said{Incomplete, nil, ""}},
		{"context", fail(llm.Error{Kind: llm.ContextExceeded, Message: "x"}), said{Context, nil, ""}},
		{"transport", fail(llm.Error{Kind: llm.Failed, Message: "x", Retry: true}), said{Transport, nil, ""}},
		{"failed", fail(llm.Error{Kind: llm.ModelMissing, Message: "x"}), said{Failed, nil, ""}},
		{"failed otherwise", Wire{Err: errors.New("x")}, said{Failed, nil, ""}},
		{"words, then the stream ended", Wire{Message: words("It rai").Message, Err: &llm.Error{Kind: llm.Incomplete}}, said{Incomplete, nil, "It rai"}},
		{"not parsed, without its raw text", fail(llm.Error{Kind: llm.Malformed, Message: "x"}), said{Malformed, nil, ""}},
		{"not parsed, with a call", fail(llm.Error{Kind: llm.Malformed, Message: "x", Raw: call}), said{Calls, one, ""}},
		{"not parsed, with a tag", fail(llm.Error{Kind: llm.Malformed, Message: "x", Raw: "<tool_call>" + call + "</tool_call>"}), said{Calls, one, ""}},
		{"not parsed, with half a call", fail(llm.Error{Kind: llm.Malformed, Message: "x", Raw: call[:len(call)-2]}), said{Malformed, nil, ""}},
		{"not parsed, with arguments only", fail(llm.Error{Kind: llm.Malformed, Message: "x", Raw: `{"city":"Antwerp"}`}), said{Malformed, nil, ""}},
		{"schema: a call", Wire{Message: words(`{"thought":"hm","tool":"get_weather","arguments":{"city":"Antwerp"}}`).Message, Mode: llm.SchemaMode}, said{Calls, one, ""}},
		{"schema: an answer", Wire{Message: words(`{"thought":"hm","tool":"answer","answer":"It rains."}`).Message, Mode: llm.SchemaMode}, said{Text, nil, "It rains."}},
		{"schema: cut off", Wire{Message: words(`{"thought":"hm","tool":"get_weather","arguments":{"ci`).Message, Mode: llm.SchemaMode, Truncated: true}, said{Truncated, nil, ""}},
		{"prompt: a call", Wire{Message: words(`{"tool":"get_weather","arguments":{"city":"Antwerp"}}`).Message, Mode: llm.PromptMode, Strict: true}, said{Calls, one, ""}},
		{"loose thoughts, cut off", Wire{Message: words("First I").Message, Truncated: true, Loose: true}, said{Thinking, nil, ""}},
		{"JSON, cut off", Wire{Message: words(`{"planets":["Mars","Ve`).Message, Truncated: true}, said{Truncated, nil, `{"planets":["Mars","Ve`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, o.said(test.wire)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("no tools", func(t *testing.T) {
		o := NewOffer(nil, nil)
		for text, want := range map[string]said{
			call: {Text, nil, call},
			"It rains.\n<tool_call>" + call + "</tool_call>": {Text, nil, "It rains."},
			"<tool_call>" + call + "</tool_call>":            {Malformed, nil, ""},
		} {
			if diff := cmp.Diff(want, o.said(words(text))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", text, diff)
			}
		}
	})
}

// What a reading holds besides its calls.
func TestReading(t *testing.T) {
	text := "<think>I need\nthe weather</think>Let me look.\n<tool_call>{\"name\":\"get_weather\",\"parameters\":{\"city\":\"Antwerp\"}}</tool_call>"
	got := workshop().Read(words(text))
	want := Reading{
		Class: Calls, Text: "Let me look.", Thinking: "I need\nthe weather", Raw: text,
		Calls: []Call{{Call: llm.Call{Name: "get_weather", Args: json.RawMessage(`{"city":"Antwerp"}`), Repairs: []string{"a call in a <tool_call> tag"}}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got = workshop().Read(Wire{Err: &llm.Error{Kind: llm.Malformed, Message: "the server could not read it", Raw: "<tool_call>get"}})
	if diff := cmp.Diff(Reading{Class: Malformed, Raw: "<tool_call>get", Reason: "the server could not read it"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got = workshop().Read(words("Well.\n<tool_call>get the weather</tool_call>"))
	want = Reading{Class: Malformed, Text: "Well.", Raw: "Well.\n<tool_call>get the weather</tool_call>", Reason: "there is no call that can be read in a <tool_call> tag"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got = workshop().Read(words(`<tool_call>{"name":"roll","arguments":{"sides":6}</tool_call>`))
	if diff := cmp.Diff([]string{"a call in a <tool_call> tag", "its end was missing before </tool_call>"}, got.Calls[0].Repairs); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got = workshop().Read(words("Thought: I need it.\nAction: get_weather\nAction Input: {\"city\":\"Antwerp\"}"))
	if got.Thinking != "I need it." || got.Text != "" {
		t.Errorf("Thinking = %q, Text = %q", got.Thinking, got.Text)
	}
}

// Why a reply was cut off decides what the model is told.
func TestTruncatedReasons(t *testing.T) {
	for text, want := range map[string]string{
		"It rai":                "the reply was cut off at the limit of tokens",
		"<tool_call>{\"name\"":  "the call was cut off in the middle, at the limit of tokens: write less in one call",
		`{"name":"roll","argu`:  "the call was cut off in the middle, at the limit of tokens: write less in one call",
		"<tool_call>call the w": "the call was cut off in the middle, at the limit of tokens: write less in one call",
	} {
		r := workshop().Read(Wire{Message: words(text).Message, Truncated: true})
		if r.Class != Truncated || r.Reason != want || r.Calls != nil {
			t.Errorf("%q: %s %v, %q", text, r.Class, r.Calls, r.Reason)
		}
	}
}

// A model that writes one call after the other has lost its way, however it writes them.
func TestTooManyCalls(t *testing.T) {
	for _, s := range []string{`{"name":"roll","arguments":{"sides":6}}` + "\n", "<tool_call>" + `{"name":"roll","arguments":{"sides":6}}` + "</tool_call>", "roll(sides=6)\n", "<function=roll><parameter=sides>6</parameter></function>"} {
		if r := workshop().Read(words(strings.Repeat(s, mostCalls))); r.Class != Calls || len(r.Calls) != mostCalls {
			t.Errorf("%s: %s with %d calls of %d", s, r.Class, len(r.Calls), mostCalls)
		}
		r := workshop().Read(words(strings.Repeat(s, 10*mostCalls)))
		if r.Class != Malformed || r.Text != "" || r.Reason != "there are more than 32 calls in one reply" {
			t.Errorf("%s: %s %q, %q", s, r.Class, r.Reason, r.Text)
		}
	}
}
