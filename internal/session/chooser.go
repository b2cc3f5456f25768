package session

import (
	"context"
	"slices"
	"sort"

	"hob/internal/agent"
	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/policy"
	"hob/internal/skills"
	"hob/internal/tools"
)

// chooser makes lists of tools for one caller in a chat. Its toolset and open are those of the time
// when it was made or refreshed.
type chooser struct {
	toolset  Toolset
	open     []event.Opened // the skills that are open in the chat, in the order in which they were opened
	policy   policy.Policy
	caller   tools.Caller
	meta     metaTools
	maxTools int // tools that a model is told of; 0 means [defaultMaxTools]
}

// limit is the number of tools that a model's list may have.
func (ch chooser) limit() int {
	if ch.maxTools > 0 {
		return ch.maxTools
	}
	return defaultMaxTools
}

// countCommon is how many tools of no skill are in the list. Where there are skills, a third of a
// short list is theirs.
func (ch chooser) countCommon() int {
	most := ch.limit()
	if len(ch.toolset.Skills) > 0 {
		most -= most / 3
	}
	return min(ch.toolset.AlwaysListed, most)
}

// toolList returns the tools that the model may call while skills are open. First come tools of no
// skill, or those of the driver, then the tools that find others, then those of the open skills in
// the order in which they were opened. The list only grows at its end when more skills are opened:
// the server has read the beginning. If the model has changed and its list is shorter, the last
// tools are left out; the model can find and call them all the same.
func (ch chooser) toolList() agent.ToolList {
	var all, usual []tools.Tool
	unscoped := map[string]bool{}
	for _, p := range ch.toolset.resolveTools(ch.caller) {
		if p.rule == "" {
			all = append(all, p.tool)
			unscoped[p.tool.Name()] = p.unscoped
		}
	}
	all = ch.policy.ToolList(ch.caller, all)
	for _, t := range ch.toolset.Tools {
		if len(usual) < ch.countCommon() && unscoped[t.Name()] && has(all, t.Name()) && !has(usual, t.Name()) {
			usual = append(usual, t)
		}
	}
	sort.Slice(usual, func(i, j int) bool { return usual[i].Name() < usual[j].Name() })
	shown, from := usual, 0
	for i, o := range ch.open {
		if o.Lead {
			shown, from = pickNamed(all, o.Tools), i+1
		}
	}
	most := ch.limit()
	shown = shown[:min(len(shown), most)]
	there := ch.toolset.visibleSkills(ch.caller)
	if len(all) > len(shown) || len(there) > 0 {
		finders := ch.meta.tools(len(there) > 0)
		shown, most = append(shown, finders...), most+len(finders)
	}
	for _, o := range ch.open[from:] {
		for _, t := range pickNamed(all, o.Tools) {
			if len(shown) < most && !has(shown, t.Name()) {
				shown = append(shown, t)
			}
		}
	}
	return agent.ToolList{Shown: shown, Hidden: without(all, shown)}
}

// pickNamed returns the tools of all that have the names, in the order of the names.
func pickNamed(all []tools.Tool, names []string) []tools.Tool {
	var some []tools.Tool
	for _, name := range names {
		if t := tools.Find(all, name); t != nil {
			some = append(some, t)
		}
	}
	return some
}

func has(all []tools.Tool, name string) bool { return tools.Find(all, name) != nil }

// without removes those of some from all.
func without(all, some []tools.Tool) []tools.Tool {
	return slices.DeleteFunc(all, func(t tools.Tool) bool { return has(some, t.Name()) })
}

// isOpen reports whether a skill is open in the chat.
func (ch chooser) isOpen(skill string) bool {
	return slices.ContainsFunc(ch.open, func(o event.Opened) bool { return o.Skill == skill })
}

// freeSlots is how many more tools fit into the model's list. Those that find others do not count.
func (ch chooser) freeSlots() int {
	n := 0
	for _, t := range ch.toolList().Shown {
		if !ch.meta.includes(t.Name()) {
			n++
		}
	}
	return ch.limit() - n
}

// chooseTools returns the tools of a skill that go into the model's list when the skill is opened
// for those words. It is the same for all who speak in the chat: a tool that one of them may not
// call is left out when they speak. The tools of an open skill stay; only a driver may have others
// now.
func (ch chooser) chooseTools(ctx context.Context, s skills.Skill, words string) []string {
	if names, ok := ch.driverTools(ctx, s); ok {
		return names
	}
	for _, o := range ch.open {
		if o.Skill == s.Name {
			return o.Tools
		}
	}
	var names []string
	for _, t := range skills.Choose(without(ch.offeredTools(s), ch.toolList().Shown), words, ch.freeSlots()) {
		names = append(names, t.Name())
	}
	return names
}

// offeredTools returns the tools of a skill that an owner may be offered.
func (ch chooser) offeredTools(s skills.Skill) []tools.Tool {
	ch.caller.Level = event.Owner
	return ch.policy.ToolList(ch.caller, skills.Collect(ch.caller, []skills.Skill{s}, nil))
}

// driverTools returns the tools in the model's list while a driver drives the chat, and false for a
// skill without a driver.
func (ch chooser) driverTools(ctx context.Context, s skills.Skill) (names []string, drives bool) {
	if s.Driver == nil {
		return nil, false
	}
	all := ch.offeredTools(s)
	if l, ok := s.Driver.(driver.Lister); ok {
		if listed, _, err := l.List(tools.WithCaller(ctx, ch.caller)); err == nil { // else Context fails, and says so
			all = pickNamed(all, listed)
		}
	}
	for _, t := range all[:min(len(all), ch.limit())] {
		names = append(names, t.Name())
	}
	return names, true
}

// switchedOff returns the names of the tools that the driver of the chat has switched off.
func (ch chooser) switchedOff(ctx context.Context) (names []string) {
	for _, o := range ch.open {
		s, _ := ch.toolset.skill(o.Skill)
		if l, ok := s.Driver.(driver.Lister); ok && o.Lead {
			_, off, err := l.List(tools.WithCaller(ctx, ch.caller))
			if err == nil {
				names = append(names, off...)
			}
		}
	}
	return names
}

// chooser returns a chooser for the caller of ctx, with the tools and the open skills of their chat.
func (s *Sessions) chooser(ctx context.Context) (ch chooser, err error) {
	caller := tools.CallerFrom(ctx)
	inForce, err := s.cfg.Policy(ctx)
	if err != nil {
		return ch, err
	}
	err = s.on(ctx, caller.Chat, func(_ context.Context, c *chat) error {
		ch = chooser{
			toolset: c.toolset, open: c.tr.opened(), policy: inForce, caller: caller, meta: s.meta,
			maxTools: c.maxTools,
		}
		return nil
	})
	return ch, err
}
