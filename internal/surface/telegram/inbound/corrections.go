package inbound

import (
	"context"
	"strings"

	"hob/internal/surface/telegram/client"
)

// notRead is what is said to who corrects a message. What it said may have begun long ago, or be done: to read it once more could do
// it twice.
const notRead = "I do not read corrections: send it anew as a message of its own."

// handleCorrection answers who has changed a message of theirs, once for each message. Nothing of it is done.
func (in *Handler) handleCorrection(ctx context.Context, m *client.Message) error {
	words, entities := m.Words()
	if words == "" || m.EditDate == 0 { // a place that moves, and the like
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
		in.reply(ctx, sp, notRead)
	}
	return context.Cause(ctx)
}
