package outbound

import (
	"context"

	"hob/internal/event"
	"hob/internal/event/openturn"
	"hob/internal/surface/telegram/chat"
)

// parkedItems returns the message that a turn is parked. A turn that waits for the model resumes by
// itself, so the chat stays awake for it. The message about any other has a button to retry it. If
// a command parked the turn, there is no text, because the command's answer says so.
func (c *chatSender) parkedItems(ctx context.Context, o *openTurn, e event.Event, b event.Parked) []*item {
	keys := ""
	if b.Reason == event.ParkedForModel {
		if o == nil {
			o = &openTurn{Turn: openturn.Turn{Seq: e.Turn}}
			c.turns.open = append(c.turns.open, o)
		}
		o.Parked, o.from = true, e.Seq
	} else {
		c.turns.open.Close(e.Turn)
		keys = keyboardJSON([][]chat.Key{{{Text: c.words(ctx).Text("retry"), Data: chat.TurnData(chat.PressRetry, e.Turn)}}})
	}
	items := c.statusDeletion(ctx, e.Turn)
	if b.Text != "" {
		items = append(items, c.messageItems(e.Seq, c.orSentence(ctx, "empty.text", renderPlain(b.Text)), options{keys: keys})...)
	}
	return items
}

// resumedItems opens a turn that resumes, if it is not open.
func (c *chatSender) resumedItems(ctx context.Context, o *openTurn, e event.Event) []*item {
	if o != nil {
		o.Parked = false
		return nil
	}
	c.turns.open = append(c.turns.open, &openTurn{Turn: openturn.Turn{Seq: e.Turn}, from: e.Seq})
	return c.statusDeletion(ctx, e.Turn)
}
