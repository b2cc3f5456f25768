package session

import (
	"context"
	"errors"
	"slices"

	"hob/internal/driver"
	"hob/internal/event"
	"hob/internal/tools"
)

// HasDriver reports whether a skill drives the chat. Its driver then answers the inputs, and each
// input is a turn of its own.
func (s *Sessions) HasDriver(ctx context.Context, name event.Chat) (bool, error) {
	return readChat(ctx, s, name, func(c *chat) bool { return c.tr.drivingSkill() != "" })
}

// drivingSkill is the skill that drives the chat, or "". The journal marks it with
// [event.Opened].Lead.
func (tr *transcript) drivingSkill() string { return drivingSkillOf(tr.openSkills()) }

// drivingSkillOf returns the one open skill that drives the chat, or "".
func drivingSkillOf(open []event.Opened) string {
	if i := slices.IndexFunc(open, func(o event.Opened) bool { return o.Lead }); i >= 0 {
		return open[i].Skill
	}
	return ""
}

// labelOfDriver returns the label of the conversation under a driver, or for "" of that without one.
func (tr *transcript) labelOfDriver(skill string) event.Label {
	for _, t := range slices.Backward(tr.turns) {
		if t.drivingSkill == skill {
			return t.label
		}
	}
	return event.Label{}
}

// otherConversations returns the chat's conversations under other drivers than that of the open
// turn, in the order in which they began.
func (tr *transcript) otherConversations() (all []event.Conversation) {
	cur := tr.current()
	for _, t := range tr.turns {
		if t.drivingSkill == cur.drivingSkill {
			continue
		}
		i := slices.IndexFunc(all, func(c event.Conversation) bool { return c.Lead == t.drivingSkill })
		if i < 0 {
			i = len(all)
			all = append(all, event.Conversation{Lead: t.drivingSkill})
		}
		all[i].Label = t.label // a later conversation includes all earlier text
		for _, m := range t.messages {
			m.Images = nil
			all[i].Messages = append(all[i].Messages, m)
		}
	}
	return all
}

// startDriving folds in that a skill drives the chat from now on. If the words or the command of a
// turn opened the skill, that turn is its first.
func (tr *transcript) startDriving(turn int64, b event.Opened) {
	tr.pending = nil // texts of skills that are closed by this
	cur := tr.current()
	if cur != nil && (cur.seq == turn && b.By == byMessage || turn == 0 && cur.input.Command && cur.drivingSkill == "") {
		cur.label = cur.label.Join(tr.labelOfDriver(b.Skill))
		cur.drivingSkill = b.Skill
	}
}

// driverOfTurn returns the driver of the turn, or nil. Before anybody reads the driver's text, the
// turn and all later ones under the driver get the label of that text.
func (p *player) driverOfTurn(ctx context.Context) (d driver.Driver, err error) {
	err = p.c.access(ctx, func() {
		cur := p.c.tr.current()
		if s, ok := p.c.toolset.skill(cur.drivingSkill); ok && s.Driver != nil && p.c.tr.findOpenSkill(cur.drivingSkill) != nil {
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

// skillsUnder returns the skills of a turn under a driver. They exclude a driver that was opened
// while the turn ran, and skills opened after it.
func skillsUnder(skill string, open []event.Opened) []event.Opened {
	i := slices.IndexFunc(open, func(o event.Opened) bool { return o.Lead && o.Skill != skill })
	if i < 0 {
		return open
	}
	return open[:i]
}

// beginDriver begins the skill that drives the chat, if only then its tools are known. It runs
// while the chat is loaded, so nobody else waits for it.
func (c *chat) beginDriver(ctx context.Context) {
	ctx = tools.WithCaller(ctx, c.callerOf(c.tr.current()))
	if s, _ := c.toolset.skill(c.tr.drivingSkill()); s.Begin != nil && len(s.Tools) == 0 {
		if ready, err := beginSkill(ctx, s); err == nil { // on an error the tools stay unknown
			c.toolset = c.toolset.withSkill(ready)
		}
	}
}
