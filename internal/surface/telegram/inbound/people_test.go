package inbound

import (
	"bytes"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/telegramtest"
)

func TestWhoMaySpeak(t *testing.T) {
	const group = -1001234567890
	inWorld(t, func(w *world) {
		w.let(group, event.User)
		w.let(91, event.User) // a bot, which nobody should have let in
		g := w.srv.Group(group, "Home", telegramtest.Member{User: w.ada})
		strange := w.srv.Group(-1009999999999, "Elsewhere", telegramtest.Member{User: w.ada})
		mallory := w.srv.User(666, "Ada") // of the same name
		mallory.Username = w.ada.Username
		robot := w.srv.User(91, "Robot")
		isBot := telegramtest.With("from", map[string]any{"id": 91, "first_name": "Robot", "is_bot": true})
		w.srv.Private(mallory).Say(mallory, "hi")
		w.srv.Private(mallory).Say(mallory, "/stop")
		w.srv.Private(mallory).Say(mallory, "/start")
		w.srv.Private(robot).Say(robot, "hi", isBot)
		strange.Say(w.ada, "@hob_bot hi")
		strange.Say(w.ada, "/stop")
		g.Say(w.ada, "@hob_bot as the group", telegramtest.Anonymous(g))
		g.Say(w.ada, "@hob_bot as a channel", telegramtest.AsChannel(-100777, "News"))
		g.Say(robot, "@hob_bot hi", isBot)
		w.chat.Say(w.ada, "as a channel", telegramtest.With("sender_chat", map[string]any{"id": -100777, "type": "channel"}))
		w.chat.Say(w.ada, "from another's chat", telegramtest.With("from", map[string]any{"id": 78, "first_name": "Ada", "username": "ada"}))
		w.chat.Say(w.ada, "in a channel", telegramtest.With("chat", map[string]any{"id": adaID, "type": "channel"}))
		w.srv.Inject(`{"channel_post":{"message_id":5,"chat":{"id":-100777,"type":"channel"},"text":"hi"}}`)
		w.srv.Inject(`{"edited_message":{"message_id":5,"from":{"id":77},"chat":{"id":77,"type":"private"},"text":"hi"}}`)
		w.srv.Inject(`{"stopped_message_generation":{"chat":{"id":666,"type":"private"},"draft_id":4}}`)
		w.srv.Inject(`{"stopped_message_generation":{"chat":{"id":` + strconv.Itoa(group) + `,"type":"supergroup"},"draft_id":4}}`)
		w.step(time.Minute)
		w.want("what reached a model", w.ses.texts(), []string(nil))
		w.want("stops", w.ses.stops, 0)
		w.want("calls for strangers", len(w.srv.Calls())-len(w.srv.Calls("getUpdates")), 0)
		w.want("strangers counted", w.in.Ignored(), int64(13))
		w.want("undone", w.undone(), 0)

		w.chat.Say(w.ada, "it is me")
		w.step(time.Second)
		w.ses.inputs[0].ID = updateOf(w.ses.inputs[0].ID)
		w.want("the owner", w.ses.inputs, []session.Input{{
			Chat: "telegram/77", ID: strconv.FormatInt(w.offset-1, 10), From: "77", Text: "it is me", Typed: true,
			Principal: event.Principal{Platform: "telegram", Scope: "private", Level: event.Owner},
		}})
		w.want("woken", w.sender.woken, []event.Chat{"telegram/77"})
		w.want("sent", w.chat.BotTexts(), []string(nil))
	})
}

// The log says how to let a group in, if somebody asks there who may.
func TestTheNumberOfAGroup(t *testing.T) {
	inWorld(t, func(w *world) {
		w.stop()
		log := &bytes.Buffer{}
		w.cfg.Log = slog.New(slog.NewTextHandler(log, nil))
		w.start()
		mallory := w.srv.User(666, "Mallory")
		g := w.srv.Group(-1009999999999, "Elsewhere", telegramtest.Member{User: w.ada}, telegramtest.Member{User: mallory})
		g.Say(mallory, "@hob_bot hi")
		w.step(time.Second)
		w.want("logged for a stranger", log.String(), "")
		g.Say(w.ada, "@hob_bot hi")
		w.step(time.Second)
		if !strings.Contains(log.String(), "hob allow -1009999999999 lets it in") {
			t.Errorf("logged %q", log)
		}
		w.want("sent", g.BotTexts(), []string(nil))
	})
}

func TestEditedWordsAreNotHeardAgain(t *testing.T) {
	inWorld(t, func(w *world) {
		id := w.chat.Say(w.ada, "delete a")
		w.step(time.Second)
		w.chat.Edit(id, "delete b")
		w.step(time.Second)
		w.want("heard", w.ses.texts(), []string{"delete a"})
	})
}

