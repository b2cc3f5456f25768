package toolcall

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What is built of a structure that is not JSON; "" where nobody knows what was meant.
func TestRestructure(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"nothing to do", `{"a":[1,{"b":null}]}`, `{"a":[1,{"b":null}]}`},
		{"commas missing in a list", `{"a":["0" "1"["2"]{}]}`, `{"a":["0","1",["2"],{}]}`},
		{"a comma too many at the end", `{"a":[1,],}`, `{"a":[1]}`},
		{"a comma too many at the beginning", `{,"a":[ ,1]}`, `{"a":[1]}`},
		{"commas that may stand for a value", `{"a":[1,,2]}`, ""},
		{"commas at the beginning that may", `{"a":[,,2]}`, ""},
		{"a comma between members is not guessed", `{"a":1 "b":2}`, ""},
		{"brackets missing at the end", `{"a":[{"b":1`, `{"a":[{"b":1}]}`},
		{"a comma at the end, and no brackets", `{"a":[{"b":1,`, `{"a":[{"b":1}]}`},
		{"a bracket of the other sort", `{"a":[{"b":1],"c":2}`, `{"a":[{"b":1}],"c":2}`},
		{"a bracket that closes two", `{"a":[["0"},`, ""},
		{"a bracket that closes all", `{"a":[["0"}`, `{"a":[["0"]]}`},
		{"a bracket that closes nothing", `{"a":true]}`, `{"a":true}`},
		{"more after it", `{"a":{"b":1]},"c":2}`, ""},
		{"more after the end", `{"a":1} 2`, ""},
		{"a value missing", `{"a":}`, ""},
		{"a value missing at the end", `{"a":`, ""},
		{"a colon missing", `{"a" 1}`, ""},
		{"a colon missing at the end", `{"a"`, ""},
		{"a colon in a list", `{"a":["b":1]}`, ""},
		{"a name missing", `{:1}`, ""},
		{"a word for a name", `{"a":1, b}`, ""},
		{"an object for a name", `{{}}`, ""},
		{"no object", `1`, "1"},
		{"words", "{\"a\":New  York ,\"b\":[one\ntwo three]}", `{"a":"New  York","b":["one","two three"]}`},
		{"words on two lines", "{\"a\":New\nYork}", ""},
		{"words and a tab", "{\"a\":New\tYork}", ""},
		{"words that begin as literals do", `{"a":nullable}`, `{"a":"nullable"}`},
		{"literals of others", "{\"a\":undefined,\"b\":[c\nTrue\nNone]}", `{"a":null,"b":["c",true,null]}`},
		{"a number with zeros", `{"a":007}`, `{"a":"007"}`},
		{"a date", `{"a":2024-01-02}`, `{"a":"2024-01-02"}`},
		{"what is nearly a number", `{"a":5.}`, ""},
		{"what else is", `{"a":.5}`, ""},
		{"what is nearly one before words", `{"a":5. York}`, ""},
		{"what is nearly one and too large", `{"a":.1e999}`, ""},
		{"a dash", `{"a":- 5}`, ""},
		{"a path", `{"a":b/c}`, ""},
		{"half a quote", `{"a":b”}`, ""},
		{"a blank of another sort", "{\"a\":\u20035}", ""},
		{"a sum of texts", `{"a":"0" + "1"+"2","b":["3" + "4" "5"]}`, `{"a":"012","b":["34","5"]}`},
		{"half a sum", `{"a":"0" + }`, ""},
		{"half a sum and another text", `{"a":["0" + , "1"]}`, ""},
		{"half a sum at the end", `{"a":"0" +`, ""},
		{"a sum without a beginning", `{"a":+ "0"}`, ""},
		{"a sum of a number", `{"a":["0" + 5]}`, ""},
		{"a sum of names", `{"a" + "b":1}`, ""},
		{"half a text", `{"a":"0`, ""},
		{"nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := restructure(test.in)
			if got != test.want || ok != (test.want != "") {
				t.Errorf("%s became %q, %t, want %q", test.in, got, ok, test.want)
			}
		})
	}
}

// What is built is JSON, holds the texts and names that were there and no others, in their order, and stays when built again.
func TestRestructureMakesNothingUp(t *testing.T) {
	token := rapid.SampledFrom([]string{"{", "}", "[", "]", ",", ":", `"0"`, `"1" + "2"`, `"a":`, `"b": 1,`, "[1,", "true,", "5,", "True,", " ", "\n", "+"})
	strung := func(text string) string {
		var texts strings.Builder
		for i, piece := range strings.Split(text, `"`) {
			if i%2 == 1 {
				texts.WriteString(piece)
			}
		}
		return texts.String()
	}
	rapid.Check(t, func(t *rapid.T) {
		in := `{"p":` + strings.Join(rapid.SliceOfN(token, 0, 12).Draw(t, "tokens"), "") + rapid.SampledFrom([]string{"}", ""}).Draw(t, "end")
		got, ok := restructure(in)
		if !ok {
			return
		}
		if _, ok := parse(got); !ok {
			t.Fatalf("%q became %q, which is no JSON", in, got)
		}
		if strung(got) != strung(in) {
			t.Fatalf("%q became %q", in, got)
		}
		if names := strings.Count(in, ":"); names != strings.Count(got, ":") {
			t.Fatalf("%q with %d names became %q", in, names, got)
		}
		if again, ok := restructure(got); !ok || again != got {
			t.Fatalf("%q became %q and then %q", in, got, again)
		}
	})
}
