package outbound

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/markup"
	"hob/internal/surface/telegram/telegramtest"
)

const askID = "0123456789abcdefghijkl"

func aQuestion(text string, grants ...event.Grant) event.Asked {
	return event.Asked{ID: askID, CallID: "c", Tool: "run_command", Text: text, Expires: time.Now().Add(10 * time.Minute), Grants: grants}
}

func TestQuestionsHaveButtons(t *testing.T) {
	grant := event.Grant{Tool: "fetch", Host: "example.org"}
	for _, c := range []struct {
		name    string
		asked   func() event.Asked
		text    []string // of the messages
		buttons [][]telegramtest.Button
	}{
		{"plain", func() event.Asked { return aQuestion("command: make *all*") },
			[]string{"run_command asks to do this:\n\ncommand: make *all*\n\nWithout an answer by 00:10:00 UTC it is a no."},
			[][]telegramtest.Button{{{Text: "Yes", Data: "y:" + askID}, {Text: "No", Data: "n:" + askID}}}},
		{"with a grant", func() event.Asked { return aQuestion("url: x", grant) },
			[]string{"run_command asks to do this:\n\nurl: x\n\nWithout an answer by 00:10:00 UTC it is a no."},
			[][]telegramtest.Button{{{Text: "Yes", Data: "y:" + askID}, {Text: "No", Data: "n:" + askID}},
				{{Text: "Always: fetch on example.org", Data: "a:" + askID}}}},
		{"until tomorrow", func() event.Asked {
			q := aQuestion("url: x")
			q.Expires = q.Expires.Add(24 * time.Hour)
			return q
		}, []string{"run_command asks to do this:\n\nurl: x\n\nWithout an answer by Sunday 2000-01-02 00:10 UTC it is a no."},
			[][]telegramtest.Button{{{Text: "Yes", Data: "y:" + askID}, {Text: "No", Data: "n:" + askID}}}},
		{"elsewhere", func() event.Asked { return aQuestion("url: x") },
			[]string{"run_command asks to do this:\n\nurl: x\n\nWithout an answer by 09:10:00 JST it is a no."},
			[][]telegramtest.Button{{{Text: "Yes", Data: "y:" + askID}, {Text: "No", Data: "n:" + askID}}}},
		{"very long", func() event.Asked { return aQuestion(strings.Repeat("content: much of it\n", 1000)) },
			[]string{"<document question.txt> ", markup.Shorten("run_command asks to do this:\n\n"+strings.Repeat("content: much of it\n", 1000), questionUnits) +
				"\n\n(This is the beginning. Read the whole in the document above before you answer.)"},
			[][]telegramtest.Button{{{Text: "Yes", Data: "y:" + askID}, {Text: "No", Data: "n:" + askID}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, telegramtest.Options{}, func(w *world) {
				if c.name == "elsewhere" {
					w.zone = time.FixedZone("JST", 9*3600)
				}
				w.senders.Wake(adasChat)
				w.log.Add(adasChat, w.log.Say(adasChat, "1"), c.asked())
				synctest.Wait()
				if diff := cmp.Diff(c.text, w.chat.BotTexts()); diff != "" {
					t.Error(diff)
				}
				all := w.chat.FromBot()
				if diff := cmp.Diff(c.buttons, all[len(all)-1].Buttons); diff != "" {
					t.Error(diff)
				}
				if all[0].Silent {
					t.Error("nobody hears that they are asked")
				}
			})
		})
	}
}

func TestADecisionIsWrittenIntoTheQuestion(t *testing.T) {
	for _, c := range []struct {
		name    string
		after   time.Duration
		decided event.Decided
		want    string
	}{
		{"yes", 0, event.Decided{Allow: true, By: "77"}, "Allowed by Ada."},
		{"always", 0, event.Decided{Allow: true, By: "4", Grants: []event.Grant{{Tool: "fetch", Host: "example.org"}}},
			"Allowed by 4; from now on without a question: fetch on example.org."},
		{"no", 0, event.Decided{By: "77"}, "Denied by Ada."},
		{"nobody", 10 * time.Minute, event.Decided{By: "nobody"}, "Expired: nobody answered, so it is a no."},
		{"another call", 0, event.Decided{By: "nobody"}, "Withdrawn: it would be something else by now."},
		{"stop", 0, event.Decided{By: "stop"}, "Stopped: this was not done."},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, telegramtest.Options{}, func(w *world) {
				if _, err := w.mem.AllowPerson(w.t.Context(), event.Person{Platform: chat.Platform, ID: 77, Name: "Ada"}); err != nil {
					t.Fatal(err)
				}
				w.senders.Wake(adasChat)
				turn := w.log.Say(adasChat, "1")
				w.log.Add(adasChat, turn, aQuestion("command: make"))
				after(c.after)
				c.decided.ID, c.decided.CallID = askID, "c"
				w.log.Add(adasChat, turn, c.decided)
				synctest.Wait()
				all := w.chat.FromBot()
				want := "run_command asks to do this:\n\ncommand: make\n\nWithout an answer by 00:10:00 UTC it is a no.\n\n" + c.want
				if len(all) != 1 || all[0].Text != want || len(all[0].Buttons) > 0 {
					t.Errorf("the question has become %+v, want %q", all, want)
				}
			})
		})
	}
}

// A question that is asked again after a restart has its message already. Whichever process reads the decision writes it
// there.
func TestAQuestionOutlivesARestart(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.senders.Wake(adasChat)
		turn := w.log.Say(adasChat, "1")
		w.log.Add(adasChat, turn, aQuestion("command: make"))
		synctest.Wait()
		w.stop()
		w.log.Add(adasChat, turn, event.Paused{}, event.Resumed{}, aQuestion("command: make"))
		w.start()
		if n := len(w.chat.FromBot()); n != 1 {
			t.Errorf("it was asked %d times", n)
		}
		w.stop()
		w.log.Add(adasChat, turn, event.Decided{ID: askID, By: "9"})
		w.log.Add(adasChat, turn, reply("no")...)
		w.start()
		all := w.chat.BotTexts()
		if len(all) != 2 || !strings.HasSuffix(all[0], "\n\nDenied by 9.") || all[1] != "no" {
			t.Errorf("the chat is %q", all)
		}
		edits := methods(w.srv, methodEdit)
		w.stop()
		w.start()
		if n := methods(w.srv, methodEdit); n != edits {
			t.Errorf("%d edits more after a restart", n-edits)
		}
	})
}

// A question that could not be sent does not keep back what comes after it.
func TestADecisionWithoutItsQuestion(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.senders.Wake(adasChat)
		turn := w.log.Say(adasChat, "1")
		w.srv.Fail(telegramtest.Fault{Method: "sendMessage", Kind: telegramtest.Unauthorized})
		w.chat.Block()
		w.log.Add(adasChat, turn, aQuestion("command: make"))
		after(time.Minute)
		w.chat.Accept()
		w.log.Add(adasChat, turn, event.Decided{ID: askID, By: "9"})
		w.log.Add(adasChat, turn, reply("no")...)
		synctest.Wait()
		if diff := cmp.Diff([]string{"no"}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}
