package outbound

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/event/openturn"
	"hob/internal/phrases"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/markup"
	"hob/internal/surface/telegram/telegramtest"
)

func called(id, tool, args string) event.Called {
	return event.Called{ID: id, Tool: tool, Args: json.RawMessage(args)}
}

func failed(id, tool, why string) event.Returned {
	return event.Returned{ID: id, Tool: tool, Text: "error: " + why, Error: &event.Error{Message: why}}
}

func english() phrases.Words { return chat.Words("en") }

// What a turn does is in the language of the chat.
func TestPreviewInALanguage(t *testing.T) {
	var s liveTurn
	german := func() phrases.Words { return chat.Words("de") }
	for _, b := range []event.Body{called("1", "read_file", `{"path":"a"}`), failed("1", "read_file", "no such file")} {
		s.fold(&openTurn{Turn: openturn.Turn{Seq: 1}}, event.Event{Turn: 1, Body: b}, time.Unix(1, 0), german)
	}
	if got, want := s.preview().line, "read_file a: fehlgeschlagen, no such file"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPreviewsOfATurn(t *testing.T) {
	for _, c := range []struct {
		name   string
		bodies []event.Body
		want   string
	}{
		{"nothing", []event.Body{event.Resumed{}, event.Delta{Thinking: "hm"}}, ""},
		{"words", []event.Body{event.Delta{Text: "It "}, event.Delta{Text: "is"}}, "It is"},
		{"void words", []event.Body{event.Delta{Text: "no"}, event.Delta{Restart: true}, event.Delta{Text: "It"}}, "It"},
		{"words of the next reply", []event.Body{event.Delta{Text: "I look"}, event.Generated{}, event.Delta{Text: "It"}}, "It"},
		{"tools", []event.Body{called("1", "read_file", `{"path":"notes.md","limit":3}`), event.Returned{ID: "1", OK: true},
			called("2", "run_command", `{"command":"make\nall"}`), failed("2", "run_command", "exit status 127\nmore")},
			"read_file notes.md · run_command make all: failed, exit status 127"},
		{"a call without an argument to tell", []event.Body{called("1", "now", `{}`), called("2", "sum", `{"a":1,"b":2}`), called("3", "say", `{"words":"x"}`),
			called("4", "odd", `[`)}, "now · sum · say x · odd"},
		{"tools and words", []event.Body{called("1", "read_file", `{"path":"a"}`), event.Delta{Text: "So"}}, "read_file a\n\nSo"},
		{"a wait", []event.Body{event.Noted{Text: "waiting: 2 before you"}, event.Noted{Text: "waiting: 1 before you, about 20 s"}}, "waiting: 1 before you, about 20 s"},
		{"a wait that is over", []event.Body{event.Noted{Text: "waiting"}, event.Delta{Text: "So"}}, "So"},
		{"a failure of what nobody has called", []event.Body{failed("9", "x", "no such tool")}, "x: failed, no such tool"},
		{"what cannot be seen", []event.Body{called("1", "read_file", `{"path":"a\u202eb\u0000c"}`)}, "read_file abc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s liveTurn
			for _, b := range c.bodies {
				s.fold(&openTurn{Turn: openturn.Turn{Seq: 1}}, event.Event{Turn: 1, Body: b}, time.Unix(1, 0), english)
			}
			if diff := cmp.Diff(c.want, s.preview().message().Text); diff != "" {
				t.Error(diff)
			}
			if (s.preview() == preview{}) != s.since.IsZero() {
				t.Errorf("there is something to show since %v", s.since)
			}
		})
	}
}

