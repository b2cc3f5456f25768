package telegram

import (
	"testing/synctest"
	"time"

	"hob/internal/event"
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
