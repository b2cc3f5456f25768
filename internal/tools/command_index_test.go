package tools_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/tools"
	"hob/internal/tools/toolstest"
)

// commandsOf are the commands that tools with these definitions are.
func commandsOf(t *testing.T, defs ...tools.Def) (*tools.Commands, []string) {
	t.Helper()
	var all []tools.Tool
	for _, d := range defs {
		all = append(all, toolThatSays(d))
	}
	return tools.NewCommands(all)
}

func weatherDefs() []tools.Def {
	return []tools.Def{
		{Name: "fetch", Aliases: []string{"get"}},
		{Name: "get_weather", Command: "Weather <city:string> [days:integer]", Aliases: []string{"wttr", "天气", "ВЕТЕР"}, Source: "skill:weather"},
		{Name: "secret", Command: tools.NoCommand},
		{Name: "look", Hidden: true},
	}
}

func TestCommands_Find(t *testing.T) {
	c, lost := commandsOf(t, weatherDefs()...)
	if lost != nil {
		t.Error(lost)
	}
	for word, want := range map[string]string{
		"fetch": "fetch", "FETCH": "fetch", "get": "fetch",
		"get_weather": "get_weather", "weather": "get_weather", "Weather": "get_weather", "wttr": "get_weather", "天气": "get_weather",
		"ветер": "get_weather", "Ветер": "get_weather",
		"look": "look", "secret": "", "": "", "wether": "", "/fetch": "",
	} {
		got := ""
		if tool, ok := c.Find(word); ok {
			got = tool.Name()
		}
		if got != want {
			t.Errorf("%q calls %q, want %q", word, got, want)
		}
	}
	if got := len(c.All()); got != 3 {
		t.Errorf("%d commands", got)
	}
}

func TestCommands_Collisions(t *testing.T) {
	for _, c := range []struct {
		name string
		defs []tools.Def
		word string
		want string // the source of what it calls
		lost []string
	}{
		{"a name over a pattern's word", []tools.Def{
			{Name: "a", Command: "weather <city:string>", Source: "x"}, {Name: "weather", Source: "y"},
		}, "weather", "y", []string{"the command weather is weather of y; a of x is called as a"}},
		{"a pattern's word over an alias", []tools.Def{
			{Name: "a", Aliases: []string{"Weather"}, Source: "x"}, {Name: "b", Command: "weather <city:string>", Source: "y"},
		}, "weather", "y", []string{"the command Weather is b of y; a of x is called as a"}},
		{"a name over an alias", []tools.Def{
			{Name: "a", Aliases: []string{"b"}, Source: "x"}, {Name: "b", Source: "y"},
		}, "b", "y", []string{"the command b is b of y; a of x is called as a"}},
		{"the first alias", []tools.Def{
			{Name: "a", Aliases: []string{"c"}, Source: "x"}, {Name: "b", Aliases: []string{"C"}},
		}, "c", "x", []string{"the command C is a of x; b of built-in is called as b"}},
		{"the first of a name, and nothing of the second", []tools.Def{
			{Name: "a", Source: "x"}, {Name: "a", Aliases: []string{"b"}, Source: "y"},
		}, "a", "x", []string{"a of y gives way to a of x"}},
		{"its own words again", []tools.Def{{Name: "a", Command: "A <city:string>", Aliases: []string{"a"}, Source: "x"}}, "a", "x", nil},
		{"names in capitals, each as it stands", []tools.Def{{Name: "a", Source: "x"}, {Name: "A", Source: "y"}}, "A", "y", nil},
		{"what is no command loses nothing", []tools.Def{
			{Name: "a", Command: tools.NoCommand, Source: "x"}, {Name: "b", Aliases: []string{"a"}, Source: "y"},
		}, "a", "y", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			commands, lost := commandsOf(t, c.defs...)
			if diff := cmp.Diff(c.lost, lost); diff != "" {
				t.Error(diff)
			}
			if tool, ok := commands.Find(c.word); !ok || tools.SourceOf(tool) != c.want {
				t.Errorf("%s calls %v", c.word, tool)
			}
		})
	}
	t.Run("one tool twice", func(t *testing.T) {
		tool := toolThatSays(tools.Def{Name: "a"})
		if c, lost := tools.NewCommands([]tools.Tool{tool, nil, tool}); lost != nil || len(c.All()) != 1 {
			t.Error(lost, c.All())
		}
	})
	t.Run("the second of a name is reached by nothing", func(t *testing.T) {
		c, _ := commandsOf(t, tools.Def{Name: "a"}, tools.Def{Name: "a", Aliases: []string{"b"}})
		if tool, ok := c.Find("b"); ok {
			t.Error(tool)
		}
	})
}

