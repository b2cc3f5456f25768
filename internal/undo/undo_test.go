package undo

import (
	"testing"

	"hob/internal/event"
	"hob/internal/tools"
)

// Everybody takes back what they did themselves, and the owner all; but whom hob talks to is the owner's to change: who was let in
// by a code did so themselves, and would throw themselves out by a button of /undo list.
func TestMayUndo(t *testing.T) {
	user := tools.Caller{User: "104", Principal: event.Principal{Platform: "telegram", Level: event.User}}
	owner := tools.Caller{User: "101", Principal: event.Principal{Platform: "telegram", Level: event.Owner}}
	for _, c := range []struct {
		name string
		by   tools.Caller
		path string
		of   string
		want bool
	}{
		{"one's own", user, "reminder/7", "telegram/104", true},
		{"another's", user, "reminder/7", "telegram/101", false},
		{"how one was let in", user, "person/telegram/104", "telegram/104", false},
		{"anybody's, for the owner", owner, "reminder/7", "telegram/104", true},
		{"how somebody was let in, for the owner", owner, "person/telegram/104", "telegram/104", true},
	} {
		change := event.Change{Path: c.path, Cause: event.Cause{By: c.of}}
		if got := mayUndo(c.by, change); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// In a private chat the list is of all chats; there everybody reads the words of their own turns, the owner, too.
func TestMayRead(t *testing.T) {
	owner := tools.Caller{User: "101", Principal: event.Principal{Platform: "telegram", Level: event.Owner}}
	for _, c := range []struct {
		chat event.Chat
		of   string
		want bool
	}{
		{"", "telegram/101", true},
		{"", "telegram/104", false},
		{"telegram:-9", "telegram/104", true},
	} {
		change := event.Change{Path: "notes/general.md", Cause: event.Cause{By: c.of}}
		if got := mayRead(owner, c.chat, change); got != c.want {
			t.Errorf("chat %q, of %s: %t", c.chat, c.of, got)
		}
	}
}
