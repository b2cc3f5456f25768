package outbound

import (
	"cmp"
	"context"
	"strings"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/markup"
)

// Limits of the choices that a message shows. People can type the others.
const (
	maxChoice = 64 // units of UTF-16 of a label
	maxRows   = 8
	maxInRow  = 8
)

// choicesShown is the name under which the store records which message of a chat has choices.
const choicesShown = "choices"

// offeredChoice is a choice with the event that offers it and its index there.
type offeredChoice struct {
	event.Choice
	chat.ChoiceRef
}

// numberChoices returns the choices of an event with their indices.
func numberChoices(seq int64, all []event.Choice) (found []offeredChoice) {
	for i, c := range all {
		found = append(found, offeredChoice{c, chat.ChoiceRef{Seq: seq, At: i}})
	}
	return found
}

// choiceButtons returns choices as a keyboard.
func choiceButtons(all []offeredChoice) (rows [][]chat.Key) {
	for _, o := range all {
		key := chat.Key{Text: markup.Shorten(cmp.Or(strings.TrimSpace(o.Label), "·"), maxChoice), Data: o.Data()}
		if last := len(rows) - 1; o.Beside && last >= 0 && len(rows[last]) < maxInRow {
			rows[last] = append(rows[last], key)
			continue
		}
		if len(rows) == maxRows {
			break
		}
		rows = append(rows, []chat.Key{key})
	}
	return rows
}

// clearChoices returns the item that removes the choices of the reply before, once those of the
// reply seq are sent.
func (c *chatSender) clearChoices(seq int64) *item {
	return &item{seq: seq, part: clearPart, idempotent: true, send: func(ctx context.Context, _ bool) (int64, error) {
		sent, err := c.cfg.Outbox.Sends(ctx, c.name, seq)
		if err != nil {
			return 0, err
		}
		newest := int64(0)
		for _, rec := range sent {
			if rec.Part >= 0 && rec.Part < firstFilePart && rec.State == event.SendSent {
				newest = rec.Message
			}
		}
		old, err := c.cfg.Shown.Shown(ctx, c.name, choicesShown)
		if err == nil && old != 0 && old != newest {
			err = c.cleanUp(ctx, cleanup{methodEditMarkup, old})
		}
		if err != nil {
			return 0, err
		}
		return 0, c.cfg.Shown.SetShown(ctx, c.name, choicesShown, newest)
	}}
}
