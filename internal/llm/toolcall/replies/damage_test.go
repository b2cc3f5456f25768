package replies

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// addDamaged adds calls whose arguments are damaged so that a careful reader can still see them: run exactly so, or refuse.
func (g *generator) addDamaged() {
	for _, damage := range []struct {
		shape string
		write func(c Call, keys []string) string
	}{
		{"swallowed-key", func(c Call, keys []string) string { // the quote that ends the first value is missing
			return strings.Replace(whole(c, keys), `", "`+keys[1]+`"`, `, "`+keys[1]+`"`, 1)
		}},
		{"sibling-of-arguments", func(c Call, keys []string) string {
			return fmt.Sprintf(`{"name": %q, "arguments": %s, %s}`, c.Name, ordered(c, keys[:len(keys)-1]), member(c, keys[len(keys)-1]))
		}},
		{"brace-too-early", func(c Call, keys []string) string {
			return fmt.Sprintf(`{"name": %q, "arguments": %s, %s}}`, c.Name, ordered(c, keys[:len(keys)-1]), member(c, keys[len(keys)-1]))
		}},
		{"second-arguments", func(c Call, keys []string) string {
			return fmt.Sprintf(`{"name": %q, "arguments": %s, "arguments": %s}`, c.Name, ordered(c, keys[:1]), ordered(c, keys[1:]))
		}},
		{"missing-comma", func(c Call, keys []string) string {
			return strings.Replace(whole(c, keys), `", "`+keys[1]+`"`, `" "`+keys[1]+`"`, 1)
		}},
		{"missing-brace", func(c Call, keys []string) string { return strings.TrimSuffix(whole(c, keys), "}") }},
		{"unescaped-quotes", func(c Call, keys []string) string {
			c.Arguments[keys[0]] = `the "old" ` + c.Arguments[keys[0]].(string)
			return strings.Replace(whole(c, keys), `\"old\"`, `"old"`, 1)
		}},
		{"raw-newlines", func(c Call, keys []string) string {
			c.Arguments[keys[0]] = c.Arguments[keys[0]].(string) + "\nand more"
			return strings.Replace(whole(c, keys), `\nand more`, "\nand more", 1)
		}},
		{"single-quote-values", func(c Call, keys []string) string {
			return fmt.Sprintf(`{"name": "%s", "arguments": %s}`, c.Name, singleQuoted(c.Arguments))
		}},
	} {
		for n := 0; n < 16; {
			c := g.call()
			keys := stringsFirst(c)
			if len(keys) < 2 || c.Name == "blinds.move" && damage.shape == "unescaped-quotes" {
				continue
			}
			c.Arguments = maps.Clone(c.Arguments)
			raw := damage.write(c, keys)
			if n%3 == 2 {
				raw = "<tool_call>\n" + raw + "\n</tool_call>"
			}
			g.add(damage.shape, raw, Label{Class: ClassCall, Calls: []Call{c}, RunOnly: true})
			n++
		}
	}
}

