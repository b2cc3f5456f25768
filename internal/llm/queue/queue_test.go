package queue_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hob/internal/llm"
	"hob/internal/llm/queue"
)

const (
	one     = "waiting: 1 before you"
	two     = "waiting: 2 before you"
	oneMore = "waiting: 1 before you, about 1 s" // a reply was measured: the device takes no time if not told to
	twoMore = "waiting: 2 before you, about 2 s"
	done    = "reply: done"
)

// The turn that began first goes first, then who came first.
func TestOrder(t *testing.T) {
	in(t, 1, func(h *house) {
		h.ask("ana", 1)
		for _, r := range []struct {
			name string
			turn int64
		}{{"late", 9}, {"bob", 5}, {"bob's second", 5}, {"cleo", 4}, {"bob's third", 5}} {
			h.ask(r.name, r.turn)
		}
		for _, next := range []string{"ana", "cleo", "bob", "bob's second", "bob's third", "late"} {
			h.runs(next)
			h.end(next, 0)
		}
		h.runs()
	})
}

// A turn that comes back for its second reply goes before a turn that began later, however long that has waited.
func TestATurnKeepsItsPlace(t *testing.T) {
	in(t, 1, func(h *house) {
		h.ask("ana", 1)
		h.ask("bob", 2)
		h.ask("cleo", 3)
		h.end("ana", 0)
		h.runs("bob") // ana's tool runs meanwhile: no slot is held for it
		h.ask("ana again", 1)
		h.end("bob", 0)
		h.runs("ana again")
		h.end("ana again", 0)
		h.end("cleo", 0)
		h.saw("cleo", two, oneMore, twoMore, oneMore, done)
	})
}

// Two requests of one turn at the same time stand in the queue like others.
func TestOneTurnTwice(t *testing.T) {
	in(t, 1, func(h *house) {
		h.ask("ana", 1)
		h.ask("ana's tool", 1)
		h.runs("ana")
		h.end("ana", 0)
		h.runs("ana's tool")
		h.end("ana's tool", 0)
		h.saw("ana's tool", one, done)
	})
}

// A request without a place is somebody's: it goes first and does not need onDelta.
func TestNoPlace(t *testing.T) {
	in(t, 1, func(h *house) {
		h.ask("ana", 1)
		h.ask("bob", 2)
		outcome := make(chan error, 1)
		go func() {
			_, err := h.queue.Chat(h.Context(), llm.Request{System: "plain"}, nil)
			outcome <- err
		}()
		synctest.Wait()
		h.end("ana", 0)
		h.runs("plain")
		h.text("plain", "words")
		h.end("plain", 0)
		h.end("bob", 0)
		if err := <-outcome; err != nil {
			h.Error(err)
		}
	})
}

// Nothing stops a request that runs, not even a turn that began earlier.
func TestARunningRequestGoesOn(t *testing.T) {
	in(t, 1, func(h *house) {
		h.ask("bob", 2)
		h.text("bob", "one")
		h.ask("ana", 1)
		h.runs("bob")
		h.text("bob", "two")
		h.end("bob", 0)
		h.end("ana", 0)
		h.saw("bob", "text: one", "text: two", done)
	})
}

// With several slots so many run at once, and who waits counts those that have to end.
func TestSlots(t *testing.T) {
	in(t, 3, func(h *house) {
		for turn, name := range []string{"ana", "bob", "cleo", "dan", "eve"} {
			h.ask(name, int64(turn))
		}
		h.runs("ana", "bob", "cleo")
		h.end("bob", 0)
		h.runs("ana", "cleo", "dan")
		for _, name := range []string{"ana", "cleo", "dan", "eve"} {
			h.end(name, 0)
		}
		h.saw("dan", one, done) // one of three has to end
		h.saw("eve", two, oneMore, done)
	})
	in(t, 0, func(h *house) { // is one
		h.ask("ana", 1)
		h.ask("bob", 2)
		h.runs("ana")
		h.end("ana", 0)
		h.end("bob", 0)
	})
}

