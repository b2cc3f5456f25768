package inbound

import (
	"context"
	"strings"

	"hob/internal/surface/telegram/client"
)

// handleCorrection answers the correction of a message, once for each message. It does not read the
// correction: the turn of the message may have begun or ended, and could then be done twice.
func (in *Handler) handleCorrection(ctx context.Context, m *client.Message) error {
	words, entities := m.Words()
	if words == "" || m.EditDate == 0 { // a location that moves, for example
		return nil
	}
	sp, known, err := in.admit(ctx, m.From, m.Chat, m.SenderChat, m.Address())
	if err != nil || !known {
		return err
	}
	sp.message = m.ID
	if !sp.address.Private() {
		me, err := in.waitForSelf(ctx)
		if err != nil {
			return err
		}
		_, named := withoutMention(words, entities, me)
		r := m.RepliesTo()
		c, command := parseCommand(words)
		meant := named || r != nil && r.From != nil && r.From.ID == me.ID || command && strings.EqualFold(c.bot, me.Username)
		if !meant {
			return nil
		}
	}
	if in.lastTexts.corrected(m) {
		in.reply(ctx, sp, in.say(ctx, sp, "correction"))
	}
	return context.Cause(ctx)
}
