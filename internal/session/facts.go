package session

import (
	"context"
	"strings"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// addFacts adds remembered facts that match the message to its Tail, and makes it private. They are
// journaled with it, so that later prompts stay the same. Forwarded text gets none, because its
// author could fish for them. A group gets only facts about the group, and a story has facts of its
// own. If the facts cannot be read, the message goes without them.
func (c *chat) addFacts(ctx context.Context, s *event.Said) {
	if c.cfg.Facts == nil || c.tr.drivingSkill() != "" || s.Label.Untrusted && !c.name.Shared() || s.Pick != "" {
		return
	}
	caller := tools.Caller{Chat: c.name, User: s.From, Principal: s.Principal}
	lines, err := c.cfg.Facts(ctx, caller, strings.Join(senderWords(*s), " "))
	if err != nil {
		c.cfg.Log.Warn("facts cannot be read", "chat", c.name, "err", err)
		return
	}
	if len(lines) == 0 {
		return
	}
	// A fact may contain special tokens of a model.
	text, _ := c.cfg.Sanitizer.SanitizeMessage(strings.Join(lines, "\n"), event.Label{Untrusted: true})
	s.Tail += "\n\n" + llm.FactsBegin + "\n" + text + "]"
	s.Label = s.Label.Join(event.Label{Private: true, Source: "memory"})
}
