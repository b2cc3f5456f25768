package session

import (
	"context"
	"strings"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/tools"
)

// addFacts has what is known and bears on the words of a message ride before them: it is journaled with the message, so that the model
// reads the same ever after, and makes the message private. What somebody else wrote has nothing ride, or they could ask for it; in a
// group, where everybody is somebody else, only what is known of the group rides. A story has facts of its own.
//
// Where what is known cannot be read, the message goes without: it is worth more.
func (c *chat) addFacts(ctx context.Context, s *event.Said) {
	if c.cfg.Facts == nil || c.tr.drivingSkill() != "" || s.Label.Untrusted && !c.name.Shared() || s.Pick != "" {
		return
	}
	lines, err := c.cfg.Facts(ctx, tools.Caller{Chat: c.name, User: s.From, Principal: s.Principal}, strings.Join(ownWords(*s), " "))
	if err != nil {
		c.cfg.Log.Warn("facts cannot be read", "chat", c.name, "err", err)
		return
	}
	if len(lines) == 0 {
		return
	}
	text, _ := c.cfg.Sanitizer.SanitizeMessage(strings.Join(lines, "\n"), event.Label{Untrusted: true}) // for the tokens of models in it
	s.Tail += "\n\n" + llm.FactsBegin + "\n" + text + "]"
	s.Label = s.Label.Join(event.Label{Private: true, Source: "memory"})
}
