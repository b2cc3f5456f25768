package toolcall

import "testing"

// Calls of frameworks and templates, in whatever wrapper. Each says which wrapper it is.
func TestWrappers(t *testing.T) {
	one, did := said{Calls, []string{inParis}, ""}, said{Calls, []string{removed}, ""}
	asked := said{Malformed, []string{"!" + removed}, ""}
	keeps(t, []rule{
		{"JSON-RPC", words(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + paris + `}`), one},
		{"JSON-RPC, careful", words(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + remove + `}`), asked},
		{"a known wrapper, careful", words(`{"functionCall":{"name":"delete_file","args":{"path":"a"}}}`), did},
		{"parts", words(`{"parts":[{"text":"I look."},{"functionCall":{"name":"get_weather","args":{"city":"Paris"}}}]}`), one},
		{"keys that nobody knows", words(`{"operation":"get_weather","payload":{"city":"Paris"}}`), one},
		{"beside the name", words(`{"type":"get_weather","id":7,"city":"Paris"}`), one},
		{"two names", words(`{"operation":"get_weather","next":"read_file","payload":{"city":"Paris"}}`), said{Text, nil, `{"operation":"get_weather","next":"read_file","payload":{"city":"Paris"}}`}},
		{"calls as texts", words(`{"tool_calls":["get_weather(city=\"Paris\")"]}`), one},
		{"a list of one", words(`{"name":"get_weather","arguments":["Paris"]}`), one},
		{"a list of one, careful", words(`{"name":"delete_file","arguments":["a"]}`), asked0("delete_file", `{"path":"a"}`)},
		{"a list for a list", words(`{"name":"send_email","arguments":["a@b.c"]}`), said{Malformed, []string{`!send_email {}`}, ""}},
		{"braces twice", words(`{{"name":"get_weather","arguments":{{"city":"Paris"}}}}`), one},
		{"braces twice in a text, careful", words(`{{"name":"delete_file","arguments":{{"path":"{{a}}"}}}}`), asked0("delete_file", `{"path":"{a}"}`)},
		{"escaped quotes", words(`{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Paris\"}}`), one},
		{"a name for an argument", words(`{"get_weather":"Paris"}`), said{Malformed, []string{notParis}, ""}},
		{"the arguments alone", words(`{"city":"Paris"}`), said{Malformed, []string{notParis}, ""}},
		{"other data", words(`{"city":"Paris","river":"Seine"}`), said{Text, nil, `{"city":"Paris","river":"Seine"}`}},
	})
}

func asked0(name, args string) said { return said{Malformed, []string{"!" + name + " " + args}, ""} }

// A call may be an element: of the tool's name, or of another with the name inside.
func TestElements(t *testing.T) {
	one, did := said{Calls, []string{inParis}, ""}, said{Calls, []string{removed}, ""}
	file := said{Calls, []string{`write_file {"path":"a","content":"<b>\n{\"x\": 1}"}`}, ""}
	keeps(t, []rule{
		{"elements", words("<get_weather>\n<city>Paris</city>\n</get_weather>"), one},
		{"attributes", words(`<delete_file path="a" />`), did},
		{"both", words("<write_file path=\"a\"><content>\n<b>\n{\"x\": 1}\n</content></write_file>"), file},
		{"JSON", words(`<get_weather>{"city":"Paris"}</get_weather>`), one},
		{"a text", words(`<get_weather>Paris</get_weather>`), one},
		{"a text, careful", words(`<delete_file>a</delete_file>`), asked0("delete_file", `{"path":"a"}`)},
		{"nothing", words(`<list_files></list_files>`), said{Calls, []string{`list_files {}`}, ""}},
		{"named by an attribute", words(`<tool_call name="get_weather">{"city":"Paris"}</tool_call>`), one},
		{"a name and its arguments", words("<tool>get_weather</tool>\n<tool_input>Paris</tool_input>"), one},
		{"in a tag", words("<tool_call>\n<name>delete_file</name>\n<arguments>{\"path\":\"a\"}</arguments>\n</tool_call>"), did},
		{"no end, careful", words("<write_file>\n<path>a</path>\n<content>b"), said{Malformed, []string{`!write_file {}`}, ""}},
		{"an end too few, careful", words("<write_file>\n<path>a</path>\n<content>b</write_file>"), said{Malformed, []string{`!write_file {}`}, ""}},
		{"behind a sentence", words("I look. <get_weather><city>Paris</city></get_weather>"), said{Malformed, []string{"!" + inParis}, "I look."}},
		{"in a sentence", words("Cline writes <get_weather><city>Paris</city></get_weather> for it."), said{Text, nil, "Cline writes <get_weather><city>Paris</city></get_weather> for it."}},
		{"indented", words("So:\n\n    <get_weather><city>Paris</city></get_weather>"), said{Malformed, []string{"!" + inParis}, "So:"}},
		{"another element", words("<question><city>Paris</city></question>"), said{Text, nil, "<question><city>Paris</city></question>"}},
		{"Functionary", words("<|from|>assistant\n<|recipient|>get_weather\n<|content|>{\"city\":\"Paris\"}"), one},
		{"Qwen 2", words("✿FUNCTION✿: delete_file\n✿ARGS✿: {\"path\":\"a\"}\n✿RESULT✿"), did},
		{"Gorilla", words(`<<function>>get_weather(city="Paris")`), one},
		{"ChatGLM", words("get_weather\n```python\ntool_call(city='Paris')\n```"), one},
	})
}

