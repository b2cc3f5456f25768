package gamemaster

import (
	"context"
	"slices"
	"strings"

	"hob/internal/tools"
)

// mostListed is how many tools of a story a model is told of. Small models get lost in longer lists.
const mostListed = 12

// usualTools returns the tools of a story's list for a model, in their order. find_tool finds all
// others.
func usualTools() []string {
	return []string{
		"move_player", "move_object", "talk", "skill_check", "attack", "set_link", "set_attribute", "create_object", "hp_delta",
		"npc_remember", "quest", "advance_time",
	}
}

// usualToolsOf returns the tools that most stories use. An imported story has those of the system that it comes from.
func usualToolsOf(shape string) []string {
	switch shape {
	case "000":
		return []string{
			"move_object", "move_player", "set_attribute", "delete_attribute", "create_object", "delete_object", "talk", "skill_check", "attack",
			"set_link", "hp_delta", "advance_time",
		}
	case "003":
		return []string{
			"generate_zone", "move_to_zone", "get_player_state", "move_object", "talk", "skill_check", "attack", "set_attribute",
			"create_object", "hp_delta", "npc_remember", "advance_time",
		}
	}
	return usualTools()
}

// List implements [driver.Lister]: the tools of the chat's story, or those of most stories before
// there is one.
func (d chatDriver) List(ctx context.Context) (names, off []string, err error) {
	caller := tools.CallerFrom(ctx)
	bound, err := d.m.cfg.Campaigns.Bound(ctx, caller.Chat)
	if err != nil || bound == "" {
		return usualTools(), nil, err
	}
	err = d.m.at(ctx, caller.Chat, func(camp *campaign) error {
		names, off = camp.toolLists()
		return nil
	})
	return names, off, err
}

// toolLists returns the tools that a model is told of, and those that the story forbids. If the story allows only a
// few, all of them are listed.
func (camp *campaign) toolLists() (names, off []string) {
	self := camp.World().Self()
	allowed := camp.allowedTools()
	off = slices.DeleteFunc(camp.m.book.Names(), func(name string) bool { return slices.Contains(allowed, name) })
	names = slices.DeleteFunc(usualToolsOf(self.Shape), func(name string) bool { return slices.Contains(off, name) })
	if len(allowed) <= mostListed {
		names = append(names, slices.DeleteFunc(allowed, func(name string) bool { return slices.Contains(names, name) })...)
	}
	return names, off
}

// allowlistNote tells a model which tools there are, in a story that allows few.
func (camp *campaign) allowlistNote() string {
	names, off := camp.toolLists()
	if len(off) == 0 || len(camp.allowedTools()) > mostListed {
		return ""
	}
	return "\nONLY THESE TOOLS WORK in this story: " + strings.Join(names, ", ")
}
