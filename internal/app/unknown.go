package app

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"hob/internal/agent"
	"hob/internal/lists"
	"hob/internal/mcp"
	"hob/internal/session"
	"hob/internal/skills"
	group "hob/internal/skills/telegram"
	"hob/internal/tools"
)

// UnknownNames returns a sentence for each unknown name of a tool or a skill in the configuration
// and the owner's sentences. A name that an MCP server may have once it runs counts as known.
func (s *Environment) UnknownNames(ctx context.Context, set *Skills) (all []string) {
	toolNames, skillNames := s.knownNames(ctx, set)
	look := func(where, what string, names, known []string) {
		for _, name := range names {
			if slices.Contains(known, name) {
				continue
			}
			text := fmt.Sprintf("%s: there is no %s %q", where, what, name)
			if near := tools.Nearest(name, known); near != "" {
				text += ": did you mean " + near + "?"
			}
			all = append(all, text)
		}
	}
	mayBeThere := func(name string) bool {
		return slices.Contains(toolNames, tools.NameToday(name)) || slices.ContainsFunc(set.Servers, func(c *mcp.Client) bool {
			return strings.HasPrefix(name, mcp.Prefix(c.Status().Name))
		})
	}
	lookForTools := func(where string, names []string) {
		look(where, "tool", slices.DeleteFunc(slices.Clone(names), mayBeThere), toolNames)
	}
	lookForTools("[policy] tools", s.Policy.Tools)
	look("[skills] off", "skill", s.Skills.Off, append(skillNames, recallWas))
	look("[skills] trust", "skill", s.Skills.Trust, skillNames)
	if own, err := s.Sentences(); err == nil {
		lookForTools(OwnSentences, own.OwnTools())
	}
	return all
}

// knownNames returns the names of all tools and skills, including those that are switched off or
// cannot be loaded.
func (s *Environment) knownNames(ctx context.Context, set *Skills) (toolNames, skillNames []string) {
	k := set.toolsetWithoutFolders()
	written, _ := set.folders.Load(ctx)
	toolNames = []string{skills.UseSkill, agent.Relay, session.FindTool, "run_command", "process"} // lists never have these, or not always
	for _, one := range slices.Concat([]skills.Skill{{Tools: k.Tools}, group.New(nil)}, k.Skills, k.ShortSkills, written) {
		skillNames = append(skillNames, one.Name)
		toolNames = append(toolNames, lists.Map(one.Tools, tools.Tool.Name)...)
	}
	for _, root := range []string{s.OwnSkillsDir(), s.KeptSkillsDir()} {
		entries, _ := os.ReadDir(root) // an unreadable folder has no skills
		skillNames = append(skillNames, lists.Map(entries, os.DirEntry.Name)...)
	}
	return toolNames, skillNames
}
