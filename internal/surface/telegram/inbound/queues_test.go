package inbound

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/session"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/telegramtest"
)

func TestABurstKeepsItsOrder(t *testing.T) {
	inWorld(t, func(w *world) {
		w.mem.fails = map[string]int{"Person": 3, "SetUpdate done": 2}
		fails := 2
		w.ses.refuse = func(in session.Input) error {
			if in.Text == "4" && fails > 0 {
				fails--
				return errors.New("the disk is full")
			}
			return nil
		}
		ben := w.srv.User(81, "Ben")
		w.let(81, event.User)
		var want []string
		for i := range 15 {
			w.chat.Say(w.ada, strconv.Itoa(i))
			want = append(want, strconv.Itoa(i))
		}
		w.srv.Private(ben).Say(ben, "hi from Ben")
		w.step(5 * time.Minute)
		var got []string
		for _, in := range w.ses.inputs {
			if in.From == "77" {
				got = append(got, in.Text)
			}
		}
		w.want("Ada's", got, want)
		w.want("all", len(w.ses.inputs), 16)
		w.want("sent", w.chat.BotTexts(), []string(nil))
		w.want("undone", w.undone(), 0)
	})
}

func TestOneChatDoesNotWaitForAnother(t *testing.T) {
	inWorld(t, func(w *world) {
		w.srv.Fail(telegramtest.Fault{Method: "file", Kind: telegramtest.HangBefore})
		w.chat.Say(w.ada, "", telegramtest.Document("a.pdf", "", []byte("x")))
		w.step(0)
		ben := w.srv.User(81, "Ben")
		w.let(81, event.User)
		w.srv.Private(ben).Say(ben, "hi")
		w.step(0)
		w.want("heard", w.ses.texts(), []string{"hi"})
	})
}

// What is refused for good is told, at the message that it is about; what may pass is told once, when it takes long.
func TestWhyAMessageIsNotTaken(t *testing.T) {
	inWorld(t, func(w *world) {
		w.ses.refusing(func(session.Input) error {
			return &event.Error{Message: "at most 20 characters a message: this one has 34", Suggestion: "send it in parts, or as a file"}
		})
		id := w.chat.Say(w.ada, "it is long, as far as that goes")
		w.step(time.Second)
		w.want("sent", w.chat.BotTexts(), []string{"at most 20 characters a message: this one has 34; send it in parts, or as a file"})
		w.want("about", w.chat.FromBot()[0].ReplyTo, id)
		w.want("undone", w.undone(), 0)

		w.ses.refusing(func(session.Input) error { return errors.New("the disk is full") })
		w.chat.Say(w.ada, "hello")
		w.step(time.Hour)
		w.want("sent", w.chat.BotTexts()[1:], []string{"I cannot take your message in at the moment. I keep trying, you need not send it again."})
		w.ses.refusing(nil)
		w.step(time.Minute)
		w.want("heard", w.ses.texts(), []string{"hello"})
		w.want("undone", w.undone(), 0)
	})
}

// What was handed in before a crash and not noted as done is handed in again under the same number, and no second input.
func TestHandedInBeforeACrash(t *testing.T) {
	inWorld(t, func(w *world) {
		w.mem.fails = map[string]int{"SetUpdate done": 1000}
		w.chat.Say(w.ada, "hello")
		w.chat.Say(w.ada, "", telegramtest.Document("a.pdf", "", []byte("x")))
		w.step(time.Second)
		w.stop()
		w.mem.fails = nil
		undone, err := w.mem.Undone(w.t.Context(), chat.Platform)
		if err != nil || len(undone) != 2 {
			w.t.Fatal(undone, err)
		}
		w.ses.inputs = append(w.ses.inputs, session.Input{Chat: "telegram/77", ID: item{Update: undone[1]}.inputID(), Text: "under another name"})
		w.start()
		w.step(time.Second)
		w.want("heard", w.ses.texts(), []string{"hello", "under another name"})
		w.want("sent", w.chat.BotTexts(), []string(nil))
		w.want("undone", w.undone(), 0)
	})
}

