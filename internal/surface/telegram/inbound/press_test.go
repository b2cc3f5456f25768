package inbound

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"hob/internal/commands"
	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/telegramtest"
)

// ask sends a question to a chat as it would be sent, and returns the id of its message.
func (w *world) ask(c *telegramtest.Chat, id string, seq int64, grants ...event.Grant) int64 {
	w.t.Helper()
	w.ses.mu.Lock()
	if w.ses.waiting == nil {
		w.ses.waiting = map[string]bool{}
	}
	w.ses.waiting[id] = true
	w.ses.mu.Unlock()
	return w.sendEvent(c, event.Event{Seq: seq, Body: event.Asked{ID: id, Text: "may it?", Grants: grants}})
}

// sendEvent sends a message to a chat that is a part of an event, and returns its id.
func (w *world) sendEvent(c *telegramtest.Chat, e event.Event) int64 {
	w.t.Helper()
	ctx := w.t.Context()
	at := chat.Address{Chat: c.ID}
	e.Chat = at.Name()
	w.ses.mu.Lock()
	w.ses.events = append(w.ses.events, e)
	w.ses.mu.Unlock()
	if err := w.sender.Say(ctx, at, 0, chat.Answer{Text: "may it?"}); err != nil {
		w.t.Fatal(err)
	}
	all := c.FromBot()
	message := all[len(all)-1].ID
	s, err := w.mem.BeginSend(ctx, at.Name(), e.Seq, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	s.State, s.Message = event.SendSent, message
	if err := w.mem.SetSend(ctx, s, "", 0); err != nil {
		w.t.Fatal(err)
	}
	return message
}

// pressed presses and returns what was shown for it.
func (w *world) pressed(c *telegramtest.Chat, u *telegramtest.User, message int64, data string) string {
	w.t.Helper()
	id := c.Press(u, message, data)
	w.step(time.Second)
	cb, known := w.srv.Callback(id)
	if !known || !cb.Answered {
		return "not answered"
	}
	return cb.Text
}

func TestPressesOfQuestions(t *testing.T) {
	const qid = "AAAAAAAAAAAAAAAAAAAAAA"
	grant := event.Grant{Tool: "fetch", Host: "example.org"}
	standing := event.Principal{Platform: "telegram", Scope: "private", Level: event.Owner}
	yes := session.Answer{Chat: "telegram/77", ID: qid, Allow: true, By: "77", Principal: standing}
	no, always := yes, yes
	no.Allow, always.Grants = false, []event.Grant{grant}
	for _, c := range []struct {
		name, data string
		grants     []event.Grant
		press      func(w *world, message int64) string // nil: Ada presses data
		shown      string
		want       []session.Answer
	}{
		{name: "yes", data: "y:" + qid, shown: "Allowed once.", want: []session.Answer{yes}},
		{name: "no", data: "n:" + qid, shown: "Denied.", want: []session.Answer{no}},
		{name: "always", data: "a:" + qid, grants: []event.Grant{grant}, shown: "Allowed from now on: fetch on example.org.", want: []session.Answer{always}},
		{name: "always, which it does not offer", data: "a:" + qid, shown: oldQuestion},
		{name: "another question's id", data: "y:BBBBBBBBBBBBBBBBBBBBBB", shown: oldQuestion},
		{name: "no id", data: "y:", shown: oldQuestion},
		{name: "what no button has", data: "x", shown: oldButton},
		{name: "a button that nobody has sent", data: "b:AAAAAAAAAAAAAAAAAAAAAA", shown: oldButton},
		{name: "twice", shown: "This was answered before.", want: []session.Answer{no}, press: func(w *world, m int64) string {
			w.pressed(w.chat, w.ada, m, "n:"+qid)
			return w.pressed(w.chat, w.ada, m, "y:"+qid)
		}},
		{name: "below another message", shown: oldQuestion, press: func(w *world, _ int64) string {
			_ = w.sender.Say(w.t.Context(), chat.Address{Chat: adaID}, 0, chat.Answer{Text: "hello"})
			return w.pressed(w.chat, w.ada, w.chat.FromBot()[1].ID, "y:"+qid)
		}},
		{name: "below a newer question", shown: oldQuestion, press: func(w *world, _ int64) string {
			return w.pressed(w.chat, w.ada, w.ask(w.chat, "CCCCCCCCCCCCCCCCCCCCCC", 40), "y:"+qid)
		}},
		{name: "below a message that is gone", shown: oldQuestion, press: func(w *world, _ int64) string {
			return w.pressed(w.chat, w.ada, 4711, "y:"+qid)
		}},
		{name: "in another chat", shown: oldQuestion, press: func(w *world, m int64) string {
			ben := w.srv.User(81, "Ben")
			w.let(81, event.Owner)
			return w.pressed(w.srv.Private(ben), ben, m, "y:"+qid)
		}},
		{name: "a stranger who has made up a client", shown: notForYou, press: func(w *world, m int64) string {
			eve := w.srv.User(5, "Eve")
			return w.pressed(w.srv.Private(eve), eve, m, "y:"+qid)
		}},
		{name: "a stranger in another's chat", shown: notForYou, press: func(w *world, m int64) string {
			return w.pressed(w.chat, w.srv.User(5, "Eve"), m, "y:"+qid)
		}},
		{name: "somebody else who is known in another's chat", shown: notForYou, press: func(w *world, m int64) string {
			w.let(5, event.Owner)
			return w.pressed(w.chat, w.srv.User(5, "Eve"), m, "y:"+qid)
		}},
		{name: "who may not allow", shown: onlyOwner, press: func(w *world, m int64) string {
			w.let(adaID, event.GroupOwner)
			return w.pressed(w.chat, w.ada, m, "y:"+qid)
		}},
		{name: "in words", shown: "not pressed", want: []session.Answer{yes}, press: func(w *world, m int64) string {
			w.chat.Say(w.ada, " Ja! ", telegramtest.ReplyTo(m))
			w.step(time.Second)
			w.want("sent", w.chat.BotTexts()[1:], []string{"Allowed once."})
			return "not pressed"
		}},
		{name: "in words that were forwarded", shown: "not pressed", press: func(w *world, m int64) string {
			w.chat.Say(w.ada, "yes", telegramtest.ReplyTo(m), telegramtest.Forwarded(telegramtest.User{ID: 5}))
			w.step(time.Second)
			return "not pressed"
		}},
		{name: "in words, long after", shown: "not pressed", press: func(w *world, m int64) string {
			w.ses.waiting = nil
			w.chat.Say(w.ada, "нет", telegramtest.ReplyTo(m))
			w.step(time.Second)
			w.want("sent", w.chat.BotTexts()[1:], []string{answered})
			return "not pressed"
		}},
		{name: "a yes that is no reply", shown: "not pressed", press: func(w *world, _ int64) string {
			w.chat.Say(w.ada, "yes")
			w.step(time.Second)
			w.want("sent", w.chat.BotTexts()[1:], []string{howToAnswer})
			w.want("heard", w.ses.texts(), []string(nil))
			return "not pressed"
		}},
		{name: "other words", shown: "not pressed", press: func(w *world, _ int64) string {
			w.chat.Say(w.ada, "what are you doing?")
			w.step(time.Second)
			w.want("sent", w.chat.BotTexts()[1:], []string{readLater})
			w.want("heard", w.ses.texts(), []string{"what are you doing?"})
			return "not pressed"
		}},
		{name: "words that stop it", shown: "not pressed", press: func(w *world, _ int64) string {
			w.chat.Say(w.ada, "stop")
			w.step(time.Second)
			w.want("sent", w.chat.BotTexts()[1:], []string{})
			return "not pressed"
		}},
		{name: "a yes when no question waits", shown: "not pressed", press: func(w *world, _ int64) string {
			w.ses.waiting = nil
			w.chat.Say(w.ada, "yes")
			w.step(time.Second)
			w.want("heard", w.ses.texts(), []string{"yes"})
			return "not pressed"
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				m := w.ask(w.chat, qid, 30, c.grants...)
				press := c.press
				if press == nil {
					press = func(w *world, m int64) string { return w.pressed(w.chat, w.ada, m, c.data) }
				}
				w.want("shown", press(w, m), c.shown)
				w.want("answers", w.ses.answers, c.want)
				w.want("undone", w.undone(), 0)
			})
		})
	}
}

