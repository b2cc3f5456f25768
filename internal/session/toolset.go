package session

import (
	"context"
	"slices"

	"hob/internal/lists"
	"hob/internal/policy"
	"hob/internal/skills"
	"hob/internal/tools"
)

// Toolset is the set of tools and skills of all chats. It may change between turns. Policy decides
// who sees which of them.
type Toolset struct {
	Tools        []tools.Tool // tools outside skills, most needed first
	AlwaysListed int          // so many of Tools are in every model's list; the model can find the others
	// ShortList names the tools outside skills that a short list has, in its order; see [Settings].
	// Empty: the same tools as in any list.
	ShortList []string
	Skills    []skills.Skill
	// ShortSkills hold the tools that a short list leaves out. A model with a longer list finds
	// these tools directly, and does not see the skills.
	ShortSkills []skills.Skill
}

// PlainToolset returns a function for [Config].Toolset: all tools are in every model's list.
func PlainToolset(all ...tools.Tool) func(context.Context) Toolset {
	return func(context.Context) Toolset { return Toolset{Tools: all, AlwaysListed: len(all)} }
}

// defaultMaxTools is the size of a model's list if its profile does not set one.
const defaultMaxTools = 24

// Merged returns the tools of the toolset, each name once. A tool of a skill wins over one outside
// skills; dropped are the losers.
func (ts Toolset) Merged() (all []tools.Tool, dropped []tools.Dropped) {
	groups := lists.Map(ts.allSkills(), func(s skills.Skill) []tools.Tool { return s.Tools })
	return tools.Merge(append(groups, ts.Tools)...)
}

// mergedTools returns the tools of the toolset.
func (ts Toolset) mergedTools() []tools.Tool {
	all, _ := ts.Merged()
	return all
}

// tool returns the tool of that name that [Toolset.Merged] keeps, or nil.
func (ts Toolset) tool(name string) tools.Tool {
	for _, group := range [][]skills.Skill{ts.Skills, ts.ShortSkills, {{Tools: ts.Tools}}} {
		for _, s := range group {
			if t := tools.Find(s.Tools, name); t != nil {
				return t
			}
		}
	}
	return nil
}

// resolvedTool is a tool that exists for a caller.
type resolvedTool struct {
	tool          tools.Tool
	rule          policy.Rule // the rule by which its skills keep it from the caller, or ""
	outsideSkills bool        // it exists outside skills, too
}

// resolveTools returns the tools that exist for a caller, each name once. A tool for another
// platform or scope does not exist for the caller. A tool of a skill wins over one outside skills,
// whoever the caller is, so that a name means one tool in a chat. If one skill keeps a tool from
// the caller, another skill, or its place outside skills, can still give access.
func (ts Toolset) resolveTools(caller tools.Caller) []resolvedTool {
	count, inSkills := len(ts.Tools), ts.allSkills()
	for _, s := range inSkills {
		count += len(s.Tools)
	}
	all, at := make([]resolvedTool, 0, count), make(map[string]int, count)
	add := func(group []tools.Tool, rule policy.Rule, outsideSkills bool) {
		for _, t := range group {
			if tools.DefOf(t).Audience().Barrier(caller).Elsewhere() {
				continue
			}
			if i, taken := at[t.Name()]; !taken {
				at[t.Name()] = len(all)
				all = append(all, resolvedTool{t, rule, outsideSkills})
			} else if tools.IsSame(all[i].tool, t) {
				all[i].outsideSkills = all[i].outsideSkills || outsideSkills
				if rule == "" {
					all[i].rule = ""
				}
			}
		}
	}
	for _, s := range inSkills {
		if barrier := s.Audience().Barrier(caller); !barrier.Elsewhere() {
			add(s.Tools, policy.Rule(barrier), false)
		}
	}
	add(ts.Tools, "", true)
	return all
}

// denyingRule returns the rule by which the skills of a tool keep it from a caller, or "".
func (ts Toolset) denyingRule(caller tools.Caller, name string) policy.Rule {
	for _, p := range ts.resolveTools(caller) {
		if p.tool.Name() == name {
			return p.rule
		}
	}
	for _, s := range ts.allSkills() {
		if barrier := s.Audience().Barrier(caller); barrier != "" && has(s.Tools, name) {
			return policy.Rule(barrier)
		}
	}
	return ""
}

// withoutNil returns the toolset without nil tools.
func (ts Toolset) withoutNil() Toolset {
	none := func(t tools.Tool) bool { return t == nil }
	ts.Tools = slices.DeleteFunc(slices.Clone(ts.Tools), none)
	ts.Skills, ts.ShortSkills = slices.Clone(ts.Skills), slices.Clone(ts.ShortSkills)
	for _, all := range [][]skills.Skill{ts.Skills, ts.ShortSkills} {
		for i, s := range all {
			all[i].Tools = slices.DeleteFunc(slices.Clone(s.Tools), none)
		}
	}
	return ts
}

// allSkills returns all skills, those for short lists last.
func (ts Toolset) allSkills() []skills.Skill {
	return slices.Concat(ts.Skills, ts.ShortSkills)
}

// skill returns the skill of that name.
func (ts Toolset) skill(name string) (skills.Skill, bool) {
	all := ts.allSkills()
	i := slices.IndexFunc(all, func(s skills.Skill) bool { return s.Name == name })
	if i < 0 {
		return skills.Skill{}, false
	}
	return all[i], true
}

// withSkill returns the toolset with s in place of the skill of its name.
func (ts Toolset) withSkill(s skills.Skill) Toolset {
	ts.Skills = slices.Clone(ts.Skills)
	for i := range ts.Skills {
		if ts.Skills[i].Name == s.Name {
			ts.Skills[i] = s
		}
	}
	return ts
}

// visibleSkills returns the skills that a caller can see.
func (ts Toolset) visibleSkills(caller tools.Caller) []skills.Skill {
	return slices.DeleteFunc(ts.allSkills(), func(s skills.Skill) bool { return !s.IsAvailable(caller) })
}

// toolset returns the present toolset. It may ask servers, so a chat's goroutine calls it only
// while it loads the chat.
func (s *Sessions) toolset(ctx context.Context) Toolset { return s.cfg.Toolset(ctx).withoutNil() }
