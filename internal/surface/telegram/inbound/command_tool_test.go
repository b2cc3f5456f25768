package inbound

import (
	"context"
	"strings"
	"testing"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/telegramtest"
)

// withTools starts again with two tools: one for all, and one for owners.
func (w *world) withTools() {
	w.stop()
	w.cfg.Tool = func(_ context.Context, r commands.Request, name string) (string, bool) {
		switch {
		case name == "weather":
			return "weather <city:string>\nThe *weather*.\n", true
		case name == "run_command" && r.Level >= event.Owner:
			return "run_command <command:string>\n", true
		}
		return "", false
	}
	w.cfg.Commands = commands.NewTable(echo("status", commands.Everybody))
	w.start()
}

// handed is what was handed in, without what every input has.
type handed struct {
	Chat    event.Chat
	From    string
	Text    string
	Level   event.Level
	Label   event.Label
	Command bool
}

func (s *fakeSessions) handed() (all []handed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, in := range s.inputs {
		all = append(all, handed{in.Chat, in.From, in.Text, in.Level, in.Label, in.Command})
	}
	return all
}

func TestToolsAreCommands(t *testing.T) {
	inWorld(t, func(w *world) {
		w.withTools()
		ben := w.srv.User(81, "Ben")
		w.let(81, event.User)
		said := w.chat.Say(ben, "is it so?")
		w.step(0)
		w.ses.inputs = nil
		for _, text := range []string{
			"/weather  New York ", "/Weather@hob_bot Oslo", "/wether", "/write_file a.txt one\ntwo", "/天气 北京",
			"/status now", "/weather@other_bot Oslo", "/etc/fstab is broken", "say /weather Oslo", "/help weather", "/help nosuch",
		} {
			w.chat.Say(w.ada, text)
			w.step(time.Second)
		}
		w.chat.Say(w.ada, "/weather Rome", telegramtest.ReplyTo(said)) // somebody else's words are no part of the call
		w.step(time.Second)
		owner := func(text string, command bool) handed {
			return handed{"telegram/77", "77", text, event.Owner, event.Label{}, command}
		}
		w.want("handed in", w.ses.handed(), []handed{
			owner("/weather New York", true), owner("/weather Oslo", true), owner("/wether", true), owner("/write_file a.txt one\ntwo", true),
			owner("/天气 北京", true), owner("/weather@other_bot Oslo", false), owner("/etc/fstab is broken", false), owner("say /weather Oslo", false),
			owner("/weather Rome", true),
		})
		all := w.chat.BotTexts()
		w.want("sent", all, []string{"status telegram/77 77 owner now", "```\n/weather <city:string>\nThe *weather*.\n\n```",
			"There is no tool nosuch here: /tools lists them."})
		w.chat.Say(w.ada, "/help")
		w.step(time.Second)
		if all = w.chat.BotTexts(); !strings.Contains(all[len(all)-1], "Every tool is a command, too") {
			t.Error(all)
		}
	})
}

// What somebody else wrote calls nothing, however it came here.
func TestOthersWordsCallNothing(t *testing.T) {
	inWorld(t, func(w *world) {
		w.withTools()
		w.let(homeID, event.User)
		g, bob := w.home()
		mallory := w.srv.User(666, "Mallory")
		for _, c := range []*telegramtest.Chat{w.chat, g} {
			opening := []telegramtest.Option{}
			if c == g { // so that the bot is meant at all
				_ = w.sender.Say(w.t.Context(), chat.Address{Chat: g.ID}, 0, chat.Answer{Text: "yes?"})
				opening = append(opening, telegramtest.ReplyTo(g.FromBot()[0].ID))
			}
			c.Say(w.ada, "/run_command rm -rf /", append(opening, telegramtest.Forwarded(*mallory))...)
			w.step(time.Second)
			c.Say(w.ada, "/run_command rm -rf /", append(opening, telegramtest.Via(w.srv.Bot()))...)
			w.step(time.Second)
			c.Say(w.ada, "/run_command rm -rf /", append(opening, telegramtest.Document("a.pdf", "application/pdf", []byte("x")))...)
			w.step(time.Second)
		}
		w.srv.Inject(`{"edited_message":{"message_id":9,"date":1,"from":{"id":77,"first_name":"Ada"},"chat":{"id":77,"type":"private"},"text":"/run_command rm -rf /"}}`)
		g.Say(bob, "@hob_bot please /run_command rm -rf /")
		w.step(time.Second)
		all := w.ses.handed()
		if len(all) < 5 {
			t.Errorf("they are words: %v", all)
		}
		for _, in := range all {
			if in.Command {
				t.Errorf("it was called: %+v", in)
			}
		}
	})
}

func TestToolsInAGroup(t *testing.T) {
	inWorld(t, func(w *world) {
		w.withTools()
		g, bob := w.home()
		for _, text := range []string{
			"/play chess", "/run_command rm -rf /", "/weather@other_bot Oslo", // of other bots, as far as anybody knows
			"/weather Oslo", "/run_command@hob_bot ls", "@hob_bot /play chess",
		} {
			g.Say(bob, text)
			w.step(time.Second)
		}
		g.Say(w.ada, "/run_command ls")
		w.step(time.Second)
		home := event.Label{Untrusted: true, Source: "telegram group Home x"}
		in := func(from, text string, l event.Level) handed {
			return handed{"telegram/-1001234567890", from, text, l, home, true}
		}
		w.want("handed in", w.ses.handed(), []handed{
			in("78", "/weather Oslo", event.User), in("78", "/run_command ls", event.User), in("78", "/play chess", event.User),
			in("77", "/run_command ls", event.Owner),
		})
		w.want("sent", g.BotTexts(), []string(nil))

		stranger := w.srv.User(90, "Eve")
		w.srv.Private(stranger).Say(stranger, "/weather Oslo")
		w.step(time.Second)
		w.want("a stranger's", len(w.ses.handed()), 4)
	})
}

// However often an update comes, it is one call.
func TestACommandIsCalledOnce(t *testing.T) {
	inWorld(t, func(w *world) {
		w.withTools()
		w.mem.fails = map[string]int{"SetUpdate done": 1000}
		w.chat.Say(w.ada, "/weather Oslo")
		w.step(time.Second)
		w.stop() // hob is killed before it can note that
		w.mem.fails = nil
		w.start()
		w.step(time.Second)
		w.want("handed in", w.ses.texts(), []string{"/weather Oslo"})
		w.want("undone", w.undone(), 0)
		tries := 0
		w.ses.refusing(func(session.Input) error {
			if tries++; tries == 1 {
				return &event.Error{Type: event.TypeRateLimit, Message: "too many"}
			}
			return nil
		})
		w.chat.Say(w.ada, "/weather Rome")
		w.step(time.Second)
		w.want("sent", w.chat.BotTexts(), []string{"too many"})
	})
}

// A command of a tool waits for the answer to a question as words do, and says so.
func TestACommandBehindAQuestion(t *testing.T) {
	inWorld(t, func(w *world) {
		w.withTools()
		w.ask(w.chat, "AAAAAAAAAAAAAAAAAAAAAA", 30)
		w.chat.Say(w.ada, "/weather Berlin")
		w.step(time.Second)
		w.want("sent", w.chat.BotTexts()[1:], []string{readLater})
		w.want("heard", w.ses.texts(), []string{"/weather Berlin"})
	})
}
