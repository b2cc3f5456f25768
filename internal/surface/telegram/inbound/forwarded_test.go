package inbound

import (
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/telegramtest"
)

// What was forwarded says so in one field since Bot API 7.0, and in others before. A server of somebody's own may be older.
func TestAnyFieldOfAForwardedMessage(t *testing.T) {
	eve := map[string]any{"id": 5, "is_bot": false, "first_name": "Eve"}
	for _, c := range []struct {
		name   string
		fields map[string]any
	}{
		{"from a person", map[string]any{"forward_from": eve, "forward_date": 1}},
		{"from a person who hides", map[string]any{"forward_sender_name": "Eve", "forward_date": 1}},
		{"from a channel", map[string]any{"forward_from_chat": map[string]any{"id": -100777, "type": "channel", "title": "News"},
			"forward_from_message_id": 9, "forward_signature": "Eve", "forward_date": 1}},
		{"only with a date", map[string]any{"forward_date": 1}},
		{"with a date of 0", map[string]any{"forward_date": 0}},
		{"with an empty origin", map[string]any{"forward_origin": nil}},
		{"in a way that is not known yet", map[string]any{"forward_by_courier": "x"}},
		{"in capitals", map[string]any{"Forward_Date": 1}},
		{"to the group of a channel", map[string]any{"is_automatic_forward": true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				var opts []telegramtest.Option
				for field, value := range c.fields {
					opts = append(opts, telegramtest.With(field, value))
				}
				w.chat.Say(w.ada, "/new", opts...)
				w.step(time.Second)
				if len(w.ses.inputs) != 1 || w.ses.resets != 0 {
					t.Fatalf("heard %+v, and began anew %d times", w.ses.inputs, w.ses.resets)
				}
				w.want("label", w.ses.inputs[0].Label, event.Label{Untrusted: true, Source: "telegram message that was forwarded"})
			})
		})
	}
	t.Run("not forwarded", func(t *testing.T) {
		inWorld(t, func(w *world) {
			w.chat.Say(w.ada, "send it forward_date", telegramtest.With("is_automatic_forward", false))
			w.step(time.Second)
			w.want("label", w.ses.inputs[0].Label, event.Label{})
		})
	})
}
