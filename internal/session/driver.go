package session

import (
	"context"
	"errors"
	"slices"

	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/tools"
)

// HasDriver reports whether a skill drives the chat: its driver answers the inputs, and each input
// is a turn of its own.
func (s *Sessions) HasDriver(ctx context.Context, name event.Chat) (bool, error) {
	return readChat(ctx, s, name, func(c *chat) bool { return c.tr.drivingSkill() != "" })
}

// drivingSkill is the skill that drives the chat, or "". The journal says that it leads:
// [event.Opened].Lead.
func (tr *transcript) drivingSkill() string { return leadOf(tr.openSkills()) }

// leadOf returns which of the open skills drives the chat, or "". At most one does.
func leadOf(open []event.Opened) string {
	if i := slices.IndexFunc(open, func(o event.Opened) bool { return o.Lead }); i >= 0 {
		return open[i].Skill
	}
	return ""
}

// labelOfDriver is the label of the conversation under a driver.
func (tr *transcript) labelOfDriver(skill string) event.Label {
	for _, t := range slices.Backward(tr.turns) {
		if t.leadSkill == skill {
			return t.label
		}
	}
	return event.Label{}
}

// otherConversations are the conversations of the chat under other drivers than that of the open
// turn, in the order in which they began.
func (tr *transcript) otherConversations() (all []event.Conversation) {
	cur := tr.current()
	for _, t := range tr.turns {
		if t.leadSkill == cur.leadSkill {
			continue
		}
		i := slices.IndexFunc(all, func(c event.Conversation) bool { return c.Lead == t.leadSkill })
		if i < 0 {
			i = len(all)
			all = append(all, event.Conversation{Lead: t.leadSkill})
		}
		all[i].Label = t.label // a later one has all that was before it
		for _, m := range t.messages {
			m.Images = nil
			all[i].Messages = append(all[i].Messages, m)
		}
	}
	return all
}

// startDriving folds in that a skill drives the chat from here on. A turn whose words, or whose
// command, opened the skill is its first.
func (tr *transcript) startDriving(turn int64, b event.Opened) {
	tr.pending = nil // of skills that are no longer open
	cur := tr.current()
	if cur != nil && (cur.seq == turn && b.By == byMessage || turn == 0 && cur.input.Command && cur.leadSkill == "") {
		cur.label = cur.label.Join(tr.labelOfDriver(b.Skill))
		cur.leadSkill = b.Skill
	}
}

// driverOfTurn returns the driver of the turn, or nil. The turn, and all that follow
// under the driver, carry the label of the driver's words before anybody reads them.
func (p *player) driverOfTurn(ctx context.Context) (d driver.Driver, err error) {
	err = p.c.access(ctx, func() {
		cur := p.c.tr.current()
		if s, ok := p.c.toolset.skill(cur.leadSkill); ok && s.Driver != nil && p.c.tr.findOpenSkill(cur.leadSkill) != nil {
			d = s.Driver
		}
	})
	source, ok := d.(labelSource)
	if err != nil || !ok {
		return d, err
	}
	s := labelledDriver{d, source, p.c, p.seq}
	if err := s.labelTurn(ctx); errors.Is(err, errLeft) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return s, nil
}

// skillsUnder returns the skills that a turn under a driver has. A driver that was opened while the
// turn ran is none of them, and neither are the skills behind it.
func skillsUnder(skill string, open []event.Opened) []event.Opened {
	i := slices.IndexFunc(open, func(o event.Opened) bool { return o.Lead && o.Skill != skill })
	if i < 0 {
		return open
	}
	return open[:i]
}

// beginDriver begins the skill that drives the chat, if its tools are known only then. It runs
// while the chat is loaded, so that nobody else waits for it.
func (c *chat) beginDriver(ctx context.Context) {
	ctx = tools.WithCaller(ctx, c.callerOf(c.tr.current()))
	if s, _ := c.toolset.skill(c.tr.drivingSkill()); s.Begin != nil && len(s.Tools) == 0 {
		if ready, err := beginSkill(ctx, s); err == nil { // else nobody knows what came of it
			c.toolset = c.toolset.withSkill(ready)
		}
	}
}