// In a group only those who answer for the household decide, also with a no.
func TestPressesInAGroup(t *testing.T) {
	const qid = "AAAAAAAAAAAAAAAAAAAAAA"
	inWorld(t, func(w *world) {
		g, bob := w.home()
		m := w.ask(g, qid, 30)
		w.want("bob's yes", w.pressed(g, bob, m, "y:"+qid), onlyOwner)
		w.want("bob's no", w.pressed(g, bob, m, "n:"+qid), onlyOwner)
		w.want("an administrator's yes", w.pressed(g, w.srv.User(79, "Cem"), m, "y:"+qid), onlyOwner)
		g.Say(bob, "yes", telegramtest.ReplyTo(m))
		w.step(time.Second)
		w.want("answers", w.ses.answers, []session.Answer(nil))
		w.want("the owner's yes", w.pressed(g, w.ada, m, "y:"+qid), "Allowed once.")
		w.want("answers", len(w.ses.answers), 1)
		w.want("heard", w.ses.texts(), []string(nil))
	})
}

// An answer to a question does not wait for a download.
func TestAPressWhileADownloadHangs(t *testing.T) {
	const qid = "AAAAAAAAAAAAAAAAAAAAAA"
	inWorld(t, func(w *world) {
		m := w.ask(w.chat, qid, 30)
		w.srv.Fail(telegramtest.Fault{Method: "file", Kind: telegramtest.HangBefore})
		w.chat.Say(w.ada, "", telegramtest.Document("a.pdf", "application/pdf", []byte("abc")))
		w.step(time.Second)
		w.want("shown", w.pressed(w.chat, w.ada, m, "y:"+qid), "Allowed once.")
		w.want("heard", w.ses.texts(), []string(nil))
	})
}

