package toolcall

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What models write around calls, and between them, in the forms of the table and without marks.
func TestForms(t *testing.T) {
	one, two := said{Calls, []string{inParis}, ""}, said{Calls, []string{inParis, `read_file {"path":"a"}`}, ""}
	const f, g = `get_weather(city="Paris")`, `read_file(path="a")`
	keeps(t, []rule{
		{"text behind a list", words("[" + f + "]Checking the weather."), one},
		{"text behind a list of two", words("[" + f + ", " + g + "]I am looking…"), two},
		{"semicolons", words(f + "; " + g + ";"), two},
		{"commas", words(f + ", " + g), two},
		{"texts in a list", words(`['` + f + `', '` + g + `']`), two},
		{"one text with two calls", words(`['` + f + `, ` + g + `']`), two},
		{"a text whose last quote is missing", words(`['` + f + `]`), one},
		{"a text", words(`'` + f + `'`), one},
		{"a name in quotes", words(`['get_weather'(city="Paris")]`), one},
		{"a pair", words(`['get_weather', {'city': 'Paris'}]`), one},
		{"pairs that are tuples", words(`[('get_weather', {'city': 'Paris'}), ('read_file', {'path': 'a'})]`), two},
		{"backticks", words("`[" + f + "]`"), one},
		{"backticks within", words("[`" + f + "`]"), one},
		{"two backticks", words("``" + f + "``"), one},
		{"a list and a comma", words(`[get\_weather(city='Paris')],`), one},
		{"a dict and a sentence", words("[get_weather({'city':'Paris'})].\n\nThe above code calls it."), one},
		{"values with escaped underscores", words(`get\_weather(city='Paris', u\_x='a\_b')`), one},
		{"the name is the key of a list", words(`{"get_weather": [{"city": "Paris"}]}`), one},
		{"Glimmer", words("<atem:function_calls>\n<atem:invoke name=\"get_weather\">\n<atem:parameter name=\"city\">Paris</atem:parameter>\n</atem:invoke>\n</atem:function_calls>"), one},
		{"Laguna", words("<user>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n"), one},
		{"Cohere", words(`<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Paris"}}]<|END_ACTION|>`), one},
		{"functools", words(`functools[` + paris + `]`), one},
		{"a tag that broke", words("tool_call>" + paris + "</tool_call>"), one},
		{"a namespace before a name with a point", words(`[tools.office.get_weather(city="Paris")]`), one},
		{"words after <user>", words("<user> wrote this."), said{Text, nil, "<user> wrote this."}},
		{"a tool that is a word", words("<tool> is a tag."), said{Text, nil, "<tool> is a tag."}},
	})
}

// Arguments by the schema: numbers and words as models write them, and names that are nearly the tool's.
func TestArgumentsBySchema(t *testing.T) {
	o := kitchen()
	for _, test := range []struct{ tool, args, want string }{
		{"write_file", `{"path":"a","content":"b","append":TRUE}`, `{"path":"a","content":"b","append":true}`},
		{"get_weather", `{"city":"Paris","days":+3}`, `{"city":"Paris","days":3}`},
		{"get_weather", `{"city":"Paris","days":1_000}`, `{"city":"Paris","days":1000}`},
		{"get_weather", `{"city":"Paris","days":3.}`, `{"city":"Paris","days":3}`},
		{"get_weather", `{"city":"Paris","days":NULL}`, `{"city":"Paris"}`},
		{"get_weather", `{"city":"Paris","days": }`, `{"city":"Paris"}`},
		{"search_files", `{"pattern":"x","tags":("a","b")}`, `{"pattern":"x","tags":["a","b"]}`},
		{"search_files", `(pattern="x", tags=("a", "b"), limit=5)`, `{"pattern":"x","tags":["a","b"],"limit":5}`},
		{"get_weather", `(city="Paris", unit=celsius)`, `{"city":"Paris","unit":"celsius"}`},
		{"get_weather", `{"arg1":"Paris"}`, `{"city":"Paris"}`},
		{"get_weather", `("Paris")`, `{"city":"Paris"}`},
		{"read_file", `{"file_path":"a"}`, `{"path":"a"}`},
		{"write_file", `{"filePath":"a","content":"b"}`, `{"path":"a","content":"b"}`},
		{"write_file", `{"path_name":"a","content":"b"}`, ""},
		{"read_file", `{"file_path":"a","dir_path":"b"}`, ""},
		{"get_weather", `{""city"":""Paris""}`, `{"city":"Paris"}`},
		{"get_weather", `{"city": "Paris, "days": 3}`, `{"city":"Paris","days":3}`},
		{"get_weather", `(city="Paris, days=3)`, ""},
		{"search_files", `{"pattern": "x", "tags": ["a", "b"}`, `{"pattern":"x","tags":["a","b"]}`},
	} {
		got := o.mended(test.tool, test.args, false)
		if valid := got.Problems == nil; valid != (test.want != "") || valid && got.Args != test.want {
			t.Errorf("%s %s became %s (%q, %v), want %s", test.tool, test.args, got.Args, got.Repairs, got.Problems, test.want)
		}
	}
}

