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

// Kit is all that can be done in chats. It may differ from turn to turn; who gets to see what of it is policy's to say.
type Kit struct {
	Tools  []tools.Tool // of no skill, those first that are needed most
	Told   int          // of these so many are in every list, by name; the others can be found
	Skills []skills.Skill
}

// Plain is a kit of tools that are all in every list.
func Plain(all ...tools.Tool) func(context.Context) Kit {
	return func(context.Context) Kit { return Kit{Tools: all, Told: len(all)} }
}

// mostTold is how many tools a model is told of where its profile names no other number, [usual] ones left out.
const mostTold = 24

// All returns the tools of the kit, each name once: that of a skill before one of none. Dropped are those that gave way.
func (k Kit) All() (all []tools.Tool, dropped []tools.Dropped) {
	groups := make([][]tools.Tool, 0, len(k.Skills)+1)
	for _, s := range k.Skills {
		groups = append(groups, s.Tools)
	}
	return tools.Merge(append(groups, k.Tools)...)
}

// all returns the tools of the kit.
func (k Kit) all() []tools.Tool {
	all, _ := k.All()
	return all
}

// tool returns the tool of that name, or nil.
func (k Kit) tool(name string) tools.Tool { return tools.Find(k.all(), name) }

// placed is a tool that there is where a caller is.
type placed struct {
	tool  tools.Tool
	rule  policy.Rule // by which the skills that it is of keep it from the caller, or ""
	loose bool        // it is of no skill, or also of none
}

// placed returns the tools that there are where a caller is, each name once. What is of another platform or scope is not there
// at all; then that of a skill comes before one of none, whoever asks: in one chat a name means one tool. What skills keep from
// the caller is theirs all the same where another skill has it, or none.
func (k Kit) placed(caller tools.Caller) []placed {
	var all []placed
	at := map[string]int{}
	add := func(group []tools.Tool, rule policy.Rule, loose bool) {
		for _, t := range group {
			if tools.DefOf(t).Audience().Barrier(caller).Elsewhere() {
				continue
			}
			i, taken := at[t.Name()]
			if !taken {
				at[t.Name()] = len(all)
				all = append(all, placed{t, rule, loose})
			} else if tools.Same(all[i].tool, t) {
				all[i].loose = all[i].loose || loose
				if rule == "" {
					all[i].rule = ""
				}
			}
		}
	}
	for _, s := range k.Skills {
		if barrier := s.Audience().Barrier(caller); !barrier.Elsewhere() {
			add(s.Tools, policy.Rule(barrier), false)
		}
	}
	add(k.Tools, "", true)
	return all
}

// kept returns the rule by which the skills that a tool is of keep it from a caller, or "".
func (k Kit) kept(caller tools.Caller, name string) policy.Rule {
	for _, p := range k.placed(caller) {
		if p.tool.Name() == name {
			return p.rule
		}
	}
	for _, s := range k.Skills {
		if barrier := s.Audience().Barrier(caller); barrier != "" && has(s.Tools, name) {
			return policy.Rule(barrier)
		}
	}
	return ""
}

// whole is the kit without tools that are none.
func (k Kit) whole() Kit {
	none := func(t tools.Tool) bool { return t == nil }
	k.Tools, k.Skills = slices.DeleteFunc(slices.Clone(k.Tools), none), slices.Clone(k.Skills)
	for i, s := range k.Skills {
		k.Skills[i].Tools = slices.DeleteFunc(slices.Clone(s.Tools), none)
	}
	return k
}

// skill returns the skill of that name.
func (k Kit) skill(name string) (skills.Skill, bool) {
	i := slices.IndexFunc(k.Skills, func(s skills.Skill) bool { return s.Name == name })
	if i < 0 {
		return skills.Skill{}, false
	}
	return k.Skills[i], true
}

// with is the kit with a skill in place of that of its name.
func (k Kit) with(s skills.Skill) Kit {
	k.Skills = slices.Clone(k.Skills)
	for i := range k.Skills {
		if k.Skills[i].Name == s.Name {
			k.Skills[i] = s
		}
	}
	return k
}

// there returns the skills that are there for a caller.
func (k Kit) there(caller tools.Caller) []skills.Skill {
	return slices.DeleteFunc(slices.Clone(k.Skills), func(s skills.Skill) bool { return !s.Open(caller) })
}

// chooser makes lists of tools for one caller in a chat. Kit and open are as they were when it was made or refreshed.
type chooser struct {
	kit    Kit
	open   []event.Opened // the skills that are open in the chat, in the order in which they were opened
	policy policy.Policy
	caller tools.Caller
	meta   meta
	most   int // tools that a model is told of; 0 means [mostTold]
}