func TestCommands_Parse(t *testing.T) {
	c, _ := commandsOf(t, weatherDefs()...)
	for line, want := range map[string]string{
		"/weather Berlin 3":          `get_weather {"city":"Berlin","days":3}`,
		" weather\n“New York” ":      `get_weather {"city":"New York"}`,
		"天气\u3000北京":                 `get_weather {"city":"北京"}`,
		"get_weather city=Oslo":      `get_weather {"city":"Oslo"}`,
		"/wttr Oslo note='/weather'": `get_weather {"city":"Oslo","note":"/weather"}`,
	} {
		tool, args, err := c.Parse(line)
		if err != nil || tool.Name()+" "+string(args) != want {
			t.Errorf("%q: %s, %v", line, args, err)
		}
	}
	tool, args, err := c.Parse("/weather")
	toolstest.IsError(t, err, event.CodeRequiredField, "city: is required; usage: Weather <city:string> [days:integer]")
	if tool == nil || tool.Name() != "get_weather" || args != nil {
		t.Error(tool, args)
	}
	for line, want := range map[string]string{
		"/wether Berlin": `there is no command "wether"; did you mean Weather?`,
		"fetsch x":       `there is no command "fetsch"; did you mean fetch?`,
		"dance":          `there is no command "dance"; `,
		"//fetch x":      `there is no command "/fetch"; did you mean fetch?`,
		"/":              `there is no command ""`,
		"":               `there is no command ""`,
		"secret":         `there is no command "secret"; `,
	} {
		tool, args, err := c.Parse(line)
		toolstest.IsError(t, err, event.CodeToolNotFound, want)
		if tool != nil || args != nil {
			t.Error(line, tool, args)
		}
	}
}

func TestCommands_Nearest(t *testing.T) {
	c, _ := commandsOf(t, append(weatherDefs(), tools.Def{Name: "ls"}, tools.Def{Name: "list_files"}, tools.Def{Name: "grep"})...)
	for word, want := range map[string]string{
		"wether": "Weather", "wheather": "Weather", "list-files": "list_files", "listfiles": "list_files", "lst_fils": "list_files",
		"lsit_files": "list_files", "l_fls": "", "grp": "grep", "gerp": "grep", "xy": "", "lx": "", "": "", "weathers": "Weather", "heather!": "Weather",
		"天": "", strings.Repeat("x", 10000): "", "LIST_FILE": "list_files", "srep": "grep", "teef": "",
	} {
		if got := c.Nearest(word); got != want {
			t.Errorf("%.20q: did you mean %q, want %q", word, got, want)
		}
	}
}

// toolLoud counts who reads its schema.
type toolLoud struct {
	toolPlain
	read *int
}

func (l toolLoud) Def() tools.Def             { return tools.Def{Name: l.name, Aliases: []string{"to_" + l.name}} }
func (l toolLoud) Parameters() map[string]any { *l.read++; return nil }

// Commands are made anew whenever a chat's tools change: no schema is read for that.
func TestCommands_ReadsNoSchema(t *testing.T) {
	read := 0
	var all []tools.Tool
	for i := range 300 {
		all = append(all, toolLoud{toolPlain{name: fmt.Sprintf("t%d", i)}, &read})
	}
	c, lost := tools.NewCommands(all)
	if _, ok := c.Find("to_t299"); !ok || lost != nil || read != 0 || c.Nearest("t2999") == "" || read != 0 {
		t.Errorf("%v, %v; schemas were read %d times", ok, lost, read)
	}
	if _, args, err := c.Parse("/to_t7"); err != nil || string(args) != "{}" || read == 0 {
		t.Errorf("%s, %v", args, err)
	}
}