// A tool that acts runs with no arguments but those that were surely meant; one that only looks gets what is likely.
func TestDamagedArgumentsOfToolsThatAct(t *testing.T) {
	read := `get_weather {"city":"Paris","days":3}`
	for _, test := range []struct{ looks, acts string }{
		{`{"name":"get_weather","arguments":{"city":"Paris"}, "days":3}`, `{"name":"write_file","arguments":{"path":"a","content":"b"}, "mode":"append"}`},
		{`{"name":"get_weather","arguments":{"city":"Paris"}, "days":3}}`, `{"name":"write_file","arguments":{"path":"a","content":"b"}, "mode":"append"}}`},
		{`{"name":"get_weather","arguments":{"city":"Paris"},"arguments":{"days":3}}`, `{"name":"write_file","arguments":{"path":"a","content":"b"},"arguments":{"mode":"append"}}`},
		{`{"name":"get_weather","arguments":{"city":"Paris, "days":3}}`, `{"name":"write_file","arguments":{"path":"a","content":"b, "mode":"append"}}`},
		{`<tool_call>{"name":"get_weather","arguments":{"city":"Paris, "days":3}}</tool_call>`, `<function=write_file>{"path":"a","content":"b, "mode":"append"}</function>`},
	} {
		if got := office().said(words(test.looks)); len(got.Calls) != 1 || got.Calls[0] != read {
			t.Errorf("%s: %v", test.looks, got)
		}
		if got := office().said(words(test.acts)); got.Class != Malformed || !strings.HasPrefix(got.Calls[0], "!") {
			t.Errorf("%s: %v", test.acts, got)
		}
	}
	for _, args := range []string{
		`{"path":"a","content":"v"alue"}`, `{"path":"a","content":""b"}`, `{"path":"a","content":"b"}, "mode":"append"}`, `{"path":"a","content":"b" "c"}`,
		`{"path":"a","content":"{"path": "x"}"}`, `{"path":"a","content":b}`, `{"path":"a","content": }`, `{"path":"a","content":["b"}`,
		`{"path":"a","content":(+`,
	} {
		if got := kitchen().mended("write_file", args, false); got.Problems == nil {
			t.Errorf("%s runs as %s", args, got.Args)
		}
	}
}

// What is read holds the texts that were written and no others, in their order, and reading it again changes nothing.
func TestLenientMakesNothingUp(t *testing.T) {
	token := rapid.SampledFrom([]string{"{", "}", "[", "]", ",", ":", `"0"`, `"1" + "2"`, `"a":`, `"b": 1,`, "[1,", "true,", "5,", "True,", " ", "\n", "+", "(", ")"})
	texts := func(text string) string {
		var all strings.Builder
		for i, piece := range strings.Split(text, `"`) {
			if i%2 == 1 {
				all.WriteString(piece)
			}
		}
		return all.String()
	}
	rapid.Check(t, func(t *rapid.T) {
		in := `{"p":` + strings.Join(rapid.SliceOfN(token, 0, 12).Draw(t, "tokens"), "") + rapid.SampledFrom([]string{"}", ""}).Draw(t, "end")
		r := lenient{src: in}
		v, _ := r.repair(endWritten)
		if v == nil || r.doubt != "" {
			return
		}
		got := v.String()
		if _, ok := parse(got); !ok {
			t.Fatalf("%q became %q, which is no JSON", in, got)
		}
		if !strings.Contains(got, `\"`) && texts(got) != texts(in) {
			t.Fatalf("%q became %q", in, got)
		}
		again := lenient{src: got}
		if w, _ := again.repair(endWritten); w == nil || w.String() != got || again.did != nil {
			t.Fatalf("%q became %q and then %v", in, got, again.did)
		}
	})
}

// What is JSON is read without a guess: nothing of it changes, however odd it is.
func TestParse(t *testing.T) {
	deep := strings.Repeat("[", 2*deepest) + strings.Repeat("]", 2*deepest)
	for _, text := range []string{
		deep, `{"` + strings.Repeat("k", 3*longestKey) + `":1}`, `{"a\\_b ":"\"x\", \"y\": 1","":""}`, `{"a":"b\",\"c\":\"d","b":["\u0022","\\"]}`,
		`{"a":1,"a":-2.50E+3}`, `[true,false,null,0,"",{},[]]`, `"C:\\temp"`, `12`, `{"a":"<tool_call>","b":"` + "```" + `//"}`,
	} {
		v, ok := parse(text)
		if !ok || v.String() != text || v.from != 0 || v.to != len(text) {
			t.Errorf("%.80s is read as %v", text, v)
		}
	}
	if v, _ := parse(`{"a\\_b ":1}`); v.members[0].key != `a\_b ` {
		t.Errorf("the key is %q", v.members[0].key)
	}
	for _, text := range []string{"", "{", "[1,]", "{} {}", "'a'"} {
		if v, ok := parse(text); ok {
			t.Errorf("%s is read as %v", text, v)
		}
	}
}
