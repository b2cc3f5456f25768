package session

import (
	"context"
	"slices"

	"hob/internal/skills"
)

// openInTurn opens a skill for the turn, or records that the turn is about an open one.
func (p *player) openInTurn(ctx context.Context, r openRequest) error {
	if err := p.refresh(ctx); err != nil {
		return err
	}
	s, ok := p.chooser.toolset.skill(r.skill)
	if !ok || !s.IsAvailable(p.chooser.caller) {
		return nil
	}
	r.by, r.caller = byMessage, p.chooser.caller
	view := p.chooser.viewSkill(context.WithoutCancel(ctx), p.c.cfg.Sanitizer, s, r.words, r.better...)
	// If only better matches have pushed out its tools, the list stays as it is.
	view.leftOut = view.leftOut && !p.chooser.isBehind(s.Name, r.better)
	return p.c.doInTurn(ctx, func(ctx context.Context) error { return p.c.recordOpened(ctx, view, r) })
}

// beginOpenSkills begins the open skills, because the process may be new. Then the chooser has
// their tools.
func (p *player) beginOpenSkills(ctx context.Context) error {
	if err := p.refresh(ctx); err != nil {
		return err
	}
	for _, o := range p.chooser.openSkills {
		s, ok := p.chooser.toolset.skill(o.Skill)
		if !ok || s.Begin == nil || !s.IsAvailable(p.chooser.caller) {
			continue
		}
		if _, err := p.beginInTurn(ctx, s); err != nil {
			return err
		}
	}
	return p.refresh(ctx)
}

// beginInTurn begins a skill for the turn and reports whether that worked; a failure becomes a note
// for the person. A skill whose tools are known begins with the first call of one.
func (p *player) beginInTurn(ctx context.Context, s skills.Skill) (ok bool, err error) {
	if len(s.Tools) > 0 || s.Begin == nil {
		return true, nil
	}
	begun, bad := beginSkill(ctx, s)
	switch {
	case bad != nil && ctx.Err() != nil:
		return false, nil //nolint:nilerr // the turn is over
	case bad != nil:
		return false, p.emit(ctx, notesOf([]string{bad.Error()}))
	}
	return true, p.c.access(ctx, func() { p.c.toolset = p.c.toolset.withSkill(begun) })
}

// matchSkills opens the skills that match the words, and narrows the turn to what they allow. It
// opens the best match last, so that its tools get into a list without room for all. If mayDrive, a
// skill that drives the chat replaces the others.
func (p *player) matchSkills(ctx context.Context, words string, mayDrive bool) error {
	words = words[:min(len(words), maxMatched)]
	if err := p.refresh(ctx); err != nil {
		return err
	}
	matched := chooseMatched(skills.Match(p.chooser.knownSkills(), words), mayDrive)
	for i, found := range slices.Backward(matched) {
		if !p.chooser.isOpen(found.Name) { // an open skill has begun already
			if ok, err := p.beginInTurn(ctx, found); err != nil {
				return err
			} else if !ok {
				continue
			}
		}
		if err := p.openInTurn(ctx, openRequest{skill: found.Name, words: words, better: matched[:i]}); err != nil {
			return err
		}
	}
	return nil
}

// remindOfDriver gives the model the driver's text again after the conversation was shortened, and
// updates the driver's tools. It reports whether the chat has a driver: then no words open another
// skill.
func (p *player) remindOfDriver(ctx context.Context) (drives bool, err error) {
	lead := drivingSkillOf(p.chooser.openSkills)
	if lead == "" {
		return false, nil
	}
	return true, p.openInTurn(ctx, openRequest{skill: lead, reminds: true})
}

// chooseMatched returns which of the matched skills to open: only the first one that drives the
// chat if mayDrive, else those that do not drive it.
func chooseMatched(matched []skills.Skill, mayDrive bool) []skills.Skill {
	drives := func(s skills.Skill) bool { return s.Driver != nil }
	if i := slices.IndexFunc(matched, drives); mayDrive && i >= 0 {
		return matched[i : i+1]
	}
	return slices.DeleteFunc(matched, drives)
}