func BenchmarkNewCommands(b *testing.B) {
	var all []tools.Tool
	for i := range 300 {
		tool, err := tools.Build(fmt.Sprintf("tool_%d", i)).Param("city", "string", "", true).
			Command(fmt.Sprintf("word%d <city:string>", i)).Alias(fmt.Sprintf("alias%d", i)).Run(sayParams).Tool()
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, tool)
	}
	b.ReportAllocs()
	for b.Loop() {
		tools.NewCommands(all)
	}
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		name string
		tool tools.Tool
		line string
		want string
	}{
		{"all of it", toolThatSays(tools.Def{
			Name: "get_weather", Description: "The weather in a city.", Command: "weather <city:string> [days:integer]",
			Aliases: []string{"wttr", "天气"}, Examples: []string{"weather Berlin", "wttr Oslo 3 unit=f"},
		}), "weather <city:string> [days:integer] [extra=...] [note=...] [rate=...] [stops=...] [tags=...] [unit=...], such as: weather Berlin", `
weather <city:string> [days:integer] [extra=...] [note=...] [rate=...] [stops=...] [tags=...] [unit=...]
The weather in a city.
  city: string; where
  days: integer from 1 to 9, optional, 3 if not given
  extra: anything, optional; anything
  note: string, optional
  rate: number, optional
  stops: array, optional
  tags: array, optional
  unit: one of c, f, optional, c if not given
also: wttr, 天气
such as: weather Berlin
         wttr Oslo 3 unit=f
`},
		{"made from the schema", toolBuilt(t, tools.Build("x").Param("b", "string", "the b", false).Param("a", "integer", "", true).Run(sayParams)),
			"x <a:integer> [b:string]", "\nx <a:integer> [b:string]\n  a: integer\n  b: string, optional; the b\n"},
		{"required and not in the pattern", toolBuilt(t, tools.Build("x").Param("b", "string", "", true).Param("a", "string", "", true).
			Command("x <b:string>").Run(sayParams)), "x <b:string> a=...", "\nx <b:string> a=...\n  b: string\n  a: string\n"},
		{"the rest of the line", toolBuilt(t, tools.Build("x").Param("b", "string", "", true).Param("a", "string", "", false).
			Command("x <b:string...>").Run(sayParams)), "x [a=...] <b:string...>", "\nx [a=...] <b:string...>\n  b: string\n  a: string, optional\n"},
		{"no arguments", toolBuilt(t, tools.Build("now").Run(sayParams)), "now", "\nnow\n"},
		{"no command", toolBuilt(t, tools.Build("x").Command(tools.NoCommand).Run(sayParams)), "", "\nx is no command\n"},
		{"a schema of somebody else's", toolPlain{name: "x", params: map[string]any{"type": "object", "properties": map[string]any{
			"any": true, "id": map[string]any{"type": []any{"integer", "string"}, "maximum": 5, "default": ""}, "lo": map[string]any{"minimum": 0.5},
		}}}, "x [any:any] [id:integer|string] [lo:any]", `
x [any:any] [id:integer|string] [lo:any]
A tool of four methods.
  any: anything, optional
  id: integer or string up to 5, optional, "" if not given
  lo: anything from 0.5 on, optional
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.line, tools.UsageLine(c.tool)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.want, "\n"+tools.Usage(c.tool)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What a shell has split already is not split again.
func TestParseWords(t *testing.T) {
	own, rest := "book <city:string> [days:integer] [note:string]", "book <city:string> [note:string...]"
	for _, c := range []struct {
		name, pattern string
		words         []string
		want          string
	}{
		{"in order", own, []string{"New York", "3", `it's "here" \`}, `{"city":"New York","days":3,"note":"it's \"here\" \\"}`},
		{"by name", own, []string{"note= a b", "city=Oslo"}, `{"city":"Oslo","note":" a b"}`},
		{"an equals sign", own, []string{"city=a=b", "note=c=d"}, `{"city":"a=b","note":"c=d"}`},
		{"an address", own, []string{"https://x/?q=1"}, `{"city":"https://x/?q=1"}`},
		{"a text with blanks before an equals sign", own, []string{"my note = x"}, `{"city":"my note = x"}`},
		{"empty", own, []string{""}, `{"city":""}`},
		{"the rest", rest, []string{"Oslo", "a", "b=c", "days=2"}, `{"city":"Oslo","note":"a b=c days=2"}`},
		{"JSON", own, []string{"Oslo", "tags=[1, 2]"}, `{"city":"Oslo","tags":[1, 2]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := tools.ParseWords(toolOfWords(t, c.pattern), c.words)
			if err == nil {
				got, err = tools.Canonical(got)
			}
			want, _ := tools.Canonical(json.RawMessage(c.want))
			if diff := cmp.Diff(string(want), string(got)); diff != "" || err != nil {
				t.Error(diff, err)
			}
		})
	}
	_, err := tools.ParseWords(toolOfWords(t, own), []string{"Oslo", "days=1", "x", "dys=2"})
	toolstest.IsError(t, err, event.CodeInvalidValue, "dys: unknown argument; the arguments are city, days, note, rate, sure, tags; usage: "+own)
}
