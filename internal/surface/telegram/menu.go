package telegram

import (
	"encoding/json"
	"fmt"
	"slices"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/lists"
	"hob/internal/phrases"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// menuEntry is a command in a client's menu.
type menuEntry struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

// menus builds people's command menus, in each language of their apps.
type menus struct {
	commands  []commands.Command
	summaries [][]string // indexed by language, then by command
}

// newMenus returns the menus for a table of commands. translate translates the summaries; nil
// leaves them in English.
func newMenus(table commands.Table, translate func(lang, text string) string) menus {
	if translate == nil {
		translate = func(_, text string) string { return text }
	}
	m := menus{commands: slices.DeleteFunc(table.All(), func(c commands.Command) bool { return c.On&commands.Telegram == 0 })}
	for _, lang := range phrases.Languages() {
		summary := func(c commands.Command) string { return translate(lang, c.Summary) }
		m.summaries = append(m.summaries, lists.Map(m.commands, summary))
	}
	return m
}

// all returns the setMyCommands calls that give added people their menus, and everybody else the
// surface's own commands. A group shows the commands of an ordinary member.
func (m menus) all(people []event.Person) []client.Params {
	group := func(c commands.Command) bool { return c.Level() <= event.User && !c.Private }
	list := append(m.menu(`{"type":"default"}`, func(commands.Command) bool { return false }), m.menu(`{"type":"all_group_chats"}`, group)...)
	for _, p := range people {
		if p.ID > 0 {
			list = append(list, m.of(p)...)
		}
	}
	return list
}

// of returns the calls that set one person's menu in their private chat.
func (m menus) of(p event.Person) []client.Params {
	return m.menu(fmt.Sprintf(`{"type":"chat","chat_id":%d}`, p.ID), func(c commands.Command) bool { return c.Level() <= p.Level })
}

// menu returns the calls for a scope, one for each language. The first is for apps in other
// languages.
func (m menus) menu(scope string, has func(commands.Command) bool) (calls []client.Params) {
	for i, lang := range phrases.Languages() {
		w := chat.Words(lang)
		list := []menuEntry{{"help", w.Text("menu.help")}, {"new", w.Text("menu.new")}, {"stop", w.Text("menu.stop")}}
		for n, c := range m.commands {
			if has(c) {
				list = append(list, menuEntry{c.Name, m.summaries[i][n]})
			}
		}
		text, _ := json.Marshal(list)
		call := client.Params{"commands": string(text), "scope": scope}
		if i > 0 {
			call["language_code"] = lang
		}
		calls = append(calls, call)
	}
	return calls
}
