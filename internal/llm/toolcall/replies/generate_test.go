package replies

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Generate makes labelled replies: shapes crossed with tools, arguments, damage and surroundings. Every run makes the same
// ones, each once. None equals one of known.
func Generate(known []Reply) []Reply {
	g := generator{rand: rand.New(rand.NewPCG(23, 17000)), seen: map[string]bool{}}
	for _, r := range known {
		g.seen[r.Raw] = true
	}
	for _, s := range shapes() {
		for range 22 {
			calls := g.calls(1)
			if s.many {
				calls = g.calls(1 + g.rand.IntN(3))
			}
			raw := s.write(calls)
			if !s.alone {
				raw = g.surround(raw)
			}
			g.add(s.name, raw, Label{Class: ClassCall, Calls: calls})
		}
	}
	g.addDamaged()
	g.addDoubtful()
	g.addProse()
	return g.out
}

type generator struct {
	rand *rand.Rand
	seen map[string]bool
	out  []Reply
}

func (g *generator) add(shape, raw string, want Label) {
	if !g.seen[raw] {
		g.seen[raw] = true
		g.out = append(g.out, Reply{Shape: shape, Tools: "all", Raw: raw, Want: want})
	}
}

func (g *generator) one(of ...string) string { return of[g.rand.IntN(len(of))] }

// A shape is a way to write calls. Many: it can hold several. Alone: nothing stands around it.
type shape struct {
	name        string
	many, alone bool
	write       func([]Call) string
}

