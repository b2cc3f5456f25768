package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/toolstest"
)

func TestCommandOf(t *testing.T) {
	weather := func() *tools.Builder {
		return tools.Build("get_weather").Param("days", "number", "", false).Param("city", "string", "", true).Run(sayParams)
	}
	for _, c := range []struct {
		name string
		tool tools.Tool
		want string
	}{
		{"tool-permission-11", toolBuilt(t, weather()), "get_weather <city:string> [days:number]"},
		{"tool-permission-11: its own pattern wins", toolBuilt(t, weather().Command("weather <city:string>")), "weather <city:string>"},
		{"each kind from a to z", toolBuilt(t, tools.Build("x").Param("b", "array", "", false).Param("a", "object", "", false).
			Param("d", "boolean", "", true).Param("c", "integer", "", true).Run(sayParams)), "x <c:integer> <d:boolean> [a:object] [b:array]"},
		{"no arguments", toolBuilt(t, tools.Build("now").Run(sayParams)), "now"},
		{"typed", toolThatSays(tools.Def{Name: "weather"}),
			"weather <city:string> [days:integer] [extra:any] [note:string] [rate:number] [stops:array] [tags:array] [unit:string]"},
		{"of four methods", toolPlain{name: "x", params: map[string]any{"type": "object", "properties": map[string]any{
			"id": map[string]any{"type": []any{"integer", "string"}}, "any": true,
		}}}, "x [any:any] [id:integer|string]"},
		{"none", toolBuilt(t, weather().Command(tools.NoCommand)), ""},
		{"no schema", toolPlain{name: "x", params: map[string]any{"type": "string"}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			pattern, ok := tools.CommandOf(c.tool)
			if ok != (c.want != "") || ok && pattern != c.want {
				t.Errorf("%q, %v; want %q", pattern, ok, c.want)
			}
		})
	}
}

// toolOfWords takes an argument of every type.
func toolOfWords(t *testing.T, pattern string) tools.Tool {
	return toolBuilt(t, tools.Build("book").
		Param("city", "string", "", true).
		Param("days", "integer", "", false).
		Param("note", "string", "", false).
		Param("rate", "number", "", false).
		Param("sure", "boolean", "", false).
		Param("tags", "array", "", false).
		Command(pattern).Run(sayParams))
}