func TestButtonsOfAnswers(t *testing.T) {
	inWorld(t, func(w *world) {
		presses := 0
		page := func(_ context.Context, by commands.Request) (commands.Answer, error) {
			n := 1
			switch by.Args {
			case "break":
				return commands.Answer{}, errors.New("it is broken")
			case "":
			default:
				presses++
				n, _ = strconv.Atoi(by.Args)
			}
			return commands.Answer{Text: fmt.Sprint("page ", n), Choices: [][]commands.Choice{{{Label: "next", Line: fmt.Sprint("/pages ", n+1)}, {Label: "break", Line: "/pages break"}}}}, nil
		}
		w.withCommands(commands.Command{Name: "pages", For: commands.Admins, On: commands.Telegram, Run: page})
		g, bob := w.home()
		g.Join(w.ada, telegramtest.Ordinary)
		g.Say(w.ada, "/pages")
		w.chat.Say(w.ada, "/pages")
		w.step(time.Second)
		m, group := w.chat.FromBot()[0], g.FromBot()[0]
		old := m.Buttons[0][0].Data
		w.want("another's press", w.pressed(g, bob, group.ID, "next"), "this button is not for you")
		w.want("a press elsewhere", w.pressed(g, w.ada, group.ID, old), oldButton)
		w.want("an error", w.pressed(w.chat, w.ada, m.ID, "break"), "it is broken")
		w.want("presses", presses, 0)
		w.want("next", w.pressed(w.chat, w.ada, m.ID, "next"), "")
		w.want("shown", w.chat.BotTexts(), []string{"page 2"})
		w.want("the same again", w.pressed(w.chat, w.ada, m.ID, old), oldButton)
		w.want("next", w.pressed(w.chat, w.ada, m.ID, "next"), "")
		w.want("shown", w.chat.BotTexts(), []string{"page 3"})
		w.want("the owner's press in the group", w.pressed(g, w.ada, group.ID, "next"), "")
		w.want("the level stays", w.pressed(g, bob, group.ID, "next"), "this button is not for you")
		w.stop()
		w.start()
		w.want("after a restart", w.pressed(w.chat, w.ada, m.ID, "next"), oldButton)
		w.want("presses", presses, 3)
	})
}

// A press tries a parked turn again only below the message about that turn, and an error is shown.
func TestPressesOfRetry(t *testing.T) {
	for _, c := range []struct {
		name, data string
		fails      error
		shown      string
		retried    []int64
	}{
		{name: "the turn", data: "r:c", shown: "I try it again.", retried: []int64{12}},
		{name: "another turn", data: "r:d", shown: oldButton},
		{name: "no turn", data: "r:!", shown: oldButton},
		{name: "one that goes on already", data: "r:c", fails: session.ErrNotParked, shown: answered, retried: []int64{12}},
		{name: "one that cannot go on", data: "r:c", fails: errors.New("the disk is full"), shown: "the disk is full", retried: []int64{12}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				var retried []int64
				w.cfg.Retry = func(_ context.Context, _ event.Chat, turn int64) error {
					retried = append(retried, turn)
					return c.fails
				}
				w.stop()
				w.start()
				message := w.sendEvent(w.chat, event.Event{Seq: 30, Turn: 12, Body: event.Parked{Text: "it waits"}})
				w.want("shown", w.pressed(w.chat, w.ada, message, c.data), c.shown)
				w.want("retried", retried, c.retried)
			})
		})
	}
}