func shapes() []shape {
	each := func(separator string, one func(Call) string) func([]Call) string {
		return func(calls []Call) string {
			var out []string
			for _, c := range calls {
				out = append(out, one(c))
			}
			return strings.Join(out, separator)
		}
	}
	around := func(before string, inner func([]Call) string, after string) func([]Call) string {
		return func(calls []Call) string { return before + inner(calls) + after }
	}
	keys := func(name, arguments string) func(Call) string {
		return func(c Call) string {
			return fmt.Sprintf(`{%q: %q, %q: %s}`, name, c.Name, arguments, object(c.Arguments))
		}
	}
	plainJSON, params := keys("name", "arguments"), keys("name", "parameters")
	python := func(c Call) string { return c.Name + "(" + keywordArguments(c.Arguments, "=", literal) + ")" }
	list := around("[", each(", ", python), "]")
	format := func(f string) func(Call) string {
		return func(c Call) string {
			return strings.NewReplacer("NAME", c.Name, "ARGS", object(c.Arguments)).Replace(f)
		}
	}
	tags := func(head, parameter, tail string) func(Call) string {
		return func(c Call) string {
			var b strings.Builder
			for _, k := range slices.Sorted(maps.Keys(c.Arguments)) {
				b.WriteString(strings.NewReplacer("KEY", k, "VALUE", text(c.Arguments[k])).Replace(parameter))
			}
			return strings.ReplaceAll(head, "NAME", c.Name) + b.String() + tail
		}
	}
	return []shape{
		{"bare-json", false, false, each("", plainJSON)},
		{"json-parameters-key", false, false, each("", params)},
		{"json-args-key", false, false, each("", keys("name", "args"))},
		{"json-tool-key", false, false, each("", keys("tool", "arguments"))},
		{"json-function-object", false, false, each("", format(`{"type": "function", "function": {"name": "NAME", "arguments": ARGS}}`))},
		{"json-tool-calls", true, false, around(`{"tool_calls": [`, each(", ", plainJSON), "]}")},
		{"json-type-function", false, false, each("", format(`{"type": "function", "name": "NAME", "parameters": ARGS}`))},
		{"json-name-as-key", false, true, each("", format(`{"NAME": ARGS}`))},
		{"json-lines", true, false, each("\n", plainJSON)},
		{"json-semicolons", true, true, each("; ", params)},
		{"json-list", true, false, around("[", each(", ", plainJSON), "]")},
		{"fence-json", true, false, around("```json\n[", each(",\n ", plainJSON), "]\n```")},
		{"fence-tool-call", false, false, around("```tool_call\n", each("", plainJSON), "\n```")},
		{"fence-tool-code", true, false, around("```tool_code\n", each("\n", python), "\n```")},
		{"fence-python", true, true, around("```python\n", list, "\n```")},
		{"fence-plain", false, false, around("```\n", each("", python), "\n```")},
		{"tag-tool-call", true, false, each("\n", func(c Call) string { return "<tool_call>\n" + plainJSON(c) + "\n</tool_call>" })},
		{"tag-missing-opener", false, false, each("", func(c Call) string { return plainJSON(c) + "\n</tool_call>" })},
		{"tag-missing-closer", false, true, each("", func(c Call) string { return "<tool_call>\n" + plainJSON(c) })},
		{"tag-closer-as-opener", false, true, each("", func(c Call) string { return "<tool_call>" + plainJSON(c) + "<tool_call>" })},
		{"tag-tools", false, true, each("", func(c Call) string { return "<function_call> " + plainJSON(c) })},
		{"python-tag", false, true, each("", func(c Call) string { return "<|python_tag|>" + params(c) + "<|eom_id|>" })},
		{"function-tag-json", true, false, each("", format(`<function=NAME>ARGS</function>`))},
		{"qwen-coder-xml", true, false, each("\n", tags("<tool_call>\n<function=NAME>\n", "<parameter=KEY>\nVALUE\n</parameter>\n", "</function>\n</tool_call>"))},
		{"qwen-coder-unwrapped", false, false, each("\n", tags("<function=NAME>\n", "<parameter=KEY>\nVALUE\n</parameter>\n", "</function>"))},
		{"invoke-xml", true, false, around("<function_calls>\n", each("\n", tags("<invoke name=\"NAME\">\n", "<parameter name=\"KEY\">VALUE</parameter>\n", "</invoke>")), "\n</function_calls>")},
		{"glimmer", true, false, each("\n", tags("<atem:invoke name=\"NAME\">\n", "<atem:parameter name=\"KEY\">VALUE</atem:parameter>\n", "</atem:invoke>"))},
		{"glm-arg-key", true, false, each("\n", tags("<tool_call>NAME\n", "<arg_key>KEY</arg_key>\n<arg_value>VALUE</arg_value>\n", "</tool_call>"))},
		{"laguna", false, true, each("\n", tags("<user>NAME\n", "<arg_key>KEY</arg_key>\n<arg_value>VALUE</arg_value>\n", ""))},
		{"tool-calls-name-json", true, false, each("", format(`[TOOL_CALLS]NAMEARGS`))},
		{"tool-calls-args", true, false, each("", func(c Call) string { return "[TOOL_CALLS]" + c.Name + "[ARGS]" + object(c.Arguments) })},
		{"args-rehearsal", false, true, each("", func(c Call) string { return c.Name + "[ARGS]" + object(c.Arguments) })},
		{"tool-calls-list", true, true, around("[TOOL_CALLS] [", each(", ", plainJSON), "]")},
		{"python-list", true, false, list},
		{"python-bare", true, false, each("\n", python)},
		{"python-single-quotes", true, true, around("[", each(", ", func(c Call) string {
			return c.Name + "(" + keywordArguments(c.Arguments, "=", singleQuoted) + ")"
		}), "]")},
		{"quoted-calls-list", true, true, around("['", each("', '", python), "']")},
		{"quoted-call", false, true, around("'", each("", python), "'")},
		{"dict-argument", false, true, each("", format("NAME(ARGS)"))},
		{"list-then-text", true, true, around("", list, "I am looking at that now.")},
		{"list-then-line", true, true, around("", list, "\n\nThis asks for what you want to know.")},
		{"semicolon-calls", true, true, around("", each("; ", python), ";")},
		{"comma-calls", true, true, each(", ", python)},
		{"name-args-pair", false, true, each("", func(c Call) string { return "['" + c.Name + "', " + singleQuoted(c.Arguments) + "]" })},
		{"tuple-pair", true, true, around("[", each(", ", func(c Call) string { return "('" + c.Name + "', " + singleQuoted(c.Arguments) + ")" }), "]")},
		{"quoted-name", true, true, around("[", each(", ", func(c Call) string { return "'" + c.Name + "'" + strings.TrimPrefix(python(c), c.Name) }), "]")},
		{"backticks", false, true, around("`", list, "`")},
		{"escaped-name", false, true, each("", func(c Call) string {
			return "[" + strings.ReplaceAll(c.Name, "_", `\_`) + "(" + keywordArguments(c.Arguments, "=", literal) + ")]"
		})},
		{"colon-kwargs", false, true, each("", func(c Call) string { return c.Name + "(" + keywordArguments(c.Arguments, ": ", literal) + ")" })},
		{"name-then-json", false, true, each("", format("NAME\nARGS"))},
		{"gemma4", true, true, each("", func(c Call) string {
			return "<|tool_call>call:" + c.Name + "{" + keywordArguments(c.Arguments, ":", marked(`<|"|>`)) + "}<tool_call|>"
		})},
		{"functiongemma", true, true, each("", func(c Call) string {
			return "<start_function_call>call:" + c.Name + "{" + keywordArguments(c.Arguments, ":", marked("<escape>")) + "}<end_function_call>"
		})},
		{"lfm2", true, true, around("<|tool_call_start|>", list, "<|tool_call_end|>")},
		{"deepseek", true, false, around("<｜tool▁calls▁begin｜>", each("", format("<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>ARGS<｜tool▁call▁end｜>")), "<｜tool▁calls▁end｜>")},
		{"harmony", false, true, each("", format("<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>ARGS<|call|>"))},
		{"kimi", false, false, around("<|tool_calls_section_begin|>", each("", format("<|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>ARGS<|tool_call_end|>")), "<|tool_calls_section_end|>")},
		{"react", false, true, each("", format("Thought: I need a tool for this.\nAction: NAME\nAction Input: ARGS"))},
		{"python-literals", true, false, around("[", each(", ", func(c Call) string {
			return "{'name': '" + c.Name + "', 'arguments': " + singleQuoted(c.Arguments) + "}"
		}), "]")},
		{"double-encoded", false, true, each("", func(c Call) string {
			return `{"name": "` + c.Name + `", "arguments": ` + strconv.Quote(object(c.Arguments)) + "}"
		})},
		{"nested-wrapper", false, true, each("", format(`{"name": "NAME", "arguments": {"parameters": ARGS}}`))},
		{"near-name", false, true, each("", format(`{"name": "functions.NAME", "arguments": ARGS}`))},
		{"trailing-comma", false, true, each("", func(c Call) string {
			return strings.TrimSuffix(plainJSON(c), "}}") + ",}}"
		})},
		{"trailing-garbage", false, true, each("", func(c Call) string { return plainJSON(c) + "}" })},
	}
}

