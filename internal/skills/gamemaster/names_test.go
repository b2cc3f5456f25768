package gamemaster_test

import (
	"strings"
	"testing"
	"unicode"

	"hob/internal/llm"
)

// TestNamesAreOneLine has people call themselves by what turns text around, is not seen, or is several lines: nothing of that is told.
func TestNamesAreOneLine(t *testing.T) {
	h := newHouse(t, plan{noModel: true})
	h.group(true)
	h.began("cosy x\u202egnp.exe")
	h.sayAs("bo", "/join a\u200b\nb\u2066c, gardener", "")
	h.sayAs("cy", "/join \u200b\u200d", "")
	h.say("/create_character \"z\u202ez\"") // an engine takes any name
	h.say("/mode round")
	for _, words := range []string{"check wits", "/save a\nb\u202e", "/save", "/load a\nb\u202e", "/next", "/fair", "party"} {
		text := h.say(words).reply.Text
		for _, r := range text {
			if r != '\n' && !unicode.IsGraphic(r) {
				t.Errorf("%q: %q", words, text)
				break
			}
		}
		if strings.Contains(text, "a  \n") {
			t.Errorf("%q: %q", words, text)
		}
	}
	for _, id := range h.log("cosy").World().Self().Party[:3] {
		if name := h.log("cosy").World().Actor(id).Name; strings.TrimSpace(name) == "" || strings.ContainsAny(name, "\n\u200b\u202e\u2066") {
			t.Errorf("%s is called %q", id, name)
		}
	}
	h.legal("cosy")
}

// TestTheEnginesWordsAreNoMarkup has names with marks in them be told as they are: whoever calls themselves a link is none.
func TestTheEnginesWordsAreNoMarkup(t *testing.T) {
	h := grouped(t, plan{noModel: true}, "")
	h.sayAs("cy", "/join [free](http://evil.example)", "")
	for _, words := range []string{"take note", "go to the green"} {
		h.hears("cy", words, `\[free](http`)
	}
	h.group(true)
	h.say("/mode initiative")
	h.say("check wits")
	h.hears("bo", "check wits", `It is \[free](http`)

	g := newHouse(t, plan{model: speaking(func(req llm.Request) llm.Step {
		if asksToTell(req) {
			return llm.Say("Something *new* lies there.")
		}
		return calls(false, called(1, "create_object", `{"name":"**x**","connection_id":"area_teahouse"}`))().(speaking)(req)
	})})
	g.began("cosy")
	g.free("cosy")
	g.hears("ana", "I hum and think about nothing in particular", "Something *new* lies there.") // a model's marks stay marks
	g.hears("ana", "take x", `You take \*\*x\*\*.`)
}
