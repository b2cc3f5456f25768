package outbound

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/telegramtest"
)

// Whatever event of a turn cannot be read, what comes after it is sent once. It is not sent again after a restart: the mark
// has moved on.
func TestAnUnreadableEventIsPassed(t *testing.T) {
	for spoilt := int64(1); spoilt <= 10; spoilt++ {
		t.Run(fmt.Sprint(spoilt), func(t *testing.T) {
			inWorld(t, telegramtest.Options{}, func(w *world) {
				w.stop()
				w.log.Unreadable = spoilt
				turn := w.log.Say(adasChat, "1")
				w.log.Add(adasChat, turn, event.Joined{Said: w.log.Say(adasChat, "and this")}, event.Called{ID: "c", Tool: "fetch"}, event.Asked{ID: "q", CallID: "c", Tool: "fetch", Text: "url: x"},
					event.Decided{ID: "q", CallID: "c", Allow: true, By: "ana"}, event.Returned{ID: "c", Tool: "fetch", OK: true},
					event.Noted{Text: "hm"}, event.Replied{Text: "one"}, event.Ended{})
				w.start()
				w.log.Add(adasChat, w.log.Say(adasChat, "2"), event.Generated{})
				after(time.Second)
				w.log.Add(adasChat, 11, reply("two")...)
				after(time.Second)
				w.stop()
				w.start()
				last := w.log.Say(adasChat, "3")
				w.log.Add(adasChat, last, reply("three")...)
				after(2 * idleAfter)
				count := map[string]int{}
				for _, text := range w.chat.BotTexts() {
					count[text]++
				}
				for _, want := range []string{"one", "two", "three"} {
					if got := count[want]; got > 1 || got == 0 && (want != "one" || spoilt != 9) {
						t.Errorf("%q was sent %d times: %q", want, got, w.chat.BotTexts())
					}
				}
				if mark, err := w.mem.Marked(t.Context(), "told/"+string(adasChat)); mark < last || err != nil {
					t.Errorf("the mark is %d, %v, and the last turn is %d", mark, err, last)
				}
				if slices.Contains(w.chat.BotTexts(), "") {
					t.Error("an empty message was sent")
				}
			})
		})
	}
}

// A reply has its choices though the beginning of its turn cannot be read.
func TestAReplyWithoutABeginningHasItsChoices(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.log.Unreadable = 1
		w.senders.Wake(adasChat)
		turn := w.log.Say(adasChat, "1")
		w.log.Add(adasChat, turn, event.Replied{Text: "one", Choices: []event.Choice{{Label: "on", Text: "go on"}}}, event.Ended{})
		after(time.Second)
		if all := w.chat.FromBot(); len(all) != 1 || len(all[0].Buttons) != 1 {
			t.Errorf("%+v", all)
		}
	})
}

// An event that cannot be read may have ended the turns that were open then, and no other. A chat stays awake for a turn
// that waits for the model since.
func TestATurnAfterAnUnreadableEventStaysOpen(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.log.Unreadable = 2
		w.senders.Wake(adasChat)
		first := w.log.Say(adasChat, "1")
		w.log.Add(adasChat, first, append([]event.Body{event.Noted{Text: "hm"}}, reply("one")...)...)
		waits := w.log.Say(adasChat, "2")
		w.log.Add(adasChat, waits, event.Parked{Reason: event.ParkedForModel, Text: "The model is away."})
		command := w.log.Say(adasChat, "/look")
		w.log.Add(adasChat, command, append([]event.Body{event.Generated{}}, reply("a.txt")...)...)
		after(2 * idleAfter)
		w.log.Add(adasChat, waits, append([]event.Body{event.Resumed{}}, reply("two")...)...)
		after(time.Second)
		want := []string{"one", "The model is away.", "a.txt", "two"}
		if got := w.chat.BotTexts(); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}