// surround puts prose or thinking around a reply, or nothing.
func (g *generator) surround(raw string) string {
	before := func() string {
		return g.one("Let me check that.", "Of course.", "I will do that now.", "Gerne, ich sehe nach.", "Хорошо, смотрю.", "好的，我来处理。", "One moment please:")
	}
	switch g.rand.IntN(5) {
	case 0:
		return before() + "\n\n" + raw
	case 1:
		return before() + "\n" + raw
	case 2:
		return raw + "\n\n" + g.one("I will tell you the result.", "This does what you want.", "More once it is done.")
	case 3:
		return "<think>\n" + g.one("A tool fits this.", "The person wants this done; one call is enough.") + "\n</think>\n\n" + raw
	}
	return raw
}

// calls makes n calls of different tools or arguments.
func (g *generator) calls(n int) []Call {
	var out []Call
	for len(out) < n {
		c := g.call()
		if !slices.ContainsFunc(out, func(o Call) bool { return object(o.Arguments) == object(c.Arguments) }) {
			out = append(out, c)
		}
	}
	return out
}

func (g *generator) call() Call {
	room := g.one("hall", "music room", "north wing", "Anna's room", "guest room 2", "winter garden", "laundry")
	city := g.one("Lüneburg", "Santa Cruz de La Palma", "Trier", "St. Gallen", "Reykjavik", "Aix-en-Provence", "Łódź")
	file := g.one("notes/roof.md", "2024/tax return.txt", "music.csv", "a/b/c.txt", "letters/to_ines.md", "cabin-plan.md")
	words := g.one("the key is under the pot", "buy glue, nails and tape", "call Per (again)", "it costs 4.50: too much", "line one; line two", "50% off until May", "ask: who has the drill?")
	item := g.one("buckwheat", "dish soap", "rye flour", "AA batteries", "bay leaves", "firewood", "olive oil (small)")
	person := g.one("Signe", "Dr. Haas", "Uncle Jan", "Bea and Tom", "Łucja")
	n := float64(1 + g.rand.IntN(60))
	switch g.rand.IntN(19) {
	case 0:
		return Call{"read_file", map[string]any{"path": file, "offset": n}}
	case 1:
		return Call{"write_file", map[string]any{"path": file, "content": words, "mode": g.one("append", "overwrite")}}
	case 2:
		return Call{"edit_file", map[string]any{"path": file, "old_string": item, "new_string": words}}
	case 3:
		return Call{"list_files", map[string]any{"dir": strings.TrimSuffix(file, ".md"), "recursive": g.rand.IntN(2) == 0}}
	case 4:
		return Call{"run_command", map[string]any{"command": g.one("ls -la", "wc -l music.csv", "sort a.txt | uniq -c", "date +%s", "grep -n roof notes/*.md"), "timeout": n}}
	case 5:
		return Call{"fetch", map[string]any{"url": fmt.Sprintf("https://%s.example/p/%v?x=1&y=2", g.one("tram", "weather", "town", "shop"), n)}}
	case 6:
		return Call{"search_files", map[string]any{"pattern": g.one("invoice", "roof|gutter", "^Total:", "tel: [0-9]+", `\bkey\b`), "dir": g.one("notes", "letters", ".")}}
	case 7:
		return Call{"note_add", map[string]any{"text": words}}
	case 8:
		return Call{"weather_at", map[string]any{"city": city, "unit": g.one("celsius", "fahrenheit")}}
	case 9:
		return Call{"train_times", map[string]any{"from": city, "to": g.one("Delft", "Bad Ischl", "Mâcon"), "count": n}}
	case 10:
		return Call{"find_recipe", map[string]any{"ingredients": []any{item, g.one("onion", "tinned fish", "egg")}, "max_minutes": n}}
	case 11:
		return Call{"convert_units", map[string]any{"value": n + 0.25, "from": g.one("l", "kg", "mile"), "to": g.one("gal", "lb", "km")}}
	case 12:
		return Call{"stock_level", map[string]any{"item": item}}
	case 13:
		return Call{"distance_between", map[string]any{"start": []any{n, -n / 4}, "end": []any{n + 1.5, 7.0}}}
	case 14:
		return Call{"set_light", map[string]any{"room": room, "on": g.rand.IntN(2) == 0, "brightness": n}}
	case 15:
		return Call{"set_thermostat", map[string]any{"room": room, "degrees": 10 + n/4}}
	case 16:
		return Call{"send_message", map[string]any{"to": person, "text": words, "urgent": g.rand.IntN(2) == 0}}
	case 17:
		return Call{"add_event", map[string]any{"title": words, "start": fmt.Sprintf("2026-%02d-%02dT%02d:30", 1+g.rand.IntN(12), 1+g.rand.IntN(28), g.rand.IntN(24)), "guests": []any{person}}}
	}
	return Call{"blinds.move", map[string]any{"room": room, "position": n}}
}

