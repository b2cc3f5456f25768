package toolcall

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
)

// What may stand around a call that is not marked, for a tool that only looks, and for one that acts: where there is a doubt,
// the first runs, and about the second the model is asked.
func TestGate(t *testing.T) {
	const call = `{"name":"get_weather","arguments":{"city":"Antwerp"}}`
	const act = `{"name":"run_command","arguments":{"command":"ls"}}`
	const tag = "<tool_call>" + call + "</tool_call>"
	long := strings.Repeat("This is what I think about it. ", 10)
	one, acts, asks := []string{weather}, []string{`run_command {"command":"ls"}`}, []string{`!run_command {"command":"ls"}`}
	for _, test := range []struct {
		name string
		text string
		runs []string // where the tool only looks
		acts []string // where it acts
		said string   // what is left for a person
	}{
		{"nothing around it", call, one, acts, ""},
		{"a sentence before it", "I will look.\n\n" + call, one, acts, "I will look."},
		{"a question before it", "Shall I?\n\n" + call, one, asks, "Shall I?"},
		{"too much before it", long + "\n" + call, one, asks, strings.TrimSpace(long)},
		{"too much before a fence", long + "\n```json\n" + call + "\n```", one, asks, strings.TrimSpace(long)},
		{"a lot before a tag", long + "\n" + tag, one, acts, strings.TrimSpace(long)},
		{"a sentence behind it", call + "\nI hope this helps.", one, acts, ""},
		{"a question behind it", call + "\nIs this right?", one, asks, ""},
		{"who is to confirm it", call + "\nPlease confirm that.", one, asks, ""},
		{"two sentences behind it", call + "\nThis is a call. It asks for the weather.", one, asks, ""},
		{"two sentences behind a tag", tag + "\nThe weather is fine. It is warm.", one, acts, ""},
		{"text on its line", "[" + call + "]Checking that.", one, acts, ""},
		{"in a list", "You could do this:\n- " + call + "\n- something else", one, asks, "You could do this:"},
		{"in a numbered list", "1. " + call, one, asks, ""},
		{"below an item", "- like this:\n  " + call, one, asks, "- like this:"},
		{"a tag in a list", "Two ways:\n* " + tag + "\n* wait", one, asks, "Two ways:\n*"},
		{"in a fence of JavaScript", "```js\n" + call + "\n```", one, asks, ""},
		{"a tag in a fence of a shell", "```sh\n" + tag + "\n```", one, asks, ""},
		{"behind a label", "Function call: " + call, one, asks, ""},
		{"in a tag of HTML", "<pre>" + call + "</pre>", one, asks, ""},
		{"beside JSON that is shown", "```json\n{\"a\":1}\n```\n```json\n" + call + "\n```", one, asks, "```json\n{\"a\":1}\n```"},
		{"once more behind words", call + "\nOr so:\n" + call, one, acts, ""},
		{"braces that are closed before it", "}\n" + call, one, acts, ""},
		{"a bracket too many", call + "]", one, acts, ""},
	} {
		for i, want := range [][]string{test.runs, test.acts} {
			text := test.text
			if i == 1 {
				text = strings.ReplaceAll(text, call, act)
			}
			t.Run(test.name, func(t *testing.T) {
				class := Calls
				if strings.HasPrefix(want[0], "!") {
					class = Malformed
				}
				if diff := cmp.Diff(said{class, want, test.said}, workshop().said(words(text))); diff != "" {
					t.Errorf("%s (-want +got):\n%s", text, diff)
				}
				holds(t, workshop(), Wire{}, text, strings.SplitAfter(text, ""))
			})
		}
	}
}