func TestParseCommand(t *testing.T) {
	const (
		own  = "book <city:string> [days:integer] [note:string]"
		rest = "book <city:string> [note:string...]"
		list = "book <city:string> [tags:array...]"
	)
	for _, c := range []struct{ name, pattern, line, want string }{
		{"a word", own, "Oslo", `{"city":"Oslo"}`},
		{"in order", own, " Oslo\t3  x ", `{"city":"Oslo","days":3,"note":"x"}`},
		{"another script", own, "北京 3", `{"city":"北京","days":3}`},
		{"by name", own, "rate=0.5 Oslo sure=true", `{"city":"Oslo","rate":0.5,"sure":true}`},
		{"by name, out of order", own, "days=2 city=Oslo note", `{"city":"Oslo","days":2,"note":"note"}`},
		{"no such name", own, "x=1", `{"city":"x=1"}`},
		{"a quoted name", own, `'days=1'`, `{"city":"days=1"}`},
		{"a number for a string", own, `007 note=5`, `{"city":"007","note":"5"}`},
		{"made from the schema", "", "Oslo 3 x 1.5 false [1]", `{"city":"Oslo","days":3,"note":"x","rate":1.5,"sure":false,"tags":[1]}`},
		{"whole numbers", own, "Oslo 5.0", `{"city":"Oslo","days":5}`},
		{"JSON", own, `Oslo tags='["a b", "c"]'`, `{"city":"Oslo","tags":["a b","c"]}`},
		{"quotes", own, `"New York" note='it is \"here"'`, `{"city":"New York","note":"it is \\\"here\""}`},
		{"escapes in quotes", own, `"a \"b\" \\ \n" note='\'`, `{"city":"a \"b\" \\ \\n","note":"\\"}`},
		{"escapes outside", own, `New\ York note=\"\\`, `{"city":"New York","note":"\"\\"}`},
		{"an escape at the end", own, `C:\`, `{"city":"C:\\"}`},
		{"empty", own, `"" note=`, `{"city":"","note":""}`},
		{"quotes inside a word", own, `O'Hare note=rock'n'roll`, `{"city":"O'Hare","note":"rock'n'roll"}`},
		{"on after the quote", own, `'New 'York`, `{"city":"New York"}`},
		{"markup", own, "<b>&", `{"city":"<b>&"}`},
		{"quotes of a phone", own, "“New York” note=„it is here“", `{"city":"New York","note":"it is here"}`},
		{"of other languages", own, "«Нью Йорк» note=»so so«", `{"city":"Нью Йорк","note":"so so"}`},
		{"with an apostrophe inside", own, "‘don’t go’ note=‚a b‘", `{"city":"don’t go","note":"a b"}`},
		{"Polish", own, "„Nowy Jork” 3", `{"city":"Nowy Jork","days":3}`},
		{"nothing is escaped in them", own, `“a \" \ b”`, `{"city":"a \\\" \\ b"}`},
		{"empty ones", own, "“” note=«»", `{"city":"","note":""}`},
		{"not closed, and so letters", own, "“Oslo note=b“c", `{"city":"“Oslo","note":"b“c"}`},
		{"closed inside of a word, and so letters", own, "“a”b note=«a»,", `{"city":"“a”b","note":"«a»,"}`},
		{"quoted by a phone, and so no name", own, "“days=1”", `{"city":"days=1"}`},
		{"blanks of other scripts", own, "\u3000北京\u00a03\u2003note=x\u2028", `{"city":"北京","days":3,"note":"x"}`},
		{"line ends", own, "Oslo\n3\r\n\tnote=x\n", `{"city":"Oslo","days":3,"note":"x"}`},
		{"line ends in quotes", own, "'a\nb' note=“c\nd”", `{"city":"a\nb","note":"c\nd"}`},
		{"an equals sign in a value", own, "Oslo note=a=b", `{"city":"Oslo","note":"a=b"}`},
		{"an address", own, "https://example.org/?q=1&city=2", `{"city":"https://example.org/?q=1&city=2"}`},
		{"the rest", rest, "Oslo  say \"it's\"  a=b\n days=2 ", `{"city":"Oslo","note":"say \"it's\"  a=b\n days=2"}`},
		{"no rest", rest, "Oslo", `{"city":"Oslo"}`},
		{"quotes of a phone in the rest", rest, "Oslo “a” b", `{"city":"Oslo","note":"“a” b"}`},
		{"like a name in the rest", rest, "Oslo nte=b", `{"city":"Oslo","note":"nte=b"}`},
		{"a list", list, "Oslo oat milk,eggs ,, 2 \"l\" cola,", `{"city":"Oslo","tags":["oat milk","eggs","2 \"l\" cola"]}`},
		{"a list of one", list, "Oslo 5", `{"city":"Oslo","tags":["5"]}`},
		{"a list with numbers", list, "Oslo 1,5 l cola, 3,20 m rope,7", `{"city":"Oslo","tags":["1,5 l cola","3,20 m rope","7"]}`},
		{"a list in lines", list, "Oslo milk\r\neggs\n", `{"city":"Oslo","tags":["milk","eggs"]}`},
		{"a list in Chinese", list, "Oslo 牛奶、鸡蛋，面包", `{"city":"Oslo","tags":["牛奶","鸡蛋","面包"]}`},
		{"a list in JSON", list, `Oslo ["a, b",5]`, `{"city":"Oslo","tags":["a, b",5]}`},
		{"a list of nothing", list, "Oslo ,", `{"city":"Oslo","tags":[]}`},
		{"a list behind a name", list, "Oslo sure=true a, b", `{"city":"Oslo","sure":true,"tags":["a","b"]}`},
		{"a value that nobody gave", "book [city:string=New] [days:integer=2]", "", `{"city":"New","days":2}`},
		{"given all the same", "book [city:string=New] [days:integer=2]", "days=3 Oslo", `{"city":"Oslo","days":3}`},
		{"by name before the rest", rest, "Oslo days=2 good day", `{"city":"Oslo","days":2,"note":"good day"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := tools.ParseCommand(toolOfWords(t, c.pattern), c.line)
			if diff := cmp.Diff(c.want, string(got)); diff != "" || err != nil {
				t.Error(diff, err)
			}
		})
	}
}

// Of words that a shell has split, name=value where all are such; a text that takes the rest may have a = in its first word.
func TestParseArguments(t *testing.T) {
	own := toolOfWords(t, "book <city:string> [days:integer] [note:string]")
	text := toolBuilt(t, tools.Build("note").Param("city", "string", "", false).Param("note", "string", "", true).Command("note <note:string...>").Run(sayParams))
	for _, c := range []struct {
		name  string
		tool  tools.Tool
		words []string
		want  string
	}{
		{"by name", own, []string{"city=Oslo", "days=3"}, `{"city":"Oslo","days":3}`},
		{"no such name", own, []string{"x=1"}, `{"x":"1"}`},
		{"no such name, a text that takes the rest", text, []string{"E=mc2 is famous"}, `{"note":"E=mc2 is famous"}`},
		{"of which each word has one", text, []string{"a=1", "b=2"}, `{"note":"a=1 b=2"}`},
		{"a name, and a text", text, []string{"city=Oslo", "A=1 env"}, `{"city":"Oslo","note":"A=1 env"}`},
		{"a name that is misspelt", text, []string{"cty=Oslo"}, `{"cty":"Oslo"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := tools.ParseArguments(c.tool, c.words)
			if diff := cmp.Diff(c.want, string(got)); diff != "" || err != nil {
				t.Error(diff, err)
			}
		})
	}
}

// Where quotes that a shell took away would change which program runs, the call is refused; a text may lose them.
func TestParseArguments_OfAProgram(t *testing.T) {
	run := toolBuilt(t, tools.Build("run").Param("command", "string", "", true).Command("run <command:string...>").Capabilities(tools.Executes).Run(sayParams))
	for words, want := range map[string]string{"df -h": `{"command":"df -h"}`, "A=1 env": `{"command":"A=1 env"}`} {
		for _, as := range [][]string{{words}, strings.Fields(words)} {
			if got, err := tools.ParseArguments(run, as); string(got) != want || err != nil {
				t.Errorf("%q became %s, %v", as, got, err)
			}
		}
	}
	_, err := tools.ParseArguments(run, []string{"rm", "my file"})
	toolstest.IsError(t, err, event.CodeInvalidValue, `command: "my file" loses its quotes between other words; quote the whole command as one word`)
	note := toolBuilt(t, tools.Build("note").Param("note", "string", "", true).Command("note <note:string...>").Capabilities(tools.Writes).Run(sayParams))
	if got, err := tools.ParseArguments(note, []string{"my file", "is gone"}); string(got) != `{"note":"my file is gone"}` || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

func TestParseCommand_Types(t *testing.T) {
	tool := toolPlain{name: "x", params: map[string]any{"type": "object", "properties": map[string]any{
		"any": true, "id": map[string]any{"type": []any{"integer", "string"}}, "kind": map[string]any{"enum": []any{"a", "b"}},
		"maybe": map[string]any{"type": []any{"string", "null"}}, "o": map[string]any{"type": "object"},
	}}}
	for line, want := range map[string]string{
		``:                                  `{}`,
		`any=5`:                             `{"any":5}`,
		`any=five`:                          `{"any":"five"}`,
		`any='"five"'`:                      `{"any":"five"}`,
		`id=5`:                              `{"id":5}`,
		`id=[5]`:                            `{"id":"[5]"}`,
		`id='"5"'`:                          `{"id":"\"5\""}`,
		`kind=a`:                            `{"kind":"a"}`,
		`maybe=null`:                        `{"maybe":null}`,
		`o='{"big":123456789012345678901}'`: `{"o":{"big":123456789012345678901}}`,
	} {
		got, err := tools.ParseCommand(tool, line)
		if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
			t.Errorf("%s: %s %v", line, diff, err)
		}
	}
}

func TestParseCommand_Errors(t *testing.T) {
	const usage = "book <city:string> [days:integer]"
	for _, c := range []struct{ line, code, words string }{
		{"", event.CodeRequiredField, "city: is required"},
		{"days=3", event.CodeRequiredField, "city: is required"},
		{"Oslo many", event.CodeInvalidFormat, `days: must be an integer, not "many"`},
		{"Oslo 3.5", event.CodeInvalidFormat, "days: must be an integer, not 3.5"},
		{"Oslo rate=1e999 sure=yes", event.CodeInvalidFormat, `rate: must be a number, not "1e999"; sure: must be a boolean, not "yes"`},
		{"Oslo tags=5", event.CodeInvalidFormat, "tags: must be an array, not 5"},
		{"Oslo tags={a}", event.CodeInvalidFormat, `tags: must be an array, not "{a}"`},
		{"New York City", event.CodeInvalidFormat, ""},
		{"Oslo 3 4", event.CodeInvalidValue, `"4": is one word too many; quote words that belong together`},
		{"Oslo city=Rome", event.CodeInvalidValue, "city: is given twice"},
		{"city=Rome city=Oslo", event.CodeInvalidValue, "city: is given twice"},
		{`'Oslo 3`, event.CodeInvalidFormat, `"'Oslo 3": the quote is not closed`},
		{`Oslo note="a\"`, event.CodeInvalidFormat, "the quote is not closed"},
		{"“New York", event.CodeInvalidFormat, `days: must be an integer, not "York"`},
		{"cty=Oslo", event.CodeInvalidValue, "cty: unknown argument; did you mean city? If it is text, write city=cty=..."},
		{"Oslo days=1 town=x", event.CodeInvalidValue, "town: unknown argument; the arguments are city, days, note, rate, sure, tags"},
	} {
		t.Run(c.line, func(t *testing.T) {
			if c.words == "" {
				c.code, c.words = event.CodeInvalidValue, "one word too many"
			}
			got, err := tools.ParseCommand(toolOfWords(t, usage), c.line)
			toolstest.IsError(t, err, c.code, c.words)
			toolstest.IsError(t, err, c.code, "; usage: "+usage)
			if got != nil {
				t.Errorf("and %s", got)
			}
		})
	}
	t.Run("with an example", func(t *testing.T) {
		tool := toolBuilt(t, tools.Build("w").Param("city", "string", "", true).Param("unit", "string", "", false).
			Command("weather <city:string> [unit:string]").Example("weather Berlin", "weather Oslo C").Run(sayParams))
		_, err := tools.ParseCommand(tool, "")
		toolstest.IsError(t, err, event.CodeRequiredField, "usage: weather <city:string> [unit:string], such as: weather Berlin")
		if e := (*tools.Error)(nil); errors.As(err, &e) && strings.Contains(e.Suggestion, "Oslo") {
			t.Error(e.Suggestion)
		}
	})
	t.Run("more than the schema", func(t *testing.T) { // a pattern can require what the schema does not
		tool := toolBuilt(t, tools.Build("x").Param("a", "string", "", false).Command("x <a:string>").Run(sayParams))
		_, err := tools.ParseCommand(tool, "")
		toolstest.IsError(t, err, event.CodeRequiredField, "a: is required; usage: x <a:string>")
	})
	t.Run("less than the schema", func(t *testing.T) {
		tool := toolBuilt(t, tools.Build("x").Param("a", "string", "", true).Param("b", "string", "", true).Command("x <a:string>").Run(sayParams))
		_, err := tools.ParseCommand(tool, "1")
		toolstest.IsError(t, err, event.CodeRequiredField, "b: is required; usage: x <a:string>")
		if got, err := tools.ParseCommand(tool, "1 b=2"); string(got) != `{"a":"1","b":"2"}` {
			t.Errorf("%s, %v", got, err)
		}
	})
	t.Run("no command", func(t *testing.T) {
		_, err := tools.ParseCommand(toolBuilt(t, tools.Build("x").Command(tools.NoCommand).Run(sayParams)), "")
		toolstest.IsError(t, err, event.CodeToolNotFound, "x is no command")
	})
}

// toolForeign says of itself what it likes.
type toolForeign struct {
	toolPlain
	def tools.Def
}

func (f toolForeign) Def() tools.Def { return f.def }

// A pattern that cannot be read is found where the tool is defined or tested; that of a tool which nobody here has defined is read when
// it is needed.
func TestParseCommand_BadPatterns(t *testing.T) {
	for pattern, want := range map[string]string{
		" ":                           "it begins with the command's name",
		"<a:string>":                  "it begins with the command's name, not with <a:string>",
		"x <a:string":                 "<a:string is neither <name:type> nor [name:type]",
		"x [a:string>":                "[a:string> is neither <name:type> nor [name:type]",
		"x <>":                        "<> names no argument",
		"x <a:string> <a:string>":     "a stands in it twice",
		"x [a:string] <b:string>":     "b is required and stands after an optional argument",
		"x <a:string...> [b:integer]": "a takes the rest of the line and is not the last",
	} {
		def := tools.Def{Name: "x", Command: pattern}
		_, err := tools.ParseCommand(toolForeign{toolPlain{name: "x"}, def}, "")
		toolstest.IsError(t, err, event.CodeExecutionFailed, want)
		if bad := strings.Join(tools.CheckCommand(toolThatSays(def)), "; "); !strings.Contains(bad, want) {
			t.Errorf("%q is defined: %q", pattern, bad)
		}
	}
}

// What is wrong with a tool as a command is found by its test, or where it is defined at run time.
func TestDefine_BadCommands(t *testing.T) {
	for _, c := range []struct {
		name string
		def  tools.Def
		want string
	}{
		{"a pattern of another", tools.Def{Command: "x <town>"}, "the pattern of its command names town, which is no parameter of it"},
		{"a word for nobody", tools.Def{Command: "/x <city>"}, `"/x" is no word that a command can begin with`},
		{"an alias of two words", tools.Def{Aliases: []string{"a b"}}, `"a b" is no alias`},
		{"an alias with a slash", tools.Def{Aliases: []string{"/a"}}, `"/a" is no alias`},
		{"an alias that is empty", tools.Def{Aliases: []string{""}}, `"" is no alias`},
		{"an alias that nobody sees", tools.Def{Aliases: []string{"a\u200b"}}, `is no alias`},
		{"an alias twice", tools.Def{Aliases: []string{"wttr", "Wttr"}}, "the alias Wttr stands there twice"},
		{"an example of another", tools.Def{Examples: []string{"fetch Oslo"}}, `the example "fetch Oslo" does not begin with its name`},
		{"an example that is none", tools.Def{Examples: []string{"x"}}, `the example "x" cannot be read: city: is required`},
		{"an example of the wrong type", tools.Def{Examples: []string{"x Oslo", "x Oslo many"}}, `the example "x Oslo many" cannot be read: days: must be an integer`},
		{"an example that is blank", tools.Def{Examples: []string{" "}}, `the example " " does not begin`},
		{"what is no command", tools.Def{Command: tools.NoCommand, Aliases: []string{"y"}}, "it is no command, and has aliases or examples of one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.def.Name = "x"
			if bad := strings.Join(tools.CheckCommand(toolThatSays(c.def)), "; "); !strings.Contains(bad, c.want) {
				t.Errorf("New: %s", bad)
			}
			b := tools.Build("x").Param("city", "string", "", true).Param("days", "integer", "", false).Run(sayParams).
				Command(c.def.Command).Alias(c.def.Aliases...).Example(c.def.Examples...)
			if _, err := b.Tool(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the builder: %v", err)
			}
			_, err := tools.NewUntyped(c.def, map[string]any{"type": "object", "required": []string{"city"}, "properties": map[string]any{
				"city": map[string]any{"type": "string"}, "days": map[string]any{"type": "integer"},
			}}, sayParams)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("untyped: %v", err)
			}
		})
	}
	fine := toolThatSays(tools.Def{
		Name: "get_weather", Command: "weather <city:string> [days:integer]", Aliases: []string{"wttr", "天气"},
		Examples: []string{"weather Berlin", "/get_weather Oslo 3", "WTTR Oslo unit=f", "天气 北京"},
	})
	if bad := tools.CheckCommand(fine); len(bad) > 0 || len(tools.DefOf(fine).Examples) != 4 {
		t.Error(bad)
	}
}

