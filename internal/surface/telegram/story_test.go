package telegram

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/telegramtest"
)

// What leads a chat takes commands in place of hob's own, but for those that end things.
func TestCommandsThatAStoryTakes(t *testing.T) {
	private := event.Principal{Platform: chat.Platform, Scope: "private", Level: event.Owner}
	group := event.Principal{Platform: chat.Platform, Scope: "group"}
	home := event.Label{Untrusted: true, Source: "telegram group Home"}
	for _, c := range []struct {
		name, text string
		group      bool
		opts       []telegramtest.Option
		want       []session.Input
		told       []string
	}{
		{name: "one of hob's own", text: "/Undo  the last\none", want: []session.Input{
			{From: "77", Text: "/undo the last\none", Principal: private}}},
		{name: "one that hob does not have", text: "/do open the door", want: []session.Input{
			{From: "77", Text: "/do open the door", Principal: private}}},
		{name: "not taken", text: "/status", told: []string{"status telegram/77 77 owner"}},
		{name: "start", text: "/start", told: []string{"Hello, Ada. Write to me, or send me a file. Say “what can you do” for examples; /help lists the commands."}},
		{name: "new", text: "/new", told: []string{"A new conversation begins."}},
		{name: "stop", text: "/stop", told: []string{"Nothing is running."}},
		{name: "a guest's", text: "/do@hob_bot sit", group: true, want: []session.Input{
			{From: "78", Text: "/do sit", Principal: group, Label: home, Own: "/do sit"}}},
		{name: "a guest's, without a name", text: "/do sit", group: true, want: []session.Input{
			{From: "78", Text: "/do sit", Principal: group, Label: home, Own: "/do sit"}}},
		{name: "of another bot", text: "/do@other_bot sit", group: true},
		{name: "that was forwarded", text: "/undo", opts: []telegramtest.Option{telegramtest.Forwarded(telegramtest.User{ID: 5})}, want: []session.Input{
			{From: "77", Text: "/undo", Principal: private, Label: event.Label{Untrusted: true, Source: "telegram message that was forwarded"}}}},
		{name: "a guest's words", text: "@hob_bot I sit down", group: true, want: []session.Input{
			{From: "78", Text: "Bob: I sit down", Principal: group, Label: home, Own: "I sit down"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			atTable(t, telegramtest.Options{SeesAll: true}, func(w *table) {
				w.stop()
				for _, own := range []string{"undo", "do", "start", "new", "stop", "help"} {
					w.taken[own] = false
				}
				w.cfg.Commands = commands.NewTable(echo("undo", commands.Everybody), echo("status", commands.Everybody))
				w.start()
				chat, who, name := w.chat, w.ada, adasChat
				if c.group {
					chat, who, name = w.group, w.bob, tableGroupChat
				}
				chat.Say(who, c.text, c.opts...)
				after(5 * time.Second)
				for i := range c.want {
					c.want[i].Chat, c.want[i].ID = name, fmt.Sprint(w.srv.LastUpdate())
				}
				said := w.said()
				for i := range said {
					said[i].ID = updateOf(said[i].ID)
				}
				w.want("handed in", said, c.want)
				w.want("sent", chat.BotTexts(), c.told)
				w.want("deleted", chat.Deleted(), []int64(nil))
			})
		})
	}
}

// A reply to what the bot said is for it, whoever in the group says it.
func TestARepliedStory(t *testing.T) {
	atTable(t, telegramtest.Options{}, func(w *table) {
		w.turn(tableGroupChat, "You stand in the yard.")
		w.group.Say(w.bob, "I look around", telegramtest.ReplyTo(newest(w.group)))
		w.group.Say(w.bob, "nobody hears this")
		after(time.Second)
		all := w.said()
		if len(all) != 1 || all[0].From != "78" || all[0].Own != "I look around" {
			t.Errorf("handed in: %+v", all)
		}
	})
}

// The message of a discreet command goes, where hob may take it away; what was not taken stays.
func TestDiscreetCommands(t *testing.T) {
	atTable(t, telegramtest.Options{SeesAll: true}, func(w *table) {
		w.taken["x"] = true
		id := w.chat.Say(w.ada, "/x no spiders")
		after(time.Second)
		w.want("deleted", w.chat.Deleted(), []int64{id})
		w.want("handed in", len(w.said()), 1)

		w.group.Say(w.bob, "/x")
		after(time.Second)
		w.want("where hob is no administrator", w.group.Deleted(), []int64(nil))
		w.want("handed in", len(w.said()), 2)
		w.group.JoinBot(telegramtest.Administrator)
		w.srv.Fail(telegramtest.Fault{Method: "deleteMessage", Kind: telegramtest.TooMany, RetryAfter: 5 * time.Second})
		id = w.group.Say(w.bob, "/x")
		after(time.Minute)
		w.want("deleted", w.group.Deleted(), []int64{id})

		w.refuses = &event.Error{Message: "you write too much"}
		w.chat.Say(w.ada, "/x")
		after(time.Second)
		w.want("deleted", len(w.chat.Deleted()), 1)
		w.want("sent", w.chat.BotTexts(), []string{"you write too much"})
	})
}

// wizard asks six things in a row, each in place of the one before.
func wizard(own bool, done func([]string)) commands.Command {
	step := func(_ context.Context, by commands.Request) (commands.Answer, error) {
		picked := strings.Fields(by.Args)[1:] // behind "new"
		n := len(picked)
		if n == 6 {
			done(picked)
			return commands.Answer{Text: "It begins: " + strings.Join(picked, " ") + "."}, nil
		}
		a := commands.Answer{Text: fmt.Sprintf("Question %d of 6", n+1), Choices: [][]commands.Choice{nil}}
		for row := range 2 {
			var line []commands.Choice
			for col := range 3 {
				label := fmt.Sprintf("%c%d%d", 'a'+n, row, col)
				line = append(line, commands.Choice{Label: label, Line: "/gm " + by.Args + " " + label})
			}
			a.Choices = append(a.Choices, line)
		}
		return a, nil
	}
	return commands.Command{Name: "gm", For: commands.Everybody, On: commands.Telegram, Summary: "play", Own: own, Run: step}
}

func TestAWizard(t *testing.T) {
	for _, c := range []struct {
		name       string
		group, own bool
	}{{"in private", false, true}, {"in a group, for all", true, false}, {"in a group, for one", true, true}} {
		t.Run(c.name, func(t *testing.T) {
			atTable(t, telegramtest.Options{Limits: telegramtest.Usual(), SeesAll: true}, func(w *table) {
				var picked []string
				w.stop()
				w.cfg.Commands = commands.NewTable(wizard(c.own, func(p []string) { picked = p }))
				w.start()
				chat, who, other := w.chat, w.ada, w.ada
				if c.group {
					chat, who, other = w.group, w.bob, w.ada // the other has the higher level, and it is not theirs
				}
				chat.Say(who, "/gm new")
				after(time.Second)
				message := newest(chat)
				var want []string
				for n, label := range []string{"a00", "b12", "c01", "d10", "e02", "f11"} {
					first := string(rune('a' + n))
					w.want("rows", keys(chat), []string{
						first + "00 | " + first + "01 | " + first + "02", first + "10 | " + first + "11 | " + first + "12"})
					w.want("asked", chat.BotTexts(), []string{fmt.Sprintf("Question %d of 6", n+1)})
					if c.group && c.own {
						w.want("another's press", w.press(chat, other, message, label), "this button is not for you")
						w.want("shown to them", chat.Toast(other), "this button is not for you")
					} else if n%2 == 1 {
						who, other = other, who
					}
					w.want("press", w.press(chat, who, message, label), "")
					want = append(want, label)
				}
				w.want("picked", picked, want)
				w.want("sent", chat.BotTexts(), []string{"It begins: a00 b12 c01 d10 e02 f11."})
				w.want("buttons", keys(chat), []string(nil))
				m, _ := chat.Message(message)
				w.want("in place", m.Edits, 6)
				w.want("handed in", w.said(), []session.Input(nil))
			})
		})
	}
}
