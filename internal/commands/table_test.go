package commands_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/commands"
	"hob/internal/event"
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
	const golden = "testdata/who_may_what.txt"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("who may what has changed; -update accepts it: %s", diff)
	}
}
