package event_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/llm"
)

func TestReadable(t *testing.T) {
	for _, c := range []struct {
		name string
		body event.Body
		want string
	}{
		{"what a person said, without what the runtime added", event.Said{InputID: "i", From: "f", Text: "hi", Tail: "[Monday]"}, "hi"},
		{"what a model drafted", event.Generated{Message: llm.Message{Text: "so", Thinking: "hm"}, Class: "text", Raw: "raw"}, ""},
		{"what was answered", event.Replied{Text: "done"}, "done"},
		{"what was told", event.Noted{Text: "loading"}, "loading"},
		{"what a tool said", event.Returned{ID: "c", Tool: "t", Text: "out", Data: "data"}, "out"},
		{"arguments without escapes, by name", event.Called{ID: "c", Tool: "t",
			Args: json.RawMessage(`{"text":"\u00dcber\n\"it\" <b>","path":"a/b","deep":{"z":[1,null,"\u00fc&"]},"big":12345678901234567890,"none":null,"on":true}`)},
			"big: 12345678901234567890\ndeep: {\"z\":[1,null,\"ü&\"]}\nnone: null\non: true\npath: a/b\ntext: Über\n\"it\" <b>\n"},
		{"arguments that are no object", event.Called{Args: json.RawMessage(`["a"]`)}, `["a"]`},
		{"arguments that are no JSON", event.Called{Args: json.RawMessage(`{"a":`)}, `{"a":`},
		{"no arguments", event.Called{Args: json.RawMessage(`{}`)}, ""},
		{"a question holds what nobody has allowed yet", event.Asked{ID: "a", Text: "may it?", Args: json.RawMessage(`{"a":"b"}`)}, ""},
		{"a decision", event.Decided{By: "ann"}, ""},
		{"words in a user's place", event.Nudged{Text: "go on"}, ""},
		{"a shorter form of what is there already", event.Compacted{Messages: []llm.Message{{Text: "x"}}, Why: "context"}, ""},
		{"what is never journaled", event.Delta{Text: "par", Thinking: "hm"}, ""},
		{"nothing", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := event.Readable(c.body)
			if got != c.want || ok != (c.want != "") {
				t.Errorf("Readable = %q, %t, want %q", got, ok, c.want)
			}
		})
	}
}

func TestFold(t *testing.T) {
	for _, same := range [][]string{
		{"Über", "über", "ÜBER"},
		{"ΣΊΣΥΦΟΣ", "σίσυφος"},
		{"kelvin", "KELVIN", "\u212Aelvin"},
		{"straße", "STRAẞE"},
		{"Привет", "привет"},
		{"漢字 Kanji", "漢字 kanji"},
		{"", ""},
	} {
		for _, s := range same[1:] {
			if event.Fold(s) != event.Fold(same[0]) {
				t.Errorf("%q and %q fold to %q and %q", same[0], s, event.Fold(same[0]), event.Fold(s))
			}
		}
	}
	if diff := cmp.Diff(event.Fold("漢字 é"), "漢字 É"); diff != "" {
		t.Error(diff)
	}
	for _, different := range [][2]string{{"uber", "über"}, {"ı", "i"}, {"漢", "字"}, {"[", "{"}, {"@", "`"}} {
		if event.Fold(different[0]) == event.Fold(different[1]) {
			t.Errorf("%q and %q have the same fold", different[0], different[1])
		}
	}
	const odd = "a\xffb\u0130\U0001F600\x00ſ"
	if n, m := utf8.RuneCountInString(odd), utf8.RuneCountInString(event.Fold(odd)); n != m {
		t.Errorf("the fold of %d runes has %d", n, m)
	}
}
