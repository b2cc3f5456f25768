package commands_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/golden"
)

var update = flag.Bool("update", false, "write the golden file")

// TestWhoMayWhat checks who may give which command where. A new row is the owner's at the terminal
// unless it says more.
func TestWhoMayWhat(t *testing.T) {
	as := func(on commands.Surfaces, scope string, level event.Level) commands.Request {
		return commands.Request{Surface: on, Principal: event.Principal{Scope: scope, Level: level}}
	}
	callers := []struct {
		name string
		by   commands.Request
	}{
		{"owner, terminal", as(commands.Terminal, "private", event.Owner)},
		{"owner, Telegram", as(commands.Telegram, "private", event.Owner)},
		{"bot admin, Telegram", as(commands.Telegram, "private", event.BotAdmin)},
		{"user, Telegram", as(commands.Telegram, "private", event.User)},
		{"owner, group", as(commands.Telegram, "group", event.Owner)},
		{"group admin, group", as(commands.Telegram, "group", event.GroupAdmin)},
		{"user, group", as(commands.Telegram, "group", event.User)},
		{"nobody, Telegram", as(commands.Telegram, "private", event.User-1)},
		{"owner, page", as(commands.Page, "private", event.Owner)},
		{"user, page", as(commands.Page, "private", event.User)},
		{"token, API", as(commands.API, "private", event.Owner)},
		{"owner, no surface", as(0, "private", event.Owner)},
	}
	rows := append(commands.New(commands.Deps{}).All(), commands.Command{Name: "(a row that says nothing more)"})
	var b strings.Builder
	for _, c := range callers {
		var may []string
		for _, row := range rows {
			if row.Permit(c.by) == nil {
				may = append(may, strings.TrimSpace(row.Name+" "+row.Usage()))
			}
		}
		fmt.Fprintf(&b, "%s:\n", c.name)
		for _, row := range may {
			fmt.Fprintf(&b, "  %s\n", row)
		}
	}
	golden.Check(t, *update, "testdata/who_may_what.txt", b.String())
}
