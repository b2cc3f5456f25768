package outbound

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/telegramtest"
)

// faulty is a client in which hob itself fails, at a text or at a draft.
type faulty struct{ caller }

func (c faulty) Call(ctx context.Context, method string, p client.Params, out any) error {
	if strings.Contains(p["text"], "boom") {
		panic(p["text"])
	}
	return c.caller.Call(ctx, method, p, out)
}

// A fault of hob's own, in sending, in what is shown while a turn runs or in how an event is shown, ends neither hob nor the chat.
func TestAFaultIsContained(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.stop()
		w.api = faulty{w.api}
		language := func(_ context.Context, of event.Chat) string { return "" }
		w.cfg.Language = func(ctx context.Context, of event.Chat) string { return language(ctx, of) }
		w.start()
		w.senders.Wake(adasChat)
		turn := w.log.Say(adasChat, "1")
		synctest.Wait()
		w.log.Delta(adasChat, turn, event.Delta{Text: "boom in a draft that is long enough"})
		after(3 * time.Second)
		w.log.Add(adasChat, turn, reply("boom")...)
		after(time.Second)
		language = func(context.Context, event.Chat) string { // once, in what makes the message of an event
			language = func(context.Context, event.Chat) string { return "" }
			panic("boom")
		}
		w.log.Add(adasChat, w.log.Say(adasChat, "2"), append([]event.Body{event.Returned{Tool: "note", OK: true, Effects: []event.Effect{{Change: 1}}}}, reply("two")...)...)
		after(time.Second)
		w.log.Add(adasChat, w.log.Say(adasChat, "3"), reply("three")...)
		after(2 * idleAfter)
		if want, got := []string{chat.Words("").Text("fault.shown"), "three"}, w.chat.BotTexts(); !slices.Equal(got, want) {
			t.Errorf("the chat has %q, want %q", got, want)
		}
	})
}
