package telegram

import (
	"context"
	"strings"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/telegramtest"
)

const adasChat = event.Chat("telegram/77")

// after lets so much time pass.
func after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// texts is what the bot has written in a chat, and is still there.
func texts(c *telegramtest.Chat) (all []string) {
	for _, m := range c.FromBot() {
		if m.File != nil {
			all = append(all, "<"+m.File.Kind+" "+m.File.Name+"> "+m.Text)
			continue
		}
		all = append(all, m.Text)
	}
	return all
}

// methods is how often each method was called.
func methods(srv *telegramtest.Server, names ...string) (n int) { return len(srv.Calls(names...)) }

// updateOf is the number of the update that an input's id was made of: behind it stands a hash of the update.
func updateOf(id string) string {
	number, _, _ := strings.Cut(id, "-")
	return number
}

func echo(name string, least event.Level) chat.Command {
	return chat.Command{Name: name, Usage: "[n]", Summary: "say it", Least: least, Run: func(_ context.Context, r chat.Request) (chat.Answer, error) {
		return chat.Answer{Text: name + " " + string(r.Chat) + " " + r.From + " " + r.Level.String() + " " + r.Args}, nil
	}}
}
