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

// chooser makes lists of tools for one caller in a chat. Its toolset and open are those of the time
// when it was made or refreshed.
type chooser struct {
	toolset    Toolset
	openSkills []event.Opened // the skills that are open in the chat, the newest last
	policy     policy.Policy
	caller     tools.Caller
	meta       metaTools
	form       listForm
	speaks     bool // a driver with a system text of its own leads the chat: see [driver.Speaker]
}

// listForm is the form of a model's list.
type listForm struct {
	short bool // see [Settings]
	most  int  // tools that it has at most; 0 means [defaultMaxTools]
}

// limit is the number of tools that the list may have, those that find others and open skills
// included.
func (f listForm) limit() int { return cmp.Or(f.most, defaultMaxTools) }

// knownSkills returns the skills that the model is told of.
func (ch chooser) knownSkills() []skills.Skill {
	if ch.form.short {
		return ch.toolset.visibleSkills(ch.caller)
	}
	ch.toolset.ShortSkills = nil
	return ch.toolset.visibleSkills(ch.caller)
}

// commonTools returns the tools of no skill that the list has where no skill is open, the most
// needed first. all are those that the caller may be offered.
func (ch chooser) commonTools(all []tools.Tool, unscoped map[string]bool) (common []tools.Tool) {
	isShort := ch.form.short && len(ch.toolset.ShortList) > 0
	for _, t := range ch.toolset.Tools {
		if !unscoped[t.Name()] || !has(all, t.Name()) || has(common, t.Name()) {
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

// sortCommon sorts common tools as they stand in a list: a short one has an order of its own, any
// other that of their names. Their places among each other never change then, and the server can use
// what it has read of the list.
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

// toolCandidates are the tools from which a list is made.
type toolCandidates struct {
	all     []tools.Tool // that the model may call
	common  []tools.Tool // of no skill, the most needed first
	finders []tools.Tool // that find others and open skills
	driver  []tools.Tool // in place of the common ones, where a driver leads the chat
	driven  bool
	after   int // index in open of the first skill behind the driver
}

// candidates returns the tools from which the list is made.
func (ch chooser) candidates() (c toolCandidates) {
	unscoped := map[string]bool{}
	for _, p := range ch.toolset.resolveTools(ch.caller) {
		if p.rule == "" {
			c.all = append(c.all, p.tool)
			unscoped[p.tool.Name()] = p.unscoped
		}
	}
	c.all = ch.policy.ToolList(ch.caller, c.all)
	c.common = ch.commonTools(c.all, unscoped)
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

// toolList returns the tools that the model may call while skills are open. First come tools of no
// skill, or those of the driver, then the tools that find others and open skills, then those of the
// open skills in the order in which they were opened. As long as there is room, the list only grows
// at its end when more skills are opened: the server has read the beginning. Where there is none,
// the tools of the newest skills take the place of the tools that are needed least. The model may
// call those that are left out all the same.
func (ch chooser) toolList() agent.ToolList {
	c := ch.candidates()
	room := ch.room(c)
	var base, chosen []tools.Tool // chosen are of skills
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

// room is how many tools the list may have beside those that find others and open skills.
func (ch chooser) room(c toolCandidates) int { return max(0, ch.form.limit()-len(c.finders)) }

// skillRoom is how many tools of skills, beside the common ones, the list has at most: half of it, or
// what the common ones leave.
func (ch chooser) skillRoom(c toolCandidates) int {
	room := ch.room(c)
	return max((room+1)/2, room-len(c.common))
}

// skillTools returns at most so many tools of the open skills, the newest skill first, without those
// of base.
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

// protectNewest returns the common tools, the most needed first, those that the newest skill also
// has before all others.
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

// without returns all but those of some.
func without(all, some []tools.Tool) []tools.Tool {
	return slices.DeleteFunc(slices.Clone(all), func(t tools.Tool) bool { return has(some, t.Name()) })
}

// isOpen reports whether a skill is open in the chat.
func (ch chooser) isOpen(skill string) bool {
	return slices.ContainsFunc(ch.openSkills, func(o event.Opened) bool { return o.Skill == skill })
}

// freeSlots is how many tools of a skill that is opened now fit into the model's list.
func (ch chooser) freeSlots() int {
	c := ch.candidates()
	if c.driven {
		return ch.form.limit() - len(ch.toolList().Shown)
	}
	return ch.skillRoom(c)
}

// chooseTools returns the tools of a skill that go into the model's list when the skill is opened
// for those words. It is the same for all who speak in the chat: a tool that one of them may not
// call is left out when they speak. The tools of an open skill stay; only a driver may have others
// now.
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
		if has(some, t.Name()) || ch.form.short && has(shown, t.Name()) { // it is the skill's, whatever else is opened
			names = append(names, t.Name())
		}
	}
	return names
}

// withOpened returns the chooser as it is once a skill is the newest open one, with its tools in the list.
func (ch chooser) withOpened(skill string, names []string) chooser {
	ch.openSkills = slices.DeleteFunc(slices.Clone(ch.openSkills), func(o event.Opened) bool { return o.Skill == skill })
	ch.openSkills = append(ch.openSkills, event.Opened{Skill: skill, Tools: names})
	return ch
}

// withAll returns the chooser as it is once skills are open for some words, the best first.
func (ch chooser) withAll(ctx context.Context, best []skills.Skill, words string) chooser {
	for _, s := range slices.Backward(best) {
		ch = ch.withOpened(s.Name, ch.chooseTools(ctx, s, words))
	}
	return ch
}

// isLeftOut reports whether newer skills have taken the place of a tool of an open skill in the list.
func (ch chooser) isLeftOut(skill string) bool {
	l := ch.toolList()
	for _, o := range ch.openSkills {
		if o.Skill == skill && !o.Lead {
			return len(pickNamed(l.Hidden, o.Tools)) > 0
		}
	}
	return false
}

// isBehind reports whether all skills that were opened after an open one are among some.
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
	beside := ch.meta.all()
	if _, speaks := s.Driver.(driver.Speaker); speaks {
		beside = ch.meta.finders()
	}
	for _, t := range all[:min(len(all), max(0, ch.form.limit()-len(beside)))] {
		names = append(names, t.Name())
	}
	return names, true
}

// switchedOff returns the names of the tools that the driver of the chat has switched off.
func (ch chooser) switchedOff(ctx context.Context) []string {
	s, _ := ch.toolset.skill(leadOf(ch.openSkills))
	if l, ok := s.Driver.(driver.Lister); ok {
		if _, off, err := l.List(tools.WithCaller(ctx, ch.caller)); err == nil {
			return off
		}
	}
	return nil
}

// newChooser returns a chooser with the tools and the open skills that the chat has now.
func (c *chat) newChooser(inForce policy.Policy, caller tools.Caller) chooser {
	return chooser{
		toolset: c.toolset, openSkills: c.tr.openSkills(), policy: inForce, caller: caller, meta: c.sessions.meta,
		form: c.list,
	}
}

// chooser returns a chooser for the caller of ctx, with the tools and the open skills of their chat.
func (s *Sessions) chooser(ctx context.Context) (ch chooser, err error) {
	caller := tools.CallerFrom(ctx)
	inForce, err := s.cfg.Policy(ctx)
	if err != nil {
		return ch, err
	}
	err = s.on(ctx, caller.Chat, func(_ context.Context, c *chat) error {
		ch = c.newChooser(inForce, caller)
		return nil
	})
	return ch, err
}