// object writes arguments as JSON.
func object(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // maps of plain values
	}
	return strings.TrimSpace(b.String())
}

// keywordArguments joins arguments, sorted by name, each value as write gives it.
func keywordArguments(arguments map[string]any, between string, write func(any) string) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(arguments)) {
		out = append(out, k+between+write(arguments[k]))
	}
	return strings.Join(out, ", ")
}

// literal writes a value as Python does, with double quotes.
func literal(v any) string {
	if b, ok := v.(bool); ok {
		return map[bool]string{true: "True", false: "False"}[b]
	}
	return object(v)
}

// singleQuoted writes a value as Python's repr does: single quotes, unless the text has one.
func singleQuoted(v any) string {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, "'") {
			return object(v)
		}
		return "'" + strings.ReplaceAll(v, `\`, `\\`) + "'"
	case []any:
		var out []string
		for _, e := range v {
			out = append(out, singleQuoted(e))
		}
		return "[" + strings.Join(out, ", ") + "]"
	case map[string]any:
		var out []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out = append(out, "'"+k+"': "+singleQuoted(v[k]))
		}
		return "{" + strings.Join(out, ", ") + "}"
	}
	return literal(v)
}

// marked writes a value with a mark of its own for quotes.
func marked(quote string) func(any) string {
	return func(v any) string {
		switch v := v.(type) {
		case string:
			return quote + v + quote
		case []any:
			var out []string
			for _, e := range v {
				out = append(out, marked(quote)(e))
			}
			return "[" + strings.Join(out, ",") + "]"
		}
		return object(v)
	}
}

// text writes a value as it stands in a tag: a string without quotes.
func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return object(v)
}
