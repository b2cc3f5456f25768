package telegram

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/phrases"
	"hob/internal/surface/telegram/client"
)

// Everybody sees what they may ask for: strangers the least, groups what anybody may, the owner everything.
func TestMenus(t *testing.T) {
	all := commands.NewTable(
		commands.Command{Name: "status", Summary: "How hob does", For: commands.Everybody, On: commands.Telegram},
		commands.Command{Name: "log", Summary: "What was done", Private: true, For: commands.Everybody, On: commands.Telegram},
		commands.Command{Name: "tools", Summary: "Switch tools", On: commands.Telegram},
		commands.Command{Name: "output", Summary: "Of a process", On: commands.Terminal},
	)
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
	translations := 0
	m := newMenus(all, func(lang, text string) string {
		translations++
		return strings.TrimPrefix(lang+": "+text, "en: ")
	})
	var english, german []client.Params
	for _, call := range m.all(people) {
		switch call["language_code"] {
		case "":
			english = append(english, call)
		case "de":
			german = append(german, call)
		}
	}
	if d := cmp.Diff(want, english); d != "" {
		t.Error(d)
	}
	wantGerman := client.Params{"scope": `{"type":"all_group_chats"}`, "language_code": "de", "commands": `[{"command":"help","description":"Was hob kann"},` +
		`{"command":"new","description":"Ein neues Gespräch beginnen"},{"command":"stop","description":"Stoppen, was gerade läuft"},` +
		`{"command":"status","description":"de: How hob does"}]`}
	if d := cmp.Diff(wantGerman, german[1]); d != "" || len(german) != len(english) {
		t.Error(d)
	}
	if want := 3 * len(phrases.Languages()); translations != want {
		t.Errorf("%d summaries are translated, not each once in each language: %d", translations, want)
	}
}