func TestAnUpdateThatCannotBeReadIsSkippedAlone(t *testing.T) {
	inWorld(t, func(w *world) {
		raw := fmt.Sprintf(`{"update_id":7,"message":{"message_id":"x","chat":{"id":%d}}}`, adaID)
		_, err := w.mem.Receive(t.Context(), []event.Update{{Platform: chat.Platform, ID: 7, Raw: json.RawMessage(raw), State: event.UpdateNew}})
		if err != nil {
			t.Fatal(err)
		}
		w.stop()
		w.start()
		w.chat.Say(w.ada, "hello")
		w.step(time.Second)
		w.want("heard", w.ses.texts(), []string{"hello"})
		w.want("undone", w.undone(), 0)
	})
}

// However much comes while a chat waits, memory is bounded, nothing is lost, and nothing is done twice or out of order.
func TestMoreThanFitsIntoMemory(t *testing.T) {
	for _, c := range []struct{ chats, n, pause int }{
		{1, 2500, 0}, {3, 2500, 0}, {2, 5000, 1}, {4, 3000, 3},
	} {
		chats, n, pause := c.chats, c.n, c.pause
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			defer w.stop()
			gate := make(chan struct{})
			w.ses.refuse = func(in session.Input) error {
				if in.Text == "0" {
					w.ses.mu.Unlock()
					<-gate
					w.ses.mu.Lock()
				}
				return nil
			}
			var all []event.Update
			for i := range n {
				id := int64(100 + i%chats)
				if i < chats {
					w.let(id, event.User)
				}
				raw := fmt.Sprintf(`{"update_id":%d,"message":{"message_id":%d,"from":{"id":%d},"chat":{"id":%d,"type":"private"},"text":"%d"}}`,
					1000+i, i+1, id, id, i/chats)
				all = append(all, event.Update{Platform: chat.Platform, ID: int64(1000 + i), Raw: json.RawMessage(raw), State: event.UpdateNew})
			}
			fresh, err := w.mem.Receive(t.Context(), all)
			if err != nil {
				t.Fatal(err)
			}
			deliver := func(part []event.Update) {
				for i, u := range part {
					w.in.Deliver(t.Context(), u)
					if pause > 0 && i%700 == 0 {
						<-time.After(time.Duration(pause) * time.Millisecond)
					}
				}
			}
			deliver(fresh[:n/2])
			synctest.Wait()
			close(gate)
			deliver(fresh[n/2:])
			<-time.After(time.Minute)
			synctest.Wait()
			next := map[string]int{}
			for _, in := range w.ses.inputs {
				if in.Text != strconv.Itoa(next[in.From]) {
					t.Fatalf("%s: %s comes after %d", in.From, in.Text, next[in.From]-1)
				}
				next[in.From]++
			}
			w.want("heard", len(w.ses.inputs), n)
			w.want("undone", w.undone(), 0)
		})
	}
}

// The router holds no more than it may, and forgets what is done.
func TestTheRouterForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.stop()
		ctx, cancel := context.WithCancel(t.Context())
		r := &router{in: w.in, queues: map[queueKey][]item{}, active: map[int64]bool{}, stopping: map[chat.Address]int{}}
		for i := range int64(3 * maxWaiting) {
			r.deliver(ctx, event.Update{N: i + 1, Platform: chat.Platform, ID: i + 1, Raw: json.RawMessage(`{}`)})
		}
		w.want("held", []any{r.queued, len(r.active), len(r.queues), r.lateQueues[queueKey{}]}, []any{maxQueue, maxQueue, 1, true})
		var done []int64
		for {
			reply := r.dequeue(dequeueRequest{done: done})
			if len(reply) == 0 {
				break
			}
			done = []int64{reply[0].N}
		}
		w.want("left", []any{r.queued, len(r.active), len(r.queues)}, []any{0, 0, 0})
		cancel()
		r.wait.Wait()
	})
}

