package toolcall

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// FuzzMend holds that whatever was written, what comes of it is an object; what is valid fits its schema and stays as it
// is when mended again; what is changed is told; and nothing runs a writing tool that has no end.
func FuzzMend(f *testing.F) {
	for _, tool := range []string{"read_file", "write_file", "functions.search_files", "get_weather", "now", "forward", "store", "x"} {
		f.Add(tool, `{"path":"a","content":"b","pattern":"c","city":"d"}`, true, false)
	}
	for _, args := range []string{
		`{'path': 'a', 'content': "b", "append": True,}`, `{"path":"C:\users\x","content":"say "hi" now"}`, `"{\"path\":\"a\"}"`, `{"parameters":{"path":"a"}}`,
		`{"type":"object","properties":{"path":{"type":"string"}}}`, "}\n{\"path\":\"a\"}]", `{"path":"a"`, `{"path":"""a""","content":[1,2}`, "```json\n{}\n```",
		`{"path":"a" + "b" // c`, `{path: a b, tags: ["x" "y"]}`, `[{"path":null}]`, `{"path":1e400,"offset":"5.0"}`, "{\"path\":\uE000 0\uE001}", `{"a":"a","a":1}`, `{“a”:‘b’}`,
	} {
		for _, tool := range []string{"write_file", "read_file", "store"} {
			f.Add(tool, args, true, false)
			f.Add(tool, args, false, true)
		}
	}
	o := kitchen()
	f.Fuzz(func(t *testing.T, tool, args string, whole, cut bool) {
		c := o.mend(found{name: tool, args: args, whole: whole}, cut)
		if v, ok := parse(string(c.Args)); !ok || v.kind != '{' {
			t.Fatalf("the arguments are %q", c.Args)
		}
		known := o.byName[c.Name]
		if known == nil {
			if c.Valid() {
				t.Fatalf("there is no tool %q", c.Name)
			}
			return
		}
		if len(c.Problems) > 0 {
			for attempt := range 3 {
				o.Correction(Form{}, c, attempt+1)
			}
			return
		}
		if fit, problems, err := known.schema.Check(c.Args); string(fit) != string(c.Args) || problems != nil || err != nil {
			t.Fatalf("%s: %v %v, %s", c.Args, problems, err, fit)
		}
		if known.careful && !whole {
			t.Fatalf("%s runs without its end: %s", c.Name, args)
		}
		again := o.mend(found{name: c.Name, args: string(c.Args), whole: true}, false)
		if string(again.Args) != string(c.Args) || again.Repairs != nil || !again.Valid() {
			t.Fatalf("%s became %s by %q, %v", c.Args, again.Args, again.Repairs, again.Problems)
		}
		if strings.TrimSpace(args) == "" {
			args = "{}"
		}
		if v, ok := parse(args); (!ok || v.String() != string(c.Args) || c.Name != tool) && c.Repairs == nil {
			t.Fatalf("%s %s became %s %s, and nobody is told", tool, args, c.Name, c.Args)
		}
		if !json.Valid([]byte(args)) && (cut || known.careful && !whole) && slices.Contains(c.Repairs, "its closing brackets were missing") {
			t.Fatalf("%s was closed", args)
		}
	})
}

// FuzzStructured holds that no reply makes a call of nothing, or panics.
func FuzzStructured(f *testing.F) {
	f.Add(`{"thought":"","tool":"read_file","arguments":{"path":"a"}}`)
	f.Add(`{"thought":"","tool":"answer","answer":"a"}`)
	f.Add("```json\n{'tool': 'now', 'arguments': '{}'")
	o := kitchen()
	f.Fuzz(func(t *testing.T, text string) {
		calls, answer, ok := o.structured(text)
		if !ok && (len(calls) > 0 || answer != "") {
			t.Fatalf("%v, %q from what is no reply", calls, answer)
		}
		for _, call := range calls {
			if o.mend(call, false).Name == "" && call.name != "" && strings.TrimSpace(call.name) != "" {
				t.Fatalf("%+v lost its name", call)
			}
		}
	})
}

func BenchmarkMend(b *testing.B) {
	o := kitchen()
	line := "\t\tif err := run(ctx, \\\"name\\\"); err != nil { return err } // C:\\\\temp\\n"
	for _, size := range []struct {
		name  string
		bytes int
	}{{"1KB", 1 << 10}, {"16KB", 16 << 10}} {
		content := strings.Repeat(line, size.bytes/len(line))
		content = strings.ReplaceAll(content, "\t", `\t`)
		raw := strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(content)
		for _, shape := range []struct{ name, args string }{
			{"clean", `{"path":"a.go","content":"` + content + `"}`},
			{"coerced", `{"path":"a.go","content":"` + content + `","append":"true"}`},
			{"repaired", `{'path': 'a.go', 'content': "` + raw + `", 'append': True,}`},
			{"quotes", `{"path": "a.go", "content": "` + strings.ReplaceAll(raw, `\"`, `"`) + `"}`},
			{"restructured", `{"path": "a.go", "content": "` + content + `", "append": true}}`},
			{"list", `{"pattern":"x","tags":["` + strings.Repeat(`a","`, size.bytes/4) + `"],}`},
		} {
			tool := "write_file"
			if shape.name == "list" {
				tool = "search_files"
			}
			b.Run(size.name+"/"+shape.name, func(b *testing.B) {
				b.SetBytes(int64(len(shape.args)))
				b.ReportAllocs()
				for b.Loop() {
					if c := o.mend(found{name: tool, args: shape.args, whole: true}, false); !c.Valid() {
						b.Fatal(c.Problems)
					}
				}
			})
		}
	}
}
