package outbound

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/store/storetest"
	"hob/internal/surface/telegram/client"
	"hob/internal/surface/telegram/sessiontest"
	"hob/internal/surface/telegram/telegramtest"
)

func TestAReplyIsSentAndMarked(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		turn := w.log.Say(adasChat, "hello")
		w.senders.Wake(adasChat)
		synctest.Wait()
		last := w.log.Add(adasChat, turn, reply("It is **here**: https://example.org")...)
		synctest.Wait()
		all := w.chat.FromBot()
		if len(all) != 1 || all[0].Text != "It is here: https://example.org" || len(all[0].Entities) != 1 || !all[0].NoPreview || all[0].Silent {
			t.Errorf("the reply is %+v", all)
		}
		if mark, err := w.mem.Marked(w.t.Context(), "told/telegram/77"); err != nil || mark != last-1 {
			t.Errorf("the mark is %d, %v; the reply is %d", mark, err, last-1)
		}
		sends, err := w.mem.Sends(w.t.Context(), adasChat, last-1)
		if want := []event.Send{{Chat: adasChat, Seq: last - 1, State: event.SendSent, Tries: 1, Message: all[0].ID}}; err != nil || !cmp.Equal(sends, want) {
			t.Errorf("it is recorded as %+v, %v", sends, err)
		}
	})
}

func TestAReplyGoesToTheTopic(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		turn := w.log.Say(groupChat, "hello")
		w.log.Add(groupChat, turn, reply("here")...)
		w.senders.Wake(groupChat)
		synctest.Wait()
		if all := w.group.FromBot(); len(all) != 1 || all[0].Topic != 5 {
			t.Errorf("the reply is %+v", all)
		}
	})
}

// What was not sent when hob ended is sent when it begins: nothing has to wake the chat.
func TestAStartSendsUnsentEvents(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.stop()
		w.log.Add(adasChat, w.log.Say(adasChat, "1"), reply("one")...)
		w.log.Add("main", w.log.Say("main", "2"), reply("two")...)
		w.start()
		w.stop()
		w.start()
		if diff := cmp.Diff([]string{"one"}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestLongRepliesAreSplitOrDocuments(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.senders.Wake(adasChat)
		two := strings.Repeat("word ", 1000)
		w.log.Add(adasChat, w.log.Say(adasChat, "1"), reply(two)...)
		synctest.Wait()
		if all := w.chat.BotTexts(); len(all) != 2 || strings.Join(strings.Fields(strings.Join(all, " ")), " ") != strings.TrimSpace(two) {
			t.Errorf("%d messages: %q", len(all), all)
		}
		whole := strings.Repeat("many words in lines\n", 1500) + "\nwrote notes.md"
		w.log.Add(adasChat, w.log.Say(adasChat, "2"), event.Replied{Text: whole, Receipt: "wrote notes.md"}, event.Ended{})
		synctest.Wait()
		all := w.chat.FromBot()[2:]
		if len(all) != 2 || !strings.HasSuffix(all[0].Text, "\n\n"+"(This is the beginning. The whole is in the document below.)") ||
			all[1].File == nil || all[1].File.Name != "reply.md" || string(all[1].File.Data) != whole || all[1].Text != "wrote notes.md" {
			t.Errorf("the long reply is %d messages: %+v", len(all), all)
		}
	})
}