func TestManyToolsAndWordsAreCut(t *testing.T) {
	var s liveTurn
	o := &openTurn{Turn: openturn.Turn{Seq: 1}}
	for i := range 40 {
		s.fold(o, event.Event{Turn: 1, Body: called(fmt.Sprint(i), "t", fmt.Sprintf(`{"path":"%d %s"}`, i, strings.Repeat("é", 100)))}, time.Now(), english)
		s.fold(o, event.Event{Turn: 1, Body: failed(fmt.Sprint(i), "t", strings.Repeat("why ", 100))}, time.Now(), english)
	}
	for i := range 5000 {
		s.fold(o, event.Event{Turn: 1, Body: event.Delta{Text: fmt.Sprintf("line %d 😀\n", i)}}, time.Now(), english)
	}
	m := s.preview().message()
	if n := len([]rune(m.Text)); n > 4096 || n < 2000 {
		t.Errorf("%d runes", n)
	}
	if !strings.HasPrefix(m.Text, "… · t 37 é") || !strings.HasSuffix(m.Text, "line 4999 😀") || !strings.Contains(m.Text, "\n\n…line ") {
		t.Errorf("it shows %q", m.Text)
	}
	if len(s.words) > 2*maxTextBytes {
		t.Errorf("%d bytes are kept", len(s.words))
	}
}

func TestDraftsKeepPace(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.senders.Wake(adasChat)
		turn := w.log.Say(adasChat, "1")
		synctest.Wait()
		if n := methods(w.srv, methodTyping); n != 1 {
			t.Errorf("typing was shown %d times", n)
		}
		begun := time.Now()
		w.log.Delta(adasChat, turn, event.Delta{Text: "It"})
		synctest.Wait()
		for range 20 {
			after(100 * time.Millisecond)
			w.log.Delta(adasChat, turn, event.Delta{Text: " is"})
		}
		after(25 * time.Second) // nothing new comes: it is shown again before it goes out
		w.log.Add(adasChat, turn, reply("It is so")...)
		synctest.Wait()
		var at []time.Duration
		for _, d := range w.chat.Drafts() {
			if d.ID != turn || !d.CanStop || !strings.HasPrefix(d.Text, "It is") {
				t.Errorf("a draft is %+v", d)
			}
			at = append(at, d.At.Sub(begun))
		}
		want := []time.Duration{400 * time.Millisecond, 1100 * time.Millisecond, 1800 * time.Millisecond, 2500 * time.Millisecond, 22500 * time.Millisecond}
		if diff := cmp.Diff(want, at); diff != "" {
			t.Error(diff)
		}
		if n := methods(w.srv, methodTyping); n != 1 {
			t.Errorf("typing was shown %d times although there was a draft", n)
		}
		if diff := cmp.Diff([]string{"It is so"}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

// No draft comes after the reply: it would stay for half a minute.
func TestNoDraftComesAfterTheReply(t *testing.T) {
	for kind, want := range map[telegramtest.Kind]time.Duration{telegramtest.Slow: 250 * time.Millisecond, telegramtest.HangAfter: hurryTime} {
		inWorld(t, telegramtest.Options{}, func(w *world) {
			w.senders.Wake(adasChat)
			turn := w.log.Say(adasChat, "1")
			synctest.Wait()
			w.srv.Fail(telegramtest.Fault{Method: methodDraft, Kind: kind, Delay: 300 * time.Millisecond})
			w.log.Delta(adasChat, turn, event.Delta{Text: "many words to be shown at once"})
			after(200 * time.Millisecond)
			begun := time.Now()
			w.log.Add(adasChat, turn, reply("many words to be shown at once")...)
			after(5 * time.Second)
			calls := w.srv.Calls("sendMessage", methodDraft)
			if len(calls) != 2 || calls[0].Method != methodDraft || calls[1].Method != "sendMessage" {
				t.Fatalf("calls: %+v", calls)
			}
			if late := calls[1].At.Sub(begun); late != want {
				t.Errorf("the reply waited %v for a draft, want %v", late, want)
			}
		})
	}
}

func TestTypingIsRepeatedWhileATurnRuns(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.senders.Wake(adasChat)
		turn := w.log.Say(adasChat, "1")
		after(10 * time.Second)
		if n := len(w.chat.Actions()); n != 3 {
			t.Errorf("typing was shown %d times in 10 s", n)
		}
		w.log.Add(adasChat, turn, aQuestion("command: make"))
		after(time.Minute)
		if n := len(w.chat.Actions()); n != 3 {
			t.Errorf("typing was shown %d times although hob waited for an answer", n)
		}
		w.log.Add(adasChat, turn, event.Decided{ID: askID, By: "9"})
		synctest.Wait()
		w.log.Add(adasChat, turn, event.Paused{})
		after(time.Minute)
		if n := len(w.chat.Actions()); n != 4 {
			t.Errorf("typing was shown %d times although hob shuts down", n)
		}
		w.log.Add(adasChat, turn, event.Resumed{})
		w.log.Add(adasChat, turn, reply("done")...)
		after(time.Minute)
		if n := len(w.chat.Actions()); n > 5 {
			t.Errorf("typing was shown %d times although all is answered", n)
		}
	})
}

