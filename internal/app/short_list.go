package app

import (
	"slices"
	"sort"

	"hob/internal/agent"
	"hob/internal/tools"
)

// UsualTools is how many tools outside skills a list has, beside the three that find tools and open
// skills. The model finds the rest with a search.
const UsualTools = 8

// shortList returns the tools of a short list, in its order; use_skill comes after them.
func shortList() []string {
	return []string{"read_file", "write_file", "edit_file", "list_files", "run_command", "fetch"}
}

// sortByNeed sorts tools by how often they are needed. A list that is too long loses its end.
func sortByNeed(all []tools.Tool) []tools.Tool {
	wanted := []string{
		"read_file", "write_file", "run_command", "fetch", "edit_file", "list_files", "search_files", "send_file", "delete_file", "process",
	}
	rank := func(t tools.Tool) int {
		if i := slices.Index(wanted, t.Name()); i >= 0 {
			return i
		}
		return len(wanted)
	}
	some := slices.Clone(all)
	sort.SliceStable(some, func(i, j int) bool { return rank(some[i]) < rank(some[j]) })
	return some
}

// Budget returns the limits of a turn.
func (s *Environment) Budget() agent.Budget {
	return agent.Budget{Steps: s.Agent.MaxSteps, Calls: s.Agent.MaxCalls, Time: s.Agent.MaxTime, Output: s.Agent.MaxOutputTokens}
}