// A caller that is slow to take a status is late for a slot, which a person who comes meanwhile takes; other slots are
// not held up.
func TestSlowCaller(t *testing.T) {
	slow := func(h *house, name string) (release func()) {
		gate := make(chan struct{})
		go func() {
			ctx := llm.WithPosition(h.Context(), llm.Position{Turn: 3})
			_, err := h.queue.Chat(ctx, llm.Request{System: name}, func(llm.Delta) { <-gate })
			if err != nil {
				h.Error(err)
			}
		}()
		synctest.Wait()
		return func() { close(gate); synctest.Wait() }
	}
	in(t, 1, func(h *house) {
		h.ask("ana", 1)
		release := slow(h, "late")
		h.end("ana", 0)
		h.runs()
		h.ask("bob", 2)
		h.runs("bob")
		release()
		h.runs("bob")
		h.end("bob", 0)
		h.end("late", 0)
	})
	in(t, 2, func(h *house) {
		h.ask("ana", 1)
		h.ask("bob", 2)
		release := slow(h, "cleo")
		h.ask("dan", 4)
		h.end("ana", 0)
		h.runs("bob")
		h.end("bob", 0)
		h.runs("dan")
		release()
		h.end("cleo", 0)
		h.end("dan", 0)
	})
}

// Cancelled while it waits, a request is gone at once, and those behind it are told.
func TestCancelledWhileWaiting(t *testing.T) {
	in(t, 1, func(h *house) {
		h.ask("ana", 1)
		bob := h.ask("bob", 2)
		h.ask("cleo", 3)
		bob.cancel(io.ErrClosedPipe)
		synctest.Wait()
		h.saw("bob", one, "cancelled: the request was cancelled")
		if !errors.Is(bob.err, llm.Cancelled) || !errors.Is(bob.err, io.ErrClosedPipe) {
			h.Error("kind and cause should be in", bob.err)
		}
		h.end("ana", 0)
		h.runs("cleo")
		h.end("cleo", 0)
		h.saw("cleo", two, one, done)
	})
	in(t, 1, func(h *house) { // before it began
		ctx, cancel := context.WithCancel(h.Context())
		cancel()
		if _, err := h.queue.Chat(ctx, llm.Request{}, nil); !errors.Is(err, llm.Cancelled) {
			h.Error(err)
		}
	})
}

// Cancelled while it runs, a request ends with what the model says, and frees its slot.
func TestCancelledWhileRunning(t *testing.T) {
	in(t, 1, func(h *house) {
		ana := h.ask("ana", 1)
		h.ask("bob", 2)
		ana.cancel(nil)
		synctest.Wait()
		h.saw("ana", "cancelled: the device stopped")
		h.end("bob", 0)
	})
}

// What an inner model asks of the queue is a part of its call, and does not wait for it. When the call is over, its
// context is like any other; and in another queue it always is.
func TestReentry(t *testing.T) {
	in(t, 1, func(h *house) {
		var outer, other *queue.Queue
		var kept context.Context
		asks := 0
		other = queue.New(h, 1, time.Now)
		outer = queue.New(modelFunc(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
			if asks++; asks == 1 {
				kept = ctx
				return outer.Chat(ctx, llm.Request{System: "inner"}, onDelta)
			}
			return other.Chat(ctx, req, onDelta)
		}), 1, time.Now)
		ask := func(ctx context.Context, name string) {
			go func() {
				if _, err := outer.Chat(context.WithoutCancel(ctx), llm.Request{System: name}, nil); err != nil {
					h.Error(err)
				}
			}()
			synctest.Wait()
		}
		ask(h.Context(), "first")
		h.runs("inner")
		if got := len(outer.State().Running); got != 1 {
			h.Errorf("%d slots for one call", got)
		}
		h.end("inner", 0)
		ask(h.Context(), "second")
		ask(kept, "third")
		h.runs("second")
		if got := len(outer.State().Waiting); got != 1 {
			h.Errorf("%d wait, a call with the context of one that is over should", got)
		}
		h.end("second", 0)
		h.end("third", 0)
	})
}

