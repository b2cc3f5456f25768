package outbound

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/store/storetest"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/sessiontest"
	"hob/internal/surface/telegram/telegramtest"
)

// A chat in which nothing happens falls asleep, and is sent what happens later.
func TestChatsFallAsleepAndWake(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		for i := range 3 {
			w.senders.Wake(adasChat)
			turn := w.log.Say(adasChat, fmt.Sprint(i))
			after(time.Hour) // a turn that runs keeps it awake, if it never ends
			if w.log.Following != 1 {
				t.Errorf("%d follow a chat in which a turn runs", w.log.Following)
			}
			last := w.log.Add(adasChat, turn, reply(fmt.Sprint("answer ", i))...)
			after(2*idleAfter + time.Second)
			if w.log.Following != 0 {
				t.Errorf("%d follow a chat in which nothing happens", w.log.Following)
			}
			if mark, err := w.mem.Marked(w.t.Context(), "told/telegram/77"); err != nil || mark != last {
				t.Errorf("the mark is %d, %v; the last event is %d", mark, err, last)
			}
		}
		if diff := cmp.Diff([]string{"answer 0", "answer 1", "answer 2"}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

// A wake-up that comes while a chat falls asleep is not lost.
func TestNoWakeUpIsLost(t *testing.T) {
	for _, early := range []time.Duration{0, 1, 2} {
		inWorld(t, telegramtest.Options{}, func(w *world) {
			w.senders.Wake(adasChat)
			<-time.After(2*idleAfter - early)
			for i := range 50 {
				w.senders.Wake(adasChat)
				w.log.Add(adasChat, w.log.Say(adasChat, fmt.Sprint(i)), reply(fmt.Sprint(i))...)
				<-time.After(2 * idleAfter)
			}
			synctest.Wait()
			if n := len(w.chat.BotTexts()); n != 50 {
				t.Errorf("%d of 50 were sent", n)
			}
		})
	}
}

// stuck is a store that marks when the test lets it.
type stuck struct {
	*storetest.Memory
	held chan struct{}
}

func (m stuck) Mark(ctx context.Context, reader string, seq int64) error {
	<-m.held
	return m.Memory.Mark(ctx, reader, seq)
}

func TestAWakeUpWhileFallingAsleep(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.stop()
		m := stuck{w.mem, make(chan struct{})}
		w.keepIn(m)
		w.log.Add(adasChat, w.log.Say(adasChat, "1"), reply("one")...)
		w.start()
		after(time.Hour) // it marks the last event
		w.senders.Wake(adasChat)
		w.log.Add(adasChat, w.log.Say(adasChat, "2"), reply("two")...)
		synctest.Wait()
		close(m.held)
		synctest.Wait()
		if diff := cmp.Diff([]string{"one", "two"}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestChatsOfOthersAreLeftAlone(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		for _, name := range []event.Chat{"main", "telegram/x", "telegram/7/", "telegram/007"} {
			w.senders.Wake(name)
		}
		synctest.Wait()
		if w.log.Following != 0 {
			t.Errorf("%d chats are followed", w.log.Following)
		}
	})
}

func TestNotesAfterTheReplyAreSilent(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.senders.Wake(adasChat)
		turn := w.log.Say(adasChat, "1")
		w.log.Add(adasChat, turn, event.Noted{Text: "loading"}, event.Replied{Text: "so"}, event.Noted{Text: "a *program* was stopped"}, event.Ended{})
		synctest.Wait()
		all := w.chat.FromBot()
		if diff := cmp.Diff([]string{"so", "a *program* was stopped"}, w.chat.BotTexts()); diff != "" {
			t.Fatal(diff)
		}
		if all[0].Silent || !all[1].Silent {
			t.Errorf("silent are %t and %t", all[0].Silent, all[1].Silent)
		}
	})
}

