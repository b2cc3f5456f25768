package main

import (
	"testing"

	"hob/internal/config"
)

// A server cannot have a tool of the name of one of hob's, nor one of another server's.
func TestAttackServerNames(t *testing.T) {
	o := newOffice(t, nowhereToAsk)
	taken := o.SkillSources.TakenNames([]config.MCPServer{{Name: "a"}, {Name: "a-b"}}, "a")
	all, _ := abilitiesOfAll(t)
	for _, a := range append(all, ability{tool: "use_skill"}, ability{tool: "call_tool"}, ability{tool: "find_tool"}, ability{tool: "a_b_c"}) {
		if !taken(a.tool) && a.tool != "web_search" { // which is not there: no server to search with is configured
			t.Error(a.tool, "is free")
		}
	}
	if taken("a_c") || taken("search_files_0123abcd") {
		t.Error("its own is taken")
	}
}
