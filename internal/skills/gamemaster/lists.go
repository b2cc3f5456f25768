package gamemaster

import (
	"context"
	"slices"
	"strings"

	"hob/internal/tools"
)

// mostListed is how many tools of a story a model is told of: small ones lose their way in a longer list.
const mostListed = 12

// usualTools are the tools that a model is told of in a story of its own kind, in this order. All others are found by find_tool.
func usualTools() []string {
	return []string{
		"move_player", "move_object", "talk", "skill_check", "attack", "set_link", "set_attribute", "create_object", "hp_delta",
		"npc_remember", "quest", "advance_time",
	}
}

// usualToolsOf are the tools that a model is told of in a story of a kind: in one that was imported from system 000 or 003 that system's
// playOwn come first.
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

// List implements [driver.Lister]: the tools of the chat's story. Before there is one they are those that most stories have.
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

// toolLists returns the tools that a model is told of in the story, and those that its allowlist leaves out. A short allowlist is the list
// itself; of a longer one the usual tools are told.
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

// allowlistNote tells a model which tools there are in a story that allows few of them.
func (camp *campaign) allowlistNote() string {
	names, off := camp.toolLists()
	if len(off) == 0 || len(camp.allowedTools()) > mostListed {
		return ""
	}
	return "\nONLY THESE TOOLS WORK in this story: " + strings.Join(names, ", ")
}