// In a group, and on a server without drafts, a turn is shown in one silent message, which is deleted after it.
func TestAStatusMessageComesAndGoes(t *testing.T) {
	for _, c := range []struct {
		name string
		opts telegramtest.Options
		in   event.Chat
	}{
		{"group", telegramtest.Options{}, groupChat},
		{"old server", telegramtest.Options{Without: []string{methodDraft}}, adasChat},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, c.opts, func(w *world) {
				chat := map[event.Chat]*telegramtest.Chat{groupChat: w.group, adasChat: w.chat}[c.in]
				w.senders.Wake(c.in)
				turn := w.log.Say(c.in, "1")
				w.log.Add(c.in, turn, called("1", "read_file", `{"path":"a"}`))
				after(9900 * time.Millisecond)
				if n := len(chat.FromBot()); n != 0 {
					t.Errorf("%d messages too early", n)
				}
				after(200 * time.Millisecond)
				if all := chat.FromBot(); len(all) != 1 || !all[0].Silent || all[0].Text != "read_file a" || all[0].Entities[0].Type != "italic" {
					t.Fatalf("it is shown as %+v", all)
				}
				for i := range 12 {
					w.log.Delta(c.in, turn, event.Delta{Text: fmt.Sprint(i, " ")})
					after(500 * time.Millisecond)
				}
				if all := chat.FromBot(); len(all) != 1 || all[0].Edits != 2 || !strings.HasPrefix(all[0].Text, "read_file a\n\n0 1 2 ") {
					t.Errorf("it is shown as %+v", all)
				}
				after(time.Minute) // nothing changes, and nothing is edited
				if n := methods(w.srv, methodEdit); n > 3 {
					t.Errorf("%d edits", n)
				}
				w.log.Add(c.in, turn, reply("so")...)
				synctest.Wait()
				if diff := cmp.Diff([]string{"so"}, chat.BotTexts()); diff != "" {
					t.Error(diff)
				}
				if n := methods(w.srv, methodDraft); c.opts.Without == nil && n > 0 || n > 1 {
					t.Errorf("%d drafts", n)
				}
			})
		})
	}
}

