package gamemaster_test

import (
	"strings"
	"testing"
)

// What a line comes to with some of its words left out is asked about, and done where the answer is yes, its number or its button;
// not before, nor where the answer is another one. What only looks is done at once.
func TestProposals(t *testing.T) {
	for lang, c := range map[string]struct{ words, question, yes, no, spared, done, look, taken string }{
		"en": {
			"take the note and juggle knives", "Did you mean: “take the note”?", "yes, please", "nope", "You leave it", "+Oda's note",
			"look at the oven for the archive", "(Taken as: “look at the oven”.)",
		},
		"ru": {
			"взять записку и насвистеть мелодию", "«взять записку»?", "да", "нет", "пусть так", "+записка Оды",
			"осмотреть печь ради интереса", "(Понято так: «осмотреть печь».)",
		},
		"zh": {"拿走那张皱巴巴的字条", "“拿走那张字条”", "是", "不是", "不动", "+奥达的字条", "看看墙边的烤炉", "（理解为：“看看烤炉”。）"},
	} {
		t.Run(lang, func(t *testing.T) {
			h := newHouse(t, plan{noModel: true})
			begun := h.began("cosy " + lang)
			turns := h.log("cosy").Turns()
			asked := h.say(c.words)
			if !strings.Contains(asked.reply.Text, c.question) || len(asked.choices) != 1 {
				t.Fatal(asked.reply.Text, asked.choices)
			}
			h.reads(c.no, c.spared)
			if got := h.say(c.yes).reply.Text; strings.Contains(got, c.done) {
				t.Errorf("yes behind no: %s", got)
			}
			h.reads(c.words, c.question)
			h.reads(c.look, c.taken)
			if got := h.say(c.yes).reply.Text; strings.Contains(got, c.done) || h.log("cosy").Turns() != turns {
				t.Errorf("yes to what was asked before: %s", got)
			}
			for name, answer := range map[string]func() said{
				"yes": func() said { return h.say(c.yes) }, "1": func() said { return h.say("1") },
				"button": func() said { return h.sayAs("ana", asked.choices[0].Text, asked.choices[0].Pick) },
			} {
				h.reads(c.words, c.question)
				if got := answer().reply.Text; !strings.Contains(got, c.done) {
					t.Errorf("%s: %s", name, got)
				}
				h.say("/undo")
			}
			h.reads(c.words, c.question)
			if got := h.sayAs("ana", begun.choices[0].Text, begun.choices[0].Pick).reply.Text; strings.Contains(got, c.done) {
				t.Errorf("another button is taken for yes: %s", got)
			}
		})
	}
}
