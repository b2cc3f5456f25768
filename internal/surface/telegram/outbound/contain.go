package outbound

import (
	"context"
	"errors"
	"runtime/debug"

	"hob/internal/event"
	"hob/internal/surface/telegram/markup"
)

// errFault says that hob itself failed. Trying again is useless.
var errFault = errors.New("hob itself has a fault")

// contain runs f and turns a panic into errFault. A message for one chat must not end hob for the
// others, let alone at every start.
func (s *Senders) contain(name event.Chat, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.cfg.Log.Error("hob itself has a fault", "chat", name, "panic", p, "stack", string(debug.Stack()))
			err = errFault
		}
	}()
	return f()
}

// foldContained is fold, but an event at which hob itself fails becomes a sentence.
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
