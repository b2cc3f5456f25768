package inbound

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/telegramtest"
)

func TestParseCommand(t *testing.T) {
	for text, want := range map[string]command{
		"/help":                        {name: "help"},
		"/Help@hob_bot  a\nb ":         {name: "help", bot: "hob_bot", args: "a\nb"},
		" /log 3":                      {name: "log", args: "3"},
		"/etc/fstab is broken":         {},
		"/etc":                         {name: "etc"},
		"/":                            {},
		"// a comment":                 {},
		"/2 of them":                   {},
		"/a@":                          {},
		"/ü":                           {name: "ü"},
		"/天气 北京":                       {name: "天气", args: "北京"},
		"/rain-radar.v2 x":             {name: "rain-radar.v2", args: "x"},
		"/etc.":                        {},
		"/-":                           {},
		"/wo\u200brd":                  {},
		"say /help":                    {},
		"/" + strings.Repeat("a", 129): {},
	} {
		got, ok := parseCommand(text)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(command{})); diff != "" || ok != (want != command{}) {
			t.Errorf("%q: %v %s", text, ok, diff)
		}
	}
}

// withCommands starts again with commands that say what they were given.
func (w *world) withCommands(all ...commands.Command) {
	w.stop()
	w.cfg.Commands = commands.NewTable(all...)
	w.start()
}

func echo(name string, audience commands.Audience) commands.Command {
	return commands.Command{Name: name, Args: []commands.Arg{{Name: "n"}}, Summary: "say it", For: audience, On: commands.Telegram, Run: func(_ context.Context, r commands.Request) (commands.Answer, error) {
		return commands.Answer{Text: name + " " + string(r.Chat) + " " + r.From + " " + r.Level.String() + " " + r.Args}, nil
	}}
}

func TestCommands(t *testing.T) {
	inWorld(t, func(w *world) {
		private := echo("tools", commands.Owners)
		private.Private = true
		failing := commands.Command{Name: "undo", For: commands.Everybody, On: commands.Telegram, Summary: "take back", Run: func(context.Context, commands.Request) (commands.Answer, error) {
			return commands.Answer{}, &event.Error{Message: "there is nothing to take back", Suggestion: "see /log"}
		}}
		silent := commands.Command{Name: "quiet", For: commands.Everybody, On: commands.Telegram, Summary: "say nothing", Run: func(context.Context, commands.Request) (commands.Answer, error) { return commands.Answer{}, nil }}
		w.withCommands(echo("status", commands.Everybody), private, failing, silent)
		ben := w.srv.User(81, "Ben")
		w.let(81, event.User)
		for _, c := range []struct{ text, want string }{
			{"/start", "Hello, Ada. Write to me, or send me a file. Say “what can you do” for examples; /help lists the commands."},
			{"/status now", "status telegram/77 77 owner now"},
			{"/STATUS@hob_bot", "status telegram/77 77 owner "},
			{"/undo", "there is nothing to take back; see /log"},
			{"/quiet", "Done."},
			{"/nosuch", "There is no command /nosuch: /help lists them."},
			{"/new", "A new conversation begins."},
			{"/stop", "Nothing is running."},
			{"/pair AAAA-AAAA", "This code is not good, or not any more. You are let in already: write to me, or see /help."},
		} {
			w.chat.Say(w.ada, c.text)
			w.step(time.Second)
			all := w.chat.BotTexts()
			w.want(c.text, all[len(all)-1], strings.TrimSpace(c.want))
		}
		w.chat.Say(w.ada, "/etc/fstab is broken")
		w.chat.Say(w.ada, "/status@other_bot is a bot")
		w.step(time.Second)
		w.want("no commands", w.ses.texts(), []string{"/etc/fstab is broken", "/status@other_bot is a bot"})

		his := w.srv.Private(ben)
		his.Say(ben, "/tools")
		w.step(time.Second)
		his.Say(ben, "/help")
		w.step(time.Second)
		all := his.BotTexts()
		w.want("above one's level", all[0], "There is no command /tools: /help lists them.")
		if !strings.Contains(all[1], "- /status [n]: say it") || strings.Contains(all[1], "/tools") || !strings.Contains(all[1], "- /stop: ") {
			t.Errorf("help %q", all[1])
		}

		g, bob := w.home()
		g.Say(bob, "/nosuch") // of another bot
		g.Say(bob, "/nosuch@hob_bot")
		g.Say(bob, "/status@other_bot")
		g.Say(w.ada, "/tools")
		g.Say(bob, "@hob_bot /status 1")
		w.step(time.Second)
		w.want("in a group", g.BotTexts(), []string{"There is no command /nosuch: /help lists them.",
			"/tools is for a private chat with me.", "status telegram/-1001234567890 78 user 1"})
		w.want("reply", g.FromBot()[2].ReplyTo != 0, true)
	})
}

