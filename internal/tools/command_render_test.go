package tools_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hob/internal/tools"
)

func TestRender(t *testing.T) {
	own, rest := "book <city:string> [days:integer] [note:string]", "book <city:string> [note:string...]"
	for _, c := range []struct{ name, pattern, args, want string }{
		{"in order", own, `{"city":"Oslo","days":3,"note":"x"}`, "book Oslo 3 x"},
		{"one missing", own, `{"city":"Oslo","note":"x"}`, "book Oslo note=x"},
		{"quotes", own, `{"city":"New York","note":"it's \"here\""}`, `book "New York" note="it's \"here\""`},
		{"few quotes", own, `{"city":"say \"a\"","days":1,"note":"c:\\x"}`, `book 'say "a"' 1 'c:\x'`},
		{"an address", own, `{"city":"https://x/?q=1","note":"https://x/?q=1"}`, `book "https://x/?q=1" note=https://x/?q=1`},
		{"empty", own, `{"city":""}`, `book ""`},
		{"what is JSON", own, `{"city":"5","sure":true,"tags":["a b"]}`, `book 5 sure=true tags='["a b"]'`},
		{"a phone's quotes", own, `{"city":"“a”","note":"a“"}`, `book "“a”" note=a“`},
		{"what nobody sees", own, `{"city":"a\u200bb"}`, "book \"a\u200bb\""},
		{"the rest", rest, `{"city":"Oslo","days":2,"note":"say \"it's\" = so"}`, `book Oslo days=2 say "it's" = so`},
		{"a rest with blanks around it", rest, `{"city":"Oslo","note":" x\n"}`, "book Oslo note=\" x\n\""},
		{"a rest that looks like a name", rest, `{"city":"Oslo","note":"days=3"}`, "book Oslo note=days=3"},
		{"an empty rest", rest, `{"city":"Oslo","note":""}`, `book Oslo note=""`},
		{"made from the schema", "", `{"city":"Oslo","days":3,"rate":0.5}`, "book Oslo days=3 rate=0.5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := tools.Render(toolOfWords(t, c.pattern), json.RawMessage(c.args))
			if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
				t.Error(diff, err)
			}
		})
	}
	either := toolPlain{name: "x", params: map[string]any{"type": "object", "properties": map[string]any{
		"id": map[string]any{"type": []any{"integer", "string"}}, "any": true,
	}}}
	for args, want := range map[string]string{
		`{}`: "x", `{"id":5}`: "x id=5", `{"id":"five"}`: "x id=five", `{"any":"5"}`: `x any='"5"'`, `{"any":null}`: "x any=null", `{"any":"null"}`: `x any='"null"'`,
	} {
		if got, err := tools.Render(either, json.RawMessage(args)); got != want || err != nil {
			t.Errorf("%s: %s, %v", args, got, err)
		}
	}
	for args, tool := range map[string]tools.Tool{
		`{"id":"5"}`:   either,                          // read as the number
		`{"city":5}`:   toolOfWords(t, own),             // no arguments of it
		`{"city":"a"}`: toolOfWords(t, tools.NoCommand), // no command
	} {
		if got, err := tools.Render(tool, json.RawMessage(args)); err == nil || got != "" {
			t.Errorf("%s became %q", args, got)
		}
	}
}

// What was rendered is read back as it was, whatever it is.
func TestRender_ReadsBack(t *testing.T) {
	const odd = "\"'\\=“”„‚‘’«» \t\n\u00a0\u3000\u200bab京1[{,:x/@-"
	text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune(odd))), rapid.SampledFrom([]string{
		"city=x", "cty=x", "days=1", "note=", "null", "true", "5", `"5"`, "[1]", "...", "/book", "\"", "'", "«a»", "“a b", "\\", "\x00",
	}))
	kinds := []struct {
		name   string
		values *rapid.Generator[any]
	}{
		{"city", text.AsAny()}, {"note", text.AsAny()}, {"days", rapid.Int32().AsAny()}, {"rate", rapid.Float64().AsAny()},
		{"sure", rapid.Bool().AsAny()}, {"tags", rapid.SliceOfN(text, 0, 3).AsAny()},
	}
	for pattern, required := range map[string]string{
		"": "city", "book": "city", "book <city:string>": "city", "book [days:integer] [city:string]": "city",
		"book <city:string> [note:string...]": "city", "book <note:string> [days:integer] [city:string...]": "city note",
	} {
		tool := toolOfWords(t, pattern)
		commands, _ := tools.NewCommands([]tools.Tool{tool})
		t.Run(pattern, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				given := map[string]any{}
				for _, k := range kinds {
					if strings.Contains(required, k.name) || rapid.Bool().Draw(t, k.name+"?") {
						given[k.name] = k.values.Draw(t, k.name)
					}
				}
				args, err := json.Marshal(given)
				if err != nil {
					t.Fatal(err)
				}
				line, err := tools.Render(tool, args)
				if err != nil {
					t.Fatalf("%s: %v", args, err)
				}
				back, raw, err := commands.Parse("/" + line)
				if err != nil || back != tool {
					t.Fatalf("%s became %q: %v", args, line, err)
				}
				var want, got map[string]any
				if json.Unmarshal(args, &want) != nil || json.Unmarshal(raw, &got) != nil || !cmp.Equal(want, got) {
					t.Fatalf("%s became %q, and that %s", args, line, raw)
				}
			})
		})
	}
}
