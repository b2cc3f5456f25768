package telegram

import (
	"encoding/json"
	"fmt"
	"strings"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
)

// menuEntry is a command in the menu of a client.
type menuEntry struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

// menus returns the calls of setMyCommands that show the people who were let in their commands, and everybody
// else the surface's own. Groups show the commands of anybody in them.
func menus(all []chat.Command, people []event.Person) []client.Params {
	list := []client.Params{
		menu(ownEntries(), `{"type":"default"}`),
		menu(append(ownEntries(), entriesFor(all, event.User, true)...), `{"type":"all_group_chats"}`),
	}
	for _, p := range people {
		if p.ID > 0 {
			list = append(list, menuOf(all, p))
		}
	}
	return list
}

// menuOf returns the call that shows one person their commands in their private chat.
func menuOf(all []chat.Command, p event.Person) client.Params {
	return menu(append(ownEntries(), entriesFor(all, p.Level, false)...), fmt.Sprintf(`{"type":"chat","chat_id":%d}`, p.ID))
}

func ownEntries() []menuEntry {
	return []menuEntry{
		{"help", "What hob can do"},
		{"new", "Begin a new conversation"},
		{"stop", "Stop what is going on"},
	}
}

func entriesFor(all []chat.Command, level event.Level, group bool) []menuEntry {
	var list []menuEntry
	for _, c := range all {
		if c.Least <= level && !(group && c.Private) {
			list = append(list, menuEntry{c.Name, strings.TrimSpace(c.Summary)})
		}
	}
	return list
}

func menu(entries []menuEntry, scope string) client.Params {
	list, _ := json.Marshal(entries)
	return client.Params{"commands": string(list), "scope": scope}
}
