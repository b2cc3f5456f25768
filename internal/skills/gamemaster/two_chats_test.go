package gamemaster_test

import (
	"strings"
	"testing"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
)

// TestAnotherChatPlaysInTheMiddleOfATurn has a model's turn be told as a whole where others of the same story played, or took back, between
// its calls and its words.
func TestAnotherChatPlaysInTheMiddleOfATurn(t *testing.T) {
	for name, c := range map[string]struct {
		others []string
		stands bool // what the turn did is not taken back
	}{
		"a turn":                {[]string{"check wits"}, true},
		"a turn and its undo":   {[]string{"check wits", "undo"}, true},
		"an undo":               {[]string{"undo"}, false},
		"an undo and a new one": {[]string{"undo", "check wits"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			var h *house
			asked, others := "", c.others
			h = newHouse(t, plan{model: speaking(func(req llm.Request) llm.Step {
				switch n := results(req); {
				case asksToTell(req):
					asked = req.Messages[len(req.Messages)-1].Text
					return llm.Say("")
				case n == 0:
					return llm.Do(called(1, "move_object", `{"object_id":"obj_note","target_id":"pc_001"}`))
				case n == 1:
					for _, words := range others {
						in := session.Input{Chat: "other", ID: "other " + words, From: "bo", Text: words, Principal: h.standing}
						if got, err := h.submit(t.Context(), in); err != nil || got.ended.Reason != event.Done {
							t.Error(err, got.reply.Text)
						}
					}
					return llm.Do(called(2, "set_attribute", `{"entity_type":"actor","entity_id":"pc_001","attribute_name":"mood","value":"merry"}`))
				}
				return llm.Say("Done.")
			})})
			h.began("cosy")
			h.free("cosy")
			if _, err := h.master.Bind(t.Context(), asCaller(h, "other"), "cosy"); err != nil {
				t.Fatal(err)
			}
			got := h.say("I reach for the note and hum a merry tune")
			note := "You take Oda's note."
			if strings.Contains(asked, note) != c.stands || strings.Contains(got.reply.Text, note) != c.stands || got.ended.Reason != event.Done {
				t.Errorf("%s: %s\nasked: %s", got.ended.Reason, got.reply.Text, asked)
			}
			w := h.log("cosy").World()
			if (w.Thing("obj_note").Parent == "pc_001") != c.stands || w.Actor("pc_001").Attrs["mood"] != "merry" {
				t.Errorf("the note is with %s, the mood is %v", w.Thing("obj_note").Parent, w.Actor("pc_001").Attrs)
			}
			h.legal("cosy")
		})
	}
}
