package event_test

import (
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
)

// The words of a message are what a person said, without the time and the skills before it.
func TestWords(t *testing.T) {
	at := time.Date(2026, 11, 23, 2, 47, 0, 0, time.FixedZone("CET", 3600)).Format(llm.TimeLine) + "\n\n"
	const skill = "[The skill notes is open.]\nRemember.\n\nDo so.\n[End of the skill notes.]\n\n"
	for text, want := range map[string]string{
		"look\n\nhere":                    "look\n\nhere",
		at + "look\n\nhere":               "look\n\nhere",
		at + skill + "look":               "look",
		at + skill + skill + "a\n\n[b]":   "a\n\n[b]",
		"[not a time]\n\nlook":            "[not a time]\n\nlook",
		at + "[The skill is open.]\n\n a": "[The skill is open.]\n\n a",
		at:                                "",
		"look\n\n" + at:                   "look\n\n" + at,
	} {
		if got := llm.Words(text); got != want {
			t.Errorf("of %q the words are %q, want %q", text, got, want)
		}
	}
	said := event.Said{Text: "hello", Tail: time.Now().Format("\n\n" + llm.TimeLine)} // as it was written before
	if m, _ := event.Message(said); llm.Words(m.Text) != "hello" || m.Text == "hello" {
		t.Errorf("the message is %q", m.Text)
	}
}
