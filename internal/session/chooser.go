package session

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"hob/internal/agent"
	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/policy"
	"hob/internal/skills"
	"hob/internal/tools"
)

// chooser builds the model's list of tools for one caller in a chat. Its toolset and openSkills are
// a snapshot from when it was made or refreshed.
type chooser struct {
	toolset    Toolset
	openSkills []event.Opened // the open skills of the chat, newest last
	policy     policy.Policy
	caller     tools.Caller
	meta       metaTools
	form       listForm
	speaks     bool // a driver with a system text of its own leads the chat: see [driver.Speaker]
}

// listForm is the size and kind of a model's list of tools.
type listForm struct {
	short bool // see [Settings]
	most  int  // limit for tools in the list; 0 means [defaultMaxTools]
}

// limit is the most tools that the list may have, including those that find tools and open skills.
func (f listForm) limit() int { return cmp.Or(f.most, defaultMaxTools) }

// knownSkills returns the skills that the model is told about.
func (ch chooser) knownSkills() []skills.Skill {
	if ch.form.short {
		return ch.toolset.visibleSkills(ch.caller)
	}
	ch.toolset.ShortSkills = nil
	return ch.toolset.visibleSkills(ch.caller)
}

// commonTools returns the tools outside skills that a list has while no skill is open, most needed
// first. all are the tools that the caller may be offered.
func (ch chooser) commonTools(all []tools.Tool, outsideSkills map[string]bool) (common []tools.Tool) {
	isShort := ch.form.short && len(ch.toolset.ShortList) > 0
	for _, t := range ch.toolset.Tools {
		if !outsideSkills[t.Name()] || !has(all, t.Name()) || has(common, t.Name()) {
			continue
		}
		isOnShort := slices.Contains(ch.toolset.ShortList, t.Name())
		if isShort && !isOnShort || !isShort && len(common) == ch.toolset.AlwaysListed {
			continue
		}
		common = append(common, t)
	}
	return common
}

// sortCommon puts common tools in the order of a list: by need for a short list, by name for any
// other. The relative order never changes, so the server's prompt cache stays valid.
func (ch chooser) sortCommon(common []tools.Tool) []tools.Tool {
	order := ch.toolset.ShortList
	rank := func(t tools.Tool) int {
		if !ch.form.short {
			return 0
		}
		return slices.Index(order, t.Name())
	}
	slices.SortFunc(common, func(a, b tools.Tool) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a.Name(), b.Name()))
	})
	return common
}

// toolCandidates are the tools from which a list is built.
type toolCandidates struct {
	all     []tools.Tool // all tools that the model may call
	common  []tools.Tool // tools outside skills, most needed first
	finders []tools.Tool // tools that find tools and open skills
	driver  []tools.Tool // replace common while a driver leads the chat
	driven  bool
	after   int // index in openSkills of the first skill after the driver
}

// candidates returns the tools from which the list is built.
func (ch chooser) candidates() (c toolCandidates) {
	outsideSkills := map[string]bool{}
	for _, p := range ch.toolset.resolveTools(ch.caller) {
		if p.rule == "" {
			c.all = append(c.all, p.tool)
			outsideSkills[p.tool.Name()] = p.outsideSkills
		}
	}
	c.all = ch.policy.ToolList(ch.caller, c.all)
	c.common = ch.commonTools(c.all, outsideSkills)
	for i, o := range ch.openSkills {
		if o.Lead {
			c.driver, c.driven, c.after = pickNamed(c.all, o.Tools), true, i+1
		}
	}
	base := c.common
	if c.driven {
		base = c.driver
	}
	known := ch.knownSkills()
	if (c.driven || !ch.form.short) && (len(c.all) > len(base) || len(known) > 0) {
		c.finders = ch.meta.finders()
	}
	if len(known) > 0 && !ch.speaks {
		c.finders = append(c.finders, ch.meta.opener(known))
	}
	return c
}

