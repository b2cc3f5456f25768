package queue_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hob/internal/llm"
	"hob/internal/llm/queue"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is a queue before a device which does only what a test tells it to, and those who ask. Time is a bubble's.
type house struct {
	*testing.T
	queue *queue.Queue

	mu    sync.Mutex
	calls []*call          // that the device is at, in the order in which they began
	asks  map[string]*asks // by name
}

// call is an inner call; the name of who asked is the request's system text.
type call struct {
	name  string
	ctx   context.Context
	steps chan step
	deaf  bool // it does not heed its context
}

// step is what a call does next; end reports whether it was the last thing.
type step func(onDelta func(llm.Delta)) (reply *llm.Reply, end bool, err error)

// asks is a request and what came of it.
type asks struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	mu     sync.Mutex
	seen   []string // each delta, then the outcome
	err    error
}

func in(t *testing.T, f func(h *house)) {
	synctest.Test(t, func(t *testing.T) {
		h := &house{T: t, asks: map[string]*asks{}}
		h.queue = queue.New(h)
		f(h)
		synctest.Wait()
		if s := h.queue.State(); len(s.Running)+len(s.Waiting) > 0 {
			t.Errorf("left in the queue: %+v", s)
		}
	})
}

// Chat is the device.
func (h *house) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta)) (*llm.Reply, error) {
	name, deaf := strings.CutSuffix(req.System, " (deaf)")
	c := &call{name: name, ctx: ctx, steps: make(chan step), deaf: deaf}
	h.mu.Lock()
	h.calls = append(h.calls, c)
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		for i := range h.calls {
			if h.calls[i] == c {
				h.calls = append(h.calls[:i:i], h.calls[i+1:]...)
				return
			}
		}
	}()
	heeds := ctx.Done()
	if deaf {
		heeds = nil
	}
	for {
		select {
		case s := <-c.steps:
			if reply, end, err := s(onDelta); end {
				return reply, err
			}
		case <-heeds:
			return nil, &llm.Error{Kind: llm.Cancelled, Message: "the device stopped", Err: context.Cause(ctx)}
		}
	}
}

// at is a place: of a person unless the first letter of the name says otherwise (j: a job).
func at(name string, turn int64) llm.Position {
	p := llm.Position{Turn: turn}
	if name[0] == 'j' {
		p.Priority = llm.ForJob
	}
	return p
}

// ask starts a request and waits until nothing moves.
func (h *house) ask(name string, turn int64) *asks {
	ctx, cancel := context.WithCancelCause(llm.WithPosition(h.Context(), at(name, turn)))
	a := &asks{ctx: ctx, cancel: cancel}
	h.mu.Lock()
	h.asks[strings.TrimSuffix(name, " (deaf)")] = a
	h.mu.Unlock()
	go func() {
		defer cancel(nil)
		defer func() {
			if p := recover(); p != nil {
				a.see(fmt.Sprint("panic: ", p))
			}
		}()
		reply, err := h.queue.Chat(ctx, llm.Request{System: name}, a.delta)
		if a.err = err; err != nil {
			a.see(fmt.Sprintf("%s: %s", llm.KindOf(err), err))
			return
		}
		a.see("reply: " + reply.Message.Text)
	}()
	synctest.Wait()
	return a
}

func (a *asks) delta(d llm.Delta) {
	if d.Restart {
		a.see("restart")
	}
	if d.Status != "" {
		a.see(d.Status)
	}
	if d.Text+d.Thinking != "" {
		a.see("text: " + d.Text + d.Thinking)
	}
}

func (a *asks) see(s string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen = append(a.seen, s)
}

// do has the device take a step in the newest call of that name.
func (h *house) do(name string, s step) {
	h.Helper()
	h.mu.Lock()
	var c *call
	for _, other := range h.calls {
		if other.name == name {
			c = other
		}
	}
	h.mu.Unlock()
	if c == nil {
		h.Fatalf("the device is not at %q but at %q", name, h.at())
	}
	c.steps <- s
	synctest.Wait()
}

func (h *house) text(name, text string) {
	h.Helper()
	h.do(name, func(onDelta func(llm.Delta)) (*llm.Reply, bool, error) {
		onDelta(llm.Delta{Text: text})
		return nil, false, nil
	})
}

// end has the device reply, after so much time.
func (h *house) end(name string, after time.Duration) {
	h.Helper()
	<-time.After(after)
	h.do(name, reply("done"))
}

func reply(text string) step {
	return func(func(llm.Delta)) (*llm.Reply, bool, error) {
		return &llm.Reply{Message: llm.Message{Role: llm.AssistantRole, Text: text}}, true, nil
	}
}

// at returns the names of the calls that the device is at.
func (h *house) at() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	names := []string{}
	for _, c := range h.calls {
		names = append(names, c.name)
	}
	return names
}

// runs checks what the device is at.
func (h *house) runs(names ...string) {
	h.Helper()
	if diff := cmp.Diff(append([]string{}, names...), h.at()); diff != "" {
		h.Fatalf("what the device is at (-want +got):\n%s", diff)
	}
}

// saw checks all that the caller of that name was shown.
func (h *house) saw(name string, want ...string) {
	h.Helper()
	a := h.asks[name]
	a.mu.Lock()
	defer a.mu.Unlock()
	if diff := cmp.Diff(want, a.seen); diff != "" {
		h.Errorf("what %s saw (-want +got):\n%s", name, diff)
	}
}