func TestCommandTool(t *testing.T) {
	tool := toolBuilt(t, tools.CommandTool("music <keyword> [limit:integer]", sayParams).Desc("搜索音乐").Keyword("音乐").Capabilities(tools.Reads).
		Alias("song").Example("music 月亮", "song 月亮 3"))
	want := tools.Def{
		Name: "music", Description: "搜索音乐", Capabilities: tools.Reads, Keywords: []string{"音乐"}, Command: "music <keyword> [limit:integer]",
		Aliases: []string{"song"}, Examples: []string{"music 月亮", "song 月亮 3"},
	}
	if diff := cmp.Diff(want, tools.DefOf(tool)); diff != "" {
		t.Error(diff)
	}
	const schema = `{"properties":{"keyword":{"type":"string"},"limit":{"type":"integer"}},"required":["keyword"],"type":"object"}`
	if diff := cmp.Diff(schema, string(tools.Schema([]tools.Tool{tool})[0].Parameters)); diff != "" {
		t.Error(diff)
	}
	args, err := tools.ParseCommand(tool, "月亮 3")
	if err != nil {
		t.Fatal(err)
	}
	if res, err := tools.Call(t.Context(), tool, args); res.Text != "map[keyword:月亮 limit:3]" {
		t.Errorf("%q, %v", res.Text, err)
	}
	for pattern, want := range map[string]string{
		"":               "it begins with the command's name",
		"m <a:text>":     `there is no type "text"`,
		"m <a b>":        "<a is neither",
		"music! <a>":     "a name is 1 to 64",
		"m [a] <b:bool>": "b is required and stands after",
	} {
		if _, err := tools.CommandTool(pattern, sayParams).Tool(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}

// What is quoted comes through as it was, whatever it is.
func TestParseCommand_QuotesHoldEverything(t *testing.T) {
	tool := toolOfWords(t, "book <city:string> [note:string]")
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	rapid.Check(t, func(t *rapid.T) {
		city, note := rapid.String().Draw(t, "city"), rapid.String().Draw(t, "note")
		for _, line := range []string{
			`"` + quote.Replace(city) + `" "` + quote.Replace(note) + `"`,
			`note="` + quote.Replace(note) + `" city="` + quote.Replace(city) + `"`,
		} {
			raw, err := tools.ParseCommand(tool, line)
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			var got struct{ City, Note string }
			if err := json.Unmarshal(raw, &got); err != nil || got.City != city || got.Note != note {
				t.Fatalf("%q became %s: %v", line, raw, err)
			}
		}
	})
}

func FuzzParseCommand(f *testing.F) {
	for _, line := range []string{"", "Oslo 3", `"a b" days=3`, `'x`, `a\`, "city=\xff", "\u00a0x note=\\\u00e9", `tags=[1] x`, "“a b” note=«\xab", "„“ ‚‘ x"} {
		f.Add(line)
	}
	tool := tools.New(tools.Def{Name: "weather", Command: "weather <city:string> [days:integer] [note:string...]"},
		func(context.Context, toolArgs) (tools.Result, error) { return tools.Result{}, nil })
	f.Fuzz(func(t *testing.T, line string) {
		args, err := tools.ParseCommand(tool, line)
		if (err == nil) != (args != nil) {
			t.Fatalf("%s, %v", args, err)
		}
		if err == nil && tools.Validate(tool, args) != nil {
			t.Fatalf("%q became %s: %v", line, args, tools.Validate(tool, args))
		}
	})
}