func (ch chooser) limit() int {
	if ch.most > 0 {
		return ch.most
	}
	return mostTold
}

// usual is how many tools of no skill are in the list. Where there are skills, a third of a short list is theirs.
func (ch chooser) usual() int {
	most := ch.limit()
	if len(ch.kit.Skills) > 0 {
		most -= most / 3
	}
	return min(ch.kit.Told, most)
}

// toolList returns what the model may call while skills are open: first tools of no skill, or those of the skill that leads the
// chat, then what finds the others, then those of the skills in the order in which they were opened. What it says stays at
// the beginning of what it says when more are open: the server has read that. Where the model has changed, and is told of fewer
// tools, the last are left out; they can be found and called.
func (ch chooser) toolList() agent.ToolList {
	var all, usual []tools.Tool
	loose := map[string]bool{}
	for _, p := range ch.kit.placed(ch.caller) {
		if p.rule == "" {
			all = append(all, p.tool)
			loose[p.tool.Name()] = p.loose
		}
	}
	all = ch.policy.Menu(ch.caller, all)
	for _, t := range ch.kit.Tools {
		if len(usual) < ch.usual() && loose[t.Name()] && has(all, t.Name()) && !has(usual, t.Name()) {
			usual = append(usual, t)
		}
	}
	sort.Slice(usual, func(i, j int) bool { return usual[i].Name() < usual[j].Name() })
	told, from := usual, 0
	for i, o := range ch.open {
		if o.Lead {
			told, from = named(all, o.Tools), i+1
		}
	}
	most := ch.limit()
	told = told[:min(len(told), most)]
	there := ch.kit.there(ch.caller)
	if len(all) > len(told) || len(there) > 0 {
		own := ch.meta.tools(len(there) > 0)
		told, most = append(told, own...), most+len(own)
	}
	for _, o := range ch.open[from:] {
		for _, t := range named(all, o.Tools) {
			if len(told) < most && !has(told, t.Name()) {
				told = append(told, t)
			}
		}
	}
	return agent.ToolList{Shown: told, Hidden: slices.DeleteFunc(all, func(t tools.Tool) bool { return has(told, t.Name()) })}
}

// named returns those of all that have the names, in the order of these.
func named(all []tools.Tool, names []string) []tools.Tool {
	var some []tools.Tool
	for _, name := range names {
		if t := tools.Find(all, name); t != nil {
			some = append(some, t)
		}
	}
	return some
}

func has(all []tools.Tool, name string) bool { return tools.Find(all, name) != nil }

// room is how many more tools a model may be told of, its own and those that find others left out.
func (ch chooser) room() int {
	n := 0
	for _, t := range ch.toolList().Shown {
		if !ch.meta.own(t.Name()) {
			n++
		}
	}
	return ch.limit() - n
}

// choose returns which tools of a skill the model is told of when it is opened with those words in mind. It is the same for all
// who speak in the chat: what of them somebody may not call is left out when they speak. Those of an open skill stay; only a driver
// may have others by now.
func (ch chooser) choose(ctx context.Context, s skills.Skill, words string) []string {
	if names, ok := ch.listOf(ctx, s); ok {
		return names
	}
	for _, o := range ch.open {
		if o.Skill == s.Name {
			return o.Tools
		}
	}
	told := ch.toolList().Shown
	var names []string
	for _, t := range skills.Choose(slices.DeleteFunc(ch.offered(s), func(t tools.Tool) bool { return has(told, t.Name()) }), words, ch.room()) {
		names = append(names, t.Name())
	}
	return names
}

// offered returns the tools of a skill that an owner may be offered.
func (ch chooser) offered(s skills.Skill) []tools.Tool {
	ch.caller.Level = event.Owner
	return ch.policy.Menu(ch.caller, skills.Collect(ch.caller, []skills.Skill{s}, nil))
}

// listOf returns the names of the tools that the model is told of while a driver leads the chat, and false for a skill that does not
// drive.
func (ch chooser) listOf(ctx context.Context, s skills.Skill) (names []string, drives bool) {
	if s.Driver == nil {
		return nil, false
	}
	all := ch.offered(s)
	if l, ok := s.Driver.(driver.Lister); ok {
		if listed, _, err := l.List(tools.WithCaller(ctx, ch.caller)); err == nil { // else Context fails, and says so
			all = named(all, listed)
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
		s, _ := ch.kit.skill(o.Skill)
		if l, ok := s.Driver.(driver.Lister); ok && o.Lead {
			_, off, err := l.List(tools.WithCaller(ctx, ch.caller))
			if err == nil {
				names = append(names, off...)
			}
		}
	}
	return names
}
