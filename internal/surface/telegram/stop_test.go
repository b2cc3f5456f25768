package telegram_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"hob/internal/agent"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/surface/telegram/chat"
	"hob/internal/surface/telegram/telegramtest"
)

// A stop ends the turn at once, also the second one, while a download hangs in the chat and Telegram does not take the answer to
// the first.
func TestStopAfterStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		l := &live{
			t: t, srv: telegramtest.New(telegramtest.Options{}), open: failingMemory(), files: emptyFiles{},
			bounds: agent.Budget{Steps: 10, Calls: 10, Time: time.Hour, Output: 10_000},
			model: played(func(ctx context.Context, _ llm.Request, _ func(llm.Delta)) (*llm.Reply, error) {
				asked++
				return nil, spend(ctx, time.Hour)
			}),
		}
		ada := l.srv.User(77, "Ada")
		hers := l.srv.Private(ada)
		l.allow(ada.ID, event.Owner)
		l.start()
		defer l.stop()
		for n, text := range []string{"one", "two"} {
			hers.Say(ada, text)
			pass(time.Second)
			if n == 0 {
				l.srv.Fail(telegramtest.Fault{Method: "sendMessage", Kind: telegramtest.TooMany, For: time.Hour, RetryAfter: time.Minute},
					telegramtest.Fault{Method: "file", Kind: telegramtest.HangBefore, For: time.Hour})
			}
		}
		hers.Say(ada, "and this", telegramtest.Document("note.txt", "text/plain", []byte("a note")))
		pass(time.Second)
		for n := 1; n <= 2; n++ {
			hers.Say(ada, "/stop")
			synctest.Wait()
			ended := 0
			for e, err := range l.kept.Chat(t.Context(), chat.Platform+"/77", 0) {
				if end, over := e.Body.(event.Ended); err == nil && over && end.Reason == event.Stopped {
					ended++
				}
			}
			if ended != n || asked != 2 {
				t.Errorf("after %d stops %d turns were stopped, and the model was asked %d times", n, ended, asked)
			}
		}
	})
	goleak.VerifyNone(t)
}