// Hob may end between a reply and a note after it. The note is sent after the restart. A note before the reply, which the
// live view has shown, is not.
func TestNotesAfterTheReplyOutliveARestart(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.senders.Wake(adasChat)
		turn := w.log.Say(adasChat, "1")
		w.log.Add(adasChat, turn, event.Noted{Text: "loading"})
		for _, b := range []event.Body{event.Replied{Text: "so"}, event.Noted{Text: "a program was stopped"}, event.Ended{}} {
			synctest.Wait()
			w.stop()
			w.log.Add(adasChat, turn, b)
			w.start()
		}
		if diff := cmp.Diff([]string{"so", "a program was stopped"}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

// A restart may begin to read in the middle of a turn, because of what somebody said meanwhile. A note from before the
// reply is not sent then either.
func TestNotesBeforeTheReplyAreNotSentAgain(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.senders.Wake(adasChat)
		first := w.log.Say(adasChat, "1")
		second := w.log.Say(adasChat, "2")
		w.log.Add(adasChat, first, event.Noted{Text: "loading"}, event.Replied{Text: "one"}, event.Noted{Text: "a program was stopped"})
		synctest.Wait()
		w.stop()
		w.start()
		w.log.Add(adasChat, first, event.Ended{})
		w.log.Add(adasChat, second, reply("two")...)
		synctest.Wait()
		if diff := cmp.Diff([]string{"one", "a program was stopped", "two"}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestABurstIsAnswered(t *testing.T) {
	for _, in := range []event.Chat{adasChat, groupChat} {
		inWorld(t, telegramtest.Options{Limits: telegramtest.Usual()}, func(w *world) {
			chat := map[event.Chat]*telegramtest.Chat{groupChat: w.group, adasChat: w.chat}[in]
			var want []string
			for burst := range 3 {
				var said []int64
				for i := range 15 {
					w.senders.Wake(in)
					said = append(said, w.log.Say(in, fmt.Sprint(burst, "/", i)))
				}
				for i, turn := range said {
					switch {
					case i%5 == 1:
						w.log.Add(in, said[i-1], event.Joined{Said: turn})
						continue
					case i > 0 && i%5 != 2:
						w.log.Add(in, turn, called("1", "read_file", `{"path":"a"}`))
						after(5 * time.Second)
					}
					text := fmt.Sprint("answer ", burst, "/", i)
					if i%5 != 0 {
						w.log.Add(in, turn, reply(text)...)
						want = append(want, text)
						continue
					}
					next := said[i+1]
					w.log.Add(in, turn, event.Joined{Said: next})
					w.log.Add(in, turn, reply(text)...)
					want = append(want, text)
				}
				after(10 * time.Minute)
			}
			if diff := cmp.Diff(want, chat.BotTexts()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestHobsOwnAnswers(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.srv.Fail(telegramtest.Fault{Method: "sendMessage", Kind: telegramtest.TooMany, RetryAfter: 7 * time.Second})
		w.senders.Wake(adasChat)
		w.log.Add(adasChat, w.log.Say(adasChat, "1"), reply("first")...)
		synctest.Wait()
		begun := time.Now()
		answer := chat.Answer{Text: "**Tools**", Keys: [][]chat.Key{{{Text: "on", Data: "b:0"}, {Text: "off", Data: "b:1"}}}}
		if err := w.senders.Say(w.t.Context(), chat.Address{Chat: 77}, 1, answer); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); took != 7*time.Second {
			t.Errorf("it took %v", took)
		}
		all := w.chat.FromBot()
		if diff := cmp.Diff([]string{"first", "Tools"}, w.chat.BotTexts()); diff != "" {
			t.Fatal(diff)
		}
		want := [][]telegramtest.Button{{{Text: "on", Data: "b:0"}, {Text: "off", Data: "b:1"}}}
		if diff := cmp.Diff(want, all[1].Buttons); diff != "" || all[1].ReplyTo != 1 || len(all[1].Entities) != 1 {
			t.Error(diff, all[1])
		}
		if err := w.senders.Edit(w.t.Context(), chat.Address{Chat: 77}, all[1].ID, chat.Answer{}); err != nil {
			t.Fatal(err)
		}
		if got, _ := w.chat.Message(all[1].ID); got.Text != "Tools" || len(got.Buttons) > 0 {
			t.Errorf("without its buttons it is %+v", got)
		}
		for range 2 { // the same again is no error
			if err := w.senders.Edit(w.t.Context(), chat.Address{Chat: 77}, all[1].ID, chat.Answer{Text: "*all* off"}); err != nil {
				t.Fatal(err)
			}
		}
		if got, _ := w.chat.Message(all[1].ID); got.Text != "all off" {
			t.Errorf("it is %+v", got)
		}
		if err := w.senders.Edit(w.t.Context(), chat.Address{Chat: 77}, 9999, chat.Answer{Text: "x"}); !errors.Is(err, client.ErrRefused) {
			t.Errorf("to edit what is not there: %v", err)
		}
		w.chat.Block()
		if err := w.senders.Say(w.t.Context(), chat.Address{Chat: 77}, 0, answer); !errors.Is(err, client.ErrForbidden) {
			t.Errorf("an answer to somebody who has blocked the bot: %v", err)
		}
	})
}

// An answer has no record. One whose outcome nobody can know is sent again all the same, and says so.
func TestAnAnswerThatIsSentAgainSaysSo(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.srv.Fail(telegramtest.Fault{Method: "sendMessage", Kind: telegramtest.DropAfter}, telegramtest.Fault{Method: "sendMessage", Kind: telegramtest.Refused})
		if err := w.senders.Say(w.t.Context(), chat.Address{Chat: 77}, 0, chat.Answer{Text: "one"}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"one", "one\n\n" + sentAgain}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

// Say returns where its answer will never be sent.
func TestAnswersThatAreNotSent(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.srv.Cut()
		ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
		defer cancel()
		if err := w.senders.Say(ctx, chat.Address{Chat: 77}, 0, chat.Answer{Text: "late"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("nobody waits: %v", err)
		}
		w.srv.Mend()
		after(time.Hour)
		w.srv.Cut()
		results := make(chan error, 2)
		for range 2 {
			go func() { results <- w.senders.Say(w.t.Context(), chat.Address{Chat: 77}, 0, chat.Answer{Text: "x"}) }()
		}
		synctest.Wait()
		w.stop()
		for range 2 {
			if err := <-results; !errors.Is(err, errShutdown) {
				t.Errorf("hob ends: %v", err)
			}
		}
		if err := w.senders.Say(w.t.Context(), chat.Address{Chat: 77}, 0, chat.Answer{Text: "x"}); !errors.Is(err, errShutdown) {
			t.Errorf("hob has ended: %v", err)
		}
		w.srv.Mend()
		w.start()
		after(time.Hour)
		if diff := cmp.Diff([]string(nil), w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

// A journal that fails for a while is followed again. One that is closed is left alone.
func TestAJournalThatFails(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.senders.Wake(adasChat)
		turn := w.log.Say(adasChat, "1")
		synctest.Wait()
		w.log.Fail(errors.New("the disk is full"))
		n := len(w.chat.Actions())
		after(10 * time.Minute)
		if m := len(w.chat.Actions()); m > n+1 {
			t.Errorf("it types %d times more for a turn that nobody works on", m-n)
		}
		w.log.Fail(nil)
		w.log.Add(adasChat, turn, reply("one")...)
		after(2 * time.Minute)
		w.log.Fail(session.ErrClosed)
		w.log.Add(adasChat, w.log.Say(adasChat, "2"), reply("two")...)
		after(time.Hour)
		w.stop()
		w.log.Fail(nil)
		w.start()
		if diff := cmp.Diff([]string{"one", "two"}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

// However much there is to send, most of it waits in the journal.
func TestABacklogWaitsInTheJournal(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.srv.Cut()
		w.senders.Wake(adasChat)
		var want []string
		for i := range 5 * maxItems {
			w.log.Add(adasChat, w.log.Say(adasChat, fmt.Sprint(i)), reply(fmt.Sprint(i))...)
			want = append(want, fmt.Sprint(i))
		}
		after(time.Hour)
		if n := w.log.Read; n > 3*(maxItems+3) {
			t.Errorf("%d events were read of which nothing could be sent", n)
		}
		w.srv.Mend()
		after(time.Hour)
		if diff := cmp.Diff(want, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

// Markup that takes long to parse keeps nobody waiting: of a long text only the beginning is parsed.
func TestALongTextIsNotParsed(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.senders.Wake(adasChat)
		w.log.Add(adasChat, w.log.Say(adasChat, "1"), reply(strings.Repeat("_a*", 300_000))...)
		synctest.Wait()
		if all := w.chat.FromBot(); len(all) != 2 || !strings.HasSuffix(all[0].Text, cutHere) || all[1].File.Name != "reply.md" {
			t.Errorf("it is sent in %d messages", len(all))
		}
	})
}

// The result of a tool that a person calls is sent once, to the letter, with its files and choices.
func TestTheResultOfACommandIsSentOnce(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.stop()
		w.cfg.Files = sessiontest.Files{"a.txt": "one", "b.txt": "two"}
		w.start()
		w.senders.Wake(adasChat)
		call := func(result event.Returned, reply event.Replied) {
			turn := w.log.Add(adasChat, 0, event.Said{InputID: "i" + reply.Text[:1], From: "77", Text: "/weather Oslo", Command: true})
			result.ID, result.Tool = "c", "weather"
			w.log.Add(adasChat, turn, event.Generated{Class: "command"}, event.Called{ID: "c", Tool: "weather"}, event.Started{CallID: "c"}, result, reply,
				event.Ended{Reason: event.Done})
			after(2 * time.Second)
		}
		text := "a *b* _c_ [d](http://e) <f:g>\n# h"
		call(event.Returned{OK: true, Text: text, Files: []event.File{{Name: "a.txt", Path: "a.txt", Bytes: 3}},
			Choices: []event.Choice{{Label: "More", Text: "more of it"}}}, event.Replied{Text: text})
		call(event.Returned{OK: true}, event.Replied{Text: "played", Files: []event.File{{Name: "b.txt", Path: "b.txt", Bytes: 3}},
			Choices: []event.Choice{{Label: "North", Text: "go north"}}})
		call(event.Returned{OK: true}, event.Replied{Text: strings.Repeat("long ", 5000)})
		got := w.chat.BotTexts()
		if n := len(got) - 2; n > 0 {
			got[n] = got[n][:9]
		}
		want := []string{"<document a.txt> ", text, "<document b.txt> ", "played", "long long", "<document reply.txt> "}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		var labels []string
		for _, m := range w.chat.FromBot() {
			for _, b := range slices.Concat(m.Buttons...) {
				labels = append(labels, b.Text)
			}
		}
		if diff := cmp.Diff([]string{"North"}, labels); diff != "" {
			t.Error(diff)
		}
		w.stop() // and not again after a restart
		w.start()
		w.senders.Wake(adasChat)
		synctest.Wait()
		if n := len(w.chat.BotTexts()); n != len(want) {
			t.Errorf("%d messages, not %d", n, len(want))
		}
	})
}
