package telegram

import (
	"context"
	"testing"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/surface/telegram/telegramtest"
)

// What a command, or a press below its answer, hands in is told without another word of anybody's.
func TestWhatACommandHandsIn(t *testing.T) {
	atTable(t, telegramtest.Options{}, func(w *table) {
		w.stop()
		play := func(text string) {
			turn := w.log.Say(adasChat, text)
			w.log.Add(adasChat, turn, event.Replied{Text: text}, event.Ended{Reason: event.Done})
		}
		w.cfg.Commands = commands.NewTable(commands.Command{Name: "game", For: commands.Everybody, On: commands.Telegram, Run: func(_ context.Context, by commands.Request) (commands.Answer, error) {
			if by.Args == "this" {
				play("It goes on.")
				return commands.Answer{Text: "This."}, nil
			}
			play("It begins.")
			return commands.Answer{Text: "Which?", Choices: [][]commands.Choice{{{Label: "this", Line: "/game this"}}}}, nil
		}})
		w.start()
		w.chat.Say(w.ada, "/game")
		after(time.Second)
		question := int64(0)
		for _, m := range w.chat.FromBot() {
			if m.Text == "Which?" {
				question = m.ID
			}
		}
		w.want("first", len(w.chat.BotTexts()), 2)
		after(2 * time.Minute) // the chat sleeps
		w.press(w.chat, w.ada, question, "this")
		after(time.Second)
		w.want("sent", len(w.chat.BotTexts()), 3)
	})
}

// What somebody answers to hob's words in private is apart from these words.
func TestOwnWordsOfAReply(t *testing.T) {
	atTable(t, telegramtest.Options{}, func(w *table) {
		w.turn(adasChat, "You stand in the yard.")
		at := newest(w.chat)
		w.turn(adasChat, "It rains.")
		w.chat.Say(w.ada, "I look around", telegramtest.ReplyTo(at))
		after(time.Second)
		all := w.said()
		if len(all) != 1 || all[0].Own != "I look around" || all[0].Text == all[0].Own {
			t.Errorf("handed in: %+v", all)
		}
	})
}

// A choice can be pressed as soon as its message is seen, also before hob has noted which message that is.
func TestAPressBeforeTheMessageIsNoted(t *testing.T) {
	atTable(t, telegramtest.Options{}, func(w *table) {
		w.srv.Fail(telegramtest.Fault{Method: "sendMessage", Kind: telegramtest.Slow, Delay: 300 * time.Millisecond})
		turn := w.log.Say(adasChat, "input")
		w.log.Add(adasChat, turn, event.Replied{Text: "Where to?", Choices: []event.Choice{{Label: "north", Text: "go north"}}}, event.Ended{Reason: event.Done})
		w.chat.Say(w.ada, "go on")
		after(100 * time.Millisecond)
		w.want("pressed", w.press(w.chat, w.ada, newest(w.chat), "north"), "")
		w.want("handed in", len(w.said()), 1)
	})
}
