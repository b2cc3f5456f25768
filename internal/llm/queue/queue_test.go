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
	aside    = "set aside: somebody is waiting for an answer"
	makeRoom = "waiting: background work is being set aside"
	one      = "waiting: 1 before you"
	two      = "waiting: 2 before you"
	oneMore  = "waiting: 1 before you, about 1 s" // a reply was measured: the device takes no time if not told to
	twoMore  = "waiting: 2 before you, about 2 s"
	done     = "reply: done"
)

// People go before jobs; among equals the turn that began first, then who came first.
func TestOrder(t *testing.T) {
	in(t, func(h *house) {
		h.ask("ana", 1)
		for _, r := range []struct {
			name string
			turn int64
		}{{"job last", 4}, {"job", 3}, {"late", 9}, {"bob", 5}, {"bob's second", 5}, {"job before", 2}, {"cleo", 4}, {"bob's third", 5}} {
			h.ask(r.name, r.turn)
		}
		for _, next := range []string{"ana", "cleo", "bob", "bob's second", "bob's third", "late", "job before", "job", "job last"} {
			h.runs(next)
			h.end(next, 0)
		}
		h.runs()
	})
}

// A turn that comes back for its second reply goes before a turn that began later, however long that has waited.
func TestATurnKeepsItsPlace(t *testing.T) {
	in(t, func(h *house) {
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
	in(t, func(h *house) {
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
	in(t, func(h *house) {
		h.ask("job", 1)
		outcome := make(chan error, 1)
		go func() {
			_, err := h.queue.Chat(h.Context(), llm.Request{System: "plain"}, nil)
			outcome <- err
		}()
		synctest.Wait()
		h.runs("plain")
		h.text("plain", "words")
		h.end("plain", 0)
		h.end("job", 0)
		if err := <-outcome; err != nil {
			h.Error(err)
		}
	})
}

// A person makes background work stop at its next token. It begins anew when nobody waits any more, and its caller is
// told that what it was shown is void before it is shown more.
func TestAPersonSetsAside(t *testing.T) {
	in(t, func(h *house) {
		h.ask("job", 1)
		h.text("job", "It was a dark ")
		h.ask("ana", 2)
		h.runs("ana")
		h.ask("bob", 3)
		h.text("ana", "Yes.")
		h.end("ana", 0)
		h.end("bob", 0)
		h.text("job", "It was a ")
		h.text("job", "bright day")
		h.end("job", 0)
		h.saw("ana", makeRoom, "text: Yes.", done)
		h.saw("bob", one, done)
		h.saw("job", "text: It was a dark ", aside, two, oneMore, "restart", "text: It was a ", "text: bright day", done)
	})
}

// A try that is set aside before it showed anything leaves what the one before showed void, and a reply without text says
// so too.
func TestSetAsideTwice(t *testing.T) {
	in(t, func(h *house) {
		h.ask("job", 1)
		h.text("job", "half")
		h.ask("ana", 2)
		h.end("ana", 0)
		h.runs("job")
		h.ask("bob", 3)
		h.end("bob", 0)
		h.end("job", 0)
		h.saw("job", "text: half", aside, aside, "restart", done)
	})
	in(t, func(h *house) {
		h.ask("job", 1)
		h.ask("ana", 2)
		h.end("ana", 0)
		h.text("job", "whole")
		h.ask("bob", 3)
		h.end("bob", 0)
		h.do("job", func(onDelta func(llm.Delta)) (*llm.Reply, bool, error) {
			onDelta(llm.Delta{Restart: true}) // the model's own
			onDelta(llm.Delta{Thinking: "hm"})
			return reply("done")(onDelta)
		})
		h.saw("job", aside, "text: whole", aside, "restart", "text: hm", done)
	})
	in(t, func(h *house) { // the model itself says that its text is void, and is set aside before it has new
		h.ask("job", 1)
		h.do("job", func(onDelta func(llm.Delta)) (*llm.Reply, bool, error) {
			onDelta(llm.Delta{Thinking: "hm"})
			onDelta(llm.Delta{Restart: true})
			return nil, false, nil
		})
		h.ask("ana", 2)
		h.end("ana", 0)
		h.text("job", "new")
		h.end("job", 0)
		h.saw("job", "text: hm", "restart", aside, "text: new", done)
	})
}

// Nobody sets a person aside, not even a turn that began earlier.
func TestAPersonIsNotSetAside(t *testing.T) {
	in(t, func(h *house) {
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

// A job never sets another job aside, not even one of a turn that began later.
func TestAJobIsNotSetAsideByAJob(t *testing.T) {
	in(t, func(h *house) {
		h.ask("job", 2)
		h.ask("job before", 1)
		h.runs("job")
		h.end("job", 0)
		h.end("job before", 0)
		h.saw("job", done)
	})
}

// Jobs that keep coming do not keep a person waiting, and what they wait for in turn is in their order.
func TestNoStarvationByJobs(t *testing.T) {
	in(t, func(h *house) {
		h.ask("j1", 1)
		h.ask("j2", 2)
		h.ask("j3", 3)
		for turn := range int64(5) {
			h.ask("ana", 10+turn)
			h.runs("ana")
			h.ask("j"+string(rune('a'+turn)), 20+turn)
			h.runs("ana")
			h.end("ana", 0)
			h.runs("j1")
		}
		for _, next := range []string{"j1", "j2", "j3", "ja", "jb", "jc", "jd", "je"} {
			h.end(next, 0)
		}
	})
}

// Two people who come while nothing but a deaf device is at work: one slot is made free, and only once.
func TestDeafDevice(t *testing.T) {
	in(t, func(h *house) {
		h.ask("job (deaf)", 1)
		h.ask("ana", 2)
		h.ask("bob", 3)
		h.runs("job")
		h.text("job", "more")
		h.do("job", func(func(llm.Delta)) (*llm.Reply, bool, error) { return nil, true, io.ErrUnexpectedEOF })
		h.runs("ana")
		h.end("ana", 0)
		h.end("bob", 0)
		h.text("job", "anew")
		h.end("job", 0)
		h.saw("ana", makeRoom, done)
		h.saw("bob", one, done)
		h.saw("job", "text: more", aside, oneMore, "restart", "text: anew", done)
	})
}

// A caller that is slow to take a status is late for the slot, which a person who comes meanwhile takes.
func TestSlowCaller(t *testing.T) {
	slow := func(h *house, name string) (release func()) {
		gate := make(chan struct{})
		go func() {
			ctx := llm.WithPosition(h.Context(), at(name, 3))
			_, err := h.queue.Chat(ctx, llm.Request{System: name}, func(llm.Delta) { <-gate })
			if err != nil {
				h.Error(err)
			}
		}()
		synctest.Wait()
		return func() { close(gate); synctest.Wait() }
	}
	in(t, func(h *house) {
		h.ask("ana", 1)
		release := slow(h, "job")
		h.end("ana", 0)
		h.runs()
		h.ask("bob", 2)
		h.runs("bob")
		release()
		h.runs("bob")
		h.end("bob", 0)
		h.end("job", 0)
	})
}

// A call that has its reply although it was set aside is done.
func TestSetAsideButDone(t *testing.T) {
	in(t, func(h *house) {
		h.ask("job (deaf)", 1)
		h.text("job", "all ")
		h.ask("ana", 2)
		h.text("job", "of it")
		h.end("job", 0)
		h.end("ana", 0)
		h.saw("job", "text: all ", "text: of it", done)
	})
}

// The place of who was set aside is its old one, and an error that has nothing to do with it is the caller's.
func TestSetAsideAndFailed(t *testing.T) {
	in(t, func(h *house) {
		h.ask("job", 1)
		h.ask("job next", 2)
		h.ask("ana", 3)
		h.end("ana", 0)
		h.runs("job")
		h.do("job", func(func(llm.Delta)) (*llm.Reply, bool, error) {
			return nil, true, &llm.Error{Kind: llm.Busy, Message: "busy"}
		})
		h.runs("job next")
		h.end("job next", 0)
		h.saw("job", aside, "busy: busy")
	})
}

// Cancelled while it waits, a request is gone at once, and those behind it are told.
func TestCancelledWhileWaiting(t *testing.T) {
	in(t, func(h *house) {
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
	in(t, func(h *house) { // before it began
		ctx, cancel := context.WithCancel(h.Context())
		cancel()
		h.ask("job", 1)
		if _, err := h.queue.Chat(ctx, llm.Request{}, nil); !errors.Is(err, llm.Cancelled) {
			h.Error(err)
		}
		h.end("job", 0)
		h.saw("job", done) // nobody set it aside
	})
}

// Cancelled while it runs, a request ends with what the model says, and frees its slot.
func TestCancelledWhileRunning(t *testing.T) {
	in(t, func(h *house) {
		ana := h.ask("ana", 1)
		h.ask("bob", 2)
		ana.cancel(nil)
		synctest.Wait()
		h.saw("ana", "cancelled: the device stopped")
		h.end("bob", 0)
	})
}

// Cancelled after it was set aside, a request ends with its own cause and not with the queue's.
func TestCancelledAfterSetAside(t *testing.T) {
	in(t, func(h *house) { // while the device still stops
		job := h.ask("job (deaf)", 1)
		h.ask("ana", 2)
		job.cancel(io.ErrClosedPipe)
		h.do("job", func(func(llm.Delta)) (*llm.Reply, bool, error) { return nil, true, errors.New("stopped") })
		h.end("ana", 0)
		h.saw("job", "cancelled: the request was cancelled")
		if !errors.Is(job.err, io.ErrClosedPipe) {
			h.Error(job.err)
		}
	})
	in(t, func(h *house) { // while it waits again
		job := h.ask("job", 1)
		h.ask("ana", 2)
		job.cancel(io.ErrClosedPipe)
		synctest.Wait()
		h.saw("job", aside, "cancelled: the request was cancelled")
		if !errors.Is(job.err, io.ErrClosedPipe) {
			h.Error(job.err)
		}
		h.end("ana", 0)
	})
	in(t, func(h *house) { // the person leaves instead: the job begins anew
		h.ask("job (deaf)", 1)
		h.ask("ana", 2).cancel(nil)
		h.do("job", func(func(llm.Delta)) (*llm.Reply, bool, error) { return nil, true, errors.New("stopped") })
		h.end("job", 0)
		h.saw("job", aside, done)
	})
}

// What an inner model asks of the queue is a part of its call, and does not wait for it. When the call is over, its
// context is like any other; and in another queue it always is.
func TestReentry(t *testing.T) {
	in(t, func(h *house) {
		var outer, other *queue.Queue
		var kept context.Context
		asks := 0
		other = queue.New(h)
		outer = queue.New(modelFunc(func(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
			if asks++; asks == 1 {
				kept = ctx
				return outer.Chat(ctx, llm.Request{System: "inner"}, onDelta)
			}
			return other.Chat(ctx, req, onDelta)
		}))
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
			in(t, func(h *house) {
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
	in(t, func(h *house) {
		h.ask("ana", 1)
		h.do("ana", func(func(llm.Delta)) (*llm.Reply, bool, error) { panic("no") })
		h.saw("ana", "panic: no") // it is the caller's
	})
}

// The state names who runs and who waits, and how long a reply takes.
func TestState(t *testing.T) {
	in(t, func(h *house) {
		for _, name := range []string{"ana", "job", "bob"} {
			h.ask(name, int64(name[0]))
			<-time.After(time.Second)
		}
		want := queue.State{Running: []llm.Position{at("ana", 'a')}, Waiting: []llm.Position{at("bob", 'b'), at("job", 'j')}}
		if diff := cmp.Diff(want, h.queue.State()); diff != "" {
			h.Errorf("(-want +got):\n%s", diff)
		}
		h.do("ana", func(func(llm.Delta)) (*llm.Reply, bool, error) {
			return &llm.Reply{Usage: llm.Usage{Load: time.Second / 2}}, true, nil
		})
		h.do("bob", func(func(llm.Delta)) (*llm.Reply, bool, error) { return nil, true, &llm.Error{Kind: llm.Failed} })
		want = queue.State{Running: []llm.Position{at("job", 'j')}, Typical: 2500 * time.Millisecond}
		if diff := cmp.Diff(want, h.queue.State()); diff != "" {
			h.Errorf("(-want +got):\n%s", diff)
		}
		h.end("job", 0)
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
		}))
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
