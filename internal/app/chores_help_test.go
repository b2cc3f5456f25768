package app_test

import (
	"strings"
	"testing"

	"hob/internal/event"
	"hob/internal/intents"
	"hob/internal/session"
)

// An owner reads the whole help in private, those of stories in it; who was let in as a user reads of what they may have done.
func TestHelp_OfTheReader(t *testing.T) {
	o := newTestApp(t, noOllama)
	whole := intents.Default().Help("en", func(string) bool { return true })
	for level, want := range map[event.Level]func(help string) bool{
		event.Owner: func(help string) bool { return strings.TrimSpace(help) == strings.TrimSpace(whole) },
		event.User: func(help string) bool {
			return strings.Contains(help, "- what's on the shopping list\n") && strings.Contains(help, "start a story") && !strings.Contains(help, "add milk")
		},
	} {
		seq, err := o.Submit(t.Context(), session.Input{Chat: here, ID: string(rune('a' + level)), From: "7", Text: "what can you do", Typed: true, Principal: event.Principal{Platform: "telegram", Scope: "private", Level: level}})
		if err != nil {
			t.Fatal(err)
		}
		for e, err := range o.Follow(t.Context(), here, seq) {
			if err != nil {
				t.Fatal(err)
			}
			if b, ok := e.Body.(event.Replied); ok && e.Turn == seq {
				if !want(b.Text) {
					t.Errorf("level %v reads %s", level, b.Text)
				}
				break
			}
		}
	}
}