// stringsFirst gives the names of the arguments, those with text first; none where no argument is text.
func stringsFirst(c Call) []string {
	var texts, rest []string
	for _, k := range slices.Sorted(maps.Keys(c.Arguments)) {
		_, text := c.Arguments[k].(string)
		if text && k != "mode" && k != "unit" {
			texts = append(texts, k)
		} else {
			rest = append(rest, k)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return append(texts, rest...)
}

func member(c Call, key string) string { return fmt.Sprintf("%q: %s", key, object(c.Arguments[key])) }

// ordered writes some arguments of a call as an object, in this order.
func ordered(c Call, keys []string) string {
	var out []string
	for _, k := range keys {
		out = append(out, member(c, k))
	}
	return "{" + strings.Join(out, ", ") + "}"
}

func whole(c Call, keys []string) string {
	return fmt.Sprintf(`{"name": %q, "arguments": %s}`, c.Name, ordered(c, keys))
}

// addDoubtful adds replies that mean a call but leave open which.
func (g *generator) addDoubtful() {
	ask := Label{Class: ClassAsk}
	unknown := func() string {
		return g.one("buy_ticket", "open_gate", "scan_page", "dim_everything", "book_table", "list_devices", "feed.cat", "undo_last", "charge_car", "print_label")
	}
	for range 14 {
		c, name := g.call(), unknown()
		g.add("unknown-name", fmt.Sprintf(`{"name": %q, "arguments": %s}`, name, object(c.Arguments)), ask)
		g.add("unknown-name-fence", fmt.Sprintf("```json\n{\"tool\": %q, \"parameters\": %s}\n```", name, object(c.Arguments)), ask)
		g.add("unknown-name-tag", fmt.Sprintf("<tool_call>\n{\"name\": %q, \"arguments\": %s}\n</tool_call>", name, object(c.Arguments)), ask)

		keys := stringsFirst(c)
		if len(keys) < 2 {
			continue
		}
		g.add("variable-argument", fmt.Sprintf("[%s(%s=%s, %s=%s)]", c.Name, keys[0], g.one("value", "result.text", "user_input"), keys[1], literal(c.Arguments[keys[1]])), ask)
		g.add("schema-echo", fmt.Sprintf(`{"name": %q, "parameters": {"type": "object", "properties": {%q: {"type": "string"}}, "required": [%q]}}`, c.Name, keys[0], keys[0]), ask)
		g.add("missing-required", fmt.Sprintf(`{"name": %q, "arguments": {}}`, c.Name), ask)
	}
	for range 14 { // these act, and end in the middle of a text
		c := g.call()
		for c.Name != "write_file" && c.Name != "send_message" && c.Name != "edit_file" {
			c = g.call()
		}
		keys := stringsFirst(c)
		raw := whole(c, slices.Concat(keys[1:], keys[:1]))
		g.add("cut-off", raw[:strings.LastIndexByte(raw[:len(raw)-4], ' ')+2], ask)
		g.add("placeholder", fmt.Sprintf(`%s(%s=..., %s=...)`, c.Name, keys[0], keys[1]), ask)
		g.add("positional", fmt.Sprintf("%s(%s, %s)", c.Name, object(c.Arguments[keys[0]]), object(c.Arguments[keys[1]])), ask)
		g.add("same-key-twice", fmt.Sprintf(`{"name": %q, "arguments": {%s, %q: "other", %s}}`, c.Name, member(c, keys[0]), keys[0], member(c, keys[1])), ask)
	}
}

// addProse adds replies that mean no call, most of which speak of one.
func (g *generator) addProse() {
	python := func(c Call) string { return c.Name + "(" + keywordArguments(c.Arguments, "=", literal) + ")" }
	for range 18 {
		c, d := g.call(), g.call()
		pj := fmt.Sprintf(`{"name": %q, "arguments": %s}`, c.Name, object(c.Arguments))
		k := slices.Sorted(maps.Keys(c.Arguments))
		signature := c.Name + "(" + strings.Join(k, ", ") + ")"
		for _, r := range []struct{ shape, raw string }{
			{"prose-mention", g.one("You could try ", "Before, I used ", "It would be possible with ", "The log shows ") + python(c) + g.one(".", ", but it failed.", ", and then we will see.")},
			{"prose-mention-json", g.one("The last thing I sent was ", "In the log stands ", "The program wants a line like ") + pj + g.one(".", " and it was refused.", "; that is all.")},
			{"prose-mention-code", "I have already used `" + python(c) + "` " + g.one("twice.", "and got an error.", "and nothing came back.")},
			{"quoted-call-before", "> " + pj + "\n\n" + g.one("That was wrong; which did you mean?", "This is what failed before.", "It is done.")},
			{"tools-described", "I can do two things:\n\n- `" + signature + "` " + g.one("helps with that.", "is the tool for it.") + "\n- " + d.Name + " does the rest."},
			{"tools-described-number", "1. " + c.Name + ": for what you asked first\n2. " + d.Name + ": for the rest\n\n" + g.one("Which one?", "Shall I go on?", "Both are quick.")},
			{"table-answer", "| step | call |\n|---|---|\n| 1 | `" + python(c) + "` |\n| 2 | `" + python(d) + "` |\n"},
			{"result-quoted", c.Name + g.one(" returned ", " says ", " gave me ") + object(d.Arguments) + "."},
			{"json-answer", g.one("```json\n", "Here it is:\n```json\n") + object(d.Arguments) + "\n```"},
			{"json-answer-bare", object(map[string]any{"title": g.one("Bread", "Roof", "Boat"), "parts": []any{d.Arguments}})},
			{"mention-other-language", g.one("Ich habe schon ", "J'ai déjà utilisé ", "Я уже вызвал ", "我已经用了 ", "Ya he usado ") + python(c) + g.one(" ...", ".")},
			{"prose-announces", g.one("I will now use ", "Next I should use ", "Let me use ", "I am going to call ") + c.Name + g.one(".", " for that.", " and tell you.", " next.")},
			{"code-answer", fmt.Sprintf("```%s\n%s(%s)\n```", g.one("python", "js"), g.one("console.log", "plt.plot", "df.head", "open"), g.one("x", "3", "data")) + "\n\n" + g.one("It prints the value.", "Run it once.", "That is all of it.") + fmt.Sprint(" (", g.rand.IntN(1000), ")")},
			{"shell-example", "```sh\n" + g.one("ls", "cat", "grep -n roof", "wc -l") + " " + g.one("notes/roof.md", "music.csv", "a.txt", "plan.md") + "\n```"},
			{"think-mentions-call", "<think>\n" + python(c) + "\nNo, they only greet me.\n</think>\n\n" + g.one("Good morning!", "Hello, how are you?", "You are welcome.")},
			{"code-with-keywords", fmt.Sprintf("```python\nimport %s\n\nx = %s(%s=%d, title=%q)\nprint(x)\n```", g.one("shapes", "plots", "tables"), g.one("shapes.Circle", "plots.bar", "Table"), g.one("size", "rows", "width"), g.rand.IntN(99), g.one("Eggs", "Rain", "Bread"))},
			{"code-defines-name", "```python\ndef " + signature + ":\n    return " + g.one("None", "[]", "db.get()") + "\n```\n\n" + g.one("Fill in the rest as you like.", "This only shows the frame.")},
			{"log-answer", fmt.Sprintf("%02d:%02d %s ok\n%02d:%02d %s failed\n\n", g.rand.IntN(24), g.rand.IntN(60), python(c), g.rand.IntN(24), g.rand.IntN(60), python(d)) + g.one("The second one needs a look.", "That is the whole log.")},
			{"json-record", object(map[string]any{"name": g.one("Minka", "Otto", "North shed"), "age": g.rand.IntN(90), "notes": words(d)})},
			{"json-record-fence", g.one("Here is the record:\n\n", "") + "```json\n" + object(map[string]any{"name": g.one("Minka", "Otto", "North shed"), "type": g.one("cat", "dog", "shed"), "tags": []any{words(d)}}) + "\n```\n" + g.one("Shall I add more?", "It is valid.")},
			{"two-paragraphs", g.one("The roof needs work before the winter.", "Your notes name three dates.", "I looked at the plan.") + " " + g.one("Nothing else is open.", "One line is not clear to me.") + "\n\nIn case it helps: " + python(c) + g.one(" is how I got there.", " was the last step.", " gave an error.")},
			{"bold-names", "**" + c.Name + "** " + g.one("did not answer.", "is slow today.", "works again.") + "\n**" + d.Name + "** " + g.one("is fine.", "was not needed.", "comes next.")},
			{"quoted-paragraph", "> " + g.one("What can you do?", "Which tools are there?") + "\n\n" + g.one("I can use ", "Among others ") + "`" + c.Name + "` " + g.one("and", "or") + " `" + d.Name + "`."},
			{"prose-plain", g.one("There are ", "I counted ", "You have ") + fmt.Sprint(g.rand.IntN(90)) + g.one(" eggs", " lines", " days", " letters") +
				g.one(" left.", " (as of today).", ", not more.", "; shall I list them?")},
		} {
			g.add(r.shape, r.raw, Label{Class: ClassText})
		}
	}
}

// words gives the arguments of a call as words.
func words(c Call) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(c.Arguments)) {
		out = append(out, k+" "+text(c.Arguments[k]))
	}
	return strings.Join(out, ", ")
}
