package inbound

import (
	"context"
	"testing"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/surface/telegram/telegramtest"
)

// Who corrects a message is told once that it is not read, and nothing is done a second time.
func TestCorrections(t *testing.T) {
	inWorld(t, func(w *world) {
		ran := 0
		w.withCommands(commands.Command{Name: "count", For: commands.Everybody, On: commands.Telegram, Run: func(context.Context, commands.Request) (commands.Answer, error) {
			ran++
			return commands.Answer{Text: "counted"}, nil
		}})
		edit := func(c *telegramtest.Chat, id int64, text string) {
			c.Edit(id, text)
			w.step(time.Second)
		}
		words, command := w.chat.Say(w.ada, "by milk"), w.chat.Say(w.ada, "/count")
		w.step(time.Second)
		edit(w.chat, words, "by milk") // a preview came, or the like
		w.want("nothing was corrected", w.chat.BotTexts(), []string{"counted"})
		edit(w.chat, words, "buy milk")
		edit(w.chat, words, "buy milk!")
		edit(w.chat, command, "/count 2")
		w.want("sent", w.chat.BotTexts(), []string{"counted", notRead, notRead})
		w.want("below", w.chat.FromBot()[1].ReplyTo, words)
		w.stop()
		w.start() // nobody knows any more what it said
		edit(w.chat, words, "buy milk, and bread")
		w.want("sent after a restart", len(w.chat.BotTexts()), 4)
		w.want("heard", w.ses.texts(), []string{"by milk"})
		w.want("ran", ran, 1)

		eve := w.srv.User(666, "Eve")
		his := w.srv.Private(eve)
		code := his.Say(eve, "hello")
		edit(his, code, "AAAA-AAAA")
		w.want("a stranger", his.BotTexts(), []string(nil))

		g, bob := w.home()
		aside, meant := g.Say(bob, "hello all"), g.Say(bob, "@hob_bot hello")
		w.step(time.Second)
		edit(g, aside, "hello, all")
		w.want("what was for others", g.BotTexts(), []string(nil))
		edit(g, meant, "@hob_bot good day")
		edit(g, aside, "@hob_bot hello")
		w.want("in a group", g.BotTexts(), []string{notRead, notRead})
		w.want("undone", w.undone(), 0)
		w.let(adaID, event.Owner)
	})
}

// A command that there is not is answered with the one of the list that was meant.
func TestACommandThatThereIsNot(t *testing.T) {
	inWorld(t, func(w *world) {
		w.stop()
		w.cfg.Commands = commands.NewTable(echo("status", commands.Everybody), echo("undo", commands.Everybody), echo("tools", commands.Owners))
		w.cfg.Tool = func(_ context.Context, _ commands.Request, name string) (string, bool) { return name, name == "job" }
		w.cfg.Nearest = func(word string, words []string) string {
			for _, w := range words {
				if len(word) > 2 && len(w) > 2 && w[:3] == word[:3] {
					return w
				}
			}
			return ""
		}
		w.start()
		ben := w.srv.User(81, "Ben")
		w.let(81, event.User)
		his := w.srv.Private(ben)
		for _, text := range []string{"/stauts", "/stats now", "/tolls", "/job", "/bogus"} {
			his.Say(ben, text)
			w.step(time.Second)
		}
		w.want("sent", his.BotTexts(), []string{"There is no command /stauts: did you mean /start?", "There is no command /stats: did you mean /start?"})
		w.want("handed in", w.ses.texts(), []string{"/tolls", "/job", "/bogus"})
	})
}
