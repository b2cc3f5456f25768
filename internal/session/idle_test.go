package session_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/session"
	"hob/internal/store"
	"hob/internal/store/storetest"
)

// stuck is a journal that does not return.
type stuck struct {
	*storetest.Memory
	on chan struct{}
}

func (s stuck) Append(ctx context.Context, entries ...store.Entry) ([]event.Event, error) {
	if said, ok := entries[0].Body.(event.Said); ok && said.Text == "stick" {
		<-s.on
	}
	return s.Memory.Append(ctx, entries...)
}

// Alive says which chat does not answer, and waits for no turn.
func TestAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		on := make(chan struct{})
		h := open(t, stuck{storetest.NewMemory(time.Now), on},
			llm.NewScript(llm.Do(call(1, "run", "x")), llm.Say("done")))
		seq := h.submit("1", "run x") // somebody is asked
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := h.Alive(ctx); err != nil {
			t.Error(err)
		}
		go func() {
			_, _ = h.Submit(t.Context(), session.Input{Chat: "other", ID: "1", From: "bo", Text: "stick",
				Principal: owner})
		}()
		synctest.Wait()
		if err := h.Alive(ctx); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "other") {
			t.Errorf("Alive = %v", err)
		}
		close(on)
		if err := h.Alive(t.Context()); err != nil {
			t.Error(err)
		}
		h.watch(seq, true)
		h.Close()
		if err := h.Alive(t.Context()); !errors.Is(err, session.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	})
}

// Chats in which nothing happens are forgotten, also while a watchdog looks, and come back as they
// were.
func TestIdleChatsRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex // chats speak at the same time
		var last llm.Request
		h := open(t, storetest.NewMemory(time.Now), model(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
			mu.Lock()
			defer mu.Unlock()
			last = r
			return llm.Say("hi")(ctx, r, d)
		}))
		before := bubble()
		for i := range 200 {
			if _, err := h.Submit(t.Context(), session.Input{Chat: event.Chat(fmt.Sprint("c", i)), ID: "1", From: "ana", Text: "hello", Principal: owner}); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if n := h.inHand(); n != 200 {
			t.Errorf("%d chats are in hand", n)
		}
		for range 60 {
			pass(time.Minute)
			if err := h.Alive(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if n := h.inHand(); n != 0 || bubble() > before {
			t.Errorf("%d chats are in hand, %d goroutines of %d", n, bubble(), before)
		}
		if _, err := h.Submit(t.Context(), session.Input{Chat: "c7", ID: "2", From: "ana", Text: "again", Principal: owner}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := len(last.Messages); n != 3 || h.inHand() != 1 {
			t.Errorf("the model is told %d messages, %d chats are in hand", n, h.inHand())
		}
	})
}

// bubble returns the number of goroutines of the test's bubble. Those of the runtime (a finalizer
// at work counts) and of other tests come and go as they like.
func bubble() int {
	text := make([]byte, 1<<22) // 200 chats at rest would be 200 kB
	return bytes.Count(text[:runtime.Stack(text, true)], []byte(", synctest bubble "))
}

func (h *house) inHand() int {
	all, err := h.Chats(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	return len(all)
}

// A chat that somebody follows, or in which somebody is asked, does not rest.
func TestChatsThatAreInUseDoNotRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, storetest.NewMemory(time.Now), llm.NewScript(llm.Do(call(1, "run", "x")), llm.Say("done")))
		h.submit("1", "run x")
		ctx, stop := context.WithCancel(t.Context())
		go func() {
			for range h.Follow(ctx, "other", 0) { //nolint:revive // it only follows
			}
		}()
		pass(20 * time.Hour)
		if n := h.inHand(); n != 2 {
			t.Errorf("%d chats are in hand", n)
		}
		if err := h.Decide(t.Context(), yes(h.asked(), true, "ana")); err != nil {
			t.Error(err)
		}
		stop()
		pass(20 * time.Hour)
		if n := h.inHand(); n != 0 {
			t.Errorf("%d chats are in hand", n)
		}
	})
}

// Whoever comes in the very moment in which a chat goes to rest is served all the same.
func TestAChatIsWokenAsItGoesToRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, storetest.NewMemory(time.Now), model(func(ctx context.Context, r llm.Request, d func(llm.Delta)) (*llm.Reply, error) {
			return llm.Say("hi")(ctx, r, d)
		}))
		for i := range 200 {
			h.submit(fmt.Sprint(i), "hello")
			done := make(chan bool)
			for range 4 {
				go func() {
					pass(15 * time.Minute)
					_, err := h.IsBusy(t.Context(), "main")
					if _, other := h.Stop(t.Context(), "main"); err != nil || other != nil {
						t.Error(err, other)
					}
					for _, err := range h.Follow(t.Context(), "main", 0) {
						if err != nil {
							t.Error(err)
						}
						break
					}
					done <- true
				}()
			}
			for range 4 {
				<-done
			}
		}
	})
}
