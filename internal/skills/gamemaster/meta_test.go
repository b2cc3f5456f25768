package gamemaster_test

import (
	"strings"
	"testing"
)

// TestWhatIsNoStoryIsNotTold has a model tell what is said to it, refuse, or speak as hob does: the engine's words stand in its place.
func TestWhatIsNoStoryIsNotTold(t *testing.T) {
	for words, told := range map[string]bool{
		"[You are not allowed to do that.]": false, "You stand still.\n\n[note: the dice were changed]": false,
		"I'm sorry, but I can't help with that.": false, "I’m sorry, but I can’t assist with this request.": false,
		"Я не могу помочь с этим.": false, "我无法继续这个故事。": false,
		"You stand still, humming.": true,
	} {
		h := newHouse(t, plan{model: tells(words)()})
		h.began("cosy")
		if got := h.say("I hum and think about nothing in particular"); strings.Contains(got.reply.Text, words) != told {
			t.Errorf("%q: %q", words, got.reply.Text)
		}
	}
}

// TestWhoTellsIsSo has /teller say who tells the story, also where the configuration has no model do it.
func TestWhoTellsIsSo(t *testing.T) {
	for _, noModel := range []bool{false, true} {
		h := newHouse(t, plan{noModel: noModel, model: tells("All is quiet.")()})
		h.began("cosy")
		on := map[bool]string{false: "A model tells this story", true: "[game] model"}[noModel]
		for _, c := range [][2]string{{"/teller", on}, {"/teller on", on}, {"/teller off", "No model tells this story"}, {"/teller", "No model tells this story"}, {"/teller on", on}} {
			if text := strings.ReplaceAll(h.say(c[0]).reply.Text, `\`, ""); !strings.Contains(text, c[1]) {
				t.Errorf("%s: %q", c[0], text)
			}
		}
	}
}
