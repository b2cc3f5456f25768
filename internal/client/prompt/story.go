package prompt

import (
	"context"
	"slices"

	"hob/internal/client"
	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/markdown"
	"hob/internal/skills/gamemaster"
)

// isForStory reports whether an open story takes a line in place of hob's own commands.
func (c *conversation) isForStory(ctx context.Context, line string) bool {
	name, args := commands.Split(line)
	if takes, _ := gamemaster.TakesCommand(name, args); !takes {
		return false
	}
	list, err := c.client.SkillList(ctx, c.Chat)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(list.Skills, func(s commands.Skill) bool { return s.Name == gamemaster.Name && s.Open })
}

// storyView shows a story to its player: the replies without the calls behind them, which /why shows.
type storyView struct {
	client.View
	choices []event.Choice // of calls: they are shown with the reply
	goesOn  bool           // another line follows by itself, and its reply has the choices
	plain   bool           // no terminal shows Markdown as it is meant
}

// Event implements [client.View].
func (v *storyView) Event(e event.Event, own bool) error {
	switch b := e.Body.(type) {
	case event.Returned:
		v.choices = append(v.choices, b.Choices...)
		return nil
	case event.Called, event.Started, event.Opened:
		return nil
	case event.Replied:
		b.Choices = append(v.choices, b.Choices...)
		if v.goesOn {
			b.Choices = nil
		}
		if v.plain {
			b.Text = markdown.Plain(b.Text)
		}
		v.choices, e.Body = nil, b
	}
	return v.View.Event(e, own)
}
