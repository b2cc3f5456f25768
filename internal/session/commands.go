package session

import (
	"context"
	"slices"

	"hob/internal/event"
	"hob/internal/skills"
	"hob/internal/tools"
)

// Commands returns the tools that somebody may be offered in a chat, each of which they can call as
// a command.
func (s *Sessions) Commands(ctx context.Context, name event.Chat, of event.Principal) ([]tools.Tool, error) {
	ch, err := s.chooser(tools.WithCaller(ctx, tools.Caller{Chat: name, Principal: of}))
	if err != nil {
		return nil, err
	}
	all := slices.DeleteFunc(ch.callableTools(), func(t tools.Tool) bool { return ch.isAsleep(t.Name()) })
	return ch.policy.ToolList(ch.caller, all), nil
}

// isAsleep reports whether a tool is of a skill that would drive the chat and does not: it can be
// called, and is not listed.
func (ch chooser) isAsleep(name string) bool {
	return slices.ContainsFunc(ch.toolset.Skills, func(s skills.Skill) bool {
		return s.Driver != nil && has(s.Tools, name) && !ch.isOpen(s.Name)
	})
}
