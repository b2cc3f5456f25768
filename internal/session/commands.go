package session

import (
	"context"
	"slices"

	"hob/internal/event"
	"hob/internal/tools"
)

// Commands returns the tools that somebody may be offered in a chat, each of which they can call as a command.
func (s *Sessions) Commands(ctx context.Context, name event.Chat, of event.Standing) ([]tools.Tool, error) {
	ch, open, err := s.chooser(tools.WithCaller(ctx, tools.Caller{Chat: name, Standing: of}))
	if err != nil {
		return nil, err
	}
	all := slices.DeleteFunc(ch.callable(), func(t tools.Tool) bool { return ch.kit.asleep(t.Name(), open) })
	return ch.policy.Menu(ch.caller, all), nil
}

// asleep reports whether a tool is of a skill that would lead the chat and does not: it can be called, and is not listed.
func (k Kit) asleep(name string, open []event.Opened) bool {
	for _, s := range k.Skills {
		if s.Driver == nil || !has(s.Tools, name) {
			continue
		}
		if !slices.ContainsFunc(open, func(o event.Opened) bool { return o.Skill == s.Name }) {
			return true
		}
	}
	return false
}
