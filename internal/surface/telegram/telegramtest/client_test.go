package telegramtest_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"hob/internal/surface/telegram/telegramtest"
)

// A library that was written for the real server gets along with this one.
func TestAKnownClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := telegramtest.New(telegramtest.Options{})
		ada := srv.User(77, "Ada")
		chat := srv.Private(ada)
		client := &http.Client{Transport: srv.Transport()}
		bot, err := tgbotapi.NewBotAPIWithClient(srv.Token(), "http://x/bot%s/%s", client)
		if err != nil {
			t.Fatal(err)
		}
		if bot.Self.UserName != "hob_bot" {
			t.Errorf("getMe: %q", bot.Self.UserName)
		}
		go func() {
			<-time.After(20 * time.Second)
			chat.Say(ada, "/start now")
		}()
		start := time.Now()
		updates, err := bot.GetUpdates(tgbotapi.UpdateConfig{Timeout: 50})
		if err != nil || len(updates) != 1 {
			t.Fatal(updates, err)
		}
		if waited := time.Since(start); waited != 20*time.Second {
			t.Errorf("the long poll took %v", waited)
		}
		if got := updates[0].Message; got.Command() != "start" || got.From.ID != 77 {
			t.Errorf("got %+v", got)
		}
		out := tgbotapi.NewMessage(77, "  Shall I? 😀  ")
		out.Entities = []tgbotapi.MessageEntity{{Type: "bold", Offset: 2, Length: 5}}
		out.ReplyMarkup = tgbotapi.NewInlineKeyboardMarkup(tgbotapi.NewInlineKeyboardRow(tgbotapi.NewInlineKeyboardButtonData("Yes", "y:1")))
		sent, err := bot.Send(out)
		if err != nil {
			t.Fatal(err)
		}
		if sent.Text != "Shall I? 😀" || sent.Entities[0].Offset != 0 {
			t.Errorf("sent %+v", sent)
		}
		press := chat.Press(ada, int64(sent.MessageID), "Yes")
		updates, err = bot.GetUpdates(tgbotapi.UpdateConfig{Offset: updates[0].UpdateID + 1, Timeout: 50})
		if err != nil || len(updates) != 1 || updates[0].CallbackData() != "y:1" {
			t.Fatal(updates, err)
		}
		if _, err := bot.Request(tgbotapi.NewCallback(updates[0].CallbackQuery.ID, "done")); err != nil {
			t.Error(err)
		}
		if cb, _ := srv.Callback(press); !cb.Answered || cb.Text != "done" {
			t.Errorf("callback %+v", cb)
		}
		if _, err := bot.Send(tgbotapi.NewEditMessageText(77, sent.MessageID, "You said yes.")); err != nil {
			t.Error(err)
		}
		if _, err := bot.Send(tgbotapi.NewDocument(77, tgbotapi.FileBytes{Name: "a.txt", Bytes: []byte("hello")})); err != nil {
			t.Error(err)
		}
		shown := chat.FromBot()
		if len(shown) != 2 || shown[0].Text != "You said yes." || shown[0].Edits != 1 || len(shown[0].Buttons) != 0 ||
			string(shown[1].File.Data) != "hello" {
			t.Errorf("shown %+v", shown)
		}
	})
}