// Name and arguments may stand on lines with labels.
func TestFields(t *testing.T) {
	one, did := said{Calls, []string{inParis}, ""}, said{Calls, []string{removed}, ""}
	mail := said{Calls, []string{`send_email {"to":["a@b.c"],"subject":"Hi: you"}`}, ""}
	keeps(t, []rule{
		{"labels", words("Tool: delete_file\nArguments: {\"path\":\"a\"}"), did},
		{"bold labels", words("**Tool:** `get_weather`\n**Tool Input:** {\"city\":\"Paris\"}"), one},
		{"words", words("Tool: get_weather\nArguments: city (string), required"), said{Malformed, []string{notParis}, ""}},
		{"another tool", words("Tool: play_song\nArguments: {\"title\":\"a\"}"), asked0("play_song", `{"title":"a"}`)},
		{"prose", words("Tool: a hammer.\nInput: nails."), said{Text, nil, "Tool: a hammer.\nInput: nails."}},
		{"YAML", words("name: send_email\narguments:\n  to:\n    - a@b.c\n  subject: \"Hi: you\""), mail},
		{"YAML in a fence", words("```yaml\ntool: get_weather\nparameters:\n  city: Paris\n```"), one},
		{"YAML on more lines", words("name: write_file\narguments:\n  path: a\n  content: |\n    b"), said{Malformed, []string{`!write_file {}`}, ""}},
		{"YAML that was cut off", cut("name: write_file\narguments:\n  path: a\n  content: b"), said{Truncated, nil, ""}},
		{"other YAML", words("name: Ada\narguments:\n  - fast"), said{Text, nil, "name: Ada\narguments:\n  - fast"}},
	})
}

// A call in a syntax that nobody reads is asked about, and prose is not.
func TestSpelled(t *testing.T) {
	asked := said{Malformed, []string{notParis}, ""}
	prose := func(text string) rule { return rule{text, words(text), said{Text, nil, text}} }
	keeps(t, []rule{
		{"a command", words(`get_weather --city Paris`), asked},
		{"Lisp", words(`(get_weather :city "Paris")`), asked},
		{"assignments", words(`call get_weather with city=Paris`), asked},
		{"a template, careful", words(`{{delete_file(path="a")}}`), said{Malformed, []string{"!" + removed}, ""}},
		{"entities", words(`&lt;get_weather&gt;&lt;city&gt;Paris&lt;/city&gt;&lt;/get_weather&gt;`), asked},
		{"brackets", words(`get_weather[Paris]`), asked},
		{"an object behind words", words(`Calling get_weather with {"city":"Paris"}`), said{Calls, []string{inParis}, ""}},
		{"an object behind words, careful", words(`Calling delete_file with {"path":"a"}`), said{Malformed, []string{"!" + removed}, ""}},
		{"a heading", words("### get_weather\n```json\n{\"city\":\"Paris\"}\n```"), said{Calls, []string{inParis}, ""}},
		{"the name behind a fence", words("```get_weather\n{\"city\":\"Paris\"}\n```"), said{Calls, []string{inParis}, ""}},
		{"behind a sentence", words(`I look: get_weather(city="Paris")`), said{Malformed, []string{"!" + inParis}, "I look: get_weather"}},
		prose("get_weather city is required."),
		prose("get_weather: reads the weather. city: where."),
		prose("get_weather(city: string) tells the weather."),
		prose("get_weather: city=a place\nread_file: path=a file"),
		prose("For example:\n\n" + paris),
		prose("A call looks like this:\n```json\n" + paris + "\n```"),
		prose("```json\n{\"name\":\"get_weather\",\"parameters\":{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}}}}\n```"),
	})
}

// The words of a final answer are the answer.
func TestFinalAnswer(t *testing.T) {
	it := func(before string) said { return said{Text, nil, before + "It rains."} }
	keeps(t, []rule{
		{"an object", words(`{"action":"Final Answer","action_input":"It rains."}`), it("")},
		{"a fence", words("```json\n{\"action\":\"final_answer\",\"action_input\":{\"answer\":\"It rains.\"}}\n```"), it("")},
		{"no words", words(`{"action":"Final Answer","action_input":{"a":1,"b":2}}`), asked0("Final Answer", `{"a":1,"b":2}`)},
	})
}

// What only says what an argument is, or says more than one, is no value of it.
func TestPlaceholders(t *testing.T) {
	call := func(path string) Wire { return words(`{"name":"read_file","arguments":{"path":` + quote(path) + `}}`) }
	yes := func(path string) said { return said{Calls, []string{`read_file {"path":` + quote(path) + `}`}, ""} }
	no := func(path string) said {
		return said{Malformed, []string{`!read_file {"path":` + quote(path) + `}`}, ""}
	}
	for path, want := range map[string]func(string) said{
		"<path>": no, "<path of the file>": no, "[insert name]": no, "{file_path}": no, "<your file>": no,
		"<b>": yes, "[a-z]": yes, "{x}": yes, "a, b: c": yes,
	} {
		keeps(t, []rule{{path, call(path), want(path)}})
	}
	keeps(t, []rule{
		{"two in one", words(`{"name":"get_weather","arguments":{"city":"Paris, days: 3"}}`), said{Malformed, []string{`!get_weather {"city":"Paris, days: 3"}`}, ""}},
		{"given", words(`{"name":"get_weather","arguments":{"city":"Paris, days: 3","days":3}}`), said{Calls, []string{`get_weather {"city":"Paris, days: 3","days":3}`}, ""}},
	})
}