// After a restart the old status message is deleted, and a new one shows the state of then.
func TestAStatusMessageIsReplacedAfterARestart(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.senders.Wake(groupChat)
		turn := w.log.Say(groupChat, "1")
		w.log.Add(groupChat, turn, called("1", "read_file", `{"path":"a"}`))
		after(11 * time.Second)
		w.stop()
		if diff := cmp.Diff([]string{"read_file a"}, w.group.BotTexts()); diff != "" {
			t.Error(diff)
		}
		w.start()
		synctest.Wait()
		if diff := cmp.Diff([]string(nil), w.group.BotTexts()); diff != "" {
			t.Errorf("what was shown before: %s", diff)
		}
		w.log.Add(groupChat, turn, event.Paused{}, event.Resumed{}, called("2", "read_file", `{"path":"b"}`))
		after(9 * time.Second)
		if diff := cmp.Diff([]string(nil), w.group.BotTexts()); diff != "" {
			t.Errorf("too early: %s", diff)
		}
		after(2 * time.Second)
		if diff := cmp.Diff([]string{"read_file a · read_file b"}, w.group.BotTexts()); diff != "" {
			t.Error(diff)
		}
		w.stop()
		w.log.Add(groupChat, turn, reply("so")...)
		w.srv.Fail(telegramtest.Fault{Method: "deleteMessage", Kind: telegramtest.HangBefore})
		w.start()
		w.stop() // while it is being deleted
		w.start()
		if diff := cmp.Diff([]string{"so"}, w.group.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

// A status message that is under way when the reply comes, or when hob ends, is deleted all the same.
func TestAStatusMessageUnderWayIsDeleted(t *testing.T) {
	for _, restart := range []bool{false, true} {
		inWorld(t, telegramtest.Options{}, func(w *world) {
			w.senders.Wake(groupChat)
			turn := w.log.Say(groupChat, "1")
			w.srv.Fail(telegramtest.Fault{Method: "sendMessage", Kind: telegramtest.Slow, Delay: 2 * time.Second})
			w.log.Add(groupChat, turn, called("1", "read_file", `{"path":"a"}`))
			after(11 * time.Second)
			if restart {
				w.stop()
				w.start()
			}
			w.log.Add(groupChat, turn, reply("so")...)
			after(10 * time.Second)
			if diff := cmp.Diff([]string{"so"}, w.group.BotTexts()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A status message whose fate nobody knows is not followed by another one.
func TestALostStatusMessageStaysAlone(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.senders.Wake(groupChat)
		turn := w.log.Say(groupChat, "1")
		w.srv.Fail(telegramtest.Fault{Method: "sendMessage", Kind: telegramtest.DropBefore}, telegramtest.Fault{Method: "sendMessage", Kind: telegramtest.DropBefore})
		w.log.Add(groupChat, turn, called("1", "read_file", `{"path":"a"}`))
		after(time.Minute)
		w.stop()
		w.start()
		after(time.Minute)
		if n := methods(w.srv, "sendMessage"); n != 1 {
			t.Errorf("it was sent %d times", n)
		}
	})
	inWorld(t, telegramtest.Options{}, func(w *world) { // one that certainly failed is
		w.senders.Wake(groupChat)
		turn := w.log.Say(groupChat, "1")
		w.srv.Fail(telegramtest.Fault{Method: "sendMessage", Kind: telegramtest.Refused, Times: 2})
		w.log.Add(groupChat, turn, called("1", "read_file", `{"path":"a"}`))
		after(time.Minute)
		if diff := cmp.Diff([]string{"read_file a"}, w.group.BotTexts()); diff != "" {
			t.Error(diff)
		}
		w.log.Add(groupChat, turn, reply("so")...)
	})
}

func TestAJoinedInputHasNoTurnOfItsOwn(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.senders.Wake(adasChat)
		turn := w.log.Say(adasChat, "1")
		joined := w.log.Say(adasChat, "2")
		w.log.Add(adasChat, turn, event.Joined{Said: joined})
		w.log.Add(adasChat, turn, reply("both")...)
		synctest.Wait()
		n := len(w.chat.Actions())
		after(time.Hour)
		if len(w.chat.Actions()) != n {
			t.Error("it types for an input that is answered")
		}
		if w.log.Following != 0 {
			t.Error("the chat is still awake")
		}
	})
}

func TestLastPart(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"short", "short"},
		{"0123456789ab", "…456789ab"},
		{"01234\n5678901234", "…78901234"},
		{"0😀😀😀😀😀", "…😀😀😀😀"},
		{"01😀😀😀😀😀", "…😀😀😀😀"},
	} {
		if got := lastPart(c.text, 10); got != c.want {
			t.Errorf("lastPart(%q) = %q, want %q", c.text, got, c.want)
		}
	}
	if !slices.Equal([]string{markup.Shorten("0123456789ab", 10), markup.Shorten("short", 10)}, []string{"012345678…", "short"}) {
		t.Error(markup.Shorten("0123456789ab", 10))
	}
}
