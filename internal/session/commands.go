package session

import (
	"context"

	"hob/internal/event"
	"hob/internal/tools"
)

// Commands returns the tools that somebody may be offered in a chat, each of which they can call as a command.
func (s *Sessions) Commands(ctx context.Context, name event.Chat, of event.Standing) ([]tools.Tool, error) {
	ch, _, err := s.chooser(tools.WithCaller(ctx, tools.Caller{Chat: name, Standing: of}))
	if err != nil {
		return nil, err
	}
	return ch.policy.Menu(ch.caller, ch.callable()), nil
}