// toolList returns the tools that the model may call, listed or not. The list begins with the
// common tools, or those of the driver; then come the tools that find others, then those of open
// skills in the order of opening. While there is room, opening a skill only appends to the list,
// because the server has cached the beginning. Without room, tools of the newest skills replace the
// least needed tools, which stay callable.
func (ch chooser) toolList() agent.ToolList {
	c := ch.candidates()
	room := ch.room(c)
	var base, chosen []tools.Tool // chosen are tools of skills
	if c.driven {
		base = c.driver[:min(len(c.driver), room)]
		chosen = ch.skillTools(c, base, room-len(base))
	} else {
		chosen = ch.skillTools(c, c.common, ch.skillRoom(c))
		base = ch.protectNewest(c)
		base = ch.sortCommon(base[:min(len(base), room-len(chosen))])
	}
	shown := append(base[:len(base):len(base)], c.finders...)
	for _, o := range ch.openSkills[c.after:] {
		for _, t := range pickNamed(chosen, o.Tools) {
			if !has(shown, t.Name()) {
				shown = append(shown, t)
			}
		}
	}
	return agent.ToolList{Shown: shown, Hidden: without(c.all, shown)}
}

// room is how many tools the list has room for beside the finders.
func (ch chooser) room(c toolCandidates) int { return max(0, ch.form.limit()-len(c.finders)) }

// skillRoom is how many tools of skills the list has room for beside the common ones: half of it,
// or the rest if the common tools need less.
func (ch chooser) skillRoom(c toolCandidates) int {
	room := ch.room(c)
	return max((room+1)/2, room-len(c.common))
}

// skillTools returns up to most tools of the open skills that are not in base, starting with the
// newest skill.
func (ch chooser) skillTools(c toolCandidates, base []tools.Tool, most int) (some []tools.Tool) {
	for _, o := range slices.Backward(ch.openSkills[c.after:]) {
		for _, t := range pickNamed(c.all, o.Tools) {
			if len(some) < most && !has(base, t.Name()) && !has(some, t.Name()) {
				some = append(some, t)
			}
		}
	}
	return some
}