// An update that is delivered twice, or read again because others had no room, waits once.
func TestTheRouterKnowsWhatItHas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.stop()
		ctx, cancel := context.WithCancel(t.Context())
		r := &router{in: w.in, queues: map[queueKey][]item{}, active: map[int64]bool{}, stopping: map[chat.Address]int{}}
		var all []event.Update
		for i := range int64(3) {
			all = append(all, event.Update{Platform: chat.Platform, ID: i + 1, Raw: json.RawMessage(`{}`), State: event.UpdateNew})
		}
		all, err := w.mem.Receive(ctx, all)
		if err != nil {
			t.Fatal(err)
		}
		r.deliver(ctx, all[0])
		r.deliver(ctx, all[0])
		r.deliver(ctx, all[1])
		w.want("delivered", r.queued, 2)
		r.behind = true
		r.catchUp(ctx)
		w.want("read", []any{r.queued, r.behind}, []any{3, false})
		r.dequeue(dequeueRequest{done: []int64{1, 2, 3}})
		r.deliver(ctx, all[2]) // on its way since before it was read
		w.want("delivered late", r.queued, 2)
		cancel()
		r.wait.Wait()
	})
}

// However long a chat cannot be written to, and however much comes there meanwhile, others do not wait for it; in the end all of
// it is dealt with, in order.
func TestAChatThatFailsForLongStopsNoOther(t *testing.T) {
	inWorld(t, func(w *world) {
		w.ses.refusing(func(in session.Input) error {
			if in.Chat == "telegram/81" {
				return errors.New("an event of the chat cannot be read")
			}
			return nil
		})
		w.let(81, event.User)
		raw := `{"update_id":%d,"message":{"message_id":%[1]d,"from":{"id":%d},"chat":{"id":%[2]d,"type":"private"},"text":"%d"}}`
		var all []event.Update
		say := func(who int64, n int) {
			id := int64(len(all) + 1)
			all = append(all, event.Update{Platform: chat.Platform, ID: id, Raw: fmt.Appendf(nil, raw, id, who, n), State: event.UpdateNew})
		}
		const n = 3 * maxWaiting
		for i := range n {
			say(81, i)
		}
		say(adaID, -1)
		all, err := w.mem.Receive(w.t.Context(), all)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, u := range all {
			w.in.Deliver(w.t.Context(), u)
		}
		<-time.After(time.Hour)
		synctest.Wait()
		w.want("heard", w.ses.texts(), []string{"-1"})
		w.ses.refusing(nil)
		<-time.After(time.Hour)
		synctest.Wait()
		for i, in := range w.ses.inputs[1:] {
			if in.Text != strconv.Itoa(i) {
				w.t.Fatalf("%s is at place %d", in.Text, i)
			}
		}
		w.want("all", len(w.ses.inputs), n+1)
		w.want("undone", w.undone(), 0)
	})
}

// An update at which hob itself fails is done, and the person reads so. What comes after it is read.
func TestAFaultEndsNothing(t *testing.T) {
	inWorld(t, func(w *world) {
		w.stop()
		w.cfg.ChangesReminder = func(string) bool { panic("a fault") }
		w.start()
		message := w.sendEvent(w.chat, event.Event{Seq: 9, Body: event.Noted{Text: "jam", Reminder: 3}})
		w.chat.Say(w.ada, "❤️", telegramtest.ReplyTo(message))
		w.chat.Say(w.ada, "good morning")
		w.step(time.Second)
		w.want("sent", w.chat.BotTexts()[1:], []string{chat.Words("").Text("fault")})
		w.want("inputs", len(w.ses.inputs), 1)
		w.want("undone", w.undone(), 0)
	})
}
