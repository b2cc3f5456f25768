package session

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"hob/internal/agent"
	"hob/internal/agent/staged"
	"hob/internal/driver"
	"hob/internal/llm"
	"hob/internal/skills"
)

// prepareModelTurn prepares the turn to ask the model.
func (p *player) prepareModelTurn(ctx context.Context) error {
	c, t := p.c, &p.turn
	set := c.cfg.Settings(ctx)
	t.Profile, t.Options, t.Window, t.Budget = set.Profile, set.Options, set.Window, set.Budget
	p.chooser.form = listForm{short: set.ShortList, most: set.Profile.MaxTools}
	if err := p.prepareSkills(ctx); err != nil {
		return err
	}
	pictures, err := p.fillHistory(ctx, set.Profile.Keep)
	if err != nil {
		return err
	}
	if t.System, err = p.chooser.voice(ctx); err != nil {
		return err
	}
	if p.chooser.speaks = t.System != ""; p.chooser.speaks {
		t.History = slices.Clone(t.History)
		for i, m := range t.History {
			if m.Role == llm.UserRole {
				t.History[i].Text = llm.WithoutTime(m.Text)
			}
		}
	} else {
		t.System = systemText(set.Profile, p.cleanDescriptions(p.chooser.knownSkills()))
	}
	t.List = func() agent.ToolList { return p.toolList(ctx) }
	if err := p.setStage(ctx); err != nil {
		return err
	}
	p.showPictures(ctx, t.History, pictures, set)
	if t.Stage == nil {
		t.Arrived = func(ctx context.Context) ([]llm.Message, error) { return p.takeJoined(ctx, set) }
	}
	return nil
}

// prepareSkills begins the open skills, and opens those that match the inputs of the turn.
func (p *player) prepareSkills(ctx context.Context) error {
	var joined []string // inputs that joined a resumed turn: a crash may have come before they were matched
	err := p.c.access(ctx, func() {
		p.c.listForm = p.chooser.form
		for _, s := range p.c.tr.current().joined {
			joined = append(joined, s.Text)
		}
	})
	if err != nil {
		return err
	}
	if err := p.beginOpenSkills(ctx); err != nil {
		return err
	}
	if drives, err := p.remindOfDriver(ctx); err != nil {
		return err
	} else if !drives {
		for _, words := range []string{p.input.Text, strings.Join(joined, "\n")} {
			if err := p.matchSkills(ctx, words, !p.input.Label.Untrusted); err != nil {
				return err
			}
		}
	}
	return p.refresh(ctx)
}

// voice returns the system text of the skill that drives the chat, or "" if there is none.
func (ch chooser) voice(ctx context.Context) (string, error) {
	s, _ := ch.toolset.skill(drivingSkillOf(ch.openSkills))
	if speaker, ok := s.Driver.(driver.Speaker); ok {
		return speaker.System(ctx)
	}
	return "", nil
}

// setStage gives the turn a stage and the driver's tools, if the chat has a driver.
func (p *player) setStage(ctx context.Context) error {
	d, err := p.driverOfTurn(ctx)
	if err == nil && d != nil {
		p.turn.Stage = staged.New(d, cmp.Or(p.input.Own, p.input.Text), p.c.cfg.Sanitizer)
		p.turn.PlanTools = p.chooser.callableTools()
	}
	return err
}

// toolList returns the tools that the model may call now.
func (p *player) toolList(ctx context.Context) agent.ToolList {
	ch := p.chooser
	// A chat that has ended journals nothing more, so any call fails later.
	_ = p.c.access(ctx, func() {
		skill := ""
		if cur := p.c.tr.current(); cur != nil {
			skill = cur.drivingSkill
		}
		ch.toolset, ch.openSkills = p.c.toolset, skillsUnder(skill, p.c.tr.openSkills())
	})
	return ch.toolList()
}

// cleanDescriptions sanitizes skill descriptions that strangers wrote. They are part of the system
// text, which a special token in them could end.
func (p *player) cleanDescriptions(all []skills.Skill) []skills.Skill {
	for i, s := range all {
		if s.Label.Untrusted {
			all[i].Description, _ = p.c.cfg.Sanitizer.SanitizeMessage(s.Description, s.Label)
		}
	}
	return all
}

// systemText returns the system text for a model with this profile and these skills.
func systemText(p llm.Profile, there []skills.Skill) string {
	text := System
	if index := skills.Index(there); index != "" {
		text += "\nuse_skill opens more tools:\n" + index
	}
	if p.Has(llm.OverCalls) {
		text += "\nRemember rule 1.\n"
	}
	return text
}