// protectNewest returns the common tools, most needed first, but those that the newest skill has,
// too, before all others.
func (ch chooser) protectNewest(c toolCandidates) []tools.Tool {
	common := slices.Clone(c.common)
	if len(ch.openSkills) == 0 {
		return common
	}
	newest := ch.openSkills[len(ch.openSkills)-1].Tools
	isOther := func(t tools.Tool) int {
		if slices.Contains(newest, t.Name()) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(common, func(a, b tools.Tool) int { return cmp.Compare(isOther(a), isOther(b)) })
	return common
}

// pickNamed returns the tools with these names, in the order of the names.
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

// without returns all except some.
func without(all, some []tools.Tool) []tools.Tool {
	return slices.DeleteFunc(slices.Clone(all), func(t tools.Tool) bool { return has(some, t.Name()) })
}

// isOpen reports whether a skill is open in the chat.
func (ch chooser) isOpen(skill string) bool {
	return slices.ContainsFunc(ch.openSkills, func(o event.Opened) bool { return o.Skill == skill })
}

// freeSlots is how many tools of a newly opened skill fit into the model's list.
func (ch chooser) freeSlots() int {
	c := ch.candidates()
	if c.driven {
		return ch.form.limit() - len(ch.toolList().Shown)
	}
	return ch.skillRoom(c)
}

// chooseTools returns the tools of a skill that enter the model's list when the skill is opened for
// these words. The choice holds for everybody in the chat; a tool that one person may not call is
// left out of that person's turns. An open skill keeps its tools, except that a driver may change
// its own.
func (ch chooser) chooseTools(ctx context.Context, s skills.Skill, words string) []string {
	if names, ok := ch.driverTools(ctx, s); ok {
		return names
	}
	for _, o := range ch.openSkills {
		if o.Skill == s.Name {
			return o.Tools
		}
	}
	var names []string
	shown := ch.toolList().Shown
	offered := ch.offeredTools(s)
	some := skills.Choose(without(offered, shown), words, ch.freeSlots())
	for _, t := range offered {
		if has(some, t.Name()) || ch.form.short && has(shown, t.Name()) { // it counts as the skill's, whatever is opened later
			names = append(names, t.Name())
		}
	}
	return names
}

// withOpened returns the chooser as if skill were the newest open one, with these tools in the
// list.
func (ch chooser) withOpened(skill string, names []string) chooser {
	ch.openSkills = slices.DeleteFunc(slices.Clone(ch.openSkills), func(o event.Opened) bool { return o.Skill == skill })
	ch.openSkills = append(ch.openSkills, event.Opened{Skill: skill, Tools: names})
	return ch
}

// withAll returns the chooser as if all of best, the best match first, were opened for some words.
func (ch chooser) withAll(ctx context.Context, best []skills.Skill, words string) chooser {
	for _, s := range slices.Backward(best) {
		ch = ch.withOpened(s.Name, ch.chooseTools(ctx, s, words))
	}
	return ch
}

// isLeftOut reports whether newer skills have pushed a tool of an open skill out of the list.
func (ch chooser) isLeftOut(skill string) bool {
	l := ch.toolList()
	for _, o := range ch.openSkills {
		if o.Skill == skill && !o.Lead {
			return len(pickNamed(l.Hidden, o.Tools)) > 0
		}
	}
	return false
}

// isBehind reports whether every skill opened after an open one is among some.
func (ch chooser) isBehind(skill string, some []skills.Skill) bool {
	at := slices.IndexFunc(ch.openSkills, func(o event.Opened) bool { return o.Skill == skill })
	return at >= 0 && !slices.ContainsFunc(ch.openSkills[at+1:], func(o event.Opened) bool {
		return !slices.ContainsFunc(some, func(s skills.Skill) bool { return s.Name == o.Skill })
	})
}

// offeredTools returns the tools of a skill that an owner may be offered.
func (ch chooser) offeredTools(s skills.Skill) []tools.Tool {
	asOwner := ch.caller
	asOwner.Level = event.Owner
	return ch.policy.ToolList(asOwner, skills.Collect(asOwner, []skills.Skill{s}, nil))
}

// driverTools returns the tools in the model's list while a driver leads the chat. drives is false
// for a skill without a driver.
func (ch chooser) driverTools(ctx context.Context, s skills.Skill) (names []string, drives bool) {
	if s.Driver == nil {
		return nil, false
	}
	all := ch.offeredTools(s)
	if l, ok := s.Driver.(driver.Lister); ok {
		if listed, _, err := l.List(tools.WithCaller(ctx, ch.caller)); err == nil { // on an error Context fails, too, and reports it
			all = pickNamed(all, listed)
		}
	}
	beside := ch.meta.all()
	if _, speaks := s.Driver.(driver.Speaker); speaks {
		beside = ch.meta.finders()
	}
	for _, t := range all[:min(len(all), max(0, ch.form.limit()-len(beside)))] {
		names = append(names, t.Name())
	}
	return names, true
}

// switchedOff returns the names of the tools that the chat's driver has switched off.
func (ch chooser) switchedOff(ctx context.Context) []string {
	s, _ := ch.toolset.skill(drivingSkillOf(ch.openSkills))
	if l, ok := s.Driver.(driver.Lister); ok {
		if _, off, err := l.List(tools.WithCaller(ctx, ch.caller)); err == nil {
			return off
		}
	}
	return nil
}

// newChooser returns a chooser with the present tools and open skills of the chat.
func (c *chat) newChooser(inForce policy.Policy, caller tools.Caller) chooser {
	return chooser{
		toolset: c.toolset, openSkills: c.tr.openSkills(), policy: inForce, caller: caller, meta: c.sessions.meta,
		form: c.listForm,
	}
}

// chooser returns a chooser for the caller of ctx, with the present tools and open skills of their
// chat.
func (s *Sessions) chooser(ctx context.Context) (ch chooser, err error) {
	caller := tools.CallerFrom(ctx)
	inForce, err := s.cfg.Policy(ctx)
	if err != nil {
		return ch, err
	}
	err = s.onChat(ctx, caller.Chat, func(_ context.Context, c *chat) error {
		ch = c.newChooser(inForce, caller)
		return nil
	})
	return ch, err
}