// A command that acts is not done again after a crash; one that only looks is.
func TestCommandsThatWereCutShort(t *testing.T) {
	inWorld(t, func(w *world) {
		runs := map[string]int{}
		hang := func(name string, acts bool) commands.Command {
			return commands.Command{Name: name, For: commands.Everybody, On: commands.Telegram, Summary: "hang once", Acts: acts, Run: func(ctx context.Context, _ commands.Request) (commands.Answer, error) {
				if runs[name]++; runs[name] == 1 {
					<-ctx.Done()
					return commands.Answer{}, context.Cause(ctx)
				}
				return commands.Answer{Text: name}, nil
			}}
		}
		w.withCommands(hang("undo", true), hang("log", false))
		w.chat.Say(w.ada, "/undo 3")
		w.step(time.Second)
		w.stop()
		w.start()
		w.step(time.Second)
		w.want("sent", w.chat.BotTexts(), []string{"hob was cut short while doing /undo: look at what it did before you repeat it."})
		w.chat.Say(w.ada, "/log")
		w.step(time.Second)
		w.stop()
		w.start()
		w.step(time.Second)
		w.want("runs", runs, map[string]int{"undo": 1, "log": 2})
		w.want("sent", w.chat.BotTexts()[1:], []string{"log"})
		w.want("undone", w.undone(), 0)
	})
}

// The state of a command that acts is durable before it runs, however often that takes.
func TestACommandWaitsForTheStore(t *testing.T) {
	inWorld(t, func(w *world) {
		ran := false
		w.withCommands(commands.Command{Name: "undo", For: commands.Everybody, On: commands.Telegram, Acts: true, Run: func(context.Context, commands.Request) (commands.Answer, error) {
			left, _ := w.mem.Undone(t.Context(), chat.Platform)
			if ran = true; len(left) != 1 || left[0].State != event.UpdateBegun {
				return commands.Answer{}, errors.New("not noted")
			}
			return commands.Answer{Text: "undone"}, nil
		}})
		w.mem.fails = map[string]int{"SetUpdate begun": 3, "SetUpdate done": 3}
		w.chat.Say(w.ada, "/undo")
		w.step(time.Second)
		w.want("ran", ran, false)
		w.step(time.Minute)
		w.want("sent", w.chat.BotTexts(), []string{"undone"})
		w.want("undone", w.undone(), 0)
	})
}

// A stop waits for nothing that its chat waits for.
func TestStopWhileADownloadHangs(t *testing.T) {
	inWorld(t, func(w *world) {
		w.srv.Fail(telegramtest.Fault{Method: "file", Kind: telegramtest.HangBefore})
		w.ses.running = true
		w.chat.Say(w.ada, "", telegramtest.Document("a.pdf", "application/pdf", []byte("abc")))
		w.step(time.Second)
		w.chat.Say(w.ada, "and then this")
		w.chat.Say(w.ada, "/stop")
		w.step(0)
		w.want("stopped at once", w.ses.running, false)
		w.want("heard", w.ses.texts(), []string(nil))
		w.chat.Say(w.ada, "/stop")
		w.step(0)
		w.want("sent again", w.chat.BotTexts(), []string{"Nothing is running."})
		w.step(10 * time.Minute)
		w.want("what waited is heard", w.ses.texts(), []string{"[file: inbox/a.pdf, application/pdf, 3 B]", "and then this"})
		w.want("undone", w.undone(), 0)
	})
}

func TestStopBelowADraft(t *testing.T) {
	inWorld(t, func(w *world) {
		w.ses.running = true
		w.srv.Inject(`{"stopped_message_generation":{"chat":{"id":77,"type":"private"},"draft_id":4}}`)
		w.step(0)
		w.want("stopped", []any{w.ses.stops, w.ses.running}, []any{1, false})
		w.want("sent", w.chat.BotTexts(), []string(nil))
	})
}

// A button below the answer to a command may call a tool: the call is handed in, for who has pressed, and the other buttons stay.
func TestButtonsThatCallATool(t *testing.T) {
	inWorld(t, func(w *world) {
		zone := commands.Command{Name: "zone", For: commands.Everybody, On: commands.Telegram, Summary: "set it", Run: func(context.Context, commands.Request) (commands.Answer, error) {
			return commands.Answer{Text: "Set.", Choices: [][]commands.Choice{{{Label: "#5", Line: "/reminder 5 zone=Europe/Berlin"}}, {{Label: "#7", Line: "/reminder 7 zone=Europe/Berlin"}}}}, nil
		}}
		w.withCommands(zone)
		g, _ := w.home()
		w.let(adaID, event.Owner)
		for _, at := range []*telegramtest.Chat{w.chat, g} {
			w.ses.inputs = nil
			at.Say(w.ada, "/zone@hob_bot Berlin")
			w.step(time.Second)
			message := at.FromBot()[0].ID
			for i, label := range []string{"#5", "#7"} {
				m, _ := at.Message(message)
				w.want("buttons", len(m.Buttons), 2-i)
				w.want("shown", w.pressed(at, w.ada, message, m.Buttons[0][0].Data), "")
				got := w.ses.inputs[i]
				w.want(label, []any{got.Text, got.Command, got.From, got.Level}, []any{"/reminder " + label[1:] + " zone=Europe/Berlin", true, "77", event.Owner})
				w.want("label", got.Label.Untrusted, at == g)
			}
			m, _ := at.Message(message)
			w.want("buttons", fmt.Sprint(m.Buttons), "[]")
		}
	})
}
