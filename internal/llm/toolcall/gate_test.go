package toolcall

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Who asks to see JSON, code or a call gets it; who speaks of files that hold some gets something done.
func TestAsks(t *testing.T) {
	for want, questions := range map[asked][]string{
		someCall: {
			"Show me what a tool call looks like.", "What would the call look like?", "what would the json for get_weather look like",
			"Give me an example of a tool call", "Show me an example.", "Print the call you would make.", "How do I write a function call in JSON?",
			"Show me the tool syntax", "I need a JSON example", "Can you give me a code sample?", "Display the code snippet", "Example of JSON please", "write an example of a JSON request for read_file",
			"What is the syntax of your tools?", "Show me the JSON schema.", "Explain how you write a tool call",
			"Zeig mir ein Beispiel für einen Aufruf.", "Zeige mir die Syntax", "Ein Beispiel für JSON, bitte", "Wie sieht der Aufruf von get_weather aus?",
			"Покажи пример вызова", "Приведи пример JSON", "Как выглядит вызов функции?", "дай мне пример кода",
			"给我一个工具调用的示例", "显示一个例子", "JSON 示例", "举一个函数调用的例子", "工具调用是什么样的？",
			"Show me what the JSON in config.json would look like.", "show me how to call the weather function", "Can you show me how to call the weather function?", "Demonstrate a tool call",
		},
		someJSON: {
			"Give me the weather as JSON.", "Print the JSON.", "Show me JSON", "answer in JSON", "Reply with JSON only", "Return the list of planets in JSON format",
			"Respond in valid JSON", "convert this to JSON: name Bob, age 3", "Output raw JSON please", "Write the answer as JSON", "show me some code", "Display the source",
			"Gib mir das Wetter als JSON", "Antworte im JSON-Format", "Zeig mir den Code",
			"Покажи JSON", "Выведи ответ в формате JSON", "Ответь как JSON", "покажи код",
			"I want to see the JSON", "can I see the json", "Let me see the JSON", "I want the JSON", "What is the JSON for this call?", "I'd like to see the code", "let me see your code",
			"Хочу увидеть JSON", "Can you write code that calls get_weather?", "Write me a Python function that calls get_weather", "Write a function in Python", "write some code",
			"Напиши код, который вызывает get_weather", "Help me write a script in Python", "Show me the JSON, not the code",
			"以 JSON 格式返回", "显示 JSON", "用JSON回答", "给我看代码", "JSON 格式",
		},
		nothing: {
			"", "What is the weather in Antwerp?", "Show me the weather in Antwerp.", "show me my files", "Show me notes.md", "Read config.json", "read the config.json file",
			"Write a json file with my settings", "Save the list as JSON", "Show me config.json", "Show me the JSON in config.json", "Show me the code in main.go", "Print main.py",
			"Find all JSON files", "search the code for TODO", "Search for example in my notes", "Delete example.txt", "Write the list as JSON to out.json", "Convert data.csv to JSON and save it",
			"Run the code in test.py", "List the json files", "Open package.json and tell me the version", "Call Bob tomorrow", "Remind me to call mum", "create an event: conference call at 10", "Roll a die, for example a d6",
			"Give me the source of notes.md", "Write hello world to a file",
			"Lies config.json", "Speichere die Liste als JSON", "Zeig mir das Wetter", "Zeig mir notes.md", "Schreib eine JSON-Datei mit den Namen",
			"Прочитай config.json", "Покажи погоду", "Покажи файл notes.md", "Сохрани список в формате JSON", "Запиши это в json-файл",
			"Don't show me JSON", "no JSON please", "Tell me the weather, not as JSON", "weather in paris pls, do not show me JSON", "Не показывай JSON, какая погода?", "不要显示 JSON", "Kein JSON bitte", "Ohne JSON",
			"write a json file", "save the JSON to a.json", "Write a python script hello.py that prints 1", "Write a script and run it", "Generate a QR code", "What is the zip code of Paris?",
			"What's the weather in Paris? (I am writing code)", "use the get_weather function for Paris", "I saw the JSON yesterday. What's the weather in Paris?",
			"读取 config.json", "显示天气", "显示 notes.md", "把列表保存为 JSON", "创建一个 JSON 文件",
		},
	} {
		for _, q := range questions {
			if got := asks(q); got != want {
				t.Errorf("asks(%q) = %d, want %d", q, got, want)
			}
		}
	}
}