func TestFilesAreSent(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.cfg.Files.(sessiontest.Files)["a"], w.cfg.Files.(sessiontest.Files)["c"] = "text", string(telegramtest.PNG(8, 8, 0))
		turn := w.log.Say(adasChat, "1")
		w.senders.Wake(adasChat)
		w.log.Add(adasChat, turn, event.Returned{ID: "c", Tool: "send_file", OK: true, Files: []event.File{
			{Name: "a.txt", Type: "text/plain", Path: "a", Bytes: 4}, {Name: "b.txt", Type: "text/plain", Path: "b"},
			{Name: "c.png", Type: "image/png", Path: "c", Bytes: 8},
		}})
		w.log.Add(adasChat, turn, reply("sent")...)
		synctest.Wait()
		want := []string{"<document a.txt> ", "The file b.txt was not sent: it has changed since it was handed over", "<photo c.png> ", "sent"}
		got := w.chat.BotTexts()
		for i, m := range w.chat.FromBot() {
			if m.File != nil && m.File.Kind == "photo" {
				got[i] = "<photo c.png> " // Telegram keeps no name of one
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// Delivered tells several callers what became of a file, and waits while it is on its way.
func TestDelivered(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.srv.Fail(telegramtest.Fault{Method: "sendDocument", Kind: telegramtest.Slow, Delay: 5 * time.Second})
		w.srv.Fail(telegramtest.Fault{Method: "sendDocument", Kind: telegramtest.BadRequest, Message: "no files today"})
		w.cfg.Files.(sessiontest.Files)["a"], w.cfg.Files.(sessiontest.Files)["b"] = "text", "text"
		turn := w.log.Say(adasChat, "1")
		w.senders.Wake(adasChat)
		seq := w.log.Add(adasChat, turn, event.Returned{ID: "c", Tool: "send_file", OK: true, Files: []event.File{
			{Name: "a.txt", Type: "text/plain", Path: "a", Bytes: 4}, {Name: "b.txt", Type: "text/plain", Path: "b", Bytes: 4},
		}})
		short, cancel := context.WithTimeout(w.t.Context(), time.Second)
		defer cancel()
		if got := w.senders.Delivered(short, adasChat, seq, 0); got != "" {
			t.Errorf("on its way: %q", got)
		}
		states := make(chan event.SendState)
		for range 3 {
			go func() { states <- w.senders.Delivered(w.t.Context(), adasChat, seq, 0) }()
		}
		for range 3 {
			if got := <-states; got != event.SendSent {
				t.Errorf("it is there: %q", got)
			}
		}
		if got := w.senders.Delivered(w.t.Context(), adasChat, seq, 1); got != event.SendRefused {
			t.Errorf("refused: %q", got)
		}
		w.log.Add(adasChat, turn, reply("done")...)
		synctest.Wait()
		if diff := cmp.Diff([]string{"<document a.txt> ", "The file b.txt was not sent: Telegram does not take it: Bad Request: no files today", "done"}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

// picky is a Telegram that refuses what a test says.
type picky struct {
	caller
	refuses func(method string, p client.Params) error
}

func (c picky) Call(ctx context.Context, method string, p client.Params, out any) error {
	if err := c.refuses(method, p); err != nil {
		return err
	}
	return c.caller.Call(ctx, method, p, out)
}

func (c picky) Upload(ctx context.Context, method string, p client.Params, field, name string, file io.Reader, out any) error {
	if err := c.refuses(method, p); err != nil {
		return err
	}
	return c.caller.Upload(ctx, method, p, field, name, file, out)
}

func badRequest(message string) error {
	return &client.Error{Code: http.StatusBadRequest, Message: message}
}

func TestWhatIsRefusedIsSentInAnotherForm(t *testing.T) {
	for _, c := range []struct {
		name    string
		refuses func(method string, p client.Params) error
		want    []string
	}{
		{"entities", func(_ string, p client.Params) error {
			if p["entities"] != "" {
				return badRequest("can't parse entities")
			}
			return nil
		}, []string{"bold", "<photo > ", "next"}},
		{"words", func(_ string, p client.Params) error {
			if strings.Contains(p["text"], "bold") && !strings.HasPrefix(p["text"], "Telegram") {
				return badRequest("it says bold")
			}
			return nil
		}, []string{"Telegram does not take this message: it says bold", "<photo > ", "next"}},
		{"words that it calls too long", func(method string, p client.Params) error {
			if strings.Contains(p["text"], "bold") {
				return badRequest("Bad Request: message is too long")
			}
			return nil
		}, []string{"<document message.txt> ", "<photo > ", "next"}},
		{"words that are too long, and documents", func(method string, p client.Params) error {
			if strings.Contains(p["text"], "bold") || method == "sendDocument" {
				return badRequest("Bad Request: MESSAGE_TOO_LONG")
			}
			return nil
		}, []string{"The file message.txt was not sent: Telegram does not take it: Bad Request: MESSAGE_TOO_LONG", "<photo > ", "next"}},
		{"photos", func(method string, _ client.Params) error {
			if method == "sendPhoto" {
				return badRequest("PHOTO_INVALID_DIMENSIONS")
			}
			return nil
		}, []string{"bold", "<document c.png> ", "next"}},
		{"files", func(method string, _ client.Params) error {
			if method != "sendMessage" {
				return badRequest("no files today")
			}
			return nil
		}, []string{"bold", "The file c.png was not sent: Telegram does not take it: no files today", "next"}},
		{"all that is bold or a file", func(method string, p client.Params) error {
			if strings.Contains(p["text"], "bold") || method == "sendPhoto" {
				return &client.Error{Code: http.StatusForbidden, Message: "Forbidden: go away"}
			}
			return nil
		}, []string{"next"}},
		{"a chat that moved", func(method string, p client.Params) error {
			if strings.Contains(p["text"], "bold") || method == "sendPhoto" {
				return &client.Error{Code: http.StatusBadRequest, MovedTo: -100}
			}
			return nil
		}, []string{"next"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, telegramtest.Options{}, func(w *world) {
				w.stop()
				w.api = picky{w.api, c.refuses}
				w.cfg.Files.(sessiontest.Files)["c"] = string(telegramtest.PNG(8, 8, 0))
				w.start()
				w.senders.Wake(adasChat)
				w.log.Add(adasChat, w.log.Say(adasChat, "1"), reply("**bold**")...)
				turn := w.log.Say(adasChat, "2")
				w.log.Add(adasChat, turn, event.Returned{ID: "c", OK: true, Files: []event.File{{Name: "c.png", Type: "image/png", Path: "c", Bytes: 8}}})
				w.log.Add(adasChat, turn, reply("next")...)
				synctest.Wait()
				got := w.chat.BotTexts()
				for i, text := range got {
					if strings.HasPrefix(text, "<photo") {
						got[i] = "<photo > "
					}
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// A text that a server calls too long becomes a document with the whole, and with the buttons. A caption that it calls
// too long is cut.
func TestTextsAndCaptionsThatAreTooLong(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.stop()
		w.api = picky{w.api, func(_ string, p client.Params) error {
			if len(p["text"]) > 4096 || len(p["caption"]) > 1024 { // it counts bytes
				return badRequest("Bad Request: message is too long")
			}
			return nil
		}}
		w.start()
		w.senders.Wake(adasChat)
		words := strings.Repeat("слово ", 500)
		turn := w.log.Say(adasChat, "1")
		w.log.Add(adasChat, turn, event.Replied{Text: words, Choices: []event.Choice{{Label: "on", Text: "go on"}}}, event.Ended{Reason: event.Done})
		synctest.Wait()
		all := w.chat.FromBot()
		if len(all) != 1 || all[0].File == nil || strings.TrimSpace(string(all[0].File.Data)) != strings.TrimSpace(words) || len(all[0].Buttons) != 1 {
			t.Errorf("it is sent as %+v", all)
		}
		receipt := strings.Repeat("слово ", 160)
		w.log.Add(adasChat, w.log.Say(adasChat, "2"), event.Replied{Text: strings.Repeat("word ", 10_000) + receipt, Receipt: receipt}, event.Ended{Reason: event.Done})
		synctest.Wait()
		last := w.chat.FromBot()[len(w.chat.FromBot())-1]
		if last.File == nil || last.File.Name != "reply.md" || !strings.HasPrefix(last.Text, "слово") || len(last.Text) > 1024 {
			t.Errorf("it ends with %+v", last)
		}
	})
}

// A message that may have arrived is sent again and says so. One that certainly did not is sent again and does not.
func TestWhatIsSentAgainSaysSo(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault telegramtest.Fault
		want  []string
	}{
		{"the answer is lost", telegramtest.Fault{Kind: telegramtest.DropAfter}, []string{"one", "one\n\n" + sentAgain, "two"}},
		{"the answer is a page", telegramtest.Fault{Kind: telegramtest.BadGatewayAfter}, []string{"one", "one\n\n" + sentAgain, "two"}},
		{"no answer comes", telegramtest.Fault{Kind: telegramtest.HangBefore}, []string{"one\n\n" + sentAgain, "two"}},
		{"nobody listens", telegramtest.Fault{Kind: telegramtest.Refused, Times: 5}, []string{"one", "two"}},
		{"too many", telegramtest.Fault{Kind: telegramtest.TooMany, Times: 3, RetryAfter: 30 * time.Second}, []string{"one", "two"}},
		{"the token is not known", telegramtest.Fault{Kind: telegramtest.Unauthorized, Times: 3}, []string{"one", "two"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, telegramtest.Options{}, func(w *world) {
				c.fault.Method = "sendMessage"
				w.srv.Fail(c.fault)
				w.senders.Wake(adasChat)
				w.log.Add(adasChat, w.log.Say(adasChat, "1"), reply("one")...)
				w.log.Add(adasChat, w.log.Say(adasChat, "2"), reply("two")...)
				after(5 * time.Minute)
				if diff := cmp.Diff(c.want, w.chat.BotTexts()); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// Telegram may be down for a day, and hob may be stopped meanwhile: messages that certainly did not arrive do not say
// that they are sent again.
func TestADayWithoutTelegram(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.srv.Cut()
		w.senders.Wake(adasChat)
		var want []string
		for _, text := range []string{"one", "two", "three"} {
			w.log.Add(adasChat, w.log.Say(adasChat, text), reply(text)...)
			want = append(want, text)
		}
		after(12 * time.Hour)
		w.stop()
		w.start()
		after(12 * time.Hour)
		if n := methods(w.srv, "sendMessage"); n > 24*60+20 {
			t.Errorf("it was tried %d times", n)
		}
		w.srv.Mend()
		after(2 * time.Minute)
		if diff := cmp.Diff(want, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

// A message that was under way when hob was killed may have arrived.
func TestAMessageThatWasUnderWaySaysSo(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.stop()
		last := w.log.Add(adasChat, w.log.Say(adasChat, "1"), reply("one")...)
		if _, err := w.mem.BeginSend(w.t.Context(), adasChat, last-1, 0); err != nil {
			t.Fatal(err)
		}
		w.start()
		if diff := cmp.Diff([]string{"one\n\n" + sentAgain}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

// A stop leaves a call that is under way some time: its outcome is known then.
func TestAStopWaitsForACall(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.srv.Fail(telegramtest.Fault{Method: "sendMessage", Kind: telegramtest.Slow, Delay: 2 * time.Second})
		w.senders.Wake(adasChat)
		w.log.Add(adasChat, w.log.Say(adasChat, "1"), reply("one")...)
		synctest.Wait()
		begun := time.Now()
		w.stop()
		if took := time.Since(begun); took != 2*time.Second {
			t.Errorf("the stop took %v", took)
		}
		w.srv.Fail(telegramtest.Fault{Method: "sendMessage", Kind: telegramtest.HangAfter})
		w.start()
		w.senders.Wake(adasChat)
		w.log.Add(adasChat, w.log.Say(adasChat, "2"), reply("two")...)
		synctest.Wait()
		begun = time.Now()
		w.stop()
		if took := time.Since(begun); took != graceTime {
			t.Errorf("the stop took %v of a call that hangs", took)
		}
		w.start()
		if diff := cmp.Diff([]string{"one", "two", "two\n\n" + sentAgain}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestOneFloodedChatDoesNotStallOthers(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		bob := w.srv.Private(w.srv.User(88, "Bob"))
		bob.Say(w.srv.User(88, "Bob"), "/start")
		w.srv.Fail(telegramtest.Fault{Method: "sendMessage", Chat: 77, Kind: telegramtest.TooMany, RetryAfter: time.Minute})
		for _, name := range []event.Chat{adasChat, "telegram/88"} {
			w.senders.Wake(name)
			w.log.Add(name, w.log.Say(name, "1"), reply("one")...)
		}
		synctest.Wait()
		if diff := cmp.Diff([][]string{nil, {"one"}}, [][]string{w.chat.BotTexts(), bob.BotTexts()}); diff != "" {
			t.Error(diff)
		}
		after(time.Minute)
		if diff := cmp.Diff([]string{"one"}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

// A server that knows nothing at all is the wrong one: what it does not take is kept for the right one.
func TestAServerThatKnowsNothing(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.stop()
		var calls atomic.Int32
		w.api = picky{w.api, func(method string, _ client.Params) error {
			if calls.Add(1) <= 3 {
				return &client.Error{Method: method, Code: http.StatusNotFound, Message: "Not Found"}
			}
			return nil
		}}
		w.log.Add(adasChat, w.log.Say(adasChat, "1"), reply("one")...)
		w.start()
		after(time.Minute)
		if diff := cmp.Diff([]string{"one"}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

// A message to a person who has blocked the bot is refused, and the next ones are tried.
func TestABlockedChatGoesOn(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.senders.Wake(adasChat)
		w.chat.Block()
		last := w.log.Add(adasChat, w.log.Say(adasChat, "1"), reply("one")...)
		synctest.Wait()
		w.chat.Accept()
		w.log.Add(adasChat, w.log.Say(adasChat, "2"), reply("two")...)
		synctest.Wait()
		sends, err := w.mem.Sends(w.t.Context(), adasChat, last-1)
		if err != nil || len(sends) != 1 || sends[0].State != event.SendRefused {
			t.Errorf("it is recorded as %+v, %v", sends, err)
		}
		if diff := cmp.Diff([]string{"two"}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

// A disk that is full for a while delays messages and doubles none.
func TestAStoreThatFails(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.stop()
		m := &failing{Memory: w.mem, left: 3}
		w.keepIn(m)
		w.start()
		w.senders.Wake(adasChat)
		w.log.Add(adasChat, w.log.Say(adasChat, "1"), reply("one")...)
		after(time.Minute)
		m.left = 2
		w.log.Add(adasChat, w.log.Say(adasChat, "2"), reply("two")...)
		after(time.Minute)
		if diff := cmp.Diff([]string{"one", "two"}, w.chat.BotTexts()); diff != "" {
			t.Error(diff)
		}
	})
}

// A mark that cannot be moved for a while is moved later, also where all was sent before.
func TestAMarkThatFailsIsMovedLater(t *testing.T) {
	inWorld(t, telegramtest.Options{}, func(w *world) {
		w.stop()
		last := w.log.Add(adasChat, w.log.Say(adasChat, "1"), reply("one")...)
		sent, err := w.mem.BeginSend(w.t.Context(), adasChat, last-1, 0)
		if err != nil {
			t.Fatal(err)
		}
		sent.State = event.SendSent
		if err := w.mem.SetSend(w.t.Context(), sent, "", 0); err != nil {
			t.Fatal(err)
		}
		w.keepIn(&failing{Memory: w.mem, left: 2})
		w.start()
		after(10 * time.Second)
		if mark, err := w.mem.Marked(w.t.Context(), "told/telegram/77"); err != nil || mark != last-1 {
			t.Errorf("the mark is %d, %v; the reply is %d", mark, err, last-1)
		}
	})
}

// failing is a store that fails so many times to set a record or to mark.
type failing struct {
	*storetest.Memory
	left int
}

func (m *failing) Mark(ctx context.Context, reader string, seq int64) error {
	if m.left--; m.left >= 0 {
		return errors.New("the disk is full")
	}
	return m.Memory.Mark(ctx, reader, seq)
}

func (m *failing) SetSend(ctx context.Context, s event.Send, reader string, mark int64) error {
	if m.left--; m.left >= 0 {
		return errors.New("the disk is full")
	}
	return m.Memory.SetSend(ctx, s, reader, mark)
}
