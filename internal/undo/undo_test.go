package undo

import (
	"slices"
	"testing"
	"time"

	"hob/internal/commands"
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

// A day is one of the clocks of the household: from midnight until the next.
func TestChoose_OfADay(t *testing.T) {
	berlin := time.FixedZone("Berlin", 3600)
	var all []event.Change
	for i, at := range []string{"2026-11-26T22:59:00Z", "2026-11-26T23:00:00Z", "2026-11-27T22:59:00Z", "2026-11-27T23:00:00Z", "2026-11-27T12:00:00Z"} {
		when, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, event.Change{ID: int64(i + 1), Path: "a.md", Time: when, Fate: event.Fate{Stage: event.StageMade}, Cause: event.Cause{Chat: "main"}})
	}
	all[4].Chat = "other"
	owner := tools.Caller{User: "owner", Principal: event.Principal{Level: event.Owner}}
	day := commands.UndoRequest{Chat: "main", By: owner, Day: time.Date(2026, 11, 27, 0, 0, 0, 0, berlin)}
	if got, err := chooseChanges(day, all); err != nil || !slices.Equal(slices.Sorted(slices.Values(got)), []int64{2, 3}) {
		t.Errorf("chosen are %v, %v", got, err)
	}
}
