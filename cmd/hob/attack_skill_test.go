package main

import (
	"slices"
	"strings"
	"testing"

	"hob/internal/config"
	"hob/internal/tools"
)

// A server cannot have a tool of the name of one of hob's, nor one of another server's.
func TestAttackServerNames(t *testing.T) {
	o := newOffice(t, nowhereToAsk)
	taken := o.SkillSources.Taken([]config.MCPServer{{Name: "a"}, {Name: "a-b"}}, "a")
	for _, name := range []string{"read_file", "search_files", "run_command", "use_skill", "call_tool", "find_tool", "web_search", "kick_member", "search_chat", "a_b_c"} {
		if known := slices.ContainsFunc(o.Model.Tools.All(), func(t tools.Tool) bool { return t.Name() == name }); !taken(name) && (known || strings.HasPrefix(name, "a_")) {
			t.Error(name, "is free")
		}
	}
	for _, name := range []string{"use_skill", "call_tool", "find_tool", "kick_member", "read_file"} {
		if !taken(name) {
			t.Error(name, "is free")
		}
	}
	if taken("a_c") || taken("search_files_0123abcd") {
		t.Error("its own is taken")
	}
}
