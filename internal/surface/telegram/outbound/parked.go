package outbound

import (
	"context"
	"strconv"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
)

// renderParked renders that a turn is set aside. A turn that waits for the model goes on by itself, so the chat
// stays awake for it. The message about any other has a button that tries it again.
func (c *chatSender) renderParked(ctx context.Context, o *openTurn, e event.Event, b event.Parked) []*item {
	keys := ""
	if b.Reason == event.ParkedForModel {
		if o == nil {
			o = &openTurn{seq: e.Turn}
			c.turns.open = append(c.turns.open, o)
		}
		o.parked, o.from = true, e.Seq
	} else {
		c.turns.closeTurn(e.Turn)
		keys = keyboardJSON([][]keyboardButton{{{"Try again", chat.PressRetry + strconv.FormatInt(e.Turn, 36)}}})
	}
	items := c.deleteStatus(ctx, e.Turn)
	if b.Text != "" {
		items = append(items, c.messageItems(e.Seq, renderPlain(b.Text), options{keys: keys})...)
	}
	return items
}

// renderResumed opens a turn that goes on, if it is not open.
func (c *chatSender) renderResumed(ctx context.Context, o *openTurn, e event.Event) []*item {
	if o != nil {
		o.parked = false
		return nil
	}
	c.turns.open = append(c.turns.open, &openTurn{seq: e.Turn, from: e.Seq})
	return c.deleteStatus(ctx, e.Turn)
}
