package telegram

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// Everybody sees what they may ask for: strangers the least, groups what anybody may, the owner everything.
func TestMenus(t *testing.T) {
	all := []chat.Command{
		{Name: "status", Summary: "How hob does"},
		{Name: "log", Summary: "What was done", Private: true},
		{Name: "tools", Summary: "Switch tools", Least: event.Owner},
	}
	people := []event.Person{{ID: 77, Level: event.Owner}, {ID: 78, Level: event.User}, {ID: -100}}
	own := `{"command":"help","description":"What hob can do"},{"command":"new","description":"Begin a new conversation"},` +
		`{"command":"stop","description":"Stop what is going on"}`
	const status, log, tools = `,{"command":"status","description":"How hob does"}`, `,{"command":"log","description":"What was done"}`,
		`,{"command":"tools","description":"Switch tools"}`
	want := []client.Params{
		{"scope": `{"type":"default"}`, "commands": "[" + own + "]"},
		{"scope": `{"type":"all_group_chats"}`, "commands": "[" + own + status + "]"},
		{"scope": `{"type":"chat","chat_id":77}`, "commands": "[" + own + status + log + tools + "]"},
		{"scope": `{"type":"chat","chat_id":78}`, "commands": "[" + own + status + log + "]"},
	}
	if d := cmp.Diff(want, menus(all, people)); d != "" {
		t.Error(d)
	}
}