type modelFunc func(context.Context, llm.Request, func(llm.Delta)) (*llm.Reply, error)

func (f modelFunc) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	return f(ctx, req, onDelta)
}

// A model that panics, or ends its goroutine, gives its slot back; so does an onDelta, whether its request runs or waits.
func TestPanic(t *testing.T) {
	for name, end := range map[string]func(){"panic": func() { panic("no") }, "exit": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			in(t, 1, func(h *house) {
				h.ask("ana", 1)
				h.ask("bob", 2)
				h.do("ana", func(func(llm.Delta)) (*llm.Reply, bool, error) { end(); return nil, true, nil })
				h.runs("bob")
				go func() {
					defer func() { _ = recover() }()
					_, _ = h.queue.Chat(h.Context(), llm.Request{System: "cleo"}, func(llm.Delta) { end() })
				}()
				synctest.Wait()
				h.end("bob", 0)
				h.runs()
			})
		})
	}
	in(t, 1, func(h *house) {
		h.ask("ana", 1)
		h.do("ana", func(func(llm.Delta)) (*llm.Reply, bool, error) { panic("no") })
		h.saw("ana", "panic: no") // it is the caller's
	})
}

// The state names who runs and who waits, and how long a reply takes.
func TestState(t *testing.T) {
	in(t, 2, func(h *house) {
		for turn, name := range []string{"ana", "bob", "dan", "cleo"} {
			h.ask(name, int64(turn))
		}
		turns := func(all ...int64) (at []llm.Position) {
			for _, turn := range all {
				at = append(at, llm.Position{Turn: turn})
			}
			return at
		}
		want := queue.State{Running: turns(0, 1), Waiting: turns(2, 3)}
		if diff := cmp.Diff(want, h.queue.State()); diff != "" {
			h.Errorf("(-want +got):\n%s", diff)
		}
		<-time.After(4 * time.Second)
		h.do("ana", func(func(llm.Delta)) (*llm.Reply, bool, error) {
			return &llm.Reply{Usage: llm.Usage{Load: time.Second / 2}}, true, nil
		})
		h.do("bob", func(func(llm.Delta)) (*llm.Reply, bool, error) { return nil, true, &llm.Error{Kind: llm.Failed} })
		want = queue.State{Running: turns(2, 3), Typical: 3500 * time.Millisecond}
		if diff := cmp.Diff(want, h.queue.State()); diff != "" {
			h.Errorf("(-want +got):\n%s", diff)
		}
		h.end("dan", 0)
		h.end("cleo", 0)
	})
}

// A caller hears when its wait begins, so that it can stop its own clock, and when its request is with the model, also where
// it need not wait.
func TestTheWaitIsMarked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		q := queue.New(inner(func(ctx context.Context, _ llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
			onDelta(llm.Delta{Text: "hi"})
			<-release
			return &llm.Reply{}, nil
		}), 1, time.Now)
		marks := make([][]llm.Queue, 2)
		var wg sync.WaitGroup
		for i := range marks {
			wg.Go(func() {
				_, _ = q.Chat(t.Context(), llm.Request{}, func(d llm.Delta) {
					if d.Queue != llm.NoWait || d.Text != "" {
						marks[i] = append(marks[i], d.Queue)
					}
				})
			})
			synctest.Wait()
		}
		close(release)
		wg.Wait()
		want := [][]llm.Queue{{llm.WaitOver, llm.NoWait}, {llm.WaitBegan, llm.WaitOver, llm.NoWait}}
		if diff := cmp.Diff(want, marks); diff != "" {
			t.Error(diff)
		}
	})
}

type inner func(context.Context, llm.Request, func(llm.Delta)) (*llm.Reply, error)

func (f inner) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	return f(ctx, req, onDelta)
}
