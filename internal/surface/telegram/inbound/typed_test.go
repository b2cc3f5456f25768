package inbound

import (
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/telegramtest"
)

// Typed are the words of somebody who was let in, and nothing that came with them: no caption, no quote, no code that was copied.
func TestTyped(t *testing.T) {
	entity := func(kind string, length int) telegramtest.Option {
		return telegramtest.With("entities", []any{map[string]any{"type": kind, "offset": 0, "length": length}})
	}
	for _, c := range []struct {
		name  string
		say   func(w *world, g *telegramtest.Chat, bob *telegramtest.User)
		typed bool
	}{
		{"words", func(w *world, _ *telegramtest.Chat, _ *telegramtest.User) { w.chat.Say(w.ada, "undo that") }, true},
		{"bold words", func(w *world, _ *telegramtest.Chat, _ *telegramtest.User) {
			w.chat.Say(w.ada, "undo that", entity("bold", 4))
		}, true},
		{"in a group", func(w *world, g *telegramtest.Chat, _ *telegramtest.User) { g.Say(w.ada, "@hob_bot undo that") }, true},
		{"an answer to hob", func(w *world, _ *telegramtest.Chat, _ *telegramtest.User) {
			w.chat.Say(w.ada, "undo", telegramtest.ReplyTo(w.botSays(w.chat)))
		}, true},
		{"an answer to hob, in a group", func(w *world, g *telegramtest.Chat, _ *telegramtest.User) {
			g.Say(w.ada, "undo", telegramtest.ReplyTo(w.botSays(g)))
		}, true},
		{"an answer to hob, of a guest", func(w *world, g *telegramtest.Chat, bob *telegramtest.User) {
			g.Say(bob, "undo", telegramtest.ReplyTo(w.botSays(g)))
		}, false},
		{"an answer to hob that quotes", func(w *world, _ *telegramtest.Chat, _ *telegramtest.User) {
			w.chat.Say(w.ada, "undo that", telegramtest.ReplyTo(w.botSays(w.chat)), entity("blockquote", 9))
		}, false},
		{"an answer to somebody else", func(w *world, g *telegramtest.Chat, bob *telegramtest.User) {
			g.Say(w.ada, "@hob_bot undo", telegramtest.ReplyTo(g.Say(bob, "milk is added")))
		}, false},
		{"of a guest", func(_ *world, g *telegramtest.Chat, bob *telegramtest.User) { g.Say(bob, "@hob_bot undo that") }, false},
		{"of a guest who is an admin", func(w *world, g *telegramtest.Chat, _ *telegramtest.User) {
			g.Say(w.srv.User(79, "Cem"), "@hob_bot undo that")
		}, false},
		{"a quote", func(w *world, _ *telegramtest.Chat, _ *telegramtest.User) {
			w.chat.Say(w.ada, "undo that", entity("blockquote", 9))
		}, false},
		{"a folded quote", func(w *world, _ *telegramtest.Chat, _ *telegramtest.User) {
			w.chat.Say(w.ada, "undo that", entity("expandable_blockquote", 9))
		}, false},
		{"code", func(w *world, _ *telegramtest.Chat, _ *telegramtest.User) {
			w.chat.Say(w.ada, "undo that", entity("code", 9))
		}, false},
		{"lines of code", func(w *world, _ *telegramtest.Chat, _ *telegramtest.User) {
			w.chat.Say(w.ada, "undo that", entity("pre", 9))
		}, false},
		{"below what is not known yet", func(w *world, _ *telegramtest.Chat, _ *telegramtest.User) {
			w.chat.Say(w.ada, "", telegramtest.With("paid_media", map[string]any{"star_count": 1}), telegramtest.With("caption", "undo that"))
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				g, bob := w.home()
				w.let(adaID, event.Owner)
				c.say(w, g, bob)
				w.step(time.Second)
				if len(w.ses.inputs) != 1 {
					t.Fatalf("handed in %+v", w.ses.inputs)
				}
				w.want("typed", w.ses.inputs[0].Typed, c.typed)
			})
		})
	}
}

// botSays sends words of the bot's own to a chat, and others behind them, and returns their id.
func (w *world) botSays(c *telegramtest.Chat) int64 {
	w.t.Helper()
	for _, text := range []string{"added to shopping: milk", "anything else?"} {
		if err := w.sender.Say(w.t.Context(), chat.Address{Chat: c.ID}, 0, chat.Answer{Text: text}); err != nil {
			w.t.Fatal(err)
		}
	}
	all := c.FromBot()
	return all[len(all)-2].ID
}