// What may stand around a call that is not marked, and what makes it a text.
func TestGate(t *testing.T) {
	const call = `{"name":"get_weather","arguments":{"city":"Antwerp"}}`
	const tag = "<tool_call>" + call + "</tool_call>"
	long := strings.Repeat("This is what I think about it. ", 10)
	one := []string{weather}
	for _, test := range []struct {
		name string
		wire Wire
		want said
	}{
		{"nothing around it", words(call), said{Calls, one, ""}},
		{"a sentence before it", words("I will look.\n\n" + call), said{Calls, one, "I will look."}},
		{"too much before it", words(long + "\n" + call), said{Text, nil, long + "\n" + call}},
		{"too much before a fence", words(long + "\n```json\n" + call + "\n```"), said{Text, nil, long + "\n```json\n" + call + "\n```"}},
		{"a lot before a tag", words(long + "\n" + tag), said{Calls, one, strings.TrimSpace(long)}},
		{"a sentence behind it", words(call + "\nI hope this helps."), said{Calls, one, ""}},
		{"two sentences behind it", words(call + "\nThis is a call. It asks for the weather."), said{Text, nil, call + "\nThis is a call. It asks for the weather."}},
		{"two sentences behind a tag", words(tag + "\nThe weather is fine. It is warm."), said{Calls, one, ""}},
		{"not where a line begins", words("The call is " + call), said{Text, nil, "The call is " + call}},
		{"in backticks", words("The call is `" + tag + "`."), said{Text, nil, "The call is `" + tag + "`."}},
		{"in quotes", words("I would write \"" + tag + "\"."), said{Text, nil, "I would write \"" + tag + "\"."}},
		{"a tag that is spoken of", words("Calls begin with `<tool_call>` and end with \"</tool_call>\"."), said{Text, nil, "Calls begin with `<tool_call>` and end with \"</tool_call>\"."}},
		{"in a list", words("You could do this:\n- " + call + "\n- something else"), said{Text, nil, "You could do this:\n- " + call + "\n- something else"}},
		{"in a numbered list", words("1. " + call), said{Text, nil, "1. " + call}},
		{"below an item", words("- like this:\n  " + call), said{Text, nil, "- like this:\n  " + call}},
		{"a tag in a list", words("* " + tag + "\n* wait"), said{Text, nil, "* " + tag + "\n* wait"}},
		{"quoted", words("> " + call), said{Text, nil, "> " + call}},
		{"in a fence of Python", words("```python\n" + `get_weather(city="Antwerp")` + "\n```"), said{Text, nil, "```python\n" + `get_weather(city="Antwerp")` + "\n```"}},
		{"in a fence of JavaScript", words("```js\n" + call + "\n```"), said{Text, nil, "```js\n" + call + "\n```"}},
		{"a tag in a fence of a shell", words("```sh\n" + tag + "\n```"), said{Text, nil, "```sh\n" + tag + "\n```"}},
		{"beside JSON that is shown", words("```json\n{\"a\":1}\n```\n```json\n" + call + "\n```"), said{Text, nil, "```json\n{\"a\":1}\n```\n```json\n" + call + "\n```"}},
		{"a tool that there is not", words(`{"name":"book_hotel","arguments":{"city":"Antwerp"}}`), said{Text, nil, `{"name":"book_hotel","arguments":{"city":"Antwerp"}}`}},
		{"a tool that there is not, in a tag", words(`<tool_call>{"name":"book_hotel","arguments":{"city":"Antwerp"}}</tool_call>`), said{Malformed, []string{`!book_hotel {"city":"Antwerp"}`}, ""}},
		{"arguments that do not fit", words(`{"name":"get_weather","arguments":{"town":"Antwerp"}}`), said{Malformed, []string{`!get_weather {"town":"Antwerp"}`}, ""}},
		{"no arguments, and some are needed", words(`{"name":"get_weather","place":"Antwerp"}`), said{Text, nil, `{"name":"get_weather","place":"Antwerp"}`}},
		{"a name that is a key, and does not fit", words(`{"roll":{"speed":6}}`), said{Text, nil, `{"roll":{"speed":6}}`}},
		{"a person", words(`{"name":"Bob","age":3}`), said{Text, nil, `{"name":"Bob","age":3}`}},
		{"JSON was asked for", Wire{Message: words(call).Message, User: "Give it to me as JSON."}, said{Text, nil, call}},
		{"JSON was asked for, and a tag came", Wire{Message: words(tag).Message, User: "Give me the weather as JSON."}, said{Text, nil, tag}},
		{"an example was asked for, and a tag came", Wire{Message: words(tag).Message, User: "What would the tool call look like?"}, said{Text, nil, tag}},
		{"a file with JSON was asked for", Wire{Message: words(`{"name":"read_file","arguments":{"path":"config.json"}}`).Message, User: "Read config.json"}, said{Calls, []string{`read_file {"path":"config.json"}`}, ""}},
		{"strictly, bare", Wire{Message: words(call).Message, Strict: true}, said{Text, nil, call}},
		{"strictly, in a fence", Wire{Message: words("```json\n" + call + "\n```").Message, Strict: true}, said{Calls, one, ""}},
		{"strictly, in a tag", Wire{Message: words(tag).Message, Strict: true}, said{Calls, one, ""}},
		{"a line that begins with a tool's name", words("roll (with six sides) is what I would use.\nroll the dice: {6}"), said{Text, nil, "roll (with six sides) is what I would use.\nroll the dice: {6}"}},
		{"a call in a sentence", words("roll(sides=6) is what I would call."), said{Text, nil, "roll(sides=6) is what I would call."}},
		{"a link", words("[list_files](https://example.org) shows them."), said{Text, nil, "[list_files](https://example.org) shows them."}},
		{"braces that are closed before it", words("}\n" + call), said{Calls, one, ""}},
		{"a bracket too many", words(call + "]"), said{Calls, one, ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, workshop().said(test.wire)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.wire.Message.Text, diff)
			}
		})
	}
}
