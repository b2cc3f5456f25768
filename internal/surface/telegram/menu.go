package telegram

import (
	"encoding/json"
	"fmt"
	"strings"

	"hob/internal/event"
	"hob/internal/phrases"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// menuEntry is a command in the menu of a client.
type menuEntry struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

// menus are the menus of people, in each language of their apps.
type menus struct {
	commands  []chat.Command
	summaries [][]string // by language, of each command
}

// newMenus returns the menus of commands, whose summaries translate translates; nil: they stay.
func newMenus(commands []chat.Command, translate func(lang, text string) string) menus {
	m := menus{commands: commands}
	for _, lang := range phrases.Languages() {
		var summaries []string
		for _, c := range commands {
			summary := strings.TrimSpace(c.Summary)
			if translate != nil {
				summary = translate(lang, summary)
			}
			summaries = append(summaries, summary)
		}
		m.summaries = append(m.summaries, summaries)
	}
	return m
}

// all returns the calls of setMyCommands that show the people who were let in their commands, and everybody
// else the surface's own. Groups show the commands of anybody in them.
func (m menus) all(people []event.Person) []client.Params {
	group := func(c chat.Command) bool { return c.Least <= event.User && !c.Private }
	list := append(m.menu(`{"type":"default"}`, func(chat.Command) bool { return false }), m.menu(`{"type":"all_group_chats"}`, group)...)
	for _, p := range people {
		if p.ID > 0 {
			list = append(list, m.of(p)...)
		}
	}
	return list
}

// of returns the calls that show one person their commands in their private chat.
func (m menus) of(p event.Person) []client.Params {
	return m.menu(fmt.Sprintf(`{"type":"chat","chat_id":%d}`, p.ID), func(c chat.Command) bool { return c.Least <= p.Level })
}

// menu returns the calls for a scope, one for each language. The first is for apps in any other.
func (m menus) menu(scope string, has func(chat.Command) bool) (calls []client.Params) {
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