func TestPairing(t *testing.T) {
	for _, c := range []struct {
		name, text string
		lets       bool
	}{
		{"as shown", "K7QX-9M10", true},
		{"small, without a dash", " k7qx9m10 ", true},
		{"with letters that look alike", "k7qx 9mIo", true},
		{"of a link", "/start K7QX-9M10", true},
		{"as a command", "/pair k7qx-9m1o", true},
		{"a wrong one", "K7QX-9M11", false},
		{"more than the code", "the code is K7QX-9M10", false},
		{"another command", "/help K7QX-9M10", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				w.invite(5)
				eve := w.srv.User(5, "Eve\n[x]")
				w.srv.Private(eve).Say(eve, c.text)
				w.step(time.Second)
				p, known, _ := w.mem.Person(t.Context(), chat.Platform, 5)
				if known != c.lets {
					t.Fatalf("let in: %v", known)
				}
				w.want("heard", w.ses.texts(), []string(nil))
				w.want("undone", w.undone(), 0)
				if !c.lets {
					w.want("sent", w.srv.Private(eve).BotTexts(), []string(nil))
					return
				}
				w.want("person", []any{p.Name, p.Level}, []any{"Eve x", event.BotAdmin})
				w.want("let in", w.letIn, []event.Person{p})
				told := strings.Join(w.srv.Private(eve).BotTexts(), "\n")
				if !strings.HasPrefix(told, "Welcome, Eve x: ") || !strings.Contains(told, "answer when I ask") {
					t.Errorf("told %q", told)
				}
				w.srv.Private(eve).Say(eve, "hello there")
				w.step(time.Second)
				w.want("heard then", w.ses.texts(), []string{"hello there"})
			})
		})
	}
}

func (w *world) invite(tries int) {
	w.t.Helper()
	in := event.Invite{Platform: chat.Platform, Level: event.BotAdmin, Expires: time.Now().Add(10 * time.Minute), Tries: tries}
	if err := w.mem.AddInvite(w.t.Context(), in, "K7QX-9M10"); err != nil {
		w.t.Fatal(err)
	}
}

// One stranger cannot use up the tries of an invite, and is not told whether a code was near.
func TestGuessesAreBounded(t *testing.T) {
	inWorld(t, func(w *world) {
		w.invite(5)
		eve := w.srv.User(5, "Eve")
		for i := range 60 {
			w.srv.Private(eve).Say(eve, "AAAA-AA"+strconv.Itoa(10+i))
		}
		w.srv.Private(eve).Say(eve, "K7QX-9M10") // too late
		w.step(time.Second)
		in, known, _ := w.mem.Invited(t.Context(), chat.Platform)
		w.want("tries left", []any{known, in.Tries}, []any{true, 5 - maxGuesses})
		w.want("sent", w.srv.Private(eve).BotTexts(), []string(nil))

		bob := w.srv.User(6, "Bob")
		w.srv.Private(bob).Say(bob, "K7QX-9M10")
		w.step(time.Second)
		w.want("sent", len(w.srv.Private(bob).BotTexts()), 1)
	})
}

func TestStrangersAreForgotten(t *testing.T) {
	who := newAttempts(maxGuesses)
	now := time.Unix(1e9, 0)
	for id := range int64(5 * maxPeople) {
		if !who.allow(id+1, now.Add(time.Duration(id)*time.Millisecond)) {
			t.Fatalf("%d may not guess", id)
		}
	}
	remembered := 0
	for id := range int64(5 * maxPeople) {
		if _, known := who.of.Get(id + 1); known {
			remembered++
		}
	}
	if remembered > maxPeople {
		t.Errorf("%d are remembered", remembered)
	}
	last := int64(5 * maxPeople)
	at := now.Add(10 * time.Second)
	got := []bool{who.allow(last, at), who.allow(last, at), who.allow(last, at), who.allow(last, at.Add(attemptWindow))}
	if !slices.Equal(got, []bool{true, true, false, true}) {
		t.Error("an hour is not held to its guesses")
	}
}

// A crash after the code was taken and before the welcome makes the code no message.
func TestPairingThatWasCutShort(t *testing.T) {
	inWorld(t, func(w *world) {
		w.invite(5)
		eve := w.srv.User(5, "Eve")
		w.srv.Fail(telegramtest.Fault{Method: "sendMessage", Kind: telegramtest.HangBefore})
		w.srv.Private(eve).Say(eve, "K7QX-9M10")
		w.step(time.Second)
		w.stop()
		w.want("undone", w.undone(), 1)
		w.start()
		synctest.Wait()
		w.want("heard", w.ses.texts(), []string(nil))
		w.want("sent", len(w.srv.Private(eve).BotTexts()), 1)
		w.want("undone", w.undone(), 0)
	})
}
