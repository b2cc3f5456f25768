package outbound

import (
	"context"
	"errors"
	"runtime/debug"

	"hob/internal/event"
	"hob/internal/surface/telegram/markup"
)

// errFault says that hob itself has failed at something. To try that again cannot help.
var errFault = errors.New("hob itself has a fault")

// contain runs f, and returns a panic in it as errFault. What one chat is sent must not end the hob of the others, let alone at each start.
func (s *Senders) contain(name event.Chat, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.cfg.Log.Error("hob itself has a fault", "chat", name, "panic", p, "stack", string(debug.Stack()))
			err = errFault
		}
	}()
	return f()
}

// foldContained is fold. An event at which hob itself fails has a sentence in its place.
func (c *chatSender) foldContained(ctx context.Context, e event.Event) (items []*item) {
	err := c.senders.contain(c.name, func() error {
		items = c.fold(ctx, e)
		return nil
	})
	if err != nil {
		items = c.messageItems(e.Seq, []markup.Message{{Text: c.words(ctx).Text("fault.shown")}}, options{})
	}
	return items
}
