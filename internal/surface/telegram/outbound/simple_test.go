package outbound

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/surface/telegram/telegramtest"
)

// A server that knows little more than messages gets messages. What it does not know holds nothing up. It gets no status
// message: that could not be deleted.
func TestAServerThatKnowsOnlyMessages(t *testing.T) {
	opts := telegramtest.Options{Without: []string{methodDraft, methodTyping, methodEdit, "deleteMessage", "sendDocument"}}
	inWorld(t, opts, func(w *world) {
		w.senders.Wake(adasChat)
		turn := w.log.Say(adasChat, "1")
		w.log.Add(adasChat, turn, called("1", "read_file", `{"path":"a"}`))
		after(10 * time.Second)
		w.log.Add(adasChat, turn, event.Asked{ID: "q", CallID: "1", Tool: "fetch", Text: "url: x"})
		after(time.Second)
		w.log.Add(adasChat, turn, event.Decided{ID: "q", CallID: "1", By: "77"})
		w.log.Add(adasChat, turn, reply("one")...)
		after(time.Second)
		w.log.Add(adasChat, w.log.Say(adasChat, "2"), reply(strings.Repeat("many words\n\n", 5000))...)
		after(time.Second)
		w.log.Add(adasChat, w.log.Say(adasChat, "3"), reply("three")...)
		after(time.Second)
		got := w.chat.BotTexts()
		for i := range got {
			got[i] = got[i][:min(len(got[i]), 40)]
		}
		want := []string{"fetch asks to do this:\n\nurl: x", "one", "many words\n\nmany words\n\nmany words\n\nmany", "The file reply.md was not sent: Telegram", "three"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// Where a status message turns out to stay, there is no second one.
func TestAStatusMessageThatStays(t *testing.T) {
	inWorld(t, telegramtest.Options{Without: []string{methodDraft, "deleteMessage"}}, func(w *world) {
		for _, id := range []string{"1", "2"} {
			w.senders.Wake(adasChat)
			turn := w.log.Say(adasChat, id)
			w.log.Add(adasChat, turn, called(id, "read_file", `{"path":"a"}`))
			after(10 * time.Second)
			w.log.Add(adasChat, turn, reply(id)...)
			synctest.Wait()
		}
		if diff := cmp.Diff([]string{"read_file a", "1", "2"}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}