// A press takes back what a turn has changed only below its reply. It is for who may, also after a restart; what fails leaves the button.
func TestPressesOfUndo(t *testing.T) {
	busy := errors.New("something is being done here")
	for _, c := range []struct {
		name, data string
		group      bool
		by         int64 // who presses in the group
		fails      error
		shown      string
		undone     []string
		left       int // buttons
	}{
		{name: "the turn", data: "u:c", undone: []string{"of 12"}},
		{name: "another turn", data: "u:d", shown: oldButton, left: 1},
		{name: "no turn", data: "u:!", shown: oldButton, left: 1},
		{name: "not now", data: "u:c", fails: busy, shown: "something is being done here", undone: []string{"of 12"}, left: 1},
		{name: "who asked for it, in a group", data: "u:c", group: true, by: 78, undone: []string{"of 12"}},
		{name: "an owner in a group", data: "u:c", group: true, by: adaID, undone: []string{"of 12"}},
		{name: "another in a group", data: "u:c", group: true, by: 79, shown: notForYou, left: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				var undone []string
				w.withCommands(commands.Command{Name: "undo", For: commands.Everybody, On: commands.Telegram, Acts: true, Run: func(_ context.Context, r commands.Request) (commands.Answer, error) {
					undone = append(undone, r.Args)
					return commands.Answer{Text: "taken back"}, c.fails
				}})
				at, who := w.chat, w.ada
				if c.group {
					at, _ = w.home()
					who = w.srv.User(c.by, "")
				}
				w.ses.events = append(w.ses.events, event.Event{Seq: 12, Turn: 12, Chat: chat.Address{Chat: at.ID}.Name(), Body: event.Said{From: "78"}})
				message := w.sendEvent(at, event.Event{Seq: 30, Turn: 12, Body: event.Replied{Text: "wrote a.txt"}})
				w.stop()
				w.start()
				w.want("shown", w.pressed(at, who, message, c.data), c.shown)
				w.want("undone", undone, c.undone)
				answers := 0
				if c.left == 0 {
					answers = 1
				}
				w.want("answers", len(at.BotTexts())-1, answers)
				w.want("buttons taken away", len(w.srv.Calls("editMessageReplyMarkup")), answers)
			})
		})
	}
}

func TestButtonsAreForgotten(t *testing.T) {
	h := New(Config{})
	offer := func() string {
		a := commands.Answer{Choices: [][]commands.Choice{{{Label: "next", Line: "/log"}}}}
		return h.Offer(chat.Address{Chat: 1}, a).Keys[0][0].Data
	}
	first := offer()
	seen := map[string]bool{first: true}
	for range 2 * maxCallbacks {
		data := offer()
		if seen[data] || len(data) != len(chat.PressButton)+26 {
			t.Fatalf("%q is no nonce", data)
		}
		seen[data] = true
	}
	kept := 0
	for data := range seen {
		if _, ok := h.callbacks.Get(data[len(chat.PressButton):]); ok {
			kept++
		}
	}
	if _, ok := h.callbacks.Get(first[len(chat.PressButton):]); ok || kept != maxCallbacks {
		t.Errorf("%d are kept", kept)
	}
}

