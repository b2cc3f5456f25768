package outbound

import (
	"cmp"
	"context"
	"strings"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/markup"
)

// What is shown of choices below a message; the rest can still be said.
const (
	maxChoice = 64 // units of UTF-16 of a label
	maxRows   = 8
	maxInRow  = 8
)

// choicesShown is the name under which the memory keeps which message of a chat has choices below it.
const choicesShown = "choices"

// clearPart is the part of a reply with choices that takes those of the reply before away.
const clearPart = -2

// offeredChoice is a choice, and the event that offers it as the at-th.
type offeredChoice struct {
	event.Choice
	chat.ChoiceRef
}

// numberChoices are the choices that an event has.
func numberChoices(seq int64, all []event.Choice) (found []offeredChoice) {
	for i, c := range all {
		found = append(found, offeredChoice{c, chat.ChoiceRef{Seq: seq, At: i}})
	}
	return found
}

// choiceButtons are choices as a keyboard.
func choiceButtons(all []offeredChoice) (rows [][]keyboardButton) {
	for _, o := range all {
		key := keyboardButton{markup.Shorten(cmp.Or(strings.TrimSpace(o.Label), "·"), maxChoice), o.Data()}
		if last := len(rows) - 1; o.Beside && last >= 0 && len(rows[last]) < maxInRow {
			rows[last] = append(rows[last], key)
			continue
		}
		if len(rows) == maxRows {
			break
		}
		rows = append(rows, []keyboardButton{key})
	}
	return rows
}

// clearChoices takes away the choices of the reply before, once those of the reply seq are there: what they were about is over.
func (c *chatSender) clearChoices(seq int64) *item {
	return &item{seq: seq, part: clearPart, harmless: true, send: func(ctx context.Context, _ bool) (int64, error) {
		sent, err := c.senders.cfg.Outbox.Sends(ctx, c.name, seq)
		if err != nil {
			return 0, err
		}
		newest := int64(0)
		for _, s := range sent {
			if s.Part >= 0 && s.Part < firstFilePart && s.State == event.SendSent {
				newest = s.Message
			}
		}
		old, err := c.senders.cfg.Live.Shown(ctx, c.name, choicesShown)
		if err == nil && old != 0 && old != newest {
			err = c.senders.cleanUp(ctx, c.to, cleanup{methodEditMarkup, old})
		}
		if err != nil {
			return 0, err
		}
		return 0, c.senders.cfg.Live.SetShown(ctx, c.name, choicesShown, newest)
	}}
}