// What is prose, what the model is asked about, and what is no question of the gate.
func TestProseOrCall(t *testing.T) {
	const call = `{"name":"get_weather","arguments":{"city":"Antwerp"}}`
	const tag = "<tool_call>" + call + "</tool_call>"
	prose := func(text string) (string, Wire, said) { return text, words(text), said{Text, nil, text} }
	asked := func(text string, calls ...string) (string, Wire, said) {
		return text, words(text), said{Malformed, calls, ""}
	}
	check := func(name string, w Wire, want said) {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(want, workshop().said(w)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", w.Message.Text, diff)
			}
			holds(t, workshop(), Wire{Strict: w.Strict}, w.Message.Text, strings.SplitAfter(w.Message.Text, ""))
		})
	}
	check(prose("The call is " + call))
	check(prose("The call is `" + tag + "`."))
	check(prose("I would write \"" + tag + "\"."))
	check(prose("Calls begin with `<tool_call>` and end with \"</tool_call>\"."))
	check(prose("> " + call))
	check(prose(`{"name":"Bob","age":3}`))
	check(prose("So it is:\n" + `{"name":"Bob","arguments":{"age":3}}`))
	check(prose("roll (with six sides) is what I would use.\nroll the dice: {6}"))
	check(prose("[list_files](https://example.org) shows them."))
	check(prose("read_file(path, offset)"))
	check(prose("read_file(path: string, offset: int)"))
	check(prose("```js\nawait fs.readFile(path, \"utf8\")\n```"))
	check(prose("book_hotel(city=\"Antwerp\") books one."))
	check(prose("I have\n- read_file\n- roll"))
	check(asked(`{"name":"book_hotel","arguments":{"city":"Antwerp"}}`, `!book_hotel {"city":"Antwerp"}`))
	check(asked("```json\n"+`{"tool":"book_hotel","args":{"city":"Antwerp"}}`+"\n```", `!book_hotel {"city":"Antwerp"}`))
	check(asked(`book_hotel(city="Antwerp")`, `!book_hotel {}`))
	check(asked("<tool_call>"+`{"name":"book_hotel","arguments":{"city":"Antwerp"}}`+"</tool_call>", `!book_hotel {"city":"Antwerp"}`))
	check(asked(`{"name":"get_weather","arguments":{"town":"Antwerp"}}`, `!get_weather {"town":"Antwerp"}`))
	check(asked(`{"name":"get_weather","place":"Antwerp"}`, `!get_weather {"place":"Antwerp"}`))
	check(asked(`{"roll":{"speed":6}}`, `!roll {"speed":6}`))
	check(asked("roll(sides=6) is what I would call.", `!roll {"sides":6}`))
	check(asked("list_files", "!list_files {}"))
	check(asked(`{"name": "read_file", "arguments": {...}}`, "!read_file {}"))
	check(asked(`{"tool":"name","arguments":{...}}`, "!name {}"))
	check(asked("```python\nx = roll(sides=6)\nprint(x)\n```", `!roll {"sides":6}`))
	check(asked("```python\nprint(roll(sides=6))\n```", `!roll {"sides":6}`))
	check(asked("return roll(sides=6)", `!roll {"sides":6}`))
	check(asked("```python\nprint(roll(sides=6) * roll(sides=8))\n```", "!roll {}"))
	check(asked("['get_weather', {'city': 'Antwerp'}, {'city': 'Ghent'}]", "!get_weather {}"))
	check(asked("['get_weather', city='Antwerp']", "!get_weather {}"))
	check(asked("[get_weather, city='Antwerp']", "!get_weather {}"))
	check(asked("[('get_weather', {'city': result[0]['city']})]", "!get_weather {}"))
	check(asked("['get_weather'](city='Antwerp')", "!get_weather {}"))
	check(asked("```python\n[{'get_weather': {'city': town(id=3)}}]\n```", "!get_weather {}"))
	check(prose("[\"get_weather\", \"roll\"]"))
	check(prose("['get_weather', 'roll'] are my tools."))
	check("calls in parentheses", words("(get_weather(city='Antwerp'), get_weather(city='Ghent'))"),
		said{Calls, []string{weather, `get_weather {"city":"Ghent"}`}, ""})
	check("within a program", words("```python\nimport dice\nroll(sides=6)\n```"), said{Malformed, []string{`!roll {"sides":6}`}, "```python\nimport dice"})
	check("strictly, bare", Wire{Message: words(call).Message, Strict: true}, said{Malformed, []string{"!" + weather}, ""})
	check("strictly, in a fence", Wire{Message: words("```json\n" + call + "\n```").Message, Strict: true}, said{Calls, []string{weather}, ""})
	check("strictly, in a tag", Wire{Message: words(tag).Message, Strict: true}, said{Calls, []string{weather}, ""})
	check("asked in words", Wire{Message: words(call).Message, Strict: true, Mode: llm.PromptMode}, said{Calls, []string{weather}, ""})
}