// A reply that is the label of a button, or a yes or a no as it is, presses it. What is said besides goes its usual way, and so does what a
// story offers.
func TestRepliesThatPress(t *testing.T) {
	note := event.Noted{Text: "May Tom remind you?", Choices: []event.Choice{
		{Label: "Ja", Text: "/reminder 4 agree"}, {Label: "Nein", Text: "/reminder 4 refuse"}, {Label: "Nie wieder fragen", Text: "/reminder 4 mute"},
	}}
	asked := event.Replied{Text: "In the evening?", Choices: []event.Choice{{Label: "20:00", Text: "/reminder 4 20:00"}}}
	told := event.Replied{Text: "A door.", Choices: []event.Choice{{Label: "yes", Text: "open it", Pick: "mill/3"}}}
	for _, c := range []struct {
		body event.Body
		said string
		want string // that is handed in
		call bool
	}{
		{note, "Ja", "/reminder 4 agree", true},
		{note, "yes!", "/reminder 4 agree", true},
		{note, "да", "/reminder 4 agree", true},
		{note, "不行", "/reminder 4 refuse", true},
		{note, "nie wieder fragen.", "/reminder 4 mute", true},
		{note, "yes, but not at night", "yes, but not at night", false},
		{note, "who is Tom", "who is Tom", false},
		{asked, "20:00", "/reminder 4 20:00", true},
		{asked, "yes", "yes", false},
		{told, "yes", "yes", false},
		{event.Replied{Text: "done"}, "yes", "yes", false},
	} {
		t.Run(c.said, func(t *testing.T) {
			inWorld(t, func(w *world) {
				m := w.sendEvent(w.chat, event.Event{Seq: 30, Body: c.body})
				for range 2 { // it may be said again
					w.chat.Say(w.ada, c.said, telegramtest.ReplyTo(m))
					w.step(time.Second)
				}
				if len(w.ses.inputs) != 2 {
					t.Fatalf("handed in %+v", w.ses.inputs)
				}
				in := w.ses.inputs[0]
				_, own, _ := strings.Cut("\n"+in.Text, "\n")
				if !c.call && in.Own != "" {
					own = in.Own
				}
				w.want("handed in", []any{own, in.Command}, []any{c.want, c.call})
			})
		})
	}
}

// Who was not let in themselves presses no button that calls a tool: it stays for those whom it is for.
func TestGuestsPressNoTool(t *testing.T) {
	inWorld(t, func(w *world) {
		g, bob := w.home()
		w.let(adaID, event.Owner)
		m := w.sendEvent(g, event.Event{Seq: 30, Body: event.Noted{Text: "jam", Reminder: 4, Choices: []event.Choice{{Label: "Done", Text: "/reminder 4 done"}}}})
		data := chat.ChoiceRef{Seq: 30, At: 0}.Data()
		w.want("shown to a guest", w.pressed(g, bob, m, data), notForYou)
		w.want("handed in", len(w.ses.inputs), 0)
		w.want("shown", w.pressed(g, w.ada, m, data), "")
		w.want("handed in", w.ses.texts(), []string{"/reminder 4 done"})
	})
}

// Undo, in reply to what a turn has changed, takes that back and nothing that came after it.
func TestRepliesThatUndo(t *testing.T) {
	for said, want := range map[string]string{"undo": "undo telegram/77 77 owner of 30", "Rückgängig!": "undo telegram/77 77 owner of 30", "undo #4": ""} {
		t.Run(said, func(t *testing.T) {
			inWorld(t, func(w *world) {
				w.withCommands(echo("undo", commands.Everybody))
				m := w.sendEvent(w.chat, event.Event{Seq: 31, Turn: 30, Body: event.Replied{Text: "added to shopping: milk"}})
				_ = w.sender.Say(w.t.Context(), chat.Address{Chat: adaID}, 0, chat.Answer{Text: "added to shopping: bread"})
				w.chat.Say(w.ada, said, telegramtest.ReplyTo(m))
				w.step(time.Second)
				all := w.chat.BotTexts()
				if want == "" {
					w.want("handed in", len(w.ses.inputs), 1)
					return
				}
				w.want("sent", all[len(all)-1], want)
			})
		})
	}
}

// tells is a story that takes every command.
type tells struct{ Story }

func (tells) Takes(context.Context, event.Chat, string, string) (takes, discreet bool) {
	return true, false
}

// To a story "undo" is a word of its own, in a reply, too.
func TestRepliesToAStory(t *testing.T) {
	inWorld(t, func(w *world) {
		w.cfg.Story = tells{}
		w.withCommands(echo("undo", commands.Everybody))
		m := w.sendEvent(w.chat, event.Event{Seq: 31, Turn: 30, Body: event.Replied{Text: "You go north."}})
		w.chat.Say(w.ada, "undo", telegramtest.ReplyTo(m))
		w.step(time.Second)
		w.want("handed in", len(w.ses.inputs), 1)
	})
}
