package toolcall

import (
	"strings"
	"testing"
)

const kib16 = 16 << 10

// hostile are texts of 16 KiB that would take a careless reader the square of their length.
func hostile() map[string]string {
	out := map[string]string{}
	for name, unit := range map[string]string{
		"braces": "{", "brackets": "[", "braces on lines": "{\n", "brackets on lines": "[\n", "quoted braces": "{\"", "quotes": "\"", "tags": "<tool_call>", "closing tags": "</tool_call>",
		"tags with braces": "<tool_call>{", "tags with names": "<tool_call>{\"name\":\"roll\",\"arguments\":{\n", "functions": "<function=roll>", "parameters": "<function=roll><parameter=sides>", "angles": "<", "tag beginnings": "<t", "bars": "<|",
		"fences": "```\n", "json fences": "```json\n{\n", "json fences with quotes": "```json\n{\"a\": \"\n", "thoughts": "<think>", "ends of thoughts": "</think>", "thoughts and ends": "<think></think>a", "backticks": "` ``` `", "ticked tags": "`<tool_call>", "python": "roll(\n", "python lists": "[roll(sides=\n",
		"names": "roll\n", "many names": "{\"name\":\"a\"}\n", "calls": "{\"name\":\"roll\",\"arguments\":{\"sides\":6}}\n", "nested calls": "{\"tool_calls\":[", "nested functions": "{\"function\":", "gemma": "call:roll{a:", "gemma quotes": "call:roll{a:<|\"|>",
		"keys": "<arg_key>a", "glm": "<tool_call>roll<arg_key>a</arg_key>", "actions": "Action: roll\n", "react": "Thought: a\n", "items": "- - - ", "blanks": "\n   ", "TOOL_CALLS": "[TOOL_CALLS]", "controls": "<|a|> ", "quoted lists": "['", "commas": "roll(a,\"", "backslashes": "{\"\\", "harmony": "to=functions.roll\n",
		"curly quotes": "{“\n", "curly texts": "{“a”: “", "expressions": "roll(sides=a + b, ", "spoken tags": "a <tool_call> b ", "remarks": "<tool_call>{\"name\":\"roll\",\"arguments\":{\"sides\":6}} x ", "words and braces": "<tool_call>a {\"", "turns": "`<|im_end|>", "diamonds": "◁",
		"closed braces": "{}\n", "open and closed": "{{}", "DSML": "<｜DSML｜invoke name=\"a\">", "seams": "a<think>b</think>",
	} {
		out[name] = strings.Repeat(unit, kib16/len(unit)+1)[:kib16]
	}
	out["depth"] = strings.Repeat("[\n", kib16/4) + strings.Repeat("]\n", kib16/4)
	out["objects in depth"] = strings.Repeat("{\"a\":\n", kib16/8) + strings.Repeat("}\n", kib16/8)
	return out
}

func BenchmarkRead(b *testing.B) {
	o := workshop()
	texts := hostile()
	texts["prose"] = strings.Repeat("The weather in Antwerp is *fine* today, and [this](https://example.org) says `why`.\nIt <may> rain.\n\n", kib16/90)[:kib16]
	texts["a long call"] = `{"name":"write_file","arguments":{"path":"a.md","content":"` + strings.Repeat(`It \"rains\" in {Antwerp}.\n`, kib16/27) + `"}}`
	texts["a long call in elements"] = "<function=write_file><parameter=path>a</parameter><parameter=content>" + strings.Repeat("It rains <b>.\n", kib16/14) + "</parameter></function>"
	for name, text := range texts {
		w := words(text)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				o.Read(w)
			}
			b.SetBytes(int64(len(text)))
		})
	}
}
