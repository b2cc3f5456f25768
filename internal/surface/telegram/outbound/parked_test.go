package outbound

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/surface/telegram/telegramtest"
)

// That a turn waits for the model is sent once. Nothing is shown of it meanwhile. The chat stays awake for its answer,
// also over a restart.
func TestAWaitForTheModelIsSent(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.senders.Wake(adasChat)
		turn := w.log.Say(adasChat, "hello")
		park := event.Parked{Reason: event.ParkedForModel, Text: "The model is away."}
		w.log.Add(adasChat, turn, event.Noted{Text: park.Text}, park)
		after(time.Second)
		shown := len(w.srv.Calls())
		after(time.Hour)
		if n := len(w.srv.Calls()) - shown; n > 0 {
			t.Errorf("%d calls were made while it waits", n)
		}
		w.log.Add(adasChat, turn, event.Resumed{})
		park.Text = ""
		w.log.Add(adasChat, turn, park)
		command := w.log.Say(adasChat, "/look")
		w.log.Add(adasChat, command, reply("a.txt")...)
		after(time.Second)
		w.stop()
		w.start()
		after(time.Hour)
		w.log.Add(adasChat, turn, append([]event.Body{event.Resumed{}}, reply("hello, too")...)...)
		after(time.Second)
		if diff := cmp.Diff([]string{"The model is away.", "a.txt", "hello, too"}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

// The message about a turn that waits for a person has a button, and the chat may fall asleep. What comes of the turn
// later is sent.
func TestAParkedTurnHasAButton(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.senders.Wake(adasChat)
		turn := w.log.Say(adasChat, "hello")
		w.log.Add(adasChat, turn, event.Parked{Reason: event.ParkedBroken, Text: "I set this aside."})
		after(2*idleAfter + time.Second)
		if w.log.Following != 0 {
			t.Error("the chat stays awake for what is parked")
		}
		all := w.chat.Messages()[1:]
		if len(all) != 1 || len(all[0].Buttons) != 1 || all[0].Buttons[0][0].Text != "Try again" {
			t.Fatalf("%+v", all)
		}
		w.senders.Wake(adasChat)
		w.log.Add(adasChat, turn, append([]event.Body{event.Resumed{Again: true}}, reply("hello, too")...)...)
		after(time.Second)
		if diff := cmp.Diff([]string{"I set this aside.", "hello, too"}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

// The status message of a turn that was parked and resumed is deleted after a restart, as that of any other.
func TestAResumedTurnHasOneStatusMessage(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.senders.Wake(groupChat)
		turn := w.log.Say(groupChat, "hello")
		w.log.Add(groupChat, turn, event.Parked{Reason: event.ParkedBroken, Text: "aside"})
		synctest.Wait()
		w.log.Add(groupChat, turn, event.Resumed{Again: true}, called("1", "read_file", `{"path":"a"}`))
		after(11 * time.Second)
		if diff := cmp.Diff([]string{"aside", "read_file a"}, w.group.BotTexts()); diff != "" {
			t.Error(diff)
		}
		w.stop()
		w.start()
		if diff := cmp.Diff([]string{"aside"}, w.group.BotTexts()); diff != "" {
			t.Error(diff)
		}
		w.log.Add(groupChat, turn, called("2", "read_file", `{"path":"b"}`))
		after(11 * time.Second)
		if diff := cmp.Diff([]string{"aside", "read_file a · read_file b"}, w.group.BotTexts()); diff != "" {
			t.Error(diff)
		}
		w.log.Add(groupChat, turn, reply("so")...)
		after(time.Second)
		if diff := cmp.Diff([]string{"aside", "so"}, w.group.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

// A turn that goes on while its status message is there keeps it.
func TestATurnThatGoesOnKeepsItsStatusMessage(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.senders.Wake(groupChat)
		turn := w.log.Say(groupChat, "hello")
		w.log.Add(groupChat, turn, called("1", "read_file", `{"path":"a"}`))
		after(11 * time.Second)
		w.log.Add(groupChat, turn, event.Resumed{}, called("2", "read_file", `{"path":"b"}`))
		after(5 * time.Second)
		if diff := cmp.Diff([]string{"read_file a · read_file b"}, w.group.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}
