package session

import (
	"context"
	"strings"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// addFacts puts remembered facts that match the message into its Tail, and makes it private. They are
// journaled with it, so that every later prompt is the same. Forwarded text gets none: its author
// could fish for them. In a group, where everybody is somebody else, only the facts of the group are
// added. A story has facts of its own. A message whose facts cannot be read goes without them.
func (c *chat) addFacts(ctx context.Context, s *event.Said) {
	if c.cfg.Facts == nil || c.tr.drivingSkill() != "" || s.Label.Untrusted && !c.name.Shared() || s.Pick != "" {
		return
	}
	caller := tools.Caller{Chat: c.name, User: s.From, Principal: s.Principal}
	lines, err := c.cfg.Facts(ctx, caller, strings.Join(ownWords(*s), " "))
	if err != nil {
		c.cfg.Log.Warn("facts cannot be read", "chat", c.name, "err", err)
		return
	}
	if len(lines) == 0 {
		return
	}
	// It may hold tokens of models.
	text, _ := c.cfg.Sanitizer.SanitizeMessage(strings.Join(lines, "\n"), event.Label{Untrusted: true})
	s.Tail += "\n\n" + llm.FactsBegin + "\n" + text + "]"
	s.Label = s.Label.Join(event.Label{Private: true, Source: "memory"})
}
