package telegram

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

// offered is a choice, and the event that offers it as the at-th.
type offered struct {
	event.Choice
	chat.ChoiceRef
}

// offers are the choices that an event has.
func offers(seq int64, all []event.Choice) (found []offered) {
	for i, c := range all {
		found = append(found, offered{c, chat.ChoiceRef{Seq: seq, At: i}})
	}
	return found
}

// choiceRows are choices as a keyboard.
func choiceRows(all []offered) (rows [][]keyOf) {
	for _, o := range all {
		key := keyOf{markup.Shorten(cmp.Or(strings.TrimSpace(o.Label), "·"), maxChoice), o.Data()}
		if last := len(rows) - 1; o.Beside && last >= 0 && len(rows[last]) < maxInRow {
			rows[last] = append(rows[last], key)
			continue
		}
		if len(rows) == maxRows {
			break
		}
		rows = append(rows, []keyOf{key})
	}
	return rows
}

// clears takes away the choices of the reply before, once those of the reply seq are there: what they were about is over.
func (c *telling) clears(seq int64) *sendJob {
	return &sendJob{seq: seq, part: clearPart, harmless: true, do: func(ctx context.Context, _ bool) (int64, error) {
		sent, err := c.t.cfg.Outbox.Sends(ctx, c.name, seq)
		if err != nil {
			return 0, err
		}
		newest := int64(0)
		for _, s := range sent {
			if s.Part >= 0 && s.Part < besidePart && s.State == event.SendSent {
				newest = s.Message
			}
		}
		old, err := c.t.cfg.Live.Shown(ctx, c.name, choicesShown)
		if err == nil && old != 0 && old != newest {
			err = c.t.tidy(ctx, c.to, chore{unbutton, old})
		}
		if err != nil {
			return 0, err
		}
		return 0, c.t.cfg.Live.SetShown(ctx, c.name, choicesShown, newest)
	}}
}
